"""Rows and segments of files by clscan scan and clscan reduce, beside what NumPy makes of the same files.

CLSCAN_COMMAND names the program.
"""

import struct
import subprocess
import unittest

from test_command import CommandTest, python_with_numpy


@unittest.skipUnless(python_with_numpy(), "no Python with NumPy")
class WithNumPy(CommandTest):
    def numpy(self, *lines):
        """Run lines of a program in the folder of the test."""
        result = subprocess.run([python_with_numpy(), "-c", "\n".join(["import numpy", *lines])], cwd=self.folder,
                                stderr=subprocess.PIPE, check=False)
        self.assertEqual(result.returncode, 0, result.stderr.decode())

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
        for way in (["--segment-flags=flags.npy"], ["--segment-bits=bits.raw"], ["--segment-offsets=offsets.npy"],
                    ["--keys=keys.npy"], ["--keys=keys.npy", "--equal=left == right"]):
            for more in ([], ["--reverse", "--exclusive", "--stats"]):
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


if __name__ == "__main__":
    unittest.main()
