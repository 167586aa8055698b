"""`clscan verify` from the outside: what it goes through, and kernels that are wrong."""

import pathlib
import shutil
import unittest

from command_rig import KERNELS, CommandTest, takes

FIXTURES = KERNELS.parent / "tests/fixtures"


class Verify(CommandTest):
    def test_quick(self):
        """And operations on rows, segments and selections: those of int32, or of the types that are asked for."""
        adds = ["short rows", "long rows", "few long rows", "rows, reduced", "count on the device",
                "rows, count on the device", "segments by flags", "segments by bits", "segments by offsets",
                "segments by keys", "keys, count on the device"]
        selects = ["selection by flags", "selection by bits", "flags, count on the device", "columns by flags",
                   "columns by expression", "partition by flags", "partition apart", "partition in three",
                   "long runs by flags", "runs, encoded"]
        names = [("add", each) for each in adds] + [("select", each) for each in selects] + [
            ("repeat", "runs, decoded")]
        for kind in takes(("int32", "uint8")):
            text = self.succeed("verify", "--quick", "--type", kind)
            self.assertRegex(text, rf"(?m)^ok +{kind} +max ")
            self.assertRegex(text, r"(?m)^\d+ variants, \d+ cases: all right$")
            self.assertNotIn("FAILED", text)
            for line, (word, name) in zip(text.splitlines()[-len(names) - 1:-1], names):
                self.assertRegex(line, rf"^ok +{kind} +{word} .*, {name}, 3 cases$")

    def fails(self, *changes):
        """Verify kernels of which files say `wrong` in the place of `right`: what failed, and what it says."""
        kernels = self.path("cl")
        shutil.copytree(KERNELS, kernels)
        for file, right, wrong in changes:
            at = pathlib.Path(kernels, file)
            self.assertIn(right, at.read_text())
            at.write_text(at.read_text().replace(right, wrong))
        result = self.run_command("verify", "--quick", "--type", "int32", env={"CLSCAN_KERNEL_DIR": kernels})
        self.assertEqual(result.returncode, 1)
        failed = [each for each in result.stdout.decode().splitlines() if each.startswith("FAILED")]
        return failed, result.stderr.decode()

    def test_wrong_rows_are_found(self):
        """And nothing else is, of kernels that leave out the totals of short rows."""
        failed, says = self.fails(("rows/strips.cl", "clscan_store_row_total(flags, totals, ",
                                   "clscan_store_row_total(0, totals, "))  # fmt: skip
        self.assertTrue(failed and all("rows" in each for each in failed), failed)
        self.assertIn("short rows of int32", says)

    def test_wrong_selections_are_found(self):
        """Each by what only its own kernels do, and nothing else."""
        if "cached_rows" not in self.succeed("explain", "--type", "int32", "--operation", "select"):
            self.skipTest("the default device has other kernels")
        failed, says = self.fails(
            ("selection/lengths.cl", "[place] - lengths[place]", "[place] - lengths[place] + 1"),
            ("selection/lengths.cl", "= next - own;", "= next - own + 1;"),
            ("selection/rest.cl", "start + kept : 0);", "start + kept + 1 : 0);"),
            ("selection/rest.cl", "numbers[1] = CLSCAN_FIRST_NUMBER(kept);", "numbers[1] = numbers[0];"),
            ("repetition/expand.cl", "at = next;", "at = next + 1;"),
        )
        for name, what in (("partition by flags", "output"), ("partition in three", "output"),
                           ("long runs by flags", "length"), ("runs, encoded", "length"), ("runs, decoded", "output")):
            self.assertRegex(says, rf"(?m){name} of int32, 1 x \d+, 0 between: {what} \d+ is wrong$")
            self.assertTrue(any(f", {name}, " in each for each in failed), name)
        self.assertEqual(len(failed), 5, failed)

    def test_wrong_counts_and_bits_are_found(self):
        """Kernels that scan all that the host takes for the most, and look at every second bit; nothing else fails."""
        if "cached_rows" not in self.succeed("explain", "--type", "int32", "--operation", "select"):
            self.skipTest("the default device has other kernels")
        failed, says = self.fails(
            ("carries/count.cl", "return count <= most ? count : 0;", "return count <= most ? most : 0;"),
            ("elements/cursors.cl", "[(index) >> 3] >> ((index) & 7) & 1)", "[(index) >> 3] >> ((index) & 6) & 1)"),
        )
        names = {each.split(", ", 1)[1].rsplit(", ", 1)[0] for each in failed}
        self.assertEqual(names, {"count on the device", "rows, count on the device", "keys, count on the device",
                                 "flags, count on the device", "selection by bits"})
        self.assertRegex(says, r"(?m)^clscan: flags, count on the device of int32, 1 x \d+, \d+ between: ")

    def test_reproducible_plans(self):
        """Integers have none, floats have them beside the others, and --reproducible leaves out the others."""
        all_lines = self.succeed("verify", "--quick").splitlines()
        only = self.succeed("verify", "--quick", "--reproducible").splitlines()
        self.assertEqual([line for line in all_lines if ", reproducible, " in line], only[1:-1])
        self.assertEqual({tuple(line.split()[:3]) for line in only[1:-1]},
                         {("ok", "float", "add"), ("ok", "float", "custom")})
        self.assertIn(("ok", "float", "max"), {tuple(line.split()[:3]) for line in all_lines})
        self.assertRegex(only[-1], r"^\d+ variants, \d+ cases: all right$")
        self.assertFalse([line for line in only if "rows, 3" in line])

    def test_maps(self):
        """Operators whose results depend on no order; reductions have the map on load."""
        for kind, words, operators in takes((
            ("int32", ("--load", "element * element + index", "--store", "2 * sum - previous + element"),
             {"add", "max", "custom"}),
            ("half", ("--load", "element * 0.37f", "--store", "sqrt(sum) / (index + 1)"), {"max", "custom"}),
            ("int8", ("--output-type", "half"), {"max", "custom"}),
            ("int8", ("--output-type", "int64"), {"add", "max", "custom"}),
        )):
            with self.subTest(type=kind, words=words):
                lines = self.succeed("verify", "--quick", "--type", kind, *words).splitlines()
                self.assertEqual({tuple(line.split()[:3]) for line in lines[1:-1]},
                                 {("ok", kind, operator) for operator in operators})
                self.assertEqual(any(" reduced," in line for line in lines), True)
                self.assertEqual(any(" in place," in line for line in lines), kind != "int8")
        self.refuse("verify", "--output-type", "int32", code=2,
                    says=["--output-type: int64 becomes no int32, which is narrower, without --load", "--type"])
        self.refuse("verify", "--type", "half", "--output-type", "int32", code=2,
                    says="--output-type: half becomes no int32 without --load")
        self.refuse("verify", "--load", "element", "--reproducible", code=2, says="--reproducible")
        self.refuse("verify", "--load", "element *\nfoo", says="--load:2:")

    def test_structs(self):
        """Ready-made ones, vectors and those of files; operands in the wrong order are seen by who tells them apart."""
        drift = str(FIXTURES / "elements/drift.json")
        for name, operator in (("affine_float", "custom"), ("int4", "add"), (drift, "custom")):
            with self.subTest(name=name):
                lines = self.succeed("verify", "--quick", "--struct", name).splitlines()
                shown = pathlib.Path(name).stem
                self.assertEqual({tuple(line.split()[:3]) for line in lines[1:-1]}, {("ok", shown, operator)})
                self.assertRegex(lines[-1], r"^\d+ variants, \d+ cases: all right$")
        self.assertIn(("ok", "affine_float", "custom"),
                      {tuple(line.split()[:3]) for line in self.succeed("verify", "--quick").splitlines()})
        self.refuse("verify", "--struct", "int4", "--type", "int8", code=2, says="--type")
        self.refuse("verify", "--struct", "int4", "--load", "element", code=2, says="--load")
        self.refuse("verify", "--struct", "nothing", says="'nothing'")
        joins = "prefix.value = prefix.present ? clscan_join(prefix.value, total) : total;"
        identity = "#define CLSCAN_IDENTITY_VALUE (CLSCAN_IDENTITY)"
        for file, right, wrong, codes in (
            ("elements/sums.cl", joins, joins.replace("(prefix.value, total)", "(total, prefix.value)"),
             {drift: 1, "affine_float": 1, "int4": 0}),
            ("elements/operators.cl", identity, "#define CLSCAN_IDENTITY_VALUE ((CLSCAN_A){2, 2})",
             {"affine_float": 1}),
        ):
            kernels = self.path("cl")
            shutil.rmtree(kernels, ignore_errors=True)
            shutil.copytree(KERNELS, kernels)
            at = pathlib.Path(kernels, file)
            self.assertIn(right, at.read_text())
            at.write_text(at.read_text().replace(right, wrong))
            for name, code in codes.items():
                with self.subTest(wrong=file, name=name):
                    result = self.run_command("verify", "--quick", "--struct", name,
                                              env={"CLSCAN_KERNEL_DIR": kernels})
                    self.assertEqual(result.returncode, code, result.stderr.decode())
                    self.assertEqual("is not what a serial scan gives" in result.stderr.decode(), code == 1)

    def test_a_map_that_gets_another_sum_is_wrong(self):
        """And one that does not look at it is right. Reductions have no map on store alone."""
        kernels = self.path("cl")
        shutil.copytree(KERNELS, kernels)
        at = pathlib.Path(kernels, "elements/sums.cl")
        line = "    item.previous = previous;\n"
        self.assertIn(line, at.read_text())
        at.write_text(at.read_text().replace(line, "    item.previous = clscan_lift(item);\n"))
        for store, code in (("sum - previous", 1), ("sum + 1", 0)):
            result = self.run_command("verify", "--quick", "--type", "int32", "--store", store,
                                      env={"CLSCAN_KERNEL_DIR": kernels})
            self.assertEqual(result.returncode, code, result.stderr.decode())
            self.assertNotIn("reduced", result.stdout.decode())

    def test_a_regrouped_sum_is_wrong(self):
        """A kernel that scans the runs of a row one after the other: right in every other respect."""
        if "cached_rows" not in self.succeed("explain", "--type", "float", "--reproducible"):
            self.skipTest("the default device has another kernel")
        kernels = self.path("cl")
        shutil.copytree(KERNELS, kernels)
        at = pathlib.Path(kernels, "reproducible/cached_rows.cl")
        head = "void clscan_row_scan(clscan_sum *sums, uint runs)\n{\n"
        self.assertIn(head, at.read_text())
        at.write_text(at.read_text().replace(
            head, head + "for (uint l = 1; l < runs; ++l) sums[l] = clscan_join(sums[l - 1], sums[l]);\nreturn;\n"))
        result = self.run_command("verify", "--quick", "--reproducible", env={"CLSCAN_KERNEL_DIR": kernels})
        self.assertEqual(result.returncode, 1, result.stderr.decode())
        verdicts = {tuple(line.split()[:3]) for line in result.stdout.decode().splitlines()[1:-1]}
        self.assertEqual(verdicts, {("FAILED", "float", "add"), ("ok", "float", "custom")})
        self.assertIn("reproducible", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
