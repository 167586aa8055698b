"""What the clscan command refuses because files would be lost or results be wrong, and what close to that is right.

CLSCAN_COMMAND names the program.
"""

import itertools
import json
import os
import pathlib
import resource
import shutil
import tempfile

from command_rig import CommandTest, npy, npy_of, pack, takes

DRIFT = pathlib.Path(__file__).resolve().parent.parent.parent / "examples/drift.json"


class UsedFiles(CommandTest):
    """No file is written twice, or written and read, whatever names it has."""

    def setUp(self):
        super().setUp()
        self.source = self.write("in.npy", npy_of("int32", [1, 2, 3, 4]))
        self.flags = self.write("flags.npy", npy_of("uint8", [1, 0, 1, 0]))
        os.mkdir(self.path("folder"))
        os.symlink(".", self.path("here"))

    def other_names(self, name):
        """Of a file that need not exist."""
        return ["./" + name, self.path(name), "folder/../" + name, "here/" + name, self.path("here/./" + name)]

    def refuse_both(self, words, roles):
        before = {name: self.read(name) for name in os.listdir(self.folder) if os.path.isfile(self.path(name))}
        self.refuse(*words, says=[" and ".join(roles) + " are the same file"], cwd=self.folder)
        self.assertEqual(before, {name: self.read(name) for name in before})

    def test_two_outputs(self):
        column = "flags.npy:"
        rows = [
            (["select", "in.npy", "z.npy", "--flags", "flags.npy", "--rest", "{}"], ("--rest", "OUT")),
            (["select", "in.npy", "z.npy", "--lengths", "{}"], ("--lengths", "OUT")),
            (["select", "in.npy", "z.npy", "--out-indices", "{}"], ("--out-indices", "OUT")),
            (["select", "in.npy", "y.npy", "--out-indices", "z.npy", "--lengths", "{}"],
             ("--lengths", "--out-indices")),
            (["select", "in.npy", "z.npy", "--column", column + "{}"], ("OUT of --column", "OUT")),
            (["select", "in.npy", "y.npy", "--column", column + "z.npy", "--column", column + "{}"],
             ("OUT of --column", "OUT of --column")),
            (["reduce", "in.npy", "--keys", "in.npy", "--sums", "z.npy", "--out-keys", "{}"], ("--out-keys", "--sums")),
            (["reduce", "in.npy", "--keys", "in.npy", "--out-keys", "z.npy", "--out-offsets", "{}"],
             ("--out-offsets", "--out-keys")),
        ]
        for words, roles in rows:
            for name in ("z.npy", *self.other_names("z.npy")):
                with self.subTest(words=words, name=name):
                    self.refuse_both([word.format(name) for word in words], roles)

    def test_outputs_that_exist(self):
        """By links of both kinds."""
        self.write("z.npy", b"old")
        os.link(self.path("z.npy"), self.path("hard.npy"))
        os.symlink("z.npy", self.path("link.npy"))
        for name in ("hard.npy", "link.npy", "folder/../link.npy"):
            with self.subTest(name=name):
                self.refuse_both(["select", "in.npy", "z.npy", "--flags", "flags.npy", "--rest", name],
                                 ("--rest", "OUT"))
                self.refuse_both(["reduce", "in.npy", "--keys", "in.npy", "--sums", name, "--out-keys", "z.npy"],
                                 ("--out-keys", "--sums"))

    def test_inputs(self):
        self.write("offsets.npy", npy_of("int32", [0, 2, 4]))
        self.write("config.json", b"{}")
        shutil.copy(DRIFT, self.path("drift.json"))
        self.write("in.raw", bytes(24))
        rows = [
            ("in.npy", ["scan", "in.npy", "{}"], ("IN", "OUT")),
            ("flags.npy", ["scan", "in.npy", "{}", "--segment-flags", "flags.npy"], ("--segment-flags", "OUT")),
            ("config.json", ["scan", "in.npy", "{}", "--config", "config.json"], ("--config", "OUT")),
            ("drift.json", ["scan", "in.raw", "{}", "--struct", "./drift.json"], ("--struct", "OUT")),
            ("in.npy", ["select", "in.npy", "{}"], ("IN", "OUT")),
            ("flags.npy", ["select", "in.npy", "z.npy", "--flags", "flags.npy", "--rest", "{}"], ("--flags", "--rest")),
            ("flags.npy", ["select", "in.npy", "{}", "--column", "flags.npy:z.npy"], ("FILE of --column", "OUT")),
            ("in.npy", ["select", "in.npy", "z.npy", "--column", "flags.npy:{}"], ("IN", "OUT of --column")),
            ("flags.npy", ["select", "in.npy", "z.npy", "--column", "flags.npy:{}"],
             ("FILE of --column", "OUT of --column")),
            ("in.npy", ["reduce", "in.npy", "--keys", "flags.npy", "--sums", "{}"], ("IN", "--sums")),
            ("offsets.npy", ["reduce", "in.npy", "--segment-offsets", "offsets.npy", "--sums", "{}"],
             ("--segment-offsets", "--sums")),
            ("flags.npy", ["repeat", "in.npy", "{}", "--lengths", "flags.npy"], ("--lengths", "OUT")),
        ]
        for name, words, roles in rows:
            for other in (name, *self.other_names(name)):
                with self.subTest(words=words, name=other):
                    self.refuse_both([word.format(other) for word in words], roles)

    def test_standard_output(self):
        """Where it is the file that a name says."""
        with open(self.path("z.npy"), "wb") as out:
            self.refuse("select", "in.npy", "-", "--flags", "flags.npy", "--rest", "z.npy", cwd=self.folder, stdout=out,
                        says=["--rest and OUT are the same file", "standard output"])

    def test_other_files(self):
        """Files of one name in two folders, of two names in one, and what nothing is lost in."""
        for rest in ("folder/z.npy", "here/y.npy", "here/folder/y.npy"):
            self.succeed("select", "in.npy", "z.npy", "--flags", "flags.npy", "--rest", rest, cwd=self.folder)
            self.assertEqual(self.elements("z.npy", "int32"), [1, 3])
            self.assertEqual(self.elements(rest, "int32"), [2, 4])
        self.succeed("scan", "/dev/null", "/dev/null", "--type", "uint8", cwd=self.folder)


class Offsets(CommandTest):
    """Of segments: what is refused, and what stays legal."""

    def setUp(self):
        super().setUp()
        self.source = self.write("ones.npy", npy_of("int32", [1] * 10))

    def commands(self, kind, offsets):
        """Scan and reduce, each in one chunk and in several."""
        file = self.write("offsets.npy", npy_of(kind, offsets))
        for chunk in ((), ("--chunk-bytes", "12")):
            yield ("scan", self.source, self.path("out.npy"), "--segment-offsets", file, *chunk)
            yield ("reduce", self.source, "--sums", self.path("out.npy"), "--segment-offsets", file, *chunk)

    def test_what_is_not_of_these_elements(self):
        for kind, offsets, says in (("int32", [0, 4, 20], "offset 2 is 20, beyond the 10 elements"),
                                    ("uint64", [11], "offset 0 is 11, beyond the 10 elements"),
                                    ("uint32", [0, 2**32 - 1], "offset 1 is 4294967295, beyond"),
                                    ("int64", [-1, 4, 9], "offset 0 is -1, negative"),
                                    ("int32", [0, 10, -2**31], "offset 2 is -2147483648, negative"),
                                    ("uint64", [0, 2**64 - 1], "offset 1 is 18446744073709551615, beyond")):
            for words in self.commands(kind, offsets):
                with self.subTest(words=words, offsets=offsets):
                    self.refuse(*words, says=["offsets.npy: " + says, "ones.npy" if "beyond" in says else ""])

    def test_order(self):
        """Sums need it, scans do not."""
        for words in self.commands("int32", [0, 9, 4]):
            with self.subTest(words=words):
                if words[0] == "reduce":
                    self.refuse(*words, says="offsets.npy: offset 2 is 4, below the one before, 9")
                    continue
                self.succeed(*words)
                self.assertEqual(self.elements("out.npy", "int32"), [1, 2, 3, 4, 1, 2, 3, 4, 5, 1])
                os.remove(self.path("out.npy"))

    def test_what_is_legal(self):
        """What lies outside is in no segment, which may be empty."""
        for offsets in ([0, 4, 10], [3, 3, 7], [10, 10], [0], []):
            for words in self.commands("uint32", offsets):
                with self.subTest(words=words, offsets=offsets):
                    self.succeed(*words)
                    if words[0] == "reduce":
                        self.assertEqual(self.elements("out.npy", "int32"),
                                         [end - begin for begin, end in zip(offsets, offsets[1:])])

    def test_far_behind(self):
        """The place is that in the file, wherever it is cut to be read."""
        with open(self.path("many.npy"), "wb") as file:
            file.write(npy_of("uint32", [])[:10])
            text = b"{'descr': '<u4', 'fortran_order': False, 'shape': (5000000,), }\n"
            file.seek(8)
            file.write(len(text).to_bytes(2, "little") + text + bytes(4 * 4999999) + (12).to_bytes(4, "little"))
        self.refuse("reduce", self.source, "--sums", self.path("out.npy"), "--segment-offsets", self.path("many.npy"),
                    says="many.npy: offset 4999999 is 12")


class LengthsOfRepeat(CommandTest):
    """More than there is room for is refused before anything is written."""

    def test_more_than_numbers_count(self):
        source = self.write("in.npy", npy_of("uint8", [1, 2, 3]))
        says = "lengths.npy: up to element 2, which is 9223372036854775808, its lengths are together more than"
        lengths = self.write("lengths.npy", npy_of("uint64", [2**63 - 1, 1, 2**63]))
        self.refuse("repeat", source, self.path("out.npy"), "--lengths", lengths, says=says)
        self.refuse("repeat", source, "/dev/null", "--type", "uint8", "--lengths", lengths, code=2, says="--type")
        self.refuse("repeat", source, "/dev/null", "--lengths", lengths, says=says)
        with open(lengths, "rb") as file:
            pipe = file.read()
        self.refuse("repeat", source, self.path("out.npy"), "--lengths", "-", input=pipe,
                    says="standard input: up to element 2")

    def test_more_than_the_disk_has(self):
        """Also of elements whose bytes, not numbers, are too many, and in a folder that is not this one."""
        for kind, lengths in (("uint8", [2**62, 5]), ("double", [2**61, 2**61, 1])):
            source = self.write("in.npy", npy_of(kind, [1] * len(lengths)))
            file = self.write("lengths.npy", npy_of("uint64", lengths))
            for out in (self.path("out.npy"), "out.npy", "./out.npy"):
                with self.subTest(kind=kind, out=out):
                    message = self.refuse("repeat", source, out, "--lengths", file, cwd=self.folder,
                                          says=[out + ": there is room for", "lengths.npy", str(sum(lengths))])
                    room = int(message.split("room for ")[1].split()[0])
                    disk = os.statvfs(self.folder)
                    self.assertLess(room, disk.f_blocks * disk.f_frsize + 1)
            kept = self.write("kept.npy", b"old")
            self.refuse("repeat", source, kept, "--lengths", file, says="there is room for")
            self.assertEqual(self.read("kept.npy"), b"old")

    def test_more_than_the_disk_has_of_a_column(self):
        """OUT would fit, its column or its indices not."""
        source = self.write("in.npy", npy_of("uint8", [1]))
        disk = os.statvfs(self.folder)
        lengths = self.write("lengths.npy", npy_of("uint64", [disk.f_bavail * disk.f_frsize // 4]))
        column = self.write("wide.npy", npy_of("double", [1.0]))
        for words in (["--column", column + ":" + self.path("kept.npy")], ["--out-indices", self.path("kept.npy")]):
            self.refuse("repeat", source, self.path("out.npy"), "--lengths", lengths, *words,
                        says=["kept.npy: there is room for", "8 bytes"])

    def test_a_length_that_is_wrong_far_behind(self):
        source = self.write("in.raw", bytes(400000))
        lengths = self.write("lengths.npy", npy_of("int32", [0] * 399999 + [-7]))
        self.refuse("repeat", source, self.path("out.raw"), "--type", "uint8", "--lengths", lengths,
                    says="lengths.npy: element 399999 is -7")


class RoomOfTheTemporaryFolder(CommandTest):
    """What needs more than it has is refused before anything is written. If it is not, little is, all the same."""

    def refuse_large(self, *words, **keywords):
        room = os.statvfs(tempfile.gettempdir())
        message = self.refuse(*words, says=["(temporary file): there is room for", "are needed"], **keywords,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (24 << 20, 24 << 20)))
        self.assertLess(int(message.split("room for ")[1].split()[0]), room.f_blocks * room.f_frsize + 1)

    def test_input(self):
        """Of a pipe whose header says how much is to come."""
        header = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }" % 2**56)
        self.refuse_large("scan", "-", self.path("out.npy"), "--reverse", input=header + bytes(8000))

    def test_output(self):
        room = os.statvfs(tempfile.gettempdir())
        with open(self.path("in.raw"), "wb") as file:
            try:
                file.truncate(room.f_bavail * room.f_frsize // 4)
            except OSError as error:
                self.skipTest("no file of holes is so large: %s" % error)
        self.refuse_large("scan", self.path("in.raw"), "-", "--reverse", "--type=uint8", "--output-type=uint64",
                          "--chunk-bytes=64K")


class OffsetsOfLengths(CommandTest):
    """Offsets that wrap are refused with their place, as are negative lengths, and those next to that are right."""

    def offsets(self, kind, lengths, out_type, *more):
        """In one chunk and in several."""
        source = self.write("lengths.npy", npy_of(kind, lengths))
        for chunk in ("1M", "24"):
            yield ("scan", source, self.path("out.npy"), "--offsets", "--output-type", out_type, "--chunk-bytes", chunk,
                   *more)

    def refuse_all(self, says, *arguments):
        self.write("out.npy", b"old")
        for words in self.offsets(*arguments):
            with self.subTest(words=words):
                self.refuse(*words, says=["lengths.npy: " + says])
                self.assertEqual(self.read("out.npy"), b"old")

    def succeed_all(self, kind, lengths, out_type, *more, initial=0):
        for words in self.offsets(kind, lengths, out_type, *more):
            with self.subTest(words=words):
                self.succeed(*words)
                self.assertEqual(self.elements("out.npy", out_type),
                                 list(itertools.accumulate(lengths, initial=initial)))

    def test_what_wraps(self):
        self.refuse_all("offset 2 is too large for uint32, and became 0 behind 2147483648 and the length 2147483648; "
                        "try --output-type uint64", "uint32", [2**31] * 10, "uint32")
        self.refuse_all("offset 2 is too large for uint8", "uint8", [200] * 1000, "uint8")
        self.refuse_all("offset 328 is too large for uint16", "uint8", [200] * 1000, "uint16")
        self.refuse_all("offset 7 is too large for int8", "int8", [20] * 30, "int8")
        self.refuse_all("offset 2 is too large for uint64, and became 0 behind", "uint64", [2**63] * 2, "uint64")
        # Of lengths that the type does not hold, offsets need not become smaller.
        self.refuse_all("offset 1 is too large for int32, and became -5 behind 0 and the length 4294967291", "uint32",
                        [2**32 - 5, 3], "int32")

    def test_negative_lengths(self):
        """Also where the offsets hold what they come to."""
        for kind, lengths, out_type, place, wrong in (("int8", [-1, 3], "uint32", 0, -1),
                                                      ("int8", [2, 1, -2, 9], "uint64", 2, -2),
                                                      ("int16", [5, 7, 3, 0, 1, -8], "int16", 5, -8),
                                                      ("int64", [2**62, -2**63], "int64", 1, -2**63)):
            self.refuse_all("the length behind offset %d is %d, negative" % (place, wrong), kind, lengths, out_type)
        source = self.write("lengths.npy", npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }",
                                               pack("int32", [1, 2, 3, 4, -5, 6])))
        for axis, place in (("1", 5), ("0", 4)):
            self.refuse("scan", source, self.path("out.npy"), "--offsets", "--axis", axis,
                        says="the length behind offset %d is -5, negative" % place)

    def test_the_total(self):
        """It is an offset, too, and has no element."""
        self.refuse_all("offset 31 is too large for uint8", "uint8", [8] * 30 + [16], "uint8", "--init=6")
        self.refuse_all("offset 31 is too large for uint8", "uint8", [8] * 30 + [16], "uint8")
        self.succeed_all("uint8", [8] * 30 + [15], "uint8")
        self.succeed_all("uint8", [8] * 30 + [14], "uint8", "--init=1", initial=1)

    def test_what_fits(self):
        self.succeed_all("uint32", [2**31] * 10, "uint64")
        self.succeed_all("int16", [5, 7, 3, 0, 9, 8], "int16", "--init=-20", initial=-20)
        self.succeed_all("int64", [2**62, 2**62, 0, 2**62 - 1], "int64", "--init=-%d" % 2**62, initial=-2**62)
        self.succeed_all("uint64", [2**64 - 2, 0, 1], "uint64")
        self.succeed_all("uint8", [], "uint8")

    def test_maps_and_other_operators(self):
        """What an expression makes is seen where offsets have no sign; other operators do not wrap."""
        self.refuse_all("offset 3 is too large for uint8, and became 44 behind 200;", "uint8", [1] * 4, "uint8",
                        "--load", "element * 100")
        source = self.write("in.npy", npy_of("uint8", [9, 3, 7, 1]))
        self.succeed("scan", source, self.path("out.npy"), "--offsets", "--op", "min")
        self.assertEqual(self.elements("out.npy", "uint8"), [255, 9, 3, 3, 1])

    def test_pipes(self):
        """Nothing says that what was written is complete."""
        self.refuse("scan", "-", "-", "--type", "uint8", "--offsets", input=bytes([200] * 5),
                    says="standard input: offset 2 is too large for uint8")


class Expressions(CommandTest):
    """One expression each, whose errors name the option and the line."""

    def setUp(self):
        super().setUp()
        self.source, self.out = self.write("in.npy", npy_of("uint32", [1, 0, 5])), self.path("out.npy")

    def commands(self):
        yield ("select", self.source, self.out, "--where")
        yield ("scan", self.source, self.out, "--load")
        yield ("scan", self.source, self.out, "--store")
        yield ("reduce", self.source, "--load")
        yield ("reduce", self.source, "--store")
        yield ("reduce", self.source, "--keys", self.source, "--sums", self.out, "--equal")

    def test_more_than_one(self):
        for words in self.commands():
            for expression, says in (("1) ; int x = (1", "')' that closes nothing"), ("1; 2", "';'"),
                                     ("(1", "not closed"), ("1 /*", "comment that does not end")):
                with self.subTest(words=words, expression=expression):
                    self.refuse(*words, expression, says=[words[-1] + " has a", says])
        self.succeed("select", self.source, self.out, "--where", "element > (1 /* ; */ + 0) // )")
        self.assertEqual(self.elements("out.npy", "uint32"), [5])

    def test_errors_name_the_option(self):
        for words in self.commands():
            for expression in ("nothing_like_it > 1", "index >", "(int2)(1, 2)"):
                with self.subTest(words=words, expression=expression):
                    message = self.refuse(*words, expression)
                    self.assertIn("%s does not compile as an expression of OpenCL C" % words[-1], message)
                    self.assertNotIn("problem->", message)
                    if words[-1] != "--equal":
                        self.assertIn(words[-1] + ":1:", message)
                        self.assertNotIn(words[-1] + ":2:", message)

    def test_names_of_the_library(self):
        for words in self.commands():
            with self.subTest(words=words):
                message = self.refuse(*words, "clscan_x + 1", says=[words[-1], "clscan_x"])
                self.assertNotIn("problem->", message)

    def test_names_of_the_command(self):
        """What it calls its own is not found: an expression that called itself would not end."""
        for words in self.commands():
            for name in ("npy_kept", "npy_loaded", "npy_stored"):
                with self.subTest(words=words, name=name):
                    self.refuse(*words, name + "(1, 2)", says=words[-1] + " has the name " + name)
            for expression in ("kept(1, 2)", "loaded(1, 2)", "stored(1, 2)", "index_of_first > 0", "last > 0"):
                with self.subTest(words=words, expression=expression):
                    self.refuse(*words, expression, says=words[-1] + " does not compile",
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, 60)))

    def test_structs_do_not_compile(self):
        for member, line in (("combine", "return nothing;"), ("source", "int broken(void) { return nothing; }")):
            described = {"schema_version": 1, "name": "one", "fields": [{"name": "a", "type": "uint32"}],
                         "combine": ["return left;"], member: [line]}
            path = self.write("one.json", json.dumps(described).encode())
            with self.subTest(member=member):
                message = self.refuse("scan", self.write("in.raw", bytes(8)), self.out, "--struct", path,
                                      says=["--struct does not compile", "nothing", member + ":1:"])
                self.assertNotIn("problem->", message)


class NotMeasured(CommandTest):
    """The log says what it is that is not measured at first use."""

    def test_reasons(self):
        source = self.write("in.npy", npy_of("int32", [1, 2, 3]))
        for words, says in ((["--load", "element * 2"], "it has maps"), (["--store", "sum * 2"], "it has maps"),
                            (["--keys", source], "it has segments"),
                            (["--output-type", "int64"], "elements, sums and outputs differ in type")):
            with self.subTest(words=words):
                done = self.run_command("scan", source, self.path("out.npy"), "--measure", "100ms", *words,
                                        env={"CLSCAN_LOG": "info"})
                self.assertEqual(done.returncode, 0, done.stderr.decode())
                self.assertIn("not measured at first use: " + says, done.stderr.decode())


class Masks(CommandTest):
    """Booleans of NumPy say something of other elements, and are none themselves."""

    def test_booleans(self):
        source = self.write("in.npy", npy_of("int32", [1, 2, 3, 4, 5]))
        mask = self.write("mask.npy", npy_of("uint8", [1, 0, 0, 1, 1]).replace(b"|u1", b"|b1"))
        self.succeed("select", source, self.path("out.npy"), "--flags", mask)
        self.assertEqual(self.elements("out.npy", "int32"), [1, 4, 5])
        self.succeed("repeat", source, self.path("out.npy"), "--lengths", mask)
        self.assertEqual(self.elements("out.npy", "int32"), [1, 4, 5])
        for way in ("--segment-flags", "--keys"):
            self.succeed("scan", source, self.path("out.npy"), way, mask)
            self.assertEqual(self.elements("out.npy", "int32"),
                             [1, 3, 6, 4, 5] if way == "--segment-flags" else [1, 2, 5, 4, 9])
        self.succeed("reduce", source, "--keys", mask, "--sums", self.path("sums.npy"), "--out-keys",
                     self.path("keys.npy"))
        self.assertEqual(self.elements("sums.npy", "int32"), [1, 5, 9])
        self.assertEqual(self.booleans("keys.npy"), [1, 0, 1])
        self.refuse("scan", mask, self.path("other.npy"), says=["mask.npy", "bool"])

    def booleans(self, name):
        self.assertIn(b"'|b1'", self.read(name))
        self.write("bytes.npy", self.read(name).replace(b"|b1", b"|u1"))
        return self.elements("bytes.npy", "uint8")

    def test_booleans_that_are_moved(self):
        """They stay booleans. Expressions have them as numbers."""
        values = [i % 7 % 3 == 0 for i in range(300)]
        mask = self.write("mask.npy", npy_of("uint8", values).replace(b"|u1", b"|b1"))
        numbers = self.write("numbers.npy", npy_of("int32", range(300)))
        out = self.path("out.npy")
        for words, kept in ((["--indices"], [i for i in range(300) if values[i]]),
                            (["--where", "element + 1 == 1", "--indices"], [i for i in range(300) if not values[i]]),
                            (["--unique", "--indices"],
                             [i for i in range(300) if i == 0 or values[i] != values[i - 1]])):
            self.succeed("select", mask, out, *words)
            self.assertEqual(self.elements("out.npy", "uint64"), kept)
            found = json.loads(self.succeed("select", mask, out, *words[:-1], "--json"))
            self.assertEqual(self.booleans("out.npy"), [values[i] for i in kept])
            self.assertEqual(found["type"], "bool")
        self.succeed("select", numbers, out, "--where", "element % 2", "--column", mask + ":" + self.path("column.npy"))
        self.assertEqual(self.booleans("column.npy"), values[1::2])
        self.succeed("repeat", mask, out, "--lengths", mask)
        self.assertEqual(self.booleans("out.npy"), [1] * sum(values))


class Structs(CommandTest):
    """What is no number is moved whole, and needs no operator for that."""

    def npy_of_structs(self, descr, size_bytes, count):
        data = bytes(i * 7 % 251 for i in range(size_bytes * count))
        text = "{'descr': %s, 'fortran_order': False, 'shape': (%d,), }\n" % (descr, count)
        return npy(text, data), [data[i:i + size_bytes] for i in range(0, len(data), size_bytes)]

    def moved(self, name, descr):
        data = self.read(name)
        begin = 10 + int.from_bytes(data[8:10], "little")
        self.assertIn(descr.encode(), data[:begin])
        return data[begin:]

    def test_structs(self):
        for descr, size_bytes in takes((("[('a', '<f4'), ('b', '|u1')]", 5), ("[('a', '<i4'), ('b', '<f8')]", 12),
                                        ("'<c16'", 16), ("[('a', '<i2'), ('', '|V6'), ('b', '<f8')]", 16))):
            file, elements = self.npy_of_structs(descr, size_bytes, 300)
            source = self.write("in.npy", file)
            flags = [i * 5 % 7 < 3 for i in range(300)]
            numbers = self.write("numbers.npy", npy_of("int32", range(300)))
            mask = self.write("mask.npy", npy_of("uint8", flags))
            lengths = self.write("lengths.npy", npy_of("uint8", [i % 4 for i in range(300)]))
            kept = b"".join(element for element, flag in zip(elements, flags) if flag)
            for chunk in ("400", "1M"):
                with self.subTest(descr=descr, chunk=chunk):
                    more = ("--chunk-bytes", chunk)
                    self.succeed("select", source, self.path("out.npy"), "--flags", mask, "--rest",
                                 self.path("rest.npy"), *more)
                    self.assertEqual(self.moved("out.npy", descr), kept)
                    self.assertEqual(self.moved("rest.npy", descr), b"".join(
                        element for element, flag in zip(elements, flags) if not flag))
                    self.succeed("select", numbers, self.path("out.npy"), "--flags", mask, "--column",
                                 source + ":" + self.path("column.npy"), *more)
                    self.assertEqual(self.moved("column.npy", descr), kept)
                    self.succeed("repeat", source, self.path("out.npy"), "--lengths", lengths, *more)
                    self.assertEqual(self.moved("out.npy", descr),
                                     b"".join(element * (i % 4) for i, element in enumerate(elements)))
            found = json.loads(self.succeed("select", source, self.path("out.npy"), "--flags", mask, "--json"))
            self.assertEqual((found["type"], found["kept"]), ("complex" if "c16" in descr else "struct", sum(flags)))
            self.succeed("select", source, self.path("out.npy"), "--flags", mask, "--indices")
            self.assertEqual(self.elements("out.npy", "uint64"), [i for i, flag in enumerate(flags) if flag])
            self.refuse("select", source, self.path("other.npy"),
                        says=["in.npy", "complex numbers" if "c16" in descr else "structs", "--flags"])

    def test_types_that_are_only_moved(self):
        """They leave with the type that they came with, and nothing else is done with them."""
        for descr, size_bytes, name in takes((("'<U3'", 12, "<U3"), ("'<M8[s]'", 8, "<M8[s]"), ("'|S5'", 5, "|S5"),
                                              ("'>i4'", 4, ">i4"), ("'|V64'", 64, "|V64"),
                                              ("[('a', '<f4', (2, 3)), ('b', [('c', '<U2')])]", 32, "structs"))):
            file, elements = self.npy_of_structs(descr, size_bytes, 300)
            source = self.write("in.npy", file)
            numbers = self.write("numbers.npy", npy_of("int32", range(300)))
            mask = self.write("mask.npy", npy_of("uint8", [i % 3 == 1 for i in range(300)]))
            with self.subTest(descr=descr):
                self.succeed("select", source, self.path("out.npy"), "--flags", mask)
                self.assertEqual(self.moved("out.npy", descr), b"".join(elements[1::3]))
                self.succeed("select", numbers, self.path("out.npy"), "--flags", mask, "--column",
                             source + ":" + self.path("column.npy"))
                self.assertEqual(self.moved("column.npy", descr), b"".join(elements[1::3]))
                self.succeed("repeat", source, self.path("out.npy"), "--lengths", mask, "--chunk-bytes", "400")
                self.assertEqual(self.moved("out.npy", descr), b"".join(elements[1::3]))
                other = self.path("other.npy")
                self.refuse("select", source, other, says=["in.npy", name, "--flags"])
                self.refuse("select", source, other, "--unique", says=["in.npy", name, "--unique"])
                self.refuse("scan", source, other, says="in.npy: ")
                self.refuse("scan", numbers, other, "--keys", source, says="in.npy: ")
                self.refuse("select", numbers, other, "--flags", source, says="in.npy: ")
        for descr, size_bytes, says in (("'<U17'", 68, "more than 64 bytes"), ("'|O'", 8, "objects"),
                                        ("'<U0'", 1, "'<U0'")):
            source = self.write("in.npy", self.npy_of_structs(descr, size_bytes, 300)[0])
            self.refuse("select", source, self.path("other.npy"), "--flags", mask, says=["in.npy", says])
