#!/usr/bin/env python3
"""Do the structs and enumerators of frozen headers stand in today's where they stood? And has no struct padding?

usage: check_layout.py COMPILER FROZEN TODAY[:TODAY...] [INCLUDE...]
"""
import re
import subprocess
import sys
import tempfile

STRUCT = re.compile(r"typedef struct (clscan_\w+)\s*\{(.*?)\}\s*\1\s*;", re.S)
ENUM = re.compile(r"typedef enum (clscan_\w+)\s*\{(.*?)\}\s*\1\s*;", re.S)
# Numbers of values, which grow with the lists, and places for what is to come.
GROWS = re.compile(r"_(COUNT|END)$")
RESERVED = re.compile(r"^reserved")


def read(compiler, folders):
    """{struct: [field]} and {enum: [enumerator]} of the headers in folders."""
    command = [compiler, "-E", "-P", "-DCL_TARGET_OPENCL_VERSION=120", "-x", "c", "-"]
    command += ["-I" + folder for folder in folders]
    text = subprocess.run(command, input="#include <clscan/clscan.h>\n", capture_output=True, text=True, check=True)
    structs, enums = {}, {}
    for name, body in STRUCT.findall(text.stdout):
        body = re.sub(r"union\s*\{|\}\s*;", "", body)  # its members are named like the struct's own
        fields = [re.search(r"(\w+)\s*(\[[^\]]*\]\s*)?$", part.strip()) for part in body.split(";") if part.strip()]
        structs[name] = [field.group(1) for field in fields]
    for name, body in ENUM.findall(text.stdout):
        enums[name] = [part.split("=")[0].strip() for part in body.split(",") if part.strip()]
    return structs, enums


def measure(compiler, folders):
    """{"struct": size}, {("struct", "field"): (offset, size)} and {"ENUMERATOR": value}, by a compiled program."""
    structs, enums = read(compiler, folders)
    lines = []
    for name, fields in structs.items():
        lines.append(f'printf("S {name} %zu\\n", sizeof({name}));')
        lines += [f'printf("F {name} {field} %zu %zu\\n", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));'
                  for field in fields]
    for enumerators in enums.values():
        lines += [f'printf("E {enumerator} %lld\\n", (long long){enumerator});' for enumerator in enumerators]
    source = "#include <clscan/clscan.h>\n#include <stdio.h>\nint main(void)\n{\n" + "\n".join(lines) + "\n}\n"
    with tempfile.TemporaryDirectory() as folder:
        program = folder + "/layout"
        command = [compiler, "-x", "c", "-", "-o", program, "-DCL_TARGET_OPENCL_VERSION=120"]
        subprocess.run(command + ["-I" + one for one in folders], input=source, text=True, check=True)
        output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    sizes, fields, values = {}, {}, {}
    for line in output.splitlines():
        kind, *words = line.split()
        if kind == "S":
            sizes[words[0]] = int(words[1])
        elif kind == "F":
            fields[words[0], words[1]] = (int(words[2]), int(words[3]))
        else:
            values[words[0]] = int(words[1])
    return sizes, fields, values


def compare(frozen, today):
    """What a program that was compiled against the frozen headers would see go wrong."""
    problems = []
    for struct, size in frozen[0].items():
        grows = (struct, "struct_size") in frozen[1]
        now = today[0].get(struct, 0)
        if now < size or (now != size and not grows):
            problems.append(f"{struct} has {now} bytes, and had {size}")
    for (struct, field), place in frozen[1].items():
        now = today[1].get((struct, field))
        if now != place and not RESERVED.match(field):
            problems.append(f"{struct}.{field} has offset and size {now}, and had {place}")
    for enumerator, value in frozen[2].items():
        if today[2].get(enumerator) != value and not GROWS.search(enumerator):
            problems.append(f"{enumerator} is {today[2].get(enumerator)}, and was {value}")
    return problems


def find_padding(layout):
    """Bytes of structs that belong to no field."""
    problems = []
    for struct, size in layout[0].items():
        end = 0
        for offset, bytes_ in sorted(place for (of, _), place in layout[1].items() if of == struct):
            if offset > end:
                problems.append(f"{struct} has padding before byte {offset}")
            end = max(end, offset + bytes_)
        if end != size:
            problems.append(f"{struct} has padding at its end, from byte {end} to {size}")
    return problems


def main():
    compiler, frozen, today, *others = sys.argv[1:]
    layouts = [measure(compiler, folders + others) for folders in ([frozen], today.split(":"))]
    problems = compare(*layouts) + find_padding(layouts[1])
    for problem in problems:
        print(problem)
    print(f"layout: {len(layouts[0][0])} structs, {len(layouts[0][1])} fields, {len(layouts[0][2])} enumerators, "
          f"{len(problems)} problems")
    # A parser that finds nothing would find no problem either.
    return 1 if problems or len(layouts[0][0]) < 10 or len(layouts[0][2]) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
