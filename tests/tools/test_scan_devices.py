"""clscan scan --devices: one row over several devices, here the default one several times.

CLSCAN_COMMAND names the program, CLSCAN_FAULT_LAYER a layer of the OpenCL loader that makes calls fail. Results are
compared with those of one device. Most runs have the same problem, since compiling kernels takes most of the time.
"""

import json
import math
import os
import resource
import struct
import subprocess
import unittest

from command_rig import COMMAND, CommandTest, expected_scan, npy, npy_of, pack, sample, unpack

COUNT = 10007
# 4096 bytes are 1024 elements of a part: several blocks of several rounds.
SMALL = "--chunk-bytes=4096"


class ScanDevices(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        listed = json.loads(subprocess.run([COMMAND, "devices", "--json"], check=True, stdout=subprocess.PIPE).stdout)
        device = next(each for each in listed["devices"] if each["default"])
        cls.name = device["name"]
        cls.one = str(device["index"])
        cls.two = "--devices=%s,%s" % (cls.one, cls.one)

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def both(self, *words, devices=None, file="in.npy"):
        """The same bytes as from one device."""
        self.succeed("scan", self.path(file), self.path("one.npy"), "--device", self.one, *words)
        self.succeed("scan", self.path(file), self.path("several.npy"), devices or self.two, "--quiet", *words)
        self.assertEqual(self.bytes_of("several.npy"), self.bytes_of("one.npy"))

    def test_as_one_device(self):
        self.write("in.npy", npy_of("int32", sample("int32", COUNT)))
        self.both(SMALL)
        self.both(SMALL, "--check", "--init=-5")
        self.both(SMALL, devices="--devices=" + self.one)
        self.both(SMALL, "--check", "--reverse", "--exclusive", "--init=7")
        self.both(devices="--devices=%s,%s,%s" % (self.one, self.one, self.one))

    def test_wide_outputs_and_structs(self):
        self.write("in.npy", npy_of("int32", sample("int32", COUNT)))
        self.both(SMALL, "--output-type=int64")
        self.write("in.raw", struct.pack("<8f", 1, 2, -1, 3, 1, 4, -1, 1) * 700)
        self.both("--chunk-bytes=8192", "--struct=affine_float", file="in.raw")

    def test_reproducible(self):
        """Blocks of several parts, which end at steps of 65536 elements, whatever the shares."""
        values = [math.ldexp(k % 1999 - 999, k % 37 - 18) for k in range(10 * 65536 + 777)]
        self.write("in.npy", npy_of("float", values))
        three = "--devices=%s,%s,%s" % (self.one, self.one, self.one)
        self.both("--reproducible", "--chunk-bytes=262144", "--init=0.3")
        self.both("--reproducible", "--chunk-bytes=270000", "--reverse", "--exclusive", devices=three)
        self.both("--reproducible", "--check", devices="--devices=" + self.one)
        self.succeed("scan", self.path("in.npy"), self.path("one.npy"), "--reproducible")
        self.succeed("scan", self.path("in.npy"), self.path("several.npy"), self.two, "--reproducible", "--shares=3,1",
                     "--chunk-bytes=300000", "--quiet")
        self.assertEqual(self.bytes_of("several.npy"), self.bytes_of("one.npy"))
        self.refuse("scan", self.path("in.npy"), self.path("out.npy"), self.two, "--reproducible", SMALL,
                    says="parts of 1024 elements are too small for --reproducible")
        self.write("short.npy", npy_of("float", values[:1000]))
        self.both("--reproducible", SMALL, file="short.npy")

    def test_ends(self):
        for count in (0, 1, 2):
            with self.subTest(count=count):
                self.write("in.npy", npy_of("int32", sample("int32", count)))
                self.both(SMALL)

    def test_stream(self):
        """Raw elements whose number nobody knows, forward and from the end."""
        values = sample("int32", COUNT)
        for words in ([], ["--reverse"]):
            with self.subTest(words=words):
                text = self.run_command("scan", "-", "-", "--type=int32", self.two, SMALL, *words,
                                        input=pack("int32", values))
                self.assertEqual(text.returncode, 0, text.stderr.decode())
                straight = values[::-1] if words else values
                wanted = expected_scan("int32", "add", straight)
                self.assertEqual(unpack("int32", text.stdout), wanted[::-1] if words else wanted)

    def test_all(self):
        """Every device of the machine; and what --stats says of them."""
        self.write("in.npy", npy_of("int32", sample("int32", 100)))
        text = self.succeed("scan", self.path("in.npy"), self.path("out.npy"), "--devices=all", "--stats", "--check")
        for device in json.loads(self.succeed("devices", "--json"))["devices"]:
            self.assertIn("%d: %s\n" % (device["index"], device["name"]), text)

    def test_each_device_is_shown(self):
        self.write("in.npy", npy_of("int32", sample("int32", 8000)))
        done = self.run_command("scan", self.path("in.npy"), self.path("out.npy"), self.two, SMALL, "--shares=3,1",
                                "--stats", "--progress=lines")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        text = done.stdout.decode() + done.stderr.decode()
        self.assertIn("; device 0: 23.4 KiB, 1: 7.8 KiB\n", text)
        for count in (6000, 2000):
            self.assertRegex(text, r"\n +%d elements\n" % count)

    def test_many_devices_are_shown(self):
        self.write("in.npy", npy_of("int32", sample("int32", 19000)))
        many = "--devices=" + ",".join([self.one] * 16)
        for shares, says in (([1] * 16, "; 16 devices: 4.6 KiB each\n"),
                             ([1] * 3 + [4] + [1] * 12, "; 16 devices: 3.9 KiB (device 0) to 15.6 KiB (device 3)\n")):
            with self.subTest(shares=shares):
                done = self.run_command("scan", self.path("in.npy"), self.path("out.npy"), many, "--progress=lines",
                                        "--shares=" + ",".join(map(str, shares)))
                self.assertIn(says, done.stderr.decode())

    def test_blocks_leave_memory(self):
        """Of a stream, whose blocks have all parts that they may."""
        most = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE") // 2
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most))}
        if self.run_command("--version", **limit).returncode != 0:
            self.skipTest("a sanitizer takes more addresses than that")
        self.succeed("scan", "-", "-", "--type=int32", "--quiet", "--devices=" + ",".join([self.one] * 48),
                     input=pack("int32", sample("int32", 100)), stdout=subprocess.DEVNULL, **limit)

    def test_outputs_that_cannot_be_written(self):
        """Reader and writer are threads: nothing hangs."""
        self.write("in.npy", npy_of("int32", sample("int32", COUNT)))
        self.refuse("scan", self.path("in.npy"), "/dev/full", self.two, SMALL, says="/dev/full")

    def test_refused(self):
        self.write("in.npy", npy_of("int32", sample("int32", 100)))
        self.write("flat.npy", npy("{'descr': '<i4', 'fortran_order': False, 'shape': (10, 10), }\n",
                                   pack("int32", sample("int32", 100))))
        scan = ("scan", self.path("in.npy"), self.path("out.npy"))
        for words in (["--device", self.one], ["--offsets"], ["--load=element"], ["--store=sum"], ["--in-place"],
                      ["--segment-offsets=in.npy"]):
            with self.subTest(words=words):
                self.refuse(*scan, self.two, *words, code=2, says=words[0].split("=")[0])
        self.refuse(*scan, "--devices=no such thing," + self.one, says="no such thing")
        self.refuse(*scan, "--devices=%s,no such thing" % self.one, says="no such thing")
        self.refuse(*scan, "--devices=%s,," % self.one, says="--devices '%s,,'" % self.one)
        self.refuse(*scan, "--devices=", code=2, says="--devices")
        self.refuse(*scan, "--devices=" + ",".join([self.one] * 65), says="64")
        self.refuse("scan", self.path("flat.npy"), self.path("out.npy"), self.two, says="--flatten")

    def test_shares(self):
        self.write("in.npy", npy_of("int32", sample("int32", COUNT)))
        self.succeed("scan", self.path("in.npy"), self.path("one.npy"), "--device", self.one)
        for shares in ("3,1", "1,0.25", "1,1e6"):
            with self.subTest(shares=shares):
                self.succeed("scan", self.path("in.npy"), self.path("several.npy"), self.two, SMALL, "--check",
                             "--quiet", "--shares=" + shares)
                self.assertEqual(self.bytes_of("several.npy"), self.bytes_of("one.npy"))
        scan = ("scan", self.path("in.npy"), self.path("out.npy"))
        for shares, says in (("3", "not as many"), ("3,1,1", "not as many"), ("3,", "''"), ("0,1", "'0,1'"),
                             ("1,-1", "'-1'"), ("nan,1", "'nan,1'"), ("1,inf", "'inf'"), ("x,1", "'x,1'"),
                             ("1;1", "'1;1'"), ("1e308,1e308", "sum of weights is inf")):
            with self.subTest(shares=shares):
                self.refuse(*scan, self.two, "--shares=" + shares, says=says)
        self.refuse(*scan, "--shares=1", code=2, says="--shares")

    def test_errors_name_the_device(self):
        """And no device where none has failed."""
        self.write("in.npy", npy_of("float", sample("float", 100)))
        scan = ("scan", self.path("in.npy"), self.path("out.npy"), "--quiet")
        message = self.refuse("scan", self.path("in.npy"), "/dev/full", self.two)
        self.assertNotIn(self.name, message)
        for nth, selector in ((1, self.one), (2, self.name)):
            self.refuse(*scan, "--devices=%s,%s" % (self.one, self.name), says="'%s' of --devices" % selector[:60],
                        env=self.fault("clCreateCommandQueue", nth))
        message = self.refuse(*scan, self.two, says=self.name, env=self.fault("clCreateBuffer", 1))
        self.assertIn("members[0] and args->parts[0] are", message)
        self.assertNotIn("members[1] and args->parts[1] are", message)

    @staticmethod
    def fault(call, nth):
        return {"OPENCL_LAYERS": os.environ["CLSCAN_FAULT_LAYER"], "CLSCAN_TEST_FAULT": "%s,%d" % (call, nth)}


if __name__ == "__main__":
    unittest.main()
