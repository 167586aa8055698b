/* Element types and operators: names, sizes, identities, and what goes with what. */
#include <string.h>

#include "cmocka_all.h"
#include "common/names.h"
#include "element/described.h"
#include "element/names.h"
#include "element/operators.h"
#include "element/types.h"
#include "problem_of.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Written out, so that a slip in the public list is seen. */
static const struct {
    clscan_type type;
    const char *name, *cl_name, *unsigned_cl_name;
    size_t size_bytes;
    clscan_type accumulator;
    bool floating, is_signed;
    const char *smallest, *largest; /* identities of max and min */
} types[] = {
    {CLSCAN_INT8, "int8", "char", "uchar", 1, CLSCAN_INT8, false, true, "CHAR_MIN", "CHAR_MAX"},
    {CLSCAN_UINT8, "uint8", "uchar", "uchar", 1, CLSCAN_UINT8, false, false, "0", "UCHAR_MAX"},
    {CLSCAN_INT16, "int16", "short", "ushort", 2, CLSCAN_INT16, false, true, "SHRT_MIN", "SHRT_MAX"},
    {CLSCAN_UINT16, "uint16", "ushort", "ushort", 2, CLSCAN_UINT16, false, false, "0", "USHRT_MAX"},
    {CLSCAN_INT32, "int32", "int", "uint", 4, CLSCAN_INT32, false, true, "INT_MIN", "INT_MAX"},
    {CLSCAN_UINT32, "uint32", "uint", "uint", 4, CLSCAN_UINT32, false, false, "0", "UINT_MAX"},
    {CLSCAN_INT64, "int64", "long", "ulong", 8, CLSCAN_INT64, false, true, "LONG_MIN", "LONG_MAX"},
    {CLSCAN_UINT64, "uint64", "ulong", "ulong", 8, CLSCAN_UINT64, false, false, "0", "ULONG_MAX"},
    {CLSCAN_HALF, "half", "half", "ushort", 2, CLSCAN_FLOAT, true, false, "-INFINITY", "INFINITY"},
    {CLSCAN_FLOAT, "float", "float", "uint", 4, CLSCAN_FLOAT, true, false, "-INFINITY", "INFINITY"},
    {CLSCAN_DOUBLE, "double", "double", "ulong", 8, CLSCAN_DOUBLE, true, false, "-INFINITY", "INFINITY"},
};

static const struct {
    clscan_operator op;
    const char *name;
    const char *identity; /* "smallest" and "largest" are the type's; NULL: the caller's */
    bool for_floating, commutative_floating, commutative_integer;
} operators[] = {
    {CLSCAN_ADD, "add", "0", true, true, true},
    {CLSCAN_MUL, "mul", "1", true, true, true},
    /* Which NaN or zero wins depends on the order. */
    {CLSCAN_MIN, "min", "largest", true, false, true},
    {CLSCAN_MAX, "max", "smallest", true, false, true},
    {CLSCAN_AND, "and", "~0", false, true, true},
    {CLSCAN_OR, "or", "0", false, true, true},
    {CLSCAN_XOR, "xor", "0", false, true, true},
    /* Nothing is known of a caller's operator. */
    {CLSCAN_CUSTOM, "custom", NULL, true, false, false},
};

static void types_have_their_traits(void **state)
{
    (void)state;
    assert_int_equal(COUNT_OF(types), CLSCAN_TYPE_COUNT);
    for (size_t i = 0; i < COUNT_OF(types); ++i) {
        const clscan_type type = types[i].type;

        assert_true(clscan__type_is_valid(type));
        assert_string_equal(clscan_type_name(type), types[i].name);
        assert_string_equal(clscan__type_cl_name(type), types[i].cl_name);
        assert_string_equal(clscan__unsigned_cl_name(types[i].size_bytes), types[i].unsigned_cl_name);
        assert_int_equal(clscan_type_size_bytes(type), types[i].size_bytes);
        assert_int_equal(clscan_type_accumulator(type), types[i].accumulator);
        assert_int_equal(clscan__type_is_floating(type), types[i].floating);
        assert_int_equal(clscan__type_is_signed(type), types[i].is_signed);
    }
}

static void names_survive_a_round_trip(void **state)
{
    (void)state;
    assert_int_equal(COUNT_OF(operators), CLSCAN_OPERATOR_COUNT);
    for (size_t i = 0; i < COUNT_OF(types); ++i) {
        clscan_type type = CLSCAN_TYPE_COUNT;

        assert_int_equal(clscan_type_from_name(types[i].name, &type), 1);
        assert_int_equal(type, types[i].type);
    }
    for (size_t i = 0; i < COUNT_OF(operators); ++i) {
        clscan_operator op = CLSCAN_OPERATOR_COUNT;

        assert_true(clscan__operator_is_valid(operators[i].op));
        assert_string_equal(clscan_operator_name(operators[i].op), operators[i].name);
        assert_int_equal(clscan_operator_from_name(operators[i].name, &op), 1);
        assert_int_equal(op, operators[i].op);
    }
    for (int i = 0; i < CLSCAN_OPERATOR_CLASS_COUNT; ++i) {
        clscan_operator_class operator_class = CLSCAN_OPERATOR_CLASS_COUNT;
        const char *name = clscan_operator_class_name((clscan_operator_class)i);

        assert_int_equal(clscan_operator_class_from_name(name, &operator_class), 1);
        assert_int_equal(operator_class, i);
    }
}

static void operators_fall_into_classes(void **state)
{
    (void)state;
    static const struct {
        clscan_type type;
        clscan_operator op;
        clscan_operator_class expected;
    } cases[] = {
        {CLSCAN_INT32, CLSCAN_ADD, CLSCAN_OPERATOR_CLASS_NATIVE},
        {CLSCAN_UINT8, CLSCAN_XOR, CLSCAN_OPERATOR_CLASS_NATIVE},
        {CLSCAN_INT32, CLSCAN_MUL, CLSCAN_OPERATOR_CLASS_BUILTIN},
        {CLSCAN_INT64, CLSCAN_ADD, CLSCAN_OPERATOR_CLASS_BUILTIN},
        {CLSCAN_FLOAT, CLSCAN_MIN, CLSCAN_OPERATOR_CLASS_BUILTIN},
        {CLSCAN_HALF, CLSCAN_ADD, CLSCAN_OPERATOR_CLASS_BUILTIN},
        {CLSCAN_INT8, CLSCAN_CUSTOM, CLSCAN_OPERATOR_CLASS_CUSTOM},
        {CLSCAN_TYPE_COUNT, CLSCAN_ADD, CLSCAN_OPERATOR_CLASS_COUNT},
        {CLSCAN_INT8, CLSCAN_OPERATOR_COUNT, CLSCAN_OPERATOR_CLASS_COUNT},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        assert_int_equal(clscan_operator_class_of(PROBLEM_OF(cases[i].type, cases[i].op)), cases[i].expected);
}

static void other_names_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *reason;
    } cases[] = {
        {NULL, "no name"},
        {"", "an empty name"},
        {"unknown", "what other numbers are called"},
        {"INT32", "another case"},
        {"ADD", "another case"},
        {"int", "OpenCL C's name, and the beginning of others"},
        {"int322", "more than a name"},
        {"addition", "more than a name"},
        {"ad", "the beginning of a name"},
        {" add", "a blank before it"},
        {"float ", "a blank behind it"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        clscan_type type = CLSCAN_INT16;
        clscan_operator op = CLSCAN_XOR;
        clscan_operator_class operator_class = CLSCAN_OPERATOR_CLASS_CUSTOM;

        if (clscan_type_from_name(cases[i].name, &type) != 0 || clscan_operator_from_name(cases[i].name, &op) != 0 ||
            clscan_operator_class_from_name(cases[i].name, &operator_class) != 0)
            fail_msg("%s is taken", cases[i].reason);
        assert_int_equal(type, CLSCAN_INT16); /* outputs are written only on success */
        assert_int_equal(op, CLSCAN_XOR);
    }
}

static void other_numbers_are_harmless(void **state)
{
    (void)state;
    static const int numbers[] = {-1, CLSCAN_TYPE_COUNT, 1000, INT32_MAX, INT32_MIN};

    for (size_t i = 0; i < COUNT_OF(numbers); ++i) {
        const clscan_type type = (clscan_type)numbers[i];

        assert_false(clscan__type_is_valid(type));
        assert_string_equal(clscan_type_name(type), "unknown");
        assert_string_equal(clscan__type_cl_name(type), "unknown");
        assert_int_equal(clscan_type_size_bytes(type), 0);
        assert_true(clscan_type_accumulator(type) == type);
        assert_false(clscan__operator_is_valid((clscan_operator)numbers[i]));
        assert_string_equal(clscan_operator_name((clscan_operator)numbers[i]), "unknown");
    }
    assert_false(clscan__operator_is_valid(CLSCAN_OPERATOR_COUNT));
    assert_string_equal(clscan_operator_name(CLSCAN_OPERATOR_COUNT), "unknown");
}

static void operators_have_identities(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(operators); ++i)
        for (size_t j = 0; j < COUNT_OF(types); ++j) {
            const char *want = operators[i].identity;
            const char *got;

            if (want != NULL && types[j].floating && !operators[i].for_floating)
                continue;
            got = clscan__operator_identity(operators[i].op, types[j].type);
            if (want == NULL) {
                assert_null(got);
                continue;
            }
            if (strcmp(want, "smallest") == 0)
                want = types[j].smallest;
            else if (strcmp(want, "largest") == 0)
                want = types[j].largest;
            assert_non_null(got);
            assert_string_equal(got, want);
        }
}

static void operators_suit_types(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(operators); ++i)
        for (size_t j = 0; j < COUNT_OF(types); ++j) {
            const bool floating = types[j].floating;
            const bool supported = !floating || operators[i].for_floating;
            const bool commutative = floating ? operators[i].commutative_floating : operators[i].commutative_integer;

            if (clscan__operator_supports(operators[i].op, types[j].type) != supported)
                fail_msg("%s of %s is supported: %d", operators[i].name, types[j].name, !supported);
            if (supported && clscan__operator_is_commutative(operators[i].op, types[j].type) != commutative)
                fail_msg("%s of %s is commutative: %d", operators[i].name, types[j].name, !commutative);
        }
}

/* What an expression names decides what a map is given: members, comments and strings name nothing. */
static void names_are_found_in_expressions(void **state)
{
    static const struct {
        const char *source;
        bool found;
    } cases[] = {
        {"element", true},
        {"2*element", true},
        {"f(x,element )", true},
        {"a > element", true},
        {"a.b + element.c", true},
        {"1.f\n+\nelement", true},
        {"/* no */ element", true},
        {"", false},
        {"elements + my_element + element2", false},
        {"a.element + b . element", false},
        {"a->element", false},
        {"x /* element */ + y // element\n", false},
        {"f(\"element\", 'e')", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        if (clscan__names(cases[i].source, "element") != cases[i].found)
            fail_msg("%s", cases[i].source);
}

/* Those that begin with digits, are ours or the language's are none of the caller's. */
static void names_have_owners(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        clscan__name whose;
    } cases[] = {
        {"pair", CLSCAN__NAME_FREE},      {"kernels", CLSCAN__NAME_FREE},    {"int5", CLSCAN__NAME_FREE},
        {"int32", CLSCAN__NAME_FREE},     {"float_4", CLSCAN__NAME_FREE},    {"bool2", CLSCAN__NAME_FREE},
        {"my_clscan", CLSCAN__NAME_FREE}, {"__", CLSCAN__NAME_FREE},         {"_3", CLSCAN__NAME_FREE},
        {"", CLSCAN__NAME_NONE},          {"3", CLSCAN__NAME_NONE},          {"2x", CLSCAN__NAME_NONE},
        {"a b", CLSCAN__NAME_NONE},       {"a*", CLSCAN__NAME_NONE},         {"clscan", CLSCAN__NAME_OURS},
        {"CLSCAN_T", CLSCAN__NAME_OURS},  {"kernel", CLSCAN__NAME_WORD},     {"__kernel", CLSCAN__NAME_WORD},
        {"global", CLSCAN__NAME_WORD},    {"__private", CLSCAN__NAME_WORD},  {"return", CLSCAN__NAME_WORD},
        {"struct", CLSCAN__NAME_WORD},    {"write_only", CLSCAN__NAME_WORD}, {"int", CLSCAN__NAME_TYPE},
        {"half", CLSCAN__NAME_TYPE},      {"uchar16", CLSCAN__NAME_TYPE},    {"double3", CLSCAN__NAME_TYPE},
        {"size_t", CLSCAN__NAME_TYPE},    {"bool", CLSCAN__NAME_TYPE},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        if (clscan__name_of(cases[i].name, strlen(cases[i].name)) != cases[i].whose)
            fail_msg("\"%s\" is not %d", cases[i].name, (int)cases[i].whose);
    assert_int_equal(clscan__name_of("kernels", 6), CLSCAN__NAME_WORD);
}

typedef struct named_source {
    const char *source, *name; /* NULL: none */
} named_source;

/* Is that name found in each source? */
static void check_found_names(const named_source *cases, size_t count,
                              const char *(*find)(const char *source, size_t *length_bytes))
{
    for (size_t i = 0; i < count; ++i) {
        size_t length = 0;
        const char *name = find(cases[i].source, &length);

        if (cases[i].name == NULL
                ? name != NULL
                : name == NULL || strlen(cases[i].name) != length || memcmp(name, cases[i].name, length) != 0)
            fail_msg("%s: %.*s", cases[i].source, (int)length, name != NULL ? name : "");
    }
}

/* A field that is called like a type, and what only looks so. */
static void misused_names_are_found(void **state)
{
    (void)state;
    static const named_source cases[] = {
        {"typedef struct pair { int half; int b; } pair;", "half"},
        {"typedef struct pair { int a, kernel; } pair;", "kernel"},
        {"typedef struct pair { int local, b; } pair;", "local"},
        {"typedef struct pair { int a; float int2 [4]; } pair;", "int2"},
        {"#define BOTH int, int\ntypedef struct pair { int a; /* half; */ int b /* ; */; float // int;\n c; } pair;",
         NULL},
        {"#define BOTH \\\n  unsigned, int\nint f(BOTH);", NULL},
        {"typedef unsigned int word;\nint f(int, float); int g(pair p) { if (p.a) return; else; return (long)p.b; }",
         NULL},
        {"int f(int a) { for (;;) { if (a > 0) break; continue; } return sizeof(int[2]) > 3 ? a : (int)'['; }", NULL},
        {"", NULL},
    };

    check_found_names(cases, COUNT_OF(cases), clscan__misused_name);
}

static void macros_that_are_left_are_found(void **state)
{
    (void)state;
    static const named_source cases[] = {
        {"#define uint float\nint f(void);", "uint"},
        {"int f(void);\n  # define F(x) x", "F"},
        {"#define A 1\n#define AB 2\n#undef A\n", "AB"},
        {"#define AB 2\n#undef A\n", "AB"},
        {"#undef A\n#define A 2\n", "A"},
        {"#define A 2\nint f(void) { return A; }\n # undef A", NULL},
        {"int define; /* #define X */ int undef;", NULL},
        {"/*\n#define old 1\n*/\n#define row 3\n", "row"},
        {"/* history:\n#define gone 1\n*/ int f(void);", NULL},
        {"#define F(x) \\\n  x\n#undef F\n", NULL},
        {"// it's \n#define A 1\n", "A"},
        {"", NULL},
    };

    check_found_names(cases, COUNT_OF(cases), clscan__macro_left);
}

/* What the library makes of a problem that it serves. */
static const clscan_problem *take(clscan_problem *problem, clscan__problem_room *room)
{
    const clscan_problem *taken = problem;

    problem->struct_size = sizeof *problem;
    assert_int_equal(clscan__problem_take(&taken, room, NULL), CLSCAN_OK);
    return taken;
}

/* A work-item holds a struct of what the store map asks for, which is padded as structs are. */
static void what_is_held_counts_padding(void **state)
{
    static const clscan_element int64 = {.struct_size = sizeof int64, .type = CLSCAN_INT64},
                                int16 = {.struct_size = sizeof int16, .type = CLSCAN_INT16},
                                three = {.struct_size = sizeof three,
                                         .name = "three",
                                         .source = "typedef struct three { uchar a[3]; } three;",
                                         .size_bytes = 3,
                                         .align_bytes = 1};
    static const clscan_map sum = {.struct_size = sizeof sum, .expression = "sum"},
                            previous = {.struct_size = sizeof previous, .expression = "sum - previous"},
                            element = {.struct_size = sizeof element, .expression = "sum + element"},
                            parts = {.struct_size = sizeof parts, .expression = "sum - previous + element.a[0]"},
                            load = {.struct_size = sizeof load, .expression = "element.a[0]"},
                            sign = {.struct_size = sizeof sign, .expression = "element < 0"};
    static const struct {
        clscan_problem problem;
        uint32_t held_bytes;
    } cases[] = {
        {{.type = CLSCAN_INT32, .accumulator = &int64, .output = &int64, .store = &sum}, 8},
        {{.type = CLSCAN_INT32, .accumulator = &int64, .output = &int64, .store = &previous}, 16},
        {{.type = CLSCAN_INT32, .accumulator = &int64, .output = &int64, .store = &element}, 16},
        {{.type = CLSCAN_HALF, .store = &element}, 8},
        {{.type = CLSCAN_HALF, .accumulator = &int16, .output = &int16, .load = &sign, .store = &element}, 4},
        {{.element = &three, .accumulator = &int64, .output = &int64, .load = &load, .store = &parts}, 24},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        clscan__problem_room room;
        clscan_problem problem = cases[i].problem;

        assert_int_equal(clscan__problem_shape(take(&problem, &room)).held_bytes, cases[i].held_bytes);
    }
}

/* Elements and indices that a selection gives as they are, whatever sources of maps define. */
static void copies_are_known(void **state)
{
    static const clscan_element uint32 = {.struct_size = sizeof uint32, .type = CLSCAN_UINT32};
    static const clscan_map keep = {.struct_size = sizeof keep,
                                    .source = "#define LIMIT 7\n#include <limits.h>",
                                    .expression = "element < LIMIT"},
                            elements = {.struct_size = sizeof elements, .source = "", .expression = "element"},
                            indices = {.struct_size = sizeof indices, .expression = "index"},
                            places = {.struct_size = sizeof places, .expression = "sum"},
                            more = {.struct_size = sizeof more, .expression = "element + 1"};
    static const clscan_select rows = {.struct_size = sizeof rows, .index_bytes = 4};
    static const struct {
        clscan_problem problem;
        bool copies;
    } cases[] = {
        {{.operation = CLSCAN_SELECT, .load = &keep}, true},
        {{.operation = CLSCAN_SELECT, .load = &keep, .store = &elements}, true},
        {{.operation = CLSCAN_SELECT, .load = &keep, .store = &indices, .output = &uint32}, true},
        {{.operation = CLSCAN_SELECT, .load = &keep, .store = &places, .output = &uint32}, false},
        {{.operation = CLSCAN_SELECT, .load = &keep, .store = &more}, false},
        {{.operation = CLSCAN_SELECT, .load = &keep, .select = &rows}, false},
        {{.operation = CLSCAN_SCAN, .load = &keep, .store = &elements}, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        clscan__problem_room room;
        clscan_problem problem = cases[i].problem;

        assert_int_equal(clscan__problem_copies(take(&problem, &room)), cases[i].copies);
    }
}

/* Of 2^32 elements the last index is the largest that 32 bits hold. */
static void indices_need_room_for_all(void **state)
{
    static const clscan_element int16 = {.struct_size = sizeof int16, .type = CLSCAN_INT16},
                                int32 = {.struct_size = sizeof int32, .type = CLSCAN_INT32},
                                uint32 = {.struct_size = sizeof uint32, .type = CLSCAN_UINT32},
                                uint64 = {.struct_size = sizeof uint64, .type = CLSCAN_UINT64};
    static const clscan_map every = {.struct_size = sizeof every, .expression = "1"},
                            index = {.struct_size = sizeof index, .expression = "index"},
                            half = {.struct_size = sizeof half, .expression = "index / 2"};
    static const clscan_select lengths = {.struct_size = sizeof lengths, .length_bytes = 4};
    static const struct {
        clscan_problem problem;
        unsigned bits; /* 64: it fits always */
    } cases[] = {
        {{.operation = CLSCAN_SELECT, .load = &every, .store = &index, .output = &int16}, 15},
        {{.operation = CLSCAN_SELECT, .load = &every, .store = &index, .output = &int32}, 31},
        {{.operation = CLSCAN_SELECT, .load = &every, .store = &index, .output = &uint32}, 32},
        {{.operation = CLSCAN_SELECT, .load = &every, .store = &index, .output = &uint64}, 64},
        {{.operation = CLSCAN_SELECT, .load = &every, .store = &half, .output = &uint32}, 64},
        {{.operation = CLSCAN_REPEAT, .select = &lengths, .store = &index, .output = &uint32}, 32},
        {{.operation = CLSCAN_REPEAT, .select = &lengths, .store = &index, .output = &uint64}, 64},
    };

    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(cases); ++i) {
        const unsigned bits = cases[i / 2].bits;
        clscan__problem_room room;
        clscan_problem problem = cases[i / 2].problem;
        const clscan_problem *taken = &problem;
        clscan_error error = {0};
        const bool fits = i % 2 == 0 || bits == 64;

        problem.struct_size = sizeof problem;
        problem.max_count = (UINT64_C(1) << (bits < 64 ? bits : 33)) + i % 2;
        assert_int_equal(clscan__problem_take(&taken, &room, &error), fits ? CLSCAN_OK : CLSCAN_ERROR_UNSUPPORTED_TYPE);
        assert_true(fits || strstr(error.message, "problem->output") != NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_have_their_traits),
        cmocka_unit_test(names_survive_a_round_trip),
        cmocka_unit_test(operators_fall_into_classes),
        cmocka_unit_test(other_names_are_refused),
        cmocka_unit_test(other_numbers_are_harmless),
        cmocka_unit_test(operators_have_identities),
        cmocka_unit_test(operators_suit_types),
        cmocka_unit_test(names_are_found_in_expressions),
        cmocka_unit_test(names_have_owners),
        cmocka_unit_test(misused_names_are_found),
        cmocka_unit_test(macros_that_are_left_are_found),
        cmocka_unit_test(what_is_held_counts_padding),
        cmocka_unit_test(copies_are_known),
        cmocka_unit_test(indices_need_room_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
