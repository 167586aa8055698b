"""Rows, segments and tensors of files by clscan scan, reduce and select, beside what NumPy makes of the same files.

CLSCAN_COMMAND names the program.
"""

import itertools
import json
import os
import struct
import subprocess
import unittest

from command_rig import CommandTest, python_with_numpy, takes


# Runs programs that it gets, each with its folder, in lines of JSON, and answers each with what went wrong or null.
NUMPY_SERVER = """
import json, numpy, os, sys, traceback
for line in sys.stdin:
    folder, program = json.loads(line)
    os.chdir(folder)
    try:
        exec(program, {"numpy": numpy})
        answer = None
    except Exception:
        answer = traceback.format_exc()
    print(json.dumps(answer), flush=True)
"""


@unittest.skipUnless(python_with_numpy(), "no Python with NumPy")
class WithNumPy(CommandTest):
    @classmethod
    def setUpClass(cls):
        """One process serves all tests of a class: to load NumPy takes longer than most scans do."""
        cls.server = subprocess.Popen([python_with_numpy(), "-c", NUMPY_SERVER], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.server.communicate)

    def numpy(self, *lines):
        """Run lines of a program in the folder of the test."""
        print(json.dumps([self.folder, "\n".join(lines)]), file=self.server.stdin, flush=True)
        self.assertIsNone(json.loads(self.server.stdout.readline()))

    def npy(self, **arrays):
        """Save arrays, which are Python expressions, by their names."""
        self.numpy(*("numpy.save('%s.npy', %s)" % array for array in arrays.items()))

    def same(self, file, expression, *lines):
        """Has the file the type, the shape and the values of the expression?"""
        self.numpy(*lines, "wanted = " + expression, "found = numpy.load('%s')" % file,
                   "assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), (found, wanted)",
                   "assert (found == wanted).all(), (found, wanted)")

    def scan(self, *words, **keywords):
        return self.succeed("scan", *words, cwd=self.folder, **keywords)

    def reduce(self, *words):
        return self.succeed("reduce", *words, cwd=self.folder)


# Of flags at which segments begin, and of values.
SCANNED = "numpy.concatenate([numpy.cumsum(part, dtype=values.dtype) for part in numpy.split(values, begins[1:])])"
SUMS = "numpy.add.reduceat(values, begins, dtype=values.dtype)"
LOAD = ("values = numpy.load('values.npy')", "flags = numpy.load('flags.npy')",
        "flags[0] = True", "begins = numpy.flatnonzero(flags)")  # fmt: skip


class Bits(WithNumPy):
    def test_types_and_chunks(self):
        """In integers of any size, which no chunk need be a multiple of."""
        self.npy(values="numpy.arange(1003, dtype='i4') * 7 % 23 - 9", flags="numpy.arange(1003) * 5 % 13 == 3")
        self.numpy("bits = numpy.packbits(numpy.load('flags.npy'), bitorder='little')", "bits.tofile('bits.raw')",
                   "bits = numpy.pad(bits, (0, -len(bits) % 8))", "numpy.save('u4.npy', bits.view('u4'))",
                   "numpy.save('i8.npy', bits.view('i8'))", "numpy.save('u1.npy', bits[:126])")
        for file in ("bits.raw", "u1.npy", "u4.npy", "i8.npy"):
            for chunk in ((), ("--chunk-bytes", "20"), ("--chunk-bytes", "1000")):
                with self.subTest(file=file, chunk=chunk):
                    self.scan("values.npy", "out.npy", "--segment-bits", file, *chunk)
                    self.same("out.npy", SCANNED, *LOAD)
                    self.reduce("values.npy", "--segment-bits", file, "--sums", "sums.npy", "--out-offsets",
                                "offsets.npy", *chunk)
                    self.same("sums.npy", SUMS, *LOAD)
                    self.same("offsets.npy", "numpy.append(begins, 1003).astype('u4')", *LOAD)

    def test_pipes(self):
        """Padding of the last integer is read, and nothing may follow it."""
        self.npy(values="numpy.arange(70, dtype='i4')", flags="numpy.arange(70) % 9 == 0")
        self.numpy("bits = numpy.packbits(numpy.load('flags.npy'), bitorder='little')",
                   "numpy.save('bits.npy', numpy.pad(bits, (0, 7)).view('u8'))")
        bits = self.read("bits.npy")
        for chunk in ("12", "1M"):
            with self.subTest(chunk=chunk):
                words = ("scan", "values.npy", "out.npy", "--segment-bits", "-", "--chunk-bytes", chunk)
                self.succeed(*words, input=bits, cwd=self.folder)
                self.same("out.npy", SCANNED, *LOAD)
                self.refuse(*words, input=bits + b"1", cwd=self.folder, says="standard input: more bytes")
                self.refuse(*words, input=bits[-16:], cwd=self.folder, says="standard input has no known length")

    def test_bad_input(self):
        self.npy(values="numpy.arange(100)", few="numpy.zeros(3, 'u4')", flags="numpy.zeros(100, '?')",
                 floats="numpy.zeros(4, 'f4')")
        for command in (("scan", "values.npy", "out.npy"), ("reduce", "values.npy", "--sums", "out.npy")):
            for file, says in (("few.npy", "the 100 elements of values.npy are 4"),
                               ("flags.npy", "100 elements of uint8"), ("floats.npy", "float; bits are integers"),
                               ("none.npy", "none.npy")):
                with self.subTest(command=command, file=file):
                    self.refuse(*command, "--segment-bits", file, cwd=self.folder, says=[file, says])
            self.refuse(*command, "--segment-bits", "few.npy", "--keys", "few.npy", cwd=self.folder, code=2,
                        says=["--segment-bits", "--keys"])


class StructKeys(WithNumPy):
    """Structs and complex numbers begin segments where one of their fields differs; as they do on device and host."""

    KEYS = {"packed": "numpy.rec.fromarrays([who, day], dtype='i4,u1')",
            "words": "numpy.rec.fromarrays([who, day], dtype=[('long', 'i4'), ('M_PI', 'u1')])",
            "aligned": "numpy.rec.fromarrays([day, who], numpy.dtype([('day', 'u1'), ('who', 'f8')], align=True))",
            "complex": "(numpy.where(who % 2, 0.0, -0.0) + 1j * day).astype('c8')"}  # fmt: skip
    FLAGS = {"packed": "(who[1:] != who[:-1]) | (day[1:] != day[:-1])", "complex": "day[1:] != day[:-1]"}
    COLUMNS = ("who = numpy.arange(1003) // 30", "day = numpy.arange(1003) // 7 % 5")

    def setUp(self):
        super().setUp()
        self.npy(values="numpy.arange(1003, dtype='i4') * 7 % 23 - 9", pairs="numpy.ones(1003, 'f4,f4')")
        for name, keys in self.KEYS.items():
            self.numpy(*self.COLUMNS, "numpy.save('%s.npy', %s)" % (name, keys))

    def test_chunks(self):
        for name in self.KEYS:
            load = ("values = numpy.load('values.npy')", "keys = numpy.load('%s.npy')" % name, *self.COLUMNS,
                    "flags = numpy.append(True, %s)" % self.FLAGS.get(name, self.FLAGS["packed"]),
                    "begins = numpy.flatnonzero(flags)")  # fmt: skip
            for more in ([], ["--chunk-bytes=400"]):
                with self.subTest(keys=name, more=more):
                    self.scan("values.npy", "out.npy", "--keys=%s.npy" % name, *more)
                    self.same("out.npy", SCANNED, *load)
                    self.reduce("values.npy", "--keys=%s.npy" % name, "--sums=sums.npy", "--out-keys=keys_of.npy",
                                *more)
                    self.same("sums.npy", SUMS, *load)
                    self.same("keys_of.npy", "keys[begins]", *load)

    def test_equalities(self):
        """Of the user's, by fields; beside elements that are structs, too."""
        self.reduce("pairs.npy", "--struct=float2", "--keys=aligned.npy", "--equal=left.who == right.who",
                    "--sums=sums.npy")  # fmt: skip
        self.same("sums.npy", "numpy.array([(n, n) for n in numpy.bincount(who)], 'f4,f4')", *self.COLUMNS)
        self.refuse("reduce", "values.npy", "--keys=packed.npy", "--equal=left.none == 1", "--sums=s", cwd=self.folder,
                    says=["--equal", "none"])
        self.refuse("reduce", "values.npy", "--keys=packed.npy", "--equal=left.f0 == right.f0", "--sums=s",
                    "--chunk-bytes=400", cwd=self.folder, says="--equal")  # fmt: skip
        self.npy(halves="numpy.zeros(1003, 'f2,i4')")
        self.refuse("reduce", "values.npy", "--keys=halves.npy", "--sums=s", cwd=self.folder,
                    says=["halves.npy", "float16"])
        self.refuse("scan", "values.npy", "out.npy", "--segment-flags=packed.npy", cwd=self.folder, says="packed.npy")


class Coordinates(WithNumPy):
    def test_five_dimensions(self):
        """Indices of what is kept of a tensor are those of its elements, of which NumPy makes coordinates."""
        self.npy(values="numpy.arange(5040, dtype='i4').reshape(3, 8, 1, 30, 7) * 7919 % 11 - 4")
        self.numpy("numpy.save('flags.npy', numpy.load('values.npy') > 2)")
        for words, kept in (((), "values != 0"), (("--where", "element > 2"), "values > 2"),
                            (("--flags", "flags.npy"), "values > 2")):  # fmt: skip
            for chunk in ((), ("--chunk-bytes", "1000")):
                with self.subTest(words=words, chunk=chunk):
                    self.succeed("select", "values.npy", "out.npy", "--indices", *words, *chunk, cwd=self.folder)
                    self.numpy("values = numpy.load('values.npy')", "found = numpy.load('out.npy').astype('i8')",
                               "found = numpy.stack(numpy.unravel_index(found, values.shape), axis=1)",
                               "wanted = numpy.argwhere(%s)" % kept, "assert found.shape == wanted.shape",
                               "assert (found == wanted).all()")


class Sums(WithNumPy):
    """What a scan writes beside its outputs."""

    def test_rows(self):
        """Along any axis, of rows that are longer than a chunk, and of one row; before --store, and with --init."""
        self.npy(values="(numpy.arange(5 * 6 * 70, dtype='i2') * 7 % 23 - 9).reshape(5, 6, 70)")
        for axis in (0, 1, -1):
            for more in ([], ["--reverse", "--exclusive"], ["--chunk-bytes", "60"] if axis == -1 else []):
                with self.subTest(axis=axis, more=more):
                    self.scan("values.npy", "out.npy", "--axis=%d" % axis, "--output-type=int32", "--init=5",
                              "--store=sum * 2", "--sums=sums.npy", *more)
                    self.same("sums.npy", "numpy.load('values.npy').sum(%d, dtype='i4') + numpy.int32(5)" % axis)
        self.scan("values.npy", "out.npy", "--flatten", "--op=max", "--sums=sums.npy", "--chunk-bytes=60")
        self.same("sums.npy", "numpy.load('values.npy').max()")
        self.same("out.npy", "numpy.maximum.accumulate(numpy.load('values.npy').ravel())")
        self.npy(row="numpy.arange(1000, dtype='f2') % 2")
        self.scan("row.npy", "out.npy", "--sums=sums.npy", "--stats", "--in-place", "--check")
        self.same("sums.npy", "numpy.float32(500)")

    def test_reproducible(self):
        """In parts, too, the total has the bits of the reduction."""
        self.npy(values="numpy.sin(numpy.arange(200000, dtype='f4')) * 1e3")
        for more in ([], ["--chunk-bytes=300000"]):
            self.scan("values.npy", "out.npy", "--reproducible", "--sums=sums.raw", *more)
            self.assertEqual(self.reduce("values.npy", "--reproducible"),
                             "%.9g\n" % struct.unpack("<f", self.read("sums.raw")))

    def test_streams(self):
        """Of no known length, in one chunk and in several."""
        data = struct.pack("<1000i", *range(1000))
        for more in ([], ["--chunk-bytes=400"], ["--chunk-bytes=4000", "--reverse"]):
            with self.subTest(more=more):
                self.scan("-", "out.npy", "--type=int32", "--sums=sums.npy", *more, input=data)
                self.same("sums.npy", "numpy.int32(499500)")
        self.scan("-", "out.npy", "--type=double", "--reproducible", "--sums=sums.npy", "--chunk-bytes=2^19",
                  input=struct.pack("<200000d", *range(200000)))
        self.same("sums.npy", "numpy.float64(19999900000)")

    def test_nothing(self):
        for shape, axis, wanted in (("(0,)", 0, "numpy.int32(1)"), ("(3, 0)", 1, "numpy.ones(3, 'i4')"),
                                    ("(0, 4)", 1, "numpy.ones(0, 'i4')"), ("(0, 4)", 0, "numpy.ones(4, 'i4')")):
            with self.subTest(shape=shape, axis=axis):
                self.npy(values="numpy.zeros(%s, 'i4')" % shape)
                self.scan("values.npy", "out.npy", "--op=mul", "--axis=%d" % axis, "--sums=sums.npy")
                self.same("sums.npy", wanted)
        self.scan("-", "out.npy", "--type=int32", "--init=7", "--sums=sums.npy", input=b"")
        self.same("sums.npy", "numpy.int32(7)")

    def test_structs(self):
        self.npy(values="numpy.array([(1, 2), (3, 4), (5, 6), (7, 8)], 'i4,i4').reshape(2, 2)",
                 none="numpy.zeros((2, 0), 'i4,i4')")
        self.scan("values.npy", "out.npy", "--struct=int2", "--op=max", "--sums=sums.npy")
        self.same("sums.npy", "numpy.array([(3, 4), (7, 8)], 'i4,i4')")
        self.scan("none.npy", "out.npy", "--struct=int2", "--op=mul", "--sums=sums.npy")
        self.same("sums.npy", "numpy.array([(1, 1), (1, 1)], 'i4,i4')")

    def test_segments(self):
        self.npy(values="numpy.arange(1003, dtype='i4') * 7 % 23 - 9", flags="numpy.arange(1003) * 5 % 13 == 3")
        self.numpy("flags = numpy.load('flags.npy')", "numpy.packbits(flags, bitorder='little').tofile('bits.raw')",
                   "begins = numpy.flatnonzero(flags)", "begins = numpy.append(0, begins[begins > 0])",
                   "numpy.save('keys.npy', numpy.cumsum(flags).astype('f4'))",
                   "numpy.save('offsets.npy', numpy.append(begins, 1003))")
        ways = (["--segment-flags=flags.npy"], ["--segment-bits=bits.raw"], ["--segment-offsets=offsets.npy"],
                ["--keys=keys.npy"], ["--keys=keys.npy", "--equal=left == right"])
        for turn, way in enumerate(ways):
            for more in takes(([], ["--reverse", "--exclusive", "--stats"]), turn % 2):
                with self.subTest(way=way, more=more):
                    self.scan("values.npy", "out.npy", "--sums=sums.npy", *way, *more)
                    self.same("sums.npy", SUMS, *LOAD)
            self.same("sums.npy", SUMS, *LOAD)
        self.npy(offsets="numpy.array([5, 5, 9, 900])")
        self.scan("values.npy", "out.npy", "--segment-offsets=offsets.npy", "--op=min", "--init=40", "--sums=sums.npy")
        self.same("sums.npy", "numpy.array([40, values[5:9].min(), values[9:900].min()], 'i4')", *LOAD)
        self.npy(none="numpy.zeros(0, 'i4')", offsets="numpy.array([0, 0, 0])")
        self.scan("none.npy", "out.npy", "--segment-offsets=offsets.npy", "--op=mul", "--sums=sums.npy")
        self.same("sums.npy", "numpy.ones(2, 'i4')")
        self.scan("none.npy", "out.npy", "--keys=none.npy", "--sums=sums.npy")
        self.same("sums.npy", "numpy.ones(0, 'i4')")

    def test_bad_input(self):
        self.npy(values="numpy.arange(10, dtype='i4')", wrong="numpy.array([4, 2])")
        for words, code, says in ((["--sums=-"], 2, "--sums"), (["--sums="], 2, "--sums"),
                                  (["--sums=s", "--offsets"], 2, "--sums"),
                                  (["--sums=s", "--devices=0,0"], 2, "--sums"),
                                  (["--sums=out.npy"], 1, "--sums and OUT are the same file"),
                                  (["--sums=values.npy"], 1, "IN and --sums are the same file"),
                                  (["--sums=none/s.npy"], 1, "none/s.npy"),
                                  (["--sums=s", "--keys=values.npy", "--chunk-bytes=20"], 1, "--sums of segments"),
                                  (["--sums=s", "--segment-offsets=wrong.npy"], 1, "wrong.npy: offset 1 is 2")):
            with self.subTest(words=words):
                self.refuse("scan", "values.npy", "out.npy", *words, cwd=self.folder, code=code, says=says)


class Initials(WithNumPy):
    """One for each row or segment, from a file."""

    SHAPE = (5, 6, 70)

    def rows(self):
        self.npy(values="(numpy.arange(5 * 6 * 70, dtype='i2') * 7 % 23 - 9).reshape(5, 6, 70)", **{
            "initials%d" % axis: "(numpy.arange(%d) * 31 %% 1000).astype('i4').reshape(%s)"
            % (2100 // self.SHAPE[axis], self.SHAPE[:axis] + self.SHAPE[axis + 1:]) for axis in range(3)})  # fmt: skip

    def scanned(self, axis, exclusive=False, reverse=False):
        turn = "[..., ::-1]" if reverse else ""
        return ("numpy.moveaxis(numpy.cumsum(numpy.concatenate([initials, values%s], -1), -1, 'i4')[..., %s]%s, -1, %d)"
                % (turn, ":-1" if exclusive else "1:", turn, axis))

    def test_rows(self):
        """Along any axis, rows that fit a chunk and rows that do not, in all forms."""
        self.rows()
        for axis in range(3):
            load = ("values = numpy.moveaxis(numpy.load('values.npy').astype('i4'), %d, -1)" % axis,
                    "initials = numpy.load('initials%d.npy')[..., None]" % axis)
            for reverse, chunk in itertools.product((False, True), (None, *((), (3400,), (1600, 200))[axis])):
                with self.subTest(axis=axis, reverse=reverse, chunk=chunk):
                    words = ["--axis=%d" % axis, "--output-type=int32", "--initials=initials%d.npy" % axis]
                    words += ["--reverse", "--exclusive"] if reverse else []
                    words += ["--chunk-bytes=%d" % chunk] if chunk else []
                    self.scan("values.npy", "out.npy", "--sums=sums.npy", *words)
                    self.same("out.npy", self.scanned(axis, reverse, reverse), *load)
                    self.same("sums.npy", "values.sum(-1, 'i4') + initials[..., 0]", *load)
                    if reverse or chunk == 200:
                        continue
                    self.reduce("values.npy", "--sums=sums.npy", *words)
                    self.same("sums.npy", "values.sum(-1, 'i4') + initials[..., 0]", *load)

    def test_fortran_order(self):
        """Of all files: the shapes are as in C order. One dimension is the same either way."""
        self.rows()
        self.numpy("for name in ('values', 'initials0', 'initials1', 'initials2'):",
                   "    numpy.save(name + 'f.npy', numpy.asfortranarray(numpy.load(name + '.npy')))")
        for axis in range(3):
            load = ("values = numpy.moveaxis(numpy.load('values.npy').astype('i4'), %d, -1)" % axis,
                    "initials = numpy.load('initials%d.npy')[..., None]" % axis)
            words = ["--axis=%d" % axis, "--initials=initials%df.npy" % axis, "--output-type=int32", "--sums=sums.npy"]
            self.scan("valuesf.npy", "out.npy", *words)
            self.same("out.npy", self.scanned(axis), *load)
            self.same("sums.npy", "values.sum(-1, 'i4') + initials[..., 0]", *load)
            self.reduce("valuesf.npy", *words)
            self.same("sums.npy", "values.sum(-1, 'i4') + initials[..., 0]", *load)
            self.scan("valuesf.npy", "out.npy", "--axis=%d" % axis, "--offsets", "--output-type=int32",
                      "--load=element")  # values are no lengths, which would not be negative
            self.same("out.npy", "numpy.cumsum(numpy.insert(numpy.load('values.npy'), 0, 0, %d), %d, 'i4')"
                      % (axis, axis))
            self.scan("valuesf.npy", "out.npy", "--axis=%d" % axis, "--load=index")
            self.same("out.npy", "numpy.cumsum(numpy.indices((5, 6, 70))[%d], %d, 'i2')" % (axis, axis))
        self.refuse("scan", "valuesf.npy", "out.npy", "--axis=0", "--output-type=int32", "--initials=initials0.npy",
                    cwd=self.folder, says=["initials0.npy", "valuesf.npy", "order"])

    def test_fortran_order_of_one_row(self):
        """Where elements have one order, that of a matrix in Fortran order is another; else it does not matter."""
        self.npy(values="numpy.asfortranarray(numpy.arange(6, dtype='i4').reshape(2, 3))",
                 row="numpy.arange(6, dtype='i4')", pairs="numpy.zeros((2, 3), 'i4,i4', order='F')",
                 flags="numpy.zeros((2, 3), 'u1', order='F')")  # fmt: skip
        self.assertEqual(self.reduce("values.npy", "--op=max", "--init=-1"), "5\n")
        for words in (["scan", "values.npy", "out.npy", "--flatten"], ["reduce", "values.npy", "--load=index"],
                      ["reduce", "values.npy", "--keys=row.npy", "--sums=sums.npy"],
                      ["reduce", "pairs.npy", "--struct=int2"], ["select", "values.npy", "out.npy"],
                      ["repeat", "values.npy", "out.npy", "--lengths=row.npy"],
                      ["select", "row.npy", "out.npy", "--column=values.npy:out2.npy"],
                      ["select", "row.npy", "out.npy", "--flags=flags.npy"],
                      ["repeat", "row.npy", "out.npy", "--lengths=flags.npy"],
                      ["scan", "row.npy", "out.npy", "--segment-flags=flags.npy"],
                      ["scan", "row.npy", "out.npy", "--segment-offsets=row.npy", "--initials=values.npy"]):
            with self.subTest(words=words):
                self.refuse(*words, cwd=self.folder, says=["Fortran order", ".npy: "])

    def test_check(self):
        """With a serial scan, each row from its own initial value."""
        self.npy(values="numpy.arange(60, dtype='i4').reshape(5, 12)", initials="numpy.arange(5, dtype='i4') * 100",
                 pairs="numpy.arange(120, dtype='i4').view('i4,i4').reshape(5, 12)",
                 starts="(numpy.arange(10, dtype='i4') * 7).view('i4,i4')")
        for more in ([], ["--reverse"], ["--chunk-bytes=28"], ["--chunk-bytes=28", "--reverse"]):
            for maps in ([], ["--load=element + index", "--store=sum + index"]):
                said = self.scan("values.npy", "out.npy", "--initials=initials.npy", "--check", *maps, *more)
                self.assertIn("60 of 60 elements compared", said)
            said = self.scan("pairs.npy", "out.npy", "--struct=int2", "--initials=starts.npy", "--check", *more)
            self.assertIn("60 of 60 elements compared", said)
        self.scan("pairs.npy", "out.npy", "--struct=int2", "--initials=starts.npy")
        self.same("out.npy", "(numpy.cumsum(numpy.load('pairs.npy').view('i4').reshape(5, 12, 2), 1, 'i4') + "
                  "numpy.load('starts.npy').view('i4').reshape(5, 1, 2)).reshape(5, 24).view('i4,i4')")

    def test_one_row(self):
        """A scalar or an array of one; raw; of half a float, from a pipe."""
        self.npy(values="numpy.arange(1000, dtype='f2') % 3", scalar="numpy.float32(1000.5)",
                 one="numpy.array([1000.5], 'f4')", matrix="numpy.zeros((1, 1), 'f4')")
        self.write("one.raw", struct.pack("<f", 1000.5))
        for file in ("scalar.npy", "one.npy", "one.raw"):
            for chunk in ("1M", "200"):
                self.scan("values.npy", "out.npy", "--initials", file, "--output-type=float", "--chunk-bytes", chunk)
                self.same("out.npy", "numpy.cumsum(numpy.load('values.npy'), dtype='f4') + numpy.float32(1000.5)")
        self.scan("-", "out.npy", "--type=half", "--initials=one.raw", "--sums=sums.npy", "--reverse",
                  input=struct.pack("<4e", 1, 2, 3, 4))
        self.same("sums.npy", "numpy.float32(1010.5)")
        self.scan("-", "out.npy", "--type=float", "--initials=one.raw", "--sums=sums.npy", "--reproducible",
                  "--chunk-bytes=2^18", input=struct.pack("<100000f", *[1] * 100000))
        self.same("sums.npy", "numpy.float32(101000.5)")
        self.reduce("values.npy", "--axis=0", "--initials=one.npy", "--sums=sums.npy")
        self.same("sums.npy", "numpy.load('values.npy').sum(dtype='f4') + numpy.float32(1000.5)")
        self.refuse("scan", "values.npy", "out.npy", "--initials=matrix.npy", cwd=self.folder,
                    says="matrix.npy has shape (1, 1); the rows of values.npy have ()")

    def test_nothing(self):
        self.npy(values="numpy.zeros((3, 0), 'i4')", initials="numpy.array([7, 8, 9], 'i4')",
                 none="numpy.zeros((0, 4), 'i4')", nothing="numpy.zeros(0, 'i4')")
        self.scan("values.npy", "out.npy", "--initials=initials.npy", "--sums=sums.npy")
        self.same("sums.npy", "numpy.array([7, 8, 9], 'i4')")
        self.reduce("values.npy", "--axis=1", "--initials=initials.npy", "--sums=sums.npy")
        self.same("sums.npy", "numpy.array([7, 8, 9], 'i4')")
        for words in (["scan", "none.npy", "out.npy"], ["reduce", "none.npy", "--axis=1"]):
            self.succeed(*words, "--initials=nothing.npy", "--sums=sums.npy", cwd=self.folder)
            self.same("sums.npy", "numpy.zeros(0, 'i4')")

    def test_segments(self):
        self.npy(values="numpy.arange(1003, dtype='i4') * 7 % 23 - 9", flags="numpy.arange(1003) * 5 % 13 == 3")
        self.numpy("flags = numpy.load('flags.npy')", "numpy.packbits(flags, bitorder='little').tofile('bits.raw')",
                   "flags[0] = True", "begins = numpy.flatnonzero(flags)",
                   "numpy.save('keys.npy', numpy.cumsum(flags).astype('f4'))",
                   "numpy.save('offsets.npy', numpy.append(begins, 1003))",
                   "numpy.save('initials.npy', (numpy.arange(len(begins)) * 31 % 1000).astype('i4'))")
        load = (*LOAD, "lengths = numpy.diff(begins, append=1003)", "initials = numpy.load('initials.npy')",
                "own = numpy.repeat(initials, lengths)")
        reverse = ("numpy.concatenate([numpy.cumsum(part[::-1], dtype='i4')[::-1] for part in "
                   "numpy.split(values, begins[1:])]) - values + own")
        ways = (["--segment-flags=flags.npy"], ["--segment-bits=bits.raw"], ["--segment-offsets=offsets.npy"],
                ["--keys=keys.npy"], ["--keys=keys.npy", "--equal=left == right"])
        for way in takes(ways, 1):  # and offsets below
            with self.subTest(way=way):
                self.scan("values.npy", "out.npy", "--initials=initials.npy", "--stats", *way)
                self.same("out.npy", SCANNED + " + own", *load)
                self.scan("values.npy", "out.npy", "--initials=initials.npy", "--sums=sums.npy", "--reverse",
                          "--exclusive", *way)
                self.same("out.npy", reverse, *load)
                self.same("sums.npy", SUMS + " + initials", *load)
                self.reduce("values.npy", "--initials=initials.npy", "--sums=sums.npy", *way)
                self.same("sums.npy", SUMS + " + initials", *load)
        self.npy(offsets="numpy.array([5, 5, 9])", initials="numpy.array([100, 200], 'i4')")
        self.scan("values.npy", "out.npy", "--segment-offsets=offsets.npy", "--initials=initials.npy")
        self.same("out.npy", "numpy.concatenate([values[:5].cumsum(dtype='i4'), values[5:9].cumsum(dtype='i4') + 200, "
                  "values[9:].cumsum(dtype='i4')]).astype('i4')", *LOAD)
        self.reduce("values.npy", "--segment-offsets=offsets.npy", "--initials=initials.npy", "--sums=sums.npy")
        self.same("sums.npy", "numpy.array([100, 200 + values[5:9].sum()], 'i4')", *LOAD)

    def test_bad_input(self):
        self.npy(values="numpy.arange(12, dtype='i4').reshape(3, 4)", row="numpy.arange(10, dtype='i4')",
                 three="numpy.zeros(3, 'i4')", column="numpy.zeros((3, 1), 'i4')", wide="numpy.zeros(3, 'i8')",
                 pairs="numpy.zeros(3, 'i4,i4')", offsets="numpy.array([0, 4, 10])")
        self.write("bad.raw", bytes(13))
        rows = [("values.npy", [], "four.npy", "four.npy: No such file"),
                ("values.npy", ["--axis=0"], "three.npy", "three.npy has 3 initial values, values.npy has 4 rows"),
                ("values.npy", ["--axis=1"], "column.npy", "has shape (3, 1); the rows of values.npy have (3,)"),
                ("values.npy", ["--axis=1"], "wide.npy", "its elements are int64; these initial values are int32"),
                ("values.npy", ["--axis=1", "--output-type=float"], "three.npy", "three.npy: its elements are int32"),
                ("values.npy", ["--axis=1"], "pairs.npy", "pairs.npy"),
                ("values.npy", ["--axis=1"], "bad.raw", "bad.raw: its 13 bytes"),
                ("row.npy", ["--keys=row.npy"], "three.npy", "three.npy has 3 initial values, row.npy has 10 segments"),
                ("row.npy", ["--segment-offsets=offsets.npy"], "three.npy", "3 initial values, row.npy has 2 segments"),
                ("row.npy", ["--keys=row.npy", "--chunk-bytes=20"], "row.npy", "--initials of segments"),
                ("row.npy", ["--keys=row.npy"], "out.npy", "out.npy")]
        for source, words, file, says in rows:
            for command in (["scan", source, "out.npy"], ["reduce", source, "--sums=out.npy"]):
                with self.subTest(command=command, words=words, file=file):
                    if words or command[0] == "scan":
                        self.refuse(*command, *words, "--initials", file, cwd=self.folder, says=[file, says])
        self.refuse("scan", "values.npy", "three.npy", "--initials=three.npy", cwd=self.folder,
                    says="--initials and OUT are the same file")
        for words, says in ((["--init=3"], "--init and --initials"),
                            (["--devices=0,0", "--flatten"], "--devices")):
            self.refuse("scan", "values.npy", "out.npy", "--initials=three.npy", *words, cwd=self.folder, code=2,
                        says=says)
        self.refuse("scan", "-", "out.npy", "--initials=-", cwd=self.folder, code=2, says="standard input", input=b"")
        self.refuse("scan", "row.npy", "out.npy", "--initials=-", "--keys=-", cwd=self.folder, code=2,
                    says="standard input", input=b"")
        self.refuse("reduce", "row.npy", "--initials=three.npy", cwd=self.folder, code=2, says="--init")


class Offsets(WithNumPy):
    """One more along the axis."""

    OFFSETS = "numpy.insert(numpy.cumsum(values, %d, 'u4'), 0, 0, %d)"

    def test_axes(self):
        """Rows, columns and what lies between, in one chunk and in several, also of parts of rows."""
        self.npy(values="(numpy.arange(5 * 6 * 70) * 7 % 23).astype('u1').reshape(5, 6, 70)")
        load = "values = numpy.load('values.npy')"
        for axis, chunks in ((0, ([],)), (1, ([], ["--chunk-bytes=3000"])),
                             (-1, ([], ["--chunk-bytes=700"], ["--chunk-bytes=100"], ["--chunk-bytes=175"],
                                  ["--chunk-bytes=345"]))):
            for more in chunks:
                with self.subTest(axis=axis, more=more):
                    words = ("values.npy", "out.npy", "--offsets", "--output-type=uint32", "--axis=%d" % axis, *more,
                             *(["--check"] if axis == -1 else []))
                    self.scan(*words, "--stats")
                    self.same("out.npy", self.OFFSETS % (axis, axis), load)
                    self.scan(*words, "--init=5", "--load=element * 2")
                    self.same("out.npy", self.OFFSETS % (axis, axis) + " * numpy.uint32(2) + numpy.uint32(5)", load)
                    self.scan(*words, "--op=max")
                    self.same("out.npy", "numpy.insert(numpy.maximum.accumulate(values.astype('u4'), %d), 0, 0, %d)"
                              % (axis, axis), load)

    def test_initials(self):
        self.npy(values="numpy.arange(60, dtype='i4').reshape(3, 4, 5)", initials="numpy.arange(15).astype('i4') * 100",
                 row="numpy.arange(7, dtype='i4')", one="numpy.array(9, 'i4')",
                 rows="numpy.arange(12, dtype='i4').reshape(3, 4) * 50")
        self.numpy("numpy.save('initials.npy', numpy.load('initials.npy').reshape(3, 5))")
        self.scan("values.npy", "out.npy", "--offsets", "--axis=1", "--initials=initials.npy")
        self.same("out.npy", "numpy.cumsum(numpy.insert(values, 0, numpy.load('initials.npy'), 1), 1, dtype='i4')",
                  "values = numpy.load('values.npy')")
        for chunk in ("1M", "24"):  # also of parts of rows
            self.scan("values.npy", "out.npy", "--offsets", "--initials=rows.npy", "--chunk-bytes=" + chunk)
            self.same("out.npy", "numpy.cumsum(numpy.insert(values, 0, numpy.load('rows.npy'), 2), 2, dtype='i4')",
                      "values = numpy.load('values.npy')")
        self.scan("row.npy", "out.npy", "--offsets", "--initials=one.npy", "--check")
        self.same("out.npy", "numpy.array([9, 9, 10, 12, 15, 19, 24, 30], 'i4')")

    def test_pipes_and_one_row(self):
        self.npy(values="numpy.arange(12, dtype='i8').reshape(3, 4)", row="numpy.ones((1, 9), 'i8')")
        for axis, more in ((0, ()), (1, ()), (1, ("--chunk-bytes=30",))):
            done = self.run_command("scan", "-", "-", "--offsets", "--axis=%d" % axis, *more,
                                    input=self.read("values.npy"))
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            self.write("out.npy", done.stdout)
            self.same("out.npy", "numpy.insert(numpy.cumsum(numpy.load('values.npy'), %d), 0, 0, %d)" % (axis, axis))
        self.scan("row.npy", "out.npy", "--offsets")
        self.same("out.npy", "numpy.arange(10).reshape(1, 10)")
        self.scan("row.npy", "out.npy", "--offsets", "--axis=0")
        self.same("out.npy", "numpy.insert(numpy.ones((1, 9), 'i8'), 0, 0, 0)")
        self.scan("values.npy", "out.npy", "--offsets", "--flatten")
        self.same("out.npy", "numpy.insert(numpy.cumsum(numpy.arange(12)), 0, 0)")

    def test_nothing(self):
        """Offsets of no lengths are the initial value."""
        for shape, axis, wanted in (("(0,)", 0, "(1,)"), ("(3, 0)", 1, "(3, 1)"), ("(0, 4)", 1, "(0, 5)"),
                                    ("(0, 4)", 0, "(1, 4)"), ("(2, 0, 3)", 1, "(2, 1, 3)")):  # fmt: skip
            with self.subTest(shape=shape, axis=axis):
                self.npy(values="numpy.zeros(%s, 'i4')" % shape)
                self.scan("values.npy", "out.npy", "--op=mul", "--offsets", "--axis=%d" % axis,
                          *(["--check"] if shape in ("(0,)", "(3, 0)") else []))
                self.same("out.npy", "numpy.ones(%s, 'i4')" % wanted)
        self.npy(initials="numpy.array([[1, 2, 3], [4, 5, 6]], 'i4')")
        self.scan("values.npy", "out.npy", "--offsets", "--axis=1", "--initials=initials.npy")
        self.same("out.npy", "numpy.array([[[1, 2, 3]], [[4, 5, 6]]], 'i4')")

    def test_what_is_refused(self):
        """Also offsets that wrap, of any row and column, in any chunk."""
        self.npy(values="numpy.ones((50, 4, 30), 'u1')")
        self.numpy("a = numpy.load('values.npy')", "a[7, 2:, 20] = 128", "numpy.save('wrong.npy', a)")
        self.numpy("a = numpy.load('values.npy')", "a[7, 2, 28:] = 128", "numpy.save('total.npy', a)",
                   "a[6, 0, 3:6] = 128", "numpy.save('within.npy', a)")
        for words, code, says in ((["values.npy", "--in-place"], 1, "--in-place"),
                                  (["values.npy", "--axis=0", "--chunk-bytes=2000"], 1, "--chunk-bytes"),
                                  (["values.npy", "--sums=sums.npy"], 2, "--sums"),
                                  (["wrong.npy", "--axis=1"], 1, "wrong.npy: offset %d is too large for uint8"
                                   % (7 * 150 + 4 * 30 + 20)),
                                  (["wrong.npy", "--axis=1", "--chunk-bytes=300"], 1, "wrong.npy: offset 1190 is"),
                                  *((["total.npy", *more], 1, "total.npy: offset %d is too large" % (30 * 31 + 30))
                                    for more in ((), ("--chunk-bytes=20",), ("--chunk-bytes=28",))),
                                  *((["within.npy", *more], 1, "within.npy: offset %d is too large" % (24 * 31 + 5))
                                    for more in ((), ("--chunk-bytes=20",), ("--chunk-bytes=28",))),
                                  (["wrong.npy", "--axis=0", "--init=100"], 1, "wrong.npy: offset %d is"
                                   % (29 * 120 + 80))):
            with self.subTest(words=words):
                self.refuse("scan", words[0], "out.npy", "--offsets", *words[1:], cwd=self.folder, code=code, says=says)


class Structs(WithNumPy):
    """Reduced by operators of their own, which do not commute: x -> a x + b, of whole numbers."""

    # What NumPy makes of the elements in the last dimension.
    REDUCED = ("def reduced(elements, initial=(1, 0)):",
               "    a, b = (numpy.full(elements.shape[:-1], number, 'f4') for number in initial)",
               "    for i in range(elements.shape[-1]):",
               "        step = elements[..., i]",
               "        a, b = step['a'] * a, step['a'] * b + step['b']",
               "    pairs = numpy.empty(a.shape, elements.dtype)",
               "    pairs['a'], pairs['b'] = a, b",
               "    return pairs")  # fmt: skip

    def steps(self):
        self.numpy("steps = numpy.empty((5, 6, 70), [('a', '<f4'), ('b', '<f4')])",
                   "i = numpy.arange(2100).reshape(5, 6, 70)", "steps['a'], steps['b'] = 1 - 2 * (i % 5 == 0), i % 7",
                   "numpy.save('steps.npy', steps)", "numpy.save('row.npy', steps.ravel())", "steps.tofile('row.raw')",
                   "numpy.save('initials.npy', steps[0])", "numpy.save('offsets.npy', [0, 0, 9, 700, 700, 2000])",
                   "numpy.save('keys.npy', numpy.arange(2100) // 300)")

    def test_value(self):
        """In any chunks, from a file or a pipe; one number for each field, as --init takes them."""
        self.steps()
        self.numpy(*self.REDUCED, "value = reduced(numpy.load('row.npy'), (2, -3))",
                   "open('value', 'w').write('%g,%g' % (value['a'], value['b']))")
        value = self.read("value").decode()
        for words in (["steps.npy"], ["row.npy", "--chunk-bytes=56"], ["row.raw", "--chunk-bytes=4000"]):
            self.assertEqual(self.reduce(*words, "--struct=affine_float", "--init=2,-3"), value + "\n")
        self.assertEqual(self.succeed("reduce", "-", "--struct=affine_float", "--init=2,-3", "--chunk-bytes=4000",
                                      input=self.read("row.npy")), value + "\n")
        said = json.loads(self.reduce("row.npy", "--struct=affine_float", "--init=2,-3", "--json"))
        self.assertEqual((said["value"], said["type"], said["op"], said["count"]),
                         ([float(field) for field in value.split(",")], "affine_float", "custom", 2100))
        self.npy(none="numpy.zeros(0, 'f4,f4')")
        self.assertEqual(self.reduce("none.npy", "--struct=affine_float"), "1,0\n")

    def test_vectors(self):
        self.npy(values="(numpy.arange(4000, dtype='i8') * 7919 % 1009 * 2**50).view('i8,i8,i8,i8')")
        self.numpy("columns = numpy.load('values.npy').view('i8').reshape(-1, 4)",
                   "open('most', 'w').write(','.join(str(i) for i in columns.max(0)))")
        for more in ([], ["--chunk-bytes=992"]):
            said = self.reduce("values.npy", "--struct=long4", "--op=max", *more)
            self.assertEqual(said, self.read("most").decode() + "\n")
        said = json.loads(self.reduce("values.npy", "--struct=long4", "--op=max", "--json"))
        self.assertEqual((said["type"], said["op"]), ("long4", "max"))
        self.assertEqual(",".join(map(str, said["value"])), self.read("most").decode())

    def test_described(self):
        """By an element file: the value is the last output of a scan."""
        drift = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fixtures/elements/drift.json")
        self.write("in.raw", struct.pack("<300f", *[i % 3 / 4 for i in range(300)]))
        self.scan("in.raw", "out.raw", "--struct", drift)
        last = self.read("out.raw")[-12:]
        fields = self.reduce("in.raw", "--struct", drift, "--chunk-bytes=240").split(",")
        self.assertEqual(len(fields), 3)
        self.reduce("in.raw", "--struct", drift, "--axis=0", "--sums=sums.raw")
        self.assertEqual(len(self.read("sums.raw")), 12)
        for ours, theirs in zip(struct.unpack("<3f", self.read("sums.raw")), struct.unpack("<3f", last)):
            self.assertAlmostEqual(ours, theirs, delta=1e-3 * max(1, abs(theirs)))

    def test_rows(self):
        self.steps()
        for axis in (0, 1, -1):
            with self.subTest(axis=axis):
                self.reduce("steps.npy", "--struct=affine_float", "--axis=%d" % axis, "--sums=sums.npy")
                self.same("sums.npy", "reduced(numpy.moveaxis(numpy.load('steps.npy'), %d, -1))" % axis, *self.REDUCED)
        self.reduce("steps.npy", "--struct=affine_float", "--axis=0", "--sums=sums.npy", "--initials=initials.npy")
        self.same("sums.npy", "reduced(numpy.concatenate([numpy.load('initials.npy')[..., None], "
                  "numpy.moveaxis(numpy.load('steps.npy'), 0, -1)], -1))", *self.REDUCED)

    def test_segments(self):
        """In one chunk and in several; some are empty."""
        self.steps()
        load = (*self.REDUCED, "row, bounds = numpy.load('row.npy'), numpy.load('offsets.npy')",
                "def of(bounds, initial): return numpy.array("
                "[reduced(row[a:b], initial) for a, b in zip(bounds, bounds[1:])], row.dtype)")
        for more in ([], ["--chunk-bytes=400"], ["--chunk-bytes=8"]):
            for initial in ((1, 0), (2, -3)):
                with self.subTest(more=more, initial=initial):
                    words = ["--struct=affine_float", "--sums=sums.npy", *more]
                    words += ["--init=2,-3"] if initial[0] == 2 else []
                    self.assertEqual(self.reduce("row.npy", "--segment-offsets=offsets.npy", *words), "5\n")
                    self.same("sums.npy", "of(bounds, %s)" % (initial,), *load)
                    self.reduce("row.npy", "--keys=keys.npy", "--out-keys=out_keys.npy", *words)
                    self.same("sums.npy", "of(range(0, 2101, 300), %s)" % (initial,), *load)
                    self.same("out_keys.npy", "numpy.arange(7)")
        said = json.loads(self.reduce("row.npy", "--keys=keys.npy", "--struct=affine_float", "--sums=sums.npy",
                                      "--json"))
        self.assertEqual((said["segments"], said["type"]), (7, "affine_float"))
        self.reduce("row.npy", "--keys=keys.npy", "--struct=affine_float", "--load=(affine_float){1, 2}",
                    "--sums=sums.npy")
        self.same("sums.npy", "numpy.array([(1, 2 * numpy.count_nonzero(keys == k)) for k in range(7)], found.dtype)",
                  "keys = numpy.load('keys.npy')", "found = numpy.load('sums.npy')")

    def test_bad_input(self):
        self.steps()
        self.npy(floats="numpy.zeros(3, 'f4')", wrong="numpy.zeros(6, 'f4,i4')")
        for words, says in ((["--op=add"], "--op"), (["--type=float"], ".npy"), (["--reproducible"], "reproducible"),
                            (["--output-type=float"], "--output-type"), (["--init=1"], "2 numbers"),
                            (["--struct=affine"], "affine_float")):
            with self.subTest(words=words):
                self.refuse("reduce", "row.npy", "--struct=affine_float", *words, cwd=self.folder, code=2, says=says)
        for file in ("floats.npy", "wrong.npy"):
            self.refuse("reduce", file, "--struct=affine_float", cwd=self.folder, says=[file, "affine_float has"])
        self.refuse("reduce", "row.raw", "--struct=affine_float", "--type=float", cwd=self.folder, code=2,
                    says="--type")
        self.refuse("reduce", "row.npy", "--struct=float2", "--op=xor", cwd=self.folder, code=2, says="integers")
        self.refuse("reduce", "row.npy", cwd=self.folder, says="row.npy")
        for file, says in (("wrong.npy", "affine_float has"),
                           ("row.npy", "2100 initial values, steps.npy has 30 rows")):
            self.refuse("reduce", "steps.npy", "--struct=affine_float", "--axis=2", "--sums=sums.npy", "--initials",
                        file, cwd=self.folder, says=[file, says])


if __name__ == "__main__":
    unittest.main()
