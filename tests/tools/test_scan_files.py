"""clscan scan on files that are larger than a chunk, of several dimensions, or no files at all.

Results are compared with NumPy's where some Python on this machine has it, else with the scan of command_rig.py. All
runs but those that say otherwise use the same few kernels, since compiling them takes most of the time.
"""

import itertools
import json
import math
import os
import pty
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import threading
import time
import unittest

from command_rig import (COMMAND, CommandTest, expected_scan, npy, npy_of, pack, python_with_numpy, sample, takes,
                         unpack)

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fixtures")

# Where kernels for CPUs call maps, vectors and items of a tile's end: file, call up to its index, what the call maps.
LOADED = ("bodies/cached_sums.cl", "clscan_map_load(CLSCAN_LOADED_ELEMENT(elements, c), first + c",
          "CLSCAN_LOADED_ELEMENT(elements, c)")
LOADED_ITEM = ("elements/cursors.cl", "clscan_map_load(element, CLSCAN_BEFORE_ARGUMENT CLSCAN_MAP_HEADS index",
               "element")
STORED = ("bodies/cached_sums.cl", "clscan_map_store(CLSCAN_COMPONENT(CLSCAN_LANE, ordered, c), first + c",
          "CLSCAN_COMPONENT(CLSCAN_LANE, ordered, c)")
STORED_ITEM = ("elements/cursors.cl", "clscan_map_store(clscan_lift(item), CLSCAN_MAP_HEADS index", "clscan_lift(item)")


def further(call, more):
    """The change of kernels by which a map sees indices that are larger."""
    file, text, _ = call
    return file, text + ",", "%s + %s," % (text, more)


# Makes the arrays of cases, or compares the outputs. A case has: name, array (a Python expression), out (None: the
# case's .npy output), axis (None: all elements are one row), order (of the array), op, exclusive, reverse, initial.
NUMPY_PROGRAM = """
import json, sys
import numpy

def scanned(case, x):
    function = {"add": numpy.add, "mul": numpy.multiply, "min": numpy.minimum, "max": numpy.maximum,
                "xor": numpy.bitwise_xor}[case["op"]]
    wide = numpy.dtype("float64") if x.dtype.kind == "f" else x.dtype
    y = x.astype(wide)
    if case["axis"] is None or y.ndim == 0:
        y = y.reshape(-1)
    axis = -1 if case["axis"] is None else case["axis"]
    y = numpy.moveaxis(y, axis, -1) if axis != -1 else y
    if case["reverse"]:
        y = y[..., ::-1]
    initial = case["initial"]
    if case["exclusive"]:
        first = numpy.full(y.shape[:-1] + (1,), 0 if initial is None else initial, wide)
        y = numpy.concatenate([first, y[..., :-1]], axis=-1) if y.shape[-1] > 0 else y
        initial = None
    y = function.accumulate(y, axis=-1, dtype=wide)
    if initial is not None:
        y = function(numpy.array(initial, wide), y)
    if case["reverse"]:
        y = y[..., ::-1]
    y = numpy.moveaxis(y, -1, axis) if axis != -1 else y
    return y.astype(x.dtype)

cases = json.load(open("cases.json"))
for case in cases:
    if sys.argv[1] == "make":
        numpy.save(case["name"] + ".npy", numpy.asarray(eval(case["array"]), order=case["order"]))
    else:
        x = numpy.load(case["name"] + ".npy")
        y = numpy.load(case["name"] + ".out.npy")
        wanted = scanned(case, x)
        assert y.dtype == x.dtype and y.shape == wanted.shape, (case, y.dtype, y.shape, wanted.shape)
        assert (y == wanted).all(), (case, y, wanted)
        assert y.flags.f_contiguous or case["order"] == "C", case
"""


def options(case):
    words = ["--op", case["op"]]
    words += ["--flatten"] if case["axis"] is None else []
    words += ["--axis=%d" % case["axis"]] if case["axis"] not in (None, -1) else []
    words += ["--check"] if case["axis"] in (None, -1 if case["order"] == "C" else 0) else []
    words += ["--exclusive"] if case["exclusive"] else []
    words += ["--reverse"] if case["reverse"] else []
    words += ["--init=%s" % case["initial"]] if case["initial"] is not None else []
    words += ["--chunk-bytes", str(case["chunk"])] if case["chunk"] is not None else []
    return words


@unittest.skipUnless(python_with_numpy(), "no Python with NumPy")
class WithNumPy(CommandTest):
    def case(self, array, chunk=None, op="add", axis=-1, exclusive=False, reverse=False, initial=None,
             order="C"):
        return {"array": array, "chunk": chunk, "op": op, "axis": axis, "exclusive": exclusive, "reverse": reverse,
                "initial": initial, "order": order}

    def numpy(self, what):
        result = subprocess.run([python_with_numpy(), "-c", NUMPY_PROGRAM, what], cwd=self.folder,
                                stderr=subprocess.PIPE, check=False)
        self.assertEqual(result.returncode, 0, result.stderr.decode())

    def check(self, cases):
        for number, case in enumerate(cases):
            case["name"] = str(number)
        with open(self.path("cases.json"), "w", encoding="utf-8") as file:
            json.dump(cases, file)
        self.numpy("make")
        for case in cases:
            with self.subTest(case=case):
                self.succeed("scan", self.path(case["name"] + ".npy"), self.path(case["name"] + ".out.npy"),
                             *options(case))
        self.numpy("compare")

    def test_forms_and_chunks(self):
        """Chunks of one element, of some that do not divide the count, of more than the file."""
        self.check([self.case("numpy.arange(101, dtype='i4') * 7 % 23 - 9", chunk, "add", -1, exclusive, reverse,
                              initial)
                    for chunk, exclusive, reverse, initial in itertools.product(
                        (4, 28, 4000), (False, True), (False, True), (None, -100))])

    def test_many_tiles_in_a_chunk(self):
        self.check([self.case("numpy.arange(300001, dtype='i4') * 7 % 23 - 9", 1 << 19, reverse=reverse)
                    for reverse in (False, True)])

    def test_types(self):
        self.check([self.case("(numpy.arange(1001) %% 5).astype('%s')" % name, "100")
                    for name in ("i1", "u1", "i2", "u2", "u4", "i8", "u8", "f2", "f4", "f8")])

    def test_operators(self):
        self.check([self.case("numpy.arange(1001, dtype='i4') * 7919 % 1009 + 1", "100", op)
                    for op in ("mul", "min", "max", "xor")])

    def test_carry_of_half_is_a_float(self):
        """Sums of half in half would stop at 2048."""
        self.check([self.case("numpy.ones(5000, 'f2')", "200", reverse=reverse) for reverse in (False, True)])

    def test_dimensions(self):
        shapes = ("(3, 5, 7)", "(10, 3)", "(1, 1)", "(4, 0)", "(0, 4)", "(2, 3, 0)", "(1, 100)", "()", "(0,)")
        self.check([self.case("numpy.arange(numpy.prod(%s), dtype='i4').reshape(%s) * 7 %% 23 - 9" % (shape, shape),
                              chunk, axis=axis)
                    for shape in shapes for chunk in (None, 44) for axis in (-1, None)])

    def test_forms_of_rows(self):
        """The initial value is every row's; rows and chunks end anywhere."""
        self.check([self.case("numpy.arange(105, dtype='i4').reshape(3, 5, 7) % 11 - 4", chunk, "add", axis, exclusive,
                              reverse, 50)
                    for chunk, axis, exclusive, reverse in itertools.product(
                        (4, 44, None), (-1, None), (False, True), (False, True))])

    def test_axes(self):
        axes = {"(3, 5, 7)": (0, 1, -2), "(300, 70)": (0,), "(2, 1, 6, 3, 4)": (2, -5), "(4, 0, 3)": (0, 1),
                "(9,)": (0,)}  # fmt: skip
        self.check([self.case("numpy.arange(numpy.prod(%s), dtype='i4').reshape(%s) * 7 %% 23 - 9" % (shape, shape),
                              axis=axis, exclusive=reverse, reverse=reverse, initial=4)
                    for reverse, shape in ((False, "(3, 5, 7)"), *((True, shape) for shape in axes))
                    for axis in axes[shape]])
        self.check([self.case("numpy.arange(30000, dtype='f4').reshape(50, 20, 30) % 11", 7200, axis=1)])

    def test_fortran_order(self):
        """Along any axis; the output is in Fortran order, too. Rows along the first axis pass in chunks."""
        shapes = {"(3, 5, 7)": (0, 1, 2, -1, -3), "(70, 300)": (-1, 0), "(2, 1, 6, 3, 4)": (2, -5), "(4, 0, 3)": (1,),
                  "(9,)": (0,)}  # fmt: skip
        self.check([self.case("numpy.arange(numpy.prod(%s), dtype='i4').reshape(%s) * 7 %% 23 - 9" % (shape, shape),
                              axis=axis, exclusive=reverse, reverse=reverse, initial=4, order="F")
                    for reverse, shape in ((False, "(3, 5, 7)"), *((True, shape) for shape in shapes))
                    for axis in shapes[shape]])
        self.check([self.case("numpy.arange(105, dtype='i4').reshape(3, 5, 7) % 11 - 4", chunk, "add", 0, reverse,
                              reverse, 50, "F")
                    for chunk, reverse in itertools.product((4, 44), (False, True))])
        self.refuse("scan", self.path("0.npy"), self.path("out.npy"), "--check", code=2, says=["--axis", "Fortran"])

    def test_orders_that_are_the_same(self):
        """Where one dimension is longer than 1, files say C order, as NumPy's do, whatever IN is in."""
        elements = [10 * row + column for column in range(4) for row in range(3)]
        self.write("in.npy", npy("{'descr': '<i4', 'fortran_order': True, 'shape': (3, 4, 1), }",
                                 pack("int32", elements)))
        self.write("initials.npy", npy("{'descr': '<i4', 'fortran_order': False, 'shape': (3, 1), }",
                                       pack("int32", [100, 200, 300])))
        self.succeed("scan", self.path("in.npy"), self.path("out.npy"), "--axis", "1", "--initials",
                     self.path("initials.npy"), "--sums", self.path("sums.npy"))
        sums = [100 * (row + 1) + sum(10 * row + column for column in range(4)) for row in range(3)]
        self.assertEqual(self.read("sums.npy")[-12:], pack("int32", sums))
        self.assertIn(b"'fortran_order': False, 'shape': (3, 1), }", self.read("sums.npy"))
        self.assertIn(b"'fortran_order': True, 'shape': (3, 4, 1), }", self.read("out.npy"))
        self.assertEqual(self.read("out.npy")[-12:], pack("int32", sums))
        self.succeed("select", self.path("sums.npy"), self.path("kept.npy"))
        for words in (["--devices", "0,0"], ["--segment-flags", self.path("initials.npy")], ["--flatten"]):
            self.refuse("scan", self.path("in.npy"), self.path("out.npy"), *words,
                        says=["in.npy", "Fortran order", "ascontiguousarray"])

    def test_axes_that_are_none(self):
        self.check([self.case("numpy.zeros((3, 5, 7))")])
        for words, code, expected in ((["--axis=3"], 2, "no axis 3"), (["--axis=-4"], 2, "no axis -4"),
                                      (["--axis=x"], 2, "'x'"), (["--axis=0", "--flatten"], 2, "--flatten"),
                                      (["--axis=0", "--check"], 2, "--check"),
                                      (["--axis=0", "--chunk-bytes=100"], 1, "--chunk-bytes")):  # fmt: skip
            with self.subTest(words=words):
                self.refuse("scan", self.path("0.npy"), self.path("out.npy"), *words, code=code, says=[expected])

    def test_many_short_rows(self):
        self.check([self.case("numpy.arange(40000, dtype='i4').reshape(5000, 8) % 11", chunk)
                    for chunk in (None, 5000)])


    def test_long_rows(self):
        """Rows that are a run each: several in a chunk, and several chunks in a row."""
        self.check([self.case("numpy.arange(15000, dtype='i4').reshape(3, 5000) % 11", chunk, reverse=reverse,
                              initial=3)
                    for chunk in (None, 44000, 12000) for reverse in (False, True)])


class Structs(CommandTest):
    """Elements of two floats, x -> a x + b, of whole numbers; without NumPy."""

    FIELDS = "[('a', '<f4'), ('b', '<f4')]"

    def setUp(self):
        super().setUp()
        self.elements = [(-1.0 if i % 5 == 0 else 1.0, float(i % 7)) for i in range(5000)]
        self.write("in.npy", self.npy_of(self.elements))

    def npy_of(self, elements, fields=FIELDS):
        return npy("{'descr': %s, 'fortran_order': False, 'shape': (%d,), }" % (fields, len(elements)),
                   b"".join(struct.pack("<2f", *element) for element in elements))

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def expected(self, elements, initial=(1.0, 0.0)):
        a, b = initial
        for element in elements:
            a, b = element[0] * a, element[0] * b + element[1]
            yield a, b

    def test_npy(self):
        self.succeed("scan", self.path("in.npy"), self.path("out.npy"), "--struct=affine_float", "--init=2,-3",
                     "--chunk-bytes=8192")
        out = self.read("out.npy")
        header_bytes = 10 + int.from_bytes(out[8:10], "little")
        self.assertIn(self.FIELDS.encode(), out[:header_bytes])
        self.assertEqual(list(struct.iter_unpack("<2f", out[header_bytes:])),
                         list(self.expected(self.elements, (2.0, -3.0))))

    def test_raw(self):
        self.write("in.raw", b"".join(struct.pack("<2f", *element) for element in self.elements))
        self.succeed("scan", self.path("in.raw"), self.path("out.raw"), "--struct=affine_float")
        self.assertEqual(list(struct.iter_unpack("<2f", self.read("out.raw"))), list(self.expected(self.elements)))

    def test_rows(self):
        rows = npy("{'descr': %s, 'fortran_order': False, 'shape': (100, 50), }" % self.FIELDS,
                   self.npy_of(self.elements)[-8 * 5000:])
        self.write("rows.npy", rows)
        self.succeed("scan", self.path("rows.npy"), self.path("out.raw"), "--struct=affine_float")
        expected = [pair for row in range(100) for pair in self.expected(self.elements[50 * row:50 * row + 50])]
        self.assertEqual(list(struct.iter_unpack("<2f", self.read("out.raw"))), expected)

    def test_refused(self):
        whole = self.npy_of(self.elements)
        for fields, words in (("[('a', '<f4'), ('b', '<i4')]", "affine_float has"), ("'<f8'", "affine_float has"),
                              ("[('a', '<f4', (1,)), ('b', '<f4')]", "is an array"), ("[]", "no fields"),
                              ("[('a', '>f4'), ('b', '>f4')]", "big-endian"), ("[('a', '<f4') 3]", "not closed")):
            with self.subTest(fields=fields):
                self.write("bad.npy", npy("{'descr': %s, 'fortran_order': False, 'shape': (5000,), }" % fields,
                                          whole[-8 * 5000:]))
                self.refuse("scan", self.path("bad.npy"), self.path("out.npy"), "--struct=affine_float", says=words)
        for options_given, words in ((["--struct=affine"], "affine_float"), (["--op=add"], "--op"),
                                     (["--type=float"], ".npy"), (["--init=1"], "2 numbers"),
                                     (["--reproducible"], "reproducible")):
            with self.subTest(options=options_given):
                self.refuse("scan", self.path("in.npy"), self.path("out.npy"),
                            *(["--struct=affine_float"] if options_given[0][:8] != "--struct" else []),
                            *options_given, code=2, says=words)


class Vectors(CommandTest):
    """Combined lane by lane, by an operator of the library's own."""

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)

    def scanned(self, columns, combine, first, exclusive):
        for column in columns:
            sums = list(itertools.accumulate(column, combine))
            yield [first, *sums[:-1]] if exclusive else sums

    def test_raw(self):
        for turn, (name, code, op, combine, first) in enumerate((
                ("int4", "i", "add", lambda l, r: l + r, 0), ("short2", "h", "min", min, 2**15 - 1),
                ("uchar16", "B", "xor", lambda l, r: l ^ r, 0), ("long8", "q", "max", max, -2**63),
                ("float2", "f", "max", max, -math.inf))):
            lanes = int(name.lstrip("abcdefghijklmnopqrstuvwxyz"))
            columns = [[(i * 7 + 3 * lane) % 101 for i in range(3000)] for lane in range(lanes)]
            self.write("in.raw", b"".join(struct.pack("<%d%s" % (lanes, code), *row) for row in zip(*columns)))
            for exclusive in takes((False, True), turn % 2):
                with self.subTest(name=name, op=op, exclusive=exclusive):
                    said = self.succeed("scan", self.path("in.raw"), self.path("out.raw"), "--struct", name, "--op", op,
                                        "--check", "--chunk-bytes=8192", *(["--exclusive"] if exclusive else []))
                    self.assertIn("3000 of 3000 elements compared", said)
                    with open(self.path("out.raw"), "rb") as file:
                        found = list(struct.iter_unpack("<%d%s" % (lanes, code), file.read()))
                    self.assertEqual(found, list(zip(*self.scanned(columns, combine, first, exclusive))))

    def test_npy(self):
        fields = "[('x', '<i4'), ('y', '<i4')]"
        self.write("in.npy", npy("{'descr': %s, 'fortran_order': False, 'shape': (3,), }" % fields,
                                 struct.pack("<6i", 1, 2, 3, 4, 5, 6)))
        said = self.succeed("scan", self.path("in.npy"), self.path("out.npy"), "--struct=int2", "--init=10,20",
                            "--stats")
        self.assertIn("int2 add", said)
        with open(self.path("out.npy"), "rb") as file:
            out = file.read()
        self.assertIn(fields.encode(), out)
        self.assertEqual(struct.unpack("<6i", out[-24:]), (11, 22, 14, 26, 19, 32))
        self.refuse("scan", self.path("in.npy"), self.path("out.npy"), "--struct=int4", says="int4 has")

    def test_refused(self):
        self.write("in.raw", bytes(64))
        for words, says in ((["--struct=half2"], "half2"), (["--struct=int3"], "int3"),
                            (["--struct=double16"], "double16"), (["--struct=float2", "--op=xor"], "integers"),
                            (["--struct=int2", "--op=custom"], "custom"),
                            (["--struct=int2", "--init=1"], "2 numbers")):
            with self.subTest(words=words):
                self.refuse("scan", self.path("in.raw"), self.path("out.raw"), *words, code=2, says=says)


class DescribedStructs(CommandTest):
    """Elements of a file: 12 bytes, of which no two can change places, and 24 with padding."""

    DRIFT = os.path.join(FIXTURES, "elements", "drift.json")
    PEAK = os.path.join(FIXTURES, "elements", "peak.json")
    FIELDS = "[('factor', '<u4'), ('step', '<u4'), ('last', '<i4')]"
    COUNT = 7001

    def setUp(self):
        super().setUp()
        self.elements = [(1 + i * 7 % 5, i * 3 % 10, (i * i % 7 - 3) if i % 3 == 0 else 0) for i in range(self.COUNT)]
        self.write("in.npy", self.npy_of(self.elements))

    def npy_of(self, elements, fields=FIELDS, shape=None):
        return npy("{'descr': %s, 'fortran_order': False, 'shape': %s, }" % (fields, shape or "(%d,)" % len(elements)),
                   b"".join(struct.pack("<IIi", *element) for element in elements))

    def elements_of(self, name):
        data = self.read(name)
        if name.endswith(".npy"):
            header_bytes = 10 + int.from_bytes(data[8:10], "little")
            self.assertIn(self.FIELDS.encode(), data[:header_bytes])
            data = data[header_bytes:]
        return list(struct.iter_unpack("<IIi", data))

    def join(self, left, right):
        return (left[0] * right[0] % 2**32, (right[0] * left[1] + right[1]) % 2**32, right[2] or left[2])

    def expected(self, elements, exclusive=False, reverse=False, initial=None):
        scanned = []
        before = initial
        for element in reversed(elements) if reverse else elements:
            joined = (element if before is None else self.join(element, before) if reverse else
                      self.join(before, element))
            scanned.append(joined if not exclusive else (1, 0, 0) if before is None else before)
            before = joined
        return scanned[::-1] if reverse else scanned

    def test_forms(self):
        for words, keywords in (([], {}), (["--exclusive"], {"exclusive": True}),
                                (["--reverse", "--init=3,4,-5"], {"reverse": True, "initial": (3, 4, -5)}),
                                (["--reverse", "--exclusive"], {"reverse": True, "exclusive": True}),
                                (["--chunk-bytes=12000", "--init=1,2,9"], {"initial": (1, 2, 9)})):
            with self.subTest(words=words):
                said = self.succeed("scan", self.path("in.npy"), self.path("out.npy"), "--struct", self.DRIFT,
                                    "--check", *words)
                self.assertIn("%d of %d elements compared with a serial scan" % (self.COUNT, self.COUNT), said)
                self.assertEqual(self.elements_of("out.npy"), self.expected(self.elements, **keywords))

    def test_expressions(self):
        """Of structs, which give structs; chunks, segments and rows count as those of numbers do."""
        load = "(element.step += index, element)"
        loaded = [(a, (b + i) % 2**32, c) for i, (a, b, c) in enumerate(self.elements)]
        store = "((drift){sum.step, previous.step + index, element.last})"

        def stored(begin, elements, scanned):
            before = [(1, 0, 0), *scanned]
            return [(scanned[i][1], (before[i][1] + begin + i) % 2**32, elements[i][2]) for i in range(len(elements))]

        for words in ([], ["--chunk-bytes=12000"], ["--in-place"]):
            with self.subTest(words=words):
                self.succeed("scan", self.path("in.npy"), self.path("out.npy"), "--struct", self.DRIFT, "--load", load,
                             "--store", store, *words)
                self.assertEqual(self.elements_of("out.npy"), stored(0, self.elements, self.expected(loaded)))
        self.write("offsets.npy", npy_of("int32", range(0, 7001, 1000)))
        self.succeed("scan", self.path("in.npy"), self.path("out.npy"), "--struct", self.DRIFT, "--load", load,
                     "--segment-offsets", self.path("offsets.npy"))
        parts = [self.expected(loaded[begin:begin + 1000]) for begin in range(0, 7001, 1000)]
        self.assertEqual(self.elements_of("out.npy"), [each for part in parts for each in part])
        last = self.expected(loaded)[-1]
        for words in ([], ["--chunk-bytes=12000"]):
            found = self.succeed("reduce", self.path("in.npy"), "--struct", self.DRIFT, "--load", load,
                                 "--store=((drift){sum.step, index, sum.last})", *words)
            self.assertEqual(found, "%d,%d,%d\n" % (last[1], self.COUNT - 1, last[2]))
        self.refuse("scan", self.path("in.npy"), self.path("out.npy"), "--struct", self.DRIFT, "--load=element.none",
                    says=["--load:1:", "none"])
        self.refuse("reduce", self.path("in.npy"), "--struct", self.DRIFT, "--output-type=int32", code=2,
                    says="--output-type")

    def test_expressions_of_ready_made_structs_and_vectors(self):
        """A ready-made struct has the name by which it is asked for."""
        self.write("in.raw", b"".join(struct.pack("<2f", i % 2, i) for i in range(5000)))
        self.succeed("scan", self.path("in.raw"), self.path("out.raw"), "--struct=affine_float",
                     "--load=(affine_float){1, element.b}", "--store=(affine_float){index, sum.b - 0 * sum.a}",
                     "--chunk-bytes=8192")
        self.assertEqual(list(struct.iter_unpack("<2f", self.read("out.raw"))),
                         [(i, i * (i + 1) / 2) for i in range(5000)])
        self.write("in.raw", struct.pack("<8i", 3, -4, 1, 2, 5, 6, -7, 0))
        found = self.succeed("reduce", self.path("in.raw"), "--struct=int2", "--op=max", "--load=element * -2",
                             "--store=sum + 1", "--init=0,1")  # fmt: skip
        self.assertEqual(found, "15,9\n")

    def test_rows_and_raw_elements(self):
        self.write("rows.npy", self.npy_of(self.elements[:6000], shape="(60, 100)"))
        self.write("in.raw", b"".join(struct.pack("<IIi", *element) for element in self.elements))
        self.succeed("scan", self.path("rows.npy"), self.path("out.raw"), "--struct", self.DRIFT, "--check")
        rows = [self.elements[begin:begin + 100] for begin in range(0, 6000, 100)]
        self.assertEqual(self.elements_of("out.raw"), [each for row in rows for each in self.expected(row)])
        self.succeed("scan", self.path("in.raw"), self.path("out.raw"), "--struct", self.DRIFT, "--check")
        self.assertEqual(self.elements_of("out.raw"), self.expected(self.elements))

    def test_ready_made_ones_are_checked_too(self):
        self.write("in.raw", b"".join(struct.pack("<2f", 1 - i % 5 / 7, i / 3) for i in range(5000)))
        for name in ("affine_float", "compensated_float"):
            said = self.succeed("scan", self.path("in.raw"), self.path("out.raw"), "--struct", name, "--check")
            self.assertIn("5000 of 5000 elements compared with a serial scan", said)

    def test_ready_made_scalars_are_checked_too(self):
        self.write("in.raw", bytes([3] * 200))
        name = "saturating_uint8"
        said = self.succeed("scan", self.path("in.raw"), self.path("out.raw"), "--struct", name, "--check")
        self.assertIn("200 of 200 elements compared with a serial scan", said)
        with open(self.path("out.raw"), "rb") as file:
            self.assertEqual(list(file.read()), [min(3 * (i + 1), 255) for i in range(200)])

    def test_a_wrong_scan(self):
        """Operands that change places are found, and no output appears."""
        kernels = self.path("cl")
        shutil.copytree(os.path.join(FIXTURES, "../../cl"), kernels)
        at = os.path.join(kernels, "elements/operators.cl")
        with open(at, encoding="utf-8") as file:
            text = file.read()
        call = "CLSCAN_CUSTOM(left, right)"
        self.assertIn(call, text)
        with open(at, "w", encoding="utf-8") as file:
            file.write(text.replace(call, "CLSCAN_CUSTOM(right, left)"))
        self.refuse("scan", self.path("in.npy"), self.path("out.npy"), "--struct", self.DRIFT, "--check",
                    env={"CLSCAN_KERNEL_DIR": kernels}, says=["the result is wrong: element ", "{factor: ", "last: "])

    def test_refused(self):
        for fields, words in (("[('factor', '<u4'), ('last', '<i4'), ('step', '<u4')]", "('last', '<i4'), ('step'"),
                              ("[('factor', '<u4'), ('step', '<i4'), ('last', '<i4')]", "('step', '<i4')"),
                              ("[('factor', '<u4'), ('step', '<u8')]", "('step', '<u8')"),
                              ("[('f', '<u4'), ('step', '<u4'), ('last', '<i4')]", "'f'"),
                              ("[('factor', '<u4'), ('', '|V4'), ('last', '<i4')]", "|V4")):
            with self.subTest(fields=fields):
                self.write("bad.npy", self.npy_of(self.elements, fields))
                self.refuse("scan", self.path("bad.npy"), self.path("out.npy"), "--struct", self.DRIFT,
                            says=["bad.npy", words, "drift has " + self.FIELDS])
        with open(self.DRIFT, encoding="utf-8") as file:
            drift = json.load(file)
        for change, code, words in (({"size_bytes": 16}, 2, "/size_bytes"), ({"colour": 1}, 2, "/colour"),
                                    ({"combine": ["return nobody;"]}, 1, "nobody"),
                                    ({"identity": {}}, 2, "/identity/factor")):
            with self.subTest(change=change):
                self.write("changed.json", json.dumps({**drift, **change}).encode())
                self.refuse("scan", self.path("in.npy"), self.path("out.npy"), "--struct", self.path("changed.json"),
                            code=code, says=words)
        del drift["identity"]
        self.write("changed.json", json.dumps(drift).encode())
        self.refuse("scan", self.path("in.npy"), self.path("out.npy"), "--struct", self.path("changed.json"),
                    "--exclusive", says="identity")
        for words, says in ((["--struct=./none"], "./none: No such file"), (["--init=1"], "3 numbers"),
                            (["--init=1,-2,3"], "-2"), (["--op=add"], "--op")):
            with self.subTest(words=words):
                self.refuse("scan", self.path("in.npy"), self.path("out.npy"), "--struct", self.DRIFT, *words, code=2,
                            says=says)

    @unittest.skipUnless(python_with_numpy(), "no Python with NumPy")
    def test_numpy(self):
        """Packed and padded arrays of NumPy go in and come out."""
        self.numpy("a = numpy.load('in.npy')\n"
                   "fields = [('most', 'f4'), ('at', 'i8'), ('kind', 'u1')]\n"
                   "b = numpy.zeros(1000, numpy.dtype(fields, align=True))\n"
                   "b['most'] = numpy.arange(1000) * 37 % 101\n"
                   "b['at'] = numpy.arange(1000)\n"
                   "b['kind'] = 7\n"
                   "numpy.save('padded.npy', b)")
        self.succeed("scan", self.path("in.npy"), self.path("out.npy"), "--struct", self.DRIFT)
        self.succeed("scan", self.path("padded.npy"), self.path("peaks.npy"), "--struct", self.PEAK, "--check")
        self.numpy("a, out = numpy.load('in.npy'), numpy.load('out.npy')\n"
                   "assert out.dtype == a.dtype and out.shape == a.shape\n"
                   "assert (out['factor'] == numpy.multiply.accumulate(a['factor'], dtype='u4')).all()\n"
                   "b, peaks = numpy.load('padded.npy'), numpy.load('peaks.npy')\n"
                   "assert peaks.dtype == b.dtype and (peaks['kind'] == 7).all()\n"
                   "assert (peaks['most'] == numpy.maximum.accumulate(b['most'])).all()\n"
                   "assert (b['most'][peaks['at']] == peaks['most']).all()")

    def numpy(self, program):
        subprocess.run([python_with_numpy(), "-c", "import numpy\n" + program], cwd=self.folder, check=True)


class Transforms(CommandTest):
    """Outputs of another type, expressions on the way, and offsets; in one chunk and in several, and checked."""

    COUNT = 3001
    CHUNKS = ((), ("--chunk-bytes=4000",))

    def setUp(self):
        super().setUp()
        self.values = [i % 7 for i in range(self.COUNT)]
        with open(self.path("in.npy"), "wb") as file:
            file.write(npy_of("uint8", self.values))

    def scan(self, name, *arguments):
        """The numbers that come out, of that type."""
        for chunk in self.CHUNKS:
            said = self.succeed("scan", self.path("in.npy"), self.path("out.npy"), "--output-type", name, *arguments,
                                *chunk, "--check")
            self.assertIn("%d of %d elements compared" % (self.COUNT, self.COUNT), said)
            with open(self.path("out.npy"), "rb") as file:
                out = file.read()
            header_bytes = 10 + int.from_bytes(out[8:10], "little")
            self.assertIn(str(len(unpack(name, out[header_bytes:]))).encode(), out[:header_bytes])
            yield unpack(name, out[header_bytes:])

    def test_offsets(self):
        for offsets in self.scan("uint64", "--offsets", "--init=5"):
            self.assertEqual(offsets, list(itertools.accumulate(self.values, initial=5)))

    def test_offsets_of_a_pipe_and_of_nothing(self):
        data = pack("uint8", self.values)
        arguments = ("scan", "-", "-", "--type=uint8", "--out-format=npy", "--offsets", "--output-type=uint32")
        for values in (self.values, []):
            with self.subTest(count=len(values)):
                result = self.run_command(*arguments, "--chunk-bytes=4000", input=data[:len(values)])
                self.assertEqual(result.returncode, 0, result.stderr.decode())
                self.assertIn(b"'shape': (%d,)" % (len(values) + 1), result.stdout[:128])
                self.assertEqual(unpack("uint32", result.stdout[128:]), list(itertools.accumulate(values, initial=0)))

    def test_maps(self):
        """The index counts in the file, wherever a chunk begins."""
        squares = [value * value * i for i, value in enumerate(self.values)]
        for got in self.scan("int64", "--load", "(long)element * element * (long)index"):
            self.assertEqual(got, list(itertools.accumulate(squares)))
        suffixes = list(itertools.accumulate(reversed(squares)))[::-1]
        for got in self.scan("int64", "--load", "(long)element * element * (long)index", "--store",
                             "sum - previous + (long)index + element", "--reverse"):
            self.assertEqual(got, [square + i + value
                                   for i, (square, value) in enumerate(zip(squares, self.values))])
        for got in self.scan("int64", "--load", "index", "--store", "previous", "--reverse"):
            suffixes = list(itertools.accumulate(reversed(range(self.COUNT))))[::-1] + [0]
            self.assertEqual(got, suffixes[1:])

    def test_axes(self):
        """The index counts along the axis."""
        with open(self.path("in.npy"), "wb") as file:
            file.write(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (30, 100), }\n",
                           pack("uint8", self.values[:3000])))
        for axis, count, at in (("1", 100, lambda row, i: 100 * row + i), ("0", 30, lambda row, i: 100 * i + row)):
            with self.subTest(axis=axis):
                self.succeed("scan", self.path("in.npy"), self.path("out.raw"), "--output-type=uint32", "--load",
                             "element + index", "--store", "sum * 2 + index", "--axis", axis,
                             *(["--check"] if axis == "1" else []))
                with open(self.path("out.raw"), "rb") as file:
                    got = unpack("uint32", file.read())
                expected = [0] * 3000
                for row in range(3000 // count):
                    loaded = (self.values[at(row, i)] + i for i in range(count))
                    for i, total in enumerate(itertools.accumulate(loaded)):
                        expected[at(row, i)] = 2 * total + i
                self.assertEqual(got, expected)

    def check(self, *arguments, **keywords):
        """How many elements are compared."""
        said = self.succeed("scan", self.path("real.npy"), self.path("out.npy"), "--check", *arguments, **keywords)
        return int(re.search("([0-9]+) of 3000 elements compared", said)[1])

    def real_numbers(self):
        with open(self.path("real.npy"), "wb") as file:
            file.write(npy_of("float", [(i * 7919 % 1000) / 997 for i in range(3000)]))

    def test_what_is_made_of_rounded_sums_is_checked(self):
        """As far as what rounding does to sums does not decide what is made of them."""
        self.real_numbers()
        for words in takes((("--load=element * element", "--store=sqrt(sum / (index + 1))"), ("--output-type=double",),
                            ("--op=max", "--store=sum * 3 + index"), ("--store=index",),
                            ("--output-type=half", "--store=sum"),
                            ("--exclusive", "--init=5", "--reverse", "--store=previous * 2"))):
            for chunk in self.CHUNKS:
                with self.subTest(words=words, chunk=chunk):
                    self.assertEqual(self.check(*words, *chunk), 3000)
        self.assertTrue(0 < self.check("--store=sin(sum * 1e4f)") < 3000)

    def test_totals_of_rows_in_parts_are_checked(self):
        """A row's total follows its last part."""
        with open(self.path("rows.npy"), "wb") as file:
            file.write(npy("{'descr': '<i4', 'fortran_order': False, 'shape': (30, 100), }\n",
                           pack("int32", range(3000))))
        for chunk in ("100", "1000", "1M"):
            self.succeed("scan", self.path("rows.npy"), self.path("out.npy"), "--offsets", "--check",
                         "--chunk-bytes=" + chunk)

    def test_outputs_that_are_infinite_tell_nothing_of_others(self):
        """One of them does not make sines of large sums comparable."""
        self.real_numbers()
        self.assertLess(self.check("--store=(index == 3 ? INFINITY : 0.0f) + sin(sum * 1e4f)"), 3000)

    def test_wrong_outputs(self):
        """What expressions make of other indices, and sums of what they make of them, are found; no output appears."""
        self.real_numbers()
        with open(self.path("rows.npy"), "wb") as file:
            file.write(npy("{'descr': '<i4', 'fortran_order': False, 'shape': (30, 100), }\n",
                           pack("int32", range(3000))))
        if "cached_rows" not in self.succeed("explain", "--type", "float"):
            self.skipTest("the default device has other kernels")
        for call, more, source, words, says in (
                (STORED, "1", "real.npy", ["--store=sum + 10 * index"], "element 0 should be"),
                (LOADED, "1", "real.npy", ["--load=element + index", "--store=sqrt(sum)"], "element 0 should be"),
                (LOADED, "(first > 500)", "real.npy",
                 ["--load=element + index", "--output-type=double", "--chunk-bytes=8000"], "element 5"),
                (LOADED, "1", "rows.npy", ["--load=index", "--offsets"], "element 1 should be 0")):
            with self.subTest(words=words):
                self.refuse("scan", self.path(source), self.path("out.npy"), "--check", *words,
                            env=self.wrong_kernels(further(call, more)),
                            says=["the result is wrong: ", says])

    def wrong_kernels(self, *changes):
        """An environment in which kernels differ: files of cl/, what is there, and what is there instead."""
        kernels = tempfile.mkdtemp(dir=self.folder)
        shutil.copytree(os.path.join(FIXTURES, "../../cl"), kernels, dirs_exist_ok=True)
        for at, right, wrong in changes:
            with open(os.path.join(kernels, at), encoding="utf-8") as file:
                text = file.read()
            self.assertTrue(right in text, "%s has no '%s'" % (at, right))
            with open(os.path.join(kernels, at), "w", encoding="utf-8") as file:
                file.write(text.replace(right, wrong))
        return {"CLSCAN_KERNEL_DIR": kernels}

    # Rows, elements of a row, and bytes of a chunk: many short rows; rows that end in what is evaluated at once, and
    # rows that end in a chunk, each of them longer than that.
    ROWS = ((30000, 3, "1M"), (30000, 3, "4000"), (2, 100000, "1M"), (5, 1000, "1200"))
    MAPS = (["--load=element + index"], ["--store=sum + 10 * index"],
            ["--load=element + index", "--store=sum + 10 * index"])

    def rows_of(self, name, rows, length):
        """From 1 to 7, and in the last row one 1000."""
        values = [i % 7 + 1 for i in range(rows * length)]
        values[-2] = 1000
        with open(self.path("rows.npy"), "wb") as file:
            file.write(npy("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }\n"
                           % ({"uint32": "<u4", "float": "<f4"}[name], rows, length), pack(name, values)))
        return values

    def test_rows_are_checked(self):
        """Each begins anew, wherever it lies in what is scanned and evaluated at once."""
        for number, ((rows, length, chunk), maps) in enumerate(itertools.product(self.ROWS, self.MAPS)):
            name, reverse = ("float", "uint32")[number % 2], number // 2 % 2 == 1
            with self.subTest(rows=rows, length=length, chunk=chunk, maps=maps, reverse=reverse):
                self.rows_of(name, rows, length)
                said = self.succeed("scan", self.path("rows.npy"), self.path("out.npy"), "--check", *maps,
                                    "--chunk-bytes", chunk, *(["--reverse"] if reverse else []))
                self.assertIn("%d of %d elements compared" % (rows * length, rows * length), said)

    def test_what_one_row_leaves_open_is_checked_in_others(self):
        """Sums that may overflow, and outputs that tell nothing of them, end the comparison of their row."""
        for rows, length, chunk in self.ROWS:
            count = rows * length
            large = (rows - 1) // 2 * length
            values = [2.0 ** -20] * count
            values[large:large + length] = [1e8 * (1 + i % 7) for i in range(length)]
            values[-1] = 3e38
            with open(self.path("rows.npy"), "wb") as file:
                file.write(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }\n" % (rows, length),
                               pack("float", values)))
            with self.subTest(rows=rows, length=length, chunk=chunk):
                said = self.succeed("scan", self.path("rows.npy"), self.path("out.npy"), "--check",
                                    "--store=sum > 3e37f ? sum : sin(sum)", "--chunk-bytes", chunk)
                self.assertIn("%d of %d elements compared" % (count - length - 1, count), said)

    def test_wrong_rows(self):
        """What an expression makes of another index in the last row, and there alone, is found."""
        if "cached_rows" not in self.succeed("explain", "--type", "float"):
            self.skipTest("the default device has other kernels")
        for (rows, length, chunk), maps in itertools.product(self.ROWS, self.MAPS):
            name = "float" if maps == self.MAPS[1] and length <= 1000 else "uint32"  # of more, 10 may be rounding
            values = self.rows_of(name, rows, length)
            total = sum(values[-length:-1])
            calls, argument = (LOADED, LOADED_ITEM), 1000
            if maps == self.MAPS[1]:
                calls, argument = (STORED, STORED_ITEM), total
            changes = [further(call, "(%s == %d)" % (call[2], argument)) for call in calls]
            with self.subTest(rows=rows, length=length, chunk=chunk, maps=maps):
                self.refuse("scan", self.path("rows.npy"), self.path("out.npy"), "--check", *maps, "--chunk-bytes",
                            chunk, env=self.wrong_kernels(*changes),
                            says=["the result is wrong: ", "element %d should be" % (rows * length - 2)])

    def test_narrower_sums_are_refused(self):
        for name, output, says in (("int64", "int32", "int64 becomes no int32, which is narrower, without --load"),
                                   ("double", "half", "double becomes no float, which is narrower, without --load"),
                                   ("float", "int64", "float becomes no int64 without --load")):
            with self.subTest(type=name, output=output):
                source = self.write("wide.npy", npy_of(name, sample(name, 10)))
                self.refuse("scan", source, self.path("out.npy"), "--output-type", output,
                            says="--output-type: " + says)
                self.succeed("scan", source, self.path("out.npy"), "--output-type", output, "--load=element", "--check")

    def test_refused(self):
        for arguments, code, words in (
                (("--offsets", "--reverse"), 2, "--reverse"), (("--offsets", "--store=sum"), 2, "--store"),
                (("--output-type=int32", "--struct=int128"), 2, "--output-type"),
                (("--offsets", "--struct=int128"), 2, "--offsets"),
                (("--load=element", "--struct=int128", "--check"), 2, ["--load", "--check"]),
                (("--offsets", "--output-type=half"), 1, "half"),
                (("--reproducible", "--output-type=float"), 1, "--reproducible: add of float has no reproducible"),
                (("--in-place", "--output-type=int16"), 1, "--in-place"), (("--load=element *\nfoo",), 1, "--load:2:"),
                (("--store=sum + bar",), 1, "bar"), (("--output-type=none",), 2, "none")):
            with self.subTest(arguments=arguments):
                self.refuse("scan", self.path("in.npy"), self.path("out.npy"), *arguments, code=code, says=words)


class Reproducible(CommandTest):
    """Chunks of every size, in both directions and through pipes, give the same bytes."""

    def setUp(self):
        super().setUp()
        # Sums of these round in another way whenever they are grouped in another way.
        values = [(i * 2654435761 % 2**32 - 2**31) * 2.0 ** (i * 40503 % 24 - 43) for i in range(200003)]
        self.source = self.write("in.npy", npy_of("float", values))

    def scanned(self, *words):
        self.succeed("scan", self.source, self.path("out.npy"), "--check", "--reproducible", *words)
        return self.read("out.npy")

    def test_chunks(self):
        for words in ((), ("--reverse", "--exclusive", "--init=3")):
            whole = self.scanned(*words)
            for chunk in ("256K", "300000", "600K"):
                self.assertEqual(self.scanned("--chunk-bytes", chunk, *words), whole, (chunk, words))
            self.assertEqual(self.scanned("--chunk-bytes=256K", "--in-place", *words), whole, words)

    def test_ordinary_scans_are_others(self):
        """Else the test above would show nothing."""
        whole = self.scanned()
        self.succeed("scan", self.source, self.path("out.npy"), "--chunk-bytes", "256K")
        self.assertNotEqual(self.read("out.npy"), whole)

    def test_columns(self):
        """As rows of the transposed array, scanned and summed up."""
        for rows, columns in ((3000, 7), (130, 40)):
            count = rows * columns
            values = [(i * 2654435761 % 2**32 - 2**31) * 2.0 ** (i * 40503 % 24 - 43) for i in range(count)]
            turned = [values[i * columns + j] for j in range(columns) for i in range(rows)]
            for name, data, shape in (("columns.npy", values, (rows, columns)), ("rows.npy", turned, (columns, rows))):
                self.write(name, npy("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }\n" % shape,
                                     pack("float", data)))  # fmt: skip
            results = []
            for name, axis in (("columns.npy", "0"), ("rows.npy", "1")):
                self.succeed("scan", self.path(name), self.path("out.npy"), "--axis", axis, "--reproducible")
                self.succeed("reduce", self.path(name), "--axis", axis, "--reproducible",
                             "--sums", self.path("sums.npy"))  # fmt: skip
                results.append((self.read("out.npy")[-4 * count :], self.read("sums.npy")[-4 * columns :]))
            (scanned, sums), (expected, expected_sums) = results
            for j in range(columns):
                column = b"".join(scanned[4 * (i * columns + j) :][:4] for i in range(rows))
                self.assertEqual(column, expected[4 * j * rows : 4 * (j + 1) * rows], (rows, columns, j))
            self.assertEqual(sums, expected_sums)

    def test_rows(self):
        """Short rows, many in a run, and rows that are cut."""
        for shape in ((20000, 10), (1000, 130), (40, 5000), (1, 200000), (3, 65536)):
            count = shape[0] * shape[1]
            values = [(i * 2654435761 % 2**32 - 2**31) * 2.0 ** (i * 40503 % 24 - 43) for i in range(count)]
            self.source = self.write("in.npy", npy(
                "{'descr': '<f4', 'fortran_order': False, 'shape': %r, }\n" % (shape,), pack("float", values)))
            self.assertEqual(self.scanned("--chunk-bytes=256K"), self.scanned(), shape)

    def test_too_small(self):
        self.refuse("scan", self.source, self.path("out.npy"), "--reproducible", "--chunk-bytes=200K",
                    says="--chunk-bytes")
        self.source = self.write("in.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 100001), }\n",
                                               pack("float", [1.0] * 200002)))
        self.refuse("scan", self.source, self.path("out.npy"), "--reproducible", "--chunk-bytes=256K",
                    says=("100001", "65536"))


class Pipes(CommandTest):
    values = sample("int32", 1000)

    def expected(self, **keywords):
        return pack("int32", expected_scan("int32", "add", self.values, **keywords))

    def from_pipe(self, data, *arguments, **keywords):
        """Run with `data` on a pipe as standard input; returns what was written to standard output."""
        result = self.run_command("scan", *arguments, input=data, **keywords)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return result.stdout

    def test_raw(self):
        data = pack("int32", self.values)
        for name_in, name_out in itertools.product(("-", "/dev/stdin"), ("-", "/dev/stdout")):
            with self.subTest(name_in=name_in, name_out=name_out):
                for chunk in ("4", "100", "4000", "1M"):  # the third ends with the data
                    self.assertEqual(self.from_pipe(data, name_in, name_out, "--type=int32", "--chunk-bytes", chunk),
                                     self.expected())

    def test_npy(self):
        for chunk in ("100", "4000", "1M"):
            written = self.from_pipe(npy_of("int32", self.values), "-", "-", "--check", "--chunk-bytes", chunk)
            self.assertEqual(written[:6], b"\x93NUMPY")
            self.assertEqual(written[128:], self.expected())
            self.assertIn(b"'shape': (1000,)", written[:128])

    def test_formats(self):
        """The name of OUT decides, and --out-format over it."""
        npy_data, raw_data = npy_of("int32", self.values), pack("int32", self.values)
        self.assertEqual(self.from_pipe(npy_data, "-", "-", "--out-format=raw"), self.expected())
        self.from_pipe(npy_data, "-", self.path("out.raw"))
        self.assertEqual(self.read("out.raw"), self.expected())
        # The header needs a count that only the end of the input tells.
        self.from_pipe(raw_data, "-", self.path("out.npy"), "--type", "int32", "--chunk-bytes=100")
        written = self.from_pipe(raw_data, "-", "-", "--type", "int32", "--out-format", "npy", "--chunk-bytes=100")
        self.assertEqual(self.read("out.npy"), written)
        self.assertIn(b"'shape': (1000,)", written[:128])
        self.assertEqual(written[128:], self.expected())

    def test_npy_files_that_are_said_to_be_raw(self):
        """Their headers are no elements, wherever they come from."""
        data = npy_of("int32", self.values)
        lengths = self.write("lengths.npy", npy_of("uint8", [1] * (len(data) // 4)))
        named, out = self.write("named.raw", data), self.path("out.raw")
        for words in (["scan", "{}", out], ["reduce", "{}"], ["select", "{}", out], ["repeat", "{}", out, "--lengths",
                                                                                   lengths]):  # fmt: skip
            for name in ("-", "/dev/stdin", named):
                with self.subTest(words=words, name=name):
                    self.refuse(*(word.format(name) for word in words), "--type=int32", input=data,
                                says=["is a .npy file", "named.raw" if name == named else "leave out --type"])
        for raw in (b"\x93NUMP", b"\x93NUMPX" + bytes(20)):
            self.succeed("scan", "-", out, "--type=uint8", "--op=max", input=raw)
            self.assertEqual(self.read("out.raw"), b"\x93" * len(raw))

    def test_reverse(self):
        for chunk in ("100", "1M"):
            for data, words in ((pack("int32", self.values), ["--type", "int32"]),
                                (npy_of("int32", self.values), ["--out-format=raw"])):
                written = self.from_pipe(data, "-", "-", "--reverse", "--chunk-bytes", chunk, *words)
                self.assertEqual(written, self.expected(reverse=True))
        self.refuse("scan", "-", self.path("out.raw"), "--type=int8", "--reverse", input=b"1", says="no/such",
                    env={"TMPDIR": self.path("no/such")})

    def test_empty(self):
        self.assertEqual(self.from_pipe(b"", "-", "-", "--type", "int32"), b"")
        self.assertEqual(self.from_pipe(b"", "-", "-", "--type", "int32", "--reverse"), b"")
        self.assertEqual(self.from_pipe(b"", "-", "-", "--type", "float", "--reverse", "--reproducible"), b"")
        self.assertIn(b"(0,)", self.from_pipe(b"", "-", "-", "--type", "int32", "--out-format", "npy"))

    def test_redirected_files(self):
        source = self.write("in.npy", b"skipped!" + npy_of("int32", self.values))
        with open(source, "rb") as file, open(self.path("out.npy"), "wb") as out:
            os.lseek(file.fileno(), 8, os.SEEK_SET)  # as if somebody had read a part
            self.succeed("scan", "-", "-", "--reverse", "--chunk-bytes=400", stdin=file, stdout=out)
        self.assertEqual(self.read("out.npy")[128:], self.expected(reverse=True))

    def test_fifos(self):
        os.mkfifo(self.path("in"))
        os.mkfifo(self.path("out"))
        written = []

        def feed():
            with open(self.path("in"), "wb") as file:
                file.write(npy_of("int32", self.values))

        def collect():
            with open(self.path("out"), "rb") as file:
                written.append(file.read())

        threads = [threading.Thread(target=feed), threading.Thread(target=collect)]
        for thread in threads:
            thread.start()
        self.succeed("scan", self.path("in"), self.path("out"), "--chunk-bytes", "100")
        for thread in threads:
            thread.join()
        self.assertEqual(written[0][128:], self.expected())
        self.assertEqual(sorted(os.listdir(self.folder)), ["in", "out"])  # still there

    @unittest.skipUnless(os.path.exists("/proc/version"), "no procfs")
    def test_files_whose_size_reads_0(self):
        """Files of procfs are regular, and stat() says that they hold nothing."""
        for source in ("/proc/version", "/proc/filesystems"):
            with self.subTest(source=source), open(source, "rb", buffering=0) as file:
                self.assertEqual(os.fstat(file.fileno()).st_size, 0)
                data = file.read()
                file.seek(0)
                for options in ([], ["--reverse"]):
                    values = expected_scan("uint8", "add", list(data), reverse="--reverse" in options)
                    out = self.path("sums.raw")
                    self.succeed("scan", source, out, "--type", "uint8", "--check", *options)
                    self.assertEqual(self.read("sums.raw"), bytes(values))
                self.succeed("scan", "-", out, "--type", "uint8", stdin=file)
                self.assertEqual(len(self.read("sums.raw")), len(data))

    def test_special_files(self):
        source = self.write("in.npy", npy_of("int32", self.values))
        self.succeed("scan", source, "/dev/null", "--chunk-bytes", "100")
        self.succeed("scan", source, "/dev/null", "--chunk-bytes", "100", "--reverse")
        self.succeed("scan", "/dev/null", "/dev/null", "--type", "int32")


class Failures(CommandTest):
    def refuse_input(self, data, says, *arguments):
        """A pipe with bad data: OUT stays as it was."""
        before = self.write("out.npy", b"before")
        for chunk in ("16", "1M"):
            self.refuse("scan", "-", before, "--chunk-bytes", chunk, *arguments, input=data,
                        says=["standard input", says])
            self.assertEqual(self.read("out.npy"), b"before")

    def test_bad_pipes(self):
        good = npy_of("int32", sample("int32", 100))
        for reverse in ([], ["--reverse"]):
            self.refuse_input(good[:-1], "truncated", *reverse)
            self.refuse_input(good[:-200], "truncated", *reverse)
            self.refuse_input(bytes(403), "403 bytes are no whole number", "--type=int32", *reverse)
        self.refuse_input(good + b"\0", "more bytes")
        self.refuse_input(good + b"\0", "bytes too many", "--reverse")
        self.refuse_input(good[:50], "truncated")
        self.refuse_input(b"", "truncated")
        self.refuse_input(b"1,2,3\n" * 9, "magic")

    def test_closed_standard_streams(self):
        source = self.write("in.npy", npy_of("int32", [1, 2]))
        self.refuse("scan", "-", self.path("out.npy"), preexec_fn=lambda: os.close(0), says="standard input")
        self.refuse("scan", source, "-", preexec_fn=lambda: os.close(1), says="standard output")

    def test_full_disk(self):
        source = self.write("in.npy", npy_of("int32", sample("int32", 1000)))
        for words in ([], ["--reverse"]):
            self.refuse("scan", source, "/dev/full", "--chunk-bytes=400", *words, says="/dev/full")
        with open("/dev/full", "wb") as full:
            self.refuse("scan", source, "-", "--chunk-bytes=400", stdout=full, says="standard output")

        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (24 << 20, 24 << 20))

        # More than the limit, from a file and from a pipe that has no end.
        out = self.write("out.raw", b"before")
        large = self.write("large.raw", b"")
        os.truncate(large, 40 << 20)
        self.refuse("scan", large, out, "--type=int32", "--chunk-bytes=1M", says="out.raw", preexec_fn=limit_files)
        with open("/dev/zero", "rb") as zeros:
            self.refuse("scan", "-", out, "--type=int32", "--chunk-bytes=1M", says="out.raw", preexec_fn=limit_files,
                        stdin=zeros)
        self.assertEqual(self.read("out.raw"), b"before")

    def test_output_fails_while_the_input_is_silent(self):
        """It does not wait for a pipe that nobody writes to."""
        reader, writer = os.pipe()
        os.write(writer, bytes(4000))
        try:
            self.refuse("scan", "-", "/dev/full", "--type=int32", "--chunk-bytes=400", stdin=reader, says="/dev/full")
        finally:
            os.close(reader)
            os.close(writer)

    def test_input_fails_while_the_output_is_blocked(self):
        """A pipe that nobody reads is full; then the input turns out to be truncated."""
        reader, writer = os.pipe()
        data = npy_of("int32", sample("int32", 60000))[:-4]  # the third chunk is too short, the first fills the pipe
        try:
            self.refuse("scan", "-", "-", "--chunk-bytes=100000", input=data, stdout=writer, says="truncated")
        finally:
            os.close(reader)
            os.close(writer)

    def test_same_file(self):
        source = self.write("in.raw", b"\1\2\3")
        with open(source, "rb") as file, open(source, "ab") as out:
            self.refuse("scan", "-", "-", "--type=uint8", stdin=file, stdout=out, says="same file")
        os.symlink("in.raw", self.path("link.raw"))
        with open(source, "rb") as file:
            self.refuse("scan", "-", self.path("link.raw"), "--type=uint8", stdin=file, says="same file")
        self.assertEqual(self.read("in.raw"), b"\1\2\3")

    def test_signals_leave_nothing(self):
        """Stopped in the middle, when some chunks are written and the pipe is silent."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for words in ([], ["--reverse"]):
                # A shell's jobs in the background ignore some signals, and hand that on.
                with subprocess.Popen([COMMAND, "scan", "-", self.path("out.raw"), "--type=int32", "--chunk-bytes=4K",
                                       *words], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                      preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
                                      env=dict(os.environ, TMPDIR=self.folder)) as process:
                    process.stdin.write(bytes(100000))
                    process.stdin.flush()
                    for _ in range(1000):
                        written = [os.stat(self.path(name)).st_size for name in os.listdir(self.folder)]
                        if words or max(written, default=0) > 40000:
                            break
                        time.sleep(0.01)
                    process.send_signal(number)
                    process.wait(timeout=1800)
                self.assertEqual(process.returncode, -number)
                self.assertEqual([name for name in os.listdir(self.folder) if "clscan" in name or "out" in name], [])


class Telling(CommandTest):
    def setUp(self):
        super().setUp()
        self.source = self.write("in.npy", npy_of("int32", sample("int32", 1000)))

    def stderr_of(self, *arguments):
        result = self.run_command("scan", self.source, self.path("out.npy"), *arguments)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return result.stdout.decode(), result.stderr.decode()

    def test_stats_of_a_stream(self):
        text, _ = self.stderr_of("--stats", "--check", "--chunk-bytes=1000")
        for word in ("device", "entry", "4 of at most 250 elements", "end to end", "busy", "1000 of 1000"):
            self.assertIn(word, text)
        self.assertNotIn("of copy", text)

    def test_stats_of_rows(self):
        with open(self.source, "rb") as file:
            elements = file.read()[-4000:]
        self.write("in.npy", npy("{'descr': '<i4', 'fortran_order': False, 'shape': (100, 10), }", elements))
        text, _ = self.stderr_of("--stats", "--chunk-bytes=1000")
        for word in ("rows        100 of 10 elements", "reduce_then_scan", "4 of at most 250 elements"):
            self.assertIn(word, text)

    def test_short_jobs_are_silent(self):
        self.assertEqual(self.stderr_of(), ("", ""))
        self.assertEqual(self.stderr_of("--quiet", "--check", "--progress=lines"), ("", ""))

    def test_progress(self):
        _, lines = self.stderr_of("--progress=lines")
        self.assertRegex(lines, r"^clscan: 3\.9 KiB in 0:00, .*/s\n$")
        _, bar = self.stderr_of("--progress", "bar")
        self.assertTrue(bar.startswith("\r") and bar.endswith("\n"), bar)
        self.assertEqual(self.stderr_of("--progress=none"), ("", ""))
        with open(self.source, "rb") as file, subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE) as pipe:
            result = self.run_command("scan", "-", "/dev/null", "--reverse", "--progress=lines", stdin=pipe.stdout)
        self.assertRegex(result.stderr.decode(), r"^clscan: temporary copy: 3\.9 KiB .*\nclscan: 3\.9 KiB .*\n$")

    def test_bar_on_a_terminal(self):
        """Drawn while a pipe has more to come, and ended by a line of its own."""
        master, slave = pty.openpty()
        shown = b""
        with subprocess.Popen([COMMAND, "scan", "-", "/dev/null", "--chunk-bytes=400"], stdin=subprocess.PIPE,
                              stderr=slave) as process:
            os.close(slave)
            process.stdin.write(npy_of("int32", sample("int32", 100000))[:-4])
            process.stdin.flush()
            time.sleep(1)  # bars appear after half a second; the test holds for any time
            process.stdin.write(bytes(4))
            process.stdin.close()
            process.wait(timeout=1800)
        try:
            while True:
                part = os.read(master, 4096)
                if not part:
                    break
                shown += part
        except OSError:
            pass
        os.close(master)
        self.assertEqual(process.returncode, 0)
        self.assertTrue(shown.endswith(b"\r\n"), shown)


if __name__ == "__main__":
    unittest.main()
