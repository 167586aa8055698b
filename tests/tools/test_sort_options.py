"""What examples/programs/sort.c takes for options, and what it measures then.

CLSCAN_SORT names the program.
"""

import itertools
import os
import subprocess
import unittest

SORT = os.environ.get("CLSCAN_SORT", "clscan_example_sort")


class Tests(unittest.TestCase):
    def run_sort(self, *words):
        return subprocess.run([SORT, *words], capture_output=True, text=True, timeout=600, check=False)

    def refuse(self, *words, says):
        done = self.run_sort(*words)
        self.assertEqual((done.returncode, done.stdout), (1, ""), words)
        self.assertIn(says, done.stderr)

    def test_counts(self):
        for text, count in (("1", 1), ("300", 300), ("2^0", 1), ("2^9", 512)):
            done = self.run_sort("--count", text)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(done.stdout.startswith(f"{count} keys of uint32 in "), done.stdout)
            self.assertIn("; 0 mistakes", done.stdout)

    def test_counts_that_are_none(self):
        for text in ("2^32", "2^33", "2^64", "2^100", "2^-1", "4294967296", "18446744073709551618", "-1", "0", "3^2",
                     "2^3x", "x", ""):
            self.refuse("--count", text, says=f"{text}: is no count")

    def test_order(self):
        options = (("--count", "40"), ("--type", "int16"), ("--values",), ("--descending",))
        for order in list(itertools.permutations(options))[::7]:
            done = self.run_sort(*itertools.chain(*order))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(done.stdout.startswith("40 keys of int16 in "), done.stdout)
            self.assertIn("; 0 mistakes", done.stdout)

    def test_usage(self):
        done = self.run_sort("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.startswith("usage: sort "))
        for words, culprit in ((["--values"], "--values"), (["--none"], "--none"), (["--count"], "is no count"),
                               (["--count", "8", "--type"], "is no type"), (["--count", "8", "--type", "half"], "half"),
                               (["a", "b"], "b"), (["--count", "8", "a"], "--count"), (["-h"], "-h")):
            self.refuse(*words, says=culprit)
            if culprit != "is no count":
                self.assertIn("usage: sort ", self.run_sort(*words).stderr)


if __name__ == "__main__":
    unittest.main()
