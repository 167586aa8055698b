"""What scripts/first-run prints of its results, from a file of results that is made here."""

import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from lib import first_run  # noqa: E402  (found through the line above)


def row(contender, ms, variant=""):
    return {"contender": contender, "variant": variant, "status": "ok", "count": 1000, "median_ns": ms * 1e6,
            "gb_per_s": 8 / ms}


class Results(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def lines(self, what, rows, *arguments):
        path = self.folder / "run.json"
        path.write_text(json.dumps({"device": {"name": "Imagined GPU", "platform": "Test"}, "rows": rows}))
        return list(what(path, *arguments))

    def test_ends_with_five_lines(self):
        rows = [row("copy buffer", 2.0), row("copy kernel", 1.0), row("clscan config", 4.0, "slow"),
                row("clscan", 2.0, "fast"), row("serial", 20.0), row("tbb", 8.0)]
        end = self.lines(first_run.end, rows, "fast", "read on")
        self.assertEqual([line.split("  ")[0] for line in end], ["device", "rate", "times serial", "tuning", "next"])
        self.assertIn("Imagined GPU", end[0])
        self.assertIn("4.0 GB/s, 0.50 of a copy", end[1])
        self.assertIn("10.00", end[2])
        self.assertIn("2.00 times", end[3])
        table = self.lines(first_run.table, rows, "sums", "fast")
        for name, times in (("clscan ", "5.00"), ("clscan, tuned", "10.00"), ("serial loop", "1.00"), ("TBB", "2.50"),
                            ("copy", "20.00")):
            (line,) = [line for line in table if line.startswith("  " + name)]
            self.assertTrue(line.endswith(" " + times), line)

    def test_a_variant_that_was_chosen_before_gains_nothing(self):
        rows = [row("copy buffer", 1.0), row("clscan config", 2.0, "same"), row("clscan", 1.9, "same")]
        end = self.lines(first_run.end, rows, "same", "read on")
        self.assertIn("nothing faster", end[3])
        self.assertIn("4.0 GB/s", end[1])
        self.assertIn("not measured", end[2])

    def test_no_config(self):
        end = self.lines(first_run.end, [row("copy buffer", 1.0), row("clscan config", 2.0, "a")], "", "read on")
        self.assertIn("no config", end[3])


if __name__ == "__main__":
    unittest.main()
