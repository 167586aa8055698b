"""clscan-bench from outside, on tiny sizes. CLSCAN_BENCH names the program; the device is the default one.

Its figures are not judged here, only that they are there and hang together.
"""

import csv
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

COLUMNS = (
    "suite,experiment,round,device,driver,type,accumulator,output_type,load,store,"
    "op,form,direction,in_place,in_offset,out_offset,reproducible,"
    "count,rows,pitch,axis,cache,contender,variant,"
    "local_bytes,register_bytes,status,clock,runs,"
    "median_ns,lower_quartile_ns,upper_quartile_ns,minimum_ns,gb_per_s,geps,of_copy,of_read,"
    "host_median_ns,host_lower_quartile_ns,host_upper_quartile_ns,host_minimum_ns,host_of_copy,note"
).split(",")
FIGURES = COLUMNS[COLUMNS.index("clock") : COLUMNS.index("note")]
SERIAL_VARIANT = (
    "strided+kogge_stone+single work_group_size=1 vector_length=1 register_pieces=1 local_pieces=0"
)
# A tile that holds nothing.
ILLEGAL_VARIANT = (
    "strided+kogge_stone+single work_group_size=1 vector_length=1 register_pieces=0 local_pieces=0"
)


FAKE_PEER = pathlib.Path(__file__).resolve().parent / "fake_peer.py"


def bench(*arguments, **environment):
    return subprocess.run(
        [os.environ["CLSCAN_BENCH"], *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=1800,
    )


@unittest.skipUnless("CLSCAN_BENCH" in os.environ, "CLSCAN_BENCH does not name clscan-bench")
class BenchTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def rows(self, *arguments, code=0, **environment):
        """Run with 3 runs a contender; return (rows of the CSV file, stdout)."""
        path = os.path.join(self.folder, "rows.csv")
        result = bench("--runs", "3", "--csv", path, *arguments, **environment)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            self.check_row(row)
        return rows, result.stdout

    def check_row(self, row):
        self.assertEqual(list(row), COLUMNS)
        self.assertIn(row["status"], ("ok", "unavailable", "illegal", "WRONG", "failed"))
        if row["status"] != "ok":
            self.assertNotEqual(row["note"], "", row)
            self.assertEqual([row[name] for name in FIGURES], [""] * len(FIGURES), row)
            return
        self.assertIn(row["clock"], ("host", "kernel", "queue"))
        self.assertEqual(row["runs"], "3")
        times = [
            float(row[name])
            for name in ("minimum_ns", "lower_quartile_ns", "median_ns", "upper_quartile_ns")
        ]
        self.assertEqual(times, sorted(times))
        self.assertGreater(times[0], 0)
        if row["contender"] == "empty kernel":
            self.assertEqual((row["gb_per_s"], row["geps"], row["of_copy"]), ("", "", ""))
        elif int(row["count"]) >= 100:  # less, on a busy machine, is rounded to nothing
            self.assertGreater(float(row["gb_per_s"]), 0)

    def library(self, rows):
        return [row for row in rows if row["contender"].startswith("clscan")]

    def test_a_row_for_every_case_and_contender(self):
        rows, stdout = self.rows("--sizes", "2^4:2^8:16,1000", "--types", "int32,uint8")
        cases = {(row["type"], row["count"]) for row in rows}
        self.assertEqual(cases, {(t, n) for t in ("int32", "uint8") for n in ("16", "256", "1000")})
        for case in cases:
            of_case = [row for row in rows if (row["type"], row["count"]) == case]
            names = [row["contender"] for row in of_case]
            self.assertEqual(len(names), len(set(names)))
            for name in ("copy buffer", "clscan config", "serial", "tbb", "boost"):
                self.assertIn(name, names)
            copies = [row for row in of_case if row["contender"].startswith("copy")]
            self.assertEqual(max(float(row["of_copy"]) for row in copies), 1.0)
        self.assertIn("int32 add inclusive forward, 1000 elements", stdout)
        for row in self.library(rows):
            self.assertEqual(row["status"], "ok", row["note"])
            self.assertNotEqual(row["variant"], "")

    def test_every_form(self):
        for options in (["--exclusive"], ["--reverse", "--in-place"]):
            with self.subTest(options=options):
                rows, _ = self.rows("--sizes", "100", "--types", "int32,half", "--ops", "add,max", *options)
                for row in self.library(rows):
                    self.assertEqual(row["status"], "ok", row["note"])
                    self.assertEqual(row["form"], "exclusive" if "--exclusive" in options else "inclusive")
                    self.assertEqual(row["direction"], "reverse" if "--reverse" in options else "forward")
                    self.assertEqual(row["in_place"], "1" if "--in-place" in options else "0")

    def test_selections(self):
        rows, stdout = self.rows("--select", "0.25", "--sizes", "1,5000", "--types", "int32,half")
        self.assertEqual([(row["type"], row["form"], row["status"], row["count"]) for row in self.library(rows)],
                         [(name, "select", "ok", count) for name in ("int32", "half") for count in ("1", "5000")])
        row = self.library(rows)[1]
        kept = (float(row["gb_per_s"]) * float(row["median_ns"]) / 5000 - 5) / 4
        self.assertAlmostEqual(kept, 0.25, delta=0.05)
        for wrong in ("x", "1.5", "-0.1", ""):
            self.assertEqual(bench("--select", wrong).returncode, 2)
        self.assertEqual(bench("--select", "0.5", "--reduce").returncode, 2)
        for operator in ("max", "add", "affine"):
            done = bench("--select", "0.5", "--ops", operator)
            self.assertEqual(done.returncode, 2)
            self.assertIn("'--select' has no use beside --ops", done.stderr)
        _, stdout = self.rows("--select", "0.5", "--sizes", "1000", "--peers", "none")
        self.assertIn("int32 select forward, 1000 elements", stdout)

    def test_selections_in_place(self):
        for by in ("", "bits:", "predicate:", "unique:", "columns:", "partition:", "three-way:", "encode:"):
            with self.subTest(by=by):
                rows, _ = self.rows("--select", by + "0.25", "--in-place", "--sizes", "1,50001", "--peers", "serial")
                self.assertEqual([(row["in_place"], row["status"]) for row in self.library(rows)], [("1", "ok")] * 2)
                serial = {row["status"] for row in rows if row["contender"] == "serial"}
                self.assertEqual(serial, {"unavailable" if by in ("partition:", "three-way:") else "ok"})
        for by in ("where:0.5", "runs:0.5", "repeat:0.5"):
            done = bench("--select", by, "--in-place")
            self.assertEqual(done.returncode, 2)
            self.assertIn("'--select' %s has no use beside --in-place" % by[:-3], done.stderr)
        rows, _ = self.rows("--suite", "compaction", "--experiments", "where,repeat-4,select-half", "--in-place",
                            "--sizes", "1000", "--peers", "none")  # fmt: skip
        self.assertEqual({row["experiment"]: (row["in_place"], row["status"]) for row in self.library(rows)},
                         {"select-half": ("1", "ok"), "where": ("0", "ok"), "repeat-4": ("0", "ok")})

    def test_selections_by_bits_and_of_unique_elements(self):
        for by, extra in (("bits", 1 / 8), ("unique", 0)):
            with self.subTest(by=by):
                rows, _ = self.rows("--select", by + ":0.25", "--sizes", "1,5000,50001", "--types", "int32,half,double",
                                    "--peers", "none")  # fmt: skip
                types = ["int32"] * 3 + ["half"] * 3 + ["double"] * 3
                self.assertEqual([(row["type"], row["form"], row["status"]) for row in self.library(rows)],
                                 [(name, "select_" + by, "ok") for name in types])
                row = next(row for row in self.library(rows) if (row["type"], row["count"]) == ("double", "50001"))
                kept = (float(row["gb_per_s"]) * float(row["median_ns"]) / 50001 - 8 - extra) / 8
                self.assertAlmostEqual(kept, 0.25, delta=0.02)
        rows, stdout = self.rows("--select", "predicate:0.25", "--sizes", "1,50001", "--types", "uint8,int64,float",
                                 "--peers", "none")  # fmt: skip
        self.assertEqual([(row["type"], row["form"], row["status"]) for row in self.library(rows)],
                         [(name, "select_predicate", "ok") for name in ("uint8", "uint8", "int64", "int64")])
        self.assertIn("the lowest bits of integers", stdout)
        row = self.library(rows)[-1]
        kept = (float(row["gb_per_s"]) * float(row["median_ns"]) / 50001 - 8) / 8
        self.assertAlmostEqual(kept, 0.25, delta=0.02)
        rows, stdout = self.rows("--select", "where:0.25", "--sizes", "1,50001", "--types", "int32,uint8", "--peers",
                                 "serial")  # fmt: skip
        self.assertEqual([(row["type"], row["form"], row["status"]) for row in self.library(rows)],
                         [("int32", "select_where", "ok")] * 2)
        self.assertEqual([row["status"] for row in rows if row["contender"] == "serial"], ["ok", "ok"])
        self.assertIn("indices are integers of 4 bytes", stdout)
        row = self.library(rows)[-1]
        kept = (float(row["gb_per_s"]) * float(row["median_ns"]) / 50001 - 1) / 4
        self.assertAlmostEqual(kept, 0.25, delta=0.02)
        rows, stdout = self.rows("--select", "clustered:0.25", "--sizes", "1000,1000003", "--types", "int32", "--peers",
                                 "none")  # fmt: skip
        self.assertEqual([row["status"] for row in self.library(rows)], ["ok", "ok"])
        self.assertIn("kept in clusters of 1000", stdout)
        kept = [float(row["gb_per_s"]) * float(row["median_ns"]) / float(row["count"]) / 4 - 1.25
                for row in self.library(rows)]  # fmt: skip
        self.assertIn(round(kept[0]), (0, 1))
        self.assertAlmostEqual(kept[0], round(kept[0]), delta=0.01)
        self.assertAlmostEqual(kept[1], 0.25, delta=0.06)
        rows, _ = self.rows("--select", "columns:0.25", "--sizes", "1,50001", "--types", "int32,half,double", "--peers",
                            "none")  # fmt: skip
        self.assertEqual([(row["type"], row["form"], row["status"], row["count"]) for row in self.library(rows)],
                         [(name, "select_columns", "ok", count) for name in ("int32", "half", "double")
                          for count in ("1", "50001")])  # fmt: skip
        row = next(row for row in self.library(rows) if (row["type"], row["count"]) == ("double", "50001"))
        kept = (float(row["gb_per_s"]) * float(row["median_ns"]) / 50001 - 4 * 8 - 1) / (4 * 8)
        self.assertAlmostEqual(kept, 0.25, delta=0.02)
        for wrong in ("bits:", "unique:2", "flags:0.5"):
            self.assertEqual(bench("--select", wrong).returncode, 2)

    def test_rows_of_any_length(self):
        rows, stdout = self.rows("--row-length", "100", "--reproducible", "--exclusive", "--sizes", "1000,50050",
                                 "--types", "float,half", "--peers", "none")  # fmt: skip
        self.assertEqual([(row["type"], row["count"], row["rows"], row["status"]) for row in self.library(rows)],
                         [(name, count, number, "ok") for name in ("half", "float")
                          for count, number in (("1000", "10"), ("50000", "500"))])  # fmt: skip
        self.assertIn("in 500 rows of 100", stdout)
        for words in (("0",), ("x",), ("8", "--select", "0.5"), ("8", "--suite", "batch"),
                      ("8", "--load", "element"), ("8", "--structs", "int4"),
                      ("8", "--segments", "flags:4")):  # fmt: skip
            with self.subTest(words=words):
                done = bench("--row-length", *words)
                self.assertEqual(done.returncode, 2)
                self.assertIn("--row-length", done.stderr)

    def test_rows_with_a_pitch(self):
        """What lies between them does not count, and is compared: a loop that writes on would be wrong."""
        for form in ([], ["--exclusive", "--in-place"], ["--reverse"], ["--reduce"]):
            with self.subTest(form=form):
                rows, stdout = self.rows("--row-length", "100", "--pitch", "103", "--sizes", "99,1000,50050",
                                         "--types", "int8,float", "--peers", "serial", *form)  # fmt: skip
                self.assertIn("in 500 rows of 100 with a pitch of 103", stdout)
                for contender in ("clscan config", "serial"):
                    ours = [row for row in rows if row["contender"] == contender]
                    self.assertEqual([(row["count"], row["rows"], row["pitch"], row["status"]) for row in ours],
                                     [("1000", "10", "103", "ok"), ("50000", "500", "103", "ok")] * 2)  # fmt: skip
                    told = float(ours[-1]["gb_per_s"]) * float(ours[-1]["median_ns"])
                    written = 500 if form == ["--reduce"] else 50000
                    self.assertAlmostEqual(told / (4 * 50000 + 4 * written), 1, delta=0.01)

    def test_a_pitch_beyond_all_memory_is_skipped(self):
        for pitch in ("2^40", "2^63"):
            rows, stdout = self.rows("--row-length", "100", "--pitch", pitch, "--sizes", "100000", "--peers", "none")
            self.assertEqual(rows, [])
            self.assertIn("skipped, ", stdout)

    def test_sums_of_rows(self):
        rows, stdout = self.rows("--row-length", "100", "--reduce", "--sizes", "1000,50050", "--types",
                                 "float,uint8,half", "--ops", "add,max", "--peers", "serial")  # fmt: skip
        self.assertIn("max reduce forward, 50000 elements in 500 rows of 100", stdout)
        for contender in ("clscan config", "serial"):
            ours = [row for row in rows if row["contender"] == contender]
            self.assertEqual([(row["type"], row["op"], row["rows"], row["status"]) for row in ours],
                             [(*problem, "ok") for problem in
                              itertools.product(("uint8", "float"), ("add", "max"), ("10", "500"))])  # fmt: skip
            told = float(ours[-1]["gb_per_s"]) * float(ours[-1]["median_ns"])
            self.assertAlmostEqual(told / (4 * 50000 + 4 * 500), 1, delta=0.01)

    def test_partitions_and_runs(self):
        """Bytes are those that any implementation must move: lengths of 4 bytes, values and elements, once each."""
        def partition(elements, size):
            return elements * (2 * size + 1)

        def runs(elements, size):
            return elements * (size + 0.25 * (size + 4))

        for form, moved in (("partition", partition), ("encode", runs), ("repeat", runs)):
            with self.subTest(form=form):
                rows, _ = self.rows("--select", form + ":0.25", "--sizes", "1,5000,50001", "--types",
                                    "int32,uint8,double", "--peers", "none")  # fmt: skip
                self.assertEqual([(row["form"], row["status"], row["note"]) for row in self.library(rows)
                                  if row["status"] != "ok"], [])
                row = next(row for row in self.library(rows) if (row["type"], row["count"]) == ("double", "50001"))
                self.assertEqual(row["form"], form)
                told = float(row["gb_per_s"]) * float(row["median_ns"])
                self.assertAlmostEqual(told / moved(50001, 8), 1, delta=0.02)

    def test_runs_of_two_and_more_and_three_parts(self):
        """Offsets and lengths are of 4 bytes. Of runs that end with a chance of 1/2, half are of one element."""
        for form, select, moved in (("long_runs", "runs:0.5", 50001 * (4 + 0.25 * 8)),
                                    ("three_way", "three-way:0.25", 50001 * 8)):
            with self.subTest(form=form):
                rows, stdout = self.rows("--select", select, "--sizes", "1,5000,50001", "--types",
                                         "int32,uint32,float", "--peers", "none")  # fmt: skip
                ours = self.library(rows)
                self.assertEqual({(row["type"], row["form"], row["status"]) for row in ours},
                                 {(name, form, "ok") for name in ("int32", "uint32")})
                self.assertRegex(stdout, r"float .* skipped, .* integers")
                row = next(row for row in ours if (row["type"], row["count"]) == ("int32", "50001"))
                told = float(row["gb_per_s"]) * float(row["median_ns"])
                self.assertAlmostEqual(told / moved, 1, delta=0.02)

    def serial(self, *arguments):
        """What the serial loop is for each type and size: its status. A wrong one ends the program with 1."""
        rows, _ = self.rows("--peers", "serial", "--sizes", "1,5001", "--types", "int32,uint8,double,half", *arguments)
        self.assertEqual({row["status"] for row in self.library(rows)}, {"ok"})
        return {(row["type"], row["status"]) for row in rows if row["contender"] == "serial"}

    def test_a_serial_loop_beside_selections(self):
        for share in ("0.3", "0", "clustered:0.3", "bits:0.3", "unique:0.3", "columns:0.3", "partition:0.3",
                      "encode:0.3", "repeat:0.3"):  # fmt: skip
            with self.subTest(share=share):
                types = ("int32", "uint8", "double", "half")
                self.assertEqual(self.serial("--select", share), {(name, "ok") for name in types})
        for by in ("predicate", "three-way"):
            self.assertEqual(self.serial("--select", by + ":0.3"), {("int32", "ok"), ("uint8", "ok")})
        for share in ("0.3", "0", "1"):
            self.assertEqual(self.serial("--select", "runs:" + share), {("int32", "ok")})

    def test_a_serial_loop_beside_segments(self):
        loops = {("int32", "ok"), ("uint8", "ok"), ("double", "ok")}
        for by in ("flags", "bits", "keys", "offsets"):
            for form in ([], ["--exclusive", "--in-place"], ["--reduce"]):
                with self.subTest(by=by, form=form):
                    half = set() if "--reduce" in form else {("half", "unavailable")}
                    self.assertEqual(self.serial("--segments", by + ":7", *form), loops | half)
        reverse = self.serial("--segments", "flags:7", "--reverse")
        self.assertEqual({status for _, status in reverse}, {"unavailable"})

    def test_reductions(self):
        rows, stdout = self.rows("--reduce", "--sizes", "1,5000", "--types", "int32,half", "--ops", "add,max")
        self.assertEqual([(row["type"], row["form"], row["status"], row["count"]) for row in self.library(rows)],
                         [("int32", "reduce", "ok", count) for count in ("1", "5000") * 2])
        for row in rows:
            if row["contender"] in ("serial", "clscan config") and row["status"] == "ok":
                moved = 4 * int(row["count"]) + 4
                self.assertAlmostEqual(float(row["gb_per_s"]), moved / float(row["median_ns"]), delta=0.01)
        self.assertEqual({row["status"] for row in rows if row["contender"] == "serial"}, {"ok"})
        reads = [row for row in rows if row["contender"] == "read kernel"]
        self.assertEqual([(row["status"], row["of_read"]) for row in reads], [("ok", "1.0000")] * 4)
        for row in rows:
            if row["status"] == "ok":
                bytes_read = int(row["count"]) * (4 if row["contender"].startswith(("read", "clscan", "serial")) else 8)
                [read] = [other for other in reads if (other["op"], other["count"]) == (row["op"], row["count"])]
                written = 4 if row["contender"].startswith(("clscan", "serial")) else 0
                rate = (bytes_read + written) / float(row["median_ns"])
                of_read = rate / (4 * int(row["count"]) / float(read["median_ns"]))
                self.assertAlmostEqual(float(row["of_read"]), of_read, delta=0.001 + 0.01 * of_read, msg=row)
        self.assertLessEqual({row["status"] for row in rows if row["contender"] == "tbb"}, {"unavailable"})
        self.assertIn("int32 max reduce", stdout)

    def test_segments(self):
        extra = {"flags:7": 5000, "bits:100": 625, "keys:1": 20000}
        for segments in (*extra, "offsets:30"):
            with self.subTest(segments=segments):
                rows, stdout = self.rows("--segments", segments, "--sizes", "5000", "--peers", "none")
                [row] = self.library(rows)
                self.assertEqual(row["status"], "ok", row["note"])
                self.assertIn(f"segments of about {segments.partition(':')[2]} by {segments.partition(':')[0]}", stdout)
                if segments in extra:
                    moved = 8 * 5000 + extra[segments]
                    self.assertAlmostEqual(float(row["gb_per_s"]), moved / float(row["median_ns"]), delta=0.01)

    def test_lengths_of_segments_by_a_power_law(self):
        """Offsets of 4 bytes tell how many segments there are: about one for 9 elements, where none is longer than all
        of them."""
        for form in ([], ["--exclusive", "--in-place"], ["--reduce"]):
            with self.subTest(form=form):
                rows, stdout = self.rows("--segments", "offsets:power", "--sizes", "1,300007", "--types", "uint8,int32",
                                         "--ops", "add,min", "--peers", "serial", *form)  # fmt: skip
                self.assertIn("in segments of 1 to 1000000 by offsets", stdout)
                ours = [row for row in rows if row["contender"] in ("clscan config", "serial")]
                self.assertEqual({(row["contender"], row["op"]) for row in ours if row["status"] == "ok"},
                                 {("clscan config", "add"), ("clscan config", "min"), ("serial", "add")})
                if form == []:
                    row = self.library(rows)[-1]
                    offsets = float(row["gb_per_s"]) * float(row["median_ns"]) / 4 - 2 * 300007
                    self.assertTrue(300007 / 15 < offsets < 300007 / 5, offsets)
        for by in ("flags", "bits", "keys"):
            rows, _ = self.rows("--segments", by + ":power", "--sizes", "5001", "--peers", "serial")
            ours = [row["status"] for row in rows if row["contender"] in ("clscan config", "serial")]
            self.assertEqual(ours, ["ok", "ok"])
        self.assertEqual(bench("--segments", "offsets:powers").returncode, 2)

    def test_sums_of_segments(self):
        for segments in ("flags:7", "bits:100", "keys:1", "offsets:30"):
            with self.subTest(segments=segments):
                rows, _ = self.rows("--segments", segments, "--reduce", "--sizes", "5000", "--peers", "none")
                [row] = self.library(rows)
                self.assertEqual(row["status"], "ok", row["note"])
                if segments == "keys:1":  # each element is a segment, whose sum and key are written
                    moved = 4 * 4 * 5000
                    self.assertAlmostEqual(float(row["gb_per_s"]), moved / float(row["median_ns"]), delta=0.01)

    def mapped(self, *arguments, types, sizes="1,5000,100003", sums, outputs, moved, **more):
        """Rows of the library, which are right; `moved` is the bytes of an element and of what is written of it."""
        rows, stdout = self.rows("--sizes", sizes, "--types", types, *arguments, **more)
        library = self.library(rows)
        self.assertEqual([(row["type"], row["accumulator"], row["output_type"], row["status"]) for row in library],
                         [(name, sums, outputs, "ok") for name in types.split(",") for _ in sizes.split(",")])
        row = library[-1]
        count = int(row["count"])
        told = float(row["gb_per_s"]) * float(row["median_ns"])
        read, written = moved
        more = written * int(row["rows"] or 1) if row["form"] == "offsets" else 0
        self.assertAlmostEqual(told / (count * (read + written) + more), 1, delta=0.01)
        return rows, stdout

    def test_sums_of_other_types(self):
        for types, options, sums, outputs, moved in (
            ("int8", ["--output-type", "int64"], "int64", "int64", (1, 8)),
            ("half", ["--output-type", "float", "--exclusive"], "float", "float", (2, 4)),
            ("float", ["--accumulator", "double", "--in-place"], "double", "float", (4, 4)),
            ("uint8", ["--accumulator", "uint32", "--output-type", "float", "--reverse"], "uint32", "float", (1, 4)),
            ("int16,uint16", ["--output-type", "double", "--in-offset", "3", "--out-offset", "5", "--peers", "none"],
             "double", "double", (2, 8)),
            ("uint8", ["--output-type", "uint64", "--cache", "cold", "--cache-size", "1"], "uint64", "uint64", (1, 8)),
            ("int32", ["--output-type", "int64", "--ops", "max"], "int64", "int64", (4, 8)),
        ):
            with self.subTest(types=types, options=options):
                _, stdout = self.mapped(*options, types=types, sums=sums, outputs=outputs, moved=moved)
                self.assertIn(f"sums of {sums}, outputs of {outputs}", stdout)
        self.mapped("--accumulator", "compensated_float", types="float", sums="compensated_float", outputs="float",
                    moved=(4, 4))

    def test_sums_of_other_types_have_a_serial_loop(self):
        for types, options, status in (
            ("uint32", ["--offsets", "--output-type", "uint64"], "ok"),
            ("uint32", ["--offsets", "--in-place"], "ok"),
            ("uint8", ["--offsets", "--output-type", "uint64", "--row-length", "1"], "ok"),
            ("int8", ["--output-type", "int64", "--exclusive"], "ok"),
            ("float", ["--accumulator", "double", "--in-place"], "ok"),
            ("uint64", ["--accumulator", "float", "--output-type", "float"], "ok"),
            ("half", ["--output-type", "float"], "unavailable"),
            ("int8", ["--output-type", "int64", "--reverse"], "unavailable"),
        ):
            with self.subTest(types=types, options=options):
                rows, _ = self.rows("--sizes", "1,5001", "--types", types, "--peers", "serial,tbb", *options)
                peers = {(row["contender"], row["status"]) for row in rows if row["contender"] in ("serial", "tbb")}
                self.assertEqual(peers, {("serial", status), ("tbb", "unavailable")})

    def test_each_row_has_one_offset_more(self):
        _, stdout = self.mapped("--row-length", "7", "--offsets", "--output-type", "uint64", "--peers", "serial",
                                types="uint8,uint32", sizes="700,50050", sums="uint64", outputs="uint64", moved=(4, 8))
        self.assertIn("uint32 add offsets forward, 50050 elements in 7150 rows of 7", stdout)
        rows, stdout = self.rows("--suite", "batch", "--experiments", "offsets,offsets-columns", "--in-place",
                                 "--sizes", "32768", "--peers", "serial")  # fmt: skip
        serial = [row["status"] for row in rows if row["contender"] == "serial"]
        self.assertEqual([(row["rows"], row["status"], peer) for row, peer in zip(self.library(rows), serial)],
                         [("10922", "ok", "ok"), ("327", "ok", "ok"), ("32", "ok", "ok"), ("3", "ok", "ok"),
                          ("16384", "ok", "unavailable")])  # fmt: skip
        for wrong in (["--pitch", "9"], ["--in-place"], ["--load", "element * element"]):
            done = bench("--row-length", "7", "--offsets", *wrong)
            self.assertEqual(done.returncode, 2)
            self.assertIn(wrong[0], done.stderr)

    def test_offsets_of_rows_are_one_more(self):
        rows, stdout = self.mapped("--offsets", "--output-type", "uint64", types="uint32", sums="uint64",
                                   outputs="uint64", moved=(4, 8))
        self.assertEqual({row["form"] for row in rows}, {"offsets"})
        self.assertIn("uint32 add offsets forward, 5000 elements", stdout)
        self.mapped("--offsets", "--in-place", types="int32", sums="int32", outputs="int32", moved=(4, 4))
        self.mapped("--offsets", "--out-offset", "3", "--peers", "none", types="uint8", sums="uint8", outputs="uint8",
                    moved=(1, 1))

    def test_expressions(self):
        for types, options, sums, outputs in (
            ("int32", ["--load", "element * element"], "int32", "int32"),
            ("float", ["--load", "element * element", "--reverse"], "float", "float"),
            ("float", ["--store", "sum / 2 - previous + element", "--exclusive"], "float", "float"),
            ("int32", ["--load", "element + (int)(index % 3)", "--store", "sum ^ (int)index", "--in-place"], "int32",
             "int32"),
            ("float", ["--load", "element > 0", "--output-type", "int32"], "int32", "int32"),
            ("half", ["--accumulator", "double", "--store", "sum * 0.5", "--output-type", "half"], "double", "half"),
        ):
            with self.subTest(types=types, options=options):
                size = {"int32": 4, "float": 4, "half": 2}
                rows, _ = self.mapped(*options, types=types, sums=sums, outputs=outputs,
                                      moved=(size[types], size[outputs]))
                self.assertNotIn("serial", {row["contender"] for row in rows})
                for name in ("load", "store"):
                    text = options[options.index("--" + name) + 1] if "--" + name in options else ""
                    self.assertEqual({row[name] for row in rows}, {text})

    def test_sums_of_what_expressions_make(self):
        rows, _ = self.rows("--reduce", "--sizes", "1,100003", "--types", "half,float", "--load", "element * element",
                            "--accumulator", "double")
        self.assertEqual([(row["type"], row["output_type"], row["form"], row["status"]) for row in self.library(rows)],
                         [(name, "double", "reduce", "ok") for name in ("half", "float") for _ in range(2)])

    def test_sums_that_are_rounded_are_skipped(self):
        rows, stdout = self.rows("--types", "float", "--load", "element + 0.3f * (index > 999)", "--sizes", "999,5000")
        self.assertEqual([(row["count"], row["status"]) for row in self.library(rows)], [("999", "ok")])
        self.assertIn("sums of more than 1000 of these elements are rounded", stdout)

    def test_expressions_that_do_not_compile_are_told(self):
        for option in ("--load", "--store"):
            result = bench("--sizes", "100", "--runs", "1", option, "elemen * element")
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"{option}:1", result.stderr)
            self.assertIn("does not compile", result.stdout)

    def test_elements_are_a_suite(self):
        rows, stdout = self.rows("--suite", "elements", "--sizes", "5001", "--peers", "serial", "--clock", "host")
        library = self.library(rows)
        self.assertEqual({row["status"] for row in library}, {"ok"})
        serial = {row["experiment"]: row["status"] for row in rows if row["contender"] == "serial"}
        self.assertEqual([(row["experiment"], row["type"], row["output_type"], serial.get(row["experiment"], ""))
                          for row in library],
                         [("offsets", "uint32", "uint64", "ok"), ("offsets-narrow", "uint32", "uint32", "ok"),
                          ("int8-int64", "int8", "int64", "ok"), ("half-float", "half", "float", "unavailable"),
                          ("float-double-float", "float", "float", "ok"),
                          ("compensated", "float", "float", "unavailable"),
                          ("map-load", "int32", "int32", "ok"), ("map-load", "float", "float", "ok"),
                          ("map-store", "int32", "int32", "ok"), ("map-store", "float", "float", "ok"),
                          ("affine", "affine_float", "", "ok"), ("arg-max", "arg_max_float", "", "ok"),
                          ("int4", "int4", "", "ok"), ("matrix2", "matrix2_float", "", "ok"),
                          ("quaternion", "quaternion_float", "", "ok")])  # fmt: skip
        told = [line.partition(", ")[0] for line in stdout.splitlines() if " of copy" in line and ": 0." in line]
        self.assertEqual(told, [row["experiment"] for row in library])
        rows, _ = self.rows("--suite", "elements", "--experiments", "offsets,int4", "--sizes", "100", "--peers", "none")
        self.assertEqual([row["experiment"] for row in self.library(rows)], ["offsets", "int4"])

    def test_a_variant_that_reduces(self):
        variant = ("cached_rows+brent_kung+reduce_then_combine work_group_size=1 vector_length=2 cached_pieces=64 "
                   "interleaved_rows=2 streaming_stores=0 work_groups_per_unit=1")
        scans = variant.replace("reduce_then_combine", "reduce_then_scan")
        rows, _ = self.rows("--reduce", "--sizes", "5000", "--variant", variant, "--variant", scans, "--peers", "none")
        self.assertEqual([row["status"] for row in self.library(rows)], ["ok", "illegal"])

    def test_operators_in_opencl_c(self):
        rows, _ = self.rows("--ops", "keep_last,affine,add", "--types", "uint16,int32", "--sizes", "5000")
        found = [(row["type"], row["op"], row["status"]) for row in self.library(rows)]
        self.assertEqual(found, [("uint16", "add", "ok"), ("uint16", "keep_last", "ok"), ("uint16", "affine", "ok"),
                                 ("int32", "add", "ok"), ("int32", "keep_last", "ok")])  # affine wants unsigned halves

    def test_structs(self):
        names = ["affine_float", "arg_max_float", "int4"]
        rows, stdout = self.rows("--structs", ",".join(names), "--sizes", "5000", "--reverse")
        self.assertEqual([(row["type"], row["op"], row["status"]) for row in self.library(rows)],
                         [("affine_float", "affine_float_join", "ok"), ("arg_max_float", "arg_max_float_join", "ok"),
                          ("int4", "add", "ok")])
        self.assertFalse({row["contender"] for row in rows} & {"tbb", "boost"})
        self.assertEqual([row["status"] for row in rows if row["contender"] == "serial"], ["ok"] * len(names))
        self.assertIn("int4 add inclusive reverse, 5000 elements", stdout)

    def test_loops_over_structs(self):
        """Of every operator that vectors have. None has sums alone, and none of vectors an identity."""
        def loops(*words):
            rows, _ = self.rows("--sizes", "300", "--peers", "serial", "--structs", *words)
            return [row["status"] for row in rows if row["contender"] == "serial"]

        self.assertEqual(loops("uint2,quaternion_float", "--ops", "all"), ["ok"] * 8)
        self.assertEqual(loops("int2,quaternion_float", "--exclusive", "--reverse"), ["unavailable", "ok"])
        self.assertEqual(loops("int2", "--reduce"), ["unavailable"])

    def test_structs_of_files(self):
        """With an offset before the input, from its end, and in a reduction."""
        drift = str(pathlib.Path(__file__).resolve().parents[1] / "fixtures/elements/drift.json")
        for form, options in (("exclusive", ["--in-offset", "3", "--exclusive", "--reverse"]),
                              ("reduce", ["--reduce"])):
            rows, _ = self.rows("--structs", drift, "--sizes", "5000", *options)
            self.assertEqual([(row["type"], row["op"], row["form"], row["status"]) for row in self.library(rows)],
                             [("drift", "drift_combine", form, "ok")])

    def test_offsets(self):
        path = os.path.join(self.folder, "run.json")
        for offsets, options in (
            ((1, 0), ["--in-offset", "1"]),
            ((0, 3), ["--out-offset", "3", "--exclusive"]),
            ((1, 3), ["--in-offset", "1", "--out-offset", "3", "--reverse", "--peers", "none"]),
            ((5, 5), ["--in-offset", "5", "--out-offset", "5", "--in-place"]),
            ((7, 2), ["--in-offset", "7", "--out-offset", "2", "--cache", "cold", "--cache-size", "1"]),
        ):
            with self.subTest(options=options):
                rows, stdout = self.rows("--sizes", "5000,100", "--types", "int32,uint8", "--json", path, *options)
                self.assertEqual({(row["in_offset"], row["out_offset"]) for row in rows}, {tuple(map(str, offsets))})
                self.assertEqual({row["status"] for row in rows}, {"ok"})
                self.assertEqual(len(self.library(rows)), 4)
                self.assertEqual({row["contender"] for row in rows if not row["contender"].startswith("copy")},
                                 {"clscan config"})
                self.assertIn("100 elements, from %d to %d" % offsets, stdout)
                with open(path, encoding="utf-8") as file:
                    run = json.load(file)
                self.assertEqual({(row["in_offset"], row["out_offset"]) for row in run["rows"]}, {offsets})

    def test_the_count_on_the_device(self):
        """Each of the library's rows a second time, by the plan for the largest count."""
        rows, _ = self.rows("--device-count", "--sizes", "100,500000", "--types", "int32", "--in-offset", "3",
                            "--strategies", "config,reduce_then_scan")  # fmt: skip
        self.assertEqual({row["status"] for row in rows}, {"ok"})
        names = ["clscan config", "clscan config (device count)",
                 "clscan reduce_then_scan", "clscan reduce_then_scan (device count)"]  # fmt: skip
        self.assertEqual([row["contender"] for row in self.library(rows)], names * 2)
        counted = [row["variant"] for row in rows if row["contender"] == names[1]]
        self.assertEqual(counted, [row["variant"] for row in rows if row["contender"] == names[0]][1:] * 2)

    def test_the_count_on_the_device_of_what_is_no_plain_scan(self):
        """There too: of as many as there are where other buffers, or rows, say how many."""
        for words in (["--reduce"], ["--reverse"], ["--select", "0.5"], ["--segments", "keys:10"],
                      ["--segments", "offsets:10", "--reduce"], ["--row-length", "100"]):  # fmt: skip
            with self.subTest(words=words):
                rows, _ = self.rows("--device-count", "--sizes", "5000", "--types", "int32", "--peers", "none", *words)
                self.assertEqual({row["status"] for row in rows}, {"ok"})
                self.assertEqual([row["contender"] for row in self.library(rows)],
                                 ["clscan config", "clscan config (device count)"])

    def test_reproducible_plans(self):
        """What has them is measured with them, and what has none is skipped with a sentence."""
        own = ("cached_rows+brent_kung+reduce_then_scan work_group_size=1 vector_length=16 cached_pieces=128 "
               "interleaved_rows=1 streaming_stores=0 work_groups_per_unit=1")  # fmt: skip
        path = os.path.join(self.folder, "run.json")
        rows, stdout = self.rows("--reproducible", "--types", "float,int32", "--ops", "add,max", "--sizes", "5000,100",
                                 "--peers", "serial", "--strategies", "config,adjacent", "--variant", own,
                                 "--json", path)  # fmt: skip
        self.assertEqual({(row["type"], row["op"], row["reproducible"]) for row in rows}, {("float", "add", "1")})
        self.assertEqual([row["status"] for row in self.library(rows)], ["ok", "illegal", "ok"] * 2)
        self.assertIn("reproducible_", self.library(rows)[1]["note"])
        self.assertEqual(self.library(rows)[2]["variant"], own)
        self.assertIn("float add inclusive forward reproducible, 5000 elements", stdout)
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
        self.assertEqual({(one["type"], one["op"]) for one in run["skipped"]},
                         {("float", "max"), ("int32", "add"), ("int32", "max")})
        self.assertEqual({row["reproducible"] for row in run["rows"]}, {True})
        plain, _ = self.rows("--types", "float", "--sizes", "100", "--peers", "none")
        self.assertEqual({row["reproducible"] for row in plain}, {"0"})
        self.assertNotEqual(self.library(plain)[0]["variant"], self.library(rows)[0]["variant"])

    def test_reproducible_plans_are_of_floats_unless_types_are_given(self):
        rows, _ = self.rows("--reproducible", "--latency", "--in-place", "--exclusive", "--peers", "none")
        self.assertEqual({(row["type"], row["count"]) for row in rows}, {("float", "1024")})
        self.assertEqual({row["status"] for row in self.library(rows)}, {"ok"})
        result = bench("--reproducible", "--overhead", "--runs", "2")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("float add inclusive forward reproducible", result.stdout)

    def test_sample_strategies_are_legal_and_right(self):
        rows, _ = self.rows(
            "--sizes", "5000", "--peers", "none",
            "--strategies", "config,single,adjacent,reduce_then_scan,scan_then_add",
        )  # fmt: skip
        self.assertEqual(len(self.library(rows)), 5)
        for row in self.library(rows):
            self.assertIn(row["status"], ("ok", "illegal"), row["note"])
        self.assertEqual(self.library(rows)[1]["status"], "ok", self.library(rows)[1]["note"])

    def test_variants_from_options_and_from_a_file(self):
        path = os.path.join(self.folder, "variants")
        with open(path, "w") as file:
            file.write("# a comment\n\n  " + SERIAL_VARIANT + "  # and another\n")
        rows, _ = self.rows("--sizes", "100", "--peers", "none", "--variants", path, "--variant", SERIAL_VARIANT)
        self.assertEqual([row["variant"] for row in self.library(rows)], [SERIAL_VARIANT] * 2)
        self.assertEqual([row["status"] for row in self.library(rows)], ["ok"] * 2)

    def test_an_illegal_variant_is_shown_with_the_reason_and_is_no_failure(self):
        rows, stdout = self.rows("--sizes", "100", "--peers", "none", "--variant", ILLEGAL_VARIANT)
        (row,) = self.library(rows)
        self.assertEqual(row["status"], "illegal")
        self.assertIn("local_pieces", row["note"])
        self.assertIn("illegal", stdout)

    def test_clocks(self):
        choices = {"host": ("host", "host"), "events": ("kernel", "queue"), "queue": ("queue", "queue")}
        for choice, (one, several) in choices.items():
            rows, _ = self.rows("--sizes", "1000", "--strategies", "single,reduce_then_scan", "--clock", choice)
            single, two_launches = (row["clock"] for row in self.library(rows))
            (copy,) = (row["clock"] for row in rows if row["contender"] == "copy buffer")
            self.assertEqual((copy, single, two_launches), (one, one, several))

    def test_json_says_what_the_csv_file_says(self):
        path = os.path.join(self.folder, "run.json")
        words = ["--sizes", "100,2^60", "--ops", "add,max", "--variant", ILLEGAL_VARIANT, "--json", path]
        rows, _ = self.rows(*words)
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
        self.assertEqual(run["format"], 1)
        self.assertEqual(run["command"][-len(words):], words)
        self.assertRegex(run["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual([one["count"] for one in run["skipped"]], [2**60] * 2)
        self.assertEqual(len(run["rows"]), len(rows))
        for of_json, of_csv in zip(run["rows"], rows):
            self.assertEqual(of_csv.pop("device"), run["device"]["name"])
            self.assertEqual(of_csv.pop("driver"), run["device"]["driver"])
            self.assertEqual(list(of_json), list(of_csv))
            for name, value in of_json.items():
                if isinstance(value, float):
                    self.assertAlmostEqual(value, float(of_csv[name]), delta=0.5 if name.endswith("_ns") else 1e-4)
                else:
                    text = "" if value is None else str(int(value)) if isinstance(value, bool) else str(value)
                    self.assertEqual(text, of_csv[name], name)

    def test_sizes_in_any_order_and_direction_are_right(self):
        for options in ([], ["--reverse"], ["--in-place"]):
            rows, _ = self.rows("--sizes", "3000,10,100000", "--ops", "add,min", "--peers", "none", *options)
            self.assertEqual([row["status"] for row in self.library(rows)], ["ok"] * 6)
            self.assertEqual([row["count"] for row in self.library(rows)], ["3000", "10", "100000"] * 2)

    def test_both_clocks_side_by_side(self):
        rows, stdout = self.rows("--sizes", "1000", "--clock", "both", "--strategies", "config,reduce_then_scan")
        self.assertIn("host us", stdout)
        clocks = {row["contender"]: row["clock"] for row in rows}
        self.assertEqual((clocks["empty kernel"], clocks["serial"]), ("kernel", "host"))
        for row in self.library(rows):
            self.assertIn(row["clock"], ("kernel", "queue"))
        for row in rows:
            if row["status"] == "ok":
                times = [float(row["host_%s_ns" % name])
                         for name in ("minimum", "lower_quartile", "median", "upper_quartile")]
                self.assertEqual(times, sorted(times))
                self.assertGreater(times[0], 0)
        copies = [float(row["host_of_copy"]) for row in rows if row["contender"].startswith("copy")]
        self.assertEqual(max(copies), 1.0)

    def test_one_clock_leaves_the_columns_of_the_other_empty(self):
        rows, _ = self.rows("--sizes", "1000", "--peers", "none")
        self.assertEqual({row[name] for row in rows for name in COLUMNS if name.startswith("host_")}, {""})

    def test_cold_caches(self):
        """More runs than there are pairs, so that pairs are used again."""
        for options in (["--types", "half"], ["--types", "int32", "--in-place", "--reverse", "--exclusive"]):
            rows, stdout = self.rows("--sizes", "100000", "--cache", "both", "--cache-size", "1",
                                     "--strategies", "config,reduce_then_scan", *options)  # fmt: skip
            self.assertIn("elements, cold caches", stdout)
            self.assertEqual([row["cache"] for row in self.library(rows)], ["warm", "warm", "cold", "cold"])
            self.assertEqual({row["status"] for row in self.library(rows)}, {"ok"})

    def test_cold_caches_that_do_not_fit_are_skipped(self):
        rows, stdout = self.rows("--sizes", "16", "--cache", "both", "--cache-size", "1000000")
        self.assertEqual({row["cache"] for row in rows}, {"warm"})
        self.assertIn("skipped, cold caches need", stdout)

    def with_peer(self, *arguments, fault="", code=0):
        """Run with a fake peer under the name of cub; return rows and stdout."""
        program = pathlib.Path(self.folder) / "clscan-peer-cub"
        program.write_text("#!/bin/sh\nexec %s \"$@\"\n" % shlex.join([sys.executable, str(FAKE_PEER)]))
        program.chmod(0o755)
        return self.rows("--peers", "cub", *arguments, code=code, CLSCAN_BENCH_PEERS=self.folder, FAKE_PEER=fault)

    def peers(self, *arguments, fault="", code=0):
        """Rows of a fake peer under the name of cub, and of what comes with it."""
        rows, _ = self.with_peer("--strategies", "none", *arguments, fault=fault, code=code)
        return [row for row in rows if row["contender"].startswith("cub")]

    def test_a_peer_in_a_process_of_its_own(self):
        for clock, expected in (("host", "3000"), ("events", "2000")):
            peers = self.peers("--sizes", "1,600000,7", "--clock", clock)
            self.assertEqual([row["contender"] for row in peers], ["cub", "cub copy"] * 3)
            self.assertEqual({row["status"] for row in peers}, {"ok"})
            self.assertEqual({row["median_ns"] for row in peers}, {expected})
            self.assertRegex(peers[0]["note"], r"^fake 1\.0, \d+ \d+$")
        both = self.peers("--sizes", "100", "--clock", "both", "--cache", "cold", "--cache-size", "1")
        self.assertEqual({(row["median_ns"], row["host_median_ns"]) for row in both}, {("2000", "3000")})

    def test_marks_travel_to_a_peer(self):
        for options in (["--select", "0.3"], ["--segments", "flags:7"]):
            with self.subTest(options=options):
                (peer, _) = self.peers("--sizes", "5000", *options)
                self.assertEqual((peer["status"], peer["note"][:4]), ("ok", "fake"))
                self.assertEqual(peer["note"].endswith(", by hand"), options[0] == "--select")
                (wrong, _) = self.peers("--sizes", "5000", *options, fault="wrong", code=1)
                self.assertEqual(wrong["status"], "WRONG")
                (short, _) = self.peers("--sizes", "5000", *options, fault="short", code=1)
                self.assertEqual(short["status"], "failed")
                self.assertRegex(short["note"], r"made \d+ bytes, not \d+")
        (unknown, _) = self.peers("--sizes", "5000", "--segments", "keys:7")
        self.assertEqual((unknown["status"], unknown["note"]), ("unavailable", "knows flags only"))

    def test_a_peer_that_cannot_or_fails(self):
        (refused, _) = self.peers("--sizes", "10", fault="refuses")
        self.assertEqual((refused["status"], refused["note"]), ("unavailable", "has no such device"))
        (unknown, _) = self.peers("--sizes", "10", "--ops", "max")
        self.assertEqual((unknown["status"], unknown["note"]), ("unavailable", "knows sums only"))
        (wrong, _) = self.peers("--sizes", "10", fault="wrong", code=1)
        self.assertEqual(wrong["status"], "WRONG")
        self.assertIn("element 9", wrong["note"])
        (dead, _) = self.peers("--sizes", "10", fault="dies", code=1)
        self.assertEqual(dead["status"], "failed")
        self.assertIn("has ended", dead["note"])

    def test_pyopencl_is_right_or_says_why_it_is_not_there(self):
        rows, _ = self.rows("--sizes", "500,3000", "--ops", "add,max", "--types", "int32,float", "--exclusive",
                            "--peers", "pyopencl")  # fmt: skip
        peers = [row for row in rows if row["contender"] == "pyopencl"]
        self.assertEqual(len(peers), 8)
        for row in peers:
            self.assertTrue(row["status"] == "ok" or "PyOpenCL" in row["note"], row)

    def candidates(self, *variants):
        path = os.path.join(self.folder, "candidates")
        with open(path, "w", encoding="utf-8") as file:
            file.write("# the shortest of lists\n" + "".join(variant + "\n" for variant in variants))
        return path

    def test_a_suite_measures_the_best_of_the_candidates(self):
        coalesced = ("coalesced+kogge_stone+adjacent+%s work_group_size=8 vector_length=1 register_pieces=%d "
                     "local_pieces=2 thread_group_size=8 tiles_per_work_group=1 poll_delay=0")  # fmt: skip
        path = self.candidates(coalesced % ("dynamic", 2), coalesced % ("dynamic", 0), coalesced % ("dynamic", 300))
        rows, _ = self.rows("--suite", "streamscan", "--experiments", "ids", "--sizes", "3000", "--candidates", path)
        self.assertEqual({(row["suite"], row["experiment"]) for row in rows}, {("streamscan", "ids")})
        dynamic, static = (row for row in rows if "ids" in row["contender"])
        self.assertIn(dynamic["variant"], [coalesced % ("dynamic", 2), coalesced % ("dynamic", 0)])
        self.assertEqual(dynamic["note"], "best of 2")
        self.assertEqual(static["variant"], dynamic["variant"].replace("+dynamic", "+static"))
        pieces = 2 if "register_pieces=2" in dynamic["variant"] else 0
        self.assertEqual(int(dynamic["register_bytes"]), pieces * 8 * 8 * 4)
        self.assertGreaterEqual(int(dynamic["local_bytes"]), 2 * 8 * 8 * 4)
        self.assertEqual([row["status"] for row in (dynamic, static)], ["ok"] * 2)
        self.assertIn("empty kernel", [row["contender"] for row in rows])

    def test_a_rung_without_registers_takes_such_candidates_only(self):
        coalesced = ("coalesced+kogge_stone+adjacent+dynamic work_group_size=8 vector_length=1 register_pieces=%d "
                     "local_pieces=1 thread_group_size=8 tiles_per_work_group=1 poll_delay=0")  # fmt: skip
        two_launches = ("matrix+kogge_stone+reduce_then_scan work_group_size=8 vector_length=1 register_pieces=0 "
                        "local_pieces=1 thread_group_size=8 work_groups_per_unit=1")  # fmt: skip
        adjacent = ("matrix+kogge_stone+adjacent+dynamic work_group_size=8 vector_length=1 register_pieces=0 "
                    "local_pieces=1 thread_group_size=8 tiles_per_work_group=1 poll_delay=0")  # fmt: skip
        path = self.candidates(coalesced % 1, coalesced % 0, two_launches, adjacent)
        rows, _ = self.rows("--suite", "streamscan", "--experiments", "figure-12", "--sizes", "3000", "--candidates",
                            path)  # fmt: skip
        rungs = [row for row in rows if row["contender"].startswith(("matrix", "coalesced"))]
        self.assertEqual([row["note"] for row in rungs], ["best of 1", "best of 1", "best of 1", "best of 2"])
        self.assertEqual([row["variant"] for row in rungs][:3], [two_launches, adjacent, coalesced % 0])

    def test_strides_are_right_copies_and_never_the_yardstick(self):
        rows, stdout = self.rows("--suite", "streamscan", "--experiments", "figure-15", "--sizes", "16384,100,40001")
        strides = [row for row in rows if row["contender"].startswith("stride")]
        self.assertEqual(len(strides), 21)
        self.assertEqual({row["status"] for row in strides}, {"ok"})
        self.assertNotRegex(stdout, "stride.* = copy")

    def test_copies_with_loops_are_right_and_never_the_yardstick(self):
        rows, stdout = self.rows("--suite", "copy", "--sizes", "40001", "--types", "int32")
        rungs = {row["contender"]: row for row in rows if ", vectors of " in row["contender"]}
        loops = {"no loop": "no_loop", "grid stride": "grid_stride", "120 x 128": "sequences", "sequences": "sequences"}
        self.assertEqual(list(rungs), [f"{name}, vectors of {length}" for length in (1, 2, 4) for name in loops])
        self.assertEqual({row["status"] for row in rungs.values()}, {"ok"})
        for name, row in rungs.items():
            loop, _, length = name.partition(", vectors of ")
            self.assertRegex(row["variant"], rf"^{loops[loop]} vector_length={length} work_group_size=\d+")
            self.assertEqual("work_groups=120" in row["variant"], loop == "120 x 128")
            self.assertRegex(row["note"], r"^best of \d+$")
        self.assertNotRegex(stdout, "vectors.* = copy")

    def test_elements_per_second_by_type_and_count(self):
        tickets = ("subgroup_rows+subgroup+adjacent+dynamic work_group_size=64 vector_length=4 register_pieces=4 "
                   "local_pieces=0 tiles_per_work_group=1 poll_delay=0")  # fmt: skip
        lookahead = ("subgroup_rows+subgroup+lookahead+persistent work_group_size=64 vector_length=4 "
                     "register_pieces=4 local_pieces=0 work_groups_per_unit=2 poll_delay=0 landing_zones=0")
        cyclic = tickets.replace("dynamic", "cyclic").replace(" tiles", " work_groups_per_unit=1 tiles")
        path = self.candidates(tickets, lookahead)
        rows, stdout = self.rows("--suite", "lightscan", "--types", "float", "--sizes", "2^12,2^13",
                                 "--candidates", path, "--peers", "serial")  # fmt: skip
        for row in rows:
            if row["contender"] == "lookahead":
                self.assertEqual((row["variant"], row["status"]), (lookahead, "ok"))
            if row["contender"].startswith("LightScan"):
                self.assertTrue(row["variant"].startswith(cyclic.split()[0]) or row["status"] == "illegal", row)
        lines = [line.split() for line in stdout.splitlines() if line.startswith("serial ")]
        self.assertEqual([words[1] for words in lines], ["float"])
        for words in lines:
            geps = [float(row["geps"]) for row in rows
                    if row["contender"] == "serial" and row["type"] == words[1]]
            shown = [float(word) for word in words[2:]]
            for value, wanted in zip(shown, [*geps, sum(geps) / 2, max(geps)], strict=True):
                self.assertAlmostEqual(value, wanted, delta=0.011)

    def test_rows_are_scans_of_their_own(self):
        rows, stdout = self.rows("--suite", "batch", "--experiments", "short", "--sizes", "200", "--types", "int32",
                                 "--peers", "serial,tbb")  # fmt: skip
        lengths = {row["rows"]: row["count"] for row in rows}
        self.assertEqual(lengths, {str(200 >> n): str((200 >> n) << n) for n in range(8)})
        self.assertEqual({row["status"] for row in rows if row["contender"] in ("clscan config", "serial")}, {"ok"})
        self.assertEqual({row["status"] for row in rows if row["contender"] == "tbb"}, {"unavailable"})
        self.assertIn("200 elements in 50 rows of 4", stdout)

    def test_rows_are_of_lengths_that_are_no_powers_of_2(self):
        for experiment, reproducible, gap in (("odd", "0", 0), ("pitch", "0", 3), ("reproducible", "1", 0)):
            rows, _ = self.rows("--suite", "batch", "--experiments", experiment, "--sizes", "20020", "--types", "float",
                                "--peers", "serial")  # fmt: skip
            ours = [row for row in rows if row["contender"] in ("clscan config", "serial")]
            self.assertEqual({row["rows"]: row["count"] for row in ours},
                             {"6673": "20019", "200": "20000", "20": "20000", "2": "20014"})  # fmt: skip
            self.assertEqual({row["status"] for row in ours}, {"ok"})
            self.assertEqual({row["reproducible"] for row in ours}, {reproducible})
            self.assertEqual({row["pitch"] for row in ours},
                             {str(length + gap) if gap else "" for length in (3, 100, 1000, 10007)})  # fmt: skip

    def test_tensors_along_an_axis(self):
        """Sizes make the first dimension; what is left over is left out."""
        for experiment, size, axis, scans, text in (
            ("columns", 5 * 16384 + 1, "0", 16384, "in 16384 rows of 5 along axis 0 of 5 x 16384"),
            ("middle-axis", 2**20, "1", 2048, "in 2048 rows of 512 along axis 1 of 2 x 512 x 1024"),
        ):
            for form in ([], ["--in-place"]):
                rows, stdout = self.rows("--suite", "batch", "--experiments", experiment, "--sizes", f"100,{size}",
                                         "--peers", "serial,tbb", *form)  # fmt: skip
                self.assertIn(text, stdout)
                ours = [row for row in rows if row["contender"] in ("clscan config", "serial")]
                self.assertEqual([(row["type"], row["rows"], row["axis"], row["status"]) for row in ours],
                                 [(name, str(scans), axis, "ok") for name in ("int32", "float")
                                  for contender in "ab"])  # fmt: skip
                told = float(ours[0]["gb_per_s"]) * float(ours[0]["median_ns"])
                self.assertAlmostEqual(told / (8 * (size // 16384 * 16384)), 1, delta=0.01)

    def test_threads_that_may_share_a_core_are_told(self):
        for affinity, told in (("", True), ("0", True), ("1", False)):
            _, stdout = self.rows("--sizes", "100", "--peers", "none", POCL_AFFINITY=affinity)
            cores = int(re.search(r", (\d+) compute units", stdout).group(1))
            is_pocl = "\nkey pocl-" in stdout
            self.assertEqual("POCL_AFFINITY=1" in stdout, told and is_pocl and cores > 1, stdout)

    def test_groups_of_devices(self):
        rows, stdout = self.rows("--suite", "multi-gpu", "--sizes", "100003", "--types", "int32,half",
                                 "--devices", "0,0,0", "--peers", "none")  # fmt: skip
        self.assertEqual({row["experiment"] for row in rows}, {"rows", "mps", "mp-pc", "one", "host"})
        blocking = [row for row in rows if row["contender"].endswith(", blocking")]
        self.assertEqual({row["experiment"] for row in blocking}, {"one", "mps"})
        self.assertEqual({row["status"] for row in blocking}, {"ok"})
        groups = [row for row in rows if row["contender"].endswith(("devices", "a row")) and row["status"] == "ok"]
        self.assertEqual({(row["contender"], row["status"], row["clock"], row["note"].partition("; ")[0])
                          for row in groups},
                         {("2 devices", "ok", "host", "devices 0,0"), ("3 devices", "ok", "host", "devices 0,0,0"),
                          ("2 devices, 2 a row", "ok", "host", "devices 0,0"),
                          ("3 devices, 3 a row", "ok", "host", "devices 0,0,0")})
        (missing,) = {(row["contender"], row["status"], row["note"]) for row in rows
                      if row["experiment"] == "mp-pc" and "devices" in row["contender"]}
        self.assertEqual(missing, ("devices", "unavailable", "needs four devices of one platform, or --devices"))
        for row in groups + blocking:
            call, alone = map(float, re.fullmatch(r".*; the call takes (.*) us, the first part alone (.*) us",
                                                  row["note"]).groups())
            self.assertTrue(0 < call <= 1e-3 * float(row["upper_quartile_ns"]) + 0.1, row)
            self.assertGreater(alone, 0)
        for experiment in ("rows", "mps"):
            cuts = {row["rows"] for row in groups if row["experiment"] == experiment}
            self.assertEqual(cuts, {str(100003 >> n) for n in range(13, 17)})
        one = next(row for row in rows if row["contender"] == "clscan config")
        ratio = float(one["median_ns"]) / float(groups[0]["median_ns"])
        told = next(line.split() for line in stdout.splitlines() if "times as fast as one device: 2 devices" in line)
        self.assertAlmostEqual(float(told[0]), ratio, delta=0.002)

    def test_groups_that_share_rows_scan_at_once(self):
        rows, stdout = self.rows("--suite", "multi-gpu", "--experiments", "mp-pc", "--sizes", "81920",
                                 "--devices", "0,0,0,0,0,0,0,0", "--peers", "none")  # fmt: skip
        groups = [row for row in rows if "devices" in row["contender"]]
        self.assertEqual({(row["contender"], row["note"].partition("; the")[0]) for row in groups},
                         {("4 devices, 2 a row", "devices 0,0;0,0"), ("8 devices, 2 a row", "devices 0,0;0,0;0,0;0,0"),
                          ("8 devices, 4 a row", "devices 0,0,0,0;0,0,0,0")})  # fmt: skip
        self.assertEqual({row["status"] for row in groups}, {"ok"})
        # Also fewer rows than groups, and numbers of rows that groups cannot share evenly.
        self.assertEqual({row["rows"] for row in groups}, {"10", "5", "2", "1"})
        self.assertEqual(stdout.count("times as fast as one device: "), len(groups))

    def test_cub_on_each_device_beside_groups(self):
        arguments = ("--suite", "multi-gpu", "--sizes", "50000", "--devices", "0,0,0", "--experiments")
        for experiment in ("rows", "mps"):
            rows, stdout = self.with_peer(*arguments, experiment)
            peers = [row for row in rows if "cub" in row["contender"]]
            self.assertEqual([row["contender"] for row in peers],
                             ["cub", "2 devices, cub", "3 devices, cub"] * 3)  # 6, 3, and 1 rows
            self.assertEqual({(row["status"], row["clock"], row["median_ns"]) for row in peers},
                             {("ok", "host", "3000")})  # fmt: skip
            self.assertRegex(peers[2]["note"], r"^devices 0,0,0; fake 1\.0")
            for size in "23":
                self.assertIn("times as fast as %s devices, cub: %s devices" % (size, size), stdout)
        rows, stdout = self.with_peer(*arguments, "one")
        self.assertEqual([row["contender"] for row in rows if "cub" in row["contender"]], ["cub"])
        self.assertIn("times as fast as cub: 3 devices", stdout)
        for fault, status in (("wrong", "WRONG"), ("dies", "failed"), ("short", "failed"), ("refuses", "unavailable")):
            rows, _ = self.with_peer(*arguments, "rows", fault=fault, code=0 if fault == "refuses" else 1)
            first = next(row for row in rows if row["contender"] == "3 devices, cub")
            self.assertEqual(first["status"], status, fault)
            groups = [row for row in rows if row["contender"].endswith("devices")]
            self.assertEqual({row["status"] for row in groups}, {"ok"}, fault)
        rows, _ = self.rows(*arguments, "rows", "--peers", "none")
        self.assertEqual([row for row in rows if "cub" in row["contender"]], [])

    def test_host_memory_beside_links(self):
        rows, stdout = self.rows("--suite", "multi-gpu", "--experiments", "host", "--sizes", "100003",
                                 "--devices", "0,0")  # fmt: skip
        medians = {row["contender"]: float(row["median_ns"]) for row in rows if row["contender"][0].isdigit()}
        self.assertEqual({row["status"] for row in rows if row["contender"] in medians}, {"ok"})
        self.assertEqual([name.partition(", ")[::2] for name in medians],
                         [(size, kind) for size in ("1 device", "2 devices")
                          for kind in ("link", "pinned memory", "host memory")])  # fmt: skip
        told = [line.split(" of the link: ") for line in stdout.splitlines() if " of the link: " in line]
        self.assertEqual(len(told), 4)
        for ratio, name in told:
            link = medians[name.partition(", ")[0] + ", link"]
            self.assertAlmostEqual(float(ratio), link / medians[name], delta=0.001 + 0.01 * link / medians[name])
        rows, _ = self.rows("--suite", "multi-gpu", "--experiments", "host", "--sizes", "100", "--devices", "0",
                            "--in-place")  # fmt: skip
        self.assertEqual({row["status"] for row in rows if row["contender"].startswith("1 device")}, {"unavailable"})

    def test_host_memory_is_given_back(self):
        """Nine sizes of 4 MB take no more than one."""
        memory = []
        for count in (1, 9):
            run = subprocess.Popen([os.environ["CLSCAN_BENCH"], "--runs=3", "--suite=multi-gpu", "--experiments=host",
                                    "--types=int32", "--devices=0,0", "--peers=none",
                                    "--sizes=" + ",".join(str(1000000 + i) for i in range(count))],
                                   stdout=subprocess.DEVNULL)  # fmt: skip
            _, run.returncode, usage = os.wait4(run.pid, 0)
            self.assertEqual(run.returncode, 0)
            memory.append(usage.ru_maxrss / 1000)
        self.assertLess(memory[1] - memory[0], 64)

    def test_parts_of_an_array_are_a_suite(self):
        rows, stdout = self.rows("--suite", "compaction", "--sizes", "5001", "--peers", "serial", "--clock", "host")
        lines = [line.partition(", ") for line in stdout.splitlines() if " of copy, " in line]
        library = self.library(rows)
        self.assertEqual([line[0] for line in lines], [row["experiment"] for row in library])
        forms = {row["experiment"]: row["form"] for row in library}
        expected = {"rows": "inclusive", "scan-keys-exclusive": "exclusive", "reduce-keys": "reduce",
                    "select-half": "select", "select-bits": "select_bits", "select-predicate": "select_predicate",
                    "unique-2": "select_unique", "select-99": "select", "unique-4": "select_unique",
                    "select-bytes": "select_predicate", "where": "select_where", "columns": "select_columns",
                    "partition": "partition", "three-way": "three_way", "encode-4": "encode", "runs-4": "long_runs",
                    "repeat-100": "repeat"}  # fmt: skip
        self.assertEqual(expected, {name: forms[name] for name in expected})
        serial = [row for row in rows if row["contender"] == "serial"]
        self.assertEqual({row["status"] for row in library + serial}, {"ok"})
        for (_, _, line), ours, peer in zip(lines, library, serial):
            words = line.partition(": ")[2].split()
            self.assertAlmostEqual(float(words[0]), float(ours["of_copy"]), delta=0.001)
            ratio = float(peer["median_ns"]) / float(ours["median_ns"])
            with_reads = ours["form"] == "reduce"
            self.assertEqual("read," in words, with_reads)
            if with_reads:
                self.assertAlmostEqual(float(words[3]), float(ours["of_read"]), delta=0.001)
            self.assertAlmostEqual(float(words[6 if with_reads else 3]), ratio, delta=0.001 + 0.01 * ratio)
            self.assertEqual(words[-1], "serial")

    def test_groups_that_cannot_be(self):
        one = ["--suite", "multi-gpu", "--experiments", "one", "--sizes", "100", "--devices"]
        rows, _ = self.rows(*one, "0")
        self.assertEqual([row["status"] for row in rows if row["contender"] == "devices"], ["unavailable"])
        for option in (["--in-place"], ["--clock", "both"], ["--cache", "cold", "--cache-size", "1"]):
            rows, _ = self.rows(*one, "0,0", *option)
            self.assertEqual([row["status"] for row in rows if row["contender"] == "2 devices"], ["unavailable"])
        rows, _ = self.rows(*one, "0,no such device", code=1)
        (group,) = (row for row in rows if row["contender"] == "2 devices")
        self.assertEqual(group["status"], "failed")
        self.assertIn("no such device", group["note"])

    def test_rounds(self):
        rows, _ = self.rows("--sizes", "16", "--peers", "none", "--rounds", "2")
        self.assertEqual({row["round"] for row in rows}, {"1", "2"})

    def test_what_does_not_fit_is_skipped(self):
        rows, stdout = self.rows("--sizes", "2^60,2^63", "--types", "int64")
        self.assertEqual(rows, [])
        self.assertEqual(stdout.count("skipped"), 2)

    def test_latency(self):
        rows, _ = self.rows("--latency", "--peers", "none")
        self.assertEqual({row["count"] for row in rows}, {"1024"})
        self.assertEqual({row["clock"] for row in rows if row["status"] == "ok"}, {"host"})
        self.assertIn("empty kernel", [row["contender"] for row in rows])

    def test_overhead(self):
        result = bench("--overhead", "--runs", "3")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        call, bare, ratio = (float(word) for word in result.stdout.splitlines()[-1].split()[:3])
        self.assertGreater(bare, 0)
        self.assertAlmostEqual(ratio, call / bare, delta=0.01 + 0.01 * ratio)

    def test_list_and_help(self):
        for option, words in (("--list", ("devices:", "adjacent", "serial", "tbb", "boost")),
                              ("--help", ("--sizes", "--overhead", "exit codes"))):  # fmt: skip
            result = bench(option)
            self.assertEqual(result.returncode, 0, result.stderr)
            for word in words:
                self.assertIn(word, result.stdout)

    def test_wrong_command_lines_name_the_culprit(self):
        for arguments, culprit in (
            (["--wat"], "--wat"),
            (["--wat=1"], "--wat"),
            (["stray"], "stray"),
            (["--sizes"], "--sizes"),
            (["--sizes", "2^64"], "2^64"),
            (["--sizes", "0"], "'0'"),
            (["--sizes", "4:2"], "4:2"),
            (["--sizes", "1:8:1"], "1:8:1"),
            (["--sizes", "1,,2"], "--sizes"),
            (["--types", "int31"], "int31"),
            (["--structs", "int5"], "int5"),
            (["--structs", "int4,./none.json"], "./none.json"),
            (["--structs", "half2"], "half2"),
            (["--structs", "double16"], "double16"),
            (["--ops", "custom"], "custom"),
            (["--ops", "add,keep_first"], "keep_first"),
            (["--runs", "0"], "--runs"),
            (["--runs", "-1"], "-1"),
            (["--clock", "sun"], "sun"),
            (["--cache", "hot"], "hot"),
            (["--suite", "darkscan"], "darkscan"),
            (["--suite", "streamscan", "--experiments", "table-9"], "table-9"),
            (["--experiments", "table-4"], "--suite"),
            (["--candidates", "file"], "--suite"),
            (["--devices", "0,0"], "--suite multi-gpu"),
            (["--suite", "batch", "--devices", "0,0"], "--suite multi-gpu"),
            (["--suite", "multi-gpu", "--devices", "0,,0"], "'0,,0'"),
            (["--suite", "multi-gpu", "--devices", "0,"], "'0,'"),
            (["--suite", "multi-gpu", "--devices", ""], "--devices"),
            (["--suite", "multi-gpu", "--devices", "0,0", "--device", "0"], "'--device'"),
            (["--cache-size", "0"], "--cache-size"),
            (["--peers", "cub9"], "cub9"),
            (["--strategies", "quantum"], "quantum"),
            (["--variant", "strided+nonsense"], "nonsense"),
            (["--variants", "/no/such/file"], "/no/such/file"),
            (["--list=1"], "--list"),
            (["--suite", "lightscan", "--reproducible"], "--reproducible"),
            (["--device-count", "--suite", "copy"], "--device-count"),
            (["--in-offset", "-1"], "'-1'"),
            (["--pitch", "8"], "option '--pitch' needs --row-length"),
            (["--row-length", "8", "--pitch", "7"], "7 is smaller than --row-length, 8"),
            (["--row-length", "8", "--pitch", "0"], "--pitch"),
            (["--accumulator", "half"], "'half'"),
            (["--accumulator", "int64", "--types", "float"],
             "option '--accumulator': float becomes no int64 without --load"),
            (["--accumulator", "int16"],
             "option '--accumulator': int32 becomes no int16, which is narrower, without --load"),
            (["--accumulator", "double"], "option '--accumulator': double becomes no int32 without --store"),
            (["--accumulator", "compensated_float"], "compensated_float sums up float"),
            (["--accumulator", "compensated_float", "--types", "float", "--load", "element"], "'--accumulator'"),
            (["--accumulator", "int64", "--select", "0.5"], "'--accumulator' has no use beside --select"),
            (["--output-type", "int63"], "int63"),
            (["--output-type", "int32", "--types", "float"], "option '--output-type': float becomes no int32"),
            (["--output-type", "half", "--types", "double"],
             "option '--output-type': double becomes no float, which is narrower, without --load"),
            (["--output-type", "int64", "--reduce"], "option '--output-type' has no use beside --reduce"),
            (["--output-type", "int64", "--in-place"], "option '--in-place'"),
            (["--offsets", "--reverse"], "'--offsets' has no use beside --reverse"),
            (["--offsets", "--reduce"], "'--offsets' has no use beside --reduce"),
            (["--reduce", "--in-place"], "'--in-place' has no use beside --reduce"),
            (["--offsets", "--segments", "flags:7"], "'--offsets' has no use beside --segments"),
            (["--offsets", "--device-count"], "'--offsets' has no use beside --device-count"),
            (["--offsets", "--types", "half"], "option '--offsets': the total, float"),
            (["--offsets", "--store", "sum"], "'--offsets' has no use beside --store"),
            (["--load", "element", "--structs", "int4"], "'--load' has no use beside --structs"),
            (["--load", "element", "--peers", "serial"], "'--load' has no use beside --peers"),
            (["--load", "elements + index"], "does not name element"),
            (["--load", "element", "--types", "float", "--ops", "mul"], "option '--ops': products"),
            (["--store", "sum", "--reproducible"], "'--store' has no use beside --reproducible"),
            (["--store", "sum", "--ops", "keep_last"], "'--store' has no use beside --ops"),
            (["--store", "sum", "--suite", "elements"], "'--store' has no use beside --suite"),
            (["--suite", "elements", "--types", "int32"], "--types"),
            (["--out-offset", "1000001"], "--out-offset"),
            (["--in-place", "--in-offset", "1"], "'--in-offset' and '--out-offset' differ, 1 and 0"),
            (["--in-offset", "1", "--peers", "serial"], "--peers"),
            (["--suite", "lightscan", "--out-offset", "1"], "'--out-offset' have no use beside --suite"),
            (["--repoducible"], "did you mean '--reproducible'"),
        ):
            with self.subTest(arguments=arguments):
                result = bench(*arguments)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(culprit, result.stderr)
                self.assertIn("--help", result.stderr)

    def test_text_from_outside_is_safe_to_print(self):
        evil = "\x1b[31m\nclscan-bench: all is well\u202e"
        candidates = os.path.join(self.folder, evil)
        with open(candidates, "w", encoding="utf-8") as file:
            file.write("strided+" + evil)
        for arguments in (["--device", evil], ["--csv", "/no such/" + evil], ["--" + evil], ["--sizes", evil],
                          ["--suite", "lightscan", "--candidates", candidates]):  # fmt: skip
            with self.subTest(arguments=arguments):
                shown = bench(*arguments).stderr
                self.assertIn("?", shown)
                self.assertFalse([c for c in shown if c != "\n" and not c.isprintable()], shown)
                self.assertNotIn("\nclscan-bench: all", shown)

    def test_failures_that_are_no_usage_errors(self):
        for arguments, culprit in (
            (["--device", "no such device"], "no such device"),
            (["--csv", "/no/such/folder/rows.csv"], "/no/such/folder/rows.csv"),
            (["--json", "/no/such/folder/run.json"], "/no/such/folder/run.json"),
            (["--suite", "lightscan", "--candidates", "/no/such/file"], "/no/such/file"),
            (["--suite", "lightscan", "--candidates", str(FAKE_PEER)], "line 1"),
            (["--suite", "lightscan", "--experiments", "table-4"], "lightscan"),
        ):
            with self.subTest(arguments=arguments):
                result = bench("--sizes", "16", "--runs", "1", *arguments)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn(culprit, result.stderr)


if __name__ == "__main__":
    unittest.main()
