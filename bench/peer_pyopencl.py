#!/usr/bin/env python3
"""PyOpenCL's GenericScanKernel in a process of its own, for clscan-bench.

docs/benchmarking.md says what is spoken over the pipes. PyOpenCL and NumPy are looked for in the first Python of PATH,
and then in the system's.
"""
import os
import sys
import time

SYSTEM_PYTHON = "/usr/bin/python3"
STEP_ALIGN_BYTES = 4096  # pairs begin on pages
CHUNK_BYTES = 16 << 20
ADD = ("a + b", "0")
LIMITS = {"int32": ("-2147483647 - 1", "2147483647"), "uint32": ("0", "4294967295u"),
          "int64": ("-9223372036854775807L - 1", "9223372036854775807L"), "uint64": ("0", "18446744073709551615UL"),
          "float": ("-INFINITY", "INFINITY"), "double": ("-INFINITY", "INFINITY")}
NUMPY_NAMES = {"float": "float32", "double": "float64"}


def answer(*words):
    print(*words, flush=True)


try:
    import numpy
    import pyopencl
    import pyopencl.array
    import pyopencl.scan
except ImportError as error:
    if os.path.exists(SYSTEM_PYTHON) and "CLSCAN_PEER_SECOND_TRY" not in os.environ:
        os.environ["CLSCAN_PEER_SECOND_TRY"] = "1"
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
    answer("unavailable", "no PyOpenCL: %s" % error)
    sys.exit(1)


class Unavailable(Exception):
    """What cannot be done for this case, as opposed to what fails."""


class Case:
    """One problem: as many pairs of an input and an output as caches are to be cold, else one."""

    def __init__(self, queue, kernels, words):
        type_name, op, form, direction, in_place, count, self.size_bytes, self.pairs, *_ = words
        self.queue = queue
        self.in_place = in_place == "1"
        self.count, self.size_bytes, self.pairs = int(count), int(self.size_bytes), int(self.pairs)
        if type_name not in LIMITS or op not in ("add", "min", "max") or direction != "forward":
            raise Unavailable("is set up for add, min and max, forward, on elements of 4 and 8 bytes")
        if self.count >= 2**31:
            raise Unavailable("is set up for counts below 2^31")
        self.dtype = numpy.dtype(NUMPY_NAMES.get(type_name, type_name))
        self.kernel = kernels.get(self.dtype, op, form)
        self.step_bytes = -(-self.size_bytes // STEP_ALIGN_BYTES) * STEP_ALIGN_BYTES
        self.inputs, self.outputs = (
            pyopencl.Buffer(queue.context, pyopencl.mem_flags.READ_WRITE, self.step_bytes * self.pairs)
            for _ in range(2))
        self.pair = 0

    def take(self, stream):
        for at in range(0, self.size_bytes, CHUNK_BYTES):
            chunk = stream.read(min(CHUNK_BYTES, self.size_bytes - at))
            pyopencl.enqueue_copy(self.queue, self.inputs, numpy.frombuffer(chunk, numpy.uint8), dst_offset=at)
        for pair in range(self.pairs):
            if pair > 0:
                self.copy(self.inputs, 0, self.inputs, pair)
            self.copy(self.inputs, 0, self.outputs, pair)
        self.queue.finish()

    def copy(self, source, source_pair, target, target_pair):
        return pyopencl.enqueue_copy(self.queue, target, source, byte_count=self.size_bytes,
                                     src_offset=source_pair * self.step_bytes,
                                     dst_offset=target_pair * self.step_bytes)

    def elements(self, buffer):
        # A part of the buffer and not an offset into it, which scan kernels do not look at.
        part = buffer.get_sub_region(self.pair * self.step_bytes, self.size_bytes)
        return pyopencl.array.Array(self.queue, (self.count,), self.dtype, data=part)

    def turn(self):
        """What was scanned last gets its input back, if it is to be scanned again; then it is the next one's turn."""
        if self.in_place:
            self.copy(self.inputs, self.pair, self.outputs, self.pair)
        self.pair = (self.pair + 1) % self.pairs
        target = self.elements(self.outputs)
        source = target if self.in_place else self.elements(self.inputs)
        self.queue.finish()
        return source, target

    def run(self, what, clock):
        source, target = self.turn()
        if what == "copy":
            def launch():
                return self.copy(self.inputs, self.pair, self.outputs, self.pair)
        else:
            def launch():
                return self.kernel(source, target, queue=self.queue, size=self.count)
        if clock == "host":
            begin = time.perf_counter_ns()
            launch()
            self.queue.finish()
            return time.perf_counter_ns() - begin
        # The kernels and the gaps between them, from the first moment when the queue could begin.
        first = pyopencl.enqueue_marker(self.queue)
        last = launch() or pyopencl.enqueue_marker(self.queue)
        self.queue.finish()
        return last.profile.end - first.profile.end

    def give(self, stream):
        answer("output", self.size_bytes)
        for at in range(0, self.size_bytes, CHUNK_BYTES):
            chunk = numpy.empty(min(CHUNK_BYTES, self.size_bytes - at), numpy.uint8)
            pyopencl.enqueue_copy(self.queue, chunk, self.outputs, src_offset=self.pair * self.step_bytes + at)
            stream.write(chunk.data)
        stream.flush()


class Kernels:
    """GenericScanKernels, which take long to make."""

    def __init__(self, context):
        self.context = context
        self.made = {}

    def get(self, dtype, op, form):
        key = (dtype, op, form)
        if key not in self.made:
            name = {"float32": "float", "float64": "double"}.get(dtype.name, dtype.name)
            expression, neutral = {"add": ADD, "min": ("b < a ? b : a", LIMITS[name][1]),
                                   "max": ("a < b ? b : a", LIMITS[name][0])}[op]
            c_type = pyopencl.tools.dtype_to_ctype(dtype)
            neutral = "(%s)(%s)" % (c_type, neutral)
            result = "prev_item" if form == "exclusive" else "item"
            self.made[key] = pyopencl.scan.GenericScanKernel(
                self.context, dtype, arguments="__global %s *source, __global %s *target" % (c_type, c_type),
                input_expr="source[i]", scan_expr=expression, neutral=neutral,
                output_statement="target[i] = %s;" % result)
        return self.made[key]


def open_device(platform, device, name):
    try:
        found = pyopencl.get_platforms()[int(platform)].get_devices()[int(device)]
    except (IndexError, pyopencl.Error):
        raise Unavailable("PyOpenCL does not find the device")
    if found.name.strip() != name.strip():
        raise Unavailable("PyOpenCL finds %s there" % found.name)
    context = pyopencl.Context([found])
    # Both: under Intel's CPU runtime (2026.22) a queue does not keep its context alive.
    return context, pyopencl.CommandQueue(context, properties=pyopencl.command_queue_properties.PROFILING_ENABLE)


def obey(words, case, queue, kernels):
    """Do what a line says; return the case that is open then."""
    if words[0] == "case":
        case = Case(queue, kernels, words[1:])
        answer("ready")
    elif words[0] == "end":
        case = None
        answer("ready")
    elif words[0] == "input":
        case.take(sys.stdin.buffer)
        answer("ready")
    elif words[0] == "output":
        case.give(sys.stdout.buffer)
    else:
        answer("time", case.run(*words))
    return case


def one_line(error):
    return " ".join(str(error).split())[:400]


def main():
    if len(sys.argv) != 5:
        print("clscan-peer-pyopencl is started by clscan-bench", file=sys.stderr)
        return 2
    try:
        context, queue = open_device(sys.argv[1], sys.argv[2], sys.argv[4])
    except (Unavailable, pyopencl.Error) as error:
        answer("unavailable", one_line(error))
        return 1
    answer("peer", "PyOpenCL %s" % pyopencl.VERSION_TEXT)
    kernels, case = Kernels(context), None
    for line in iter(sys.stdin.buffer.readline, b""):
        words = line.decode().split()
        if words[0] == "case":
            case = None  # its memory, before there is more
        try:
            case = obey(words, case, queue, kernels)
        except (Unavailable, pyopencl.MemoryError) as error:
            answer("unavailable", one_line(error))
        except Exception as error:  # whatever it is, the benchmark shall know
            answer("failed", one_line(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
