"""`clscan select` and `clscan repeat` from the outside: results, files, pipes and chunks, and what is refused."""

import itertools
import json
import math
import os
import struct
import subprocess
import unittest

from command_rig import COMMAND, TYPES, CommandTest, npy, npy_of, pack, sample, takes, unpack


class Repeat(CommandTest):
    def test_types_and_lengths(self):
        """Every type of lengths, also runs that go on from chunk to chunk, and pipes."""
        for name, of_lengths in (("int8", "uint8"), ("half", "int16"), ("int32", "uint32"), ("double", "int64"),
                                 ("uint16", "int8"), ("float", "uint64")):
            values = sample(name, 700)
            lengths = [i % 7 if i % 50 else 90 for i in range(700)]
            source = self.write("in.npy", npy_of(name, values))
            file = self.write("lengths.npy", npy_of(of_lengths, lengths))
            expected = [value for value, length in zip(values, lengths) for _ in range(length)]
            for chunk in ("8", "160", "1M") if name == "int32" else ("1M",):
                with self.subTest(type=name, lengths=of_lengths, chunk=chunk):
                    found = json.loads(self.succeed("repeat", source, self.path("out.npy"), "--lengths", file,
                                                    "--chunk-bytes", chunk, "--json"))
                    self.assertEqual((found["written"], found["count"], found["type"]), (len(expected), 700, name))
                    self.assertEqual(self.elements("out.npy", name), expected)
            done = self.run_command("repeat", "-", "-", "--type", name, "--lengths", file, input=pack(name, values))
            self.assertEqual(unpack(name, done.stdout), expected)

    def test_offsets(self):
        """n + 1 for n elements, whatever the first is, through pipes and in chunks."""
        for of_offsets, first in (("int32", 0), ("uint64", 2**40), ("int64", 5)):
            values = sample("int32", 700)
            lengths = [i % 7 if i % 50 else 90 for i in range(700)]
            offsets = [first + sum(lengths[:i]) for i in range(701)]
            source, file = self.write("in.npy", npy_of("int32", values)), self.write("at", npy_of(of_offsets, offsets))
            expected = [value for value, length in zip(values, lengths) for _ in range(length)]
            for chunk in ("8", "160", "1M"):
                with self.subTest(offsets=of_offsets, chunk=chunk):
                    self.succeed("repeat", source, self.path("out.npy"), "--offsets", file, "--chunk-bytes", chunk)
                    self.assertEqual(self.elements("out.npy", "int32"), expected)
                    self.succeed("repeat", source, self.path("out.npy"), "--offsets", "-", "--chunk-bytes", chunk,
                                 input=npy_of(of_offsets, offsets))
                    self.assertEqual(self.elements("out.npy", "int32"), expected)
        none, one = self.write("none.npy", npy_of("int32", [])), self.write("one.npy", npy_of("int32", [7]))
        self.succeed("repeat", none, self.path("out.npy"), "--offsets", one)
        self.assertEqual(self.elements("out.npy", "int32"), [])

    def test_bad_offsets(self):
        source, out = self.write("in.npy", npy_of("int32", [1, 2, 3])), self.path("out.npy")
        none = self.write("none.npy", npy_of("int32", []))
        for offsets, says in (([0, 5, 3, 9], "offset 2 is 3, below the one before, 5"),
                              ([0, -5, 3, 9], "offset 1 is -5, negative"), ([-1, 0, 1, 2], "offset 0 is -1, negative"),
                              ([0, 1, 2], "3 offsets; "), ([0, 1, 2, 3, 4], "5 offsets; ")):
            file = self.write("wrong.npy", npy_of("int32", offsets))
            self.refuse("repeat", source, out, "--offsets", file, says=["wrong.npy", says])
            self.refuse("repeat", source, out, "--offsets", "-", input=npy_of("int32", offsets),
                        says=["standard input", says])
        self.refuse("repeat", none, out, "--offsets", none, says=["none.npy has 0 offsets; ", "0 elements and needs 1"])
        four = self.write("four.npy", npy_of("uint32", [0, 1, 2, 3]))
        for chunk, says in (("1M", "4 elements and needs 5"), ("16", "4 or more elements and needs 5")):
            self.refuse("repeat", "-", out, "--type=int32", "--offsets", four, "--chunk-bytes", chunk,
                        input=pack("int32", [1, 2, 3, 4]), says=["four.npy has 4 offsets; standard input has", says])
        self.refuse("repeat", "-", out, "--type=int32", "--offsets", none, input=b"", says="none.npy has no offsets")
        self.refuse("repeat", source, out, "--offsets", none, "--lengths", none, code=2, says="--offsets")
        self.refuse("repeat", "-", out, "--type=int32", "--offsets", "-", code=2, says="--offsets")
        self.assertFalse(os.path.exists(out))

    def test_encoded_runs(self):
        values = [i // 9 * i % 4 for i in range(5000)]
        source = self.write("in.npy", npy_of("uint8", values))
        self.succeed("reduce", source, "--keys", source, "--load", "1", "--output-type", "uint32", "--sums",
                     self.path("lengths.npy"), "--out-keys", self.path("runs.npy"))
        self.succeed("repeat", self.path("runs.npy"), self.path("same.npy"), "--lengths", self.path("lengths.npy"))
        self.assertEqual(self.elements("same.npy", "uint8"), values)

    def test_pipes_need_no_temporary_file(self):
        """Where the lengths are a file: their sum is in the header."""
        source = self.write("in.npy", npy_of("int32", [7, 8, 9]))
        lengths, offsets = npy_of("uint8", [2, 0, 3]), npy_of("int64", [4, 6, 6, 9])
        nowhere = {"TMPDIR": self.path("no folder")}
        for words, data in ((["--lengths", self.write("lengths.npy", lengths)], lengths),
                            (["--offsets", self.write("offsets.npy", offsets)], offsets)):
            done = self.run_command("repeat", source, "-", *words, env=nowhere)
            self.write("out.npy", done.stdout)
            self.assertIn(b"'shape': (5,)", done.stdout)
            self.assertEqual(self.elements("out.npy", "int32"), [7, 7, 9, 9, 9])
            self.refuse("repeat", source, "-", words[0], "-", input=data, env=nowhere, says="no folder")
            self.assertEqual(self.run_command("repeat", source, "-", words[0], "-", input=data).stdout, done.stdout)

    def test_lengths_that_change(self):
        """Between their sum and their use."""
        lengths = self.write("lengths.npy", npy_of("uint8", [1, 2, 3]))
        whole = npy_of("int32", [7, 8, 9])
        with subprocess.Popen([COMMAND, "repeat", "-", "-", "--lengths", lengths], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdin.write(whole[:-12])
            process.stdin.flush()
            self.assertIn(b"'shape': (6,)", process.stdout.read(128))
            self.write("lengths.npy", npy_of("uint8", [1, 2, 4]))
            message = process.communicate(whole[-12:])[1].decode()
            self.assertEqual(process.returncode, 1, message)
            self.assertIn("lengths.npy: it changed while it was read", message)

    def test_columns(self):
        """Columns and indices follow, also where one run needs several chunks, and by a pipe."""
        count = 300
        lengths = [i % 5 if i % 70 else 90 for i in range(count)]
        offsets = [7 + total for total in itertools.accumulate(lengths, initial=0)]
        values, days = sample("int16", count), sample("int8", count)
        names = [b"n%03d..." % i for i in range(count)]
        source, of_lengths = self.write("in.npy", npy_of("int16", values)), npy_of("uint8", lengths)
        text = npy("{'descr': '|S7', 'fortran_order': False, 'shape': (%d,), }" % count, b"".join(names))
        also = ["--column", self.write("day.npy", npy_of("int8", days)) + ":" + self.path("days.npy"),
                "--column", self.write("name.npy", text) + ":" + self.path("names.raw"),
                "--out-indices", self.path("rows.npy")]  # fmt: skip
        rows = [i for i, length in enumerate(lengths) for _ in range(length)]
        by_lengths = ["--lengths", self.write("lengths.npy", of_lengths)]
        by_offsets = ["--offsets", self.write("offsets.npy", npy_of("uint32", offsets))]
        for chunk, words, index, data in (("160", by_lengths, "uint64", None), ("1000", by_offsets, "int64", None),
                                          ("1M", by_lengths, "uint16", None), ("1000", by_lengths, "uint16", "in"),
                                          ("1M", ["--lengths", "-"], "int64", "lengths")):  # fmt: skip
            with self.subTest(chunk=chunk, words=words, index=index, pipe=data):
                more = ["--index-type", index] if index != "uint64" else []
                self.succeed("repeat", "-" if data == "in" else source, self.path("out.npy"), *words, *also, *more,
                             "--chunk-bytes", chunk, *(["--type", "int16"] if data == "in" else []),
                             input={"in": pack("int16", values), "lengths": of_lengths}.get(data))  # fmt: skip
                self.assertEqual(self.elements("out.npy", "int16"), [values[i] for i in rows])
                self.assertEqual(self.elements("days.npy", "int8"), [days[i] for i in rows])
                self.assertEqual(self.read("names.raw"), b"".join(names[i] for i in rows))
                self.assertEqual(self.elements("rows.npy", index), rows)
        for empty in (npy_of("int8", []), npy_of("int8", [0, 0])):
            none = self.write("none.npy", empty)
            self.succeed("repeat", none, self.path("out.npy"), "--lengths", none, "--column",
                         none + ":" + self.path("days.npy"), "--out-indices", self.path("rows.npy"))
            self.assertEqual(self.elements("days.npy", "int8"), [])
            self.assertEqual(self.elements("rows.npy", "uint64"), [])

    def test_bad_columns(self):
        source, out, kept = self.write("in.npy", npy_of("float", [1.0, 2.0])), self.path("out.npy"), self.path("k.npy")
        good, few = self.write("day.npy", npy_of("int8", [1, 2])), self.write("few.npy", npy_of("int8", [1]))
        words = ["repeat", source, out, "--lengths", good]
        pipe = ["repeat", "-", out, "--type", "int8", "--lengths", good]
        self.refuse(*words, "--column", "day.npy", code=2, says="FILE:OUT")
        self.refuse(*words, "--index-type", "int64", code=2, says=["--index-type", "--out-indices"])
        self.refuse(*words, "--out-indices", kept, "--index-type", "float", code=2, says=["--index-type", "float"])
        self.refuse(*words, "--column", few + ":" + kept, says=["few.npy", "1 elements", "2"])
        self.refuse(*pipe, "--column", few + ":" + kept, input=b"12", says="few.npy")
        self.refuse(*pipe, "--column", self.write("more.npy", npy_of("int8", [1, 2, 3])) + ":" + kept, input=b"12",
                    says=["more.npy has 3 elements", "2"])
        self.refuse(*words, "--column", few + ":" + few, says=["few.npy"])
        self.refuse(*words, "--column", good + ":" + good, says=["day.npy", "same file"])
        self.refuse(*words, "--column", good + ":" + out, says=["out.npy", "same file"])
        self.refuse(*words, "--column", good + ":" + kept, "--out-indices", kept, says=["k.npy", "same file"])
        self.refuse(*words, "--out-indices", self.path("no/k.npy"), says="no/k.npy")
        self.refuse(*words, "--column", good + ":-", says="- names no file")

    def test_too_many_for_the_index_type(self):
        """The indices are those of elements, however often these are written."""
        out, rows = self.write("out.npy", b"earlier"), self.path("rows.npy")
        more = ["--out-indices", rows, "--index-type", "int8"]
        source = self.write("in.npy", npy_of("uint8", [1] * 129))
        says = ["--index-type int8"]
        self.refuse("repeat", source, out, "--lengths", source, *more, says=["in.npy has 129 elements", *says])
        for chunk in ("200", "1M"):
            self.refuse("repeat", "-", out, "--type", "uint8", "--lengths", source, *more, "--chunk-bytes", chunk,
                        input=b"1" * 129, says=["standard input has", *says])
        self.assertEqual(self.read("out.npy"), b"earlier")
        source = self.write("in.npy", npy_of("uint8", [2] * 128))
        self.succeed("repeat", source, out, "--lengths", source, *more)
        self.assertEqual(self.elements("rows.npy", "int8"), [i // 2 for i in range(256)])

    def test_nothing(self):
        empty, none = self.write("in.npy", npy_of("int32", [])), self.write("none.npy", npy_of("uint8", [0, 0]))
        self.succeed("repeat", empty, self.path("out.npy"), "--lengths", empty)
        self.assertEqual(self.elements("out.npy", "int32"), [])
        self.succeed("repeat", none, self.path("out.npy"), "--lengths", none)
        self.assertEqual(self.elements("out.npy", "uint8"), [])

    def test_bad_input(self):
        source, out = self.write("in.npy", npy_of("float", [1.0, 2.0])), self.path("out.npy")
        lengths = self.write("lengths.npy", npy_of("int8", [1, 2]))
        self.refuse("repeat", source, out, code=2, says="--lengths")
        self.refuse("repeat", "-", out, "--type", "int8", "--lengths", "-", code=2, says="standard input")
        self.refuse("repeat", source, "-", "--lengths", lengths, "--json", code=2, says="--json")
        self.refuse("repeat", source, out, "--lengths", source, says="float")
        self.refuse("repeat", source, lengths, "--lengths", lengths, says="same file")
        self.refuse("repeat", source, out, "--lengths", self.path("none.npy"), says="none.npy")
        for wrong, text in (([1], "1 length"), ([1, 2, 3], "3 lengths")):
            file = self.write("wrong.npy", npy_of("int8", wrong))
            self.refuse("repeat", source, out, "--lengths", file, says=["wrong.npy has %s; " % text, "needs 2"])
            self.refuse("repeat", "-", out, "--type", "int8", "--lengths", file, input=b"12",
                        says=["wrong.npy has %s; standard input has 2 elements and needs 2" % text])
        negative = self.write("negative.npy", npy_of("int16", [1, -3]))
        self.refuse("repeat", source, out, "--lengths", negative, says=["negative.npy", "element 1 is -3"])
        self.assertFalse(os.path.exists(out))


class Select(CommandTest):
    def test_types(self):
        for name in ("int8", "half", "uint64", "double"):
            with self.subTest(type=name):
                values = sample(name, 1501)
                source = self.write("in.npy", npy_of(name, values))
                found = json.loads(self.succeed("select", source, self.path("out.npy"), "--json"))
                expected = [value for value in values if value != 0]
                self.assertEqual((found["kept"], found["count"], found["type"]), (len(expected), 1501, name))
                self.assertEqual(self.elements("out.npy", name), expected)

    def test_flags_of_pipes(self):
        """What begins as .npy files do is one, else it is raw; also few bytes, and what a shell redirects."""
        for count in (1000, 3):
            values = sample("int16", count)
            source = self.write("in.npy", npy_of("int16", values))
            kept = [value for i, value in enumerate(values) if i % 3]
            for what, data in (("npy", npy_of("int32", [i % 3 * 256 for i in range(count)])),
                               ("raw", bytes(i % 3 for i in range(count)))):
                flags = self.write("flags", data)
                for chunk in ("4", "1M"):
                    words = ("select", source, self.path("out.npy"), "--chunk-bytes", chunk, "--flags")
                    with self.subTest(count=count, what=what, chunk=chunk):
                        self.succeed(*words, "-", input=data)
                        self.assertEqual(self.elements("out.npy", "int16"), kept)
                        self.succeed(*words, "/dev/stdin", input=data)
                        self.assertEqual(self.elements("out.npy", "int16"), kept)
                        with open(flags, "rb") as file:
                            self.succeed(*words, "-", stdin=file)
                        self.assertEqual(self.elements("out.npy", "int16"), kept)
                        self.refuse(*words, "-", input=data + b"1", says="standard input: more bytes follow")
                        self.refuse(*words, "-", input=data[:-1], says="standard input")
        self.refuse(*words, "-", input=npy_of("float", [1.0, 2.0, 3.0]), says=["standard input", "float", "integers"])
        self.refuse(*words, "-", input=npy_of("int16", [1, 2]), says=["standard input has 2 flags", "in.npy"])

    def test_flags_and_expressions(self):
        """Indices count in the file, and in no chunk; fractions are true."""
        values = sample("int32", 1000)
        source = self.write("in.npy", npy_of("int32", values))
        flags = self.write("flags.npy", npy_of("int16", [i % 3 * 256 for i in range(1000)]))
        kept = [i for i in range(1000) if i % 3 and i >= 333 and values[i] > 0]
        for chunk in ("4", "400", "1M"):
            self.succeed("select", source, self.path("out.npy"), "--flags", flags, "--chunk-bytes", chunk,
                         "--where", "index >= 333 && element * 0.01f > 0")
            self.assertEqual(self.elements("out.npy", "int32"), [values[i] for i in kept])
            self.succeed("select", source, self.path("out.npy"), "--flags", flags, "--chunk-bytes", chunk,
                         "--where", "index >= 333 && element > 0", "--indices")
            self.assertEqual(self.elements("out.npy", "uint64"), kept)
        self.succeed("select", source, self.path("out.npy"), "--flags", flags, "--indices", "--chunk-bytes", "400")
        self.assertEqual(self.elements("out.npy", "uint64"), [i for i in range(1000) if i % 3])
        raw = self.write("flags.raw", bytes(i % 2 for i in range(1000)))
        self.succeed("select", source, self.path("out.raw"), "--flags", raw)
        self.assertEqual(unpack("int32", self.read("out.raw")), values[1::2])

    def test_bits(self):
        values = sample("int32", 1003)
        keep = [i * 7 % 5 < 2 for i in range(1003)]
        packed = bytes(sum(bit << c for c, bit in enumerate(keep[k:k + 8])) for k in range(0, 1003, 8))
        kept = [value for value, bit in zip(values, keep) if bit]
        source, bits = self.write("in.npy", npy_of("int32", values)), self.write("bits.raw", packed)
        for chunk in ("4", "400", "1M"):
            with self.subTest(chunk=chunk):
                self.succeed("select", source, self.path("out.npy"), "--flags", bits, "--bits", "--chunk-bytes", chunk)
                self.assertEqual(self.elements("out.npy", "int32"), kept)
                self.succeed("select", source, self.path("out.npy"), "--flags", bits, "--bits", "--chunk-bytes", chunk,
                             "--where", "element > 0", "--rejected")
                self.assertEqual(self.elements("out.npy", "int32"),
                                 [value for value, bit in zip(values, keep) if not (bit and value > 0)])
        done = self.run_command("select", "-", "-", "--type", "int32", "--flags", bits, "--bits",
                                input=pack("int32", values))
        self.assertEqual(unpack("int32", done.stdout), kept)
        out = self.path("new.npy")
        self.refuse("select", source, out, "--bits", code=2, says="--flags")
        self.refuse("select", source, out, "--flags", source, "--bits", says=["in.npy", "uint8"])
        for wrong in (packed[:-1], packed + b"1"):
            self.refuse("select", source, out, "--flags", self.write("wrong.raw", wrong), "--bits",
                        says=["wrong.raw", "bytes of flags"])
        self.refuse("select", source, out, "--flags", "-", "--bits", input=packed + b"1",
                    says=f"more bytes follow the {len(packed)} that are needed")

    # Fields where C puts them and where it does not, with gaps, a complex number, names that C does not know or has for
    # something else, and names that gaps and other fields could have.
    STRUCTS = (("[('price', '<f4'), ('', '|V4'), ('at', '<i8')]", "<f4xq", "element.price", "element.at"),
               ("[('kind', '|u1'), ('odd name', '<f8'), ('', '|V3')]", "<Bd3x", "element.kind", "element.f1"),
               ("[('lat', '<f4'), ('long', '<f4')]", "<2f", "element.lat", "element.f1"),
               ("[('class', '<i4'), ('int', '<i4')]", "<2i", "element.class", "element.f1"),
               ("[('RA', '<i4'), ('M_PI', '<i4')]", "<2i", "element.RA", "element.f1"),
               ("[('true', '<i4'), ('__func__', '<i4')]", "<2i", "element.f0", "element.f1"),
               ("[('gap_1', '|u1'), ('', '|V3'), ('b', '<i4')]", "<B3xi", "element.gap_1", "element.b"),
               ("[('npy_gap_1', '|u1'), ('', '|V3'), ('clscan', '<i4')]", "<B3xi", "element.f0", "element.f1"),
               ("[('f1', '<i4'), ('a b', '<i4')]", "<2i", "element.f1", "element.f1_"),
               ("'<c8'", "<2f", "element.real", "element.imag"))  # fmt: skip

    def test_structs(self):
        """Expressions look at their fields, also of the element in front, which may be in the chunk before."""
        for descr, form, one, other in self.STRUCTS:
            rows = [(i % 7, i // 10) for i in range(1000)]
            whole = [struct.pack(form, *row) for row in rows]
            text = "{'descr': %s, 'fortran_order': False, 'shape': (1000,), }" % descr
            source = self.write("in.npy", npy(text, b"".join(whole)))
            where = "%s > 3 && %s > %s" % (one, other, other.replace("element", "before"))
            kept = [i for i in range(1, 1000) if rows[i][0] > 3 and rows[i][1] > rows[i - 1][1]]
            for chunk in ("200", "1M"):
                with self.subTest(descr=descr, chunk=chunk):
                    self.succeed("select", source, self.path("out.raw"), "--where", where, "--rest",
                                 self.path("rest.raw"), "--chunk-bytes", chunk)
                    self.assertEqual(self.read("out.raw"), b"".join(whole[i] for i in kept))
                    self.assertEqual(self.read("rest.raw"),
                                     b"".join(whole[i] for i in range(1000) if i not in kept))
            self.succeed("select", source, self.path("out.npy"), "--where", where, "--indices")
            self.assertEqual(self.elements("out.npy", "uint64"), kept)
            self.refuse("select", source, self.path("other.npy"), "--where", "element.none",
                        says=["--where:1:", "none"])

    def test_unique_structs(self):
        """All fields count, and padding does not."""
        for descr, form, *_ in self.STRUCTS:
            rows = [(i // 6, i // 4) for i in range(1000)]
            whole = [struct.pack(form, *row) for row in rows]
            if form.endswith("3x"):
                whole = [data[:-3] + bytes([i % 256] * 3) for i, data in enumerate(whole)]
            text = "{'descr': %s, 'fortran_order': False, 'shape': (1000,), }" % descr
            source = self.write("in.npy", npy(text, b"".join(whole)))
            kept = b"".join(whole[i] for i in range(1000) if i == 0 or rows[i] != rows[i - 1])
            for chunk in ("200", "1M"):
                with self.subTest(descr=descr, chunk=chunk):
                    self.succeed("select", source, self.path("out.raw"), "--unique", "--chunk-bytes", chunk)
                    self.assertEqual(self.read("out.raw"), kept)
        names = ["x" * 29 + "%02d" % i for i in range(16)]  # as many and as long as they may be
        text = "{'descr': %s, 'fortran_order': False, 'shape': (3,), }" % [(name, "<i4") for name in names]
        rows = [struct.pack("<16i", *range(15), last) for last in (8, 8, 9)]
        source = self.write("in.npy", npy(text, b"".join(rows)))
        self.succeed("select", source, self.path("out.raw"), "--unique")
        self.assertEqual(self.read("out.raw"), rows[0] + rows[2])
        text = "{'descr': [('a', '<f2')], 'fortran_order': False, 'shape': (2,), }"
        halves = self.write("in.npy", npy(text, bytes(4)))
        for words in (["--where", "element.a"], ["--unique"]):
            self.refuse("select", halves, self.path("other.npy"), *words, says=["in.npy", "float16", words[0]])

    def test_runs(self):
        """The first element of each run, also where a run goes on from chunk to chunk."""
        for name in takes(("half", "uint8", "double")):
            values = [value for i, value in enumerate([1, 2] * 200) for _ in range(1 + i % 4)]
            source = self.write("in.npy", npy_of(name, values))
            firsts = [i for i in range(len(values)) if i == 0 or values[i] != values[i - 1]]
            for chunk in ("8", "64", "1M"):
                with self.subTest(type=name, chunk=chunk):
                    self.succeed("select", source, self.path("out.npy"), "--unique", "--chunk-bytes", chunk)
                    self.assertEqual(self.elements("out.npy", name), [values[i] for i in firsts])
                    self.succeed("select", source, self.path("out.npy"), "--indices", "--chunk-bytes", chunk,
                                 "--where", "before < element")
                    self.assertEqual(self.elements("out.npy", "uint64"), [i for i in firsts[1:] if values[i] == 2])

    def test_pipes(self):
        values = sample("int16", 1000)
        for chunk in ("20", "1M"):
            done = self.run_command("select", "-", "-", "--type", "int16", "--chunk-bytes", chunk,
                                    "--where", "element * 0.1f", input=pack("int16", values))
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            self.assertEqual(unpack("int16", done.stdout), [value for value in values if value])

    def test_rest(self):
        """What is not kept goes to a file of its own, also in several chunks, as indices, and of what is rejected."""
        values = sample("int16", 1000)
        source = self.write("in.npy", npy_of("int16", values))
        kept = [i for i in range(1000) if values[i] > 3]
        others = [i for i in range(1000) if values[i] <= 3]
        rest = ["--where", "element > 3", "--rest", self.path("rest.npy")]
        for chunk in ("100", "1M"):
            with self.subTest(chunk=chunk):
                self.succeed("select", source, self.path("out.npy"), *rest, "--chunk-bytes", chunk)
                self.assertEqual(self.elements("out.npy", "int16"), [values[i] for i in kept])
                self.assertEqual(self.elements("rest.npy", "int16"), [values[i] for i in others])
                self.succeed("select", source, self.path("out.npy"), *rest, "--rejected", "--indices", "--chunk-bytes",
                             chunk)
                self.assertEqual(self.elements("out.npy", "uint64"), others)
                self.assertEqual(self.elements("rest.npy", "uint64"), kept)
        done = self.run_command("select", "-", "-", "--type", "int16", "--where", "element > 3", "--rest",
                                self.path("rest.raw"), input=pack("int16", values))
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertEqual(unpack("int16", done.stdout), [values[i] for i in kept])
        self.assertEqual(unpack("int16", self.read("rest.raw")), [values[i] for i in others])

    def test_middle(self):
        """Three parts go to three files, also in several chunks, by the element in front, and as indices."""
        values = sample("int16", 1000)
        source = self.write("in.npy", npy_of("int16", values))
        names = ("out.npy", "middle.npy", "rest.npy")
        files = ["--middle", self.path("middle.npy"), "--rest", self.path("rest.npy")]
        cases = [("element < -3 ? 1 : element <= 3 ? 2 : 0",
                  lambda i: 0 if values[i] < -3 else 1 if values[i] <= 3 else 2),
                 ("index % 3 == 1 ? 2 : element > before ? 1 : 5",
                  lambda i: 1 if i % 3 == 1 else 0 if i > 0 and values[i] > values[i - 1] else 2),
                 ("2", lambda i: 1)]
        for expression, part in cases:
            expected = [[i for i in range(1000) if part(i) == k] for k in range(3)]
            for chunk in ("100", "1M"):
                with self.subTest(expression=expression, chunk=chunk):
                    found = json.loads(self.succeed("select", source, self.path("out.npy"), *files, "--where",
                                                    expression, "--chunk-bytes", chunk, "--json"))
                    self.assertEqual((found["kept"], found["middle"], found["count"]),
                                     (len(expected[0]), len(expected[1]), 1000))
                    for name, kept in zip(names, expected):
                        self.assertEqual(self.elements(name, "int16"), [values[i] for i in kept])
        expected = [[i for i in range(1000) if cases[0][1](i) == k] for k in range(3)]
        self.succeed("select", source, self.path("out.npy"), *files, "--where", cases[0][0], "--indices",
                     "--chunk-bytes", "400")
        for name, kept in zip(names, expected):
            self.assertEqual(self.elements(name, "uint64"), kept)

    def test_bad_middle(self):
        source, out, rest, middle = (self.write("in.npy", npy_of("int8", [1, 2])), self.path("out.npy"),
                                     self.path("rest.npy"), self.path("middle.npy"))
        self.refuse("select", source, out, "--middle", middle, "--rest", rest, code=2, says="--where")
        self.refuse("select", source, out, "--middle", middle, "--where", "1", code=2, says="--rest")
        self.refuse("select", source, out, "--middle", middle, "--rest", rest, "--where", "1", "--rejected", code=2,
                    says="--rejected")
        self.refuse("select", source, out, "--middle", middle, "--rest", rest, "--where", "1", "--flags", source,
                    code=2, says="--flags")
        self.refuse("select", source, out, "--middle", "-", "--rest", rest, "--where", "1", code=2, says="--middle '-'")
        self.refuse("select", source, out, "--middle", rest, "--rest", rest, "--where", "1",
                    says=["rest.npy", "same file"])
        self.assertEqual(sorted(name for name in os.listdir(self.path(".")) if name[:3] in ("out", "res", "mid")), [])

    def test_bad_rest(self):
        source, out = self.write("in.npy", npy_of("int8", [1, 2])), self.path("out.npy")
        self.refuse("select", source, out, "--rest", "-", code=2, says="names no file")
        self.refuse("select", source, out, "--rest", out, says=["out.npy", "same file"])
        self.refuse("select", source, out, "--rest", source, says=["in.npy", "same file"])
        self.refuse("select", source, out, "--rest", self.path("no/rest.npy"), says="no/rest.npy")
        self.refuse("select", source, out, "--rest", self.path("rest.npy"), "--out-indices", self.path("i.npy"),
                    code=2, says="--out-indices cannot be given with --rest")
        self.refuse("select", source, out, "--rest", self.path("rest.npy"), "--column", source + ":" + out, code=2,
                    says="--column cannot be given with --rest")
        self.assertEqual(sorted(name for name in os.listdir(self.path(".")) if "rest" in name or "out" in name), [])

    def test_columns(self):
        """Columns and indices follow, also where the table passes in several chunks, or comes through a pipe."""
        values = sample("int32", 1000)
        kept = [i for i in range(1000) if values[i] > 0 and i % 3]
        source = self.write("in.npy", npy_of("int32", values))
        flags = self.write("flags.npy", npy_of("uint8", [i % 3 for i in range(1000)]))
        days, weights = sample("int8", 1000), sample("double", 1000)
        columns = ["--column", self.write("day.npy", npy_of("int8", days)) + ":" + self.path("kept_day.npy"),
                   "--column", self.write("weight.npy", npy_of("double", weights)) + ":" + self.path("weight.raw"),
                   "--out-indices", self.path("rows.npy")]
        for chunk in ("100", "4000", "1M"):
            for where in (source, "-"):
                with self.subTest(chunk=chunk, source=where):
                    done = self.run_command(
                        "select", where, self.path("out.npy"), "--flags", flags, "--where", "element > 0", *columns,
                        "--chunk-bytes", chunk, *([] if where == source else ["--type", "int32"]),
                        input=None if where == source else pack("int32", values))
                    self.assertEqual(done.returncode, 0, done.stderr.decode())
                    self.assertEqual(self.elements("out.npy", "int32"), [values[i] for i in kept])
                    self.assertEqual(self.elements("kept_day.npy", "int8"), [days[i] for i in kept])
                    self.assertEqual(unpack("double", self.read("weight.raw")), [weights[i] for i in kept])
                    self.assertEqual(self.elements("rows.npy", "uint64"), kept)

    def test_long_runs(self):
        """Runs of two and more, which go on from chunk to chunk, also over several of them."""
        lengths = [1, 1, 60, 3, 2, 1, 1, 1, 250, 7, 1, 2, 2, 100, 77, 1]
        heads, at = [], 0
        for length in lengths:
            heads.append(at)
            at += length
        runs = [(head, length) for head, length in zip(heads, lengths) if length > 1]
        values = [i % 5 for i, length in enumerate(lengths) for _ in range(length)]
        rows = [3 * i for i in range(at)]
        source, column = self.write("in.npy", npy_of("int32", values)), self.write("row.npy", npy_of("uint64", rows))
        flags = self.write("flags.npy", npy_of("uint8", [i in heads for i in range(at)]))
        bits = self.write("bits.npy", npy_of("uint8", [sum((8 * k + b in heads) << b for b in range(8))
                                                       for k in range((at + 7) // 8)]))  # fmt: skip
        also = ["--long-runs", "--lengths", self.path("lengths.npy"), "--out-indices", self.path("at.npy"),
                "--column", column + ":" + self.path("rows.npy"), "--json"]
        for said in (["--unique"], ["--where", "index > 0 && element != before"], ["--flags", flags],
                     ["--flags", bits, "--bits"], ["--flags", flags, "--indices"],
                     ["--where", "element == before", "--rejected"]):
            for chunk in ("1", "32", "100", "496", "1M"):
                with self.subTest(said=said, chunk=chunk):
                    if chunk == "1" and said != ["--unique"]:
                        continue
                    found = json.loads(self.succeed("select", source, self.path("out.npy"), *said, *also,
                                                    "--chunk-bytes", chunk))  # fmt: skip
                    self.assertEqual((found["kept"], found["count"]), (len(runs), at))
                    firsts = [head for head, _ in runs]
                    self.assertEqual(self.elements("at.npy", "uint64"), firsts)
                    self.assertEqual(self.elements("lengths.npy", "uint64"), [length for _, length in runs])
                    self.assertEqual(self.elements("rows.npy", "uint64"), [3 * head for head in firsts])
                    if "--indices" in said:
                        self.assertEqual(self.elements("out.npy", "uint64"), firsts)
                    else:
                        self.assertEqual(self.elements("out.npy", "int32"), [values[head] for head in firsts])
        done = self.run_command("select", "-", "-", "--type", "int32", "--unique", "--long-runs", "--chunk-bytes", "64",
                                input=pack("int32", values))  # fmt: skip
        self.assertEqual(unpack("int32", done.stdout), [values[head] for head, _ in runs])
        wide = self.write("wide.npy", npy("{'descr': '|S20', 'fortran_order': False, 'shape': (5,), }", bytes(100)))
        flags = self.write("flags.npy", npy_of("uint8", [1, 1, 0, 0, 1]))
        self.succeed("select", wide, self.path("out.npy"), "--flags", flags, "--long-runs", "--indices",
                     "--chunk-bytes", "1")  # fmt: skip
        self.assertEqual(self.elements("out.npy", "uint64"), [1])
        empty = self.write("in.npy", npy_of("int32", []))
        self.succeed("select", empty, self.path("out.npy"), "--unique", "--long-runs")
        self.assertEqual(self.elements("out.npy", "int32"), [])
        self.refuse("select", source, self.path("out.npy"), "--unique", "--long-runs", "--rest", self.path("rest.npy"),
                    code=2, says="--long-runs")  # fmt: skip

    def test_lengths(self):
        """Runs go on from chunk to chunk, also over several of them; what is in front of the first belongs to none."""
        runs = [1, 1, 60, 3, 250, 7, 1, 100, 77]
        values = [i % 4 for i, length in enumerate(runs) for _ in range(length)]
        source = self.write("in.npy", npy_of("int32", values))
        flags = self.write("flags.npy", npy_of("uint8", [i in (13, 14, 300) for i in range(500)]))
        out, lengths = self.path("out.npy"), self.path("lengths.npy")
        for chunk in ("8", "100", "400", "1M"):
            with self.subTest(chunk=chunk):
                self.succeed("select", source, out, "--unique", "--lengths", lengths, "--chunk-bytes", chunk,
                             "--out-indices", self.path("rows.npy"))
                self.assertEqual(self.elements("out.npy", "int32"), [i % 4 for i in range(len(runs))])
                self.assertEqual(self.elements("lengths.npy", "uint64"), runs)
                self.assertEqual(self.elements("rows.npy", "uint64"), list(itertools.accumulate(runs, initial=0))[:-1])
                self.succeed("repeat", out, self.path("same.npy"), "--lengths", lengths)
                self.assertEqual(self.elements("same.npy", "int32"), values)
                self.succeed("select", source, out, "--flags", flags, "--lengths", lengths, "--chunk-bytes", chunk)
                self.assertEqual(self.elements("lengths.npy", "uint64"), [1, 286, 200])
        self.succeed("select", source, out, "--where", "0", "--lengths", lengths, "--chunk-bytes", "400")
        self.assertEqual(self.elements("lengths.npy", "uint64"), [])
        done = self.run_command("select", "-", out, "--type", "int8", "--unique", "--lengths", self.path("lengths.raw"),
                                "--chunk-bytes", "4", input=b"aaaaaabcc")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertEqual(unpack("uint64", self.read("lengths.raw")), [6, 1, 2])
        self.refuse("select", source, out, "--rest", self.path("rest.npy"), "--lengths", lengths, code=2,
                    says="--lengths cannot be given with --rest")
        self.refuse("select", source, out, "--lengths", source, says="same file")
        self.refuse("select", source, out, "--lengths", out, says="same file")
        self.refuse("select", source, out, "--lengths", lengths, "--out-indices", lengths, says="same file")

    def test_index_types(self):
        """In place of elements, beside them and of runs, up to the largest index that the type holds."""
        for name, most in (("int8", 128), ("uint8", 256), ("int16", 700), ("uint32", 700), ("int64", 700)):
            values = [i // 3 % 50 for i in range(most)]
            source, out = self.write("in.npy", npy_of("uint16", values)), self.path("out.npy")
            rows = self.path("rows.npy")
            kept = [i for i in range(most) if values[i] % 2 == 0]
            runs = range(0, most - 1, 3)
            for chunk in ("16" if most == 128 else "400", "1M"):
                words = ("--index-type", name, "--chunk-bytes", chunk)
                with self.subTest(type=name, chunk=chunk):
                    found = json.loads(self.succeed("select", source, out, "--where", "element % 2 == 0", "--indices",
                                                    "--out-indices", rows, *words, "--json"))  # fmt: skip
                    self.assertEqual((found["kept"], found["type"]), (len(kept), name))
                    self.assertEqual(self.elements("out.npy", name), kept)
                    self.assertEqual(self.elements("rows.npy", name), kept)
                    self.succeed("select", source, out, "--where", "element % 2", "--indices", "--rest",
                                 self.path("rest.npy"), *words)
                    self.assertEqual(self.elements("rest.npy", name), kept)
                    self.succeed("select", source, out, "--unique", "--long-runs", "--indices", "--out-indices", rows,
                                 *words)
                    self.assertEqual(self.elements("out.npy", name), list(runs))
                    self.assertEqual(self.elements("rows.npy", name), list(runs))

    def test_too_many_for_the_index_type(self):
        """Told before anything is written, of a pipe when it is seen; what was there before stays."""
        for name, most in (("int8", 128), ("uint8", 256)):
            source, out = self.write("in.npy", npy_of("uint8", [1] * (most + 1))), self.write("out.npy", b"earlier")
            rows = self.path("rows.npy")
            says = [f"{most + 1} elements", "--index-type " + name]
            for chunk in ("300", "1M"):
                words = ("--index-type", name, "--chunk-bytes", chunk)
                for wanted in (["--indices"], ["--out-indices", rows], ["--indices", "--long-runs"]):
                    with self.subTest(type=name, chunk=chunk, wanted=wanted):
                        self.refuse("select", source, out, *wanted, *words, says=["in.npy has", *says])
                        self.refuse("select", "-", out, *wanted, *words, input=self.read("in.npy"),
                                    says=["standard input has", *says])
                        self.refuse("select", "-", out, "--type", "uint8", *wanted, *words, input=b"1" * (most + 1),
                                    says=["standard input has", "elements", "--index-type " + name])
                self.assertEqual(self.read("out.npy"), b"earlier")
                self.succeed("select", "-", out, "--type", "uint8", "--indices", "--where", "index + 1 == %d" % most,
                             *words, input=b"1" * most)
                self.assertEqual(self.elements("out.npy", name), [most - 1])
                self.write("out.npy", b"earlier")
        for name, most in (("int32", 2**31), ("uint32", 2**32)):
            with open(self.path("large.npy"), "wb") as file:
                text = "{'descr': '|u1', 'fortran_order': False, 'shape': (%d,), }" % (most + 1)
                file.write(npy(text))
                file.truncate(file.tell() + most + 1)
            self.refuse("select", self.path("large.npy"), out, "--indices", "--index-type", name,
                        says=[f"large.npy has {most + 1} elements", "--index-type " + name])
        self.assertEqual(self.read("out.npy"), b"earlier")
        for wrong in ("half", "double", "int", "bool"):
            self.refuse("select", source, out, "--indices", "--index-type", wrong, code=2, says=["--index-type", wrong])
        self.refuse("select", source, out, "--index-type", "uint32", code=2, says=["--index-type", "--indices"])

    def write_array(self, name, type_name, shape, values, fortran=False):
        text = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (TYPES[type_name][0], fortran, tuple(shape))
        return self.write(name, npy(text, pack(type_name, values)))

    def check_coordinates(self, data, type_name, shape, kept):
        """What the file holds of an array with these elements, as numpy.argwhere has it."""
        places = list(itertools.product(*map(range, shape)))
        begin = 10 + int.from_bytes(data[8:10], "little")
        self.assertIn(b"'%s', 'fortran_order': False, 'shape': (%d, %d)," %
                      (TYPES[type_name][0].encode(), len(kept), len(shape)), data[:begin])
        self.assertEqual(unpack(type_name, data[begin:]), [at for i in kept for at in places[i]])

    def test_coordinates(self):
        """Of one to five dimensions, by every way to say what is kept, in chunks that end anywhere, of none and all."""
        for name, shape in takes((("uint64", (701,)), ("int64", (3, 0)), ("uint32", (3, 1, 211)), ("uint8", (7, 100)),
                                  ("uint16", (2, 3, 4, 5, 6)), ("int64", (4, 5, 6, 7)))):
            count = math.prod(shape)
            values = [i * 7 % 5 - 2 for i in range(count)]
            source, out, rest = self.write_array("in.npy", "int8", shape, values), self.path("out.npy"), "rest.npy"
            flags = self.write("flags.npy", npy_of("uint8", [i % 3 for i in range(count)]))
            words = ["--coordinates"] + (["--index-type", name] if name != "uint64" else [])
            kept = [i for i in range(count) if values[i] > 0]
            others = [i for i in range(count) if values[i] <= 0]
            for chunk in ("1000", "1M"):
                with self.subTest(type=name, shape=shape, chunk=chunk):
                    more = [*words, "--chunk-bytes", chunk]
                    found = json.loads(self.succeed("select", source, out, *more, "--where", "element > 0", "--rest",
                                                    self.path(rest), "--json"))  # fmt: skip
                    self.assertEqual((found["kept"], found["type"]), (len(kept), name))
                    self.check_coordinates(self.read("out.npy"), name, shape, kept)
                    self.check_coordinates(self.read(rest), name, shape, others)
                    self.succeed("select", source, out, *more, "--flags", flags)
                    self.check_coordinates(self.read("out.npy"), name, shape, [i for i in range(count) if i % 3])
                    for where, all_kept in (("element > 9", []), ("element < 9", range(count))):
                        self.succeed("select", source, out, *more, "--where", where)
                        self.check_coordinates(self.read("out.npy"), name, shape, all_kept)
                    done = self.run_command("select", "-", "-", *more, "--where", "element > before",
                                            input=self.read("in.npy"))  # fmt: skip
                    self.assertEqual(done.returncode, 0, done.stderr.decode())
                    self.check_coordinates(done.stdout, name, shape,
                                           [i for i in range(1, count) if values[i] > values[i - 1]])

    def test_coordinates_beside_others(self):
        """Of runs that go on from chunk to chunk, of three parts, of what is only moved; indices and columns follow."""
        shape, count = (6, 10, 11), 660
        values = [i // 7 % 9 for i in range(count)]
        source, out = self.write_array("in.npy", "int16", shape, values), self.path("out.npy")
        rows = self.write("row.npy", npy_of("uint64", list(range(count))))
        also = ["--coordinates", "--out-indices", self.path("at.npy"), "--column", rows + ":" + self.path("kept.npy"),
                "--index-type", "uint32"]  # fmt: skip
        for chunk in ("99", "1M"):
            with self.subTest(chunk=chunk):
                self.succeed("select", source, out, "--unique", "--long-runs", *also, "--chunk-bytes", chunk)
                kept = list(range(0, count, 7))
                self.check_coordinates(self.read("out.npy"), "uint32", shape, kept)
                self.assertEqual(self.elements("at.npy", "uint32"), kept)
                self.assertEqual(self.elements("kept.npy", "uint64"), kept)
        names = ("out.npy", "middle.npy", "rest.npy")
        self.succeed("select", source, out, "--coordinates", "--where", "element < 3 ? 1 : element == 3 ? 2 : 3",
                     "--middle", self.path("middle.npy"), "--rest", self.path("rest.npy"), "--chunk-bytes", "5000")
        for name, part in zip(names, (range(3), range(3, 4), range(4, 9))):
            self.check_coordinates(self.read(name), "uint64", shape, [i for i in range(count) if values[i] in part])
        text = self.write("text.npy", npy("{'descr': '<U1', 'fortran_order': False, 'shape': (2, 3), }", bytes(24)))
        flags = self.write("flags.npy", npy_of("uint8", [0, 1, 0, 1, 1, 0]))
        self.succeed("select", text, out, "--flags", flags, "--coordinates")
        self.check_coordinates(self.read("out.npy"), "uint64", (2, 3), [1, 3, 4])
        done = self.run_command("select", "-", self.path("out.raw"), "--type", "int16", "--coordinates",
                                "--chunk-bytes", "100", input=pack("int16", values))  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertEqual(unpack("uint64", self.read("out.raw")), [i for i in range(count) if values[i]])

    def test_bad_coordinates(self):
        out = self.path("out.npy")
        source = self.write_array("in.npy", "int8", (2, 3), range(6))
        self.refuse("select", source, out, "--coordinates", "--indices", code=2, says=["--indices", "--coordinates"])
        for name, shape in (("scalar.npy", ()), ("six.npy", (1, 1, 2, 1, 1, 3))):
            array = self.write_array(name, "int8", shape, range(math.prod(shape)))
            self.refuse("select", array, out, "--coordinates", says=[name, "%d dimensions" % len(shape)])
        fortran = self.write_array("order.npy", "int8", (2, 3), range(6), fortran=True)
        self.refuse("select", fortran, out, "--coordinates", says=["order.npy", "Fortran order"])
        for shape, axis in (((129, 2), 0), ((2, 129), 1), ((1, 2, 129, 1), 2)):
            array = self.write_array("large.npy", "int8", shape, [1] * math.prod(shape))
            says = ["129 elements along dimension %d" % axis, "--index-type int8"]
            self.refuse("select", array, out, "--coordinates", "--index-type", "int8", says=["large.npy", *says])
            self.refuse("select", "-", out, "--coordinates", "--index-type", "int8", input=self.read("large.npy"),
                        says=["standard input", *says])
        array = self.write_array("large.npy", "int8", (128, 2), [1] * 256)
        self.succeed("select", array, self.path("new.npy"), "--coordinates", "--index-type", "int8")
        self.check_coordinates(self.read("new.npy"), "int8", (128, 2), range(256))
        self.refuse("select", array, out, "--coordinates", "--index-type", "int8", "--out-indices", self.path("at.npy"),
                    says=["256 elements", "--index-type int8"])
        self.refuse("select", "-", out, "--type", "int8", "--coordinates", "--index-type", "int8", input=b"1" * 129,
                    says=["standard input", "--index-type int8"])

    def test_unique_rows(self):
        """The first row of each key, by an equality of the user's own."""
        keys = [i // 7 * 10 + i % 3 for i in range(500)]
        source = self.write("in.npy", npy_of("int32", keys))
        values = self.write("value.npy", npy_of("uint64", list(range(500))))
        self.succeed("select", source, self.path("out.npy"), "--where", "index == 0 || element / 10 != before / 10",
                     "--column", values + ":" + self.path("first.npy"), "--chunk-bytes", "400")
        self.assertEqual(self.elements("first.npy", "uint64"), list(range(0, 500, 7)))

    def test_bad_columns(self):
        source, out = self.write("in.npy", npy_of("float", [1.0, 2.0])), self.path("out.npy")
        good, few = self.write("day.npy", npy_of("int8", [1, 2])), self.write("few.npy", npy_of("int8", [1]))
        kept = self.path("kept.npy")
        for word in ("day.npy", ":x", "x:"):
            self.refuse("select", source, out, "--column", word, code=2, says="FILE:OUT")
        self.refuse("select", source, out, *(["--column", good + ":" + kept] * 9), code=2, says="more than 8")
        self.refuse("select", source, out, "--column", few + ":" + kept, says=["few.npy", "1 elements", "2"])
        self.refuse("select", "-", out, "--type", "int8", "--column", few + ":" + kept, input=b"12", says="few.npy")
        self.refuse("select", "-", out, "--type", "int8", "--column", good + ":" + kept, input=b"1", says="day.npy")
        self.refuse("select", source, out, "--column", self.path("none.npy") + ":" + kept, says="none.npy")
        self.refuse("select", source, out, "--column", self.write("day.raw", b"12") + ":" + kept, says="day.raw")
        self.refuse("select", source, out, "--column", good + ":" + good, says=["day.npy", "same file"])
        self.refuse("select", source, good, "--column", good + ":" + kept, says=["day.npy", "same file"])
        self.refuse("select", source, out, "--column", good + ":" + source, says=["in.npy", "same file"])
        self.refuse("select", source, out, "--column", good + ":" + out, says=["out.npy", "same file"])
        self.refuse("select", source, out, "--column", good + ":" + kept, "--out-indices", kept, says="same file")
        self.refuse("select", source, out, "--column", good + ":" + self.path("no/kept.npy"), says="no/kept.npy")
        self.assertEqual(sorted(name for name in os.listdir(self.path(".")) if "kept" in name or "out" in name), [])

    def test_nothing(self):
        empty = self.write("in.npy", npy_of("int32", []))
        self.succeed("select", empty, self.path("out.npy"))
        self.assertEqual(self.elements("out.npy", "int32"), [])

    def test_bad_input(self):
        source = self.write("in.npy", npy_of("float", [1.0, 2.0]))
        out = self.path("out.npy")
        self.refuse("select", self.path("none.npy"), out, says="none.npy")
        self.refuse("select", source, out, "--type", "int8", code=2, says="--type")
        self.refuse("select", source, "-", "--json", code=2, says="--json")
        self.refuse("select", source, source, says="in.npy")
        self.refuse("select", source, out, "--flags", source, says="float")
        self.refuse("select", source, out, "--flags", self.write("few.raw", b"1"), says=["few.raw", "1 flags"])
        self.refuse("select", source, out, "--where", "element +", says="--where")
        self.refuse("select", source, out, "--where", "element", "--unique", code=2, says=["--unique", "--where"])
        self.refuse("select", "-", out, "--type", "int8", "--flags", self.path("few.raw"), input=b"12", says="few.raw")
        self.refuse("select", "-", out, "--type", "int16", "--flags", self.write("more.raw", b"123"), input=b"1234",
                    says="more.raw")


if __name__ == "__main__":
    unittest.main()
