"""scripts/test-device runs every test with a device that is there, or says why not."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "scripts/test-device"


def listed(*options):
    return subprocess.run([SCRIPT, "--list", *options], check=True, capture_output=True, text=True).stdout.split()


def left_out():
    block = re.search(r"^left_out=\(\n(.*?)^\)", SCRIPT.read_text(), re.M | re.S).group(1)
    return [name for line in block.splitlines() for name in line.split("#")[0].split()]


class Tests(unittest.TestCase):
    def test_none_is_forgotten(self):
        there = {file.stem.removeprefix("test_") for folder in ("device", "hazards")
                 for file in (ROOT / "tests" / folder).glob("test_*.c")}
        self.assertGreater(len(there), 50)
        self.assertEqual(there - set(left_out()) - set(listed("--large")), set())
        for name in ("rows", "held_rows", "segment_sums", "museum", "device_stage"):
            self.assertIn(name, listed())

    def test_what_is_left_out_is_there(self):
        for name in left_out():
            self.assertTrue((ROOT / f"tests/hazards/test_{name}.c").exists(), name)
            self.assertNotIn(name, listed("--large"))

    def test_large_counts_on_demand(self):
        self.assertEqual(set(listed("--large")) - set(listed()), {"large"})
        self.assertEqual(len(listed()), len(set(listed())))


if __name__ == "__main__":
    unittest.main()
