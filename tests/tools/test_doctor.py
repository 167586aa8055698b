"""clscan doctor: a driver that crashes or hangs ends a child only, and the switch that helps is named.

CLSCAN_COMMAND names the program, CLSCAN_CRASH_LAYER a layer of the OpenCL loader that crashes on words in the source of
programs (tests/support/crash_layer.c).
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

COMMAND = os.environ.get("CLSCAN_COMMAND", "clscan")
LAYER = os.environ["CLSCAN_CRASH_LAYER"]

# Files of which a program is made.
EVERYTHING = "elements/types.cl"
WAITING = "carries/chain.cl"
SUB_GROUPS = "group_scans/subgroup.cl"

SIZES = {"work_group_size": 64, "vector_length": 1, "register_pieces": 4, "local_pieces": 0}
SHUFFLES = dict(SIZES, body="strided", group_scan="subgroup", carry="single")
CHAIN = dict(SIZES, body="strided", group_scan="kogge_stone", carry="adjacent", order="dynamic",
             tiles_per_work_group=1, poll_delay=0)


class Doctor(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        devices = json.loads(subprocess.run([COMMAND, "devices", "--json"], stdout=subprocess.PIPE, check=True,
                                            timeout=1800).stdout)["devices"]
        self.device = next(device for device in devices if device["default"])

    def doctor(self, *words, **environment):
        """On the default device: exit code, verdicts by name of the check, the whole output."""
        done = subprocess.run([COMMAND, "doctor", "--device", str(self.device["index"]), *words],
                              env={**os.environ, "OPENCL_LAYERS": LAYER, **environment}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1800, check=False)
        verdicts = {}
        for line in done.stdout.splitlines():
            verdict, name = line[2:10].strip(), line[12:].split(":")[0]
            if line.startswith("  ") and verdict in ("works", "not used", "FAILS", "WRONG", "CRASHES", "HANGS"):
                verdicts[name] = verdict
        return done.returncode, verdicts, done.stdout

    def config(self, small, large):
        """A config whose small and large counts of 4 bytes have these variants."""
        path = pathlib.Path(self.folder.name) / "config.json"
        path.write_text(json.dumps({
            "schema_version": 1,
            "match": self.device["key"],
            "provenance": {"origin": "hand-set", "date": "2026-01-31"},
            "entries": [{"operation": "scan", "element_size_bytes": 4, "operator_class": "builtin",
                         "reproducible": False, "largest_count": largest, "variant": variant}
                        for largest, variant in ((100000, small), (None, large))],
        }), encoding="utf-8")
        return str(path)

    def require_waiting(self):
        if self.device["mechanism"] == "none" or self.device["progress"] == "unknown":
            self.skipTest("no work-group may wait on this device")

    def test_a_device_that_works(self):
        code, verdicts, output = self.doctor("--only", "scan of uint32")
        self.assertEqual((code, verdicts), (0, {"scan of uint32": "works"}), output)

    def test_what_is_not_needed_may_crash(self):
        code, verdicts, output = self.doctor("--only", "group scan", CLSCAN_TEST_CRASH=SUB_GROUPS)
        self.assertEqual((code, verdicts), (0, {"group scan subgroup": "CRASHES"}), output)
        self.assertIn("signal 6", output)

    def test_each_switch_is_found(self):
        self.require_waiting()
        both = self.config(SHUFFLES, CHAIN)
        for crash, helps in ((SUB_GROUPS, "Set CLSCAN_SUB_GROUPS=off:"), (WAITING, "Set CLSCAN_WAITING=off:"),
                             (SUB_GROUPS + "," + WAITING, "Set CLSCAN_SUB_GROUPS=off and CLSCAN_WAITING=off:")):
            with self.subTest(crash=crash):
                code, verdicts, output = self.doctor("--only", "scan of int32", CLSCAN_TEST_CRASH=crash,
                                                     CLSCAN_CONFIG=both)
                self.assertEqual((code, verdicts), (1, {"scan of int32": "CRASHES"}), output)
                self.assertIn(helps, output)

    def test_a_switch_that_is_set_helps(self):
        self.require_waiting()
        code, _, output = self.doctor("--only", "scan of int32", CLSCAN_TEST_CRASH=SUB_GROUPS,
                                      CLSCAN_CONFIG=self.config(SHUFFLES, CHAIN), CLSCAN_SUB_GROUPS="off")
        self.assertEqual(code, 0, output)

    def test_nothing_helps(self):
        for how, verdict in (("abort", "CRASHES"), ("exit", "CRASHES"), ("hang", "HANGS")):
            with self.subTest(how=how):
                code, verdicts, output = self.doctor("--only", "scan of int32", "--timeout", "1",
                                                     CLSCAN_TEST_CRASH=EVERYTHING, CLSCAN_TEST_CRASH_HOW=how)
                # On a busy machine, one second may end before the driver is loaded.
                self.assertIn(verdicts["scan of int32"], (verdict, "HANGS"), output)
                self.assertEqual(code, 1)
                self.assertIn("No switch helps", output)

    def test_listing_devices_crashes(self):
        code, verdicts, output = self.doctor(CLSCAN_TEST_CRASH="devices")
        self.assertEqual((code, verdicts), (1, {}))
        self.assertIn("OCL_ICD_VENDORS", output)

    def test_wrong_usage(self):
        for words in (("--timeout", "0"), ("--timeout", "3601"), ("--only", "no such check")):
            with self.subTest(words=words):
                self.assertEqual(self.doctor(*words)[0], 2)


if __name__ == "__main__":
    unittest.main()
