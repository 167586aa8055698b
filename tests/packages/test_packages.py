"""The Debian packages in the folder CLSCAN_PACKAGES, unpacked and used. scripts/check-packages runs this."""
import fnmatch
import hashlib
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = pathlib.Path(os.environ["CLSCAN_PACKAGES"])
# What a package may hold beside its copyright and changelog; * stands for any characters. LIB is the folder of
# libraries.
EXPECTED = {
    "library": ["LIB/libclscan.so.*", "usr/share/doc/*/CHANGELOG.md"],
    "development": ["LIB/libclscan.so", "LIB/libclscan.a", "LIB/pkgconfig/clscan.pc", "LIB/cmake/clscan/*.cmake",
                    "usr/include/clscan/*.h", "usr/share/doc/*/examples/first_scan.c"],
    "tools": ["usr/bin/clscan", "usr/bin/clscan-*", "usr/share/man/man[157]/clscan*.gz",
              "usr/share/bash-completion/completions/clscan*", "usr/share/zsh/*/_clscan*",
              "usr/share/fish/*/clscan*.fish"],
}
DEPENDENCIES = {
    "library": ["libc6", "libjansson4", "ocl-icd-libopencl1"],
    "development": ["{library} (= {version})", "ocl-icd-opencl-dev", "opencl-c-headers", "libjansson-dev"],
    "tools": ["{library} (= {version})", "libc6", "ocl-icd-libopencl1"],
}


def run(*command, **options):
    """The output of a command that has to succeed."""
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, check=False, **options)
    if result.returncode != 0:
        raise AssertionError("%s: exit status %d\n%s" % (command[0], result.returncode, result.stdout))
    return result.stdout


def project_version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^project\(clscan VERSION ([\d.]+)", text, re.MULTILINE).group(1)


class Package:
    """One .deb file, unpacked."""

    def __init__(self, name, folder):
        self.name = name
        self.file, = FOLDER.glob(name + "_*.deb")
        self.folder = folder / name
        run("dpkg-deb", "--raw-extract", self.file, self.folder)
        self.control = self.folder / "DEBIAN"
        self.files = sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*")
                            if (path.is_symlink() or path.is_file()) and path.parent != self.control)

    def regular_files(self):
        """Path and contents of what is no link."""
        for name in self.files:
            if not (self.folder / name).is_symlink():
                yield name, (self.folder / name).read_bytes()

    def field(self, name):
        return run("dpkg-deb", "--field", self.file, name).strip()

    def binaries(self):
        """Programs and shared libraries."""
        return [self.folder / name for name, contents in self.regular_files() if contents[:4] == b"\x7fELF"]


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # pylint: disable-next=consider-using-with
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.version = project_version()
        names = {"library": "libclscan" + cls.version.split(".")[0], "development": "libclscan-dev",
                 "tools": "clscan-tools"}
        cls.packages = {part: Package(name, pathlib.Path(cls.scratch.name)) for part, name in names.items()}
        cls.lib = "usr/lib/" + run("dpkg-architecture", "-q", "DEB_HOST_MULTIARCH").strip()
        # All in one tree, as they are when they are installed.
        cls.system = pathlib.Path(cls.scratch.name) / "system"
        for package in cls.packages.values():
            run("dpkg-deb", "--extract", package.file, cls.system)

    def test_every_file_lies_in_its_package(self):
        for part, package in self.packages.items():
            patterns = [pattern.replace("LIB", self.lib) for pattern in EXPECTED[part]]
            patterns += ["usr/share/doc/%s/%s" % (package.name, name) for name in ("copyright", "changelog.gz")]
            for name in package.files:
                with self.subTest(package=package.name, file=name):
                    self.assertTrue(any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns))

    def test_nothing_is_missing(self):
        headers = {"usr/include/clscan/" + path.name.removesuffix(".in")
                   for path in (ROOT / "include/clscan").iterdir()}
        wanted = {
            "library": {self.lib + "/libclscan.so." + self.version},
            "development": headers | {self.lib + "/libclscan.so", self.lib + "/libclscan.a"},
            "tools": {"usr/bin/clscan", "usr/bin/clscan-bench", "usr/bin/clscan-tune"},
        }
        for part, package in self.packages.items():
            self.assertEqual(wanted[part] - set(package.files), set(), package.name)

    def test_control_fields(self):
        for package in self.packages.values():
            self.assertEqual(package.field("Version"), self.version)
            self.assertEqual(package.field("Source"), "clscan")
            self.assertEqual(package.field("Multi-Arch"), "foreign" if package.name == "clscan-tools" else "same")

    def test_dependencies(self):
        known = {"version": self.version, "library": self.packages["library"].name}
        for part, package in self.packages.items():
            depends = [alternative.strip() for group in package.field("Depends").split(",")
                       for alternative in group.split("|")]
            for wanted in DEPENDENCIES[part]:
                wanted = wanted.format(**known)
                self.assertTrue(any(depend == wanted or depend.startswith(wanted + " (") for depend in depends),
                                "%s does not depend on %s: %s" % (package.name, wanted, depends))
            for peer in ("tbb", "libstdc++", "boost"):
                self.assertNotIn(peer, package.field("Depends"))

    def test_the_linker_learns_of_the_library_by_a_trigger(self):
        library = self.packages["library"]
        self.assertEqual((library.control / "triggers").read_text(), "activate-noawait ldconfig\n")
        soversion = self.version.split(".")[0]
        self.assertEqual((library.control / "shlibs").read_text().split(),
                         ["libclscan", soversion, library.name, "(>=", self.version + ")"])
        for package in self.packages.values():
            scripts = [name for name in ("preinst", "postinst", "prerm", "postrm") if (package.control / name).exists()]
            self.assertEqual(scripts, [], package.name)

    def test_checksums(self):
        for package in self.packages.values():
            lines = (package.control / "md5sums").read_text().splitlines()
            listed = {name: checksum for checksum, name in (line.split(maxsplit=1) for line in lines)}
            found = {name: hashlib.md5(contents).hexdigest() for name, contents in package.regular_files()}
            self.assertEqual(listed, found)

    def test_binaries_are_hardened_and_look_in_no_folder_of_their_own(self):
        for package in self.packages.values():
            for binary in package.binaries():
                with self.subTest(binary=binary.name):
                    dynamic = run("readelf", "--dynamic", "--wide", binary)
                    self.assertNotRegex(dynamic, r"RPATH|RUNPATH")
                    self.assertRegex(dynamic, r"FLAGS.*NOW")
                    self.assertIn("GNU_RELRO", run("readelf", "--program-headers", "--wide", binary))
                    self.assertRegex(run("readelf", "--file-header", binary), r"Type:\s+DYN")
                    self.assertIn("__stack_chk_fail", run("readelf", "--dyn-syms", "--wide", binary))
                    self.assertNotRegex(run("readelf", "--sections", "--wide", binary), r"\.symtab|\.debug_")

    def test_no_file_tells_where_it_was_built(self):
        for package in self.packages.values():
            for name, contents in package.regular_files():
                self.assertNotIn(str(ROOT).encode(), contents, name)

    def test_exported_functions(self):
        run(ROOT / "scripts/check-symbols", "--library", self.system / self.lib / "libclscan.so")

    def test_programs_run(self):
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.system / self.lib)}
        self.assertIn("pocl", run(self.system / "usr/bin/clscan", "devices", env=environment).lower())
        for name in ("clscan-bench", "clscan-tune"):
            run(self.system / "usr/bin" / name, "--list", env=environment)

    def test_development_files(self):
        scratch = pathlib.Path(self.scratch.name) / "use"
        scratch.mkdir()
        run(ROOT / "tests/install/use.sh", ROOT, scratch, self.system / "usr")


if __name__ == "__main__":
    unittest.main()
