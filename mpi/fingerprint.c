#include "fingerprint.h"

#include <string.h>

#include "base/hash.h"
#include "element/problem.h"

static const char *const names[CLSCAN__FINGERPRINT_COUNT] = {
#define X(name, text) [CLSCAN__FINGERPRINT_##name] = text,
    CLSCAN__FINGERPRINT_LIST(X)
#undef X
};

static uint64_t hash_number(uint64_t hash, uint64_t number)
{
    return clscan__hash(hash, &number, sizeof number);
}

/* With its end, so that two texts are not one. NULL is no text. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    return text != NULL ? clscan__hash(hash_number(hash, 1), text, strlen(text) + 1) : hash_number(hash, 0);
}

static uint64_t hash_element(clscan_element element)
{
    uint64_t hash = hash_number(CLSCAN__HASH_START, element.type);

    hash = hash_number(hash, element.lanes);
    hash = hash_number(hash, element.size_bytes);
    hash = hash_number(hash, element.align_bytes);
    hash = hash_text(hash, element.name);
    return hash_text(hash, element.source);
}

static uint64_t hash_custom(const clscan_custom_operator *custom)
{
    uint64_t hash = CLSCAN__HASH_START;

    if (custom == NULL)
        return hash;
    hash = hash_text(hash, custom->source);
    hash = hash_text(hash, custom->function);
    return hash_text(hash, custom->identity);
}

static uint64_t hash_map(const clscan_map *map)
{
    uint64_t hash = CLSCAN__HASH_START;

    if (map == NULL)
        return hash;
    hash = hash_text(hash, map->expression);
    hash = hash_text(hash, map->source);
    for (uint64_t i = 0; i < map->argument_count; ++i) {
        hash = hash_text(hash, map->arguments[i].name);
        hash = hash_number(hash, map->arguments[i].type);
        hash = hash_number(hash, map->arguments[i].lanes);
        hash = hash_number(hash, (uint64_t)map->arguments[i].is_buffer);
    }
    return hash;
}

clscan__fingerprint clscan__fingerprint_of(const clscan_problem *problem)
{
    const clscan_element in = clscan__problem_input(problem);
    clscan__fingerprint made;

    made.fields[CLSCAN__FINGERPRINT_ELEMENT] = hash_element(in);
    made.fields[CLSCAN__FINGERPRINT_ACCUMULATOR] = hash_element(clscan__problem_sum(problem));
    made.fields[CLSCAN__FINGERPRINT_OUTPUT] = hash_element(problem->output != NULL ? *problem->output : in);
    made.fields[CLSCAN__FINGERPRINT_OPERATOR] = problem->op;
    made.fields[CLSCAN__FINGERPRINT_CUSTOM] = hash_custom(problem->custom);
    made.fields[CLSCAN__FINGERPRINT_FORM] = problem->form;
    made.fields[CLSCAN__FINGERPRINT_DIRECTION] = problem->direction;
    made.fields[CLSCAN__FINGERPRINT_ORDERED] = clscan__problem_is_ordered(problem);
    made.fields[CLSCAN__FINGERPRINT_LOAD] = hash_map(problem->load);
    made.fields[CLSCAN__FINGERPRINT_STORE] = hash_map(problem->store);
    return made;
}

const char *clscan__fingerprint_difference(const clscan__fingerprint *one, const clscan__fingerprint *other)
{
    for (size_t i = 0; i < CLSCAN__FINGERPRINT_COUNT; ++i)
        if (one->fields[i] != other->fields[i])
            return names[i];
    return NULL;
}
