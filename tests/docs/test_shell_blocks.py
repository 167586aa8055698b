"""Run the shell blocks of the *.md pages, and read their configs with the library.

CLSCAN_BUILD is the build folder. The blocks of a page run one after the other in one copy of the repository, with
`bash -eu`. Programs that take long, install or build are replaced by stand_in.py, which checks their command lines.
A file app.c is there: the program of the README.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from lib.blocks import blocks, is_config, pages  # noqa: E402  (found through the line above)

BUILD = pathlib.Path(os.environ["CLSCAN_BUILD"]).resolve()
STAND_IN = pathlib.Path(__file__).resolve().parent / "stand_in.py"
REPLACED = ("cmake", "ctest", "sudo", "pkg-config", "apt-get")
SECONDS = 1800


def built_programs():
    """(folder, name) of the programs in the build folder."""
    for path in sorted(BUILD.glob("*/*")):
        if path.is_file() and os.access(path, os.X_OK) and ".so" not in path.name:
            yield path.parent.name, path.name


def python_with_numpy():
    """The system's Python has the packaged NumPy even where another one comes first in PATH."""
    for candidate in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([candidate, "-c", "import numpy"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return candidate
    return sys.executable


class Copy:
    """A copy of the repository in which the commands of one page run."""

    def __init__(self, folder):
        self.source = folder / "clscan"
        self.commands = folder / "commands"
        shutil.copytree(ROOT, self.source, ignore=shutil.ignore_patterns("build*", ".git", "__pycache__"))
        shutil.copy(ROOT / "examples/first_scan.c", self.source / "app.c")
        for name in REPLACED:
            self.replace(self.commands / name)
        for path in (self.source / "scripts").iterdir():
            if path.is_file():
                self.replace(path)
        for part, name in built_programs():
            for preset in ("dev", "release"):
                self.replace(self.source / "build" / preset / part / name)
            if part != "tests":
                self.replace(self.commands / name)
        python = self.commands / "python3"
        python.write_text('#!/bin/sh\nexec "%s" "$@"\n' % python_with_numpy(), encoding="utf-8")
        python.chmod(0o755)
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("CLSCAN_", "XDG_"))}
        # HOME is empty, but what PoCL compiled for an earlier page need not be compiled again.
        self.environment.setdefault("POCL_CACHE_DIR", str(BUILD / "tests/pocl-cache"))
        self.environment.update(
            PATH="%s:%s" % (self.commands, os.environ["PATH"]), HOME=str(folder), DOCS_PATH=os.environ["PATH"],
            DOCS_SOURCE=str(ROOT), DOCS_BUILD=str(BUILD), DOCS_PREFIX=str(folder / "prefix"))

    @staticmethod
    def replace(path):
        """Put the stand-in there."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_text('#!/bin/sh\nexec "%s" "%s" "%s" "$@"\n' % (sys.executable, STAND_IN, path), encoding="utf-8")
        path.chmod(0o755)

    def run(self, *command):
        """Run a command. Return what is wrong with it, or None."""
        try:
            done = subprocess.run(command, cwd=self.source, env=self.environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return "still running after %d s" % SECONDS
        if done.returncode == 0:
            return None
        return "exit code %d\n%s" % (done.returncode, done.stdout.decode("utf-8", "replace"))


class StandIns(unittest.TestCase):
    """What is not run is looked at: wrong command lines are found."""

    def test_wrong_command_lines(self):
        wrong = ("scripts/none", "scripts/test --fast", "cmake --preset none", "cmake --build --preset none",
                 "cmake --build --preset dev --target none", "ctest --preset dev -R none", "clscan explain --none",
                 "clscan verify --none", "clscan-bench --none", "clscan-tune --none",
                 "clscan-tune --resume --types int8", "build/dev/tests/test_none", "true | false", "none")
        with tempfile.TemporaryDirectory(prefix="clscan-docs-") as folder:
            copy = Copy(pathlib.Path(folder))
            for command in wrong:
                with self.subTest(command):
                    self.assertIsNotNone(copy.run("bash", "-euo", "pipefail", "-c", command))


class ShellBlocks(unittest.TestCase):
    def test_every_page(self):
        for page in pages():
            found = [block for block in blocks(page, page.read_text(encoding="utf-8"))
                     if block.language in ("sh", "json")]
            if found:
                with tempfile.TemporaryDirectory(prefix="clscan-docs-") as folder:
                    self.run_page(Copy(pathlib.Path(folder)), found)

    def run_page(self, copy, found):
        for block in found:
            where = "%s:%d" % (block.page.relative_to(ROOT), block.line)
            with self.subTest(where):
                if block.language == "sh":
                    problem = copy.run("bash", "-euo", "pipefail", "-c", block.text)
                elif json.loads(block.text).keys() & {"devices", "combine"}:  # no config that `explain` reads
                    (copy.source / "block.json").write_text(block.text, encoding="utf-8")
                    problem = copy.run(sys.executable, str(ROOT / "scripts/check-configs"), "block.json")
                elif is_config(json.loads(block.text)):
                    (copy.source / "block.json").write_text(block.text, encoding="utf-8")
                    problem = copy.run("clscan", "explain", "--config", "block.json")
                else:
                    problem = None
                if problem is not None:
                    self.fail("%s\n%s\n%s" % (where, block.text, problem))


if __name__ == "__main__":
    unittest.main()
