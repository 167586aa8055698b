"""The soak itself: it sees a wrong kernel, a worker that hangs and one that dies, and says how to repeat what it saw.

CLSCAN_SOAK names the program.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

SOAK = os.environ.get("CLSCAN_SOAK", "soak")
KERNELS = pathlib.Path(__file__).resolve().parent.parent.parent / "cl"


class Soak(unittest.TestCase):
    def run_soak(self, *words, **more):
        return subprocess.run([SOAK, *map(str, words)], env={**os.environ, **more}, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=1800, check=False)

    def test_same_seed_same_runs(self):
        words = ["--seed", 5, "--runs", 100, "--jobs", 1, "--runs-per-plan", 40]
        said = [self.run_soak(*words).stdout for _ in range(2)]
        sums = [re.search(r"(\d+ runs of \d+) plans.* (\d+) elements per run", text).groups() for text in said]
        self.assertEqual(sums[0], sums[1])

    def test_wrong_kernel(self):
        with tempfile.TemporaryDirectory() as folder:
            kernels = pathlib.Path(folder) / "cl"
            shutil.copytree(KERNELS, kernels)
            source = (kernels / "elements/sums.cl").read_text()
            self.assertIn("    *total_at = ", source)
            (kernels / "elements/sums.cl").write_text(source.replace("    *total_at = ", "    total_at[1] = "))
            words = ["--seed", 1, "--runs", 100, "--jobs", 1, "--failures", 1]
            done = self.run_soak(*words, CLSCAN_KERNEL_DIR=str(kernels))
            self.assertEqual(done.returncode, 1, done.stdout)
            repeat = re.search(r"^repeat: scripts/soak (.*--plan \d+)$", done.stdout, re.MULTILINE).group(1)
            again = self.run_soak(*repeat.replace("'", "").split(), CLSCAN_KERNEL_DIR=str(kernels))
            self.assertEqual(again.returncode, 1, again.stdout)
            self.assertEqual(self.run_soak(*repeat.split(), "--runs", 1).returncode, 0)

    def disturbed(self, number):
        """What is said where every worker gets a signal as soon as it is there."""
        words = ["--seed", 3, "--seconds", 60, "--jobs", 1, "--failures", 1, "--patience", 2]
        with subprocess.Popen([SOAK, *map(str, words)], text=True, stdout=subprocess.PIPE) as process:
            children = pathlib.Path("/proc/%d/task/%d/children" % (process.pid, process.pid))
            met = set()
            while process.poll() is None:
                for child in set(map(int, children.read_text().split())) - met:
                    os.kill(child, number)
                    met.add(child)
                time.sleep(0.02)
            said = process.stdout.read()
            self.assertEqual(process.returncode, 1, said)
        return said

    def test_worker_dies(self):
        self.assertIn("ended by signal %d" % signal.SIGKILL, self.disturbed(signal.SIGKILL))

    def test_worker_hangs(self):
        self.assertIn("hangs", self.disturbed(signal.SIGSTOP))


if __name__ == "__main__":
    unittest.main()
