/* Inputs whose scans are exact, so that every grouping of the operands gives the same bits. */
#ifndef CLSCAN_MEASURE_DATA_H
#define CLSCAN_MEASURE_DATA_H

#include "measure.h"

/* Make the whole input of `problem` in `elements`. */
void measure_data_generate(const measure_problem *problem, void *elements);

#endif
