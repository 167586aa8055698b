"""How near to the best of a recorded device a search comes, by replays, which are deterministic.

tests/fixtures/recordings/floors.json lists the recordings, what is asked of them, and what must be reached at least:
tuned, and untuned; and sizes without figures, where a config has a shape now that a recording lacks.
CLSCAN_TUNE names the program.
"""

import gzip
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

TUNE = os.environ.get("CLSCAN_TUNE", "clscan-tune")
ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDINGS = ROOT / "tests/fixtures/recordings"
RESULT = re.compile(r"^  at least ([\d.]+|-) untuned, ([\d.]+|-) tuned$", re.MULTILINE)
ROW = re.compile(r"^  (\S+) +[\d.]+ us +([\d.]+|-) +([\d.]+|-)$", re.MULTILINE)


class Recordings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="clscan-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {**os.environ, "HOME": str(self.folder)}
        for name in ("CLSCAN_CONFIG", "XDG_CONFIG_HOME", "CLSCAN_LOG"):
            self.environment.pop(name, None)

    def replay(self, *words, timeout=1800):
        return subprocess.run([TUNE, "--replay", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, env=self.environment, timeout=timeout, check=True).stdout

    def unpacked(self, path):
        if path.suffix != ".gz":
            return path
        plain = self.folder / path.stem
        plain.write_bytes(gzip.decompress(path.read_bytes()))
        return plain

    def test_no_figure_falls(self):
        floors = json.loads((RECORDINGS / "floors.json").read_text(encoding="utf-8"))
        recordings = {path.name: self.unpacked(path) for path in RECORDINGS.glob("*.jsonl*")}
        self.assertEqual(set(recordings), {row["recording"] for row in floors})
        for row in floors:
            with self.subTest(row):
                text = self.replay(recordings[row["recording"]], "--strategy", "staged", "--seed", 1, *row["options"])
                found = [(float(untuned), float(tuned)) for untuned, tuned in RESULT.findall(text)]
                self.assertEqual(len(found), row["targets"], text)
                self.assertGreaterEqual(min(tuned for _, tuned in found), row["tuned"], text)
                self.assertGreaterEqual(min(untuned for untuned, _ in found), row["untuned"], text)
                without = [size for size, _, tuned in ROW.findall(text) if tuned == "-"]
                self.assertEqual(without, row.get("without_figures", []), text)
                self.expect_nothing_slower(text)

    def test_every_strategy_ends(self):
        """Those that enumerate have the variants of the log for a space. Of the others there are a thousand million."""
        recording = self.unpacked(RECORDINGS / "nvidia-h100.jsonl.gz")
        for strategy in ([], ["--strategy", "random"], ["--strategy", "exhaustive"], ["--strategy", "halving"]):
            for options in ([], ["--quick"], ["--budget", "20m"]):
                with self.subTest((*strategy, *options)):
                    text = self.replay(recording, *strategy, *options, timeout=300)
                    self.expect_nothing_slower(text)
                    if "--quick" not in options and "halving" not in strategy:
                        self.assertGreater(min(map(float, re.findall(r"recorded trials \(([\d.]+) %\)", text))), 90)

    def expect_nothing_slower(self, text):
        rows = ROW.findall(text)
        self.assertGreater(len(rows), 0, text)
        for size, untuned, tuned in rows:
            if untuned != "-":
                self.assertNotEqual(tuned, "-", "the log does not tell how fast the config is at " + size)
                self.assertGreaterEqual(float(tuned), 0.98 * float(untuned), "slower than before at " + size)

    def test_sizes_that_were_left_out_are_no_slower(self):
        """Whether by --sizes, or by an interrupt, after which a quick run knows one size of each 16. Of GPUs: times
        of a CPU differ by a tenth from run to run, and what won at both neighbours may have lost between them."""
        for path in RECORDINGS.glob("*.jsonl*"):
            recording = self.unpacked(path)
            with recording.open(encoding="utf-8") as lines:
                if json.loads(lines.readline())["device"]["device_class"] == "cpu":
                    continue
            for sizes in ("2^10,2^26", "2^12,2^16,2^20,2^24", "2^14,2^22", "2^18"):
                for options in ([], ["--without", "nvidia-gpu"], ["--trials", 1]):
                    with self.subTest((path.name, sizes, *options)):
                        self.expect_nothing_slower(self.replay(recording, "--strategy", "staged", "--seed", 1,
                                                               "--sizes", sizes, *options))

    def test_an_interrupt_makes_nothing_slower(self):
        """Whenever it comes."""
        recording = self.unpacked(RECORDINGS / "nvidia-h200.jsonl.gz")
        for moment_s in (0.05, 0.1, 0.2):
            for options in (["--quick"], ["--without", "nvidia-gpu"]):
                running = subprocess.Popen([TUNE, "--replay", recording, "--strategy", "staged", *options], text=True,
                                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
                                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self.environment)
                first = running.stdout.readline()
                time.sleep(moment_s)
                running.send_signal(signal.SIGINT)
                with self.subTest((moment_s, *options)):
                    self.expect_nothing_slower(first + running.communicate(timeout=1800)[0])

    def test_what_was_not_recorded_has_no_figures(self):
        header, *lines = self.unpacked(RECORDINGS / "nvidia-h100.jsonl.gz").read_text(encoding="utf-8").splitlines()
        types = [target["type"] for target in json.loads(header)["targets"]]
        part = self.folder / "part.jsonl"
        part.write_text("\n".join([header, *(line for line in lines if json.loads(line).get("finished", {}).get("type")
                                             == types[1])]) + "\n", encoding="utf-8")
        text = self.replay(part)
        self.assertEqual(len(RESULT.findall(text)), 1, text)
        self.assertNotIn("nan", text)
        for name in types:
            self.assertIn("on " + name, text)

    def test_sizes_that_a_log_lacks(self):
        """A size that was left out has no line if there is no figure for it; a target without any is passed over."""
        header, *lines = self.unpacked(RECORDINGS / "nvidia-h100.jsonl.gz").read_text(encoding="utf-8").splitlines()
        trials = [(json.loads(line)["finished"], line) for line in lines if "finished" in json.loads(line)]
        slow = max((trial for trial, _ in trials if trial["type"] == "int32" and trial["count"] == 2**14),
                   key=lambda trial: trial.get("time_ns", 0))
        part = self.folder / "part.jsonl"
        part.write_text("\n".join([header, *(line for trial, line in trials if trial is slow or trial["count"] == 2**10
                                             or (trial["type"] == "int32" and trial["count"] == 2**28))]) + "\n",
                        encoding="utf-8")
        text = self.replay(part, "--sizes", "2^10")
        self.assertEqual(len(RESULT.findall(text)), 4, text)
        self.assertIn("2^10", [size for size, _, _ in ROW.findall(text)])
        self.assertEqual([row for row in ROW.findall(text) if row[1:] == ("-", "-")], [])
        text = self.replay(part, "--sizes", "2^28")
        self.assertEqual(len(RESULT.findall(text)), 1 + 2, text)
        self.assertIn("on int64: ", text)

    def test_a_shortened_journal_tells_the_same(self):
        journal, short = ROOT / "tests/fixtures/tuning/staged.jsonl", self.folder / "short.jsonl"
        subprocess.run([ROOT / "scripts/shorten-recording", journal, short], check=True)
        self.assertLess(short.stat().st_size, journal.stat().st_size)
        whole, shortened = ([line for line in self.replay(path).splitlines() if ROW.match(line)]
                            for path in (journal, short))
        self.assertGreater(len(whole), 0)
        self.assertEqual(whole, shortened)


if __name__ == "__main__":
    unittest.main()
