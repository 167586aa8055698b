"""A T4 file of the tuner against the schema of the format. CLSCAN_TEST_T4_PROGRAM is the program that writes one."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = pathlib.Path(__file__).resolve().parent.parent / "fixtures/t4/schema-1.1.0.json"


@unittest.skipIf(jsonschema is None, "python3-jsonschema is not installed")
class T4Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.json"
            subprocess.run([os.environ["CLSCAN_TEST_T4_PROGRAM"]], env={**os.environ, "CLSCAN_TEST_T4": str(path)},
                           check=True, capture_output=True, timeout=1800)
            cls.document = json.loads(path.read_text(encoding="utf-8"))
        cls.validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))

    def test_the_file_is_valid(self):
        self.assertEqual([error.message for error in self.validator.iter_errors(self.document)], [])
        self.assertGreater(len(self.document["results"]), 100)

    def test_the_schema_notices_what_is_wrong(self):
        for key, value in (("invalidity", "slow"), ("correctness", 2), ("times", {"benchmark": 1}), ("extra", 1)):
            document = json.loads(json.dumps(self.document))
            document["results"][0][key] = value
            self.assertFalse(self.validator.is_valid(document), key)

    def test_results_say_what_was_measured(self):
        for result in self.document["results"]:
            self.assertIn("count", result["configuration"])
            self.assertIn("work_group_size", result["configuration"])
            names = {measurement["name"] for measurement in result["measurements"]}
            self.assertIn("time" if result["correctness"] else "reason", names)


if __name__ == "__main__":
    unittest.main()
