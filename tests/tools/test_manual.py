"""Manual pages and completions say what the programs' --help says.

CLSCAN_PROGRAMS names the programs, with ":" between them. An option, a command or a program that is new fails here
until it is documented: docs/man/PROGRAM.1 is written by hand, completions/ by scripts/make-completions.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))
from program_help import Program  # noqa: E402 (it stands in a folder of its own)

PROGRAMS = [Program(path) for path in os.environ["CLSCAN_PROGRAMS"].split(":")]
ITEM = re.compile(r"\.It Fl -(?P<name>[a-z0-9-]+)(?: Ar (?P<argument>\S+))?$")


def manual(program):
    return ROOT / "docs" / "man" / (program.name + ".1")


def manual_options(path):
    """Pairs of name and value's name by command; those of no command are "" 's."""
    options, command, part = {"": []}, "", ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(".Sh "):
            part, command = line[4:], ""
        elif line.startswith(".Ss ") and part == "COMMANDS":
            command = line[4:]
            options[command] = []
        elif ITEM.match(line):
            found = ITEM.match(line)
            options[command].append((found["name"], found["argument"]))
    return options


def run(*words, **keywords):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=1800,
                          universal_newlines=True, **keywords)


class EveryProgram(unittest.TestCase):
    def on_each_page(self, check):
        for program in PROGRAMS:
            for command, page in program.pages():
                with self.subTest(program=program.name, command=command):
                    check(program, command, page)


class Help(EveryProgram):
    def test_is_complete(self):
        """Every page has options with a help text each, examples of this very command, and the exit codes."""
        def check(program, command, page):
            self.assertIn("help", [option.name for option in page.options])
            for option in page.options:
                self.assertTrue(option.text, "--%s has no help" % option.name)
            begin = " ".join([program.name, command]).rstrip()
            self.assertTrue(page.sections.get("examples"))
            self.assertEqual([line for line in page.sections["examples"] if begin not in line], [])
            for code in ("exit codes", "0 ", "1 ", "2 "):
                self.assertIn(code, page.text)
        self.on_each_page(check)

    def test_examples_have_no_unknown_option(self):
        def check(program, _, page):
            for line in page.sections["examples"]:
                words = line[line.index(program.name):].split("|")[0].split()
                known = program.commands.get(words[1], program.page)
                self.assertLessEqual({word.split("=")[0] for word in words if word.startswith("--")},
                                     {"--" + option.name for option in known.options}, line)
        self.on_each_page(check)


class Manual(EveryProgram):
    def test_has_all_options(self):
        def check(program, command, page):
            documented = manual_options(manual(program))
            self.assertIn(command, documented, "docs/man/%s.1 lacks .Ss %s" % (program.name, command))
            self.assertEqual(sorted(documented[command], key=str),
                             sorted(((option.name, option.argument) for option in page.options), key=str))
        self.on_each_page(check)

    def test_has_no_other_command(self):
        for program in PROGRAMS:
            self.assertEqual(set(manual_options(manual(program))), {"", *program.commands})

    def test_every_page_has_a_program(self):
        pages = {path.stem for path in (ROOT / "docs" / "man").glob("*.1")}
        built = {program.name for program in PROGRAMS}
        self.assertLessEqual(built, pages)
        self.assertLessEqual(pages - built, {"clscan-mpi"})  # which is there where MPI is

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_mandoc_finds_nothing(self):
        for program in PROGRAMS:
            self.assertEqual(run("mandoc", "-T", "lint", "-W", "warning", str(manual(program))).stdout, "")

    @unittest.skipUnless(shutil.which("man") and shutil.which("groff"), "man or groff is not installed")
    def test_man_finds_nothing(self):
        for program in PROGRAMS:
            shown = run("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(manual(program)),
                        env=dict(os.environ, MANWIDTH="80", LC_ALL="C.UTF-8"))
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))


class Installed(unittest.TestCase):
    @unittest.skipUnless("CLSCAN_BUILD_FOLDER" in os.environ, "CLSCAN_BUILD_FOLDER names no build to install")
    def test_manual_and_completions_go_where_they_are_looked_for(self):
        with tempfile.TemporaryDirectory(prefix="clscan") as prefix:
            done = run("cmake", "--install", os.environ["CLSCAN_BUILD_FOLDER"], "--prefix", prefix)
            self.assertEqual(done.returncode, 0, done.stderr)
            for program in PROGRAMS:
                for path in ("man/man1/%s.1", "bash-completion/completions/%s", "zsh/site-functions/_%s",
                             "fish/vendor_completions.d/%s.fish"):
                    self.assertTrue(os.path.isfile(os.path.join(prefix, "share", path % program.name)), path)


class Completions(EveryProgram):
    def test_are_up_to_date(self):
        checked = run(sys.executable, str(ROOT / "scripts" / "make-completions"), "--check",
                      *(program.path for program in PROGRAMS))
        self.assertEqual((checked.returncode, checked.stdout), (0, ""),
                         checked.stderr + "scripts/make-completions writes them")

    def bash(self, program, *words):
        """What bash offers for the last word."""
        script = ("source '%s'; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _%s; printf '%%s\\n' \"${COMPREPLY[@]}\""
                  % (ROOT / "completions" / "bash" / program.name, program.name.replace("-", "_")))
        shown = run("bash", "--norc", "-uc", script, "bash", program.name, *words)
        self.assertEqual(shown.stderr, "")
        return [line for line in shown.stdout.splitlines() if line]

    def fish(self, program, *words):
        file = ROOT / "completions" / "fish" / (program.name + ".fish")
        shown = run("fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", str(file),
                    " ".join([program.name, *words]))
        self.assertEqual(shown.stderr, "")
        return [line.split("\t")[0] for line in shown.stdout.splitlines()]

    def offers_all_options(self, complete):
        def check(program, command, page):
            words = [command, "--"] if command else ["--"]
            self.assertEqual(sorted(complete(program, *words)), sorted("--" + option.name for option in page.options))
        self.on_each_page(check)

    def offers_values(self, complete):
        """Words where they are known, commands at the beginning, files where files belong."""
        program = next(each for each in PROGRAMS if each.name == "clscan")
        self.assertEqual(sorted(complete(program, "")), sorted(program.commands))
        self.assertEqual(complete(program, "explain", "--type", "uint1"), ["uint16"])
        self.assertEqual(sorted(complete(program, "explain", "--op", "m")), ["max", "min", "mul"])
        self.assertEqual(complete(program, "explain", "--op", "cus"), ["custom"])
        self.assertEqual(complete(program, "scan", "--op", "cus"), [])
        self.assertEqual(complete(program, "verify", "--type", "int8,doub"), ["int8,double"])
        self.assertEqual(complete(program, "explain", ""), [])
        with tempfile.TemporaryDirectory(prefix="clscan") as folder:
            wanted = os.path.join(folder, "in_1.npy")
            pathlib.Path(wanted).touch()
            self.assertEqual(complete(program, "scan", os.path.join(folder, "in")), [wanted])
            self.assertEqual(complete(program, "explain", "--config", os.path.join(folder, "in")), [wanted])
            self.assertEqual(complete(program, "explain", "--type", os.path.join(folder, "in")), [])

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_bash_offers_all_options(self):
        self.offers_all_options(self.bash)

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_bash_offers_values(self):
        self.offers_values(self.bash)
        program = next(each for each in PROGRAMS if each.name == "clscan")
        self.assertEqual(self.bash(program, "explain", "--op", "=", "xo"), ["xor"])

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_offers_all_options(self):
        self.offers_all_options(self.fish)

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_offers_values(self):
        self.offers_values(self.fish)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_reads_its_files(self):
        """compinit takes the files for completions of their programs, and zsh can parse them."""
        folder = ROOT / "completions" / "zsh"
        for program in PROGRAMS:
            script = ("fpath=('%s' $fpath); autoload -Uz compinit; compinit -D -u; print -r -- $_comps[%s]; "
                      "autoload +X -Uz _%s" % (folder, program.name, program.name))
            shown = run("zsh", "-f", "-c", script)
            self.assertEqual((shown.stdout, shown.stderr, shown.returncode), ("_%s\n" % program.name, "", 0))


if __name__ == "__main__":
    unittest.main()
