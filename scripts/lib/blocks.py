"""The code blocks of the *.md pages, and what can be said of one without building clscan.

A block says after its backticks what it is; there are no others:

    c FILE, cmake FILE   lines of that file, which the tests compile and run
    sh                   commands; tests/docs/test_shell_blocks.py runs them
    json                 a JSON document; with a schema_version, a config file or another of scripts/check-configs
    text                 what clscan prints; each line holds a text of the sources
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FENCE = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1\s*$", re.MULTILINE | re.DOTALL)
# Fences that FENCE does not see: indented ones and those of tildes.
OTHER_FENCE = re.compile(r"^(?:[ \t>]+`{3,}|[ \t>]*~{3,})", re.MULTILINE)
COMPILED = {"c": ("examples", "src", "tools", "tests"), "cmake": ("tests",)}
STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
CONVERSION = re.compile(r"%[-+ #0-9.*]*(?:hh|h|ll|l|z|j)?[a-zA-Z]")
FEWEST_LETTERS = 12


class Block:
    """One code block of a page."""

    def __init__(self, page, found):
        text = found.string
        self.page = page
        self.line = text.count("\n", 0, found.start()) + 1
        words = found.group(2).split()
        self.language = words[0] if words else ""
        self.arguments = words[1:]
        self.text = found.group(3)


def pages():
    """All *.md files that are not in a build folder."""
    for path in sorted(ROOT.rglob("*.md")):
        first = path.relative_to(ROOT).parts[0]
        if not first.startswith("build") and (not first.startswith(".") or first == ".ci"):
            yield path


def blocks(page, text):
    """The code blocks of a page's text."""
    return [Block(page, found) for found in FENCE.finditer(text)]


def texts_of_the_sources():
    """Patterns of what the library and its tools print."""
    patterns = []
    for folder in ("common", "config_file", "src", "tools"):
        for path in sorted((ROOT / folder).rglob("*.c")):
            for found in STRINGS.findall(path.read_text(encoding="utf-8")):
                literal = re.sub(r'"\s*"', "", found)[1:-1].replace('\\"', '"').replace("\\n", "").replace("%%", "%")
                pieces = CONVERSION.split(literal)
                if sum(map(len, pieces)) >= FEWEST_LETTERS:
                    patterns.append(re.compile(".*".join(map(re.escape, pieces))))
    return patterns


def quotation_problem(block):
    """Is a block what it says: lines of a file that the tests compile?"""
    if len(block.arguments) != 1:
        return "a %s block names the file whose lines it shows" % block.language
    name = block.arguments[0]
    if pathlib.PurePath(name).parts[0] not in COMPILED[block.language]:
        return "%s is not in a folder that the tests compile: %s" % (name, ", ".join(COMPILED[block.language]))
    if not (ROOT / name).is_file():
        return "%s does not exist" % name
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    shown = block.text.splitlines()
    for first in range(len(lines) - len(shown) + 1):
        if textwrap.dedent("\n".join(lines[first:first + len(shown)])) == "\n".join(shown):
            return None
    everywhere = {line.strip() for line in lines}
    for line in shown:
        if line.strip() not in everywhere:
            return "%s has no line: %s" % (name, line)
    return "these lines do not follow one another in %s" % name


def without_duplicates(pairs):
    """Refuse what json.loads() would take silently."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("duplicate key")
    return dict(pairs)


def json_problem(block):
    """Is a block JSON, and does a config keep the schema?"""
    try:
        document = json.loads(block.text, object_pairs_hook=without_duplicates)
    except ValueError as problem:
        return "not JSON: %s" % problem
    if not is_config(document):
        return None
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        file.write(block.text)
        file.flush()
        done = subprocess.run([sys.executable, str(ROOT / "scripts/check-configs"), file.name], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True, check=False)
    return None if done.returncode == 0 else done.stdout.strip()


def is_config(document):
    """Does this JSON document mean to be a config file?"""
    return isinstance(document, dict) and "schema_version" in document


def message_problem(block, patterns):
    """Does clscan print these lines?"""
    for line in block.text.splitlines():
        if line.strip() and not any(pattern.search(line) for pattern in patterns):
            return "nothing in src/, tools/ or what they share prints: %s" % line
    return None


def block_problem(block, patterns):
    """Say what is wrong with a block, or None."""
    if block.language in COMPILED:
        return quotation_problem(block)
    if block.arguments:
        return "a block of %s has nothing behind that word" % block.language
    if block.language == "json":
        return json_problem(block)
    if block.language == "text":
        return message_problem(block, patterns)
    if block.language == "sh":
        return None
    return "'%s' is no kind of block; there are c, cmake, sh, json and text" % block.language


def problems(page, text, patterns):
    """Yield (line, problem) for the blocks of a page."""
    for block in blocks(page, text):
        problem = block_problem(block, patterns)
        if problem is not None:
            yield block.line, problem
    prose = FENCE.sub(lambda fence: re.sub(r"[^\n]", " ", fence.group()), text)
    for found in OTHER_FENCE.finditer(prose):
        yield prose.count("\n", 0, found.start()) + 1, "a block begins with backticks in the first column"
