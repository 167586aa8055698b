"""A peer of clscan-bench that scans int32 sums and misbehaves as FAKE_PEER says. It stands under a peer's own name."""

import os
import struct
import sys

FAULT = os.environ.get("FAKE_PEER", "")


def answer(*words):
    print(*words, flush=True)


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
            if (type_name, op, form) != ("int32", "add", "inclusive"):
                answer("unavailable knows sums only")
            elif size_bytes != 4 * count:
                answer("failed a size of", size_bytes)
            else:
                answer("ready")
        elif words[0] == "input":
            data = list(struct.unpack("<%di" % count, sys.stdin.buffer.read(size_bytes)))
            answer("ready")
        elif words[0] in ("run", "copy"):
            if FAULT == "dies":
                return
            answer("time", 3000 if words[1] == "host" else 2000)
        elif words[0] == "output":
            total, output = 0, []
            for value in data:
                total = (total + value + 2**31) % 2**32 - 2**31
                output.append(total)
            if FAULT == "wrong":
                output[-1] ^= 1
            answer("output", size_bytes)
            sys.stdout.buffer.write(struct.pack("<%di" % count, *output))
            sys.stdout.buffer.flush()
        else:
            answer("ready")


main()
