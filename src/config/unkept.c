#include "config/unkept.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/unload.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list */
static clscan__unkept *list;
static size_t count;

static char *copy_bytes(const char *text, size_t text_bytes)
{
    char *copy = malloc(text_bytes + 1);

    if (copy != NULL) {
        memcpy(copy, text, text_bytes);
        copy[text_bytes] = '\0';
    }
    return copy;
}

static bool copy_all(const char *folder, const char *name, const char *source, const char *text, size_t text_bytes,
                     clscan__unkept *copy)
{
    *copy = (clscan__unkept){strdup(folder), strdup(name), strdup(source), copy_bytes(text, text_bytes), text_bytes};
    if (copy->folder != NULL && copy->name != NULL && copy->source != NULL && copy->text != NULL)
        return true;
    clscan__unkept_free(copy);
    return false;
}

void clscan__unkept_free(clscan__unkept *unkept)
{
    free(unkept->folder);
    free(unkept->name);
    free(unkept->source);
    free(unkept->text);
}

/* The lock is held. */
static void remove_at(size_t at)
{
    clscan__unkept_free(&list[at]);
    list[at] = list[--count];
}

static void remove_named(const char *folder, const char *name)
{
    for (size_t i = count; i-- > 0;)
        if (strcmp(list[i].folder, folder) == 0 && strcmp(list[i].name, name) == 0)
            remove_at(i);
}

clscan_status clscan__unkept_put(const char *folder, const char *name, const char *source, const char *text,
                                 size_t text_bytes, clscan_error *error)
{
    clscan__unkept added;
    clscan__unkept *grown;
    bool kept = copy_all(folder, name, source, text, text_bytes, &added);

    if (kept) {
        pthread_mutex_lock(&lock);
        grown = realloc(list, (count + 1) * sizeof *grown);
        kept = grown != NULL;
        if (kept) {
            list = grown;
            remove_named(folder, name);
            list[count++] = added;
        }
        pthread_mutex_unlock(&lock);
        if (!kept)
            clscan__unkept_free(&added);
    }
    return kept ? CLSCAN_OK
                : clscan__error_set(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for what cannot be written");
}

void clscan__unkept_remove(const char *folder, const char *name)
{
    pthread_mutex_lock(&lock);
    remove_named(folder, name);
    pthread_mutex_unlock(&lock);
}

bool clscan__unkept_get(const char *folder, size_t index, clscan__unkept *copy)
{
    bool found = false;

    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count && !found; ++i)
        if (strcmp(list[i].folder, folder) == 0 && index-- == 0)
            found = copy_all(list[i].folder, list[i].name, list[i].source, list[i].text, list[i].text_bytes, copy);
    pthread_mutex_unlock(&lock);
    return found;
}

/* A plugin that is loaded and unloaded again shall leave nothing behind. */
CLSCAN__AT_UNLOAD static void forget(void)
{
    pthread_mutex_lock(&lock);
    while (count > 0)
        remove_at(0);
    free(list);
    list = NULL;
    pthread_mutex_unlock(&lock);
}
