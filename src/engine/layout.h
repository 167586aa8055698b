/* Where the parts of a workspace stand, relative to its beginning. */
#ifndef CLSCAN_ENGINE_LAYOUT_H
#define CLSCAN_ENGINE_LAYOUT_H

#include <stdint.h>

#include "base/checked.h"
#include "base/shared.h"

#define CLSCAN__WORKSPACE_ALIGN_BYTES 256
/* The draw word, the report, who takes part (base/shared.h), then the published words. */
#define CLSCAN__CONTROL_BYTES 256

typedef struct clscan__layout {
    uint64_t words_bytes;  /* offset of the published words */
    uint64_t totals_bytes; /* offset of the totals of ranges */
    uint64_t marks_bytes;  /* offset of the marks of segments (element/segments.h), of what operation repeat leaves
                              (element/repetition.h), of the marks of lengths (engine/lengths.h), or of what says
                              where the rest begins (engine/rest.h) */
    uint64_t
        scratch_bytes;   /* offset of outputs that move to their inputs (engine/in_place.h), which nobody initialises;
                               where there is none, the end */
    uint64_t size_bytes; /* of the whole workspace */
} clscan__layout;

/* A workspace that holds that many bytes of words, of totals, of marks and of scratch outputs. */
static inline clscan__layout clscan__layout_of(uint64_t words_size_bytes, uint64_t totals_size_bytes,
                                               uint64_t marks_size_bytes, uint64_t scratch_size_bytes)
{
    clscan__layout layout = {.words_bytes = CLSCAN__CONTROL_BYTES};
    layout.totals_bytes = clscan__align_up(layout.words_bytes + words_size_bytes, CLSCAN__WORKSPACE_ALIGN_BYTES);
    layout.marks_bytes = clscan__align_up(layout.totals_bytes + totals_size_bytes, CLSCAN__WORKSPACE_ALIGN_BYTES);
    layout.scratch_bytes = clscan__align_up(layout.marks_bytes + marks_size_bytes, CLSCAN__WORKSPACE_ALIGN_BYTES);
    layout.size_bytes = clscan__align_up(layout.scratch_bytes + scratch_size_bytes, CLSCAN__WORKSPACE_ALIGN_BYTES);
    return layout;
}

#endif
