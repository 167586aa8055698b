#!/usr/bin/env python3
"""Make what the fuzzers begin with, from the fixtures and the shipped configs.

    make_seeds.py FOLDER [--run PROGRAM]

Writes FOLDER/TARGET/ for every target of targets.h, and FOLDER/TARGET.dict with the words that inputs are made of.
--run also runs the program, clscan_fuzz_files, on all of them.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FIXTURES = ROOT / "tests/fixtures"
LONGEST_BYTES = 8192  # of a seed; scripts/fuzz reads no longer ones
TRIALS = 3
STRATEGIES = ("staged", "random", "halving", "exhaustive")
SMALL_SPACE = "body=strided,group_scan=kogge_stone,carry=single,work_group_size=64|256,vector_length=4"
NUMBERS = ["0", "-1", "1e308", "-0.0", "4294967296", "9223372036854775807", "18446744073709551615", "null", "true"]
OPTIONS = ["2^20", "0x10", "18446744073709551615", "64MiB", "1GB", "-128", "1e400", "-0.0", "nan", "float16",
           "int8,float", "builtin,custom", "1024:2^20:4", "1K,5", "90s", "1.5h", "inf",
           "body=coalesced|strided,carry=adjacent,work_group_size=64:256", "local_bytes=0:4096",
           "--count\n5\n--verbose\nfile", "--bytes=1M\nfile", "--\nfile", "--help", "--cuont\n3"]
OPERATORS = ["keep_last\n0\nint keep_last(int left, int right) { return right != 0 ? right : left; }",
             "f\n\n#define f(a, b) (a)", "clscan_f\nINT_MIN\n", "f)(\n1)\n/*", "\n\n"]


def texts_of_list(name):
    """The second column of a list in variant.h or types.h."""
    found = re.search(r"#define %s\(X\)(.*?)\n(?!.*\\)" % name, headers(), re.DOTALL)
    return re.findall(r"X\(\w+,\s*(\w+)", found.group(1)) if found else []


def headers():
    return "\n".join((ROOT / "include/clscan" / name).read_text() for name in ("variant.h", "types.h"))


def parameters():
    """The parameters of a variant; their lines in the list begin with the name, the smallest and the largest."""
    return re.findall(r"X\((\w+),\s*\d+,\s*\d+,", headers())


def variant_text(variant):
    """A config's variant, as one line."""
    axes = [variant[axis] for axis in ("body", "group_scan", "carry", "order") if axis in variant]
    return " ".join(["+".join(axes)] + ["%s=%d" % (name, variant[name]) for name in parameters() if name in variant])


def shipped_configs():
    return [json.loads(path.read_text()) for path in sorted((ROOT / "tuned-configs").glob("*/*.json"))]


def journals():
    """(header, lines after it) of the recorded journals."""
    for path in sorted((FIXTURES / "tuning").glob("*.jsonl")):
        lines = path.read_text().splitlines()
        yield lines[0], [line for line in lines[1:] if '"finished"' in line]


def npy(version, descr, shape, fortran):
    text = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, shape)
    length = len(text) + 1
    return (b"\x93NUMPY" + bytes([version, 0]) + length.to_bytes(2 if version == 1 else 4, "little") + text.encode() +
            b"\n")


def seeds():
    """Inputs by target."""
    configs = shipped_configs()
    small = [dict(config, entries=[entry]) for config in configs for entry in config["entries"]
             if entry["largest_count"] is None]
    fixtures = [path.read_bytes() for path in sorted((FIXTURES / "configs").rglob("*.json"))]
    variants = sorted({variant_text(entry["variant"]) for config in configs for entry in config["entries"]})
    made = {
        "group": [path.read_bytes() for path in sorted((FIXTURES / "groups").rglob("*.json"))],
        "element": [path.read_bytes() for path in sorted((FIXTURES / "elements").rglob("*.json"))],
        "config": fixtures + [json.dumps(config) for config in small],
        "variant": variants,
        "npy": [npy(version, descr, shape, version == 2) for version in (1, 2, 3)
                for descr in ("<i4", "|u1", ">f8", "<f2", "<U3", "<M8[s]")
                for shape in ("(3,)", "()", "(2, 0, 5)", "(3L,)")],
        "options": [bytes([reader]) + text.encode() for reader in range(9) for text in OPTIONS],
        "operator": OPERATORS,
        "record": [b"k" * size for size in (0, 1, 39, 40, 56, 57, 100, 300)] + [b"clscanPB" + bytes(40),
                                                                              b"clscanBL" + bytes(60)],
        "key": ["\n".join("part %d" % i for i in range(n)) for n in (1, 2, 11, 20)] + ["device 3: abc\ndriver 1: x\n"],
        "journal": [], "replay": [], "t4": [], "protocol": [],
    }
    for header, lines in journals():
        trials = [json.loads(line)["finished"] for line in lines[:TRIALS]]
        for kept in range(TRIALS + 1):
            made["journal"].append("\n".join([header] + lines[:kept]) + "\n")
        for strategy in STRATEGIES:  # in a space so small that a search ends soon
            begin = dict(json.loads(header), strategy=strategy, only=SMALL_SPACE)
            made["replay"].append("\n".join([json.dumps(begin)] + lines[:1]) + "\n")
        made["journal"].append("\n".join([header] + [line.replace("finished", kind) for line, kind in
                                                     zip(lines, ("started", "soaked", "compared"))]) + "\n")
        made["t4"].append(json.dumps({"schema_version": "1.1.0", "metadata": {"clscan": json.loads(header)},
                                      "results": [{"clscan": trial} for trial in trials]}))
        device = json.loads(header)["device"]
        for trial in trials:
            made["protocol"] += [json.dumps({"id": 1, "trial": trial}),
                                 json.dumps({"id": 2, "request": "measure", "limit_ms": 20, "about": trial}),
                                 json.dumps({"id": 3, "request": "soak", "runs": 9, "limit_ms": 20, "about": trial})]
        made["protocol"] += [json.dumps({"id": 4, "request": "describe"}),
                             json.dumps({"id": 4, "trial": {"outcome": "timeout", "reason": "x"}}),
                             json.dumps({"id": 4, "trial": {"outcome": "correct"}, "devices": [device], "chosen": 0})]
    return made


def words(target, inputs):
    """What the inputs of a target are made of."""
    found = set(parameters())
    for name in ("CLSCAN_BODY_LIST", "CLSCAN_GROUP_SCAN_LIST", "CLSCAN_CARRY_LIST", "CLSCAN_ORDER_LIST",
                 "CLSCAN_TYPE_LIST", "CLSCAN_OPERATOR_LIST"):
        found.update(texts_of_list(name))
    for data in inputs:
        found.update(re.findall(rb'"(\w{2,40})"', data) if target not in ("npy", "key", "record") else [])
    return sorted({word if isinstance(word, bytes) else word.encode() for word in found} |
                  {number.encode() for number in NUMBERS})


def write(folder):
    for target, inputs in seeds().items():
        inputs = [data if isinstance(data, bytes) else data.encode() for data in inputs]
        inputs = [data for data in inputs if len(data) <= LONGEST_BYTES]
        if not inputs:
            sys.exit("make_seeds.py: no seed for %s" % target)
        (folder / target).mkdir(parents=True, exist_ok=True)
        for index, data in enumerate(inputs):
            (folder / target / ("seed-%03d" % index)).write_bytes(data)
        (folder / (target + ".dict")).write_text("".join('"%s"\n' % word.decode() for word in words(target, inputs)))


def main():
    folder = pathlib.Path(sys.argv[1])
    write(folder)
    if len(sys.argv) > 3 and sys.argv[2] == "--run":
        for target in sorted(path for path in folder.iterdir() if path.is_dir()):
            files = [str(path) for path in sorted(target.iterdir())]
            subprocess.run([sys.argv[3], target.name, *files], check=True)


if __name__ == "__main__":
    main()
