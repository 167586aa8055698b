"""The tables of docs/offline-compilation.md: one per GPU, between two comments that name it."""
import re

from .targets import occupancy

# Head of the table by vendor, and what stands in the columns behind entry and type.
COLUMNS = {
    "amd": ("vector registers", "scalar registers", "waves of {most} per SIMD"),
    "intel": ("registers", "work-items per thread", "threads of {most} per Xe core"),
    "nvidia": ("registers", "warps of {most} per SM"),
}


def numbers(program):
    """Columns of one program: the most that one of its kernels takes, and the least that is resident."""
    target, kernels = program["target"], program["kernels"]
    resident = min(occupancy(target, kernel, program["work_group_size"]) for kernel in kernels)
    middle = {"amd": [max(kernel.scalars or 0 for kernel in kernels)],
              "intel": [min(kernel.simd or 0 for kernel in kernels)], "nvidia": []}[target.vendor]
    return [max(kernel.registers for kernel in kernels), *middle, resident,
            max(kernel.local_bytes for kernel in kernels), max(kernel.spills for kernel in kernels),
            max(kernel.scratch_bytes for kernel in kernels)]


def cell(values):
    """One number, or those of both operators."""
    return " / ".join(map(str, values)) if len(set(values)) > 1 else str(values[0])


def head(target):
    columns = ("config", "entry", "variant", "type", *COLUMNS[target.vendor], "local bytes", "spills", "scratch bytes")
    return "| %s |\n|%s" % (" | ".join(columns).format(most=target.limits.most), "---|" * len(columns))


def table(target, programs, version):
    """The text between the comments of one GPU."""
    rows = {}
    for program in programs:
        key = (program["config"], int(program["entry"].rsplit("/", 1)[1]), program["variant"], program["type"])
        rows.setdefault(key, {})[program["operator"]] = numbers(program)
    # An entry for custom operators with a variant that the one for built-in operators has shares its row.
    merged = {}
    for (config, entry, variant, kind), by_operator in rows.items():
        at, known = merged.setdefault((config, variant, kind), (entry, {}))
        known.update(by_operator)
        merged[(config, variant, kind)] = (min(at, entry), known)
    lines = ["%s, compiled with %s as %s." % (target.title, version, target.device), "", head(target)]
    configs = list(dict.fromkeys(config for config, _, _ in merged))
    for (config, variant, kind), (entry, by_operator) in sorted(merged.items(),
                                                                key=lambda row: configs.index(row[0][0])):
        operators = [by_operator[name] for name in ("add", "custom") if name in by_operator]
        words = [config.removeprefix("built-in "), str(entry), variant.split(" ")[0].replace("+", " "), kind]
        lines.append("| %s |" % " | ".join(words + [cell(values) for values in zip(*operators)]))
    return "\n".join(lines) + "\n"


def section_pattern(chip):
    return re.compile(r"(<!-- %s -->\n)(.*?)(<!-- end -->\n)" % re.escape(chip), re.DOTALL)


def version_in(text):
    found = re.search(r"compiled with (.*) as ", text)
    return found.group(1) if found else None


def update(path, programs, versions, write):
    """Compare the tables with what was compiled, or write them. Return problems, one line each."""
    text = path.read_text(encoding="utf-8")
    problems = []
    entries = [program for program in programs if program["config"] and not program["entry"].endswith("rows")]
    for target in dict.fromkeys(program["target"] for program in entries):
        version = versions[target.vendor]
        new = table(target, [program for program in entries if program["target"] == target], version)
        found = section_pattern(target.chip).search(text)
        if found is None:
            problems.append("%s has no table for %s" % (path.name, target.chip))
        elif write:
            text = text[:found.start(2)] + new + text[found.end(2):]
        elif version_in(found.group(2)) != version:
            print("%-8s not compared with its table, which %s made" % (target.chip, version_in(found.group(2))))
        elif found.group(2) != new:
            problems.append("%s: the table of %s is not what the compilers say now; scripts/check-offline --write"
                            % (path.name, target.chip))
    if write and not problems:
        path.write_text(text, encoding="utf-8")
    return problems
