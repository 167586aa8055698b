/** \file closed_form.h
 * Sums too large to compute on the host: the input is a short pattern repeated by the device, and
 * the expected output a formula.
 *
 * With p[0 .. n-1] the pattern and S its sum, the forward inclusive sum is
 * out[i] = (i / n) S + p[0] + ... + p[i % n], wrapped to the element type.
 */
#ifndef CLSCAN_CLOSED_FORM_H
#define CLSCAN_CLOSED_FORM_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "case.h"
#include "reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Expected out[index] of a scan by add of the pattern, for an integer \p type.
 * \param count  Elements of the whole scan; reverse scans need it. */
clscan_value clscan_closed_form_value(clscan_type type, clscan_form form, clscan_direction direction, uint64_t count,
                                      uint64_t index);

/** Elements after which the input repeats itself. */
#define CLSCAN_CLOSED_FORM_PERIOD 8u

/** Element \p index of the input. */
clscan_value clscan_closed_form_input(clscan_type type, uint64_t index);

/** Run fixture's plan (add, an integer type, no initial value) over \p count elements and check
 * every output, reading back \p chunk_bytes at a time (0: 64 MiB). Needs count elements on the
 * device in place, twice that otherwise, and canaries. Where the problem has rows, without gaps and
 * dimensions, each of them has \p count elements, a multiple of CLSCAN_CLOSED_FORM_PERIOD unless there is
 * one. \param text  As for clscan_case_run(). */
clscan_case_result clscan_closed_form_run(const clscan_case_fixture *fixture, uint64_t count, int in_place,
                                          size_t chunk_bytes, char *text, size_t text_bytes);

#ifdef __cplusplus
}
#endif
#endif
