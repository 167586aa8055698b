"""The start-up probe from outside: what one process finds, others know, and what it forbids, none uses.

CLSCAN_COMMAND names the program.
"""

import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest

COMMAND = os.environ.get("CLSCAN_COMMAND", "clscan")
KERNELS = pathlib.Path(__file__).resolve().parent.parent.parent / "cl"
COUNT = 300000  # where the default device's config has a carry that waits

CONFIG = {
    "schema_version": 1,
    "provenance": {"origin": "hand-set", "date": "2026-01-31"},
    "entries": [{"operation": "scan", "element_size_bytes": 4, "operator_class": "builtin", "reproducible": False,
                 "largest_count": None,
                 "variant": {"body": "strided", "group_scan": "brent_kung", "carry": "adjacent", "order": "dynamic",
                             "work_group_size": 4, "vector_length": 4, "register_pieces": 2, "local_pieces": 0,
                             "tiles_per_work_group": 1, "poll_delay": 0}}],
}


class Probe(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.home = pathlib.Path(self.folder.name)
        self.cache = self.home / "clscan"
        self.input = self.home / "in.raw"
        self.output = self.home / "out.raw"
        self.input.write_bytes(struct.pack("=i", 1) * COUNT)
        self.environment = {"XDG_CACHE_HOME": str(self.home), "CLSCAN_CACHE": "auto", "CLSCAN_PROBE": "auto",
                            "CLSCAN_LOG": "info"}
        device = self.device()
        if device["mechanism"] == "none" or device["progress"] == "unknown":
            self.skipTest("no work-group may wait on this device")
        config = self.home / "config.json"
        config.write_text(json.dumps(dict(CONFIG, match=device["key"])))
        self.environment["CLSCAN_CONFIG"] = str(config)

    def tearDown(self):
        self.folder.cleanup()

    def run_command(self, *words, **more):
        done = subprocess.run([COMMAND, *map(str, words)], env={**os.environ, **self.environment, **more}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1800, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def device(self, **more):
        root = json.loads(self.run_command("devices", "--json", **more).stdout)
        return next(device for device in root["devices"] if device["default"])

    def scan(self, **more):
        """Scan, which must be right, and return the lines about probes."""
        log = self.run_command("scan", "--type", "int32", self.input, self.output, **more).stderr
        self.assertEqual(self.output.read_bytes(), struct.pack("=%di" % COUNT, *range(1, COUNT + 1)))
        return [line for line in log.splitlines() if "probed in" in line]

    def carry(self, **more):
        explanation = json.loads(self.run_command("explain", "--count", COUNT, "--json", **more).stdout)
        return explanation["size_classes"][0]["variant"]["carry"]

    def findings(self):
        """The files of findings, by what the cache says of them."""
        lines = self.run_command("cache", "list").stdout.splitlines()
        return [self.cache / line.split()[0] for line in lines if "start-up probe" in line]

    def test_once_for_all_processes(self):
        before = self.device()
        self.assertEqual((before["probe"], before["probe_time"], before["probe_duration_ms"]), ("none", None, None))
        self.assertEqual(len(self.scan()), 1)
        after = self.device()
        self.assertEqual((after["probe"], after["progress"]), ("passed", before["progress"]))
        self.assertRegex(after["probe_time"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertGreater(after["probe_duration_ms"], 0)
        parts = [after["probe_%s_ms" % part] for part in ("compile", "setup", "messages", "scans")]
        self.assertTrue(all(part > 0 for part in parts))
        self.assertLess(after["probe_duration_ms"] - sum(parts), 1.01)
        self.assertGreater(after["probe_duration_ms"] - sum(parts), -0.01)
        self.assertIn("passed", self.run_command("devices").stdout)
        self.assertEqual(self.carry(), "adjacent")
        self.assertEqual(self.scan(), [])
        self.assertEqual(self.device(), after)
        self.assertEqual(len(self.findings()), 1)
        self.run_command("cache", "clear")
        self.assertEqual(self.device(), before)

    def test_what_is_forbidden_is_told_alike(self):
        withheld = {"CLSCAN_PROBE": "withhold"}
        self.assertEqual(self.carry(**withheld), "adjacent")
        lines = self.scan(**withheld)
        self.assertEqual(len(lines), 1)
        self.assertIn("warning", lines[0])
        self.assertNotIn(self.carry(**withheld), ("adjacent", "lookahead"))
        device = self.device(**withheld)
        self.assertEqual(device["probe"], "forbids")
        self.assertNotEqual(device["progress"], "unknown")  # what the table allows
        reason = json.loads(self.run_command("explain", "--count", COUNT, "--json", **withheld).stdout)
        self.assertIn("start-up probe", reason["size_classes"][0]["reason"])
        self.assertEqual(self.scan(**withheld), [])
        # The ordinary probe is another one.
        self.assertEqual(self.device()["probe"], "none")
        self.assertEqual(self.carry(), "adjacent")

    def test_damaged_findings_are_made_again(self):
        self.scan()
        (entry,) = self.findings()
        sound = entry.read_bytes()
        for damaged in (b"", sound[:-1], sound + b"\n", sound[:-3] + bytes([sound[-3] ^ 1]) + sound[-2:]):
            entry.write_bytes(damaged)
            self.assertEqual(self.device()["probe"], "none")
            self.assertEqual(len(self.scan()), 1)
            self.assertEqual(self.device()["probe"], "passed")
        entry.chmod(0o666)  # anybody could have written it
        self.assertEqual(self.device()["probe"], "none")

    def test_settings(self):
        for more in ({"CLSCAN_CACHE": "memory"}, {"CLSCAN_CACHE": "off"}, {"HOME": "", "XDG_CACHE_HOME": ""}):
            self.assertEqual(len(self.scan(**more)), 1)
            self.assertEqual(self.device(**more)["probe"], "none")
        self.assertEqual(self.scan(CLSCAN_PROBE="off"), [])
        self.assertEqual(self.findings(), [])
        self.assertEqual(len(self.scan(CLSCAN_PROBE="always")), 1)
        self.assertEqual(len(self.scan(CLSCAN_PROBE="always")), 1)
        self.assertEqual(self.scan(), [])
        self.assertIn("off", self.device(CLSCAN_PROBE="off")["probe_reason"])
        log = self.run_command("scan", "--type", "int32", self.input, self.output, CLSCAN_PROBE="often")
        self.assertIn("CLSCAN_PROBE is 'often'", log.stderr)

    def broken(self, name, old, new):
        """Kernels with one mistake."""
        kernels = self.home / "kernels"
        shutil.rmtree(kernels, ignore_errors=True)
        shutil.copytree(KERNELS, kernels)
        text = (kernels / name).read_text(encoding="utf-8")
        self.assertEqual(text.count(old), 1)
        (kernels / name).write_text(text.replace(old, new), encoding="utf-8")
        return {"CLSCAN_KERNEL_DIR": str(kernels), "CLSCAN_CACHE": "memory"}

    def reason(self, lines):
        self.assertEqual(len(lines), 1)
        self.assertIn("carries that do not wait", lines[0])
        return re.sub(r"in \d+ of \d+ ", "", lines[0].split("start-up probe: ")[1].split(";")[0])

    def test_each_kind_of_failure_forbids(self):
        """Faults of a device, as far as kernels can imitate them; the scans that follow must be right."""
        cases = [
            # A word that is not what was sent.
            ("launches messages were wrong", {}, "comm/publish.cl", "= clscan_words_of(value);",
             "= clscan_words_of(value) ^ (tile % 64 == 63);"),
            # One that never arrives.
            ("launches a message was not seen", {}, "comm/publish.cl", "CLSCAN_WORD_PITCH, tag, parts",
             "CLSCAN_WORD_PITCH, tile % 64 == 63 ? 0 : tag, parts"),
            # Tickets that two work-groups share.
            ("launches messages were wrong", {}, "orders/dynamic.cl", "*range = (uint)(drawn &",
             "*range = ~1u & (uint)(drawn &"),
            # Scans that forget what precedes, with messages that are right.
            ("scans the result was wrong", {}, "carries/chained.cl", "\n    clscan_range_finish(",
             "\n    if (own % 64 == 63) prefix.present = false; clscan_range_finish("),
            # Messages that arrive, and prefixes that do not.
            ("scans a wait was not answered", {"CLSCAN_PROBE": "withhold"}, "comm/probe.cl",
             "#if CLSCAN_HOLD_INTERVAL > 0", "#if 0"),
        ]
        for reason, more, *mistake in cases:
            with self.subTest(mistake=mistake):
                self.assertEqual(self.reason(self.scan(**self.broken(*mistake), **more)), reason)

    def test_a_probe_that_cannot_be_compiled(self):
        more = self.broken("comm/probe.cl", "uint own, epoch", "own, epoch")
        log = self.run_command("scan", "--type", "int32", self.input, self.output, **more).stderr
        self.assertIn("could not run", log)
        self.assertEqual(self.output.read_bytes(), struct.pack("=%di" % COUNT, *range(1, COUNT + 1)))


if __name__ == "__main__":
    unittest.main()
