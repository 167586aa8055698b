"""Sub-groups of a size that kernels require: what the compiler makes of it is looked at.

CLSCAN_COMMAND names the program. Only on devices whose compiler would choose the size, such as Intel's.
"""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

COMMAND = os.environ.get("CLSCAN_COMMAND", "clscan")
KERNELS = pathlib.Path(__file__).resolve().parent.parent.parent / "cl"
COUNT = 1000

SIZES = {"work_group_size": 64, "vector_length": 4, "register_pieces": 2}
SHUFFLES = dict(SIZES, body="subgroup_rows", group_scan="subgroup", carry="single", local_pieces=0)
BARRIERS = dict(SIZES, body="coalesced", group_scan="kogge_stone", carry="single", local_pieces=1, thread_group_size=16)
NEITHER = dict(SIZES, body="strided", group_scan="kogge_stone", carry="single", local_pieces=0)


class SubGroups(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.home = pathlib.Path(self.folder.name)
        self.environment = {**os.environ, "CLSCAN_CACHE": "off"}
        devices = json.loads(self.run_command("devices", "--json").stdout)["devices"]
        self.device = next(device for device in devices if device["default"])
        self.size = self.device["sub_group_size"]
        if not self.size or "cl_intel_required_subgroup_size" not in self.device["extensions"]:
            self.skipTest("the device's sub-groups have no size that kernels require")

    def run_command(self, *words):
        return subprocess.run([COMMAND, *map(str, words)], env=self.environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=1800, check=False)

    def scan(self, variant):
        config = self.home / "config.json"
        config.write_text(json.dumps({
            "schema_version": 1,
            "match": self.device["key"],
            "provenance": {"origin": "hand-set", "date": "2026-01-31"},
            "entries": [{"operation": "scan", "element_size_bytes": 4, "operator_class": "builtin",
                         "reproducible": False, "largest_count": None, "variant": variant}],
        }), encoding="utf-8")
        (self.home / "in.raw").write_bytes(struct.pack("=i", 1) * COUNT)
        done = self.run_command("scan", "--type", "int32", "--config", config, self.home / "in.raw",
                                self.home / "out.raw")
        if done.returncode == 0:
            self.assertEqual((self.home / "out.raw").read_bytes(), struct.pack("=%di" % COUNT, *range(1, COUNT + 1)))
        return done

    def require_half(self):
        """Kernels that require sub-groups of half the size."""
        kernels = self.home / "kernels"
        shutil.copytree(KERNELS, kernels)
        path = kernels / "subgroups/required_size.cl"
        text = path.read_text(encoding="utf-8")
        wanted = "intel_reqd_sub_group_size(CLSCAN_REQUIRED_SUB_GROUP_SIZE)"
        self.assertEqual(text.count(wanted), 1)
        path.write_text(text.replace(wanted, "intel_reqd_sub_group_size(%d)" % (self.size // 2)), encoding="utf-8")
        self.environment["CLSCAN_KERNEL_DIR"] = str(kernels)

    def test_right_results(self):
        for variant in (SHUFFLES, BARRIERS, NEITHER):
            done = self.scan(variant)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_other_sizes_are_refused(self):
        self.require_half()
        for variant in (SHUFFLES, BARRIERS):
            done = self.scan(variant)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("sub-groups of %d" % (self.size // 2), done.stderr)

    def test_what_has_no_sub_groups_goes_on(self):
        self.require_half()
        done = self.scan(NEITHER)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
