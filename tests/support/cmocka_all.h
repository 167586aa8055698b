/* cmocka wants these before itself. */
#ifndef CLSCAN_TESTS_CMOCKA_ALL_H
#define CLSCAN_TESTS_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
