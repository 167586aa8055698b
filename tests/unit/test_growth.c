/* What a scan takes beyond its input and output does not grow: memory by less than a hundredth of the input, launches
 * not at all. For every recorded device, by the built-in configs. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "cmocka_all.h"
#include "config/select.h"
#include "config/variant.h"
#include "device_fixture.h"
#include "element/operators.h"
#include "element/types.h"
#include "engine/geometry.h"
#include "engine/layout.h"
#include "engine/strategy.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { SMALLEST_SHIFT = 26, LARGEST_SHIFT = 30, MOST_DEVICES = 64 };

static const clscan_type types[] = {CLSCAN_UINT8, CLSCAN_HALF, CLSCAN_INT32, CLSCAN_FLOAT, CLSCAN_INT64, CLSCAN_DOUBLE};
static const clscan_operator operators[] = {CLSCAN_ADD, CLSCAN_MAX, CLSCAN_CUSTOM};

static struct {
    char name[64];
    clscan_device_info info;
} devices[MOST_DEVICES];
static size_t device_count;
static clscan__selector *selector;

static void add_device(const char *file)
{
    clscan__device_raw raw;
    char path[1024];

    assert_true(device_count < MOST_DEVICES);
    snprintf(path, sizeof path, CLSCAN_FIXTURES "/devices/%s", file);
    assert_true(device_fixture_load(path, &raw));
    snprintf(devices[device_count].name, sizeof devices[device_count].name, "%.60s", file);
    clscan__device_derive(&raw, &devices[device_count++].info);
}

static int setup(void **state)
{
    DIR *folder = opendir(CLSCAN_FIXTURES "/devices");

    (void)state;
    unsetenv("CLSCAN_CONFIG");
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    if (folder == NULL)
        return -1;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (strstr(entry->d_name, ".json") != NULL)
            add_device(entry->d_name);
    closedir(folder);
    return clscan__selector_create(NULL, &selector, NULL) == CLSCAN_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    clscan__selector_destroy(selector);
    return 0;
}

/* A problem on a device. */
typedef struct question {
    size_t device;
    clscan_type type;
    clscan_operator op;
    bool reproducible;
    int in_place;
} question;

static clscan_choice choose(const question *ask, uint64_t count)
{
    clscan_choice choice = {.struct_size = sizeof choice};

    const clscan_problem problem = {
        .struct_size = sizeof problem, .type = ask->type, .op = ask->op, .reproducible = ask->reproducible};

    clscan__selector_choose(selector, &devices[ask->device].info, &problem, count, ask->in_place, &choice);
    return choice;
}

static clscan__geometry geometry(const question *ask, const clscan_choice *choice, uint64_t count)
{
    const clscan_device_info *device = &devices[ask->device].info;

    return ask->reproducible
               ? clscan__geometry_reproducible(&choice->variant, clscan__type_sum_bytes(ask->type), device, 0, count)
               : clscan__geometry_of(&choice->variant, clscan__type_sum_bytes(ask->type), device, count);
}

/* The workspace that serves all counts up to this one, as a plan's does. What a carry cannot number is left out: a
 * carry without words takes its place. */
static uint64_t workspace_bytes(const question *ask, uint64_t most_elements)
{
    uint64_t words_bytes = 0, totals_bytes = 0, count = 0;

    while (count < most_elements) {
        const clscan_choice choice = choose(ask, count + 1);
        const clscan_device_info *device = &devices[ask->device].info;
        clscan__geometry of;

        count = clscan__min_u64(choice.largest_count, most_elements);
        of = geometry(ask, &choice, clscan__min_u64(count, clscan__geometry_most_elements(&choice.variant, device)));
        words_bytes = words_bytes > of.words_bytes ? words_bytes : of.words_bytes;
        totals_bytes = totals_bytes > of.totals_bytes ? totals_bytes : of.totals_bytes;
    }
    return clscan__layout_of(words_bytes, totals_bytes, 0, 0).size_bytes;
}

static unsigned launches(const question *ask, uint64_t count)
{
    const clscan_variant variant = choose(ask, count).variant;
    const clscan__strategy *strategy = clscan__strategy_of(&variant, ask->reproducible);
    unsigned kernels = 0;

    while (kernels < CLSCAN__KERNELS_PER_STRATEGY && strategy->kernel_names[kernels] != NULL)
        ++kernels;
    return variant.carry == CLSCAN_CARRY_LOOKAHEAD ? 1 : kernels; /* of two kernels one, by the offsets */
}

/* Call `check` for all problems; it returns how often something was wrong. */
static void for_all(unsigned (*check)(const question *ask, uint64_t count))
{
    unsigned failures = 0;

    for (question ask = {.device = 0}; ask.device < device_count; ++ask.device)
        for (size_t t = 0; t < COUNT_OF(types); ++t)
            for (size_t o = 0; o < COUNT_OF(operators); ++o)
                for (int way = 0; way < 4; ++way) {
                    ask.type = types[t];
                    ask.op = operators[o];
                    ask.in_place = way % 2;
                    ask.reproducible = way / 2 && !clscan__operator_is_exact(ask.op, ask.type);
                    if (clscan_device_check_type(&devices[ask.device].info, ask.type, NULL) != CLSCAN_OK)
                        continue;
                    for (int shift = SMALLEST_SHIFT; shift <= LARGEST_SHIFT && failures < 10; ++shift)
                        failures += check(&ask, UINT64_C(1) << shift);
                }
    assert_int_equal(failures, 0);
}

static unsigned complain(const question *ask, uint64_t count, const char *what, uint64_t number)
{
    const clscan_choice choice = choose(ask, count);
    char text[256];

    clscan_variant_format(&choice.variant, text, sizeof text);
    print_error("%s, %s %s%s%s, %llu elements: %llu %s (%s%s: %s)\n", devices[ask->device].name,
                clscan_type_name(ask->type), clscan_operator_name(ask->op), ask->in_place ? " in place" : "",
                ask->reproducible ? " reproducible" : "", (unsigned long long)count, (unsigned long long)number, what,
                choice.source, choice.entry, text);
    return 1;
}

static unsigned check_memory(const question *ask, uint64_t count)
{
    const uint64_t bytes = workspace_bytes(ask, count);

    return 100 * bytes < count * clscan_type_size_bytes(ask->type) ? 0
                                                                   : complain(ask, count, "bytes of workspace", bytes);
}

static void memory_stays_below_a_hundredth(void **state)
{
    (void)state;
    for_all(check_memory);
}

static unsigned check_launches(const question *ask, uint64_t count)
{
    const unsigned now = launches(ask, count);

    return now <= launches(ask, UINT64_C(1) << SMALLEST_SHIFT) ? 0 : complain(ask, count, "launches", now);
}

static void launches_do_not_grow(void **state)
{
    (void)state;
    for_all(check_launches);
}

/* No built-in file is left out of the above. */
static void every_config_is_asked(void **state)
{
    (void)state;
    assert_true(clscan__embedded_config_count > 0);
    for (size_t i = 0; i < clscan__embedded_config_count; ++i) {
        bool found = false;
        for (question ask = {.type = CLSCAN_INT32}; ask.device < device_count && !found; ++ask.device)
            found = strstr(choose(&ask, UINT64_C(1) << LARGEST_SHIFT).source, clscan__embedded_configs[i].name) != NULL;
        if (!found)
            fail_msg("no recorded device takes %s", clscan__embedded_configs[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_stays_below_a_hundredth),
        cmocka_unit_test(launches_do_not_grow),
        cmocka_unit_test(every_config_is_asked),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
