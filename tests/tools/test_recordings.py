"""How near to the best of a recorded device a search comes, by replays, which are deterministic.

tests/fixtures/recordings/floors.json lists the recordings, what is asked of them, and what must be reached at least:
tuned, and untuned.
CLSCAN_TUNE names the program.
"""

import gzip
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

TUNE = os.environ.get("CLSCAN_TUNE", "clscan-tune")
ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDINGS = ROOT / "tests/fixtures/recordings"
RESULT = re.compile(r"^  at least ([\d.]+) untuned, ([\d.]+) tuned$", re.MULTILINE)
ROW = re.compile(r"^  (\S+) +[\d.]+ us +([\d.]+|-) +([\d.]+|-)$", re.MULTILINE)


class Recordings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="clscan-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {**os.environ, "HOME": str(self.folder)}
        for name in ("CLSCAN_CONFIG", "XDG_CONFIG_HOME", "CLSCAN_LOG"):
            self.environment.pop(name, None)

    def replay(self, *words):
        return subprocess.run([TUNE, "--replay", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, env=self.environment, timeout=1800, check=True).stdout

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
                for size, untuned, tuned in ROW.findall(text):
                    if "-" not in (untuned, tuned):
                        self.assertGreaterEqual(float(tuned), 0.98 * float(untuned), "slower than before at " + size)

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
