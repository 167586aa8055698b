#include <stdio.h>
#include <stdlib.h>

#include "measure/element.h"
#include "measure/serial.h"
#include "peers.h"

/* What the loop needs; of a vector, which has none of its own, the element and its operator. */
typedef struct state {
    measure_serial serial;
    clscan_element vector;
    clscan_custom_operator elementwise;
    char source[192];
} state;

/* Numbers by number, as OpenCL C has them. */
static const char *expression_of(clscan_operator op)
{
    switch (op) {
    case CLSCAN_ADD:
        return "a + b";
    case CLSCAN_MUL:
        return "a * b";
    case CLSCAN_MIN:
        return "min(a, b)";
    case CLSCAN_MAX:
        return "max(a, b)";
    case CLSCAN_AND:
        return "a & b";
    case CLSCAN_OR:
        return "a | b";
    case CLSCAN_XOR:
        return "a ^ b";
    default:
        return NULL;
    }
}

static void describe(const measure_problem *problem, state *s)
{
    const measure_element *element = problem->element;

    s->serial.element = &element->element;
    s->serial.custom = &element->custom;
    if (element->described != NULL)
        return;
    snprintf(s->source, sizeof s->source, "%s join_vectors(%s a, %s b) { return %s; }", element->name, element->name,
             element->name, expression_of(problem->op));
    s->vector = (clscan_element){.struct_size = sizeof s->vector, .name = element->name};
    s->vector.size_bytes = element->size_bytes;
    s->elementwise =
        (clscan_custom_operator){.struct_size = sizeof s->elementwise, .source = s->source, .function = "join_vectors"};
    s->serial.element = &s->vector;
    s->serial.custom = &s->elementwise;
}

static measure_outcome prepare(measure_contender *contender, const measure_case *c)
{
    state *s;

    if (c->device->threads == NULL) {
        measure_fail(&contender->note, "a loop of one work-item, which only a CPU is good at");
        return MEASURE_UNAVAILABLE;
    }
    if (c->problem.element->described == NULL && c->problem.form == CLSCAN_EXCLUSIVE) {
        measure_fail(&contender->note, "a loop over vectors, which are given no identity");
        return MEASURE_UNAVAILABLE;
    }
    s = contender->state = calloc(1, sizeof *s);
    if (s == NULL) {
        measure_fail(&contender->note, "no host memory");
        return MEASURE_FAILED;
    }
    s->serial = (measure_serial){.context = c->device->context,
                                 .device = c->device->id,
                                 .queue = c->device->queue,
                                 .form = c->problem.form,
                                 .direction = c->problem.direction};
    describe(&c->problem, s);
    contender->one_command = true;
    return measure_serial_prepare(&s->serial, &contender->note) ? MEASURE_OK : MEASURE_FAILED;
}

static bool enqueue(measure_contender *contender, const measure_case *c, cl_event *event)
{
    state *s = contender->state;

    return measure_serial_loop(&s->serial, c->in, c->problem.count, c->target, event, &contender->note);
}

static void release(measure_contender *contender)
{
    if (contender->state != NULL)
        measure_serial_release(&((state *)contender->state)->serial);
    free(contender->state);
}

const measure_kind bench_peer_serial_elements = {
    .name = "serial", .scans = true, .prepare = prepare, .enqueue = enqueue, .release = release};
