"""The table of cl/README.md: which kernel files a program consists of, as src/program/composition.h lists them."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "cl/README.md"
TABLE = re.compile(r"^\| file \| gives \| when \|\n\|---\|---\|---\|\n(?:\|.*\n)*", re.MULTILINE)
# X(file, when in C, gives, when in words); the line ends with a backslash or is the last one.
ROW = re.compile(r'\bX\("([^"]+)",[^"]+"([^"]+)",\s*\\?\s*"([^"]+)"\)')


def table():
    """The lines of the table, from the header."""
    header = (ROOT / "src/program/composition.h").read_text(encoding="utf-8")
    rows = ["| `%s` | %s | %s |\n" % row for row in ROW.findall(header)]
    return "".join(["| file | gives | when |\n", "|---|---|---|\n"] + rows)


def problem():
    """Say what is wrong with the page, or None."""
    if table() in PAGE.read_text(encoding="utf-8"):
        return None
    return "the table of cl/README.md is not that of src/program/composition.h; scripts/check-docs --fix writes it"


def fix():
    """Write the table anew."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(TABLE.sub(lambda found: table(), text, count=1), encoding="utf-8")
