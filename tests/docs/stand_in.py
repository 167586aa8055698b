"""What the commands of the documentation run instead of programs that take long, install, or build.

    stand_in.py PATH ARGUMENT...

test_shell_blocks.py puts calls of it into PATH and into a copy of the repository, under the names of those programs.
It fails if the real program would not know the command line; a short command it hands on.

DOCS_SOURCE is the repository, DOCS_BUILD its build folder, DOCS_PREFIX a folder to install to, DOCS_PATH the PATH
without stand-ins.
"""
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["DOCS_SOURCE"])
BUILD = os.environ["DOCS_BUILD"]
PREFIX = os.environ["DOCS_PREFIX"]
NOT_RUN = ("apt-get",)


def fail(message):
    sys.exit("%s: %s" % (" ".join(sys.argv[1:]), message))


def run(program, *arguments, **environment):
    """Become the real program."""
    path = os.environ["DOCS_PATH"]
    os.execvpe(program, [program, *arguments], {**os.environ, "PATH": path, **environment})


def check_preset(kind, words):
    """The word behind --preset names a preset of that kind."""
    name = words[words.index("--preset") + 1]
    with open(SOURCE / "CMakePresets.json", encoding="utf-8") as file:
        presets = json.load(file)[kind]
    if not any(preset["name"] == name and not preset.get("hidden") for preset in presets):
        fail("CMakePresets.json has no such preset among its %s" % kind)


def check_target(words):
    """The word behind --target names a target of the build."""
    name = words[words.index("--target") + 1]
    targets = subprocess.run(["cmake", "--build", BUILD, "--target", "help"], stdout=subprocess.PIPE, check=True,
                             universal_newlines=True, env={**os.environ, "PATH": os.environ["DOCS_PATH"]}).stdout
    if not re.search(r"^%s:" % re.escape(name), targets, re.MULTILINE):
        fail("there is no such target")


def cmake(words):
    if words[0] == "--install":
        run("cmake", "--install", BUILD, "--prefix", PREFIX)
    kind = "configurePresets"
    if words[0] == "--build":
        kind = "buildPresets"
        words = words[1:]
    if "--preset" in words:
        check_preset(kind, words)
    elif kind == "configurePresets" or not re.fullmatch(r"build/\w+", words[0]):
        fail("neither a preset nor its build folder")
    if "--target" in words:
        check_target(words)


def ctest(words):
    """Some tests would be run."""
    check_preset("testPresets", words)
    at = words.index("--preset")
    words = words[:at] + words[at + 2:]
    listed = subprocess.run(["ctest", "--test-dir", BUILD, "-N", *words], stdout=subprocess.PIPE, check=True,
                            universal_newlines=True, env={**os.environ, "PATH": os.environ["DOCS_PATH"]}).stdout
    if "Total Tests: 0" in listed:
        fail("there are no such tests")


def script(name, words):
    """The script exists and knows the options; its text, or that of what scripts share, is the witness."""
    text = (SOURCE / "scripts" / name).read_text(encoding="utf-8")
    for path in (SOURCE / "scripts/lib").rglob("*.*"):
        if path.suffix in (".py", ".sh"):
            text += path.read_text(encoding="utf-8")
    for word in words:
        if word.startswith("--") and word.split("=")[0] not in text:
            fail("scripts/%s does not know %s" % (name, word))


def tune(path, words):
    """Say what a run would do. What would go on with a run, or check its config, shall know the command line."""
    if "--output" in words:
        shutil.copy(SOURCE / "tuned-configs/generic/cpu.json", words[words.index("--output") + 1])
        words = [*words, "--output", "not-there.json"]
    if "--replay" in words or "--list" in words or "--renew-revisions" in words:
        run(path, *words)
    if "--resume" not in words and "--verify" not in words:
        run(path, *words, "--dry-run")
    done = subprocess.run([path, *words, "--device", "no such device"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, universal_newlines=True)
    if done.returncode != 1:
        fail(done.stdout)


def program(name, words):
    """A program of the build."""
    path = next(glob.iglob("%s/*/%s" % (glob.escape(BUILD), name)))
    if name.startswith("test_"):
        return  # it is there; ctest runs it
    if name == "clscan-bench":
        words = [*words, "--list"]  # reads the command line, and does not measure
    if name == "clscan" and words[:1] == ["verify"]:
        words = [*words, "--quick", "--type", "uint8"]  # the last one counts
    if name == "clscan-tune":
        tune(path, words)
        return
    run(path, *words)


def main():
    folder, name = os.path.split(sys.argv[1])
    words = sys.argv[2:]
    if os.path.basename(folder) == "scripts":
        script(name, words)
    elif name == "cmake":
        cmake(words)
    elif name == "ctest":
        ctest(words)
    elif name == "sudo":
        os.execvp(words[0], words)
    elif name == "pkg-config":
        (folder,) = glob.glob(glob.escape(PREFIX) + "/lib/**/pkgconfig", recursive=True)
        run("pkg-config", "--define-variable=prefix=" + PREFIX, *words, PKG_CONFIG_PATH=folder)
    elif name not in NOT_RUN:
        program(name, words)


if __name__ == "__main__":
    main()
