"""scripts/first-run with the programs that are built, and little to do: what it prints is short and says enough."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "scripts/first-run"
BUILD = pathlib.Path(os.environ.get("CLSCAN_BENCH", "")).resolve().parent.parent
MAX_LINES = 40


@unittest.skipUnless("CLSCAN_BENCH" in os.environ, "CLSCAN_BENCH does not name clscan-bench")
class FirstRun(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_script(self, *arguments, cwd=None, **environment):
        return subprocess.run([str(SCRIPT), *map(str, arguments)], env={**os.environ, **environment}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1800, check=False, cwd=cwd)

    def link_programs(self, *paths):
        """A folder as of a build, with some of its programs."""
        build = self.folder / "build"
        for path in paths:
            (build / path).parent.mkdir(parents=True)
            (build / path).symlink_to(BUILD / path)
        return build

    def build_with_tuner(self, script):
        """The same with all programs that are asked for, of which the tuner does this instead."""
        build = self.link_programs("tools/clscan", "bench/clscan-bench")
        (build / "tuner").mkdir()
        tuner = build / "tuner/clscan-tune"
        tuner.write_text("#!/bin/sh\n" + script)
        tuner.chmod(0o755)
        return build

    def test_prints_little(self):
        done = self.run_script("--build", BUILD, "--mebibytes", 1, "--budget", "4s", "--out",
                               self.folder / "out")
        lines = done.stdout.splitlines()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertLessEqual(len(lines) + 3, MAX_LINES, done.stdout)  # 3: packages, build, and TBB in both tables
        self.assertEqual([line.split("  ")[0] for line in lines[-5:]],
                         ["device", "rate", "times serial", "tuning", "next"], done.stdout)
        self.assertNotIn("warning", done.stdout)
        self.assertEqual(sum("NumPy finds the same" in line for line in lines), 2)
        self.assertEqual(sum("serial loop" in line for line in lines), 2)

    def test_says_that_the_machine_was_busy(self):
        """What the tuner says of it stands above the lines at the end."""
        build = self.build_with_tuner("echo '  busy: the default was slower'\necho 'busy: other programs ran'\n")
        done = self.run_script("--build", build, "--mebibytes", 1, "--out", self.folder / "out")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stdout.splitlines()[-7:-5], ["busy: the default was slower", "busy: other programs ran"])

    def test_usage(self):
        """What is wrong is told before anything is installed, built or archived."""
        part, out = self.link_programs("tools/clscan", "tuner/clscan-tune"), self.folder / "out"
        for words, says in ((["--budget"], "--budget"), (["--budget", ""], "--budget"), (["--bud", "4s"], "--bud"),
                            (["--mebibytes", "abc"], "'abc'"), (["--mebibytes", "0"], "'0'"),
                            (["--mebibytes", "9" * 19], "--mebibytes"), (["--mebibytes", "-1"], "'-1'"),
                            (["--build", "/nonexistent"], "/nonexistent"), (["--build", part], "bench/clscan-bench"),
                            (["--build", BUILD, "--budget", "10parsecs"], "10parsecs")):
            done = self.run_script("--out", out, *words)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertEqual(list(out.glob("*")), [])
            self.assertEqual(len(done.stdout.splitlines()), 1, done.stdout)
            self.assertIn("scripts/first-run: ", done.stdout)
            self.assertIn(says, done.stdout)
            self.assertNotIn("line ", done.stdout)
        done = self.run_script("--help")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("--mebibytes N", done.stdout)

    def test_folders_of_the_caller(self):
        """Also where the script is called from another folder than the repository's root."""
        self.build_with_tuner("echo 'it ends here'\nexit 1\n")
        done = self.run_script("--build", "build", "--out", "own/out", cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (1, "it ends here\n"))
        self.assertTrue((self.folder / "own/out").is_dir())

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("apt-get"), "apt-get would need a password, or is not here")
    def test_says_what_it_installs(self):
        """One line with names and sizes; what apt-get says goes to a log."""
        commands = self.folder / "commands"
        commands.mkdir()
        (commands / "apt-get").write_text(
            "#!/bin/sh\necho 'Setting up everything'\n"
            "echo 'Need to get 12.3 MB/14.0 MB of archives.'\n"
            "echo 'After this operation, 45.6 MB of additional disk space will be used.'\n")
        (commands / "apt-get").chmod(0o755)
        done = self.run_script("--out", self.folder / "out", PATH="%s:%s" % (commands, os.environ["PATH"]),
                               CC="/no/such/compiler")
        self.assertNotEqual(done.returncode, 0, "there is no compiler")
        first = done.stdout.splitlines()[0]
        self.assertIn("build-essential", first)
        self.assertIn("12.3 MB/14.0 MB to download, 45.6 MB on disk", first)
        self.assertLessEqual(len(done.stdout.splitlines()), MAX_LINES)


if __name__ == "__main__":
    unittest.main()
