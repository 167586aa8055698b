"""The clscan command from the outside: usage, scans, messages, exit codes, and what it leaves behind."""

import itertools
import json
import math
import os
import pathlib
import resource
import shutil
import signal
import stat
import subprocess
import time
import unittest

from command_rig import (COMMAND, KERNELS, OPERATORS, TYPES, CommandTest, expected_scan, npy, npy_of, pack,
                         python_with_numpy, sample, unpack)


class Usage(CommandTest):
    def test_help(self):
        for arguments in (["--help"], ["-h"], ["help"]):
            text = self.succeed(*arguments)
            for command in ("devices", "explain", "verify", "scan"):
                self.assertIn(command, text)
        for command, words in {
            "devices": ["--verbose"],
            "explain": ["--type"],
            "verify": ["--device", "--type", "--quick", "--reproducible"],
            "scan": ["IN OUT", "--type", "--op", "--exclusive", "--reverse", "--init", "--device", "--config",
                     "--check", "--stats", "--flatten", "--chunk-bytes", "--out-format", "--progress", "--quiet"],
        }.items():
            text = self.succeed(command, "--help")
            self.assertIn("usage: clscan " + command, text)
            for word in words:
                self.assertIn(word, text)
            self.assertEqual(self.succeed("help", command), text)

    def test_version(self):
        self.assertRegex(self.succeed("--version"), r"^clscan \d+\.\d+\.\d+\n$")

    def test_wrong_usage(self):
        rows = [
            ([], "usage:"),
            (["fly"], "'fly'"),
            (["--fly"], "'--fly'"),
            (["help", "fly"], "'fly'"),
            (["help", "scan", "verify"], "'verify'"),
            (["devices", "--fly"], "'--fly'"),
            (["devices", "-x"], "'-x'"),
            (["devices", "extra"], "'extra'"),
            (["devices", "--verbose=yes"], "--verbose"),
            (["explain", "--type", "int128"], "'int128'"),
            (["explain", "--type"], "--type"),
            (["explain", "--count", "many"], "'many'"),
            (["explain", "--op", "nand"], "'nand'"),
            (["verify", "--type", "int8,int9"], "'int9'"),
            (["verify", "--type", "float,int8", "--reproducible"], "int8"),
            (["scan"], "IN is missing"),
            (["scan", "in.npy"], "OUT is missing"),
            (["scan", "in.npy", "out.npy", "more"], "'more'"),
            (["scan", "in.raw", "out.raw"], "--type"),
            (["scan", "in.npy", "out.npy", "--type", "int8"], "--type"),
            (["scan", "in.npy", "out.npy", "--op", "custom"], "'custom'"),
            (["reduce", "in.npy", "--op", "custom"], "'custom'"),
            (["scan", "in.npy", "out.npy", "--exclusiv"], "'--exclusiv'"),
            (["scan", "in.npy", "out.npy", "--device="], "--device"),
            (["scan", "in.npy", "out.npy", "--chunk-bytes", "0"], "'0'"),
            (["scan", "in.npy", "out.npy", "--chunk-bytes", "1Q"], "'1Q'"),
            (["scan", "in.npy", "out.npy", "--out-format", "csv"], "'csv'"),
            (["scan", "in.npy", "out.npy", "--progress", "much"], "'much'"),
        ]
        for arguments, says in rows:
            with self.subTest(arguments=arguments):
                self.refuse(*arguments, code=2, says=says)

    def test_operators_that_are_offered_can_be_given(self):
        source = self.write("in.npy", npy_of("uint16", [1, 2, 3]))  # as in Scan.test_operators
        commands = {"scan": [source, self.path("out.npy")], "reduce": [source], "explain": []}
        offered = {}
        for command, rest in commands.items():
            told = self.refuse(command, *rest, "--op", "nand", code=2)
            offered[command] = told.partition("there are ")[2].splitlines()[0].split(", ")
            for operator in offered[command]:
                with self.subTest(command=command, operator=operator):
                    self.succeed(command, *rest, "--op", operator)
        self.assertEqual(offered["explain"], offered["scan"] + ["custom"])
        self.assertEqual(offered["reduce"], offered["scan"])

    def test_suggestions(self):
        """What was meant is named; nothing is named for what could have been anything."""
        rows = [
            (["sacn"], "'scan'"),
            (["verfy", "--quick"], "'verify'"),
            (["--vresion"], "'--version'"),
            (["scan", "--exclusiv"], "'--exclusive'"),
            (["scan", "--in_place"], "'--in-place'"),
            (["explain", "-type"], "'--type'"),
        ]
        for arguments, says in rows:
            with self.subTest(arguments=arguments):
                self.assertIn("did you mean " + says, self.refuse(*arguments, code=2))
        for arguments in (["fly"], ["scan", "--zzz"], ["x" * 200], ["explain", "--" + "count" * 50]):
            with self.subTest(arguments=arguments):
                self.assertNotIn("did you mean", self.refuse(*arguments, code=2))

    def test_full_standard_output(self):
        with open("/dev/full", "wb") as full:
            self.refuse("--help", stdout=full, says="standard output")


class Scan(CommandTest):
    def check(self, name, values, operator="add", exclusive=False, reverse=False, initial=None):
        arguments = ["--op", operator]
        arguments += ["--exclusive"] if exclusive else []
        arguments += ["--reverse"] if reverse else []
        arguments += ["--init", str(initial)] if initial is not None else []
        source = self.write("in.npy", npy_of(name, values))
        self.succeed("scan", source, self.path("out.npy"), *arguments)
        wanted = pack(name, expected_scan(name, operator, values, exclusive, reverse, initial))
        written = self.read("out.npy")
        self.assertEqual(written[: -len(wanted)][:6], b"\x93NUMPY")
        self.assertEqual(unpack(name, written[-len(wanted):]), unpack(name, wanted))
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])

    def test_all_types(self):
        for name in TYPES:
            with self.subTest(type=name):
                self.check(name, sample(name, 1500))

    def test_a_wrong_candidate_loses(self):
        """Kernels that do nothing are the fastest, and leave another result."""
        kernels, home = self.path("cl"), self.path("home")
        words = ("--type", "int32", "--count", "4194304")
        if "reduce_then_scan" in self.succeed("explain", *words):
            self.skipTest("the default device runs what is to be broken")
        shutil.copytree(KERNELS, kernels)
        at = pathlib.Path(kernels, "carries/reduce_then_scan.cl")
        text, begin = at.read_text(), "CLSCAN_MAP_PARAMETERS)\n{\n"
        self.assertIn(begin, text)
        at.write_text(text.replace(begin, begin + "if (run.count > 1000) return;\n"))
        result = self.run_command("scan", self.write("in.raw", bytes(1 << 24)), self.path("out.raw"), "--type", "int32",
                                  "--init", "7", "--check", "--measure", "10s",
                                  env={"CLSCAN_KERNEL_DIR": kernels, "XDG_CONFIG_HOME": home, "CLSCAN_LOG": "debug"})
        message = result.stderr.decode()
        self.assertEqual(result.returncode, 0, message)
        self.assertRegex(message, r"reduce_then_scan\S* .* takes ")  # it took part
        for kept in pathlib.Path(home).rglob("*.measured.json"):
            self.assertNotIn("reduce_then_scan", kept.read_text())

    def test_what_measuring_came_to(self):
        source = self.write("in.npy", npy_of("int32", sample("int32", 1000)))
        env = {"XDG_CONFIG_HOME": self.path("home")}

        def told(*options):
            result = self.run_command("scan", source, self.path("out.npy"), *options, env=env)
            self.assertEqual(result.returncode, 0, result.stderr)
            lines = [line for line in (result.stdout + result.stderr).decode().splitlines()
                     if line.startswith("measure ")]
            self.assertLessEqual(len(lines), 1)
            return lines[0] if lines else ""

        self.assertEqual(told(), "")
        self.assertIn("measured now", told("--measure", "5s"))
        again = told("--measure", "5s")
        self.assertRegex(again, "measured [0-9-]{10}")
        self.assertNotIn("now", again)
        self.assertEqual(told("--measure", "5s", "--quiet"), "")
        self.assertIn("not measured: it has maps", told("--measure", "5s", "--load", "element * 2"))
        self.assertIn("not measured:", told("--measure", "5s", "--output-type", "int64"))

    def test_operators(self):
        for operator in OPERATORS:
            with self.subTest(operator=operator):
                self.check("uint16", [(i * 40503 + 12345) % 65536 for i in range(777)], operator)
        self.check("double", [1.0 + i % 2 for i in range(300)], "mul")
        self.check("float", [float((i * 37) % 101) for i in range(300)], "max", exclusive=True)

    def test_forms(self):
        for exclusive, reverse, initial in itertools.product((False, True), (False, True), (None, -100)):
            with self.subTest(exclusive=exclusive, reverse=reverse, initial=initial):
                self.check("int8", sample("int8", 1000), "add", exclusive, reverse, initial)

    def test_initial_value_of_half_is_a_float(self):
        self.check("half", [1.0] * 10, "min", initial=100000)

    def test_counts(self):
        for count in (1, 2, 4095, 4096, 4097):
            with self.subTest(count=count):
                self.check("int32", sample("int32", count))

    def test_empty(self):
        source = self.write("in.npy", npy_of("int32", []))
        self.succeed("scan", source, self.path("out.npy"), "--stats", "--check", "--exclusive")
        self.assertIn(b"'shape': (0,)", self.read("out.npy"))
        self.succeed("scan", self.write("in.raw", b""), self.path("out.raw"), "--type", "int64")
        self.assertEqual(self.read("out.raw"), b"")

    def test_header_versions(self):
        for version in (1, 2, 3):
            source = self.write("in.npy", npy_of("uint32", [1, 2, 3], version))
            self.succeed("scan", source, self.path("out.npy"))
            self.assertEqual(unpack("uint32", self.read("out.npy")[-12:]), [1, 3, 6])

    def test_raw(self):
        source = self.write("in.raw", pack("int16", sample("int16", 999)))
        self.succeed("scan", source, self.path("out.raw"), "--type=int16", "--check")
        self.assertEqual(unpack("int16", self.read("out.raw")), expected_scan("int16", "add", sample("int16", 999)))
        self.succeed("scan", source, self.path("out.npy"), "--type", "int16")
        self.assertEqual(self.read("out.npy")[-1998:], self.read("out.raw"))
        self.succeed("scan", self.path("out.npy"), self.path("again.raw"), "--op", "max")
        self.assertEqual(len(self.read("again.raw")), 1998)

    def test_in_place(self):
        source = self.write("in.raw", pack("uint32", list(range(5000))))
        self.succeed("scan", source, self.path("out.raw"), "--type", "uint32", "--in-place", "--check", "--stats")
        self.assertEqual(unpack("uint32", self.read("out.raw")), expected_scan("uint32", "add", list(range(5000))))

    def test_stats_and_check(self):
        source = self.write("in.npy", npy_of("int32", sample("int32", 100000)))
        text = self.succeed("scan", source, self.path("out.npy"), "--stats", "--check")
        for word in ("device", "entry", "from", "time", "GB/s", "copy", "of copy", "compared", "right"):
            self.assertIn(word, text)
        self.assertIn("100000 of 100000", text)

    def test_check_of_floats(self):
        """Sums whose last bits depend on the grouping are right, too; beyond an overflow nothing is said."""
        values = [math.sin(i) * 10.0 ** (i % 7) for i in range(100000)]
        source = self.write("in.npy", npy_of("float", values))
        self.assertIn("100000 of 100000", self.succeed("scan", source, self.path("out.npy"), "--check"))
        source = self.write("in.npy", npy_of("float", [2.0] * 50 + [1e30] * 50 + [0.5] * 50))
        text = self.succeed("scan", source, self.path("out.npy"), "--check", "--op", "mul")
        self.assertRegex(text, r"check +\d+ of 150 ")

    def test_replaces_and_keeps_permissions(self):
        source = self.write("in.raw", b"\1\1\1")
        out = self.write("out.raw", b"what was there before")
        os.chmod(out, 0o640)
        self.succeed("scan", source, out, "--type", "uint8")
        self.assertEqual(self.read("out.raw"), b"\1\2\3")
        self.assertEqual(stat.S_IMODE(os.stat(out).st_mode), 0o640)

    def test_new_file_follows_umask(self):
        source = self.write("in.raw", b"\1")
        self.succeed("scan", source, self.path("out.raw"), "--type", "uint8", preexec_fn=lambda: os.umask(0o027))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("out.raw")).st_mode), 0o640)

    def test_symbolic_link(self):
        """The file behind a link is replaced, not the link."""
        source = self.write("in.raw", b"\1\1")
        os.mkdir(self.path("elsewhere"))
        self.write("elsewhere/real.raw", b"old")
        os.symlink("elsewhere/real.raw", self.path("link.raw"))
        self.succeed("scan", source, self.path("link.raw"), "--type", "uint8")
        self.assertTrue(os.path.islink(self.path("link.raw")))
        self.assertEqual(self.read("elsewhere/real.raw"), b"\1\2")
        os.symlink("nowhere", self.path("dangling.raw"))
        self.refuse("scan", source, self.path("dangling.raw"), "--type", "uint8", says="dangling.raw")

    def test_special_files(self):
        source = self.write("in.raw", b"\1\1\1")
        self.succeed("scan", source, "/dev/null", "--type", "uint8")
        result = self.run_command("scan", source, "/dev/stdout", "--type", "uint8", "--stats", "--check")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertEqual(result.stdout, b"\1\2\3")  # statistics go to the other stream
        self.assertIn(b"too few elements", result.stderr)

    def test_operands_like_options(self):
        self.write("--in.raw", b"\1\1")
        self.succeed("scan", "--type", "uint8", "--", "--in.raw", "--out.raw", cwd=self.folder)
        self.assertEqual(self.read("--out.raw"), b"\1\2")


class ScanErrors(CommandTest):
    def test_initial_values(self):
        rows = [
            ("uint8", "256"), ("uint8", "-1"), ("int8", "128"), ("int16", "-32769"), ("uint32", "4294967296"),
            ("int64", "9223372036854775808"), ("uint64", "18446744073709551616"), ("int32", "1.5"), ("int32", "x"),
            ("float", "1e39"), ("half", "1e39"), ("double", "1e309"), ("double", "zero"),
        ]
        for name, value in rows:
            with self.subTest(type=name, value=value):
                source = self.write("in.npy", npy_of(name, [1]))
                self.refuse("scan", source, self.path("out.npy"), "--init", value, code=2, says=[value, "--init"])

    def test_bad_npy_files(self):
        good = "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }\n"
        body = bytes(12)

        def descr(code):
            return npy(good.replace("<i4", code), body)

        def shape(text):
            return npy(good.replace("(3,)", text), body)

        rows = [
            ("empty file", b"", "truncated"),
            ("wrong magic", b"x" * 100, "magic"),
            ("only the magic", b"\x93NUMPY", "truncated"),
            ("truncated header", npy(good, body)[:40], "truncated"),
            ("unknown version", npy(good, body, 4), "version 4.0"),
            ("big-endian", descr(">i4"), "big-endian"),
            ("bool", descr("|b1"), "bool"),
            ("complex", descr("<c16"), "complex"),
            ("objects", descr("|O"), "objects"),
            ("dates", descr("<M8[s]"), "cannot be scanned"),
            ("long double", descr("<f16"), "cannot be scanned"),
            ("structured", npy(good.replace("'<i4'", "[('a', '<i4')]"), body), "structured"),
            ("2-D, more elements than the file", shape("(3, 2)"), "truncated"),
            ("0-D, fewer elements than the file", shape("()"), "8 bytes too many"),
            ("too many dimensions", shape("(" + 65 * "1, " + ")"), "64 dimensions"),
            ("negative", shape("(-3,)"), "negative"),
            ("absurd", shape("(36893488147419103232,)"), "larger than any file"),
            ("more bytes than numbers go", shape("(9223372036854775807,)"), "larger than any file"),
            ("more elements than the file", shape("(4,)"), "truncated"),
            ("far more elements than the file", shape("(2000000000000000000,)"), "truncated"),
            ("no dictionary", npy("nonsense\n", body), "dictionary"),
            ("trailing bytes", npy(good, body + b"\0"), "1 bytes too many"),
        ]
        for what, data, says in rows:
            with self.subTest(what=what):
                source = self.write("in.npy", data)
                self.refuse("scan", source, self.path("out.npy"), says=["in.npy", says])

    def test_bad_inputs(self):
        self.refuse("scan", self.path("none.npy"), self.path("out.npy"), says="none.npy")
        self.refuse("scan", self.folder, self.path("out.raw"), "--type", "int8", says=self.folder)
        source = self.write("in.raw", b"123456789")
        self.refuse("scan", source, self.path("out.raw"), "--type", "int32", says=["in.raw", "9 bytes", "int32"])

    def test_text_from_outside_is_safe_to_print(self):
        """Nothing but the ends of lines reaches the terminal of what could command it or pretend to be a message."""
        evil = "\x1b]0;title\x07\nclscan: all is well\u202e\x9b1m"
        name = evil.encode()
        raw = b"raw \xff\x9b31m.npy"
        good = self.write("in.npy", npy_of("int32", [1]))
        for path in (name + b".npy", raw):
            with open(os.path.join(self.folder.encode(), path), "wb") as file:
                file.write(b"x" * 100)
        config = os.path.join(self.folder.encode(), name + b".json")
        with open(config, "wb") as file:
            file.write(b"{}")
        self.write("key.npy", npy("{'%s': 1}\n" % "\x1b[31m", b""))
        self.write("type.npy", npy("{'descr': '<%s', 'fortran_order': False, 'shape': (3,), }\n" % "\x1b[31m\n", b""))
        rows = [
            ("a name", "scan", os.path.join(self.folder.encode(), name + b".npy"), self.path("out.npy")),
            ("a name that is no UTF-8", "scan", os.path.join(self.folder.encode(), raw), self.path("out.npy")),
            ("a name of nothing", "scan", evil, self.path("out.npy")),
            ("an output", "scan", good, os.path.join(self.folder, "no folder", evil)),
            ("a key", "scan", self.path("key.npy"), self.path("out.npy")),
            ("an element type", "scan", self.path("type.npy"), self.path("out.npy")),
            ("a config", "explain", "--config", config),
            ("a value", "scan", good, self.path("out.npy"), "--init", evil),
            ("a device", "devices", "--device", evil),
            ("an option", "scan", "--" + evil),
            ("an operand", "scan", "a", "b", evil),
            ("a command", evil),
            ("the environment", "explain", {"CLSCAN_CONFIG": "/" + evil}),
            ("the cache's folder", "cache", {"CLSCAN_CACHE": "/" + evil}),
        ]
        for what, *arguments in rows:
            with self.subTest(what=what):
                env = arguments.pop() if isinstance(arguments[-1], dict) else None
                result = self.run_command(*arguments, env=env)
                shown = (result.stdout + result.stderr).decode()  # it is UTF-8
                self.assertIn("?", shown)
                self.assertFalse([c for c in shown if c != "\n" and not c.isprintable()], shown)
                self.assertNotIn("\nclscan: all is well", shown)

    def test_configs_without_effect(self):
        """A config for other devices is no error, but whoever names it should hear of it."""
        smallest = pathlib.Path(__file__).resolve().parent.parent / "fixtures/configs/valid/smallest.json"
        config = json.loads(smallest.read_text(encoding="utf-8"))
        key = json.loads(self.succeed("explain", "--json"))["key"]
        for family, silent in ((key, True), ("no-such-family", False)):
            path = self.write("config.json", json.dumps({**config, "match": family}).encode())
            result = self.run_command("explain", "--config", path)
            self.assertEqual(result.returncode, 0, result.stderr.decode())
            self.assertEqual(result.stderr.decode() == "", silent, result.stderr.decode())
            if not silent:
                for word in ("config.json", key, "other configs"):
                    self.assertIn(word, result.stderr.decode())

    def test_empty_names(self):
        source = self.write("in.raw", b"1")
        self.refuse("scan", "", self.path("out.raw"), "--type=int8", code=2, says="IN is an empty name")
        self.refuse("scan", source, "", "--type=int8", code=2, says="OUT is an empty name")

    def test_operator_that_the_type_has_not(self):
        source = self.write("in.npy", npy_of("float", [1.0]))
        self.refuse("scan", source, self.path("out.npy"), "--op", "xor", says="xor")

    def test_same_file(self):
        source = self.write("in.npy", npy_of("int32", [1, 2]))
        before = self.read("in.npy")
        self.refuse("scan", source, source, says=["in.npy", "same file"])
        os.symlink("in.npy", self.path("link.npy"))
        os.link(source, self.path("hard.npy"))
        self.refuse("scan", source, self.path("link.npy"), says="same file")
        self.refuse("scan", source, self.path("hard.npy"), says="same file")
        self.assertEqual(self.read("in.npy"), before)

    def test_unwritable(self):
        source = self.write("in.raw", b"\1\1\1")
        self.refuse("scan", source, self.path("no/such/out.raw"), "--type", "uint8", says="no/such/out.raw")
        self.refuse("scan", source, os.path.join(source, "out.raw"), "--type", "uint8", says="out.raw")
        os.mkdir(self.path("folder"))
        self.refuse("scan", source, self.path("folder"), "--type", "uint8", says="directory")
        if os.geteuid() != 0:
            os.chmod(self.path("folder"), 0o555)
            self.refuse("scan", source, self.path("folder/out.raw"), "--type", "uint8", says="out.raw")
            out = self.write("kept.raw", b"old")
            os.chmod(out, 0o444)
            self.refuse("scan", source, out, "--type", "uint8", says="kept.raw")
            self.assertEqual(self.read("kept.raw"), b"old")

    def test_full_disk(self):
        source = self.write("in.raw", bytes(40 << 20))
        self.refuse("scan", source, "/dev/full", "--type", "uint8", says="/dev/full")

        def limit_files():
            """Like a disk that is full after 24 MiB, which leaves room for the files of OpenCL compilers."""
            resource.setrlimit(resource.RLIMIT_FSIZE, (24 << 20, 24 << 20))

        out = self.write("out.raw", b"old")
        self.refuse("scan", source, out, "--type", "uint8", says="out.raw", preexec_fn=limit_files)
        self.assertEqual(self.read("out.raw"), b"old")

    def test_closed_pipe(self):
        source = self.write("in.raw", bytes(1000000))
        reader, writer = os.pipe()
        os.close(reader)
        try:
            self.refuse("scan", source, "/dev/stdout", "--type", "uint8", stdout=writer, says="/dev/stdout")
        finally:
            os.close(writer)

    def test_signal_leaves_nothing(self):
        """Stopped while it checks the result, which lies in a temporary file then."""
        source = self.write("in.raw", bytes(1 << 24))
        with subprocess.Popen([COMMAND, "scan", source, self.path("out.raw"), "--type", "float", "--check"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and len(os.listdir(self.folder)) == 1:
                time.sleep(0.001)
            process.terminate()
        self.assertIn(process.returncode, (0, -signal.SIGTERM))
        self.assertFalse(set(os.listdir(self.folder)) - {"in.raw", "out.raw"})

    def test_long_names(self):
        """As long as a file's name may be."""
        source = self.write("in.raw", b"\1\2\3")
        out = self.path("x" * 255)
        self.succeed("scan", source, out, "--type", "uint8")
        self.assertEqual(self.read("x" * 255), b"\1\3\6")
        self.refuse("scan", source, self.path("x" * 256), "--type", "uint8", says="too long")

    def test_a_killed_process_leaves_nothing_for_long(self):
        """Its hidden file is removed by the next one, but not while it writes."""
        source = self.write("in.raw", b"\1\2\3")
        with subprocess.Popen([COMMAND, "scan", "-", self.path("out.raw"), "--type=int32", "--chunk-bytes=4K"],
                              stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            process.stdin.write(bytes(100000))
            process.stdin.flush()
            while process.poll() is None and os.listdir(self.folder) == ["in.raw"]:
                time.sleep(0.01)
            (left,) = set(os.listdir(self.folder)) - {"in.raw"}
            self.assertTrue(left.startswith("."), left)
            self.succeed("scan", source, self.path("other.raw"), "--type", "uint8")
            self.assertEqual(set(os.listdir(self.folder)), {"in.raw", "other.raw", left})
            process.kill()
        self.assertIn(left, os.listdir(self.folder))
        self.succeed("scan", source, self.path("other.raw"), "--type", "uint8")
        self.assertEqual(set(os.listdir(self.folder)), {"in.raw", "other.raw"})


@unittest.skipUnless(python_with_numpy(), "no Python with NumPy")
class NumPy(CommandTest):
    def numpy(self, program):
        subprocess.run([python_with_numpy(), "-c", "import numpy\n" + program], cwd=self.folder, check=True)

    def test_files_of_numpy(self):
        for name in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16",
                     "float32", "float64"):
            with self.subTest(type=name):
                self.numpy("numpy.save('in.npy', (numpy.arange(1000) %% 5).astype('%s'))" % name)
                self.succeed("scan", self.path("in.npy"), self.path("out.npy"))
                self.numpy("a = numpy.load('in.npy')\n"
                           "b = numpy.load('out.npy')\n"
                           "assert b.dtype == a.dtype and b.shape == a.shape\n"
                           "wide = a.dtype if a.dtype.kind != 'f' else 'float64'\n"
                           "assert (b == numpy.cumsum(a, dtype=wide).astype(a.dtype)).all()")

    def test_arrays_that_are_refused(self):
        for array, says in (("numpy.zeros(3, '>i4')", "big-endian"), ("numpy.zeros(3, bool)", "bool"),
                            ("numpy.zeros(3, 'i4,f4')", "structured"), ("numpy.array(['a'])", "cannot be scanned"),
                            ("numpy.zeros(3, complex)", "complex"), ("numpy.array([{}])", "objects")):
            with self.subTest(array=array):
                self.numpy("numpy.save('in.npy', %s)" % array)
                self.refuse("scan", self.path("in.npy"), self.path("out.npy"), says=["in.npy", says])


if __name__ == "__main__":
    unittest.main()
