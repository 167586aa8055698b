"""The cache command: what it shows and removes, and that another run finds what one has compiled.

CLSCAN_COMMAND names the program.
"""

import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

COMMAND = os.environ.get("CLSCAN_COMMAND", "clscan")


class Cache(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.home = pathlib.Path(self.folder.name, "upper")
        self.cache = self.home / "clscan"
        self.input = pathlib.Path(self.folder.name, "in.raw")
        self.output = pathlib.Path(self.folder.name, "out.raw")
        self.input.write_bytes(struct.pack("=4i", 1, 2, 3, 4))

    def tearDown(self):
        self.folder.cleanup()

    def run_command(self, *words, code=0, **environment):
        done = subprocess.run([COMMAND, *map(str, words)], env={**os.environ, **environment}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1800, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def on_disk(self, *words, **more):
        """Run with programs kept on disk, on every device, in this test's folder."""
        environment = {"XDG_CACHE_HOME": str(self.home), "CLSCAN_CACHE": "on",
                       "POCL_CACHE_DIR": os.environ.get("POCL_CACHE_DIR", str(self.home / "pocl"))}
        return self.run_command(*words, **environment, **more)

    def scan(self):
        self.on_disk("scan", "--type", "int32", self.input, self.output)
        self.assertEqual(struct.unpack("=4i", self.output.read_bytes()), (1, 3, 6, 10))

    def test_a_life(self):
        self.assertEqual(self.on_disk("cache", "list").stdout, "")
        self.assertEqual(self.on_disk("cache", "size").stdout, "0\n")
        self.assertFalse(self.cache.exists())
        self.scan()
        entries = sorted(self.cache.iterdir())
        self.assertGreaterEqual(len(entries), 1)
        numbers = [entry.stat().st_ino for entry in entries]
        self.scan()
        self.assertEqual([entry.stat().st_ino for entry in sorted(self.cache.iterdir())], numbers)
        lines = self.on_disk("cache", "list").stdout.splitlines()
        self.assertEqual(len(lines), len(entries))
        self.assertEqual({line.split()[0] for line in lines}, {entry.name for entry in entries})
        self.assertIn("int32 add inclusive forward", lines[0])
        size = int(self.on_disk("cache", "size").stdout)
        self.assertEqual(size, sum(entry.stat().st_size for entry in entries))
        self.assertEqual(self.on_disk("cache", "where").stdout, "%s\n" % self.cache)
        self.assertIn(str(self.cache), self.on_disk("cache").stdout)
        self.assertIn("%d" % len(entries), self.on_disk("cache", "clear").stdout)
        self.assertEqual(list(self.cache.iterdir()), [])

    def test_damaged_entries(self):
        self.scan()
        for entry in self.cache.iterdir():
            entry.write_bytes(entry.read_bytes()[:-1])
        self.assertIn("truncated", self.on_disk("cache", "list").stdout)
        self.scan()
        self.assertNotIn("truncated", self.on_disk("cache", "list").stdout)

    def test_folder_of_others(self):
        self.cache.mkdir(parents=True)
        self.cache.chmod(0o777)
        for action in ("list", "size", "clear"):
            done = self.run_command("cache", action, code=1, CLSCAN_CACHE=str(self.cache))
            self.assertIn(str(self.cache), done.stderr)
        self.assertIn("other users", self.run_command("cache", CLSCAN_CACHE=str(self.cache)).stdout)
        self.run_command("scan", "--type", "int32", self.input, self.output, CLSCAN_CACHE=str(self.cache))
        self.assertEqual(list(self.cache.iterdir()), [])

    def test_no_folder(self):
        environment = {"HOME": "", "XDG_CACHE_HOME": "", "CLSCAN_CACHE": "auto"}
        self.run_command("cache", "where", code=1, **environment)
        self.assertIn("none", self.run_command("cache", "status", **environment).stdout)

    def test_wrong_usage(self):
        for words in (["nothing"], ["list", "size"], ["--unknown"]):
            done = self.run_command("cache", *words, code=2)
            self.assertIn(words[-1], done.stderr)
        self.assertIn("clear", self.run_command("cache", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
