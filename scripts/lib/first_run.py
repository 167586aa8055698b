"""What scripts/first-run prints of the results that it has measured.

    first_run.py table RUN.json TITLE [VARIANT]    a few lines: clscan, what it is compared with, and a copy
    first_run.py end RUN.json VARIANT NEXT         the five lines at the end

RUN.json is a file of clscan-bench --json with one count; VARIANT is what tuning chose, or empty.
"""

import json
import sys

NAMES = {"serial": "serial loop", "tbb": "TBB"}


class Run:
    """Rows of one count by what a reader calls them, and the fastest copy."""

    def __init__(self, path, tuned):
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        self.device = content["device"]["name"]
        self.platform = content["device"]["platform"]
        rows = [row for row in content["rows"] if row["status"] == "ok"]
        self.count = rows[0]["count"]
        self.copy = min((row for row in rows if row["contender"].startswith("copy ")), key=lambda row: row["median_ns"])
        self.found = {}
        for row in rows:
            if row["contender"] == "clscan config":
                self.found["clscan"] = row
            elif row["contender"] == "clscan" and row["variant"] == tuned:
                self.found["clscan, tuned"] = row
            elif row["contender"] in NAMES:
                self.found[NAMES[row["contender"]]] = row
        # The same variant twice would show noise only.
        self.is_known = bool(tuned) and self.found["clscan"]["variant"] == tuned
        if self.is_known:
            self.found.pop("clscan, tuned", None)

    @property
    def best(self):
        """The row that a user of this machine gets from now on."""
        return self.found.get("clscan, tuned", self.found["clscan"])

    def times(self, row, other):
        """How many times as fast `row` is as `other`, as text."""
        return "%.2f" % (other["median_ns"] / row["median_ns"])


def table(path, title, tuned=""):
    """Lines of one problem."""
    run = Run(path, tuned)
    yield "%s, %d elements" % (title, run.count)
    yield "  %-14s %12s %9s %9s %14s" % ("", "ms", "GB/s", "of copy", "times serial")
    serial = run.found.get("serial loop")
    for name, row in [*run.found.items(), ("copy", run.copy)]:
        yield "  %-14s %12.3f %9.1f %9.2f %14s" % (
            name, row["median_ns"] / 1e6, row["gb_per_s"], run.copy["median_ns"] / row["median_ns"],
            run.times(row, serial) if serial else "-")


def end(path, tuned, following):
    """The five lines that a reader should keep."""
    run = Run(path, tuned)
    serial = run.found.get("serial loop")
    yield "device        %s (%s)" % (run.device, run.platform)
    yield "rate          %.1f GB/s, %.2f of a copy" % (run.best["gb_per_s"],
                                                      run.copy["median_ns"] / run.best["median_ns"])
    yield "times serial  %s" % (run.times(run.best, serial) if serial else "not measured")
    if "clscan, tuned" in run.found:
        yield "tuning        %s times as fast as before, at these %d elements" % (
            run.times(run.best, run.found["clscan"]), run.count)
    elif run.is_known:
        yield "tuning        nothing faster than before, at these %d elements" % run.count
    else:
        yield "tuning        made no config; its log says why"
    yield "next          %s" % following


def main():
    """Print what the command line asks for."""
    what = {"table": table, "end": end}[sys.argv[1]]
    print("\n".join(what(*sys.argv[2:])))


if __name__ == "__main__":
    main()
