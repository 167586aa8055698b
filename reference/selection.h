/** \file selection.h
 * Serial selections and repetitions: which element of the input stands at each place of the output.
 */
#ifndef CLSCAN_REFERENCE_SELECTION_H
#define CLSCAN_REFERENCE_SELECTION_H

#include <stdint.h>

#include <clscan/clscan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Select some of \p count elements.
 *
 * \param select   Its rest and long_runs matter.
 * \param parts    For each element: 1 where it is kept, or with long_runs where a run begins; 2 where a partition in
 *                 three has it in the middle; anything else where it belongs to the rest.
 * \param sources  Receives for each place the index of the element there, at most \p count. A rest stands behind what
 *                 is kept, also one that goes apart.
 * \param lengths  Receives for each kept element how many there are up to the next one, as clscan_select says.
 * \param kept     Receives how many are kept, and how many are in the middle.
 * \return The number of places. */
uint64_t clscan_reference_select(const clscan_select *select, const unsigned char *parts, uint64_t count,
                                 uint64_t *sources, uint32_t *lengths, uint32_t kept[2]);

/** Repeat each of \p count elements.
 *
 * \param lengths  How many times.
 * \param sources  Receives for each place the index of the element there: as many as the lengths are together.
 * \return The number of places. */
uint64_t clscan_reference_repeat(const uint32_t *lengths, uint64_t count, uint64_t *sources);

#ifdef __cplusplus
}
#endif
#endif
