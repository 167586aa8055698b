"""scripts/compare-sorts asks both programs in turn, and believes no sort that makes mistakes."""

import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts/compare-sorts"


class Tests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)

    def write(self, name, ms, mistakes=0, code=0):
        """A program that appends what it is asked to a file, and says how long it took."""
        file = self.build / name
        file.parent.mkdir(exist_ok=True)
        line = f"8 keys of $4 in {ms} ms: 1.0e+09 keys/s; {mistakes} mistakes"
        file.write_text(f'#!/bin/sh\necho "{file.name} $*" >> {self.build}/asked\necho "{line}"\nexit {code}\n')
        file.chmod(0o755)

    def run_script(self, *options):
        return subprocess.run([SCRIPT, "--build", self.build, *options], capture_output=True, text=True, check=False)

    def test_shares(self):
        self.write("examples/clscan_example_sort", "4.000")
        self.write("bench/clscan-sort-cub", "2.000")
        done = self.run_script("--count", "8", "--rounds", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line.split()[-4] for line in done.stdout.splitlines()[1:]], ["0.50"] * 4)
        asked = (self.build / "asked").read_text().splitlines()
        kinds = [f"--count 8 --type {name}{values}" for name in ("uint32", "uint64") for values in ("", " --values")]
        self.assertEqual(asked, [f"{program} {kind}" for kind in kinds for _ in range(2)
                                 for program in ("clscan_example_sort", "clscan-sort-cub")])  # fmt: skip

    def test_mistakes_and_failures(self):
        self.write("examples/clscan_example_sort", "4.000")
        for wrong in ({"mistakes": 1}, {"code": 2}, {"ms": "no"}):
            with self.subTest(wrong=wrong):
                self.write("bench/clscan-sort-cub", **{"ms": "2.000", **wrong})
                done = self.run_script("--count", "8")
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("clscan-sort-cub", done.stderr)

    def test_a_program_that_is_missing(self):
        done = self.run_script("--count", "8")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("clscan_example_sort", done.stderr)


if __name__ == "__main__":
    unittest.main()
