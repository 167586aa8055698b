#include "config/columns.h"

/* Of a load. Two columns are enough, and more where they would be less than a register. */
#define LEAST_VECTOR_BYTES 4u
#define MOST_VECTOR_BYTES 16u
#define MOST_WIDTH 2u

#define LEAST_DEPTH 4u
#define MOST_DEPTH 16u

/* Registers that a work-item has for a tile; it has another one on the way. A work-group may have so many bytes. */
#define MOST_HELD_BYTES 256u
#define MOST_GROUP_BYTES 65536u
#define LEAST_HELD_BYTES 4u /* an element fills a register */

/* Few work-items on each unit leave each so many registers that loads never pause. Of the shapes tried on an H200 this
 * is the fastest for matrices and for tensors. Smaller work-groups say that the device wants them small. */
#define LEAST_WORK_GROUP_SIZE 128u
#define WORK_GROUP_SIZE 256u
#define PIECES 8u
#define WORK_GROUPS_PER_UNIT 1u

uint32_t clscan__column_width(const clscan_variant *variant, bool plain, bool ordered, uint32_t held_bytes)
{
    uint32_t width = 1;

    /* A variant of one piece is for devices with few registers. Intel's compiler for data-centre GPUs keeps vectors of
     * columns, and the next ones, in memory. */
    if (!plain || ordered || variant->work_group_size == 1 || variant->register_pieces == 1)
        return 1;
    while (2 * width <= variant->vector_length && 2 * width * held_bytes <= MOST_VECTOR_BYTES &&
           (width < MOST_WIDTH || width * held_bytes < LEAST_VECTOR_BYTES))
        width *= 2;
    return width;
}

uint32_t clscan__column_depth(const clscan_variant *variant, uint32_t width, uint32_t held_bytes)
{
    const uint32_t bytes = width * (held_bytes > LEAST_HELD_BYTES ? held_bytes : LEAST_HELD_BYTES);
    const uint32_t of_group = MOST_GROUP_BYTES / variant->work_group_size;
    const uint32_t most = of_group < MOST_HELD_BYTES ? of_group : MOST_HELD_BYTES;
    uint32_t depth = LEAST_DEPTH;

    while (depth < MOST_DEPTH && 2 * depth <= variant->register_pieces)
        depth *= 2;
    while (depth > 1 && depth * bytes > most)
        depth /= 2;
    return depth;
}

void clscan__shape_for_columns(clscan_variant *variant)
{
    if (variant->body != CLSCAN_BODY_SUBGROUP_ROWS || variant->work_group_size < LEAST_WORK_GROUP_SIZE)
        return;
    variant->work_group_size = WORK_GROUP_SIZE;
    variant->register_pieces = PIECES;
    variant->work_groups_per_unit = WORK_GROUPS_PER_UNIT;
}
