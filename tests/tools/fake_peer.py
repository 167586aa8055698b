"""A peer of clscan-bench that makes int32 sums, also of rows, and selections by flags, and misbehaves as FAKE_PEER
says. It stands under a peer's own name.
"""

import os
import struct
import sys

FAULT = os.environ.get("FAKE_PEER", "")


def answer(*words):
    print(*words, flush=True)


def sums(data, heads):
    total, output = 0, []
    for value, is_head in zip(data, heads):
        total = (0 if is_head else total) + value
        total = (total + 2**31) % 2**32 - 2**31
        output.append(total)
    return output


def main():
    if FAULT == "refuses":
        answer("unavailable has no such device")
        return
    answer("peer fake 1.0,", *sys.argv[1:3])
    data = []
    for line in iter(sys.stdin.buffer.readline, b""):
        words = line.decode().split()
        if words[0] == "case":
            type_name, op, form, count, size_bytes = words[1], words[2], words[3], int(words[6]), int(words[7])
            row, segments, mark_bytes = int(words[9]), words[11], int(words[12])
            marks = bytes(i % row == 0 for i in range(count))
            if (type_name, op) != ("int32", "add") or form not in ("inclusive", "select"):
                answer("unavailable knows sums only")
            elif segments not in ("none", "flags"):
                answer("unavailable knows flags only")
            elif size_bytes != 4 * count:
                answer("failed a size of", size_bytes)
            else:
                answer("ready", *(["by hand"] if form == "select" else []))
        elif words[0] == "marks":
            marks = sys.stdin.buffer.read(mark_bytes)
            answer("ready")
        elif words[0] == "input":
            data = list(struct.unpack("<%di" % count, sys.stdin.buffer.read(size_bytes)))
            answer("ready")
        elif words[0] in ("run", "copy"):
            if FAULT == "dies":
                return
            answer("time", 3000 if words[1] == "host" else 2000)
        elif words[0] == "output":
            if form == "select":
                output = [value for value, is_kept in zip(data, marks) if is_kept]
            else:
                output = sums(data, marks)
            if FAULT == "wrong":
                output[-1] ^= 1
            if FAULT == "short":
                output.pop()
            answer("output", 4 * len(output))
            sys.stdout.buffer.write(struct.pack("<%di" % len(output), *output))
            sys.stdout.buffer.flush()
        else:
            answer("ready")


main()
