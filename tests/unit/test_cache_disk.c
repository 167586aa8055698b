/* Compiled programs on disk, without a device: the "binaries" are any bytes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <clscan/log.h>

#include "cmocka_all.h"
#include "program/cache_folder.h"
#include "program/disk.h"
#include "program/inventory.h"
#include "temporary_folder.h"

#define PLENTY (UINT64_C(1) << 20)

/* ---- One folder per test ---- */

typedef struct desk {
    char *folder;
    clscan__cache_settings settings;
    clscan_cache_counters before;
} desk;

static desk here;

static int make_desk(void **state)
{
    (void)state;
    clscan_log_set(CLSCAN_LOG_OFF, NULL, NULL);
    here.folder = temporary_folder_create();
    here.settings = (clscan__cache_settings){CLSCAN_CACHE_ON, here.folder, PLENTY};
    clscan__cache_counters_read(&here.before);
    return 0;
}

static int remove_desk(void **state)
{
    (void)state;
    chmod(here.folder, S_IRWXU);
    temporary_folder_remove(here.folder);
    return 0;
}

#define COUNTED(name) (counters().name - here.before.name)

static clscan_cache_counters counters(void)
{
    clscan_cache_counters now = {.struct_size = sizeof now};

    clscan__cache_counters_read(&now);
    return now;
}

/* ---- Programs ---- */

static clscan__key *key_of(const char *source)
{
    clscan__key *key = NULL;
    clscan__key_parts parts = {
#define X(name, title) .name = #name,
        CLSCAN__KEY_PART_LIST(X)
#undef X
    };

    parts.source = source;
    assert_int_equal(clscan__key_create(&parts, &key, NULL), CLSCAN_OK);
    return key;
}

/* The binary of a source, in this test: the source many times. */
static unsigned char *binary_of(const char *source, size_t *binary_bytes)
{
    const size_t source_bytes = strlen(source);
    unsigned char *binary = malloc(64 * source_bytes);

    assert_non_null(binary);
    for (size_t i = 0; i < 64; ++i)
        memcpy(binary + i * source_bytes, source, source_bytes);
    *binary_bytes = 64 * source_bytes;
    return binary;
}

static void store(const char *source)
{
    clscan__key *key = key_of(source);
    size_t binary_bytes;
    unsigned char *binary = binary_of(source, &binary_bytes);

    clscan__disk_store(&here.settings, key, binary, binary_bytes);
    free(binary);
    clscan__key_release(key);
}

/* Is the program there? What is there must be right. */
static bool load(const char *source)
{
    clscan__key *key = key_of(source);
    size_t binary_bytes;
    unsigned char *binary = binary_of(source, &binary_bytes);
    clscan__record record;
    unsigned char *file = clscan__disk_load(&here.settings, key, &record);
    const bool right =
        file != NULL && record.binary_bytes == binary_bytes && memcmp(record.binary, binary, binary_bytes) == 0;

    if (file != NULL && !right)
        fail_msg("a wrong program was loaded for %s", source);
    free(file);
    free(binary);
    clscan__key_release(key);
    return right;
}

static char *path_of(const char *source)
{
    clscan__key *key = key_of(source);
    char name[32];

    snprintf(name, sizeof name, "%016llx.bin", (unsigned long long)key->hash);
    clscan__key_release(key);
    return temporary_folder_path(here.folder, name);
}

static unsigned char *read_file(const char *path, size_t *size_bytes)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes;

    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size_bytes = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*size_bytes);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size_bytes, file), *size_bytes);
    fclose(file);
    return bytes;
}

static void write_file(const char *path, const unsigned char *bytes, size_t size_bytes)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size_bytes, file), size_bytes);
    assert_int_equal(fclose(file), 0);
}

static unsigned file_count(void)
{
    unsigned count = 0;
    char command[256];
    FILE *list;

    snprintf(command, sizeof command, "ls -A %s", here.folder);
    list = popen(command, "r");
    assert_non_null(list);
    for (int c = fgetc(list); c != EOF; c = fgetc(list))
        count += c == '\n';
    pclose(list);
    return count;
}

/* ---- Tests ---- */

static void what_was_stored_is_loaded(void **state)
{
    (void)state;
    struct stat about;
    char *path = path_of("a");

    assert_false(load("a"));
    assert_int_equal(COUNTED(disk_misses), 1);
    store("a");
    store("b");
    assert_int_equal(COUNTED(stored), 2);
    assert_true(load("a") && load("b"));
    assert_false(load("c"));
    assert_int_equal(COUNTED(rejected), 0);
    assert_int_equal(file_count(), 2); /* no temporary ones */
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    free(path);
}

/* The folder and what is missing above it are made, for the user alone. */
static void folders_are_made(void **state)
{
    (void)state;
    struct stat about;
    char *upper = temporary_folder_path(here.folder, "upper");
    char *lower = temporary_folder_path(upper, "lower");

    here.settings.folder = lower;
    assert_false(load("a"));
    assert_int_equal(stat(upper, &about), -1); /* reading makes nothing */
    store("a");
    assert_true(load("a"));
    assert_int_equal(stat(lower, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);
    assert_int_equal(clscan__inventory_clear(lower, &(uint64_t){0}, NULL), CLSCAN_OK);
    rmdir(lower);
    free(lower);
    free(upper);
}

static void every_damaged_byte_is_noticed(void **state)
{
    (void)state;
    char *path = path_of("damaged");
    size_t size_bytes;
    unsigned char *bytes;

    store("damaged");
    bytes = read_file(path, &size_bytes);
    for (size_t i = 0; i < size_bytes; ++i) {
        bytes[i] ^= (unsigned char)(1u << i % 8);
        write_file(path, bytes, size_bytes);
        if (load("damaged"))
            fail_msg("byte %zu of %zu was changed, and the entry is used", i, size_bytes);
        bytes[i] ^= (unsigned char)(1u << i % 8);
    }
    assert_int_equal(COUNTED(rejected), size_bytes);
    /* It is replaced by a sound one. */
    store("damaged");
    assert_true(load("damaged"));
    free(bytes);
    free(path);
}

static void every_other_length_is_noticed(void **state)
{
    (void)state;
    char *path = path_of("cut");
    size_t size_bytes;
    unsigned char *bytes, *longer;

    store("cut");
    bytes = read_file(path, &size_bytes);
    for (size_t length = 0; length < size_bytes; ++length) {
        write_file(path, bytes, length);
        if (load("cut"))
            fail_msg("the entry is used after %zu of %zu bytes", length, size_bytes);
    }
    longer = calloc(1, size_bytes + 1);
    assert_non_null(longer);
    memcpy(longer, bytes, size_bytes);
    write_file(path, longer, size_bytes + 1);
    assert_false(load("cut"));
    write_file(path, bytes, size_bytes);
    assert_true(load("cut"));
    free(longer);
    free(bytes);
    free(path);
}

/* As if the hashes of two keys were equal. */
static void entries_of_other_programs_are_not_used(void **state)
{
    (void)state;
    char *mine = path_of("mine"), *foreign = path_of("foreign");

    store("foreign");
    assert_int_equal(rename(foreign, mine), 0);
    assert_false(load("mine"));
    assert_int_equal(COUNTED(rejected), 1);
    store("mine");
    assert_true(load("mine"));
    free(mine);
    free(foreign);
}

/* A link could lead to a file of the same user that others prepared. */
static void odd_files_are_not_used(void **state)
{
    (void)state;
    char *path = path_of("odd"), *elsewhere = temporary_folder_path(here.folder, "elsewhere");

    store("odd");
    assert_int_equal(rename(path, elsewhere), 0);
    assert_int_equal(symlink(elsewhere, path), 0);
    assert_false(load("odd"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0); /* must not wait for a writer */
    assert_false(load("odd"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(load("odd"));
    store("odd"); /* cannot replace a folder */
    assert_int_equal(COUNTED(store_failures), 1);
    assert_int_equal(file_count(), 2);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(COUNTED(rejected), 3);
    free(path);
    free(elsewhere);
}

static void files_of_others_are_not_used(void **state)
{
    (void)state;
    static const mode_t writable[] = {0620, 0602, 0666};
    char *path = path_of("theirs");

    store("theirs");
    for (size_t i = 0; i < sizeof writable / sizeof writable[0]; ++i) {
        assert_int_equal(chmod(path, writable[i]), 0);
        assert_false(load("theirs"));
    }
    assert_int_equal(chmod(path, 0600), 0);
    assert_true(load("theirs"));
    if (geteuid() == 0) {
        assert_int_equal(chown(path, 1, 1), 0);
        assert_false(load("theirs"));
        store("theirs");
        assert_true(load("theirs"));
    } else {
        assert_int_equal(chmod(path, 0), 0);
        assert_false(load("theirs"));
    }
    free(path);
}

static void folders_of_others_are_not_used(void **state)
{
    (void)state;
    static const mode_t writable[] = {0720, 0702, 0777, 01777};
    clscan_cache_info info = {.struct_size = sizeof info};
    clscan_error error;

    store("a");
    for (size_t i = 0; i < sizeof writable / sizeof writable[0]; ++i) {
        assert_int_equal(chmod(here.folder, writable[i]), 0);
        assert_false(load("a"));
        store("b");
        clscan__inventory_describe(here.folder, &info);
        assert_string_not_equal(info.problem, "");
        assert_int_equal(clscan__inventory_clear(here.folder, &(uint64_t){0}, &error), CLSCAN_ERROR_FILE);
        assert_non_null(strstr(error.message, here.folder));
    }
    assert_int_equal(chmod(here.folder, 0700), 0);
    if (geteuid() == 0) {
        assert_int_equal(chown(here.folder, 1, 1), 0);
        assert_false(load("a"));
        assert_int_equal(chown(here.folder, 0, 0), 0);
    }
    assert_true(load("a"));
    assert_int_equal(file_count(), 1);
    assert_int_equal(COUNTED(store_failures), 4);
}

static void folders_that_cannot_be_are_stepped_over(void **state)
{
    (void)state;
    char none[] = "/dev/null/clscan";

    here.settings.folder = none;
    store("a");
    assert_false(load("a"));
    here.settings.folder = NULL;
    store("a");
    assert_false(load("a"));
    assert_int_equal(COUNTED(store_failures), 2);
    here.settings.folder = here.folder;
    if (geteuid() != 0) { /* nothing is read-only to root */
        store("a");
        assert_int_equal(chmod(here.folder, 0500), 0);
        store("b");
        assert_int_equal(COUNTED(store_failures), 3);
        assert_true(load("a"));
    }
}

static void a_full_disk_is_noticed(void **state)
{
    (void)state;
    const int full = open("/dev/full", O_WRONLY);
    struct rlimit limit, small = {100, 100};

    if (full >= 0) {
        assert_false(clscan__write_all(full, "some bytes", 10));
        assert_int_equal(errno, ENOSPC);
        close(full);
    }
    /* Writing beyond the limit on files would end the process by SIGXFSZ. */
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small.rlim_max = limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    store("a");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(COUNTED(store_failures), 1);
    assert_int_equal(file_count(), 0);
}

/* Give an entry an age. */
static void age(const char *source, time_t age_s)
{
    char *path = path_of(source);
    const struct timespec times[2] = {{time(NULL) - age_s, 0}, {time(NULL) - age_s, 0}};

    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    free(path);
}

static uint64_t size_of(const char *source)
{
    char *path = path_of(source);
    struct stat about;

    assert_int_equal(stat(path, &about), 0);
    free(path);
    return (uint64_t)about.st_size;
}

static void what_was_not_used_for_longest_is_evicted(void **state)
{
    (void)state;
    store("a");
    store("b");
    store("c");
    age("a", 300);
    age("b", 200);
    age("c", 100);
    assert_true(load("a")); /* and so used last */
    here.settings.max_bytes = 3 * size_of("a");
    store("d");
    assert_int_equal(COUNTED(evicted), 1);
    assert_true(load("a") && load("c") && load("d"));
    assert_false(load("b"));
    here.settings.max_bytes = size_of("a");
    store("e");
    assert_true(load("e"));
    assert_int_equal(file_count(), 1);
    here.settings.max_bytes = size_of("e") - 1;
    store("f"); /* larger than all that there may be */
    assert_int_equal(COUNTED(store_failures), 1);
    assert_true(load("e"));
}

static void unfinished_files_are_removed(void **state)
{
    (void)state;
    const struct timespec long_ago[2] = {{1000, 0}, {1000, 0}};
    /* Ended before the header, in it, and behind it. */
    static const size_t written_bytes[] = {0, 5, 200};
    char *entry = path_of("a");
    unsigned char *bytes;
    size_t size_bytes;

    store("a");
    bytes = read_file(entry, &size_bytes);
    assert_true(size_bytes > 200);
    for (size_t i = 0; i < 3; ++i) {
        const int folder = open(here.folder, O_RDONLY | O_DIRECTORY);
        char name[CLSCAN__UNFINISHED_NAME_BYTES];
        const int file = clscan__cache_unfinished_create(folder, name);

        assert_true(file >= 0);
        assert_true(clscan__write_all(file, bytes, written_bytes[i]));
        close(file);
        store("a");
        assert_int_equal(faccessat(folder, name, F_OK, 0), 0); /* may still be written */
        assert_int_equal(utimensat(folder, name, long_ago, 0), 0);
        store("a");
        assert_int_equal(faccessat(folder, name, F_OK, 0), -1);
        close(folder);
    }
    assert_int_equal(file_count(), 1);
    free(bytes);
    free(entry);
}

/* The folder may be one where the user keeps other things, under whatever names. */
static void the_users_files_are_kept(void **state)
{
    (void)state;
    static const char *const names[] = {
        "notes",
        "tmp-notes",
        "tmp-1-0",
        "clscan-unfinished-",
        "clscan-unfinished-1",
        "clscan-unfinished-1-0", /* named as ours are */
        "clscan-unfinished-1-0-",
        "clscan-unfinished-1-0x",
        "clscan-unfinished--0",
        "clscan-unfinished-symphony",
        "0123456789abcdef.bin", /* as an entry is */
        "0123456789abcdef.bin2",
    };
    enum { NAME_COUNT = sizeof names / sizeof names[0] };
    static const char *const contents[] = {"the user's own", "", "clscanPB, but in a file of another name"};
    const struct timespec long_ago[2] = {{1000, 0}, {1000, 0}};

    for (size_t c = 0; c < 3; ++c) {
        uint64_t removed = 0;
        unsigned kept = 0;

        for (size_t i = 0; i < NAME_COUNT; ++i) {
            const bool is_ours = c > 0 && (strcmp(names[i], "clscan-unfinished-1-0") == 0 ||
                                           (c == 2 && strcmp(names[i], "0123456789abcdef.bin") == 0));
            char *path = temporary_folder_path(here.folder, names[i]);

            if (!is_ours) {
                write_file(path, (const unsigned char *)contents[c], strlen(contents[c]));
                assert_int_equal(utimensat(AT_FDCWD, path, long_ago, 0), 0);
                ++kept;
            } else {
                unlink(path);
            }
            free(path);
        }
        here.settings.max_bytes = PLENTY;
        store("a");
        here.settings.max_bytes = size_of("a"); /* all others are too many */
        store("b");
        assert_int_equal(file_count(), kept + 1);
        assert_int_equal(clscan__inventory_clear(here.folder, &removed, NULL), CLSCAN_OK);
        assert_int_equal(removed, 1);
        assert_int_equal(file_count(), kept);
    }
}

/* Only what is a file can be one of ours. */
static void folders_links_and_pipes_are_kept(void **state)
{
    (void)state;
    static const char *const names[] = {"clscan-unfinished-2-0", "123456789abcdef0.bin"};
    const struct timespec long_ago[2] = {{1000, 0}, {1000, 0}};
    char *ours = path_of("a");
    uint64_t removed = 0;

    store("a");
    for (size_t i = 0; i < 2; ++i) {
        char *path = temporary_folder_path(here.folder, names[i]);

        for (unsigned kind = 0; kind < 3; ++kind) {
            assert_int_equal(kind == 0 ? symlink(ours, path) : kind == 1 ? mkfifo(path, 0600) : mkdir(path, 0700), 0);
            assert_int_equal(utimensat(AT_FDCWD, path, long_ago, AT_SYMLINK_NOFOLLOW), 0);
            store("a");
            assert_int_equal(clscan__inventory_clear(here.folder, &removed, NULL), CLSCAN_OK);
            assert_int_equal(removed, 1);
            assert_int_equal(file_count(), 1);
            assert_int_equal(remove(path), 0);
        }
        free(path);
    }
    free(ours);
}

static void remember(const clscan_cache_entry *entry, void *user)
{
    clscan_cache_entry *entries = user;

    while (entries->name[0] != '\0')
        ++entries;
    *entries = *entry;
}

static void the_inventory_shows_and_clears(void **state)
{
    (void)state;
    clscan_cache_entry entries[4] = {0};
    clscan_cache_info info = {.struct_size = sizeof info};
    uint64_t removed = 0;
    char *path = path_of("b");

    store("a");
    store("b");
    age("b", 1000);
    write_file(path, (const unsigned char *)"clscanPB", 8);
    age("b", 1000);
    assert_int_equal(clscan__inventory_list(here.folder, remember, entries, NULL), CLSCAN_OK);
    assert_string_equal(entries[0].device, "device_name");
    assert_string_equal(entries[0].driver, "driver_version");
    assert_string_equal(entries[0].program, "program");
    assert_string_equal(entries[0].problem, "");
    assert_string_equal(entries[1].device, "");
    assert_string_not_equal(entries[1].problem, "");
    assert_int_equal(entries[1].size_bytes, 8);
    assert_string_equal(entries[2].name, "");
    clscan__inventory_describe(here.folder, &info);
    assert_int_equal(info.entry_count, 2);
    assert_int_equal(info.size_bytes, size_of("a") + 8);
    assert_int_equal(clscan__inventory_clear(here.folder, &removed, NULL), CLSCAN_OK);
    assert_int_equal(removed, 2);
    assert_int_equal(file_count(), 0);
    free(path);
}

/* Processes that store, load and evict the same entries at once: each load finds the right program or none. */
static void processes_may_share_a_folder(void **state)
{
    (void)state;
    enum { PROCESSES = 4, ROUNDS = 60 };
    static const char *const sources[] = {"one", "two", "three", "four", "five"};
    pid_t children[PROCESSES];

    store("one");
    here.settings.max_bytes = 3 * size_of("one");
    for (unsigned i = 0; i < PROCESSES; ++i) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            unsigned hits = 0;
            for (unsigned round = 0; round < ROUNDS; ++round) {
                store(sources[(round + i) % 5]);
                hits += load(sources[(round + i) % 5]);
                hits += load(sources[(round + i + 1) % 5]);
            }
            _exit(hits > 0 && COUNTED(rejected) == 0 ? 0 : 1);
        }
    }
    for (unsigned i = 0; i < PROCESSES; ++i) {
        int result = -1;
        assert_int_equal(waitpid(children[i], &result, 0), children[i]);
        assert_int_equal(result, 0);
    }
    assert_true(file_count() <= 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_desk, remove_desk)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_was_stored_is_loaded),
        TEST(folders_are_made),
        TEST(every_damaged_byte_is_noticed),
        TEST(every_other_length_is_noticed),
        TEST(entries_of_other_programs_are_not_used),
        TEST(odd_files_are_not_used),
        TEST(files_of_others_are_not_used),
        TEST(folders_of_others_are_not_used),
        TEST(folders_that_cannot_be_are_stepped_over),
        TEST(a_full_disk_is_noticed),
        TEST(what_was_not_used_for_longest_is_evicted),
        TEST(unfinished_files_are_removed),
        TEST(the_users_files_are_kept),
        TEST(folders_links_and_pipes_are_kept),
        TEST(the_inventory_shows_and_clears),
        TEST(processes_may_share_a_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
