"""scripts/simulate-devices: what it predicts, beside measured figures and sums that are made here."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "scripts/simulate-devices"
PICTURE = ROOT / "docs/results/many-devices.svg"

# One us for a byte, and nothing else costs anything: 8 us for an element that is scanned, 4 for one that is reduced.
BYTES_ONLY = ["--copy-gb-per-s", "0.001", "--link-gb-per-s", "1e18", "--node-gb-per-s", "1e18"] + [
    word for name in ("launch", "share", "share-member", "deal", "deal-member", "link", "node")
    for word in ("--%s-us" % name, "1e-9")]
PARAMETERS = ("copy-gb-per-s", "launch-us", "share-us", "share-member-us", "deal-us", "deal-member-us", "link-us",
              "link-gb-per-s", "node-us", "node-gb-per-s", "network-devices", "node-networks")


def run(*arguments):
    return subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, timeout=600)


class Simulate(unittest.TestCase):
    def table(self, *arguments):
        """{devices: [nodes, us, efficiency, us, efficiency, ...]}, as numbers."""
        result = run(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = re.findall(r"^ +(\d+)((?: +[\d.]+){9})$", result.stdout, re.MULTILINE)
        return {int(devices): [float(word) for word in rest.split()] for devices, rest in lines}

    def test_measured_figures_are_predicted(self):
        result = run("--check", "--factor", "1.25")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(
            len(re.findall(r"^(?:one problem of|rows,) 2\^\d\d.*\d+\.\d\d$", result.stdout, re.MULTILINE)), 30)

    def test_another_machine_is_not_the_measured_one(self):
        for wrong in (["--copy-gb-per-s", "3000"], ["--share-us", "500"], ["--deal-us", "500"], ["--launch-us", "60"],
                      ["--share-member-us", "200"], ["--deal-member-us", "200"]):
            result = run("--check", "--factor", "1.25", *wrong)
            self.assertEqual(result.returncode, 1, (wrong, result.stdout))
            self.assertIn("not all are within a factor of 1.25", result.stdout)

    def test_bytes_alone(self):
        table = self.table("--count", "2^20", "--problem", "2^10", *BYTES_ONLY)
        self.assertEqual(sorted(table), [1 << power for power in range(11)])
        for devices, (nodes, *columns) in table.items():
            self.assertEqual(nodes, max(1, devices / 8))
            shared = 8 << 20 if devices == 1 else 12 << 20
            self.assertEqual(columns[0::2], [shared, shared, shared, 8 << 20])
            self.assertEqual(columns[1::2], [1.0 if devices == 1 else 0.667] * 3 + [1.0])

    def test_only_what_travels_grows_with_the_nodes(self):
        table = self.table("--count", "2^28", "--problem", "2^20")
        within, across = table[8], table[1024]
        self.assertGreater(across[3], 10 * within[3])    # Scan-MPS: sums of all problems, to all devices
        self.assertLess(across[1], 1.1 * within[1])      # one problem: a few sums
        self.assertEqual(across[5:], within[5:])         # Scan-MP-PC and dealt: nothing leaves a node

    def test_every_parameter_counts(self):
        usual = self.table()
        for name in PARAMETERS:
            self.assertNotEqual(self.table("--" + name, "3"), usual, name)

    def test_the_crossing_is_where_halves_and_the_exchange_take_as_long_as_the_whole(self):
        result = run()
        self.assertIn("2 devices are faster than one from 2^27 elements on", result.stdout)
        result = run("--share-us", "1e30")
        self.assertIn("2 devices are faster than one from no number of elements on", result.stdout)

    def test_the_picture_is_that_of_the_script(self):
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder) / "made.svg"
            self.assertEqual(run("--picture", str(made)).returncode, 0)
            self.assertEqual(made.read_text(encoding="utf-8"), PICTURE.read_text(encoding="utf-8"))

    def test_what_makes_no_sense_is_refused_by_name(self):
        for arguments, words in ((["--link-us", "0"], "--link-us: '0' is not positive"),
                                 (["--node-us", "inf"], "--node-us: 'inf' is not positive and finite"),
                                 (["--network-devices", "1.5"], "--network-devices: invalid int value: '1.5'"),
                                 (["--count", "1000"], "--count: '1000' is not a power of two"),
                                 (["--count", "2^10"], "--problem 1048576 is larger than --count 1024")):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(words, result.stderr)


if __name__ == "__main__":
    unittest.main()
