"""What `clscan devices` and `clscan explain` say, to people and as JSON.

CLSCAN_COMMAND names the program, CLSCAN_PCI_LAYER a layer of the OpenCL loader that says where devices are.
"""

import json
import os
import re
import unittest

from command_rig import CommandTest, npy_of

MANUAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "man", "clscan.1")

TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "half", "float", "double"]

# StreamScan's table 3, as far as it is about devices.
TABLE_3 = ["operating system", "platform", "compute units", "cores", "peak float gflop per s", "global memory bytes",
           "bandwidth gb per s", "local memory banks", "local memory bytes", "register file bytes"]


def only_finite(text):
    raise ValueError("no JSON: " + text)


def strict_json(text):
    """JSON without Python's NaN and Infinity, and without a key twice."""
    def unique(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError("a key stands twice")
        return dict(pairs)
    return json.loads(text, parse_constant=only_finite, object_pairs_hook=unique)


def documented_keys(heading):
    """The keys that the manual lists below a heading."""
    with open(MANUAL, encoding="utf-8") as file:
        part = file.read().split(".Ss %s\n" % heading)[1]
    return re.findall(r"(?m)^\.It Cm (\w+)$", re.split(r"(?m)^\.S[hs] ", part)[0])


class Devices(CommandTest):
    def test_list(self):
        text = self.succeed("devices")
        self.assertRegex(text, r"(?m)^0: ")
        self.assertIn("(default)", text)
        for word in ("platform", "key", "class", "mechanism", "progress"):
            self.assertIn(word, text)

    def test_verbose_begins_like_table_3(self):
        lines = self.succeed("devices", "--verbose", "--device", "0").splitlines()
        places = [next(i for i, line in enumerate(lines) if line.strip().startswith(label + "  ")) for label in TABLE_3]
        self.assertEqual(places, sorted(places))
        self.assertTrue(all(line.startswith("    ") and line[34:].strip() for line in lines[1:]))

    def test_json(self):
        root = strict_json(self.succeed("devices", "--json"))
        self.assertEqual(root["format"], 1)
        self.assertEqual("clscan " + root["clscan"], self.succeed("--version").strip())
        self.assertEqual([device["index"] for device in root["devices"]], list(range(len(root["devices"]))))
        self.assertEqual([device["default"] for device in root["devices"]].count(True), 1)
        for device in root["devices"]:
            self.assertGreater(device["compute_units"], 0)
            self.assertGreater(device["global_memory_bytes"], 0)
            for key in ("name", "key", "family", "mechanism", "mechanism_reason", "progress", "progress_reason",
                        "sub_group_reason"):
                self.assertIsInstance(device[key], str, key)
            for key in ("quirks", "extensions"):
                self.assertIsInstance(device[key], list, key)
            self.assertTrue(device["configs"])
            self.assertNotIn("", [value for value in device.values()])

    def test_keys_are_documented(self):
        device = strict_json(self.succeed("devices", "--json", "--device", "0"))["devices"][0]
        self.assertEqual(list(device), documented_keys("Keys of devices"))

    def test_verbose_and_json_agree(self):
        device = strict_json(self.succeed("devices", "--json", "--device", "0"))["devices"][0]
        text = self.succeed("devices", "--verbose", "--device", "0")
        for key, value in device.items():
            if key in ("index", "default", "name"):
                continue
            with self.subTest(key=key):
                self.assertIn("\n    %s " % key.replace("_", " "), text)
                if isinstance(value, str):
                    self.assertRegex(text, r"(?m)^    %s +\S" % key.replace("_", " "))
                    self.assertIn(value + "\n", text)

    def test_pci_address(self):
        """As lspci writes it, where the driver tells; unknown elsewhere."""
        layer = {"OPENCL_LAYERS": os.environ["CLSCAN_PCI_LAYER"]}
        chosen = ("devices", "--device", "0")
        for told, shown in ((None, None), ("0 59 31 7", "0000:3b:1f.7"), ("65536 0 1 0", "10000:00:01.0")):
            with self.subTest(told=told):
                env = dict(layer, CLSCAN_TEST_PCI=told) if told else layer
                device = strict_json(self.succeed(*chosen, "--json", env=env))["devices"][0]
                self.assertEqual(device["pci_address"], shown)
                lines = [line.split() for line in self.succeed(*chosen, env=env).splitlines()]
                self.assertEqual([line[-1] for line in lines if line[:2] == ["PCI", "address"]],
                                 [shown] if shown else [])

    def test_links(self):
        """Which devices are on one bus, and in one domain; and the order of clscan_devices_by_link()."""
        several = {"OPENCL_LAYERS": os.environ["CLSCAN_PCI_LAYER"], "POCL_DEVICES": "basic basic basic basic",
                   "CLSCAN_TEST_PCI": "0 59 0 0,0 23 0 0,0 59 1 0,1 5 0 0"}
        listed = strict_json(self.succeed("devices", "--json", env=several))
        if len(listed["devices"]) != 4:
            self.skipTest("not PoCL alone")
        self.assertEqual(listed["order_by_link"], [1, 0, 2, 3])
        lines = [line.split() for line in self.succeed("devices", env=several).splitlines()]
        self.assertEqual([" ".join(line[1:]) for line in lines if line[0] == "PCI" and line[1] != "address"],
                         ["bus 0000:3b with 2", "domain 0000 with 1", "domain 0000 with 0, 2", "bus 0000:3b with 0",
                          "domain 0000 with 1"])
        self.assertEqual(lines[-1][:6], ["by", "link:", "1", "0", "2", "3"])
        self.assertIsNone(listed["links"])
        self.assertIsNone(strict_json(self.succeed("devices", "--json", env={**several, "CLSCAN_TEST_PCI": "0"}))
                          ["order_by_link"])  # fmt: skip

    def test_measured_links(self):
        """Links of a group's config stand beside each device, and make the order, wherever the devices are listed."""
        several = {"OPENCL_LAYERS": os.environ["CLSCAN_PCI_LAYER"], "POCL_DEVICES": "basic basic",
                   "CLSCAN_TEST_PCI": "0 59 0 0,0 23 0 0"}
        key = strict_json(self.succeed("devices", "--json", env=several))["devices"][0]["key"]
        members = [{"key": key, "pci_address": address, "device_gb_per_s": 1, "host_gb_per_s": 1, "link": link}
                   for address, link in (("0000:17:00.0", 4), ("0000:3b:00.0", 2))]
        config = {"schema_version": 1, "provenance": {"origin": "tuned", "date": "2026-11-30"}, "devices": members,
                  "steps": []}
        os.makedirs(self.path("clscan/groups"))
        self.write("clscan/groups/two.json", json.dumps(config).encode())
        several["XDG_CONFIG_HOME"] = self.folder
        listed = strict_json(self.succeed("devices", "--json", env=several))
        if len(listed["devices"]) != 2:
            self.skipTest("not PoCL alone")
        self.assertEqual((listed["links"], listed["order_by_link"]), ([2, 4], [0, 1]))
        lines = [line.split() for line in self.succeed("devices", env=several).splitlines()]
        self.assertEqual([line[1] for line in lines if line[0] == "link"], ["2", "4"])

    def test_one_device(self):
        """A number and a part of its key choose the same one device."""
        key = strict_json(self.succeed("devices", "--json", "--device", "0"))["devices"][0]["key"]
        chosen = strict_json(self.succeed("devices", "--json", "--device", key))["devices"]
        self.assertEqual([device["index"] for device in chosen], [0])
        self.refuse("devices", "--device", "no such thing", says="no such thing")

    def test_no_driver(self):
        nowhere = {"OCL_ICD_VENDORS": self.folder, "OPENCL_VENDOR_PATH": self.folder}
        self.refuse("devices", says="no OpenCL driver", env=nowhere)
        self.refuse("devices", "--json", says="no OpenCL driver", env=nowhere)
        self.write("in.npy", npy_of("int32", [1]))
        self.refuse("scan", self.path("in.npy"), self.path("out.npy"), env=nowhere)
        self.refuse("explain", env=nowhere)

    def test_configs_are_those_that_serve(self):
        """A user's file for the default device serves some problems, the built-in ones the others."""
        device = strict_json(self.succeed("devices", "--json"))["devices"]
        key = next(each["key"] for each in device if each["default"])
        config = {
            "schema_version": 1,
            "match": key,
            "provenance": {"origin": "hand-set", "date": "2026-01-31"},
            "entries": [{"operation": "scan", "element_size_bytes": 8, "operator_class": "custom",
                         "reproducible": False, "largest_count": None,
                         "variant": {"body": "strided", "group_scan": "brent_kung", "carry": "single",
                                     "work_group_size": 1, "vector_length": 1, "register_pieces": 4,
                                     "local_pieces": 0}}],
        }
        path = self.write("mine.json", json.dumps(config).encode())
        device = strict_json(self.succeed("devices", "--json", env={"CLSCAN_CONFIG": path}))["devices"]
        configs = next(each["configs"] for each in device if each["default"])
        self.assertIn({"source": path, "matched": key}, configs)
        self.assertGreater(len(configs), 1)

    def test_unknown_device(self):
        self.refuse("explain", "--device", "no such thing", says="no such thing")


def variant_of(explanation):
    """The variant for the smallest counts, as a config has it."""
    return {key: value for key, value in explanation["size_classes"][0]["variant"].items()
            if value not in (None, "none")}


class Explain(CommandTest):
    def explain(self, *arguments):
        return strict_json(self.succeed("explain", "--json", *arguments))

    def test_one_count(self):
        text = self.succeed("explain", "--type", "uint8", "--count", "2^20", "--in-place", "--exclusive", "--reverse")
        for word in ("uint8 add, exclusive, reverse, in place", "1048576", "variant", "entry", "matched", "why"):
            self.assertIn(word, text)

    def test_keys_are_documented(self):
        root = self.explain()
        keys = [key for key in root if key not in ("format", "clscan")] + list(root["size_classes"][0])
        self.assertEqual(keys, documented_keys("Keys of explain"))

    def test_sums_of_another_type(self):
        self.assertIn("float add, inclusive, forward, to double",
                      self.succeed("explain", "--type=float", "--output-type=double"))
        self.assertNotIn("to double", self.succeed("explain", "--type=double", "--output-type=double"))
        self.assertIn("int8 add, inclusive, forward, to half",
                      self.succeed("explain", "--type=int8", "--output-type=half"))
        for kind, words, says in (
                ("float", ("--output-type=int8",), "--output-type: float becomes no int8 without a load map"),
                ("double", ("--output-type=float",), "--output-type: double becomes no float, which is narrower"),
                ("double", ("--output-type=half",), "--output-type: double becomes no float, which is narrower"),
                ("int64", ("--output-type=int32", "--operation=reduce"), "--output-type: int64 becomes no int32,"),
                ("half", ("--output-type=half", "--operation=reduce"), "--output-type: sums are no half; say float"),
                ("int8", ("--output-type=float", "--reproducible"), "--reproducible: add of float has no reproducible"),
                ("float", ("--output-type=double", "--operation=select"), "--operation select")):
            with self.subTest(type=kind, words=words):
                self.refuse("explain", "--type", kind, *words, code=2, says=says)

    def test_size_classes_have_no_gap(self):
        for arguments in ([], ["--op=custom"], ["--type", "double", "--in-place"]):
            next_first = 1
            for each in self.explain(*arguments)["size_classes"]:
                self.assertEqual(each["first_count"], next_first)
                next_first = None if each["last_count"] is None else each["last_count"] + 1
            self.assertIsNone(next_first)

    def test_table(self):
        """The table shows what the JSON has: a column for each size class."""
        classes = self.explain()["size_classes"]
        rows = [line.split() for line in self.succeed("explain").splitlines()]
        firsts = [word for row in rows if row[:2] == ["first", "count"] for word in row[2:]]
        self.assertEqual(firsts, [str(each["first_count"]) for each in classes])
        for key in ("carry", "vector_length", "local_memory_bytes"):
            label = key.split("_")
            values = [word for row in rows if row[:len(label)] == label for word in row[len(label):]]
            wanted = [each["variant"].get(key, each.get(key)) for each in classes]
            self.assertEqual(values, [str(value) for value in wanted])

    def test_a_count_gets_its_size_class(self):
        classes = self.explain("--op", "max")["size_classes"]
        self.assertEqual(self.explain("--count", "2^63")["size_classes"], classes[-1:])
        self.assertEqual(self.explain("--count", str(2**64 - 1))["size_classes"], classes[-1:])
        counts = [0] + [each[key] for each in classes for key in ("first_count", "last_count") if each[key]]
        for count in counts:
            chosen = self.explain("--op", "max", "--count", str(count))
            serves = [each for each in classes
                      if each["first_count"] <= max(count, 1) and (each["last_count"] or count) >= count]
            self.assertEqual(chosen["size_classes"], serves)
            self.assertEqual(chosen["count"], count)

    def test_every_problem(self):
        """Any type and operator, or a clear refusal; form and direction change nothing."""
        for name in TYPES:
            for operator in ("add", "xor", "custom"):
                if operator == "xor" and name in ("half", "float", "double"):
                    self.refuse("explain", "--type", name, "--op", operator, code=2, says=["xor", name])
                    continue
                root = self.explain("--type", name, "--op", operator)
                self.assertEqual(root["problem"], {"operation": "scan", "type": name, "output_type": name,
                                                   "op": operator, "form": "inclusive", "direction": "forward",
                                                   "in_place": False, "reproducible": False})
        plain = self.explain()
        other = self.explain("--exclusive", "--reverse")
        self.assertEqual((other["problem"]["form"], other["problem"]["direction"]), ("exclusive", "reverse"))
        self.assertEqual(plain["size_classes"], other["size_classes"])

    def test_operations_have_entries_of_their_own(self):
        variant = variant_of(self.explain())
        operations = ("scan", "select", "unique", "segmented_scan", "segmented_reduce", "scan_by_key",
                      "reduce_by_key", "reduce_by_offsets")
        config = self.write("operations.json", json.dumps({
            "schema_version": 1, "match": self.explain()["key"],
            "provenance": {"origin": "hand-set", "date": "2026-01-31"},
            "entries": [{"operation": operation, "element_size_bytes": 4, "operator_class": "builtin",
                         "largest_count": None, "reproducible": False, "variant": variant}
                        for operation in operations]}).encode())
        for number, operation in enumerate(operations):
            with self.subTest(operation=operation):
                root = self.explain("--config", config, "--operation", operation)
                self.assertEqual(root["problem"]["operation"], operation)
                self.assertEqual({each["entry"] for each in root["size_classes"]}, {"/entries/%d" % number})
        heading = self.succeed("explain", "--operation", "select").splitlines()[1]
        self.assertEqual(heading.split(None, 1), ["problem", "int32, operation select"])
        self.refuse("explain", "--operation", "sort", code=2, says=["--operation", "sort", "scan_by_key"])
        self.refuse("explain", "--operation", "select", "--op", "max", code=2, says=["--op", "select"])

    def test_repetitions_are_asked_by_their_places(self):
        """Entries of scans serve them, first those of operators of a caller's own, whatever lengths have."""
        variant = variant_of(self.explain())
        config = self.write("lengths.json", json.dumps({
            "schema_version": 1, "match": self.explain()["key"],
            "provenance": {"origin": "hand-set", "date": "2026-01-31"},
            "entries": [{"operation": "scan", "element_size_bytes": size, "operator_class": of, "largest_count": None,
                         "reproducible": False, "variant": variant, **more}
                        for of, size, more in (("builtin", 4, {}), ("custom", 4, {}),
                                               ("custom", 1, {"sum_size_bytes": 4}))]}).encode())
        for kind in "uint8", "int32", "uint32":
            root = self.explain("--config", config, "--operation", "repeat", "--type", kind)
            self.assertEqual((root["problem"]["operation"], root["problem"]["type"]), ("repeat", kind))
            self.assertEqual({each["entry"] for each in root["size_classes"]}, {"/entries/1"}, kind)
        heading = self.succeed("explain", "--operation", "repeat", "--type", "uint8").splitlines()[1]
        self.assertEqual(heading.split(None, 1), ["problem", "uint8, operation repeat"])
        for words in (["--op=max"], ["--in-place"], ["--reverse"], ["--exclusive"], ["--reproducible"],
                      ["--output-type=int64"], ["--type=float"], ["--rows=3"]):
            self.refuse("explain", "--operation", "repeat", *words, code=2, says=words[0].split("=")[0])

    def test_rows_are_asked_by_the_length_of_one(self):
        variant = {"body": "strided", "group_scan": "kogge_stone", "carry": "reduce_then_scan", "work_group_size": 1,
                   "vector_length": 1, "register_pieces": 4, "local_pieces": 0, "work_groups_per_unit": 4}
        config = self.write("rows.json", json.dumps({
            "schema_version": 1, "match": self.explain()["key"],
            "provenance": {"origin": "measured", "date": "2026-11-25"},
            "entries": [{"operation": "scan_rows", "element_size_bytes": 4, "operator_class": "builtin",
                         "largest_count": 1000, "reproducible": False, "variant": variant}]}).encode())
        classes = self.explain("--config", config, "--operation", "scan_rows")["size_classes"]
        self.assertEqual((classes[0]["entry"], classes[0]["last_count"]), ("/entries/0", 1000))
        self.assertNotIn(config, [each["source"] for each in classes[1:]])
        for rows in ("1", "2^20"):
            (chosen,) = self.explain("--config", config, "--operation", "scan_rows", "--count", "1000", "--rows",
                                     rows)["size_classes"]
            self.assertEqual(chosen["entry"], "/entries/0")
        few, many = (self.explain("--operation", "scan_rows", "--count", "1001", "--rows", rows)["size_classes"]
                     for rows in ("1", "2^24"))
        self.assertNotEqual(few, many)
        self.refuse("explain", "--rows", "5", code=2, says=["--rows", "scan_rows"])
        self.refuse("explain", "--operation", "scan_rows", "--rows", "0", code=2, says=["--rows", "at least one"])

    def test_reproducible_plans_have_entries_of_their_own(self):
        entries = [{"operation": "scan", "element_size_bytes": 4, "operator_class": "builtin", "largest_count": None,
                    "reproducible": True, "variant": variant_of(self.explain("--type", "float", *words))}
                   for words in ([], ["--reproducible"])]
        self.assertNotEqual(entries[0]["variant"], entries[1]["variant"])
        entries[0]["reproducible"] = False
        config = self.write("own.json", json.dumps({
            "schema_version": 1, "match": self.explain()["key"],
            "provenance": {"origin": "hand-set", "date": "2026-01-31"}, "entries": entries}).encode())
        for words, entry, reproducible in ((["--type", "float"], 0, False),
                                           (["--type", "float", "--reproducible"], 1, True),
                                           (["--type", "float", "--op", "max", "--reproducible"], 0, True),
                                           (["--type", "uint32", "--op", "mul", "--reproducible"], 0, True)):
            with self.subTest(words=words):
                root = self.explain("--config", config, *words)
                self.assertEqual(root["problem"]["reproducible"], reproducible)
                self.assertEqual({each["entry"] for each in root["size_classes"]}, {"/entries/%d" % entry})
        heading = self.succeed("explain", "--type", "float", "--reproducible").splitlines()[1]
        self.assertTrue(heading.endswith(", reproducible"), heading)

    def test_the_variant_is_the_text_of_the_bench(self):
        """The text form and the JSON say the same."""
        size_class = self.explain("--count", "1000")["size_classes"][0]
        variant = size_class["variant"]
        self.assertIn("  variant     %s\n" % size_class["variant_text"], self.succeed("explain", "--count", "1000"))
        sizes = dict(word.split("=") for word in size_class["variant_text"].split()[1:])
        self.assertEqual({key: str(value) for key, value in variant.items() if isinstance(value, int)}, sizes)

    def test_bad_config(self):
        self.refuse("explain", "--config", self.path("none.json"), says="none.json")
        self.refuse("explain", "--config", self.write("bad.json", b"{,}"), says="bad.json")


if __name__ == "__main__":
    unittest.main()
