/* Configs where memory is short, and on threads whose stacks are. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <clscan/config.h>

#include "cmocka_all.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* A sound config of some size, with a note of so many bytes. */
static char *make_config(size_t note_bytes)
{
    static const char begin[] = "{\"schema_version\": 1, \"match\": \"a\", \"provenance\": {\"origin\": \"hand-set\", "
                                "\"date\": \"2026-11-22\", \"note\": \"";
    static const char end[] = "\"}, \"entries\": [{\"operation\": \"scan\", \"element_size_bytes\": 4, "
                              "\"operator_class\": \"builtin\", \"largest_count\": null, \"reproducible\": false, "
                              "\"variant\": {\"body\": \"strided\", \"group_scan\": \"kogge_stone\", \"carry\": "
                              "\"single\", \"work_group_size\": 64, \"vector_length\": 1, \"register_pieces\": 1, "
                              "\"local_pieces\": 0}}]}";
    char *text = malloc(sizeof begin + note_bytes + sizeof end);

    assert_non_null(text);
    memcpy(text, begin, sizeof begin);
    memset(text + sizeof begin - 1, 'n', note_bytes);
    memcpy(text + sizeof begin - 1 + note_bytes, end, sizeof end);
    return text;
}

static size_t address_space_bytes(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (file == NULL || fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* 0: read; 1: refused for lack of memory; 2: anything else. */
static int parse_within(const char *text, size_t more_bytes)
{
    int result = -1;
    const pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit limit = {address_space_bytes() + more_bytes, RLIM_INFINITY};
        clscan_config *config = NULL;
        clscan_error error = {0};
        clscan_status status;

        setrlimit(RLIMIT_AS, &limit);
        status = clscan_config_parse(text, strlen(text), "text", &config, &error);
        _exit(status == CLSCAN_OK ? 0 : status == CLSCAN_ERROR_OUT_OF_MEMORY ? 1 : 2);
    }
    assert_int_equal(waitpid(child, &result, 0), child);
    return WIFEXITED(result) ? WEXITSTATUS(result) : 2;
}

/* Not a syntax error, and no crash: jansson 2.14 loses the ends of strings when an allocation fails. */
static void too_little_memory_is_told(void **state)
{
    (void)state;
    unsigned counts[3] = {0};
    char *text;

    if (SANITIZED || address_space_bytes() == 0)
        skip();
    text = make_config(1000000);
    for (size_t more_bytes = 0; more_bytes <= (size_t)160 << 20; more_bytes += more_bytes / 8 + 65536)
        ++counts[parse_within(text, more_bytes)];
    assert_int_equal(counts[2], 0);
    assert_true(counts[0] > 0 && counts[1] > 0);
    free(text);
}

static void *parse_nested(void *result)
{
    static char text[2000];
    clscan_config *config = NULL;

    memset(text, '[', sizeof text);
    *(clscan_status *)result = clscan_config_parse(text, sizeof text, "text", &config, NULL);
    return NULL;
}

/* A parser that goes down as far as the text does needs more stack than some threads have. */
static void nesting_takes_no_stack(void **state)
{
    (void)state;
    const size_t least_bytes = (size_t)sysconf(_SC_THREAD_STACK_MIN);
    clscan_status status = CLSCAN_OK;
    pthread_attr_t attributes;
    pthread_t thread;

    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, least_bytes + 65536), 0);
    assert_int_equal(pthread_create(&thread, &attributes, parse_nested, &status), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(status, CLSCAN_ERROR_CONFIG_SYNTAX);
    pthread_attr_destroy(&attributes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_little_memory_is_told),
        cmocka_unit_test(nesting_takes_no_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
