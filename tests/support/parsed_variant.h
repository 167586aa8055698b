/* Variants of tests, as texts. */
#ifndef CLSCAN_TESTS_PARSED_VARIANT_H
#define CLSCAN_TESTS_PARSED_VARIANT_H

#include <clscan/variant.h>

/* The variant that the text names. Fails the running test if it names none. */
clscan_variant parsed_variant(const char *text);

#endif
