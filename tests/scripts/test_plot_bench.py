"""scripts/plot-bench on a file that is made here: tables from the numbers in it, pictures where there is matplotlib."""

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "scripts/plot-bench"


def row(contender, count, time_ns, **more):
    """What clscan-bench --json says of an int32 scan whose copy took `count` ns."""
    made = {"suite": "", "experiment": "", "round": 1, "type": "int32", "op": "add", "form": "inclusive",
            "direction": "forward", "in_place": False, "reproducible": False,
            "count": count, "cache": "warm", "contender": contender,
            "variant": "", "local_bytes": None, "register_bytes": None, "status": "ok", "clock": "kernel", "runs": 21,
            "median_ns": time_ns, "gb_per_s": 8.0 * count / time_ns, "geps": count / time_ns,
            "of_copy": count / time_ns, "host_median_ns": time_ns + 5000.0, "host_of_copy": 0.5, "note": ""}
    return {**made, **more}


def sizes():
    for count in (1024, 4096, 16384):
        yield row("copy buffer", count, count * 1.0)
        yield row("copy kernel", count, count * 2.0)
        yield row("empty kernel", count, 900.0, gb_per_s=None, geps=None, of_copy=None)
        yield row("clscan config", count, count * 1.25, variant="strided+...")
        yield row("clscan", count, count * 1.5, variant="one+...")
        yield row("clscan", count, count * 1.6, variant="other+...")
        yield row("cub", count, 1.0, status="unavailable", clock=None, median_ns=None, gb_per_s=None, geps=None,
                  of_copy=None, host_median_ns=None, note="is not here")  # fmt: skip


def suite():
    def of(experiment, *arguments, **more):
        return row(*arguments, suite="streamscan", experiment=experiment, **more)

    for pieces in (0, 1, 2):
        yield of("figure-13", "coalesced", 4096, 5000.0 + pieces, variant="register_pieces=%d" % pieces,
                 local_bytes=1024, register_bytes=1024 * pieces)
    for stride in (1, 2, 4):
        yield of("figure-15", "stride %d" % stride, 4096, 4096.0 * stride)
    for experiment in ("figure-13", "figure-15", "table-4"):
        yield of(experiment, "copy buffer", 4096, 4096.0)
    yield of("table-4", "coalesced, best R", 4096, 8192.0, variant="coalesced+...")


class Plot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, rows):
        path = self.folder / "run.json"
        path.write_text(json.dumps({"format": 1, "device": {"name": "Imagined GPU"}, "rows": list(rows)}))
        return path

    def run_script(self, *arguments, before=""):
        """Run the script; `before` is Python that runs first."""
        code = "%s\nimport runpy, sys\nsys.argv = %r\nrunpy.run_path(%r, run_name='__main__')" % (
            before, [str(SCRIPT), *map(str, arguments)], str(SCRIPT))
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=1800)

    def test_tables_have_the_fastest_copy_and_every_contender(self):
        result = self.run_script(self.file(sizes()), "--text")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("== int32-add-inclusive-forward-warm (Imagined GPU)", result.stdout)
        self.assertEqual(re.findall(r"copy \((.*)\)", result.stdout), ["copy buffer"] * 3)
        found = re.search(r"^ *4096 +(\S+) +(\S+) +(\S+) +(\S+)  clscan config", result.stdout, re.MULTILINE)
        self.assertEqual(found.groups(), ("5.1", "6.4", "0.800", "10.1"))
        self.assertRegex(result.stdout, r"unavailable  cub \(is not here\)")
        for variant in ("one+...", "other+..."):
            self.assertEqual(result.stdout.count(variant), 3)

    def test_reproducible_plans_have_a_table_of_their_own(self):
        rows = [row("clscan config", 4096, 5000.0), row("clscan config", 4096, 9000.0, reproducible=True)]
        old = row("clscan config", 1024, 5000.0)
        del old["reproducible"]  # files of an earlier version lack the key
        result = self.run_script(self.file([*rows, old]), "--text")
        self.assertEqual(re.findall(r"^== (\S+)", result.stdout, re.MULTILINE),
                         ["int32-add-inclusive-forward-warm", "int32-add-inclusive-forward-reproducible-warm"])
        self.assertEqual(result.stdout.count("clscan config"), 3)

    def test_offsets_have_a_table_of_their_own(self):
        rows = [row("clscan config", 4096, 5000.0, in_offset=0, out_offset=0), row("clscan config", 4096, 6000.0),
                row("clscan config", 4096, 9000.0, in_offset=1, out_offset=0)]
        result = self.run_script(self.file(rows), "--text")
        self.assertEqual(re.findall(r"^== (\S+)", result.stdout, re.MULTILINE),
                         ["int32-add-inclusive-forward-warm", "int32-add-inclusive-forward-offsets-1-0-warm"])

    def picture(self, *files):
        """The SVG that the script makes: (texts, points of each line by its name's order)."""
        path = self.folder / "picture.svg"
        result = self.run_script(*files, "--picture", path, before="import sys; sys.modules['matplotlib'] = None")
        self.assertEqual(result.returncode, 0, result.stderr)
        root = xml.etree.ElementTree.parse(path).getroot()
        texts = ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]
        lines = [[tuple(map(float, pair.split(","))) for pair in line.get("points").split()]
                 for line in root.iter("{http://www.w3.org/2000/svg}polyline")]
        return texts, lines

    def test_a_picture_of_a_measured_run(self):
        """A file that clscan-bench --json wrote: copy, clscan and a serial loop at six counts, higher is faster."""
        source = ROOT / "tests/fixtures/bench/pocl.json"
        texts, lines = self.picture(source)
        for text in ("inclusive sum of int32 on pthread-skylake-avx512-AMD EPYC", "copy", "clscan", "serial loop",
                     "212", "222"):
            self.assertIn(text, texts)
        self.assertEqual([len(line) for line in lines], [6, 6, 6])
        best = {}
        for one in json.loads(source.read_text(encoding="utf-8"))["rows"]:
            name = "copy" if one["contender"].startswith("copy ") else one["contender"]
            if one["count"] == 1 << 22:
                best[name] = max(best.get(name, 0), one["gb_per_s"])
        heights = {name: 328 - line[-1][1] for name, line in zip(("copy", "clscan config", "serial"), lines)}
        for name in ("clscan config", "serial"):
            self.assertAlmostEqual(heights[name] / heights["copy"], best[name] / best["copy"], delta=0.01)

    def test_a_picture_needs_one_problem(self):
        rows = [*sizes(), row("clscan config", 4096, 5000.0, type="float")]
        result = self.run_script(self.file(rows), "--picture", self.folder / "no.svg")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("float-add", result.stderr)
        self.assertFalse((self.folder / "no.svg").exists())

    def test_pictures_of_the_documentation_are_those_of_their_files(self):
        for source in sorted((ROOT / "docs/results").glob("*.json")):
            self.picture(source)
            made = (self.folder / "picture.svg").read_bytes()
            self.assertEqual(source.with_suffix(".svg").read_bytes(), made, source)

    def test_what_is_no_file_of_the_benchmark_is_named(self):
        other = self.folder / "other.json"
        for text in ("", "[]", "{}\n", "hello\n", '{"format": 2, "rows": []}'):
            other.write_text(text)
            result = self.run_script(other, "--text")
            self.assertNotEqual(result.returncode, 0, text)
            self.assertIn(str(other), result.stderr)
            self.assertNotIn("Traceback", result.stderr)
        result = self.run_script(self.folder / "missing.json")
        self.assertNotEqual(result.returncode, 0)
        self.assertNotIn("Traceback", result.stderr)

    def test_without_matplotlib_there_are_tables_and_advice(self):
        pictures = self.folder / "pictures"
        result = self.run_script(self.file(sizes()), "--out", pictures,
                                 before="import sys; sys.modules['matplotlib'] = None")  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("--install", result.stderr)
        self.assertIn("clscan config", result.stdout)
        self.assertFalse(pictures.exists())

    @unittest.skipIf(importlib.util.find_spec("matplotlib") is None, "matplotlib is not installed")
    def test_every_picture_as_png_and_svg(self):
        pictures = self.folder / "pictures"
        result = self.run_script(self.file([*sizes(), *suite()]), "--out", pictures)
        self.assertEqual(result.returncode, 0, result.stderr)
        end = "int32-add-inclusive-forward-warm"
        names = {"%s-%s" % (end, picture) for picture in ("throughput", "of-copy", "launch")}
        names |= {"streamscan-%s-%s-%s" % (experiment, end, picture) for experiment, picture in (
            ("figure-13", "working-set"), ("figure-15", "stride"), ("table-4", "bars"))}
        self.assertEqual({path.name for path in pictures.iterdir()},
                         {"%s.%s" % (name, suffix) for name in names for suffix in ("png", "svg")})
        self.assertTrue(all(path.stat().st_size > 5000 for path in pictures.iterdir()))


if __name__ == "__main__":
    unittest.main()
