"""scripts/plot-tuning on recorded journals: tables from the numbers in them, pictures where matplotlib is installed."""

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "scripts/plot-tuning"
STAGED = ROOT / "tests/fixtures/tuning/staged.jsonl"
RANDOM = ROOT / "tests/fixtures/tuning/random.jsonl"


def run(*arguments, before=""):
    """Run the script; `before` is Python that runs first."""
    code = "%s\nimport runpy, sys\nsys.argv = %r\nrunpy.run_path(%r, run_name='__main__')" % (
        before, [str(SCRIPT), *map(str, arguments)], str(SCRIPT))
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=1800)


def changed(path, folder, change):
    """A copy of a journal, all of whose targets and finished trials went through `change`."""
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for record in [*records[0]["targets"], *(record["finished"] for record in records if "finished" in record)]:
        change(record)
    copy = pathlib.Path(folder) / "changed.jsonl"
    copy.write_text("".join(json.dumps(record) + "\n" for record in records))
    return copy


def finished(path):
    records = [json.loads(line) for line in path.read_text().splitlines()]
    return [record["finished"] for record in records if "finished" in record]


class Tables(unittest.TestCase):
    def test_the_best_and_the_copy_of_each_count(self):
        result = run(STAGED, "--text")
        self.assertEqual(result.returncode, 0, result.stderr)
        trials = finished(STAGED)
        self.assertIn("== 4-byte-native: %d trials" % len(trials), result.stdout)
        for count in {trial["count"] for trial in trials}:
            best = min((t for t in trials if t["count"] == count and t["outcome"] == "correct"),
                       key=lambda t: t["time_ns"])
            row = re.search(r"^ *%d +(\S+) +\S+ +(\S+) +\S+  (.*)$" % count, result.stdout, re.MULTILINE)
            self.assertAlmostEqual(float(row.group(2)), 8 * count / best["time_ns"], delta=0.051)
            self.assertAlmostEqual(float(row.group(1)), 8 * count / best["copy_ns"], delta=0.051)
            self.assertEqual(row.group(3), best["variant"])

    def test_best_of_each_body_with_its_working_set(self):
        output = run(STAGED, "--text").stdout
        # 512 work-items, 16 columns and 4 bytes: 32 KiB in each piece.
        row = re.search(r"coalesced +\S+ GB/s  LMS +(\d+) KiB  RS +(\d+) KiB  (.*)", output)
        self.assertIn("work_group_size=512", row.group(3))
        self.assertIn("thread_group_size=16", row.group(3))
        pieces = {name: int(value) for name, value in re.findall(r"(local|register)_pieces=(\d+)", row.group(3))}
        self.assertEqual((int(row.group(1)), int(row.group(2))), (32 * pieces["local"], 32 * pieces["register"]))

    def test_a_target_has_the_class_that_the_journal_says(self):
        def change(record):
            record["operator_class"] = "builtin"

        with tempfile.TemporaryDirectory() as folder:
            result = run(changed(STAGED, folder, change), "--text", "--target", "4-byte-builtin")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("== 4-byte-builtin: %d trials" % len(finished(STAGED)), result.stdout)
            self.assertNotRegex(result.stdout, r"^ *%d +\S+ +- " % finished(STAGED)[0]["count"])

    def test_reproducible_targets_are_apart(self):
        def change(record):
            record["reproducible"] = True

        with tempfile.TemporaryDirectory() as folder:
            result = run(STAGED, changed(STAGED, folder, change), "--text")
            self.assertEqual(result.returncode, 0, result.stderr)
            for target in ("4-byte-native", "4-byte-native-reproducible"):
                self.assertIn("== %s: %d trials" % (target, len(finished(STAGED))), result.stdout)

    def test_tiles_in_a_cache_take_no_local_memory_and_no_registers(self):
        def change(record):
            if "variant" in record:
                record["variant"] = ("cached_rows+kogge_stone+adjacent+persistent work_group_size=1 vector_length=16 "
                                     "cached_pieces=64 interleaved_rows=4 streaming_stores=0 "
                                     "work_groups_per_unit=1 tiles_per_work_group=1 poll_delay=0")

        with tempfile.TemporaryDirectory() as folder:
            result = run(changed(STAGED, folder, change), "--text")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertRegex(result.stdout, r"cached_rows +\S+ GB/s  LMS +0 KiB  RS +0 KiB")

    def test_a_torn_journal_is_read_as_far_as_it_goes(self):
        with tempfile.TemporaryDirectory() as folder:
            torn = pathlib.Path(folder) / "torn.jsonl"
            torn.write_bytes(STAGED.read_bytes()[:-100])
            result = run(torn, "--text")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("%d trials" % (len(finished(STAGED)) - 1), result.stdout)

    def test_what_is_no_journal_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder) / "other.json"
            for text in ("", "{}\n", "hello\n"):
                other.write_text(text)
                result = run(other, "--text")
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(str(other), result.stderr)
                self.assertNotIn("Traceback", result.stderr)
            result = run(pathlib.Path(folder) / "missing.jsonl")
            self.assertNotEqual(result.returncode, 0)
            self.assertNotIn("Traceback", result.stderr)

    def test_an_unknown_target_is_named(self):
        result = run(STAGED, "--text", "--target", "3-byte-native")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("4-byte-native", result.stderr)

    def test_without_matplotlib_there_are_tables_and_advice(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run(STAGED, "--out", folder, before="import sys; sys.modules['matplotlib'] = None")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("--install", result.stderr)
            self.assertIn("best variant", result.stdout)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])


@unittest.skipIf(importlib.util.find_spec("matplotlib") is None, "matplotlib is not installed")
class Pictures(unittest.TestCase):
    def test_every_picture_as_png_and_svg(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run(STAGED, RANDOM, "--out", folder)
            self.assertEqual(result.returncode, 0, result.stderr)
            names = {path.name for path in pathlib.Path(folder).iterdir()}
            self.assertEqual(names, {"4-byte-native-%s.%s" % (picture, suffix)
                                     for picture in ("sizes", "working-set", "parameters", "progress")
                                     for suffix in ("png", "svg")})
            text = (pathlib.Path(folder) / "4-byte-native-sizes.svg").read_text()
            self.assertIn("<svg", text)
            self.assertTrue(all(path.stat().st_size > 5000 for path in pathlib.Path(folder).iterdir()))


if __name__ == "__main__":
    unittest.main()
