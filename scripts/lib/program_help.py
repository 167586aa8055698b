"""What a program of clscan says about itself: commands and options, read from its --help.

The help texts are made from the tables that the programs parse their command lines by, so nothing has to be listed a
second time. scripts/make-completions and the tests of the manual use this.
"""
import os
import re
import subprocess

OPTION = re.compile(r"^  --(?P<name>[a-z0-9-]+)(?: (?P<argument>[A-Z][A-Z0-9_:.-]*))?(?:\s+(?P<help>\S.*))?$")
COMMAND = re.compile(r"^  (?P<name>[a-z0-9-]+)\s+(?P<summary>\S.*)$")


class Option:
    """One option: name without dashes, name of its value or None, what the help says."""

    def __init__(self, name, argument, text):
        self.name, self.argument, self.text = name, argument, text


class Page:
    """One help text: of a program, or of a command of a program."""

    def __init__(self, text):
        self.text = text
        self.sections = self._sections(text)
        self.operands = self._operands(text)
        self.rest = self._rest(text)
        self.options = self._options()
        self.commands = [(found["name"], found["summary"]) for found in
                         map(COMMAND.match, self.sections.get("commands", [])) if found]

    @staticmethod
    def _sections(text):
        """Indented lines by the heading before them: a line that is one word and a colon."""
        sections, current = {}, []
        for line in text.splitlines():
            heading = re.fullmatch(r"([a-z]+):", line)
            if heading:
                current = sections.setdefault(heading[1], [])
            elif line.startswith(" "):
                current.append(line)
            elif line:
                current = []
        return sections

    @staticmethod
    def _operands(text):
        """The words in capitals of the usage line, apart from COMMAND."""
        usage = re.match(r"usage: (.*)", text)
        words = re.sub(r"\[.*?\]", "", usage[1]).split() if usage else []
        return [word for word in words if word.isupper() and word != "COMMAND"]

    @staticmethod
    def _rest(text):
        """What any number of further operands are: FILE of "[FILE...]"; None if there may be none."""
        found = re.search(r"^usage: .*\[([A-Z]+)\.\.\.\]", text)
        return found[1] if found else None

    def _options(self):
        options = []
        for line in self.sections.get("options", []):
            found = OPTION.match(line)
            if found:
                options.append(Option(found["name"], found["argument"], found["help"] or ""))
            elif options:
                options[-1].text = (options[-1].text + " " + line.strip()).strip()
        return options


class Program:
    """A program with its own page and one page for each of its commands."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)
        self.page = Page(self._help())
        self.commands = {name: Page(self._help(name)) for name, _ in self.page.commands}

    def _help(self, *words):
        return subprocess.run([self.path, *words, "--help"], stdout=subprocess.PIPE, check=True, timeout=60,
                              universal_newlines=True).stdout

    def pages(self):
        """Pairs of command and page; the command of the program's own page is ""."""
        return [("", self.page), *self.commands.items()]
