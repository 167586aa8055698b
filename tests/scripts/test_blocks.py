"""scripts/lib/blocks.py: which code blocks of a page it refuses."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from lib.blocks import pages, problems, texts_of_the_sources  # noqa: E402  (found through the line above)

PATTERNS = texts_of_the_sources()
LINES = "int main(void)\n{\n    int data[] = {3, 1, 4, 1, 5, 9, 2, 6};\n"
CONFIG = """{
  "schema_version": 1, "match": "generic-gpu", "provenance": {"origin": "hand-set", "date": "2026-11-21"},
  "entries": [
    {"operation": "scan", "element_size_bytes": 4, "operator_class": "builtin",
     "largest_count": null, "reproducible": false,
     "variant": {"body": "strided", "group_scan": "kogge_stone", "carry": "single",
                 "work_group_size": 64, "vector_length": 4, "register_pieces": 4, "local_pieces": 0}}
  ]
}
"""


def page(info, text):
    return "# Title\n\n```%s\n%s```\n\nEnd.\n" % (info, text)


class Blocks(unittest.TestCase):
    def refused(self, text, line=3):
        found = list(problems(None, text, PATTERNS))
        self.assertEqual([at for at, _ in found], [line], found)

    def accepted(self, text):
        self.assertEqual(list(problems(None, text, PATTERNS)), [])

    def test_unknown_languages(self):
        self.refused(page("", "what is this?\n"))
        self.refused(page("python", "print(1)\n"))
        self.refused(page("bash", "true\n"))
        self.refused(page("console", "$ true\n"))

    def test_hidden_blocks(self):
        """Blocks that are indented or fenced otherwise are refused, not overlooked."""
        self.refused("1. list\n\n   ```sh\n", 3)
        self.refused("a\n\n~~~\n", 3)
        self.refused("a\n\n> ```\n", 3)

    def test_c_is_quoted_from_a_compiled_file(self):
        self.accepted(page("c examples/first_scan.c", LINES))
        # Without indentation.
        self.accepted(page("c examples/first_scan.c", "int data[] = {3, 1, 4, 1, 5, 9, 2, 6};\n"))
        self.refused(page("c", LINES))
        self.refused(page("c examples/none.c", LINES))
        self.refused(page("c include/clscan/plan.h", "#ifndef CLSCAN_PLAN_H\n"))
        self.refused(page("c examples/first_scan.c", LINES.replace("3, 1", "2, 7")))
        longer = LINES.replace("{\n    int", "{\n    clscan_plan *plan = NULL;\n    int")
        self.refused(page("c examples/first_scan.c", longer))
        self.refused(page("cmake CMakeLists.txt", "project(clscan)\n"))

    def test_json(self):
        self.accepted(page("json", '{"a": [1, null]}\n'))
        self.refused(page("json", '{"a": 1,}\n'))
        self.refused(page("json", '{"a": 1, "a": 2}\n'))
        self.accepted(page("json", CONFIG))

    def test_configs_keep_the_schema(self):
        try:
            import jsonschema  # noqa: F401  (check-configs uses it where it is installed)
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        self.refused(page("json", CONFIG.replace('"single"', '"magic"')))

    def test_text_is_printed_by_something(self):
        self.accepted(page("text", "args->count is 9, the plan's maximum is 8\n"))
        self.refused(page("text", "args->count is 9, which is too much\n"))

    def test_there_are_pages(self):
        names = [path.relative_to(ROOT).as_posix() for path in pages()]
        self.assertIn("README.md", names)
        self.assertFalse([name for name in names if name.startswith("build")])


if __name__ == "__main__":
    unittest.main()
