/* Parts of a key are found again, parts that differ give keys that differ, and any bytes may be asked for parts. */
#include <string.h>

#include "program/key.h"
#include "targets.h"

enum {
#define X(name, title) PART_##name,
    CLSCAN__KEY_PART_LIST(X)
#undef X
        PARTS
};

/* The data cut at newlines into as many parts as keys have; `joined` puts the first two cuts into one part. */
static clscan__key *key_of_lines(char *text, int joined)
{
    const char *parts[PARTS];
    size_t part = 0;
    clscan__key *key = NULL;

    for (size_t i = 0; i < PARTS; ++i)
        parts[i] = "";
    for (char *at = text; part < PARTS; ++part) {
        char *end = strchr(at, '\n');
        if (end != NULL && joined && part == 0)
            end = strchr(end + 1, '\n');
        parts[part] = at;
        if (end == NULL)
            break;
        *end = '\0';
        at = end + 1;
    }
    const clscan__key_parts named = {
#define X(name, title) .name = parts[PART_##name],
        CLSCAN__KEY_PART_LIST(X)
#undef X
    };
    FUZZ_CHECK(clscan__key_create(&named, &key, NULL) == CLSCAN_OK);
#define X(name, title)                                                                                 \
    if (!joined) {                                                                                     \
        char value[64];                                                                                \
        clscan__key_part(key->text, key->length_bytes, title, value, sizeof value);                    \
        FUZZ_CHECK(strncmp(value, named.name, sizeof value - 1) == 0 && strlen(value) < sizeof value); \
    }
    CLSCAN__KEY_PART_LIST(X)
#undef X
    return key;
}

void fuzz_key(const uint8_t *data, size_t size_bytes)
{
    static const char *const titles[] = {
#define X(name, title) title,
        CLSCAN__KEY_PART_LIST(X)
#undef X
    };
    char *text = fuzz_text(data, size_bytes), *same = fuzz_text(data, size_bytes);
    const int differ = strchr(text, '\n') != NULL;
    char value[16];

    for (size_t i = 0; i < PARTS; ++i)
        clscan__key_part((const char *)data, size_bytes, titles[i], value, sizeof value);
    clscan__key *key = key_of_lines(text, 0), *joined = key_of_lines(same, 1);
    FUZZ_CHECK(clscan__key_equal(key, joined) == !differ);
    clscan__key_release(key);
    clscan__key_release(joined);
    free(text);
    free(same);
}
