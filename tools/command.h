/* The subcommands. Each gets its own name in argv[0] and returns an exit code of failure.h. */
#ifndef CLSCAN_TOOLS_COMMAND_H
#define CLSCAN_TOOLS_COMMAND_H

/* clang-format off */
#define COMMAND_LIST(X)                                                              \
    X(devices, "list the OpenCL devices, and what clscan decided about each")        \
    X(explain, "say which variant a device uses for a problem, from which file, and why") \
    X(verify,  "test the configured variants on a device")                           \
    X(scan,    "scan a .npy or raw file of any size")                                \
    X(reduce,  "combine all elements of a .npy or raw file of any size")            \
    X(select,  "write the elements of a file that are kept, or their indices")      \
    X(repeat,  "write each element of a file as many times as a length says")       \
    X(cache,   "show or clear the compiled programs that are kept on disk")         \
    X(doctor,  "find out what a driver fails on, and which switch helps")
/* clang-format on */

#define X(name, summary) int command_##name(int argc, char **argv);
COMMAND_LIST(X)
#undef X

#endif
