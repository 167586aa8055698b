/* Compiled programs on disk. Whatever goes wrong is logged and counted, and never an error. */
#ifndef CLSCAN_PROGRAM_DISK_H
#define CLSCAN_PROGRAM_DISK_H

#include "program/cache_settings.h"
#include "program/key.h"
#include "program/record.h"

/* The record with this key, in memory that the caller frees; NULL if there is none to be trusted. */
unsigned char *clscan__disk_load(const clscan__cache_settings *settings, const clscan__key *key,
                                 clscan__record *record);

/* Keep a binary; replaces an entry of the same name. */
void clscan__disk_store(const clscan__cache_settings *settings, const clscan__key *key, const unsigned char *binary,
                        size_t binary_bytes);

#endif
