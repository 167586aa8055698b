/* Values of options: the first byte picks what reads the rest. Numbers are printed and read again. */
#include <inttypes.h>
#include <string.h>

#include "command/settings.h"
#include "command/settings_values.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "space/only.h"
#include "targets.h"

static void count_again(const char *text)
{
    uint64_t read, again;
    char written[32];

    if (read_count(text, &read, NULL) != CLSCAN_OK)
        return;
    snprintf(written, sizeof written, "%" PRIu64, read);
    FUZZ_CHECK(read_count(written, &again, NULL) == CLSCAN_OK && again == read);
}

static void bytes_again(const char *text)
{
    uint64_t read, again;
    char written[32];

    if (read_bytes(text, &read, NULL) != CLSCAN_OK)
        return;
    FUZZ_CHECK(read > 0);
    snprintf(written, sizeof written, "%" PRIu64, read);
    FUZZ_CHECK(read_bytes(written, &again, NULL) == CLSCAN_OK && again == read);
}

/* Of every accumulator type: what was read is a number of the type, which its own digits give again. */
static void value_again(const char *text)
{
    for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type) {
        union {
            unsigned char bytes[8];
            int64_t int64;
            uint64_t uint64;
            double float64;
        } read = {{0}}, again = {{0}};
        char written[64];

        if (type == CLSCAN_HALF || parse_value(text, (clscan_type)type, read.bytes, NULL) != CLSCAN_OK)
            continue;
        if (type == CLSCAN_INT64)
            snprintf(written, sizeof written, "%" PRId64, read.int64);
        else if (type == CLSCAN_UINT64)
            snprintf(written, sizeof written, "%" PRIu64, read.uint64);
        else if (type == CLSCAN_DOUBLE)
            snprintf(written, sizeof written, "%a", read.float64);
        else
            continue;
        FUZZ_CHECK(parse_value(written, (clscan_type)type, again.bytes, NULL) == CLSCAN_OK);
        FUZZ_CHECK(read.float64 != read.float64 || memcmp(read.bytes, again.bytes, sizeof read.bytes) == 0);
    }
}

static void names_again(const char *text)
{
    clscan_type type, type_again;
    clscan_operator op, op_again;

    if (read_type(text, &type, NULL) == CLSCAN_OK)
        FUZZ_CHECK(read_type(clscan_type_name(type), &type_again, NULL) == CLSCAN_OK && type == type_again);
    if (read_operator(text, &op, NULL) == CLSCAN_OK)
        FUZZ_CHECK(read_operator(clscan_operator_name(op), &op_again, NULL) == CLSCAN_OK && op == op_again);
}

static void lists(const char *text)
{
    bool types[CLSCAN_TYPE_COUNT] = {false}, classes[CLSCAN_OPERATOR_CLASS_COUNT] = {false};

    read_type_list(text, types, NULL);
    tune_read_classes(text, classes, NULL);
}

static void ladders(const char *text)
{
    tune_settings settings = {.count_count = 0};

    if (tune_read_sizes(text, &settings, NULL) != CLSCAN_OK)
        return;
    FUZZ_CHECK(settings.count_count > 0 && settings.count_count <= TUNE_MAX_COUNTS && settings.counts[0] > 0);
    for (size_t i = 1; i < settings.count_count; ++i)
        FUZZ_CHECK(settings.counts[i - 1] < settings.counts[i]);
}

static void durations(const char *text)
{
    double seconds = 0.0;
    uint64_t positive = 0;

    if (tune_read_duration(text, &seconds, NULL) == CLSCAN_OK)
        FUZZ_CHECK(seconds >= 0.0 && seconds < 1e300);
    if (tune_read_positive(text, &positive, NULL) == CLSCAN_OK)
        FUZZ_CHECK(positive > 0);
}

/* On a space that holds what restrictions look at: it is made once. */
static void restrictions(const char *text)
{
    static tune_space whole;
    tune_space space;

    if (whole.points == 0) {
        const clscan_device_info device = {
            .struct_size = sizeof device, .max_work_group_size = 1024, .local_memory_bytes = 49152, .compute_units = 8};
        FUZZ_CHECK(tune_space_create(&whole, TUNE_SPACE_DEFAULT, "work_group_size=64,body=strided",
                                     &(tune_target){.type = CLSCAN_INT32}, &device, NULL) == CLSCAN_OK);
    }
    space = whole;
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        FUZZ_CHECK((space.params[i] = (tune_values){0}, tune_values_copy(&space.params[i], &whole.params[i])));
    tune_only_apply(&space, text, NULL);
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        tune_values_free(&space.params[i]);
}

/* A whole command line, with a word in each line. Help and complaints are written, so this one is slow. */
static void command_lines(const char *text)
{
    uint64_t count = 0, bytes = 0;
    clscan_type type = CLSCAN_INT32;
    bool verbose = false;
    const option options[] = {{"count", "N", "elements", read_count, &count},
                              {"bytes", "N", "bytes", read_bytes, &bytes},
                              {"type", "T", "type", read_type, &type},
                              {"verbose", NULL, "more", NULL, &verbose}};
    operand_rest rest = {0};
    const command_line line = {.name = "fuzzed",
                               .synopsis = "fuzzed",
                               .description = "",
                               .options = options,
                               .option_count = sizeof options / sizeof options[0],
                               .operands = (const char *const[]){"IN"},
                               .operand_count = 1,
                               .rest = &rest,
                               .examples = ""};
    const char *operands[1];
    char name[] = "fuzzed", *words[18] = {name}, *own = fuzz_text((const uint8_t *)text, strlen(text));
    int count_of_words = 1, exit_code = 0;

    for (char *at = own; at != NULL && count_of_words < 17; ++count_of_words) {
        words[count_of_words] = at;
        at = strchr(at, '\n');
        if (at != NULL)
            *at++ = '\0';
    }
    if (options_parse(&line, count_of_words, words, operands, &exit_code))
        FUZZ_CHECK(operands[0] != NULL && rest.count < 17);
    free(own);
}

void fuzz_options(const uint8_t *data, size_t size_bytes)
{
    static void (*const readers[])(const char *) = {count_again, bytes_again, value_again,  names_again,  lists,
                                                    ladders,     durations,   restrictions, command_lines};
    enum { READERS = sizeof readers / sizeof readers[0] };

    if (size_bytes == 0)
        return;
    char *text = fuzz_text(data + 1, size_bytes - 1);
    readers[data[0] % READERS](text);
    free(text);
}
