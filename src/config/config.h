/* A parsed config file. */
#ifndef CLSCAN_CONFIG_CONFIG_H
#define CLSCAN_CONFIG_CONFIG_H

#include <clscan/config.h>

#include "config_file/document.h"

struct clscan_config {
    char *source;
    size_t match_bytes;        /* length of document.match */
    clscan__document document; /* its variants are legal for integers of their keys' sizes, on some device */
};

#endif
