"""Doxygen's input filter: write out what the lists of a header make, and document it.

    expand_lists.py HEADER

The headers name choices once, in lists `#define CLSCAN_..._LIST(X)`, whose last column says what a row means. Where a
list becomes enumerators or fields, Doxygen shall see these, with their meaning. Beside that, the list itself gets a
line of documentation, and so does the parameter `error`, which is the same everywhere. Lines keep their numbers.
"""
import re
import sys

LIST = re.compile(r"^#define (CLSCAN_\w+_LIST)\(X\)((?:.*\\\n)*.*\n)", re.MULTILINE)
ROW = re.compile(r'X\(((?:[^()"]|"(?:[^"\\]|\\.)*")*)\)')
CELL = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^,"]+?)\s*(?:,|$)')
MAKER = re.compile(r"^#define X\(([^)]*)\) (.*)$")
MEANING = ("meaning", "message", "values", "cl_type")
# A comment with \param, up to \return or its end, in front of a function that takes an error.
DECLARATION = re.compile(r"(/\*\*(?:(?!\*/|\\return).)*?\\param(?:(?!\*/|\\return).)*)"
                         r"((?:(?!\*/).)*\*/\s*CLSCAN_API[^;{]*clscan_error \*error\);)", re.DOTALL)
ERROR = r"\\param error  Receives the detail of a failure; may be NULL. See clscan_error. "


def rows_of(text):
    """Name of a list -> its rows, each a list of cells."""
    return {name: [CELL.findall(row) for row in ROW.findall(body.replace("\\\n", " "))]
            for name, body in LIST.findall(text)}


def expand(columns, body, row):
    """What one row becomes: `body` with the row's cells, and the row's meaning as a comment."""
    cells = dict(zip(columns, row))
    made = re.sub(r"\w+", lambda word: cells.get(word.group(), word.group()), body.replace("##", "\0"))
    made = made.replace("\0", "")
    said = [cells[name].strip('"').replace('\\"', '"') for name in MEANING if name in cells]
    return made + "".join(" /**< %s */" % text for text in said)


def columns_of(text, name):
    """The columns by which a list is used."""
    used = re.search(r"^#define X\(([^)]*)\)(?:(?!^#undef).)*?%s\(X\)" % name, text, re.MULTILINE | re.DOTALL)
    return used.group(1) if used else "..."


def expand_lists(text):
    """The text, with the lists written out."""
    rows = rows_of(text)
    lines = []
    columns = body = None
    inside_list = False
    for line in text.splitlines():
        maker = MAKER.match(line)
        defined = re.match(r"#define (CLSCAN_\w+_LIST)\(X\)", line)
        if maker:
            columns, body, line = re.split(r",\s*", maker.group(1)), maker.group(2), ""
        elif line.startswith("#undef X"):
            columns, line = None, ""
        elif defined and lines:
            lines[-1] += " /** List of rows X(%s). */" % columns_of(text, defined.group(1))
        elif columns and not inside_list:
            line = re.sub(r"(CLSCAN_\w+_LIST)\(X\)",
                          lambda name: " ".join(expand(columns, body, row) for row in rows[name.group(1)]), line)
        inside_list = line.endswith("\\")
        lines.append(line)
    return "\n".join(lines) + "\n"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    sys.stdout.write(DECLARATION.sub(r"\1" + ERROR + r"\2", expand_lists(text)))


if __name__ == "__main__":
    main()
