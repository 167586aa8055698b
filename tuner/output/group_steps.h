/* How many devices of a group are the fastest for how many elements: from times at some sizes to the steps of its
 * config. */
#ifndef CLSCAN_TUNER_GROUP_STEPS_H
#define CLSCAN_TUNER_GROUP_STEPS_H

#include <stddef.h>
#include <stdint.h>

#include "config_file/group.h"

/* 1, 2, 4 ... and all. */
#define TUNE_MOST_NUMBERS 8

/* Times of one kind of work at one size, in the order of the numbers of devices. */
typedef struct tune_group_times {
    uint32_t work;
    uint32_t rows;  /* that are shared; of other works 0 */
    uint64_t count; /* elements of all devices; of shared rows, of each row */
    size_t number_count;
    size_t numbers[TUNE_MOST_NUMBERS]; /* of devices, or of devices for each shared row; growing */
    double seconds[TUNE_MOST_NUMBERS];
} tune_group_times;

/* Shares of that many devices, of the highest speed; 0 of the others. */
void tune_group_weights(const clscan__group_document *document, uint32_t work, size_t number, double *weights);

/* The model: the busiest device moves the bytes of its part at its speed, those of one scan half as many more to reduce
 * it first, unless it is alone; all else costs the same at every size, and is not in here. */
double tune_group_model_seconds(const clscan__group_document *document, uint32_t work, size_t number, uint64_t count);

/* The same for rows of which so many devices share each, while the others have rows of their own. Devices are taken to
 * have the speed of all on average. */
double tune_group_shared_seconds(const clscan__group_document *document, size_t per_row, uint64_t rows, uint64_t count);

/* The number that is the fastest; more devices have to be faster by 3 %. */
size_t tune_group_fastest(const tune_group_times *times);

/* Write the steps of one kind of work, or one number of shared rows, behind those of `document`, from `times` at
 * `time_count` growing sizes. A class ends in the middle between sizes that have other winners. Beyond the last size
 * times are taken to grow as between the last two: more devices are the fastest from where they would be. */
void tune_group_add_steps(clscan__group_document *document, const tune_group_times *times, size_t time_count);

#endif
