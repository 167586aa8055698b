/* Functions that are called when the library is unloaded, or the process ends. */
#ifndef CLSCAN_BASE_UNLOAD_H
#define CLSCAN_BASE_UNLOAD_H

/* In front of a function without arguments. Other threads may still be inside the library when a process ends, so what
 * the function gives back must be counted. Compilers without it leave the memory to the system. */
#if defined(__GNUC__)
#define CLSCAN__AT_UNLOAD __attribute__((destructor))
#else
#define CLSCAN__AT_UNLOAD inline
#endif

#endif
