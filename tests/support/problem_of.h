/* A problem for questions to which nothing but type and operator matters. */
#ifndef CLSCAN_TESTS_PROBLEM_OF_H
#define CLSCAN_TESTS_PROBLEM_OF_H

#include <clscan/problem.h>

#define PROBLEM_OF(type_, op_) \
    (&(const clscan_problem){.struct_size = sizeof(clscan_problem), .type = (type_), .op = (op_)})

#endif
