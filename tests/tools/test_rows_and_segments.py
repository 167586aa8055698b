"""Rows and segments of files by clscan scan and clscan reduce, beside what NumPy makes of the same files.

CLSCAN_COMMAND names the program.
"""

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

    def scan(self, *words):
        return self.succeed("scan", *words, cwd=self.folder)

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


if __name__ == "__main__":
    unittest.main()
