/* The device's part in the scan of a file: chunks of elements in memory that host and device share or copy, and the
 * carry that goes on from chunk to chunk without passing through the host. */
#ifndef CLSCAN_TOOLS_DEVICE_STAGE_H
#define CLSCAN_TOOLS_DEVICE_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "chunks.h"
#include "initials_file.h"
#include "scan_maps.h"
#include "segment_file.h"
#include "segment_heads.h"
#include "target.h"

/* Memory of one chunk. */
typedef struct slot {
    cl_mem in;
    cl_mem out;     /* in place: in */
    cl_mem staging; /* pinned host memory, mapped until the end; NULL where in and out are mapped themselves */
    void *host_in;  /* where the chunk's elements are put before it is submitted */
    void *host_out; /* where its results are when it is done */
    cl_mem heads;   /* where segments begin in a chunk of several; else NULL */
    unsigned char *host_heads;
    uint64_t begin; /* positions of the chunk: begin .. begin + count - 1 */
    uint64_t count;
    uint64_t first; /* index in the file of its first element, in memory */
    cl_event begun; /* of the first command */
    cl_event done;  /* of the last command */
} slot;

typedef struct device_stage {
    const target *where;
    const clscan_plan *plan;
    clscan_workspace *workspace;
    clscan_workspace *segment_workspace;
    row_layout rows;
    chunking cut;
    uint64_t columns; /* the rows of `rows` are matrices of so many columns, which are the scans; 1: the rows are */
    bool batch; /* the plan is for rows: it scans all of a chunk at once, and chunks hold whole ones; else a run each */
    bool offsets;        /* of several rows: each scan has one output more, its total; forward, not in place */
    const void *initial; /* host memory, of the accumulator type; NULL: none */
    const initials_file *initials;   /* loaded: one for each row, or each of `segments`; NULL: `initial` serves all */
    size_t element_bytes;            /* of the input */
    size_t output_bytes;             /* of an element of the output */
    const scan_maps *maps;           /* NULL: none */
    const segment_file *segments;    /* loaded; NULL: none. All elements are one chunk and one row then */
    segment_heads *heads;            /* of segments that pass in several chunks, by flags of bytes; NULL: none */
    const clscan_plan *segment_plan; /* for whole segments; `plan` is for parts of one */
    cl_mem totals;                   /* room for those of all rows; NULL: not wanted */
    const clscan_segment_sums *segment_sums; /* what a run by `segments` gives besides; NULL: nothing */
    bool wants_total;                        /* of the last row, see device_stage_total(); not of a reproducible scan */
    bool unified;

    cl_command_queue upload; /* NULL where nothing is copied */
    cl_command_queue download;
    cl_mem carry;           /* two accumulators, what a run reads and what it writes; or the state */
    unsigned carry_at;      /* the one with the latest */
    uint64_t state_bytes;   /* of a reproducible scan; 0: totals lead from run to run */
    cl_event milestones[2]; /* of earlier runs, to keep the queue short */
    uint64_t runs;
    bool begins_behind; /* a segment begins where the chunk before begins, in memory: of a reverse scan */
    slot slots[CHUNK_MAX_SLOTS];
    uint64_t last_end_ns; /* device time up to which the device's work is counted */
    double busy_seconds;  /* of the device, copies included */
} device_stage;

/* Outputs of the first `elements` elements of the file, with the totals of rows that end there. */
uint64_t device_stage_outputs(const device_stage *stage, uint64_t elements);

/* Outputs of the first `elements` elements of a chunk, with the totals of rows that end there. */
uint64_t device_stage_chunk_outputs(const device_stage *stage, const slot *s, uint64_t elements);

/* Does the device share its memory with the host? */
bool device_is_unified(cl_device_id device);

/* Set the first part of the struct before. Allocates everything and maps host_in of all slots. */
clscan_status device_stage_prepare(device_stage *stage, clscan_error *error);

/* The same without a plan, for who scans the chunks himself: of the first part only `where`, `cut`, the sizes of
 * elements and `unified` count. device_stage_load() and device_stage_store() are for these slots, the functions below
 * them for the others. */
clscan_status device_stage_prepare_slots(device_stage *stage, clscan_error *error);

/* Take what is in host_in to `in`, and what is in `out` to host_out, and wait for that. The slot has elements. In
 * between the slot's host memory is not valid; afterwards host_in is, too, for the next chunk. In place only. */
clscan_status device_stage_load(device_stage *stage, slot *s, clscan_error *error);
clscan_status device_stage_store(device_stage *stage, slot *s, clscan_error *error);

/* Enqueue the chunk in slot->host_in. Chunks are submitted in the order of the scan, by one thread. */
clscan_status device_stage_submit(device_stage *stage, slot *s, clscan_error *error);

/* Wait for a submitted chunk; afterwards host_out and, where the slot is to be used again, host_in are valid. Chunks
 * are waited for in the order of the scan, by one thread, which may be another one. */
clscan_status device_stage_wait(device_stage *stage, slot *s, clscan_error *error);

/* Enqueue a run of no elements, which gives the total of an empty row, and segments that are all empty: where there are
 * no chunks. */
clscan_status device_stage_run_none(device_stage *stage, clscan_error *error);

/* Leave a chunk that was waited for to the device; the slot's host memory is not valid any more. */
clscan_status device_stage_hand_over(device_stage *stage, slot *s, clscan_error *error);

/* Wait for everything that was submitted. */
clscan_status device_stage_finish(device_stage *stage, clscan_error *error);

/* Read the total of the last row, of the accumulator type, after all chunks, of which there was one. */
clscan_status device_stage_total(device_stage *stage, void *total, size_t total_bytes, clscan_error *error);

/* Waits for what is under way. */
void device_stage_release(device_stage *stage);

#endif
