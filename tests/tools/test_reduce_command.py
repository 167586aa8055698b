"""`clscan reduce`, and scans by segments, from the outside: results, files, pipes and chunks, and what is refused."""

import json
import math
import os
import unittest

from command_rig import TYPES, CommandTest, expected_scan, npy, npy_of, pack, sample, takes, unpack


class Reduce(CommandTest):
    def value(self, *arguments, **keywords):
        return json.loads(self.succeed("reduce", *arguments, "--json", **keywords))

    def test_types(self):
        """Those that are not taken here are among the initial values, or scanned by test_command."""
        for name in takes(TYPES, 0, 3):
            with self.subTest(type=name):
                values = sample(name, 1501)
                found = self.value(self.write("in.npy", npy_of(name, values)))
                self.assertEqual(found["value"], expected_scan(name, "add", values)[-1])

    def test_initial_values(self):
        for name in takes(TYPES, 1, 3):
            with self.subTest(type=name):
                values = sample(name, 1501)
                found = self.value(self.write("in.npy", npy_of(name, values)), "--op", "max", "--init", "1")
                self.assertEqual((found["value"], found["count"], found["op"]), (max(values + [1]), 1501, "max"))

    def test_chunks_and_pipes(self):
        """The value goes from chunk to chunk, of a file, and of a pipe whose length nobody tells."""
        values = sample("int32", 1000)
        file = self.write("in.raw", pack("int32", values))
        for chunk in ("4", "400", "4000", "1M"):
            self.assertEqual(self.value(file, "--type", "int32", "--chunk-bytes", chunk, "--init", "7")["value"],
                             sum(values) + 7)
            piped = self.value("-", "--type", "int32", "--chunk-bytes", chunk, input=pack("int32", values))
            self.assertEqual((piped["value"], piped["count"]), (sum(values), 1000))

    def test_output_type(self):
        """The value is not as narrow as the elements, and has the initial value's type."""
        for name, output in (("int8", "int64"), ("int16", "double"), ("half", "double"), ("int8", "half")):
            with self.subTest(type=name, output=output):
                values = sample(name, 1501)
                source = self.write("in.npy", npy_of(name, values))
                found = self.value(source, "--output-type", output, "--init", "1000")
                self.assertEqual((found["value"], found["type"]),
                                 (sum(values) + 1000, "float" if output == "half" else output))

    def test_maps(self):
        """Expressions count in the file, whatever its chunks are."""
        values = sample("int16", 1000)
        file = self.write("in.raw", pack("int16", values))
        for chunk in ("2", "34", "2000", "1M"):
            with self.subTest(chunk=chunk):
                words = ("--type", "int16", "--chunk-bytes", chunk, "--output-type", "int64")
                found = self.value(file, *words, "--load", "element * (long)index", "--init", "5")["value"]
                self.assertEqual(found, sum(value * i for i, value in enumerate(values)) + 5)
                found = self.value(file, *words, "--load", "element * (long)element",
                                   "--store", "sum * 3 - (long)index", "--op", "max")["value"]
                self.assertEqual(found, max(value * value for value in values) * 3 - 999)
        found = self.value(self.write("in.npy", npy_of("half", [1.0, 7.0])), "--load", "element * element", "--store",
                           "sqrt(sum / (index + 1))")
        self.assertEqual((found["value"], found["type"]), (5.0, "float"))

    def test_nothing(self):
        empty = self.write("in.npy", npy_of("int32", []))
        self.assertEqual(self.succeed("reduce", empty, "--op", "mul"), "1\n")
        self.assertEqual(self.succeed("reduce", empty, "--init", "-9"), "-9\n")
        self.assertEqual(self.succeed("reduce", empty, "--load", "element + 1"), "0\n")
        self.refuse("reduce", empty, "--store", "sum / (index + 1)", says=["in.npy", "--store"])

    def test_segments(self):
        """A value for each, by keys, flags and offsets; the number is printed."""
        values, keys = sample("int16", 1000), [i // 7 % 3 for i in range(1000)]
        begins = list(range(0, 1000, 7))
        source = self.write("in.npy", npy_of("int16", values))
        by_keys = ("--keys", self.write("keys.npy", npy_of("uint8", keys)), "--output-type", "int64", "--init", "3")
        sums, out_keys, offsets = (self.path(name) for name in ("sums.npy", "out_keys.npy", "offsets.npy"))
        self.assertEqual(self.succeed("reduce", source, *by_keys, "--sums", sums, "--out-keys", out_keys,
                                      "--out-offsets", offsets), f"{len(begins)}\n")
        self.assertEqual(self.elements("sums.npy", "int64"), [sum(values[i:i + 7]) + 3 for i in begins])
        self.assertEqual(self.elements("out_keys.npy", "uint8"), [keys[i] for i in begins])
        self.assertEqual(self.elements("offsets.npy", "uint32"), begins + [1000])
        bounds = [5, 5, 9, 700]
        found = self.value(source, "--segment-offsets", self.write("bounds.npy", npy_of("int64", bounds)), "--op",
                           "max", "--init", "-40", "--sums", sums)
        self.assertEqual((found["segments"], found["count"]), (3, 1000))
        self.assertEqual(self.elements("sums.npy", "int16"),
                         [max(values[a:b] + [-40]) for a, b in zip(bounds, bounds[1:])])
        flags = self.write("flags.raw", bytes(i % 7 == 0 for i in range(1000)))
        self.succeed("reduce", source, "--segment-flags", flags, "--load", "1", "--sums", self.path("lengths.raw"))
        self.assertEqual(unpack("int16", self.read("lengths.raw")), [min(7, 1000 - i) for i in begins])

    def array(self, descr, shape, data):
        return npy(f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}", data)

    def test_axes(self):
        """A value for each row along an axis, in one chunk and in several; the number is printed."""
        shape = (5, 6, 7)
        values = sample("int16", 210)
        source = self.write("in.npy", self.array("<i2", shape, pack("int16", values)))

        def at(i, j, k):
            return values[(i * 6 + j) * 7 + k]

        a, b, c = (range(n) for n in shape)
        wanted = [([5 + sum(at(i, j, k) for i in a) for j in b for k in c], (6, 7)),
                  ([5 + sum(at(i, j, k) for j in b) for i in a for k in c], (5, 7)),
                  ([5 + sum(at(i, j, k) for k in c) for i in a for j in b], (5, 6))]
        more = ("--output-type", "int64", "--init", "5", "--sums", self.path("sums.npy"))
        for axis in (0, 1, 2, -1):
            for chunk in ("64M", "1680" if axis == 0 else "700"):
                with self.subTest(axis=axis, chunk=chunk):
                    sums, left = wanted[axis]
                    self.assertEqual(self.succeed("reduce", source, "--axis", str(axis), *more, "--chunk-bytes",
                                                  chunk), f"{len(sums)}\n")
                    self.assertEqual(self.elements("sums.npy", "int64"), sums)
                    self.assertIn(str(left).encode(), self.read("sums.npy")[:128])
        found = self.value(source, "--axis", "-1", "--op", "max", "--load", "element * index", "--output-type", "int32",
                           "--sums", self.path("sums.raw"))
        self.assertEqual((found["rows"], found["count"], found["type"]), (30, 210, "int32"))
        self.assertEqual(unpack("int32", self.read("sums.raw")),
                         [max(at(i, j, k) * k for k in c) for i in a for j in b])
        row = self.write("row.npy", npy_of("half", [1, 2, 4]))
        self.assertEqual(self.succeed("reduce", row, "--axis", "0", "--sums", self.path("sums.raw")), "1\n")
        self.assertEqual(unpack("float", self.read("sums.raw")), [7])
        empty = self.write("empty.npy", self.array("<i4", (3, 0), b""))
        self.assertEqual(self.succeed("reduce", empty, "--axis", "1", "--op", "mul", "--sums", self.path("sums.npy")),
                         "3\n")
        self.assertEqual(self.elements("sums.npy", "int32"), [1, 1, 1])
        self.assertEqual(self.succeed("reduce", empty, "--axis", "0", "--sums", self.path("sums.npy")), "0\n")
        self.assertEqual(self.elements("sums.npy", "int32"), [])
        none = self.write("none.npy", self.array("<i4", (0, 4), b""))
        for axis, number in (("0", 4), ("1", 0)):
            self.assertEqual(self.succeed("reduce", none, "--axis", axis, "--sums", self.path("sums.npy")),
                             f"{number}\n")
            self.assertEqual(self.elements("sums.npy", "int32"), [0] * number)
        for words, code, says in ((("--axis", "3", "--sums", "x"), 2, "option '--axis': "),
                                  (("--axis", "0"), 2, "--sums"),
                                  (("--axis", "0", "--sums", "x", "--store", "sum"), 2, "--store"),
                                  (("--axis", "0", "--sums", "x", "--keys", source), 2, "--axis"),
                                  (("--axis", "0", "--sums", source), 1, "--sums"),
                                  (("--axis", "0", "--sums", "x", "--chunk-bytes", "20"), 1, "--chunk-bytes")):
            with self.subTest(words=words):
                self.refuse("reduce", source, *words, code=code, says=says)

    def test_equal_keys(self):
        """An expression says when keys are equal; the key of a segment is that of its first element."""
        source = self.write("in.npy", npy_of("int32", range(8)))
        keys = self.write("keys.npy", npy_of("uint8", [11, 17, 10, 20, 29, 12, 12, 30]))
        equal, sums, out_keys = "left / 10 ==\nright / 10", self.path("sums.npy"), self.path("out_keys.npy")
        self.assertEqual(self.succeed("reduce", source, "--keys", keys, "--equal", equal, "--sums", sums, "--out-keys",
                                      out_keys), "4\n")
        self.assertEqual(self.elements("sums.npy", "int32"), [3, 7, 11, 7])
        self.assertEqual(self.elements("out_keys.npy", "uint8"), [11, 20, 12, 30])
        self.refuse("reduce", source, "--keys", keys, "--equal", "left = nothing", "--sums", sums, says="nothing")
        self.refuse("reduce", source, "--segment-flags", keys, "--equal", equal, "--sums", sums, code=2, says="--keys")

    def test_segments_in_chunks(self):
        """Segments that go on from chunk to chunk, empty ones, what lies outside, keys and offsets."""
        values = sample("int16", 1000)
        source = self.write("in.npy", npy_of("int16", values))
        keys = [(i // 7 if i < 500 else i // 97) % 3 for i in range(1000)]
        begins = [i for i in range(1000) if i == 0 or keys[i] != keys[i - 1]]
        bounds = [2, 2, 2, 2, 40, 41, 300, 300, 999, 999, 1000]
        ends = list(zip(begins, [*begins[1:], 1000]))
        by_keys = ("--keys", self.write("keys.npy", npy_of("half", keys)), "--output-type", "int64", "--init", "3")
        by_offsets = ("--segment-offsets", self.write("bounds.npy", npy_of("int32", bounds)), "--op", "max",
                      "--output-type", "int32", "--init", "-9")
        sums, out_keys, offsets = (self.path(name) for name in ("sums.npy", "out_keys.npy", "offsets.npy"))
        for chunk in (1, 7, 64, 999):
            with self.subTest(chunk=chunk):
                more = ("--chunk-bytes", str(2 * chunk))
                printed = self.succeed("reduce", source, *by_keys, "--sums", sums, "--out-keys", out_keys,
                                       "--out-offsets", offsets, *more)
                self.assertEqual(printed, f"{len(begins)}\n")
                self.assertEqual(self.elements("sums.npy", "int64"), [3 + sum(values[a:b]) for a, b in ends])
                self.assertEqual(self.elements("out_keys.npy", "half"), [keys[a] for a in begins])
                self.assertEqual(self.elements("offsets.npy", "uint32"), [*begins, 1000])
                self.assertEqual(self.succeed("reduce", source, *by_offsets, "--sums", sums, *more), "10\n")
                self.assertEqual(self.elements("sums.npy", "int32"),
                                 [max([-9, *values[a:b]]) for a, b in zip(bounds, bounds[1:])])
        wrong = self.write("wrong.npy", npy_of("int32", [0, 5, 3]))
        self.refuse("reduce", source, "--segment-offsets", wrong, "--sums", sums, "--chunk-bytes", "64",
                    says=["wrong.npy: offset 2 is 3", "order"])
        self.refuse("reduce", source, *by_keys, "--equal", "left == right", "--sums", sums, "--chunk-bytes", "64",
                    says=["--equal", "--chunk-bytes"])

    def test_no_segments(self):
        empty = self.write("in.npy", npy_of("int32", []))
        keys = self.write("keys.npy", npy_of("int8", []))
        self.assertEqual(self.succeed("reduce", empty, "--keys", keys, "--sums", self.path("sums.npy"), "--out-offsets",
                                      self.path("offsets.npy")), "0\n")
        self.assertEqual(self.elements("sums.npy", "int32"), [])
        self.assertEqual(self.elements("offsets.npy", "uint32"), [0])

    def test_segments_that_are_refused(self):
        source, sums = self.write("in.npy", npy_of("int32", range(10))), self.path("sums.npy")
        keys = ("--keys", self.write("keys.npy", npy_of("int8", range(10))))
        for words, says in (((*keys,), "--sums"), (("--sums", sums), "--keys"), ((*keys, "--sums", "-"), "names"),
                            ((*keys, "--sums", sums, "--store", "sum"), "--store"),
                            ((*keys, "--segment-flags", "x", "--sums", sums), "give one"),
                            (("--segment-flags", "x", "--sums", sums, "--out-keys", "y"), "--out-keys"),
                            (("--segment-offsets", "x", "--out-offsets", "y"), "--out-offsets")):
            with self.subTest(words=words):
                self.refuse("reduce", source, *words, code=2, says=says)
        self.refuse("reduce", source, *keys, "--sums", source, says="in.npy")
        short = self.write("short.npy", npy_of("int8", range(9)))
        self.refuse("reduce", source, "--keys", short, "--sums", sums, says=["short.npy", "9 keys"])

    def test_what_is_no_number_of_json(self):
        file = self.write("in.npy", npy_of("float", [math.inf, 1.0]))
        self.assertEqual((self.succeed("reduce", file), self.value(file)["value"]), ("inf\n", "inf"))

    def test_reproducible(self):
        """One chunk, however small chunks are wanted; text and JSON have all bits."""
        values = [math.sin(i) * 10.0 ** (i % 7) for i in range(70001)]
        source = self.write("in.npy", npy_of("double", values))
        found = self.value(source, "--reproducible", "--chunk-bytes", "4000")["value"]
        self.assertLess(abs(found - math.fsum(values)), 1e-9 * sum(map(abs, values)))
        self.assertEqual(found, self.value(source, "--reproducible")["value"])
        self.assertEqual(found, float(self.succeed("reduce", source, "--reproducible")))

    def test_bad_input(self):
        source = self.write("in.npy", npy_of("float", [1.0]))
        self.refuse("reduce", self.path("none.npy"), says="none.npy")
        self.refuse("reduce", source, "--type", "int8", code=2, says="--type")
        self.refuse("reduce", source, "--op", "custom", code=2, says="custom")
        self.refuse("reduce", source, "--op", "and", says="and")
        self.refuse("reduce", source, "--init", "x", code=2, says="--init")
        self.refuse("reduce", source, "--init", "0.5", "--output-type", "int32", code=2, says="--init")
        self.refuse("reduce", source, "--output-type", "int32",
                    says="--output-type: float becomes no int32 without --load")
        self.refuse("reduce", source, "--load", "element *\nfoo", says="--load:2:")
        self.refuse("reduce", source, "--store", "previous", says="--store:1:")
        self.refuse("reduce", source, "--load", "element * 2", "--reproducible",
                    says="--reproducible: add of float has no reproducible order beside --output-type, --load and")
        self.refuse("reduce", self.write("in.raw", b"12345"), "--type", "int32", says="in.raw")
        self.refuse("reduce", "-", "--type", "float", "--reproducible", input=b"1234", says="--reproducible")


class Segments(CommandTest):
    COUNT = 1000
    BEGINS = (0, 1, 7, 8, 300, 999)

    def expected(self, values, begins, **form):
        edges = sorted({0, *begins, len(values)})
        return [x for begin, end in zip(edges, edges[1:])
                for x in expected_scan("int32", "add", values[begin:end], **form)]

    def files(self, begins):
        """The same segments in all four ways; keys return."""
        flags = [256 * (i in begins and i > 0) for i in range(self.COUNT)]
        bits = [sum((i in begins) << i % 32 for i in range(at, min(at + 32, self.COUNT)))
                for at in range(0, self.COUNT, 32)]
        bits[-1] |= 7 << 29  # nobody's
        keys = [sum(begin <= i for begin in begins) % 2 * 0.5 for i in range(self.COUNT)]
        return (("--segment-flags", self.write("flags.npy", npy_of("int16", flags))),
                ("--segment-flags", self.write("flags.raw", bytes(flag // 256 for flag in flags))),
                ("--segment-bits", self.write("bits.npy", npy_of("uint32", bits))),
                ("--segment-bits", self.write("bits.raw", pack("uint32", bits)[:-(-self.COUNT // 8)])),
                ("--segment-offsets", self.write("offsets.npy", npy_of("int64", [*begins, 7, self.COUNT, 0]))),
                ("--keys", self.write("keys.npy", npy_of("float", keys))))

    def test_ways_and_forms(self):
        values = sample("int32", self.COUNT)
        source = self.write("in.raw", pack("int32", values))
        forms = ({}, {"exclusive": True, "initial": 5}, {"reverse": True})
        for turn, (way, name) in enumerate(self.files(self.BEGINS)):
            for form in takes(forms, turn % len(forms), len(forms)):
                with self.subTest(file=os.path.basename(name), **form):
                    options = [f"--{key}" for key in form if key != "initial"] + ["--init=5"] * ("initial" in form)
                    self.succeed("scan", source, self.path("out.raw"), "--type", "int32", way, name, *options)
                    expected = self.expected(values, self.BEGINS, **form)
                    self.assertEqual(unpack("int32", self.read("out.raw")), expected)

    def test_chunks(self):
        """A segment goes on from chunk to chunk, and begins or ends at the edge of one."""
        values = sample("int32", self.COUNT)
        source = self.write("in.raw", pack("int32", values))
        forms = ({}, {"exclusive": True, "initial": 5}, {"reverse": True}, {"reverse": True, "initial": 3})
        begins = (0, 1, 7, 8, 14, 21, 22, 41, 300, 980, 999)
        for way, name in self.files(begins):
            for chunk, form in zip((7, 13, 7, 301), forms):
                with self.subTest(file=os.path.basename(name), chunk=chunk, **form):
                    options = [f"--{key}" for key in form if key != "initial"]
                    options += [f"--init={form['initial']}"] if "initial" in form else []
                    self.succeed("scan", source, self.path("out.raw"), "--type", "int32", way, name, *options,
                                 f"--chunk-bytes={4 * chunk}")
                    expected = self.expected(values, begins, **form)
                    self.assertEqual(unpack("int32", self.read("out.raw")), expected)

    def test_chunks_of_a_pipe_with_maps(self):
        """Indices count in the file, and what says where segments begin may be the pipe."""
        source = self.write("in.npy", npy_of("int32", [1] * self.COUNT))
        keys = npy_of("uint8", [(i + 50) // 100 % 3 for i in range(self.COUNT)])
        done = self.run_command("scan", source, self.path("out.raw"), "--keys", "-", "--chunk-bytes", "132",
                                "--store", "sum * 10000 + index", input=keys)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        begin_of = [max(i - (i - 50) % 100, 0) for i in range(self.COUNT)]
        self.assertEqual(unpack("int32", self.read("out.raw")),
                         [(i - begin_of[i] + 1) * 10000 + i for i in range(self.COUNT)])

    def test_keys_in_chunks(self):
        """Keys are compared as on the device: NaN equals nothing, zeros are equal."""
        keys = [0.0, -0.0, math.nan, math.nan, math.inf, math.inf, -math.inf, 0.0]
        source = self.write("in.npy", npy_of("int32", [1] * 8))
        for kind in takes(("float", "double", "half")):
            names = self.write(f"{kind}.npy", npy_of(kind, keys))
            for chunk in (1, 2, 3, 8):
                for more in ((), ("--reverse",)):
                    with self.subTest(type=kind, chunk=chunk, more=more):
                        self.succeed("scan", source, self.path("out.raw"), "--keys", names, *more,
                                     f"--chunk-bytes={4 * chunk}")
                        self.assertEqual(unpack("int32", self.read("out.raw")),
                                         [2, 1, 1, 1, 2, 1, 1, 1] if more else [1, 2, 1, 1, 1, 2, 1, 1])

    def test_pipes_and_shapes(self):
        """A .npy file has a length, also in a pipe; a matrix is flattened; --stats runs it again."""
        values = sample("int32", self.COUNT)
        offsets = self.write("offsets.npy", npy_of("uint32", self.BEGINS))
        done = self.run_command("scan", "-", self.path("out.raw"), "--segment-offsets", offsets, "--stats",
                                input=npy_of("int32", values))
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertEqual(unpack("int32", self.read("out.raw")), self.expected(values, self.BEGINS))
        empty = self.write("empty.npy", npy_of("int32", []))
        self.succeed("scan", empty, self.path("out.raw"), "--keys", empty)
        self.assertEqual(self.read("out.raw"), b"")
        few = self.write("few.npy", npy_of("int32", values[:10]))
        self.succeed("scan", few, self.path("out.raw"), "--segment-offsets", empty)
        self.assertEqual(unpack("int32", self.read("out.raw")), expected_scan("int32", "add", values[:10]))

    def test_bad_input(self):
        source = self.write("in.npy", npy_of("float", [1.0, 2.0]))
        short = self.write("short.npy", npy_of("int8", [1]))
        good = self.write("good.npy", npy_of("int8", [1, 0]))
        header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 1), }\n"
        matrix = self.write("matrix.npy", npy(header, bytes(8)))
        out = self.path("out.npy")
        self.refuse("scan", source, out, "--segment-flags", source, says=["in.npy", "float", "flags"])
        self.refuse("scan", source, out, "--segment-offsets", good, says=["good.npy", "int8", "offsets"])
        self.refuse("scan", source, out, "--segment-bits", source, says=["in.npy", "float", "bits"])
        self.refuse("scan", source, out, "--segment-bits", good, says=["good.npy has 2 elements", "in.npy are 1"])
        self.refuse("scan", source, out, "--keys", short, says=["short.npy has 1 keys", "2 elements"])
        self.refuse("scan", source, out, "--segment-flags", self.path("none.npy"), says="none.npy")
        self.refuse("scan", source, good, "--keys", good, says="good.npy")
        self.refuse("scan", matrix, out, "--keys", good, says="--flatten")
        self.refuse("scan", source, out, "--keys", good, "--equal", "left == right", "--chunk-bytes", "4",
                    says=["in.npy", "--equal", "--chunk-bytes"])
        self.refuse("scan", source, out, "--keys", "-", "--reverse", "--chunk-bytes", "4",
                    input=npy_of("int8", [1, 0]), says="read from its end")
        self.refuse("scan", "-", out, "--type", "int8", "--keys", good, input=b"12", says="length")
        for more in (["--segment-flags", good], ["--offsets"], ["--check"], ["--reproducible"], ["--axis", "0"]):
            self.refuse("scan", source, out, "--keys", good, *more, code=2, says=more[0])
        self.refuse("scan", "-", out, "--keys", "-", code=2, says="standard input", input=b"")


if __name__ == "__main__":
    unittest.main()
