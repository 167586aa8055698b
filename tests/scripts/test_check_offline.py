"""scripts/check-offline on recorded reports of the compilers, which need not be here."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts/lib"))
from offline import page, reports, targets  # noqa: E402

FIXTURES = ROOT / "tests/fixtures/offline"
COMPOSER = os.environ.get("CLSCAN_COMPOSE")


def recorded(name):
    """What a compiler says of tests/fixtures/offline/kernels.cl."""
    return (FIXTURES / name).read_text(encoding="utf-8")


def target(chip):
    return next(target for target in targets.TARGETS if target.chip == chip)


def kernel(**changes):
    fields = dict(name="k", registers=32, scalars=None, simd=32, spills=0, scratch_bytes=0, local_bytes=0, waves=None)
    return targets.Kernel(**{**fields, **changes})


class Reports(unittest.TestCase):
    def check(self, kernels, wanted):
        """`wanted`: per kernel registers, scalars, simd, spills, scratch, local memory, waves."""
        self.assertEqual({k.name: tuple(k)[1:] for k in kernels}, wanted)

    def test_amd(self):
        self.check(reports.amd(recorded("gfx90a.txt")),
                   {"plain": (6, 14, None, 0, 0, 512, 8), "indexed": (45, 36, None, 0, 388, 0, 8),
                    "spilling": (512, 104, None, 183, 736, 0, 1)})

    def test_amd_without_accumulation_registers(self):
        self.check(reports.amd(recorded("gfx1100.txt")),
                   {"plain": (5, 18, None, 0, 0, 512, 16), "indexed": (94, 58, None, 0, 388, 0, 16),
                    "spilling": (256, 18, None, 483, 1560, 0, 5)})

    def test_nvidia(self):
        self.check(reports.nvidia(recorded("sm_90.txt")),
                   {"plain": (12, None, 32, 0, 0, 512, None), "indexed": (23, None, 32, 0, 384, 0, None),
                    "spilling": (255, None, 32, 760, 384, 0, None)})

    def test_intel(self):
        """One buffer for all private memory, and two of their own."""
        self.check(reports.intel(recorded("tgllp.ze_info"), recorded("tgllp.txt")),
                   {"plain": (128, None, 32, 0, 0, 512, None), "indexed": (128, None, 32, 0, 16384, 0, None),
                    "spilling": (128, None, 8, 716, 32768, 0, None)})
        self.check(reports.intel(recorded("dg2.ze_info"), recorded("dg2.txt")),
                   {"plain": (128, None, 32, 0, 0, 512, None), "indexed": (128, None, 32, 0, 384, 0, None),
                    "spilling": (128, None, 8, 718, 32768, 0, None)})

    def test_what_is_missing_is_an_error(self):
        """A compiler that says less than it used to must not pass for one that spills nothing."""
        for read, text, line in ((reports.amd, recorded("gfx90a.txt"), "VGPRs Spill"),
                                 (reports.amd, recorded("gfx90a.txt"), "ScratchSize"),
                                 (reports.nvidia, recorded("sm_90.txt"), "spill stores"),
                                 (reports.nvidia, recorded("sm_90.txt"), "registers, used"),
                                 (lambda text: reports.intel(text, ""), recorded("dg2.ze_info"), "grf_count"),
                                 (lambda text: reports.intel(text, ""), recorded("dg2.ze_info"), " size: ")):
            lines = text.splitlines(keepends=True)
            kept = "".join(one for one in lines if line not in one)
            self.assertLess(len(kept), len(text))
            with self.assertRaises(reports.ReportError, msg=line):
                read(kept)
        for read in (reports.amd, reports.nvidia, lambda text: reports.intel(text, "")):
            with self.assertRaises(reports.ReportError):
                read("Build succeeded.\n")

    def test_section_of_a_binary(self):
        names, content = b"\0.names\0.ze_info\0", b"kernels:\n"
        head = b"\x7fELF\x02\x01".ljust(0x28, b"\0") + struct.pack("<Q10xHHH", 0x40, 64, 3, 1)
        place = 0x40 + 3 * 64
        section = lambda name, at, size: struct.pack("<IIQQQQ", name, 1, 0, 0, at, size).ljust(64, b"\0")  # noqa: E731
        binary = (head + section(0, 0, 0) + section(1, place, len(names))
                  + section(8, place + len(names), len(content)) + names + content)
        self.assertEqual(reports.elf_section(binary, ".ze_info"), "kernels:\n")
        for data, name in ((binary, ".text"), (b"no binary", ".ze_info")):
            with self.assertRaises(reports.ReportError):
                reports.elf_section(data, name)


class Occupancy(unittest.TestCase):
    def test_nvidia(self):
        """What NVIDIA's occupancy calculator says: limited by warps, registers, shared memory, work-groups."""
        for chip, registers, local_bytes, size, warps in (("sm_90", 32, 0, 256, 64), ("sm_90", 40, 0, 256, 48),
                                                          ("sm_80", 255, 0, 128, 8), ("sm_80", 32, 40960, 128, 16),
                                                          ("sm_90", 32, 40960, 128, 20), ("sm_90", 16, 0, 32, 32),
                                                          ("sm_75", 32, 0, 256, 32), ("sm_70", 32, 49152, 256, 16),
                                                          ("sm_86", 40, 0, 256, 48), ("sm_120", 32, 40960, 512, 32),
                                                          ("sm_90", 136, 0, 512, 0)):
            found = targets.occupancy(target(chip), kernel(registers=registers, local_bytes=local_bytes), size)
            self.assertEqual(found, warps, (chip, registers, local_bytes, size))

    def test_registers_of_one_work_group(self):
        """As many as leave room for it, of 255 that a work-item can have."""
        limits = target("sm_90").limits
        for size, most in ((32, 255), (256, 255), (257, 168), (448, 128), (512, 128), (513, 96), (1024, 64)):
            self.assertEqual(targets.nvidia_registers(limits, size), most, size)
            self.assertGreater(targets.occupancy(target("sm_90"), kernel(registers=most), size), 0, size)

    def test_intel(self):
        """Limited by threads, by twice as many registers, by local memory, which comes in powers of two."""
        for chip, registers, simd, local_bytes, size, threads in (("dg2", 128, 16, 0, 256, 128),
                                                                  ("dg2", 256, 16, 0, 256, 64),
                                                                  ("dg2", 128, 16, 17000, 256, 64),
                                                                  ("tgllp", 128, 16, 0, 512, 96),
                                                                  ("pvc", 128, 32, 0, 256, 64)):
            given = kernel(registers=registers, simd=simd, local_bytes=local_bytes)
            self.assertEqual(targets.occupancy(target(chip), given, size), threads, (chip, given, size))

    def test_amd(self):
        self.assertEqual(targets.occupancy(target("gfx90a"), kernel(waves=5), 256), 5)


def script():
    """scripts/check-offline as a module."""
    loader = importlib.machinery.SourceFileLoader("check_offline", str(ROOT / "scripts/check-offline"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Failures(unittest.TestCase):
    def problems(self, config, options="-cl-std=CL1.2", **outcome):
        program = dict(config=config, entry="/entries/0", type="int32", operator="add", mechanism="", variant="v",
                       options=options, work_group_size=512, **{"target": target("dg2"), **outcome})
        return list(script().problems_of(program))

    def test_spills_of_entries_are_failures(self):
        for bad in (kernel(name="scans", spills=1), kernel(name="scans", scratch_bytes=24)):
            found = self.problems("built-in intel/gpu.json", kernels=[kernel(), bad])
            self.assertEqual(len(found), 1)
            for word in ("dg2", "built-in intel/gpu.json", "/entries/0", "int32", "scans"):
                self.assertIn(word, found[0])
        few = kernel(scratch_bytes=16)  # two variables, no tile
        self.assertEqual(self.problems("built-in intel/gpu.json", kernels=[kernel(), few]), [])

    def test_programs_with_a_register_bound_may_spill(self):
        self.assertEqual(self.problems("built-in nvidia/gpu.json", kernels=[kernel(spills=1)],
                                       options="-cl-std=CL1.2 -cl-nv-maxrregcount=80"), [])

    def test_a_work_group_that_finds_no_room_is_a_failure(self):
        found = self.problems("built-in nvidia/gpu.json", kernels=[kernel(name="scans", registers=136)],
                              target=target("sm_80"))
        self.assertEqual(len(found), 1)
        for word in ("sm_80", "scans", "136"):
            self.assertIn(word, found[0])

    def test_structures_may_spill(self):
        self.assertEqual(self.problems("", kernels=[kernel(spills=1)]), [])

    def test_what_does_not_compile_is_a_failure(self):
        for config in ("built-in intel/gpu.json", ""):
            self.assertIn("no such type", self.problems(config, problem="no such type")[0])


@unittest.skipUnless(COMPOSER, "CLSCAN_COMPOSE does not name clscan-compose")
class Compose(unittest.TestCase):
    def compose(self, what, device):
        with tempfile.TemporaryDirectory() as folder:
            environment = {name: value for name, value in os.environ.items() if not name.startswith("CLSCAN_")}
            subprocess.run([COMPOSER, what, ROOT / "tests/fixtures/devices" / (device + ".json"), folder], check=True,
                           env=dict(environment, XDG_CONFIG_HOME=folder))
            index = json.loads(pathlib.Path(folder, "index.json").read_text(encoding="utf-8"))["programs"]
            for program in index:
                text = pathlib.Path(folder, program["program"]).read_text(encoding="utf-8")
                self.assertIn("#define CLSCAN_WORK_GROUP_SIZE %d\n" % program["work_group_size"], text)
            return index

    def test_every_entry_that_a_device_can_select(self):
        """All entries of scans of scalars, of the files for the model and for other models of its architecture; no
        others."""
        for device, files, reproducible_too in (("nvidia-h200", ("nvidia/gpu",), ("generic/gpu",)),
                                                ("amd-gfx90a", ("generic/gpu",), ()),
                                                ("intel-max-1550", ("intel/gpu",), ("generic/gpu",)),
                                                ("intel-cpu-2025", ("intel/cpu",), ("generic/cpu",))):
            wanted, served = set(), set()
            for file in files + reproducible_too:
                with open(ROOT / "tuned-configs" / (file + ".json"), encoding="utf-8") as stream:
                    entries = [entry for entry in json.load(stream)["entries"]
                               if entry["operation"] == "scan"
                               and not {"smallest_element_size_bytes", "sum_size_bytes"} & set(entry)]
                if file in reproducible_too:
                    entries = [entry for entry in entries
                               if entry["reproducible"] and entry["element_size_bytes"] not in served]
                served.update(entry["element_size_bytes"] for entry in entries if entry["reproducible"])
                wanted.update(("built-in %s.json" % file, json.dumps(entry["variant"]["work_group_size"]),
                               "+".join(entry["variant"][axis] for axis in ("body", "group_scan", "carry", "order")
                                        if axis in entry["variant"])) for entry in entries)
            found = {(p["config"], str(p["work_group_size"]), p["variant"].split(" ")[0])
                     for p in self.compose("entries", device)}
            self.assertEqual(found, wanted, device)

    def test_types_and_operators(self):
        found = {(p["type"], p["operator"]) for p in self.compose("entries", "intel-arc-a770")}
        self.assertEqual(found, {(kind, op) for kind in ("uint8", "uint16", "uint32", "uint64", "half", "float")
                                 for op in ("add", "custom")})

    def test_structures(self):
        """Adjacent and lookback in four orders with three mechanisms, lookahead in two, and in a third one for one
        body; three other carries; the probe."""
        index = self.compose("structures", "amd-gfx90a")
        self.assertEqual(len({(p["variant"], p["mechanism"]) for p in index}),
                         (3 * 3 + 1) * ((2 * 4 + 2) * 3 + 3) + 3 + 3)
        self.assertEqual({p["mechanism"] for p in index}, {"", "c11", "atomic64", "atomic32"})
        self.assertEqual({p["mechanism"] for p in self.compose("structures", "nvidia-h200")}, {"", "ptx", "atomic32"})

    def test_sums(self):
        """Three bodies with two carries, two in three orders, and lookahead; in order persistent for one body. And the
        same carries and orders with one body for selections."""
        index = self.compose("sums", "nvidia-h200")
        sums = [p for p in index if p["operator"] == "custom"]
        self.assertEqual(len({p["variant"] for p in sums}), 3 * (2 + 2 * 3 + 1) + 1)
        self.assertEqual({p["type"] for p in sums}, {"pair", "maps"})
        self.assertEqual(len({p["variant"] for p in index if p not in sums}), 2 + 2 * 3 + 1 + 1)


class Page(unittest.TestCase):
    VERSIONS = {"amd": "clang 1", "nvidia": "ptxas 1"}

    def program(self, operator="add", entry=0, **changes):
        return {"config": "built-in generic/gpu.json", "entry": "/entries/%d" % entry, "type": "uint32",
                "variant": "strided+kogge_stone+single work_group_size=256", "operator": operator,
                "work_group_size": 256, "target": target("gfx90a"),
                "kernels": [kernel(waves=8, scalars=9, **changes), kernel(waves=7, scalars=3, local_bytes=64)]}

    def update(self, text, programs, write=False):
        """The page after an update, problems, and what was printed."""
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as printed:
            path = pathlib.Path(folder, "page.md")
            path.write_text(text, encoding="utf-8")
            problems = page.update(path, programs, self.VERSIONS, write)
            return path.read_text(encoding="utf-8"), problems, printed.getvalue()

    EMPTY = "before\n<!-- gfx90a -->\n<!-- end -->\nbetween\n<!-- sm_90 -->\nkept\n<!-- end -->\n"

    def test_written_tables_are_up_to_date(self):
        programs = [self.program(), self.program("custom", entry=4, registers=40)]
        text, problems, _ = self.update(self.EMPTY, programs, write=True)
        self.assertEqual(problems, [])
        self.assertIn("| generic/gpu.json | 0 | strided kogge_stone single | uint32 | 32 / 40 | 9 | 7 | 64 | 0 | 0 |\n",
                      text)
        self.assertTrue(text.startswith("before\n") and text.endswith("between\n<!-- sm_90 -->\nkept\n<!-- end -->\n"))
        self.assertEqual(self.update(text, programs), (text, [], ""))

    def test_drift_is_a_problem(self):
        text, _, _ = self.update(self.EMPTY, [self.program()], write=True)
        same, problems, _ = self.update(text, [self.program(registers=33)])
        self.assertEqual(same, text)
        self.assertEqual(len(problems), 1)
        self.assertIn("gfx90a", problems[0])

    def test_other_compilers_are_not_compared(self):
        text, _, _ = self.update(self.EMPTY, [self.program()], write=True)
        _, problems, printed = self.update(text.replace("clang 1 ", "clang 2 "), [self.program(registers=33)])
        self.assertEqual(problems, [])
        self.assertIn("clang 2", printed)

    def test_a_page_without_a_table_is_a_problem(self):
        self.assertEqual(len(self.update("nothing\n", [self.program()], write=True)[1]), 1)

    def test_every_gpu_has_a_table_and_a_description(self):
        text = (ROOT / "docs/offline-compilation.md").read_text(encoding="utf-8")
        for one in targets.TARGETS:
            self.assertIsNotNone(page.section_pattern(one.chip).search(text), one.chip)
            self.assertTrue(os.path.isfile(ROOT / "tests/fixtures/devices" / (one.device + ".json")), one.device)
        self.assertLessEqual(set(targets.QUICK), {one.chip for one in targets.TARGETS})


if __name__ == "__main__":
    unittest.main()
