"""clscan-mpi from the outside, under mpirun with several ranks.

CLSCAN_MPI_COMMAND names the program, CLSCAN_COMMAND the clscan command, whose results it must have, CLSCAN_MPIEXEC
mpirun with the option that takes the number of ranks, and CLSCAN_FAULT_LAYER a layer of the OpenCL loader that makes
the call fail that CLSCAN_TEST_FAULT says.
"""

import os
import shlex
import subprocess
import unittest

from command_rig import COMMAND, TYPES, CommandTest, expected_scan, npy, npy_of, pack, sample, unpack

PROGRAM = os.environ["CLSCAN_MPI_COMMAND"]
MPIEXEC = shlex.split(os.environ["CLSCAN_MPIEXEC"])


class MpiTest(CommandTest):
    def start(self, ranks, *words):
        # mpirun says much more when a program fails; only lines of the program are looked at. None may hang.
        return subprocess.run([*MPIEXEC, str(ranks), PROGRAM, *words], capture_output=True, text=True, check=False,
                              timeout=300)

    def scan(self, ranks, *words):
        done = self.start(ranks, "scan", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def refuse(self, ranks, code, what, *words):
        """All ranks end with this code, one message says why, and nothing is left."""
        before = sorted(os.listdir(self.folder))
        done = self.start(ranks, "scan", *words)
        said = [line for line in done.stderr.splitlines() if line.startswith("clscan-mpi: ")]
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(len(said), 1, done.stderr)
        self.assertIn(what, said[0])
        self.assertEqual(sorted(os.listdir(self.folder)), before)


class Bench(MpiTest):
    def test_scans_are_timed(self):
        for ranks in (1, 3):
            done = self.start(ranks, "bench", "--sizes", "1,1000,2^14", "--type", "half", "--runs", "4")
            self.assertEqual(done.returncode, 0, done.stderr)
            head, _, names, *rows = done.stdout.splitlines()
            self.assertTrue(head.startswith("%d rank" % ranks), head)
            self.assertEqual(names.split()[:2], ["elements", "median"])
            rows = [[float(word) for word in row.split()] for row in rows]
            self.assertEqual([row[0] for row in rows], [1, 1000, 2**14])
            for _, median, lower, upper, _, alone in rows:
                self.assertTrue(0 < lower <= median <= upper)
                self.assertGreater(alone, 0)

    def test_wrong_usage(self):
        for what, words in (("'0'", ["--sizes", "8,0"]), ("'x'", ["--sizes", "x"]), ("--runs", ["--runs", "0"]),
                            ("'file'", ["file"])):
            done = self.start(2, "bench", *words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(what, done.stderr)

    def test_what_no_device_has(self):
        done = self.start(2, "bench", "--sizes", "2^60")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("elements are more than a buffer", done.stderr)


class Scan(MpiTest):
    def test_numbers_of_ranks(self):
        values = sample("int32", 1003)
        self.write("in.npy", npy_of("int32", values))
        for ranks in (1, 3, 8):
            with self.subTest(ranks=ranks):
                self.scan(ranks, self.path("in.npy"), self.path("out.npy"))
                self.assertEqual(unpack("int32", self.read("out.npy")[128:]), expected_scan("int32", "add", values))
                self.scan(ranks, self.path("in.npy"), self.path("out.raw"))
                self.assertEqual(unpack("int32", self.read("out.raw")), expected_scan("int32", "add", values))

    def test_as_clscan(self):
        """The same files as clscan's, byte by byte."""
        self.write("in.npy", npy_of("int32", sample("int32", 777)))
        self.write("in.raw", pack("double", sample("double", 500)))
        for file, words in (("in.npy", ["--exclusive"]), ("in.npy", ["--reverse", "--op=max"]),
                            ("in.npy", ["--exclusive", "--reverse", "--init=-3"]),
                            ("in.raw", ["--type=double", "--init", "2.5"])):
            with self.subTest(file=file, words=words):
                subprocess.run([COMMAND, "scan", self.path(file), self.path("one.npy"), *words, "--quiet"], check=True)
                self.scan(3, self.path(file), self.path("several.npy"), *words)
                self.assertEqual(self.read("several.npy"), self.read("one.npy"))

    def test_few_elements(self):
        """Ranks without elements, at either end."""
        for count in (0, 1, 2):
            values = sample("int32", count)
            self.write("in.npy", npy_of("int32", values))
            for words in ([], ["--reverse"]):
                with self.subTest(count=count, words=words):
                    self.scan(4, self.path("in.npy"), self.path("out.raw"), *words)
                    self.assertEqual(unpack("int32", self.read("out.raw")),
                                     expected_scan("int32", "add", values, reverse=bool(words)))

    def test_reproducible(self):
        """The bits of one device, whose sums round."""
        values = [((i * 2654435761) % 1000003 - 500000) * 2.0 ** (i % 23 - 11) for i in range(3 * 65536 + 4321)]
        self.write("in.npy", npy_of("float", values))
        for ranks, words in ((3, []), (2, ["--reverse"])):
            with self.subTest(ranks=ranks, words=words):
                subprocess.run([COMMAND, "scan", self.path("in.npy"), self.path("one.npy"), "--reproducible", "--quiet",
                                *words], check=True)
                self.scan(ranks, self.path("in.npy"), self.path("out.npy"), "--reproducible", *words)
                self.assertEqual(self.read("out.npy"), self.read("one.npy"))

    def test_rounds(self):
        """Files that devices do not hold at once: the same bytes, however many rounds they take."""
        self.write("in.npy", npy_of("int32", sample("int32", 1003)))
        self.write("half.npy", npy_of("half", [k % 3 for k in range(500)]))
        for ranks, file, words in ((1, "in.npy", ["--chunk-bytes=400"]), (3, "in.npy", ["--chunk-bytes=4"]),
                                   (3, "in.npy", ["--chunk-bytes=100", "--exclusive", "--reverse", "--init=-3"]),
                                   (2, "in.npy", ["--chunk-bytes=1000", "--op=max", "--reproducible"]),
                                   (2, "half.npy", ["--chunk-bytes=100", "--init=2"])):
            with self.subTest(ranks=ranks, words=words):
                others = [word for word in words if not word.startswith("--chunk")]
                subprocess.run([COMMAND, "scan", self.path(file), self.path("one.npy"), *others, "--quiet"], check=True)
                said = self.scan(ranks, self.path(file), self.path("several.npy"), "--stats", *words)
                self.assertEqual(self.read("several.npy"), self.read("one.npy"))
                self.assertRegex(said, r"(?m)^rounds +[1-9][0-9]*, of up to [0-9]+ bytes on each device$")
                self.assertNotIn("rounds      1,", said)

    def test_reproducible_rounds(self):
        """Rounds end at steps of the order; what is left does not fill all ranks."""
        values = [((i * 2654435761) % 1000003 - 500000) * 2.0 ** (i % 23 - 11) for i in range(7 * 65536 + 4321)]
        self.write("in.npy", npy_of("float", values))
        for ranks, words in ((2, ["--init=0.3"]), (3, ["--reverse", "--exclusive"])):
            with self.subTest(ranks=ranks, words=words):
                subprocess.run([COMMAND, "scan", self.path("in.npy"), self.path("one.npy"), "--reproducible", "--quiet",
                                *words], check=True)
                said = self.scan(ranks, self.path("in.npy"), self.path("out.npy"), "--reproducible", "--stats",
                                 "--chunk-bytes=300000", *words)
                self.assertEqual(self.read("out.npy"), self.read("one.npy"))
                self.assertIn("of up to 262144 bytes", said)
        self.refuse(2, 1, "chunks of 1000 elements", self.path("in.npy"), self.path("new.npy"), "--reproducible",
                    "--chunk-bytes=4000")

    def test_check(self):
        self.write("in.npy", npy_of("float", [0.1] * 5000))
        for words in ([], ["--reverse", "--exclusive", "--init=5"]):
            said = self.scan(2, self.path("in.npy"), self.path("out.npy"), "--check", "--chunk-bytes=1000", *words)
            self.assertRegex(said, r"(?m)^check +5000 of 5000 elements compared with the serial reference: right$")

    def matrix(self, name, type_name, values, shape):
        header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n" % (TYPES[type_name][0], shape)
        self.write(name, npy(header, pack(type_name, values)))

    def test_shapes(self):
        self.matrix("in.npy", "int32", range(6), (2, 3))
        self.scan(2, self.path("in.npy"), self.path("out.raw"))
        self.assertEqual(unpack("int32", self.read("out.raw")), [0, 1, 3, 3, 7, 12])
        self.scan(2, self.path("in.npy"), self.path("out.raw"), "--flatten")
        self.assertEqual(unpack("int32", self.read("out.raw")), [0, 1, 3, 6, 10, 15])
        self.matrix("empty.npy", "int32", [], (5, 0))
        self.scan(2, self.path("empty.npy"), self.path("out.npy"))
        self.assertIn(b"(5, 0)", self.read("out.npy"))

    def test_rows(self):
        """The bytes of clscan: ranks with several rows and with none, in one round and in several, of any shape."""
        self.matrix("few.npy", "int32", sample("int32", 3 * 100), (3, 100))
        self.matrix("many.npy", "int32", sample("int32", 2 * 35 * 7), (2, 35, 7))
        self.matrix("one.npy", "int32", sample("int32", 700), (1, 700))
        for ranks, file, words in ((3, "many.npy", []), (4, "few.npy", ["--reverse", "--exclusive", "--init=-3"]),
                                   (2, "many.npy", ["--chunk-bytes=100", "--op=max", "--exclusive"]),
                                   (3, "many.npy", ["--chunk-bytes=60", "--reverse", "--init=7"]),
                                   (2, "one.npy", [])):  # fmt: skip
            with self.subTest(ranks=ranks, file=file, words=words):
                others = [word for word in words if not word.startswith("--chunk")]
                subprocess.run([COMMAND, "scan", self.path(file), self.path("alone.npy"), *others, "--quiet"],
                               check=True)
                said = self.scan(ranks, self.path(file), self.path("out.npy"), "--check", *words)
                self.assertEqual(self.read("out.npy"), self.read("alone.npy"))
                self.assertRegex(said, r"check +([0-9]+) of \1 elements")
        self.refuse(2, 1, "too small for rows, which have 100", self.path("few.npy"), self.path("new.npy"),
                    "--chunk-bytes=396")  # fmt: skip

    def test_reproducible_rows(self):
        values = [((i * 2654435761) % 1000003 - 500000) * 2.0 ** (i % 23 - 11) for i in range(5 * 7001)]
        self.matrix("in.npy", "float", values, (5, 7001))
        subprocess.run([COMMAND, "scan", self.path("in.npy"), self.path("one.npy"), "--reproducible", "--quiet"],
                       check=True)  # fmt: skip
        self.scan(2, self.path("in.npy"), self.path("out.npy"), "--reproducible", "--chunk-bytes=30000")
        self.assertEqual(self.read("out.npy"), self.read("one.npy"))

    def test_stats(self):
        self.write("in.npy", npy_of("int32", sample("int32", 100)))
        said = self.scan(2, self.path("in.npy"), self.path("out.npy"), "--stats")
        self.assertRegex(said, r"(?m)^ranks +2, the first one on ")
        self.assertRegex(said, r"(?m)^elements +100 int32, 400 bytes$")
        self.assertRegex(said, r"(?m)^slowest +read [0-9.]+ s, scan [0-9.]+ s, write [0-9.]+ s$")
        self.assertRegex(said, r"(?m)^together +[0-9.]+ s$")
        self.assertEqual(said.count("ranks"), 1)


class Refusals(MpiTest):
    def setUp(self):
        super().setUp()
        self.write("in.npy", npy_of("int32", sample("int32", 100)))

    def test_usage(self):
        self.refuse(3, 2, "unknown option", self.path("in.npy"), self.path("out.npy"), "--turbo")
        self.refuse(2, 2, "--init", self.path("in.npy"), self.path("out.npy"), "--init=many")
        self.refuse(2, 2, "OUT", self.path("in.npy"), "")

    def test_files(self):
        self.refuse(3, 1, "missing.npy", self.path("missing.npy"), self.path("out.npy"))
        self.refuse(2, 1, "same file", self.path("in.npy"), self.path("in.npy"))
        self.write("fortran.npy", npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n", bytes(6)))
        self.refuse(2, 1, "Fortran order", self.path("fortran.npy"), self.path("out.npy"))
        self.refuse(2, 1, "no such folder", self.path("in.npy"), self.path("no such folder/out.npy"))
        self.refuse(2, 1, "/dev/null", self.path("in.npy"), "/dev/null")
        self.write("short.npy", npy_of("int32", sample("int32", 100))[:-4])
        self.refuse(2, 1, "short.npy", self.path("short.npy"), self.path("out.npy"))

    def test_devices(self):
        self.refuse(3, 1, "no such device", self.path("in.npy"), self.path("out.npy"), "--device", "no such device")

    def test_output_stays(self):
        """What was there is there after a failure, and permissions stay after a success."""
        self.write("out.raw", b"precious")
        os.chmod(self.path("out.raw"), 0o640)
        self.refuse(2, 1, "no such device", self.path("in.npy"), self.path("out.raw"), "--device=no such device")
        self.assertEqual(self.read("out.raw"), b"precious")
        self.scan(2, self.path("in.npy"), self.path("out.raw"))
        self.assertEqual(os.stat(self.path("out.raw")).st_mode & 0o777, 0o640)


class OneRankAlone(MpiTest):
    """What only one rank meets: it is said once, with that rank's number, all end, and no output appears."""

    def fail(self, rank, prefix, what, *words):
        """`prefix` starts the program on this rank of two."""
        before = sorted(os.listdir(self.folder))
        ranks = [[*(prefix if i == rank else []), PROGRAM, "scan", *words] for i in range(2)]
        done = subprocess.run([*MPIEXEC, "1", *ranks[0], ":", MPIEXEC[-1], "1", *ranks[1]], cwd=self.folder,
                              capture_output=True, text=True, check=False, timeout=300)
        said = [line for line in done.stderr.splitlines() if line.startswith("clscan-mpi: ")]
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(said), 1, done.stderr)
        self.assertTrue(said[0].startswith("clscan-mpi: rank %d: " % rank), said)
        self.assertNotIn("rank", said[0][len("clscan-mpi: rank"):])
        self.assertIn(what, said[0])
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_no_device(self):
        self.write("in.npy", npy_of("int32", sample("int32", 100)))
        self.fail(1, ["env", "OCL_ICD_VENDORS=/no/such/folder"], "", "in.npy", "out.npy")

    def test_short_input(self):
        """A file that is cut short meanwhile, here another one of that name: in the first, a middle and the last of
        five rounds, of which the second rank has the last 100 elements."""
        self.write("in.raw", pack("int32", sample("int32", 1000)))
        os.mkdir(self.path("elsewhere"))
        elsewhere = ["sh", "-c", 'cd "$0" && exec "$@"', self.path("elsewhere")]
        words = ["in.raw", self.path("out.raw"), "--type=int32", "--chunk-bytes=400"]
        self.fail(1, elsewhere, "in.raw: No such file", *words)
        for count, more in ((150, []), (550, []), (990, []), (150, ["--reverse", "--op=max"])):
            with self.subTest(count=count, more=more):
                self.write("elsewhere/in.raw", bytes(4 * count))
                self.fail(1, elsewhere, "in.raw: it became shorter while it was read", *words, *more)

    def test_full_disk(self):
        """Full for one rank before the last half MiB, which leaves room for the files of OpenCL compilers and of MPI.
        That is met at the end of the last round, when nothing else is left to do, in the first one, and where the file
        is made."""
        self.write("in.raw", b"")
        os.truncate(self.path("in.raw"), 32 << 20)
        limited = ["sh", "-c", 'ulimit -f 64512 && exec "$0" "$@"']  # blocks of 512 bytes
        words = ["in.raw", "out.raw", "--type=int32", "--chunk-bytes=8M"]
        for rank, more in ((1, []), (1, ["--reverse"]), (0, [])):
            with self.subTest(rank=rank, more=more):
                self.fail(rank, limited, "out.raw: File too large", *words, *more)

    def test_device(self):
        """An OpenCL call fails before the first round, or in some round of ten."""
        self.write("in.npy", npy_of("int32", sample("int32", 1000)))
        for rank, call, nth in ((1, "clEnqueueMapBuffer", 2), (1, "clEnqueueMapBuffer", 4),
                                (0, "clEnqueueMapBuffer", 8), (1, "clEnqueueMapBuffer", 13), (1, "clFinish", 3),
                                (0, "clEnqueueNDRangeKernel", 9)):
            with self.subTest(rank=rank, call=call, nth=nth):
                self.fail(rank, ["env", "OPENCL_LAYERS=" + os.environ["CLSCAN_FAULT_LAYER"],
                                 "CLSCAN_TEST_FAULT=%s,%d" % (call, nth)], call, "in.npy", "out.npy",
                          "--chunk-bytes=200")
        header = "{'descr': '<i4', 'fortran_order': False, 'shape': (20, 50), }\n"
        self.write("rows.npy", npy(header, pack("int32", sample("int32", 1000))))
        for rank, call, nth in ((1, "clCreateKernel", 1), (1, "clFinish", 3), (0, "clEnqueueNDRangeKernel", 4)):
            with self.subTest(rank=rank, call=call, nth=nth):
                self.fail(rank, ["env", "OPENCL_LAYERS=" + os.environ["CLSCAN_FAULT_LAYER"],
                                 "CLSCAN_TEST_FAULT=%s,%d" % (call, nth)], call, "rows.npy", "out.npy",
                          "--chunk-bytes=200")


class WithoutRanks(unittest.TestCase):
    """Help needs no mpirun."""

    def test_help(self):
        for words, what in ((["--help"], "commands:"), (["scan", "--help"], "--reproducible"),
                            (["--version"], "clscan-mpi ")):
            done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True, timeout=300)
            self.assertIn(what, done.stdout)


if __name__ == "__main__":
    unittest.main()
