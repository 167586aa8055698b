/* Operators of our own, lane by lane: for vectors and scalars, as OpenCL C. */
#ifndef CLSCAN_ELEMENT_ELEMENTWISE_H
#define CLSCAN_ELEMENT_ELEMENTWISE_H

#include <stdint.h>

#include <clscan/types.h>

typedef struct clscan__elementwise {
    char source[512];
    char identity[64];
} clscan__elementwise;

/* Write the operator for vectors of `lanes` of `type`, or for that type itself if there are no more than one, with the
 * meaning that types.h gives it for scalars; the function gets that name. Returns it; it points into `text`. */
clscan_custom_operator clscan__elementwise_write(clscan__elementwise *text, const char *function, clscan_operator op,
                                                 clscan_type type, uint32_t lanes);

#endif
