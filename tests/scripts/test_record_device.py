"""scripts/record-device on recorded reports: runs the script as a user would."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "scripts", "record-device")
FIXTURES = os.path.join(ROOT, "tests", "fixtures")


def run(*arguments, stdin=""):
    return subprocess.run([sys.executable, SCRIPT, *arguments], input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)


def report(name):
    return os.path.join(FIXTURES, "clinfo", name)


def fixture(name):
    with open(os.path.join(FIXTURES, "devices", name), encoding="utf-8") as file:
        return json.load(file)


class RecordDevice(unittest.TestCase):
    maxDiff = None

    def record(self, name, *arguments):
        done = run(report(name), *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_a_report_becomes_the_fixture(self):
        """The committed description is what the script makes of the committed report."""
        wanted = fixture("nvidia-h200.json")
        self.assertEqual(self.record("nvidia-h200.txt", "--source", wanted["source"]), [wanted])

    def test_devices_of_several_platforms(self):
        """Two devices on one platform, a platform without devices, a platform of OpenCL 1.2."""
        devices = self.record("several-platforms.txt")
        self.assertEqual([(device["platform_name"], device["name"].split("-")[0]) for device in devices],
                         [("Oclgrind", "Oclgrind Simulator"),
                          ("Portable Computing Language", "basic"),
                          ("Portable Computing Language", "pthread"),
                          ("rusticl", "llvmpipe (LLVM 15.0.6, 256 bits)")])

    def test_fields_are_read(self):
        oclgrind, _, pocl, rusticl = self.record("several-platforms.txt")
        self.assertEqual(oclgrind["c_version"], "OpenCL C 1.2 (Oclgrind 21.10)")
        self.assertEqual(oclgrind["type"], 0xf)  # the driver sets four bits
        self.assertEqual(oclgrind["vendor_id"], 0x42)
        self.assertEqual(oclgrind["atomic_memory_capabilities"], 0)  # not a query of OpenCL 1.2
        self.assertEqual(oclgrind["c_features"], "")
        self.assertEqual(pocl["c_version"], "OpenCL C 3.0")  # CL_DEVICE_OPENCL_C_VERSION says 1.2
        self.assertEqual(pocl["base_align_bits"], 1024)
        self.assertIn("__opencl_c_atomic_scope_device", pocl["c_features"].split(" "))
        self.assertNotIn("  ", pocl["extensions"])  # the driver writes several spaces
        self.assertEqual(rusticl["atomic_memory_capabilities"], 0x11)
        self.assertEqual(rusticl["double_fp_config"], 0)

    def test_compute_capability_in_one_line(self):
        """Other versions of clinfo write "9.0" where ours writes two lines."""
        with open(report("nvidia-h200.txt"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        lines = [line for line in lines if "COMPUTE_CAPABILITY_MINOR_NV" not in line]
        lines = [line.replace("MAJOR_NV           9", "MAJOR_NV           8.6") for line in lines]
        done = run("-", stdin="\n".join(lines))
        self.assertEqual(json.loads(done.stdout)[0]["nv_compute_capability"], 86)

    def test_one_file_per_device(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run(report("several-platforms.txt"), "--folder", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            names = sorted(os.listdir(folder))
            self.assertEqual(len(names), 4)
            self.assertIn("oclgrind-oclgrind-simulator.json", names)
            self.assertEqual(sorted(os.path.basename(path) for path in done.stdout.split()), names)

    def test_what_is_no_report_is_refused(self):
        for text in ("", "Number of platforms  1\n  Platform Name  NVIDIA CUDA\n",
                     "[NV/0] CL_DEVICE_NAME NVIDIA H200\n",
                     "[NV/*] CL_PLATFORM_NAME NVIDIA CUDA\n[NV/0] CL_DEVICE_NAME NVIDIA H200\n"):
            done = run("-", stdin=text)
            self.assertEqual(done.returncode, 1, text)
            self.assertTrue(done.stderr.startswith("record-device: "), done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertEqual(run("no/such/file").returncode, 1)


if __name__ == "__main__":
    unittest.main()
