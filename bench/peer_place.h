/* Where the programs of peers are, and how they find the device. */
#ifndef CLSCAN_BENCH_PEER_PLACE_H
#define CLSCAN_BENCH_PEER_PLACE_H

#include "measure/measure.h"

#define BENCH_PLACE_BYTES 4096

/* The path of `program` in the folder that CLSCAN_BENCH_PEERS names, or else in that of clscan-bench. False if it is in
 * neither, or cannot be executed. */
bool bench_place_find(const char *program, char (*path)[BENCH_PLACE_BYTES]);

/* A device as other programs can find it. */
typedef struct bench_address {
    char platform[16]; /* positions in OpenCL's lists */
    char device[16];
    char uuid[33]; /* hexadecimal; "-" where the driver tells none */
    char name[sizeof((clscan_device_info *)0)->name];
} bench_address;

void bench_address_of(const measure_device *device, bench_address *address);

#endif
