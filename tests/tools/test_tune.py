"""clscan-tune as a user meets it: on a live device, in spaces that are small enough for a test.

CLSCAN_TUNE and CLSCAN_COMMAND name the programs.
"""

import gzip
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

TUNE = os.environ.get("CLSCAN_TUNE", "clscan-tune")
COMMAND = os.environ.get("CLSCAN_COMMAND", "clscan")
FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures"
ROOT = FIXTURES.parents[1]
SCHEMA = pathlib.Path(__file__).resolve().parents[1] / "fixtures/t4/schema-1.1.0.json"
SECONDS = 1800

# Work-groups of one work-item compile fast everywhere.
ONE_KIND = "body=strided,group_scan=brent_kung,carry=single,work_group_size=1,vector_length=16,register_pieces=0"
TINY = ["--types", "int32", "--classes", "builtin", "--sizes", "2^10,2^14", "--soak", "20", "--strategy", "exhaustive",
        "--only", ONE_KIND + ",local_pieces=64|256"]
# Enough for a run to be in the middle of.
LONGER = [*TINY[:-1], ONE_KIND.replace("register_pieces=0", "register_pieces=0:8") + ",local_pieces=1:512"]
# What a shell is told to do, to go on.
GO_ON = re.compile(r"^ *(clscan-tune --resume .*)$", re.MULTILINE)


def journal_lines(path, kind):
    """The questions of all whole lines of a kind."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
    found = [json.loads(line).get(kind) for line in lines if line.endswith("\n")]
    return [(each["variant"], each["count"]) for each in found if each]


class Tune(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="clscan test ")  # with a blank, on purpose
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.journal = self.folder / "run.jsonl"
        self.config = self.folder / "tuned.json"
        cache = os.environ.get("POCL_CACHE_DIR", str(pathlib.Path.home() / ".cache/pocl/kcache"))
        self.environment = {**os.environ, "HOME": str(self.folder), "POCL_CACHE_DIR": cache,
                            "XDG_RUNTIME_DIR": str(self.folder)}
        for name in ("CLSCAN_CONFIG", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "CLSCAN_LOG"):
            self.environment.pop(name, None)

    def run_program(self, program, *words, code=0, says=(), **keywords):
        done = subprocess.run([program, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**self.environment, **keywords.pop("env", {})}, check=False,
                              timeout=keywords.pop("timeout", SECONDS), **keywords)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for text in says:
            self.assertIn(text, done.stdout + done.stderr)
        return done

    def tune(self, *words, **keywords):
        return self.run_program(TUNE, *words, **keywords)

    def refuse(self, *words, code=1, says=(), **keywords):
        """It ends at once with a message on stderr, and writes no journal."""
        done = self.tune(*words, code=code, **keywords)
        for text in says:
            self.assertIn(text, done.stderr)
        self.assertEqual([path for path in self.folder.rglob("*") if path.suffix == ".jsonl"], [])

    def start(self, *words):
        """A run that is left alone once its first trial is over. It can be interrupted, also where this test is a job
        in the background of a shell, which is not."""
        running = subprocess.Popen([TUNE, *map(str, words), "--journal", str(self.journal)], env=self.environment,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
                                   text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(running.wait)
        self.addCleanup(running.kill)
        self.addCleanup(running.stdout.close)
        end = time.monotonic() + SECONDS
        while not journal_lines(self.journal, "finished"):
            self.assertIsNone(running.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), end, "no trial ended")
            time.sleep(0.02)
        return running

    def go_on(self, text, *more, **keywords):
        """Do what a message says."""
        words = shlex.split(GO_ON.search(text)[1])
        return self.tune(*words[1:], *more, **keywords)

    def entries(self):
        return json.loads(self.config.read_text(encoding="utf-8"))["entries"]

    def scan(self, **environment):
        """Running sums of a file, with statistics."""
        values = [3, 1, 4, 1, 5, 9, 2, 6] * 32
        source, target = self.folder / "in.raw", self.folder / "out.raw"
        source.write_bytes(struct.pack("=256i", *values))
        done = self.run_program(COMMAND, "scan", "--type", "int32", "--stats", source, target, env=environment)
        sums = struct.unpack("=256i", target.read_bytes())
        self.assertEqual(list(sums), [sum(values[:i + 1]) for i in range(256)])
        return done

    def key(self):
        devices = json.loads(self.run_program(COMMAND, "devices", "--json").stdout)["devices"]
        return next(device["key"] for device in devices if device["default"])


    def size_classes(self):
        """What clscan chooses for int32 with the config."""
        done = self.run_program(COMMAND, "explain", "--json", "--type", "int32",
                                env={"CLSCAN_CONFIG": str(self.config)})
        return json.loads(done.stdout)["size_classes"]


class Results(Tune):
    def test_a_config_that_clscan_uses(self):
        """Tuned where clscan looks: explain shows the entry, scan uses it, and names the config."""
        done = self.tune(*TINY)
        (config,) = (self.folder / ".config/clscan").iterdir()
        self.assertEqual(config.name, self.key() + ".json")
        self.assertIn(str(config), done.stdout)
        self.config = config
        self.assertEqual({(entry["operator_class"], entry["element_size_bytes"]) for entry in self.entries()},
                         {("builtin", 4)})
        provenance = json.loads(config.read_text(encoding="utf-8"))["provenance"]
        (journal,) = (self.folder / ".local/state/clscan").iterdir()
        self.assertEqual((provenance["origin"], provenance["journal"]), ("tuned", journal.name))
        explained = json.loads(self.run_program(COMMAND, "explain", "--count", 1000, "--json").stdout)
        (chosen,) = explained["size_classes"]
        self.assertEqual(chosen["source"], str(config))
        self.assertLessEqual(self.entries()[0]["variant"].items(), chosen["variant"].items())
        self.assertIn(str(config), self.scan().stdout)

    def test_lines_on_a_pipe(self):
        """Nothing there is written over, neither progress nor results."""
        done = self.tune(*TINY, "--output", self.config)
        for character in "\r\x1b":
            self.assertNotIn(character, done.stdout + done.stderr)

    def test_a_second_run_keeps_other_entries(self):
        self.tune(*TINY, "--output", self.config)
        self.tune("--types", "int64", *TINY[2:], "--output", self.config)
        self.assertEqual({entry["element_size_bytes"] for entry in self.entries()}, {4, 8})


    def test_counts_that_were_not_measured_keep_their_entries(self):
        self.tune(*TINY, "--output", self.config)
        before = self.size_classes()[-1]["variant"]
        done = self.tune(*[word.replace("2^10,2^14", "2^12") for word in TINY], "--output", self.config)
        self.assertIn("which was not measured, the config keeps what %s says" % self.config, done.stdout)
        self.assertEqual(self.size_classes()[-1]["variant"], before)
        self.assertEqual(self.entries()[-1]["largest_count"], None)

    def test_elements(self):
        """Vectors and ready-made elements have entries of their size and class, which scans of such elements take."""
        self.tune("--elements", "affine_float,matrix2_float,int8", *TINY[4:], "--output", self.config,
                  "--journal", self.journal)
        self.assertEqual({(entry["operator_class"], entry["element_size_bytes"]) for entry in self.entries()},
                         {("custom", 8), ("custom", 16), ("builtin", 32)})
        self.assertEqual([each["element"] for each in json.loads(self.journal.read_text().splitlines()[0])["targets"]],
                         ["affine_float", "matrix2_float", "int8"])
        source, target = self.folder / "in.raw", self.folder / "out.raw"
        source.write_bytes(struct.pack("=4f", 1, 0, 1, 0) * 100)
        done = self.run_program(COMMAND, "scan", "--struct", "matrix2_float", "--stats", "--config", self.config,
                                source, target)
        self.assertRegex(done.stdout, re.escape(str(self.config)) + "#/entries/[0-9]")
        self.tune("--verify", self.config, "--soak", "2", says=["16-byte custom", "correct", "0 fail"])
        self.tune("--replay", self.journal, says=["matrix2_float"])

    def test_described_elements(self):
        """Elements of files get entries of their size beside ready-made ones. What the journal needs of them it has."""
        drift = json.loads((FIXTURES / "elements/drift.json").read_text())
        described = self.folder / "of mine.json"
        described.write_text(json.dumps(drift))
        self.tune("--elements", "%s,affine_float" % described, *TINY[4:], "--trials", "2", "--output", self.config,
                  "--journal", self.journal)
        self.tune("--verify", self.config, "--soak", "2", "--elements", described, says=["12-byte custom", "0 fail"])
        described.unlink()
        self.assertEqual({(entry["operator_class"], entry["element_size_bytes"]) for entry in self.entries()},
                         {("custom", 8), ("custom", 12)})
        self.assertNotIn("correctness", self.journal.read_text())
        targets = json.loads(self.journal.read_text().splitlines()[0])["targets"]
        self.assertEqual([each["element"] for each in targets], [drift, "affine_float"])
        self.tune("--replay", self.journal, says=["drift", "affine_float"])
        source, target = self.folder / "in.raw", self.folder / "out.raw"
        source.write_bytes(struct.pack("=IIi", 1, 2, 3) * 100)
        done = self.run_program(COMMAND, "scan", "--struct", FIXTURES / "elements/drift.json", "--stats", "--config",
                                self.config, source, target)
        self.assertRegex(done.stdout, re.escape(str(self.config)) + "#/entries/[0-9]")

    def test_sums_of_another_type_that_there_are_not(self):
        for types, output, says in (
                ("int8", "half", "sums of half are float; say float"),
                ("float", "int64", "float becomes no int64 without a load map"),
                ("int64", "int32", "int64 becomes no int32, which is narrower, without a load map"),
                ("int32", "uint32", "uint32 is no wider than int32, and such sums have no entries of their own")):
            self.refuse("--types", types, "--output-type", output, code=2, says=["--output-type: " + says])

    def test_elements_that_there_are_not(self):
        self.refuse("--elements", "int4,no_element", code=2, says=["no_element"])
        self.refuse("--elements", "int4,./none", code=2, says=["./none: No such file"])
        drift = json.loads((FIXTURES / "elements/drift.json").read_text())
        (self.folder / "wrong.json").write_text(json.dumps({**drift, "size_bytes": 13}))
        self.refuse("--elements", "int4,%s" % (self.folder / "wrong.json"), code=2,
                    says=["wrong.json: /size_bytes: 13"])
        self.refuse("--elements", "int4", "--reproducible", code=2, says=["--reproducible", "int4"])
        self.refuse("--elements", "int4,float4", *TINY[4:], code=2, says=["int4", "float4", "16-byte builtin"])

    def test_an_operator_that_does_not_compile(self):
        drift = json.loads((FIXTURES / "elements/drift.json").read_text())
        (self.folder / "wrong.json").write_text(json.dumps({**drift, "combine": ["return nobody;"]}))
        self.tune("--elements", self.folder / "wrong.json", *TINY[4:], "--output", self.config,
                  says=["problem->custom->source does not compile", "nobody", "4 trials, 4 compile"])
        self.assertFalse(self.config.exists())

    def test_a_wrong_scan_of_elements(self):
        """Matrices, and elements of a file, that are combined in another order are right in no trial."""
        kernels = self.folder / "cl"
        shutil.copytree(ROOT / "cl", kernels)
        at = kernels / "elements/operators.cl"
        call = "CLSCAN_CUSTOM(left, right)"
        self.assertIn(call, at.read_text())
        at.write_text(at.read_text().replace(call, "CLSCAN_CUSTOM(right, left)"))
        for element in ("matrix2_float", FIXTURES / "elements/drift.json"):
            self.tune("--elements", element, *TINY[4:], "--output", self.config,
                      env={"CLSCAN_KERNEL_DIR": str(kernels)}, says=["4 trials, 4 correctness"])
        self.assertFalse(self.config.exists())

    def test_operations(self):
        """Selections, segments and reductions are tuned, written, used, verified and replayed as such."""
        operations = ("select", "unique", "reduce_by_key")
        self.tune("--operation", ",".join(operations), *TINY, "--trials", "2", "--output", self.config, "--journal",
                  self.journal)
        self.tune("--operation", "reduce", *TINY[:-1], TINY[-1].replace("carry=single", "carry=reduce_then_combine") +
                  ",work_groups_per_unit=2", "--output", self.config)
        entries = self.entries()
        self.assertEqual({entry["operation"] for entry in entries}, {"reduce", *operations})
        self.assertEqual({(entry["operator_class"], entry["element_size_bytes"]) for entry in entries},
                         {("builtin", 4)})
        self.assertLessEqual({entry["operation"] for entry in entries if "revision" in entry}, {"reduce"})
        targets = json.loads(self.journal.read_text().splitlines()[0])["targets"]
        self.assertEqual([each["operation"] for each in targets], list(operations))
        for operation in ("reduce", *operations):
            done = self.run_program(COMMAND, "explain", "--operation", operation, "--count", 1000, "--json", "--config",
                                    self.config)
            (chosen,) = json.loads(done.stdout)["size_classes"]
            self.assertEqual(chosen["source"], str(self.config))
            self.assertEqual(self.entries()[int(chosen["entry"].rsplit("/", 1)[1])]["operation"], operation)
        self.tune("--verify", self.config, "--soak", "2", says=["correct", "0 fail"])
        self.tune("--replay", self.journal, says=["4-byte builtin " + operation for operation in operations])
        self.tune("--operation", "sort", code=2, says=["--operation", "sort", "scan_by_key"])

    def test_sums_of_another_type(self):
        """They are tuned, written, used, verified, replayed and resumed beside those of the elements' own type."""
        self.tune("--operation", "scan", "--output-type", "int64", *TINY[:2], *TINY[4:], "--trials", "2", "--output",
                  self.config, "--journal", self.journal)
        self.tune("--operation", "reduce", "--output-type", "double", *TINY[:-1],
                  TINY[-1].replace("carry=single", "carry=reduce_then_combine") + ",work_groups_per_unit=2",
                  "--output", self.config)
        self.tune(*TINY, "--trials", "2", "--output", self.config)
        entries = self.entries()
        self.assertEqual({(entry["operation"], entry["operator_class"], entry["element_size_bytes"],
                           entry.get("sum_size_bytes")) for entry in entries},
                         {("scan", "builtin", 4, 8), ("scan", "custom", 4, 8), ("reduce", "builtin", 4, 8),
                          ("scan", "builtin", 4, None)})
        self.assertEqual({entry.get("sum_size_bytes") for entry in entries if "revision" in entry}, {None})
        targets = json.loads(self.journal.read_text().splitlines()[0])["targets"]
        self.assertEqual([each["output_type"] for each in targets], ["int64", "int64"])
        done = self.run_program(COMMAND, "explain", "--operation", "reduce", "--output-type", "double", "--count", 1000,
                                "--json", "--config", self.config)
        (chosen,) = json.loads(done.stdout)["size_classes"]
        self.assertEqual(entries[int(chosen["entry"].rsplit("/", 1)[1])]["operation"], "reduce")
        source, target = self.folder / "in.raw", self.folder / "out.raw"
        values = [2 ** 30 + i for i in range(256)]
        source.write_bytes(struct.pack("=256i", *values))
        for output, size in (("int64", 8), ("int32", None)):
            done = self.run_program(COMMAND, "scan", "--type", "int32", "--output-type", output, "--stats", "--config",
                                    self.config, source, target)
            number = re.search(re.escape(str(self.config)) + "#/entries/([0-9]+)", done.stdout)
            self.assertEqual(entries[int(number[1])].get("sum_size_bytes"), size)
        self.tune("--verify", self.config, "--soak", "2", says=["4-byte builtin, 8-byte sums", "0 fail"])
        self.tune("--replay", self.journal, "--t4", self.folder / "t4.json",
                  says=["4-byte builtin, 8-byte sums, by add on int32 to int64", "100.0 %"])
        self.tune("--replay", self.folder / "t4.json", says=["on int32 to int64", "100.0 %"])
        self.tune("--resume", "--journal", self.journal, "--output", self.folder / "again.json")

    def test_wrong_sums_of_another_type(self):
        """Sums do not tell whether operands are exchanged, but what is checked besides does."""
        kernels = self.folder / "cl"
        shutil.copytree(ROOT / "cl", kernels)
        at = kernels / "elements/operators.cl"
        call = "CLSCAN_CUSTOM(left, right)"
        self.assertIn(call, at.read_text())
        at.write_text(at.read_text().replace(call, "CLSCAN_CUSTOM(right, left)"))
        self.tune("--output-type", "int64", *TINY, "--output", self.config,
                  env={"CLSCAN_KERNEL_DIR": str(kernels)}, says=["4 correctness"])
        self.assertFalse(self.config.exists())

    def test_rows(self):
        """Rows are tuned, written, used, verified and replayed by the length of one, and resumed."""
        rows = ["--operation", "scan_rows", *TINY[:4], "--sizes", "100,2^14", *TINY[6:-1],
                TINY[-1].replace("carry=single", "carry=reduce_then_scan")]
        self.tune(*rows, "--output", self.config, "--journal", self.journal)
        entries = self.entries()
        self.assertEqual({entry["operation"] for entry in entries}, {"scan_rows"})
        self.assertEqual({entry["variant"]["carry"] for entry in entries}, {"reduce_then_scan"})
        self.assertTrue(any("revision" in entry for entry in entries))
        (target,) = json.loads(self.journal.read_text().splitlines()[0])["targets"]
        self.assertEqual((target["operation"], target["counts"]), ("scan_rows", [100, 2 ** 14]))
        self.assertGreater(target["fewest_rows"], 1)
        # Of rows that share a work-group, only what they read is tried; of long ones, both points.
        asked = journal_lines(self.journal, "finished")
        self.assertEqual({count for _, count in asked}, {100, 2 ** 14})
        self.assertEqual(len({variant for variant, count in asked if count == 100}), 1)
        self.assertEqual(len({variant for variant, count in asked if count == 2 ** 14}), 3)
        for rows_of_plan in (1, 100000):
            done = self.run_program(COMMAND, "explain", "--operation", "scan_rows", "--count", 2 ** 14, "--rows",
                                    rows_of_plan, "--json", "--config", self.config)
            (chosen,) = json.loads(done.stdout)["size_classes"]
            self.assertEqual(chosen["source"], str(self.config))
        self.tune("--renew-revisions", self.config, says=["0 of them stale"])
        self.tune("--verify", self.config, "--soak", "2", says=["correct", "0 fail"])
        self.tune("--replay", self.journal, says=["4-byte builtin scan_rows", "0 that the log lacks"])
        self.tune("--resume", "--journal", self.journal, "--output", self.folder / "again.json")
        self.tune("--operation", "scan_rows", *TINY, code=2,
                  says=["scan_rows takes carry reduce_then_scan only"])
        self.tune("--operation", "scan_rows", "--sizes", "2^50", "--dry-run", code=1, says=["--sizes", "rows of"])
        for words in (["--classes", "native"], ["--types", "half"], ["--reproducible"], ["--elements", "int4"]):
            self.tune("--operation", "scan_rows", *words, "--dry-run", code=2, says=["scan_rows"])

    def test_wrong_rows(self):
        """What exchanges operands loses, and so does what writes an element behind the last row."""
        for number, (file, right, wrong) in enumerate((
                ("elements/operators.cl", "CLSCAN_CUSTOM(left, right)", "CLSCAN_CUSTOM(right, left)"),
                ("rows/long.cl", "row * rows.out_pitch), count, first,",
                 "row * rows.out_pitch + (row + 1 == row_count)), count, first,"))):
            kernels = self.folder / ("cl%u" % number)
            shutil.copytree(ROOT / "cl", kernels)
            at = kernels / file
            self.assertIn(right, at.read_text())
            at.write_text(at.read_text().replace(right, wrong))
            self.tune("--operation", "scan_rows", *TINY[:4], "--sizes", "2^14", *TINY[6:-1],
                      TINY[-1].replace("carry=single", "carry=reduce_then_scan"), "--output", self.config,
                      env={"CLSCAN_KERNEL_DIR": str(kernels)}, says=["3 correctness"])
            self.assertFalse(self.config.exists())

    def test_a_wrong_selection(self):
        """Two that mistake a flag for that of the neighbour lose; the defaults of both sizes look at flags one by one.
        Which of these is also tried at the other size depends on what wins there."""
        kernels = self.folder / "cl"
        shutil.copytree(ROOT / "cl", kernels)
        at = kernels / "elements/cursors.cl"
        flag = "CLSCAN_REJECT(items->at[c], set >> c & 1);"
        self.assertIn(flag, at.read_text())
        at.write_text(at.read_text().replace(flag, flag.replace(">> c", ">> (c ^ 1)")))
        self.tune("--operation", "select", *TINY, "--output", self.config,
                  env={"CLSCAN_KERNEL_DIR": str(kernels)}, says=[" correct, 2 correctness"])

    def test_wrong_segments(self):
        """Sums do not tell whether operands are exchanged, but what is checked besides does."""
        kernels = self.folder / "cl"
        shutil.copytree(ROOT / "cl", kernels)
        for name, call, exchanged in (
                ("elements/operators.cl", "CLSCAN_CUSTOM(left, right)", "CLSCAN_CUSTOM(right, left)"),
                ("bodies/cached_segments.cl", "join(*value, own.value)", "join(own.value, *value)")):
            at = kernels / name
            self.assertIn(call, at.read_text())
            at.write_text(at.read_text().replace(call, exchanged))
        self.tune("--operation", "segmented_scan", *TINY, "--output", self.config,
                  env={"CLSCAN_KERNEL_DIR": str(kernels)}, says=["4 correctness"])
        self.assertFalse(self.config.exists())

    def test_reproducible_plans(self):
        only = "body=cached_rows,group_scan=brent_kung,carry=reduce_then_scan,cached_pieces=64,interleaved_rows=1,"
        only += "streaming_stores=0,"
        self.tune("--reproducible", "--types", "float", "--classes", "builtin", "--sizes", "2^12", "--soak", "5",
                  "--strategy", "exhaustive", "--only", only + "vector_length=16,work_groups_per_unit=1|4",
                  "--output", self.config, "--journal", self.journal)
        self.assertEqual({(entry["element_size_bytes"], entry["reproducible"]) for entry in self.entries()},
                         {(4, True)})
        self.assertTrue(json.loads(self.journal.read_text(encoding="utf-8").splitlines()[1])["started"]["reproducible"])
        self.tune("--verify", self.config, "--soak", "2", says=["reproducible", "0 fail"])


class RenewRevisions(Tune):
    """Of a copy of a shipped config, for a device that is not here."""

    def setUp(self):
        super().setUp()
        self.shipped = (ROOT / "tuned-configs/nvidia/gpu.json").read_text(encoding="utf-8")
        self.entries_with = self.shipped.count('"revision"')
        # The word as a text of its own, and in quotation marks of a text.
        note = r'"journal": "a \\\\\\"revision\\": \\"0",' + '\n' + r'    "note": "revision"'
        self.before = re.sub(r'"note": "[^"]*"', note, self.shipped, count=1)  # that of the provenance
        self.assertNotEqual(self.before, self.shipped)
        self.config.write_text(self.before, encoding="utf-8")

    def renew(self, *words, device="nvidia-h200", **keywords):
        return self.tune("--renew-revisions", "--recorded-device", FIXTURES / "devices" / (device + ".json"), *words,
                         **keywords)

    def spoil(self, text):
        return re.sub(r'("revision" ?:\s*")[0-9a-f]{16}', r"\g<1>0123456789abcdef", text)

    def test_shipped_entries_know_their_kernels(self):
        """Else every program is told that they are stale; docs/adding-a-kernel.md says what to do."""
        self.assertGreater(self.entries_with, 0)
        self.renew(self.config, says=[" 0 of them stale"])

    def test_only_revisions_change(self):
        self.renew(self.config)
        renewed = self.config.read_text(encoding="utf-8")
        self.config.write_text(self.spoil(renewed).replace(": {", " : {"), encoding="utf-8")  # in another layout
        self.assertNotIn("0123456789abcdef", renewed)
        self.renew(self.config, says=["%d of them stale" % self.entries_with])
        self.assertEqual(self.config.read_text(encoding="utf-8"), renewed)
        self.assertEqual(self.spoil(renewed), self.spoil(self.before))
        stamp = self.config.stat().st_mtime_ns
        self.renew(self.config, says=[" 0 of them stale"])
        self.assertEqual(self.config.stat().st_mtime_ns, stamp)

    def test_kernels_with_another_text(self):
        """Entries whose kernels are composed of the file are stale, and are so again when it is as it was."""
        self.renew(self.config)
        before = self.config.read_text(encoding="utf-8")
        kernels = self.folder / "kernels"
        shutil.copytree(ROOT / "cl", kernels)
        with open(kernels / "carries/single.cl", "a", encoding="utf-8") as file:
            file.write("/* another text */\n")
        singles = sum("revision" in entry and entry["variant"]["carry"] == "single" for entry in self.entries())
        self.assertGreater(singles, 0)
        self.renew(self.config, env={"CLSCAN_KERNEL_DIR": str(kernels)}, says=["%d of them stale" % singles])
        self.assertNotEqual(self.config.read_text(encoding="utf-8"), before)
        self.renew(self.config, says=["%d of them stale" % singles])
        self.assertEqual(self.config.read_text(encoding="utf-8"), before)

    def test_files_that_cannot_be_renewed(self):
        """They are named and stay; the others are renewed."""
        broken, absent, small = (self.folder / name for name in ("broken.json", "absent.json", "small.json"))
        broken.write_text(self.before[:-20], encoding="utf-8")
        small.write_text(self.spoil(self.before).replace('"vector_length": 16', '"vector_length": 32', 1),
                         encoding="utf-8")
        kept = {path: path.read_bytes() for path in (broken, small)}
        self.config.write_text(self.spoil(self.before), encoding="utf-8")
        self.renew(broken, absent, small, self.config, code=1,
                   says=["broken.json", "absent.json", "small.json: /entries/0/variant/vector_length",
                         "%d of them stale" % self.entries_with])
        self.assertEqual({path: path.read_bytes() for path in kept}, kept)

    def test_another_device(self):
        before = self.config.read_bytes()
        match = json.loads(before)["match"]
        self.renew(self.config, device="amd-gfx90a", code=1, says=["tuned.json", match, "amd-gfx90a"])
        self.tune("--renew-revisions", self.config, code=1, says=["tuned.json", match, "--recorded-device"])
        self.assertEqual(self.config.read_bytes(), before)

    def test_wrong_usage(self):
        self.refuse("--renew-revisions", code=2, says=["FILE"])
        self.refuse(self.config, code=2, says=["tuned.json"])
        self.refuse("--verify", self.config, "--renew-revisions", self.config, code=2, says=["--verify"])
        self.refuse("--recorded-device", self.config, code=2, says=["--recorded-device"])
        self.refuse("--renew-revisions", "--recorded-device", self.folder / "no.json", self.config, says=["no.json"])
        self.refuse("--renew-revisions", "--recorded-device", self.config, self.config, says=["platform_name"])


class Files(Tune):
    """What one run has left."""

    @classmethod
    def setUpClass(cls):
        cls.made = {}
        run = cls("run_once")
        run.setUp()
        try:
            run.run_once()
        finally:
            run.doCleanups()

    def run_once(self):
        self.tune(*TINY, "--output", self.config, "--journal", self.journal, "--t4", self.folder / "run.t4.json")
        for name in ("tuned.json", "run.jsonl", "run.t4.json"):
            self.made[name] = (self.folder / name).read_bytes()

    def setUp(self):
        super().setUp()
        for name, content in self.made.items():
            (self.folder / name).write_bytes(content)

    def test_a_stale_entry_is_reported(self):
        document = json.loads(self.config.read_text(encoding="utf-8"))
        self.assertNotIn("stale", self.scan(CLSCAN_CONFIG=str(self.config)).stderr)
        for entry in document["entries"]:
            entry["revision"] = "0" * 16
        self.config.write_text(json.dumps(document), encoding="utf-8")
        done = self.scan(CLSCAN_CONFIG=str(self.config))
        self.assertIn("stale", done.stderr)
        self.assertIn(str(self.config), done.stderr)

    def test_revisions_are_those_of_a_run(self):
        """What was measured a moment ago is not stale; what is stale becomes what was written."""
        before = self.config.read_text(encoding="utf-8")
        self.tune("--renew-revisions", self.config, says=[" 0 of them stale"])
        self.config.write_text(re.sub(r'("revision": ")[0-9a-f]{16}', r"\g<1>" + "0" * 16, before), encoding="utf-8")
        self.assertNotEqual(self.config.read_text(encoding="utf-8"), before)
        self.tune("--renew-revisions", self.config)
        self.assertEqual(self.config.read_text(encoding="utf-8"), before)

    def test_the_config_of_another_machine(self):
        """It is neither used nor written to, and cannot be verified here."""
        folder = self.folder / ".config/clscan"
        folder.mkdir(parents=True)
        other = folder / "other.json"
        other.write_text(self.config.read_text(encoding="utf-8").replace(self.key(), "no-such-device"),
                         encoding="utf-8")
        before = other.read_bytes()
        self.assertNotIn("other.json", self.run_program(COMMAND, "explain", "--count", 1000).stdout)
        for words in (["--output", other, *TINY], ["--verify", other]):
            self.tune(*words, code=1, says=["no-such-device", self.key()])
        self.assertEqual(other.read_bytes(), before)

    def test_verify(self):
        before = self.config.read_bytes()
        self.tune("--verify", self.config, "--soak", "5", says=["0 fail"])
        self.assertEqual(self.config.read_bytes(), before)

    def test_logs_tell_the_same(self):
        """Journal and T4 file, replayed, lead to one decision; the T4 file has the form that it should have."""
        log = self.folder / "run.t4.json"
        of_journal = self.tune("--replay", self.journal).stdout
        self.assertEqual(self.tune("--replay", log).stdout, of_journal)
        self.assertIn("0 that the log lacks", of_journal)
        self.assertRegex(of_journal, r"^recorded on .+ \(%s\)\n" % re.escape(self.key()))
        for entry in self.entries():
            self.assertIn("work_group_size=%d" % entry["variant"]["work_group_size"], of_journal)
        again = self.folder / "again.t4.json"
        self.tune("--replay", self.journal, "--t4", again)
        self.assertEqual(again.read_bytes(), log.read_bytes())
        document = json.loads(log.read_text(encoding="utf-8"))
        self.assertEqual(len(document["results"]), len(journal_lines(self.journal, "finished")))
        if jsonschema is not None:
            jsonschema.validate(document, json.loads(SCHEMA.read_text(encoding="utf-8")))

    def test_replays_that_leave_something_out(self):
        """Only of a name that the device or a config has; others are told."""
        self.assertIn("left out nothing", self.tune("--replay", self.journal, "--without", "abacus").stderr)
        self.assertNotIn("left out nothing", self.tune("--replay", self.journal, "--without", self.key()).stderr)
        some = self.tune("--replay", self.journal, "--sizes", "2^10").stdout
        self.assertEqual(len(re.findall(r"^  2\^10 .* us ", some, re.MULTILINE)), 2)
        self.assertEqual(len(re.findall(r"^  2\^14 .* us ", some, re.MULTILINE)), 1)
        for sizes in ("12345", "2^10,12345"):
            done = self.tune("--replay", self.journal, "--sizes", sizes, code=2, says=["--sizes", "of 12345 "])
            self.assertEqual(done.stdout, "")

    def test_a_compressed_log(self):
        packed = self.folder / "log.jsonl.gz"
        packed.write_bytes(gzip.compress(self.journal.read_bytes()))
        self.tune("--replay", packed, code=1, says=["log.jsonl.gz is compressed", "gunzip"])

    def test_another_driver(self):
        lines = self.journal.read_text(encoding="utf-8").split("\n", 1)
        header = json.loads(lines[0])
        header["device"]["driver_version"] = "driver of yesterday"
        self.journal.write_text(json.dumps(header) + "\n" + lines[1], encoding="utf-8")
        self.tune("--resume", "--journal", self.journal, "--output", self.config, code=1,
                  says=[str(self.journal), "driver of yesterday"])


class Interrupted(Tune):
    def measured_once(self):
        finished = journal_lines(self.journal, "finished")
        self.assertEqual(len(finished), len(set(finished)), "something was measured twice")
        return set(finished)

    def test_signal(self):
        """What is known is written, and the command that goes on is said."""
        running = self.start(*LONGER, "--output", self.config, "--trials", 10)
        running.send_signal(signal.SIGINT)
        text = running.communicate(timeout=SECONDS)[0]
        self.assertEqual(running.returncode, 1, text)
        before = self.measured_once()
        self.go_on(text)
        self.assertLess(before, self.measured_once())
        self.assertEqual({entry["operator_class"] for entry in self.entries()}, {"builtin"})

    def test_kill(self):
        """At most the running trial is lost."""
        running = self.start(*LONGER, "--output", self.config)
        running.kill()
        running.communicate(timeout=SECONDS)
        self.assertFalse(self.config.exists())
        before = self.measured_once()
        self.assertLessEqual(len(set(journal_lines(self.journal, "started")) - before), 1)
        self.tune("--resume", "--journal", self.journal, "--output", self.config, "--trials", len(before) + 4,
                  "--soak", 20)
        self.assertLess(before, self.measured_once())
        self.assertEqual({entry["operator_class"] for entry in self.entries()}, {"builtin"})

    def test_a_second_tuner(self):
        """It says who is at the device, and leaves, or waits for the end."""
        running = self.start(*LONGER, "--output", self.config)
        self.tune(*TINY, "--output", self.config, code=1, says=["process %d" % running.pid, "--wait"])
        waiting = subprocess.Popen([TUNE, *TINY, "--wait", "--output", str(self.config)], env=self.environment,
                                   text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(waiting.stderr.close)
        self.addCleanup(waiting.wait)
        self.addCleanup(waiting.kill)
        self.assertIn("process %d" % running.pid, waiting.stderr.readline())
        self.assertIsNone(waiting.poll())
        running.kill()
        self.assertEqual(waiting.wait(timeout=SECONDS), 0)

    def test_the_folder_is_lost_meanwhile(self):
        """The journal stays, and goes on elsewhere."""
        folder = self.folder / "configs"
        folder.mkdir()
        running = self.start(*LONGER, "--output", folder / "tuned.json", "--trials", 4)
        folder.rename(self.folder / "moved")
        folder.write_text("no folder", encoding="utf-8")
        text = running.communicate(timeout=SECONDS)[0]
        self.assertEqual(running.returncode, 1, text)
        self.assertIn(str(folder), text)
        measured = self.measured_once()
        self.go_on(text, "--output", self.config)
        self.assertEqual(self.measured_once(), measured)
        self.assertGreater(len(self.entries()), 0)


class Refused(Tune):
    """What cannot end well is found before anything is measured, and the message names it."""

    def test_wrong_words(self):
        cases = [(["--types", "int99"], "int99"), (["--classes", "odd"], "odd"), (["--sizes", "many"], "many"),
                 (["--sizes", "0"], "0"), (["--sizes", "9:3"], "9:3"), (["--strategy", "luck"], "luck"),
                 (["--space", "outer"], "outer"), (["--budget", "soon"], "soon"), (["--trials", "0"], "--trials"),
                 (["--soak", "0"], "--soak"), (["--only", "body=round", "--types", "int32"], "round"),
                 (["--only", "colour=red", "--types", "int32"], "colour"),
                 (["--only", "work_group_size=3", "--types", "int32"], "network_size"),
                 (["--types", "int32,uint32"], "uint32"), (["--classes", "native", "--types", "int64"], "native"),
                 (["--resume", "--types", "int8"], "--types"), (["--resume", "--replay", "log"], "--replay"),
                 (["--replay", "log", "--device", "0"], "--device"), (["--quik"], "--quick"), (["word"], "word")]
        for words, culprit in cases:
            with self.subTest(words):
                self.refuse(*words, code=2, says=[culprit, "--help"])

    def test_text_from_outside_is_safe_to_print(self):
        """File names, options, and what a journal says."""
        evil = "\x1b[31m\nclscan-tune: all is well\u202e"
        named = self.folder / evil
        named.write_text('{"clscan-tune": "%s"}\n' % json.dumps(evil), encoding="utf-8")
        for words in (["--device", evil], ["--replay", evil], ["--replay", named], ["--verify", named], ["--" + evil],
                      ["--resume", "--journal", evil], ["--budget", evil]):
            with self.subTest(words):
                done = subprocess.run([TUNE, *map(str, words)], env=self.environment, capture_output=True, text=True,
                                      timeout=SECONDS, check=False)
                shown = done.stdout + done.stderr
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("?", shown)
                self.assertFalse([c for c in shown if c != "\n" and not c.isprintable()], shown)
                self.assertNotIn("\nclscan-tune: all", shown)

    def test_what_is_not_there(self):
        cases = [(["--device", "abacus"], "abacus"), (["--replay", "lost.jsonl"], "lost.jsonl"),
                 (["--verify", "lost.json"], "lost.json"), (["--sizes", "2^45"], str(2 ** 45)),
                 (["--resume"], self.key()), (["--resume", "--journal", "lost"], "lost")]
        for words, culprit in cases:
            with self.subTest(words):
                self.refuse(*words, says=[culprit])

    def test_what_would_keep_a_reader_waiting(self):
        """A FIFO without a writer, a device: each is refused at once, whatever it is named for."""
        fifo, terminal = self.folder / "fifo", self.folder / "zero"
        os.mkfifo(fifo)
        terminal.symlink_to("/dev/zero")
        for culprit in (fifo, terminal):
            for words in (["--replay", culprit], ["--verify", culprit], ["--resume", "--journal", culprit],
                          [*TINY, "--output", culprit], [*TINY, "--output", self.config, "--t4", culprit],
                          [*TINY, "--output", self.config, "--journal", culprit]):
                with self.subTest(words):
                    self.refuse(*words, says=[str(culprit)], timeout=1800)

    def test_the_first_signal_ends_a_replay(self):
        header, *lines = (FIXTURES / "tuning/random.jsonl").read_text(encoding="utf-8").splitlines()
        trial = next(each for each in lines if '"finished"' in each and "tiles_per_work_group=1 poll_delay=0" in each)
        pattern = re.sub("(work_group_size|tiles_per_work_group|poll_delay)=[0-9]+", r"\1=%d", trial)
        long = self.folder / "long.jsonl"
        with long.open("w", encoding="utf-8") as file:  # so many that it takes seconds
            print(json.dumps({**json.loads(header), "only": ""}), file=file)
            for number in range(20000):
                print(pattern % (64 << number // 5000, 1 << number // 1000 % 5, number % 1000), file=file)
        running = subprocess.Popen([TUNE, "--replay", long, "--strategy", "exhaustive"],
                                   env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(running.wait)
        self.addCleanup(running.kill)
        end, caught = time.monotonic() + SECONDS, 0
        while not caught & 1 << (signal.SIGTERM - 1) and time.monotonic() < end:
            status = pathlib.Path("/proc/%d/status" % running.pid).read_text(encoding="utf-8")
            caught = int(re.search(r"SigCgt:\s*(\w+)", status)[1], 16)
        time.sleep(0.5)
        self.assertIsNone(running.poll(), "it ended by itself")
        running.send_signal(signal.SIGTERM)
        self.assertEqual(running.wait(timeout=1800), 1)

    def test_places_that_cannot_be_written(self):
        text = self.folder / "notes.txt"
        text.write_text("no config", encoding="utf-8")
        for words in (["--output", text], ["--output", self.folder], ["--output", text / "tuned.json"],
                      ["--t4", text / "log.json"]):
            with self.subTest(words):
                culprit = text if text in (words[1], words[1].parent) else self.folder
                self.refuse(*TINY, *words, says=[str(culprit)])
        self.refuse(*TINY, env={"XDG_CONFIG_HOME": str(text)}, says=[str(text)])
        self.assertEqual(text.read_text(encoding="utf-8"), "no config")

    def test_a_full_folder(self):
        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))

        # Python ignores the signal of this limit; so shall the tuner, to which the call then fails.
        self.refuse(*TINY, "--output", self.config, says=[str(self.config), "name another place with --output"],
                    preexec_fn=limit_files, restore_signals=False)
        self.assertFalse(self.config.exists())

    @unittest.skipIf(os.geteuid() == 0, "nothing is read-only to root")
    def test_a_read_only_folder(self):
        folder = self.folder / "configs"
        folder.mkdir(mode=0o500)
        self.refuse(*TINY, "--output", folder / "tuned.json", says=[str(folder)])

    def test_a_journal_is_not_written_over(self):
        journal = self.folder / "run.old"
        journal.write_text('{"some": "file"}\n', encoding="utf-8")
        self.refuse(*TINY, "--output", self.config, "--journal", journal, says=[str(journal)])
        self.assertEqual(journal.read_text(encoding="utf-8"), '{"some": "file"}\n')


class Told(Tune):
    def test_dry_run(self):
        """It says what would be done, and does nothing."""
        done = self.tune("--dry-run", *TINY, says=["int32", "2^10 2^14", "exhaustive", "legal", self.key()])
        self.assertEqual(done.stderr, "")
        self.assertEqual([path for path in self.folder.rglob("*") if path.is_file()], [])

    def test_a_group_of_devices(self):
        sizes = ["--sizes", "1000,30000"]
        self.tune("--devices", "0,0", *sizes, "--dry-run", says=["1000 30000", "groups/2-devices-"])
        self.assertFalse((self.folder / ".config/clscan/groups").exists())
        words = ["through pinned memory: ", "rows ", "scan ", "host ", "(model ", "written: "]
        done = self.tune("--devices", "0,0", *sizes, "--quick", says=words)
        (path,) = (self.folder / ".config/clscan/groups").iterdir()
        self.assertIn(str(path), done.stdout)
        config = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual(len(config["devices"]), 2)
        self.assertEqual({step["work"] for step in config["steps"]}, {"rows", "scan", "host"})
        self.run_program(str(ROOT / "scripts/check-configs"), path, says=["1 config files, 0 problems"])

    def test_links_and_shared_rows_of_a_group(self):
        words = ["--devices", "0,0,0,0", "--sizes", "1000,30000", "--quick"]
        self.tune(*words, "--links", "0,1,0,1", says=["shared 2 rows of", "4 a row: ", "written: "])
        (path,) = (self.folder / ".config/clscan/groups").iterdir()
        config = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual([device["link"] for device in config["devices"]], [0, 1, 0, 1])
        shared = [step for step in config["steps"] if step["work"] == "shared"]
        self.assertEqual({step["rows"] for step in shared}, {2})
        self.assertLessEqual({step["devices"] for step in shared}, {1, 2, 4})
        self.run_program(str(ROOT / "scripts/check-configs"), path, says=["1 config files, 0 problems"])
        # Two devices of three links are no pairs: they are not tried.
        done = self.tune(*words, "--links", "0,1,2,0")
        self.assertNotIn("2 a row: ", done.stdout)
        # PoCL tells no PCI addresses, so links are measured.
        self.tune(*words, says=["device 3: link"])
        config = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual(config["devices"][0]["link"], 0)

    def test_groups_that_cannot_be(self):
        for words, says in ((["--devices", "0"], "two devices or more"), (["--devices", "0,,0"], "'0,,0'"),
                            (["--devices", "0,0", "--sizes", "2^50"], "hold"),
                            (["--devices", "0,0", "--types", "int32"], "--types"),
                            (["--devices", "0,0", "--links", "0"], "1 numbers for 2 devices"),
                            (["--devices", "0,0", "--links", "0,1,2"], "3 numbers for 2 devices"),
                            (["--devices", "0,0", "--links", "0,x"], "'0,x'"), (["--links", "0,1"], "--links"),
                            (["--devices", "0,0", "--list"], "only one of")):  # fmt: skip
            self.tune(*words, code=2, says=[says])
        self.tune("--devices", "0,no such device", code=1, says=["no such device"])
        self.tune("--devices", "0,0", "--sizes", "100", "--output", self.folder, code=1, says=[str(self.folder)])

    def test_list(self):
        self.tune("--list", says=[self.key(), "staged", "exhaustive", "streamscan"])


if __name__ == "__main__":
    unittest.main()
