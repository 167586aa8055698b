#include "operation_trial.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "reference/generate.h"
#include "reference/guarded.h"
#include "reference/reference.h"
#include "reference/segments.h"
#include "reference/selection.h"

#define MARGIN 3u /* elements around what a run reads and writes, so that it begins between aligned places */
#define MOST_PLACES (OPERATION_MOST_ELEMENTS + 2 * MARGIN)
#define SEED UINT64_C(20261125)

const uint32_t operation_column_bytes[OPERATION_COLUMNS] = {2, 16};
#define WIDEST_COLUMN 16u

/* What runs write. */
typedef enum output { OUT, TOTAL, REST, LENGTHS, INDICES, COLUMNS, OUTPUTS = COLUMNS + OPERATION_COLUMNS } output;

static const char *const names[OUTPUTS] = {
    [OUT] = "output",    [TOTAL] = "total",           [REST] = "output of the rest", [LENGTHS] = "length",
    [INDICES] = "index", [COLUMNS] = "narrow column", [COLUMNS + 1] = "wide column"};

/* One of them in a trial. */
typedef struct written {
    size_t unit_bytes;     /* 0: the run does not write it */
    clscan_guarded memory; /* its image is what must be there */
} written;

bool operation_moves(operation_kind kind)
{
    return kind >= OPERATION_SELECTION;
}

static bool has_rows(operation_kind kind)
{
    return kind <= OPERATION_ROWS_REDUCED;
}

/* Does a segment or run begin here? Long ones stand between short ones. */
static bool begins(uint64_t i)
{
    return clscan_generate_bits(SEED, i) % (i / 5000 % 2 == 0 ? 5 : 1999) == 0;
}

static void make_inputs(operation_rig *r)
{
    const size_t bytes = r->element_bytes;

    clscan_generate(clscan_generator_for(r->type, CLSCAN_ADD, CLSCAN_FORWARD), r->type, SEED, 0, MOST_PLACES,
                    r->elements);
    for (uint64_t i = 0; i < MOST_PLACES; ++i)
        memcpy(r->runs + i * bytes, i == 0 || begins(i) ? r->elements + i * bytes : r->runs + (i - 1) * bytes, bytes);
    clscan_generate(CLSCAN_GENERATE_UNIFORM, CLSCAN_UINT64, SEED, 0, MOST_PLACES * WIDEST_COLUMN / sizeof(uint64_t),
                    r->table);
}

static clscan_status upload(const operation_rig *r, const void *bytes, size_t size_bytes, cl_mem *buffer,
                            clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    TRY(target_buffer(r->t, size_bytes, buffer, error));
    TRY_CL(clEnqueueWriteBuffer, (r->t->queue, *buffer, CL_TRUE, 0, size_bytes, bytes, 0, NULL, NULL));

cleanup:
    return status;
}

clscan_status operation_rig_create(operation_rig *r, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    r->element_bytes = clscan_type_size_bytes(r->type);
    r->sum_bytes = clscan_type_size_bytes(clscan_type_accumulator(r->type));
    r->elements = malloc(MOST_PLACES * r->element_bytes);
    r->runs = malloc(MOST_PLACES * r->element_bytes);
    r->table = malloc((size_t)MOST_PLACES * WIDEST_COLUMN);
    r->scans = malloc(OPERATION_MOST_ELEMENTS * r->element_bytes);
    r->parts = malloc(OPERATION_MOST_ELEMENTS);
    r->said = calloc(OPERATION_MOST_ELEMENTS, sizeof *r->said);
    r->sources = malloc(OPERATION_MOST_ELEMENTS * sizeof *r->sources);
    r->lengths = malloc(OPERATION_MOST_ELEMENTS * sizeof *r->lengths);
    REQUIRE(r->elements != NULL && r->runs != NULL && r->table != NULL && r->scans != NULL && r->parts != NULL &&
                r->said != NULL && r->sources != NULL && r->lengths != NULL,
            CLSCAN_ERROR_OUT_OF_MEMORY, "no host memory for the tests of operations");
    make_inputs(r);
    TRY(upload(r, r->elements, MOST_PLACES * r->element_bytes, &r->in, error));
    TRY(upload(r, r->runs, MOST_PLACES * r->element_bytes, &r->runs_in, error));
    TRY(upload(r, r->table, (size_t)MOST_PLACES * WIDEST_COLUMN, &r->table_in, error));
    TRY(target_buffer(r->t, OPERATION_MOST_ELEMENTS * sizeof *r->said, &r->saying, error));
    TRY(target_buffer(r->t, sizeof(uint64_t), &r->counted, error));

cleanup:
    return status;
}

void operation_rig_release(operation_rig *r)
{
    const cl_mem buffers[] = {r->in, r->runs_in, r->table_in, r->saying, r->counted};

    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    free(r->elements);
    free(r->runs);
    free(r->table);
    free(r->scans);
    free(r->parts);
    free(r->said);
    free(r->sources);
    free(r->lengths);
}

const clscan_map *operation_load(operation_kind kind)
{
    static const clscan_map_argument parts = {
        .struct_size = sizeof parts, .name = "parts", .type = CLSCAN_UINT8, .is_buffer = 1};
    static const clscan_map part = {
        .struct_size = sizeof part, .expression = "parts[index]", .arguments = &parts, .argument_count = 1};
    static const clscan_map first = {.struct_size = sizeof first, .expression = "index == 0 || element != before"};

    return kind == OPERATION_THREE_WAY ? &part : kind == OPERATION_ENCODING ? &first : NULL;
}

static const unsigned char *input(const operation_rig *r, operation_kind kind)
{
    return (kind == OPERATION_ENCODING ? r->runs : r->elements) + MARGIN * r->element_bytes;
}

/* To which part element `i` belongs, or whether a segment begins there. */
static unsigned char part_of(const operation_rig *r, operation_kind kind, uint64_t i)
{
    const unsigned char *at = input(r, kind) + i * r->element_bytes;

    if (kind == OPERATION_THREE_WAY)
        return (unsigned char)(clscan_generate_bits(SEED, i) % 4);
    if (kind == OPERATION_ENCODING)
        return i == 0 || memcmp(at - r->element_bytes, at, r->element_bytes) != 0;
    return (!operation_moves(kind) && i == 0) || begins(i);
}

/* Say the parts, in the words of the operation. Returns how many offsets are said. */
static uint64_t say(const operation_rig *r, const operation_of *of, uint64_t count)
{
    const operation_kind kind = of->kind;
    unsigned char *bits = (unsigned char *)r->said;
    uint64_t offsets = 0;

    for (uint64_t i = 0; i < count; ++i) {
        r->parts[i] = part_of(r, kind, i);
        if (kind == OPERATION_BY_OFFSETS && r->parts[i])
            r->said[offsets++] = (uint32_t)i;
        else if (kind == OPERATION_BY_KEYS)
            r->said[i] = (i > 0 ? r->said[i - 1] : 0) + r->parts[i];
        else if (kind == OPERATION_DECODING)
            r->said[i] = (uint32_t)(clscan_generate_bits(SEED, i) % (i % 5000 == 0 ? 1999 : 4));
    }
    if (kind == OPERATION_BY_BITS || of->select.flag_bits != 0) {
        memset(bits, 0, (size_t)count / 8 + 1);
        for (uint64_t i = 0; i < count; ++i)
            bits[i / 8] |= (unsigned char)(r->parts[i] << i % 8);
    } else if (kind == OPERATION_BY_FLAGS || kind == OPERATION_SELECTION || kind == OPERATION_THREE_WAY)
        memcpy(r->said, r->parts, (size_t)count);
    return offsets;
}

/* What the run writes, with what stands around it. */
static clscan_status begin(const operation_rig *r, const operation_of *of, const operation_size *size, uint64_t places,
                           written outputs[OUTPUTS], clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_select *select = &of->select;

    if (of->kind != OPERATION_ROWS_REDUCED)
        outputs[OUT].unit_bytes = r->element_bytes;
    if (has_rows(of->kind))
        outputs[TOTAL].unit_bytes = r->sum_bytes;
    if (operation_moves(of->kind))
        outputs[TOTAL].unit_bytes = of->kind == OPERATION_THREE_WAY ? 2 * sizeof(uint32_t) : sizeof(uint32_t);
    if (select->rest == CLSCAN_REST_APART)
        outputs[REST].unit_bytes = r->element_bytes;
    if (of->kind != OPERATION_DECODING)
        outputs[LENGTHS].unit_bytes = select->length_bytes;
    outputs[INDICES].unit_bytes = select->index_bytes;
    for (uint32_t i = 0; i < select->column_count; ++i)
        outputs[COLUMNS + i].unit_bytes = select->column_bytes[i];
    for (int i = 0; i < OUTPUTS; ++i)
        if (outputs[i].unit_bytes > 0)
            TRY(clscan_guarded_create(r->t->context, r->t->queue, CL_MEM_READ_WRITE,
                                      ((i == TOTAL ? size->rows : places) + 2 * MARGIN) * outputs[i].unit_bytes, NULL,
                                      &outputs[i].memory, error));

cleanup:
    return status;
}

static unsigned char *place_of(const written *w, uint64_t place)
{
    return w->memory.image + (MARGIN + place) * w->unit_bytes;
}

/* Expect what there is at `from`, if the run writes this output. */
static void put(const written *w, uint64_t place, const void *from)
{
    if (w->unit_bytes > 0)
        memcpy(place_of(w, place), from, w->unit_bytes);
}

static clscan_status expect_rows(const operation_rig *r, const operation_of *of, const operation_size *size,
                                 const written outputs[OUTPUTS])
{
    const clscan_reference what = {.type = r->type, .op = CLSCAN_ADD};
    clscan_status status = CLSCAN_OK;

    for (uint64_t row = 0; row < size->rows && status == CLSCAN_OK; ++row) {
        const uint64_t first = row * (size->count + size->gap);
        clscan_value total;

        status = clscan_reference_scan(&what, input(r, of->kind) + first * r->element_bytes, size->count, NULL,
                                       outputs[OUT].unit_bytes > 0 ? place_of(&outputs[OUT], first) : r->scans, &total);
        put(&outputs[TOTAL], row, &total);
    }
    return status;
}

static clscan_status expect_segments(const operation_rig *r, const operation_of *of, const operation_size *size,
                                     const written outputs[OUTPUTS])
{
    const clscan_reference what = {.type = r->type, .op = CLSCAN_ADD};

    return clscan_reference_scan_segments(&what, input(r, of->kind), size->count, r->parts, NULL,
                                          place_of(&outputs[OUT], 0), NULL);
}

/* Of r->sources, from which all outputs follow. */
static void expect_moved(const operation_rig *r, const operation_of *of, uint64_t places, const uint32_t kept[2],
                         const written outputs[OUTPUTS])
{
    const uint64_t to_out = outputs[REST].unit_bytes > 0 ? kept[0] : places;

    for (uint64_t place = 0; place < places; ++place) {
        const uint32_t from = (uint32_t)r->sources[place];
        const void *element = input(r, of->kind) + from * r->element_bytes;

        if (place >= to_out) {
            put(&outputs[REST], place - to_out, element);
            continue;
        }
        put(&outputs[OUT], place, element);
        put(&outputs[INDICES], place, &from);
        for (int i = COLUMNS; i < OUTPUTS; ++i)
            put(&outputs[i], place, r->table + (MARGIN + from) * outputs[i].unit_bytes);
    }
    for (uint32_t place = 0; place < kept[0]; ++place)
        put(&outputs[LENGTHS], place, &r->lengths[place]);
    put(&outputs[TOTAL], 0, kept);
}

static clscan_memory at(const written *w)
{
    const bool is_there = w->unit_bytes > 0;

    return (clscan_memory){.buffer = w->memory.buffer,
                           .offset = is_there ? clscan_guarded_first(w->unit_bytes) + MARGIN : 0};
}

static clscan_status run(const operation_rig *r, const operation_of *of, const clscan_plan *plan,
                         clscan_workspace *workspace, const operation_size *size, uint64_t offsets, uint64_t places,
                         const written outputs[OUTPUTS], clscan_error *error)
{
    const uint64_t pitch = size->count + size->gap;
    const clscan_rows rows = {.struct_size = sizeof rows, .count = size->rows, .in_pitch = pitch, .out_pitch = pitch};
    const clscan_memory said = {.buffer = r->saying};
    const clscan_column columns[OPERATION_COLUMNS] = {
        {{.buffer = r->table_in, .offset = MARGIN}, at(&outputs[COLUMNS])},
        {{.buffer = r->table_in, .offset = MARGIN}, at(&outputs[COLUMNS + 1])}};
    clscan_selection selection = {.struct_size = sizeof selection,
                                  .lengths = at(&outputs[LENGTHS]),
                                  .indices = at(&outputs[INDICES]),
                                  .rest = at(&outputs[REST]),
                                  .columns = of->select.column_count > 0 ? columns : NULL,
                                  .capacity = places + MARGIN}; /* so that one too many is written, and seen */
    clscan_run_args args = {.struct_size = sizeof args,
                            .in = {.buffer = of->kind == OPERATION_ENCODING ? r->runs_in : r->in, .offset = MARGIN},
                            .out = at(&outputs[OUT]),
                            .total = at(&outputs[TOTAL]),
                            .count = size->count};

    if (of->count_bytes > 0) {
        args.device_count.buffer = r->counted;
        args.count += size->gap;
    }
    if (has_rows(of->kind))
        args.rows = of->kind != OPERATION_SCAN ? &rows : NULL;
    else if (!operation_moves(of->kind))
        args.segments = said;
    else
        args.selection = &selection;
    if (of->kind == OPERATION_BY_OFFSETS)
        args.offset_count = offsets;
    if (of->kind == OPERATION_SELECTION)
        selection.flags = said;
    if (of->kind == OPERATION_DECODING)
        selection.lengths = said;
    if (of->kind == OPERATION_THREE_WAY)
        args.map_arguments = &said, args.map_argument_count = 1;
    return clscan_run(plan, workspace, r->t->queue, &args, 0, NULL, NULL, error);
}

/* *wrong receives the first output that is not as it must be, with the place, or OUTPUTS. All are compared byte by
 * byte: every sum of these elements is exact. */
static clscan_status compare(const operation_rig *r, const written outputs[OUTPUTS], int *wrong, int64_t *place,
                             clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    unsigned char *got = NULL;

    for (*wrong = 0; *wrong < OUTPUTS; ++*wrong) {
        const written *w = &outputs[*wrong];
        uint64_t damaged, same = 0;
        bool is_wrong;

        if (w->unit_bytes == 0)
            continue;
        got = malloc((size_t)w->memory.payload_bytes);
        REQUIRE(got != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no host memory to compare the %s", names[*wrong]);
        TRY(clscan_guarded_read(&w->memory, r->t->queue, got, &damaged, error));
        while (same < w->memory.payload_bytes && got[same] == w->memory.image[same])
            ++same;
        is_wrong = same != w->memory.payload_bytes || damaged != UINT64_MAX;
        if (same == w->memory.payload_bytes && is_wrong)
            same = damaged - CLSCAN_GUARD_BYTES; /* which wraps in front of it, and is negative then */
        *place = (int64_t)same / (int64_t)w->unit_bytes - (int64_t)MARGIN;
        if (is_wrong)
            goto cleanup;
        free(got);
        got = NULL;
    }

cleanup:
    free(got);
    return status;
}

clscan_status operation_trial(const operation_rig *r, const operation_of *of, const clscan_plan *plan,
                              clscan_workspace *workspace, const operation_size *size, bool *right, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    written outputs[OUTPUTS] = {{0}};
    const uint64_t offsets = say(r, of, size->count);
    const uint32_t narrow_count = (uint32_t)size->count;
    uint64_t places = size->rows * (size->count + size->gap);
    uint32_t kept[2] = {0, 0};
    int64_t place;
    int wrong;

    if (of->kind == OPERATION_DECODING) {
        places = clscan_reference_repeat(r->said, size->count, r->sources);
        kept[0] = (uint32_t)places;
    } else if (operation_moves(of->kind))
        places = clscan_reference_select(&of->select, r->parts, size->count, r->sources, r->lengths, kept);
    TRY_CL(clEnqueueWriteBuffer,
           (r->t->queue, r->saying, CL_TRUE, 0, OPERATION_MOST_ELEMENTS * sizeof *r->said, r->said, 0, NULL, NULL));
    if (of->count_bytes > 0)
        TRY_CL(clEnqueueWriteBuffer,
               (r->t->queue, r->counted, CL_TRUE, 0, of->count_bytes,
                of->count_bytes == sizeof narrow_count ? (const void *)&narrow_count : &size->count, 0, NULL, NULL));
    TRY(begin(r, of, size, places, outputs, error));
    if (has_rows(of->kind))
        status = expect_rows(r, of, size, outputs);
    else if (operation_moves(of->kind))
        expect_moved(r, of, places, kept, outputs);
    else
        status = expect_segments(r, of, size, outputs);
    REQUIRE(status == CLSCAN_OK, status, "the serial scan of %s failed", of->name);
    TRY(run(r, of, plan, workspace, size, offsets, places, outputs, error));
    TRY(compare(r, outputs, &wrong, &place, error));
    *right = wrong == OUTPUTS;
    if (!*right)
        complain("%s of %s, %" PRIu64 " x %" PRIu64 ", %" PRIu64 " between: %s %" PRId64 " is wrong", of->name,
                 clscan_type_name(r->type), size->rows, size->count, size->gap, names[wrong], place);

cleanup:
    if (status != CLSCAN_OK)
        clFinish(r->t->queue);
    for (int i = 0; i < OUTPUTS; ++i)
        clscan_guarded_destroy(&outputs[i].memory);
    return status;
}
