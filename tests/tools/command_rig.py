"""What the tests of the command have in common: how they run it, files of elements, and what scans of them give.

CLSCAN_COMMAND names the program. Files are made and read with the standard library; where some Python on this
machine has NumPy, its own files and sums are used as well.
"""

import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

COMMAND = os.environ.get("CLSCAN_COMMAND", "clscan")
THOROUGH = os.environ.get("CLSCAN_TEST_THOROUGH", "0") != "0"
KERNELS = pathlib.Path(__file__).resolve().parent.parent.parent / "cl"

# name -> (.npy code, struct code, bits of an integer or 0)
TYPES = {
    "int8": ("|i1", "b", 8),
    "uint8": ("|u1", "B", 8),
    "int16": ("<i2", "h", 16),
    "uint16": ("<u2", "H", 16),
    "int32": ("<i4", "i", 32),
    "uint32": ("<u4", "I", 32),
    "int64": ("<i8", "q", 64),
    "uint64": ("<u8", "Q", 64),
    "half": ("<f2", "e", 0),
    "float": ("<f4", "f", 0),
    "double": ("<f8", "d", 0),
}

OPERATORS = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "min": min,
    "max": max,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


def wrap(name, value):
    """What an integer type keeps of a value."""
    bits = TYPES[name][2]
    if bits == 0:
        return value
    value &= (1 << bits) - 1
    if name.startswith("int") and value >= 1 << (bits - 1):
        value -= 1 << bits
    return value


def identity(name, operator):
    bits = TYPES[name][2]
    if operator in ("add", "or", "xor"):
        return 0
    if operator == "mul":
        return 1
    if operator == "and":
        return wrap(name, -1)
    if bits == 0:
        return math.inf if operator == "min" else -math.inf
    low, high = (0, (1 << bits) - 1) if name.startswith("u") else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    return high if operator == "min" else low


def expected_scan(name, operator, values, exclusive=False, reverse=False, initial=None):
    combine = OPERATORS[operator]
    out = []
    carry = initial
    for value in reversed(values) if reverse else values:
        if exclusive:
            out.append(identity(name, operator) if carry is None else carry)
        carry = value if carry is None else wrap(name, combine(carry, value))
        if not exclusive:
            out.append(carry)
    return out[::-1] if reverse else out


def takes(cases, first=0, of=2):
    """All cases where all are wanted, else one of so many, from `first` on: each compiles kernels of its own."""
    return cases if THOROUGH else list(cases)[first::of]


def pack(name, values):
    return struct.pack("<%d%s" % (len(values), TYPES[name][1]), *values)


def unpack(name, data):
    code = TYPES[name][1]
    return list(struct.unpack("<%d%s" % (len(data) // struct.calcsize(code), code), data))


def npy(dictionary, data=b"", version=1):
    text = dictionary.encode()
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + data


def npy_of(name, values, version=1):
    dictionary = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }\n" % (TYPES[name][0], len(values))
    return npy(dictionary, pack(name, values), version)


def sample(name, count):
    """Whole numbers that every type holds; small enough that sums of half are exact."""
    numbers = [(i * 7 + 3) % 11 - (0 if name.startswith("u") else 5) for i in range(count)]
    return [float(number) for number in numbers] if TYPES[name][2] == 0 else numbers


def python_with_numpy():
    for candidate in (sys.executable, shutil.which("python3"), "/usr/bin/python3"):
        if candidate and os.path.exists(candidate):
            found = subprocess.run([candidate, "-c", "import numpy"], capture_output=True, check=False)
            if found.returncode == 0:
                return candidate
    return None


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="clscan test ")  # with a blank, on purpose
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def run_command(self, *arguments, env=None, **keywords):
        environment = dict(os.environ, **(env or {}))
        keywords.setdefault("stdout", subprocess.PIPE)
        return subprocess.run([COMMAND, *arguments], stderr=subprocess.PIPE, check=False, env=environment,
                              timeout=1800, **keywords)

    def succeed(self, *arguments, **keywords):
        result = self.run_command(*arguments, **keywords)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return (result.stdout or b"").decode()

    def refuse(self, *arguments, code=1, says=(), **keywords):
        """The command fails as it should: exit code, message, nothing new in the folder."""
        before = sorted(os.listdir(self.folder))
        result = self.run_command(*arguments, **keywords)
        message = result.stderr.decode()
        self.assertEqual(result.returncode, code, message)
        for word in [says] if isinstance(says, str) else says:
            self.assertIn(word, message)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        return message

    def elements(self, name, type_name):
        data = self.read(name)
        begin = 10 + int.from_bytes(data[8:10], "little")
        self.assertIn(b"'%s'" % TYPES[type_name][0].encode(), data[:begin])
        return unpack(type_name, data[begin:])
