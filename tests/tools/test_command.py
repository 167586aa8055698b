"""The clscan command from the outside: results, messages, exit codes, and what it leaves behind.

CLSCAN_COMMAND names the program. Files are made and read with the standard library; where some Python on this
machine has NumPy, its own files and sums are used as well.
"""

import itertools
import json
import math
import os
import pathlib
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
import unittest

COMMAND = os.environ.get("CLSCAN_COMMAND", "clscan")
KERNELS = pathlib.Path(__file__).resolve().parent.parent.parent / "cl"

# name -> (.npy code, struct code, bits of an integer or 0)
TYPES = {
    "int8": ("|i1", "b", 8),
    "uint8": ("|u1", "B", 8),
    "int16": ("<i2", "h", 16),
    "uint16": ("<u2", "H", 16),
    "int32": ("<i4", "i", 32),
    "uint32": ("<u4", "I", 32),
    "int64": ("<i8", "q", 64),
    "uint64": ("<u8", "Q", 64),
    "half": ("<f2", "e", 0),
    "float": ("<f4", "f", 0),
    "double": ("<f8", "d", 0),
}

OPERATORS = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "min": min,
    "max": max,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


def wrap(name, value):
    """What an integer type keeps of a value."""
    bits = TYPES[name][2]
    if bits == 0:
        return value
    value &= (1 << bits) - 1
    if name.startswith("int") and value >= 1 << (bits - 1):
        value -= 1 << bits
    return value


def identity(name, operator):
    bits = TYPES[name][2]
    if operator in ("add", "or", "xor"):
        return 0
    if operator == "mul":
        return 1
    if operator == "and":
        return wrap(name, -1)
    if bits == 0:
        return math.inf if operator == "min" else -math.inf
    low, high = (0, (1 << bits) - 1) if name.startswith("u") else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    return high if operator == "min" else low


def expected_scan(name, operator, values, exclusive=False, reverse=False, initial=None):
    combine = OPERATORS[operator]
    out = []
    carry = initial
    for value in reversed(values) if reverse else values:
        if exclusive:
            out.append(identity(name, operator) if carry is None else carry)
        carry = value if carry is None else wrap(name, combine(carry, value))
        if not exclusive:
            out.append(carry)
    return out[::-1] if reverse else out


def pack(name, values):
    return struct.pack("<%d%s" % (len(values), TYPES[name][1]), *values)


def unpack(name, data):
    code = TYPES[name][1]
    return list(struct.unpack("<%d%s" % (len(data) // struct.calcsize(code), code), data))


def npy(dictionary, data=b"", version=1):
    text = dictionary.encode()
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + data


def npy_of(name, values, version=1):
    dictionary = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }\n" % (TYPES[name][0], len(values))
    return npy(dictionary, pack(name, values), version)


def sample(name, count):
    """Whole numbers that every type holds; small enough that sums of half are exact."""
    numbers = [(i * 7 + 3) % 11 - (0 if name.startswith("u") else 5) for i in range(count)]
    return [float(number) for number in numbers] if TYPES[name][2] == 0 else numbers


def python_with_numpy():
    for candidate in (sys.executable, shutil.which("python3"), "/usr/bin/python3"):
        if candidate and os.path.exists(candidate):
            found = subprocess.run([candidate, "-c", "import numpy"], capture_output=True, check=False)
            if found.returncode == 0:
                return candidate
    return None


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="clscan test ")  # with a blank, on purpose
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def run_command(self, *arguments, env=None, **keywords):
        environment = dict(os.environ, **(env or {}))
        keywords.setdefault("stdout", subprocess.PIPE)
        return subprocess.run([COMMAND, *arguments], stderr=subprocess.PIPE, check=False, env=environment,
                              timeout=1800, **keywords)

    def succeed(self, *arguments, **keywords):
        result = self.run_command(*arguments, **keywords)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return (result.stdout or b"").decode()

    def refuse(self, *arguments, code=1, says=(), **keywords):
        """The command fails as it should: exit code, message, nothing new in the folder."""
        before = sorted(os.listdir(self.folder))
        result = self.run_command(*arguments, **keywords)
        message = result.stderr.decode()
        self.assertEqual(result.returncode, code, message)
        for word in [says] if isinstance(says, str) else says:
            self.assertIn(word, message)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        return message

    def elements(self, name, type_name):
        data = self.read(name)
        begin = 10 + int.from_bytes(data[8:10], "little")
        self.assertIn(b"'%s'" % TYPES[type_name][0].encode(), data[:begin])
        return unpack(type_name, data[begin:])


class Usage(CommandTest):
    def test_help(self):
        for arguments in (["--help"], ["-h"], ["help"]):
            text = self.succeed(*arguments)
            for command in ("devices", "explain", "verify", "scan"):
                self.assertIn(command, text)
        for command, words in {
            "devices": ["--verbose"],
            "explain": ["--type"],
            "verify": ["--device", "--type", "--quick", "--reproducible"],
            "scan": ["IN OUT", "--type", "--op", "--exclusive", "--reverse", "--init", "--device", "--config",
                     "--check", "--stats", "--flatten", "--chunk-bytes", "--out-format", "--progress", "--quiet"],
        }.items():
            text = self.succeed(command, "--help")
            self.assertIn("usage: clscan " + command, text)
            for word in words:
                self.assertIn(word, text)
            self.assertEqual(self.succeed("help", command), text)

    def test_version(self):
        self.assertRegex(self.succeed("--version"), r"^clscan \d+\.\d+\.\d+\n$")

    def test_wrong_usage(self):
        rows = [
            ([], "usage:"),
            (["fly"], "'fly'"),
            (["--fly"], "'--fly'"),
            (["help", "fly"], "'fly'"),
            (["help", "scan", "verify"], "'verify'"),
            (["devices", "--fly"], "'--fly'"),
            (["devices", "-x"], "'-x'"),
            (["devices", "extra"], "'extra'"),
            (["devices", "--verbose=yes"], "--verbose"),
            (["explain", "--type", "int128"], "'int128'"),
            (["explain", "--type"], "--type"),
            (["explain", "--count", "many"], "'many'"),
            (["explain", "--op", "nand"], "'nand'"),
            (["verify", "--type", "int8,int9"], "'int9'"),
            (["verify", "--type", "float,int8", "--reproducible"], "int8"),
            (["scan"], "IN is missing"),
            (["scan", "in.npy"], "OUT is missing"),
            (["scan", "in.npy", "out.npy", "more"], "'more'"),
            (["scan", "in.raw", "out.raw"], "--type"),
            (["scan", "in.npy", "out.npy", "--type", "int8"], "--type"),
            (["scan", "in.npy", "out.npy", "--op", "custom"], "'custom'"),
            (["reduce", "in.npy", "--op", "custom"], "'custom'"),
            (["scan", "in.npy", "out.npy", "--exclusiv"], "'--exclusiv'"),
            (["scan", "in.npy", "out.npy", "--device="], "--device"),
            (["scan", "in.npy", "out.npy", "--chunk-bytes", "0"], "'0'"),
            (["scan", "in.npy", "out.npy", "--chunk-bytes", "1Q"], "'1Q'"),
            (["scan", "in.npy", "out.npy", "--out-format", "csv"], "'csv'"),
            (["scan", "in.npy", "out.npy", "--progress", "much"], "'much'"),
        ]
        for arguments, says in rows:
            with self.subTest(arguments=arguments):
                self.refuse(*arguments, code=2, says=says)

    def test_operators_that_are_offered_can_be_given(self):
        source = self.write("in.npy", npy_of("int32", [1, 2, 3]))
        commands = {"scan": [source, self.path("out.npy")], "reduce": [source], "explain": []}
        offered = {}
        for command, rest in commands.items():
            told = self.refuse(command, *rest, "--op", "nand", code=2)
            offered[command] = told.partition("there are ")[2].splitlines()[0].split(", ")
            for operator in offered[command]:
                with self.subTest(command=command, operator=operator):
                    self.succeed(command, *rest, "--op", operator)
        self.assertEqual(offered["explain"], offered["scan"] + ["custom"])
        self.assertEqual(offered["reduce"], offered["scan"])

    def test_suggestions(self):
        """What was meant is named; nothing is named for what could have been anything."""
        rows = [
            (["sacn"], "'scan'"),
            (["verfy", "--quick"], "'verify'"),
            (["--vresion"], "'--version'"),
            (["scan", "--exclusiv"], "'--exclusive'"),
            (["scan", "--in_place"], "'--in-place'"),
            (["explain", "-type"], "'--type'"),
        ]
        for arguments, says in rows:
            with self.subTest(arguments=arguments):
                self.assertIn("did you mean " + says, self.refuse(*arguments, code=2))
        for arguments in (["fly"], ["scan", "--zzz"], ["x" * 200], ["explain", "--" + "count" * 50]):
            with self.subTest(arguments=arguments):
                self.assertNotIn("did you mean", self.refuse(*arguments, code=2))

    def test_full_standard_output(self):
        with open("/dev/full", "wb") as full:
            self.refuse("--help", stdout=full, says="standard output")


class Verify(CommandTest):
    def test_quick(self):
        text = self.succeed("verify", "--quick", "--type", "int32")
        self.assertRegex(text, r"(?m)^ok +int32 +add ")
        self.assertRegex(text, r"(?m)^\d+ variants, \d+ cases: all right$")
        self.assertNotIn("FAILED", text)

    def test_operations(self):
        """Rows, segments and selections: quickly those of int32, or of the types that are asked for."""
        names = ["short rows", "long rows", "few long rows", "rows, reduced", "segments by flags",
                 "segments by offsets", "segments by keys", "selection by flags", "long runs by flags"]
        for kind in ("int32", "half"):
            lines = self.succeed("verify", "--quick", "--type", kind).splitlines()[-len(names) - 1:-1]
            for line, name in zip(lines, names):
                self.assertRegex(line, rf"^ok +{kind} +(add|select) .*, {name}, 3 cases$")
        self.assertNotIn("rows, 3", self.succeed("verify", "--quick", "--reproducible"))

    def fails(self, file, right, wrong):
        """Verify kernels of which a file says `wrong` in the place of `right`: what failed, and what it says."""
        kernels = self.path("cl")
        shutil.copytree(KERNELS, kernels)
        at = pathlib.Path(kernels, file)
        self.assertIn(right, at.read_text())
        at.write_text(at.read_text().replace(right, wrong))
        result = self.run_command("verify", "--quick", "--type", "int32", env={"CLSCAN_KERNEL_DIR": kernels})
        self.assertEqual(result.returncode, 1)
        failed = [each for each in result.stdout.decode().splitlines() if each.startswith("FAILED")]
        return failed, result.stderr.decode()

    def test_wrong_rows_are_found(self):
        """And nothing else is, of kernels that leave out the totals of short rows."""
        failed, says = self.fails("rows/strips.cl", "clscan_store_total(flags, totals + ",
                                  "clscan_store_total(0, totals + ")  # fmt: skip
        self.assertTrue(failed and all("rows" in each for each in failed), failed)
        self.assertIn("short rows of int32", says)

    def test_wrong_lengths_of_runs_are_found(self):
        failed, says = self.fails("selection/lengths.cl", "[place] - lengths[place]", "[place] - lengths[place] + 1")
        self.assertTrue(failed and all("long runs by flags" in each for each in failed), failed)
        self.assertIn("length 0 is wrong", says)

    def test_reproducible_plans(self):
        """Integers have none, floats have them beside the others, and --reproducible leaves out the others."""
        all_lines = self.succeed("verify", "--quick").splitlines()
        only = self.succeed("verify", "--quick", "--reproducible").splitlines()
        self.assertEqual([line for line in all_lines if ", reproducible, " in line], only[1:-1])
        self.assertEqual({tuple(line.split()[:3]) for line in only[1:-1]},
                         {("ok", "float", "add"), ("ok", "float", "custom")})
        self.assertIn(("ok", "float", "max"), {tuple(line.split()[:3]) for line in all_lines})
        self.assertRegex(only[-1], r"^\d+ variants, \d+ cases: all right$")

    def test_maps(self):
        """Operators whose results depend on no order; reductions have the map on load alone."""
        for kind, words, operators in (
            ("int32", ("--load", "element * element + index", "--store", "2 * sum - previous + element"),
             {"add", "max", "custom"}),
            ("half", ("--load", "element * 0.37f", "--store", "sqrt(sum) / (index + 1)"), {"max", "custom"}),
            ("int8", ("--output-type", "int64"), {"add", "max", "custom"}),
            ("int8", ("--output-type", "half"), {"max", "custom"}),
        ):
            with self.subTest(type=kind, words=words):
                lines = self.succeed("verify", "--quick", "--type", kind, *words).splitlines()
                self.assertEqual({tuple(line.split()[:3]) for line in lines[1:-1]},
                                 {("ok", kind, operator) for operator in operators})
                self.assertEqual(any(" reduced," in line for line in lines), True)
                self.assertEqual(any(" in place," in line for line in lines), kind != "int8")
        only_stored = self.succeed("verify", "--quick", "--type", "int32", "--store", "-sum")
        self.assertNotIn("reduced", only_stored)
        self.refuse("verify", "--output-type", "int32", code=2, says=["half", "int32", "--load"])
        self.refuse("verify", "--load", "element", "--reproducible", code=2, says="--reproducible")
        self.refuse("verify", "--load", "element *\nfoo", says="--load:2:")

    def test_a_map_that_gets_another_sum_is_wrong(self):
        kernels = self.path("cl")
        shutil.copytree(KERNELS, kernels)
        at = pathlib.Path(kernels, "elements/sums.cl")
        line = "    item.previous = previous;\n"
        self.assertIn(line, at.read_text())
        at.write_text(at.read_text().replace(line, "    item.previous = clscan_lift(item);\n"))
        for store, code in (("sum - previous", 1), ("sum + 1", 0)):
            result = self.run_command("verify", "--quick", "--type", "int32", "--store", store,
                                      env={"CLSCAN_KERNEL_DIR": kernels})
            self.assertEqual(result.returncode, code, result.stderr.decode())

    def test_a_regrouped_sum_is_wrong(self):
        """A kernel that scans the runs of a row one after the other: right in every other respect."""
        if "cached_rows" not in self.succeed("explain", "--type", "float", "--reproducible"):
            self.skipTest("the default device has another kernel")
        kernels = self.path("cl")
        shutil.copytree(KERNELS, kernels)
        at = pathlib.Path(kernels, "reproducible/cached_rows.cl")
        head = "void clscan_row_scan(clscan_sum *sums, uint runs)\n{\n"
        self.assertIn(head, at.read_text())
        at.write_text(at.read_text().replace(
            head, head + "for (uint l = 1; l < runs; ++l) sums[l] = clscan_join(sums[l - 1], sums[l]);\nreturn;\n"))
        result = self.run_command("verify", "--quick", "--reproducible", env={"CLSCAN_KERNEL_DIR": kernels})
        self.assertEqual(result.returncode, 1, result.stderr.decode())
        verdicts = {tuple(line.split()[:3]) for line in result.stdout.decode().splitlines()[1:-1]}
        self.assertEqual(verdicts, {("FAILED", "float", "add"), ("ok", "float", "custom")})
        self.assertIn("reproducible", result.stderr.decode())


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

    def test_encoded_runs(self):
        values = [i // 9 * i % 4 for i in range(5000)]
        source = self.write("in.npy", npy_of("uint8", values))
        self.succeed("reduce", source, "--keys", source, "--load", "1", "--output-type", "uint32", "--sums",
                     self.path("lengths.npy"), "--out-keys", self.path("runs.npy"))
        self.succeed("repeat", self.path("runs.npy"), self.path("same.npy"), "--lengths", self.path("lengths.npy"))
        self.assertEqual(self.elements("same.npy", "uint8"), values)

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
        for wrong in ([1], [1, 2, 3]):
            file = self.write("wrong.npy", npy_of("int8", wrong))
            self.refuse("repeat", source, out, "--lengths", file, says=["wrong.npy", "%d lengths" % len(wrong)])
            self.refuse("repeat", "-", out, "--type", "int8", "--lengths", file, input=b"12", says="wrong.npy")
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

    def test_runs(self):
        """The first element of each run, also where a run goes on from chunk to chunk."""
        for name in ("half", "uint8", "double"):
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
                    code=2, says="--out-indices is of what is kept")
        self.refuse("select", source, out, "--rest", self.path("rest.npy"), "--column", source + ":" + out, code=2,
                    says="--column is of what is kept")
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
                    says="--lengths is of what is kept")
        self.refuse("select", source, out, "--lengths", source, says="same file")
        self.refuse("select", source, out, "--lengths", out, says="same file")
        self.refuse("select", source, out, "--lengths", lengths, "--out-indices", lengths, says="same file")

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


class Reduce(CommandTest):
    def value(self, *arguments, **keywords):
        return json.loads(self.succeed("reduce", *arguments, "--json", **keywords))

    def test_all_types(self):
        for name in TYPES:
            with self.subTest(type=name):
                values = sample(name, 1501)
                found = self.value(self.write("in.npy", npy_of(name, values)), "--op", "max", "--init", "1")
                self.assertEqual((found["value"], found["count"], found["op"]), (max(values + [1]), 1501, "max"))
                found = self.value(self.write("in.npy", npy_of(name, values)))
                self.assertEqual(found["value"], expected_scan(name, "add", values)[-1])

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
        for words, code, says in ((("--axis", "3", "--sums", "x"), 1, "no axis 3"), (("--axis", "0"), 2, "--sums"),
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
        self.refuse("reduce", source, "--output-type", "int32", says=["float", "int32"])
        self.refuse("reduce", source, "--load", "element *\nfoo", says="--load:2:")
        self.refuse("reduce", source, "--store", "previous", says="--store:1:")
        self.refuse("reduce", source, "--load", "element * 2", "--reproducible", says="reproducible")
        self.refuse("reduce", self.write("in.raw", b"12345"), "--type", "int32", says="in.raw")
        self.refuse("reduce", "-", "--type", "float", "--reproducible", input=b"1234", says="--reproducible")


class Scan(CommandTest):
    def check(self, name, values, operator="add", exclusive=False, reverse=False, initial=None):
        arguments = ["--op", operator]
        arguments += ["--exclusive"] if exclusive else []
        arguments += ["--reverse"] if reverse else []
        arguments += ["--init", str(initial)] if initial is not None else []
        source = self.write("in.npy", npy_of(name, values))
        self.succeed("scan", source, self.path("out.npy"), *arguments)
        wanted = pack(name, expected_scan(name, operator, values, exclusive, reverse, initial))
        written = self.read("out.npy")
        self.assertEqual(written[: -len(wanted)][:6], b"\x93NUMPY")
        self.assertEqual(unpack(name, written[-len(wanted):]), unpack(name, wanted))
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])

    def test_all_types(self):
        for name in TYPES:
            with self.subTest(type=name):
                self.check(name, sample(name, 1500))

    def test_a_wrong_candidate_loses(self):
        """Kernels that do nothing are the fastest, and leave another result."""
        kernels, home = self.path("cl"), self.path("home")
        words = ("--type", "int32", "--count", "4194304")
        if "reduce_then_scan" in self.succeed("explain", *words):
            self.skipTest("the default device runs what is to be broken")
        shutil.copytree(KERNELS, kernels)
        at = pathlib.Path(kernels, "carries/reduce_then_scan.cl")
        text, begin = at.read_text(), "CLSCAN_MAP_PARAMETERS)\n{\n"
        self.assertIn(begin, text)
        at.write_text(text.replace(begin, begin + "if (run.count > 1000) return;\n"))
        result = self.run_command("scan", self.write("in.raw", bytes(1 << 24)), self.path("out.raw"), "--type", "int32",
                                  "--init", "7", "--check", "--measure", "10s",
                                  env={"CLSCAN_KERNEL_DIR": kernels, "XDG_CONFIG_HOME": home, "CLSCAN_LOG": "debug"})
        message = result.stderr.decode()
        self.assertEqual(result.returncode, 0, message)
        self.assertRegex(message, r"reduce_then_scan\S* .* takes ")  # it took part
        for kept in pathlib.Path(home).rglob("*.measured.json"):
            self.assertNotIn("reduce_then_scan", kept.read_text())

    def test_operators(self):
        for operator in OPERATORS:
            with self.subTest(operator=operator):
                self.check("uint16", [(i * 40503 + 12345) % 65536 for i in range(777)], operator)
        self.check("double", [1.0 + i % 2 for i in range(300)], "mul")
        self.check("float", [float((i * 37) % 101) for i in range(300)], "max", exclusive=True)

    def test_forms(self):
        for exclusive, reverse, initial in itertools.product((False, True), (False, True), (None, -100)):
            with self.subTest(exclusive=exclusive, reverse=reverse, initial=initial):
                self.check("int8", sample("int8", 1000), "add", exclusive, reverse, initial)

    def test_initial_value_of_half_is_a_float(self):
        self.check("half", [1.0] * 10, "min", initial=100000)

    def test_counts(self):
        for count in (1, 2, 4095, 4096, 4097):
            with self.subTest(count=count):
                self.check("int32", sample("int32", count))

    def test_empty(self):
        source = self.write("in.npy", npy_of("int32", []))
        self.succeed("scan", source, self.path("out.npy"), "--stats", "--check", "--exclusive")
        self.assertIn(b"'shape': (0,)", self.read("out.npy"))
        self.succeed("scan", self.write("in.raw", b""), self.path("out.raw"), "--type", "int64")
        self.assertEqual(self.read("out.raw"), b"")

    def test_header_versions(self):
        for version in (1, 2, 3):
            source = self.write("in.npy", npy_of("uint32", [1, 2, 3], version))
            self.succeed("scan", source, self.path("out.npy"))
            self.assertEqual(unpack("uint32", self.read("out.npy")[-12:]), [1, 3, 6])

    def test_raw(self):
        source = self.write("in.raw", pack("int16", sample("int16", 999)))
        self.succeed("scan", source, self.path("out.raw"), "--type=int16", "--check")
        self.assertEqual(unpack("int16", self.read("out.raw")), expected_scan("int16", "add", sample("int16", 999)))
        self.succeed("scan", source, self.path("out.npy"), "--type", "int16")
        self.assertEqual(self.read("out.npy")[-1998:], self.read("out.raw"))
        self.succeed("scan", self.path("out.npy"), self.path("again.raw"), "--op", "max")
        self.assertEqual(len(self.read("again.raw")), 1998)

    def test_in_place(self):
        source = self.write("in.raw", pack("uint32", list(range(5000))))
        self.succeed("scan", source, self.path("out.raw"), "--type", "uint32", "--in-place", "--check", "--stats")
        self.assertEqual(unpack("uint32", self.read("out.raw")), expected_scan("uint32", "add", list(range(5000))))

    def test_stats_and_check(self):
        source = self.write("in.npy", npy_of("int32", sample("int32", 100000)))
        text = self.succeed("scan", source, self.path("out.npy"), "--stats", "--check")
        for word in ("device", "entry", "from", "time", "GB/s", "copy", "of copy", "compared", "right"):
            self.assertIn(word, text)
        self.assertIn("100000 of 100000", text)

    def test_check_of_floats(self):
        """Sums whose last bits depend on the grouping are right, too; beyond an overflow nothing is said."""
        values = [math.sin(i) * 10.0 ** (i % 7) for i in range(100000)]
        source = self.write("in.npy", npy_of("float", values))
        self.assertIn("100000 of 100000", self.succeed("scan", source, self.path("out.npy"), "--check"))
        source = self.write("in.npy", npy_of("float", [2.0] * 50 + [1e30] * 50 + [0.5] * 50))
        text = self.succeed("scan", source, self.path("out.npy"), "--check", "--op", "mul")
        self.assertRegex(text, r"check +\d+ of 150 ")

    def test_replaces_and_keeps_permissions(self):
        source = self.write("in.raw", b"\1\1\1")
        out = self.write("out.raw", b"what was there before")
        os.chmod(out, 0o640)
        self.succeed("scan", source, out, "--type", "uint8")
        self.assertEqual(self.read("out.raw"), b"\1\2\3")
        self.assertEqual(stat.S_IMODE(os.stat(out).st_mode), 0o640)

    def test_new_file_follows_umask(self):
        source = self.write("in.raw", b"\1")
        self.succeed("scan", source, self.path("out.raw"), "--type", "uint8", preexec_fn=lambda: os.umask(0o027))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("out.raw")).st_mode), 0o640)

    def test_symbolic_link(self):
        """The file behind a link is replaced, not the link."""
        source = self.write("in.raw", b"\1\1")
        os.mkdir(self.path("elsewhere"))
        self.write("elsewhere/real.raw", b"old")
        os.symlink("elsewhere/real.raw", self.path("link.raw"))
        self.succeed("scan", source, self.path("link.raw"), "--type", "uint8")
        self.assertTrue(os.path.islink(self.path("link.raw")))
        self.assertEqual(self.read("elsewhere/real.raw"), b"\1\2")
        os.symlink("nowhere", self.path("dangling.raw"))
        self.refuse("scan", source, self.path("dangling.raw"), "--type", "uint8", says="dangling.raw")

    def test_special_files(self):
        source = self.write("in.raw", b"\1\1\1")
        self.succeed("scan", source, "/dev/null", "--type", "uint8")
        result = self.run_command("scan", source, "/dev/stdout", "--type", "uint8", "--stats", "--check")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertEqual(result.stdout, b"\1\2\3")  # statistics go to the other stream
        self.assertIn(b"too few elements", result.stderr)

    def test_operands_like_options(self):
        self.write("--in.raw", b"\1\1")
        self.succeed("scan", "--type", "uint8", "--", "--in.raw", "--out.raw", cwd=self.folder)
        self.assertEqual(self.read("--out.raw"), b"\1\2")


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
        for way, name in self.files(self.BEGINS):
            for form in forms:
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
        for kind in ("float", "double", "half"):
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


class ScanErrors(CommandTest):
    def test_initial_values(self):
        rows = [
            ("uint8", "256"), ("uint8", "-1"), ("int8", "128"), ("int16", "-32769"), ("uint32", "4294967296"),
            ("int64", "9223372036854775808"), ("uint64", "18446744073709551616"), ("int32", "1.5"), ("int32", "x"),
            ("float", "1e39"), ("half", "1e39"), ("double", "1e309"), ("double", "zero"),
        ]
        for name, value in rows:
            with self.subTest(type=name, value=value):
                source = self.write("in.npy", npy_of(name, [1]))
                self.refuse("scan", source, self.path("out.npy"), "--init", value, code=2, says=[value, "--init"])

    def test_bad_npy_files(self):
        good = "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }\n"
        body = bytes(12)

        def descr(code):
            return npy(good.replace("<i4", code), body)

        def shape(text):
            return npy(good.replace("(3,)", text), body)

        rows = [
            ("empty file", b"", "truncated"),
            ("wrong magic", b"x" * 100, "magic"),
            ("only the magic", b"\x93NUMPY", "truncated"),
            ("truncated header", npy(good, body)[:40], "truncated"),
            ("unknown version", npy(good, body, 4), "version 4.0"),
            ("big-endian", descr(">i4"), "big-endian"),
            ("bool", descr("|b1"), "bool"),
            ("complex", descr("<c16"), "complex"),
            ("objects", descr("|O"), "objects"),
            ("dates", descr("<M8[s]"), "cannot be scanned"),
            ("long double", descr("<f16"), "cannot be scanned"),
            ("structured", npy(good.replace("'<i4'", "[('a', '<i4')]"), body), "structured"),
            ("Fortran order", npy(good.replace("False", "True"), body), "Fortran"),
            ("2-D, more elements than the file", shape("(3, 2)"), "truncated"),
            ("0-D, fewer elements than the file", shape("()"), "8 bytes too many"),
            ("too many dimensions", shape("(" + 65 * "1, " + ")"), "64 dimensions"),
            ("negative", shape("(-3,)"), "negative"),
            ("absurd", shape("(36893488147419103232,)"), "larger than any file"),
            ("more bytes than numbers go", shape("(9223372036854775807,)"), "larger than any file"),
            ("more elements than the file", shape("(4,)"), "truncated"),
            ("far more elements than the file", shape("(2000000000000000000,)"), "truncated"),
            ("no dictionary", npy("nonsense\n", body), "dictionary"),
            ("trailing bytes", npy(good, body + b"\0"), "1 bytes too many"),
        ]
        for what, data, says in rows:
            with self.subTest(what=what):
                source = self.write("in.npy", data)
                self.refuse("scan", source, self.path("out.npy"), says=["in.npy", says])

    def test_bad_inputs(self):
        self.refuse("scan", self.path("none.npy"), self.path("out.npy"), says="none.npy")
        self.refuse("scan", self.folder, self.path("out.raw"), "--type", "int8", says=self.folder)
        source = self.write("in.raw", b"123456789")
        self.refuse("scan", source, self.path("out.raw"), "--type", "int32", says=["in.raw", "9 bytes", "int32"])

    def test_text_from_outside_is_safe_to_print(self):
        """Nothing but the ends of lines reaches the terminal of what could command it or pretend to be a message."""
        evil = "\x1b]0;title\x07\nclscan: all is well\u202e\x9b1m"
        name = evil.encode()
        raw = b"raw \xff\x9b31m.npy"
        good = self.write("in.npy", npy_of("int32", [1]))
        for path in (name + b".npy", raw):
            with open(os.path.join(self.folder.encode(), path), "wb") as file:
                file.write(b"x" * 100)
        config = os.path.join(self.folder.encode(), name + b".json")
        with open(config, "wb") as file:
            file.write(b"{}")
        self.write("key.npy", npy("{'%s': 1}\n" % "\x1b[31m", b""))
        self.write("type.npy", npy("{'descr': '<%s', 'fortran_order': False, 'shape': (3,), }\n" % "\x1b[31m\n", b""))
        rows = [
            ("a name", "scan", os.path.join(self.folder.encode(), name + b".npy"), self.path("out.npy")),
            ("a name that is no UTF-8", "scan", os.path.join(self.folder.encode(), raw), self.path("out.npy")),
            ("a name of nothing", "scan", evil, self.path("out.npy")),
            ("an output", "scan", good, os.path.join(self.folder, "no folder", evil)),
            ("a key", "scan", self.path("key.npy"), self.path("out.npy")),
            ("an element type", "scan", self.path("type.npy"), self.path("out.npy")),
            ("a config", "explain", "--config", config),
            ("a value", "scan", good, self.path("out.npy"), "--init", evil),
            ("a device", "devices", "--device", evil),
            ("an option", "scan", "--" + evil),
            ("an operand", "scan", "a", "b", evil),
            ("a command", evil),
            ("the environment", "explain", {"CLSCAN_CONFIG": "/" + evil}),
            ("the cache's folder", "cache", {"CLSCAN_CACHE": "/" + evil}),
        ]
        for what, *arguments in rows:
            with self.subTest(what=what):
                env = arguments.pop() if isinstance(arguments[-1], dict) else None
                result = self.run_command(*arguments, env=env)
                shown = (result.stdout + result.stderr).decode()  # it is UTF-8
                self.assertIn("?", shown)
                self.assertFalse([c for c in shown if c != "\n" and not c.isprintable()], shown)
                self.assertNotIn("\nclscan: all is well", shown)

    def test_configs_without_effect(self):
        """A config for other devices is no error, but whoever names it should hear of it."""
        smallest = pathlib.Path(__file__).resolve().parent.parent / "fixtures/configs/valid/smallest.json"
        config = json.loads(smallest.read_text(encoding="utf-8"))
        key = json.loads(self.succeed("explain", "--json"))["key"]
        for family, silent in ((key, True), ("no-such-family", False)):
            path = self.write("config.json", json.dumps({**config, "match": family}).encode())
            result = self.run_command("explain", "--config", path)
            self.assertEqual(result.returncode, 0, result.stderr.decode())
            self.assertEqual(result.stderr.decode() == "", silent, result.stderr.decode())
            if not silent:
                for word in ("config.json", key, "other configs"):
                    self.assertIn(word, result.stderr.decode())

    def test_empty_names(self):
        source = self.write("in.raw", b"1")
        self.refuse("scan", "", self.path("out.raw"), "--type=int8", code=2, says="IN is an empty name")
        self.refuse("scan", source, "", "--type=int8", code=2, says="OUT is an empty name")

    def test_operator_that_the_type_has_not(self):
        source = self.write("in.npy", npy_of("float", [1.0]))
        self.refuse("scan", source, self.path("out.npy"), "--op", "xor", says="xor")

    def test_same_file(self):
        source = self.write("in.npy", npy_of("int32", [1, 2]))
        before = self.read("in.npy")
        self.refuse("scan", source, source, says=["in.npy", "same file"])
        os.symlink("in.npy", self.path("link.npy"))
        os.link(source, self.path("hard.npy"))
        self.refuse("scan", source, self.path("link.npy"), says="same file")
        self.refuse("scan", source, self.path("hard.npy"), says="same file")
        self.assertEqual(self.read("in.npy"), before)

    def test_unwritable(self):
        source = self.write("in.raw", b"\1\1\1")
        self.refuse("scan", source, self.path("no/such/out.raw"), "--type", "uint8", says="no/such/out.raw")
        self.refuse("scan", source, os.path.join(source, "out.raw"), "--type", "uint8", says="out.raw")
        os.mkdir(self.path("folder"))
        self.refuse("scan", source, self.path("folder"), "--type", "uint8", says="directory")
        if os.geteuid() != 0:
            os.chmod(self.path("folder"), 0o555)
            self.refuse("scan", source, self.path("folder/out.raw"), "--type", "uint8", says="out.raw")
            out = self.write("kept.raw", b"old")
            os.chmod(out, 0o444)
            self.refuse("scan", source, out, "--type", "uint8", says="kept.raw")
            self.assertEqual(self.read("kept.raw"), b"old")

    def test_full_disk(self):
        source = self.write("in.raw", bytes(40 << 20))
        self.refuse("scan", source, "/dev/full", "--type", "uint8", says="/dev/full")

        def limit_files():
            """Like a disk that is full after 24 MiB, which leaves room for the files of OpenCL compilers."""
            resource.setrlimit(resource.RLIMIT_FSIZE, (24 << 20, 24 << 20))

        out = self.write("out.raw", b"old")
        self.refuse("scan", source, out, "--type", "uint8", says="out.raw", preexec_fn=limit_files)
        self.assertEqual(self.read("out.raw"), b"old")

    def test_closed_pipe(self):
        source = self.write("in.raw", bytes(1000000))
        reader, writer = os.pipe()
        os.close(reader)
        try:
            self.refuse("scan", source, "/dev/stdout", "--type", "uint8", stdout=writer, says="/dev/stdout")
        finally:
            os.close(writer)

    def test_signal_leaves_nothing(self):
        """Stopped while it checks the result, which lies in a temporary file then."""
        source = self.write("in.raw", bytes(1 << 24))
        with subprocess.Popen([COMMAND, "scan", source, self.path("out.raw"), "--type", "float", "--check"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and len(os.listdir(self.folder)) == 1:
                time.sleep(0.001)
            process.terminate()
        self.assertIn(process.returncode, (0, -signal.SIGTERM))
        self.assertFalse(set(os.listdir(self.folder)) - {"in.raw", "out.raw"})

    def test_long_names(self):
        """As long as a file's name may be."""
        source = self.write("in.raw", b"\1\2\3")
        out = self.path("x" * 255)
        self.succeed("scan", source, out, "--type", "uint8")
        self.assertEqual(self.read("x" * 255), b"\1\3\6")
        self.refuse("scan", source, self.path("x" * 256), "--type", "uint8", says="too long")

    def test_a_killed_process_leaves_nothing_for_long(self):
        """Its hidden file is removed by the next one, but not while it writes."""
        source = self.write("in.raw", b"\1\2\3")
        with subprocess.Popen([COMMAND, "scan", "-", self.path("out.raw"), "--type=int32", "--chunk-bytes=4K"],
                              stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            process.stdin.write(bytes(100000))
            process.stdin.flush()
            while process.poll() is None and os.listdir(self.folder) == ["in.raw"]:
                time.sleep(0.01)
            (left,) = set(os.listdir(self.folder)) - {"in.raw"}
            self.assertTrue(left.startswith("."), left)
            self.succeed("scan", source, self.path("other.raw"), "--type", "uint8")
            self.assertEqual(set(os.listdir(self.folder)), {"in.raw", "other.raw", left})
            process.kill()
        self.assertIn(left, os.listdir(self.folder))
        self.succeed("scan", source, self.path("other.raw"), "--type", "uint8")
        self.assertEqual(set(os.listdir(self.folder)), {"in.raw", "other.raw"})


@unittest.skipUnless(python_with_numpy(), "no Python with NumPy")
class NumPy(CommandTest):
    def numpy(self, program):
        subprocess.run([python_with_numpy(), "-c", "import numpy\n" + program], cwd=self.folder, check=True)

    def test_files_of_numpy(self):
        for name in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16",
                     "float32", "float64"):
            with self.subTest(type=name):
                self.numpy("numpy.save('in.npy', (numpy.arange(1000) %% 5).astype('%s'))" % name)
                self.succeed("scan", self.path("in.npy"), self.path("out.npy"))
                self.numpy("a = numpy.load('in.npy')\n"
                           "b = numpy.load('out.npy')\n"
                           "assert b.dtype == a.dtype and b.shape == a.shape\n"
                           "wide = a.dtype if a.dtype.kind != 'f' else 'float64'\n"
                           "assert (b == numpy.cumsum(a, dtype=wide).astype(a.dtype)).all()")

    def test_arrays_that_are_refused(self):
        for array, says in (("numpy.zeros(3, '>i4')", "big-endian"), ("numpy.zeros(3, bool)", "bool"),
                            ("numpy.zeros((2, 3), order='F')", "Fortran"),
                            ("numpy.zeros(3, 'i4,f4')", "structured"), ("numpy.array(['a'])", "cannot be scanned"),
                            ("numpy.zeros(3, complex)", "complex"), ("numpy.array([{}])", "objects")):
            with self.subTest(array=array):
                self.numpy("numpy.save('in.npy', %s)" % array)
                self.refuse("scan", self.path("in.npy"), self.path("out.npy"), says=["in.npy", says])


if __name__ == "__main__":
    unittest.main()
