#include "ready.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static void affine(const double *l, const double *r, double *s)
{
    s[0] = r[0] * l[0];
    s[1] = r[0] * l[1] + r[1];
}

static void complex_product(const double *l, const double *r, double *s)
{
    s[0] = l[0] * r[0] - l[1] * r[1];
    s[1] = l[0] * r[1] + l[1] * r[0];
}

static void min_max(const double *l, const double *r, double *s)
{
    s[0] = r[0] < l[0] ? r[0] : l[0];
    s[1] = r[1] > l[1] ? r[1] : l[1];
}

static void arg(const double *l, const double *r, double *s, int sign)
{
    const bool right = isnan(l[0]) != isnan(r[0])    ? isnan(l[0])
                       : isnan(l[0]) || l[0] == r[0] ? r[1] < l[1]
                                                     : sign * r[0] > sign * l[0];
    const double *found = right ? r : l;

    s[0] = found[0];
    s[1] = found[1];
}

static void arg_min(const double *l, const double *r, double *s)
{
    arg(l, r, s, -1);
}

static void arg_max(const double *l, const double *r, double *s)
{
    arg(l, r, s, 1);
}

static void matrix2(const double *l, const double *r, double *s)
{
    s[0] = l[0] * r[0] + l[1] * r[2];
    s[1] = l[0] * r[1] + l[1] * r[3];
    s[2] = l[2] * r[0] + l[3] * r[2];
    s[3] = l[2] * r[1] + l[3] * r[3];
}

static void log_sum_exp(const double *l, const double *r, double *s)
{
    const double most = l[0] > r[0] ? l[0] : r[0];

    s[1] = isinf(most) && most < 0 ? l[1] + r[1] : l[1] * exp(l[0] - most) + r[1] * exp(r[0] - most);
    s[0] = most;
}

static void quaternion(const double *l, const double *r, double *s)
{
    s[0] = l[0] * r[0] - l[1] * r[1] - l[2] * r[2] - l[3] * r[3];
    s[1] = l[0] * r[1] + l[1] * r[0] + l[2] * r[3] - l[3] * r[2];
    s[2] = l[0] * r[2] - l[1] * r[3] + l[2] * r[0] + l[3] * r[1];
    s[3] = l[0] * r[3] + l[1] * r[2] - l[2] * r[1] + l[3] * r[0];
}

static const clscan_ready_reals all[CLSCAN_READY_COUNT] = {
    [CLSCAN_READY_AFFINE_FLOAT] = {"ff", affine},
    [CLSCAN_READY_AFFINE_DOUBLE] = {"dd", affine},
    [CLSCAN_READY_COMPLEX_FLOAT] = {"ff", complex_product},
    [CLSCAN_READY_COMPLEX_DOUBLE] = {"dd", complex_product},
    [CLSCAN_READY_MIN_MAX_INT32] = {"ii", min_max},
    [CLSCAN_READY_MIN_MAX_FLOAT] = {"ff", min_max},
    [CLSCAN_READY_MIN_MAX_DOUBLE] = {"dd", min_max},
    [CLSCAN_READY_ARG_MIN_FLOAT] = {"fi", arg_min},
    [CLSCAN_READY_ARG_MAX_FLOAT] = {"fi", arg_max},
    [CLSCAN_READY_ARG_MIN_DOUBLE] = {"dl", arg_min},
    [CLSCAN_READY_ARG_MAX_DOUBLE] = {"dl", arg_max},
    [CLSCAN_READY_MATRIX2_FLOAT] = {"ffff", matrix2},
    [CLSCAN_READY_MATRIX2_DOUBLE] = {"dddd", matrix2},
    [CLSCAN_READY_LOG_SUM_EXP_FLOAT] = {"ff", log_sum_exp},
    [CLSCAN_READY_LOG_SUM_EXP_DOUBLE] = {"dd", log_sum_exp},
    [CLSCAN_READY_QUATERNION_FLOAT] = {"ffff", quaternion},
    [CLSCAN_READY_QUATERNION_DOUBLE] = {"dddd", quaternion},
};

static size_t field_bytes(char field)
{
    return field == 'd' || field == 'l' ? 8 : 4;
}

static void put_field(char field, unsigned char *at, double value)
{
    const float single = (float)value;
    const int32_t narrow = field == 'i' ? (int32_t)value : 0;
    const int64_t wide = field == 'l' ? (int64_t)value : 0;

    switch (field) {
    case 'f':
        memcpy(at, &single, sizeof single);
        break;
    case 'd':
        memcpy(at, &value, sizeof value);
        break;
    case 'i':
        memcpy(at, &narrow, sizeof narrow);
        break;
    default:
        memcpy(at, &wide, sizeof wide);
    }
}

static double get_field(char field, const unsigned char *at)
{
    float single;
    double value;
    int32_t narrow;
    int64_t wide;

    switch (field) {
    case 'f':
        memcpy(&single, at, sizeof single);
        return single;
    case 'd':
        memcpy(&value, at, sizeof value);
        return value;
    case 'i':
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    default:
        memcpy(&wide, at, sizeof wide);
        return (double)wide;
    }
}

void clscan_ready_store(const clscan_ready_reals *of, void *element, const double *fields)
{
    unsigned char *at = element;

    for (size_t i = 0; of->fields[i] != '\0'; at += field_bytes(of->fields[i]), ++i)
        put_field(of->fields[i], at, fields[i]);
}

void clscan_ready_load(const clscan_ready_reals *of, const void *element, double *fields)
{
    const unsigned char *at = element;

    for (size_t i = 0; of->fields[i] != '\0'; at += field_bytes(of->fields[i]), ++i)
        fields[i] = get_field(of->fields[i], at);
}

const clscan_ready_reals *clscan_ready_reals_of(clscan_ready ready)
{
    return (unsigned)ready < CLSCAN_READY_COUNT && all[ready].fields != NULL ? &all[ready] : NULL;
}

size_t clscan_ready_bytes(const clscan_ready_reals *of)
{
    size_t bytes = 0;

    for (size_t i = 0; of->fields[i] != '\0'; ++i)
        bytes += field_bytes(of->fields[i]);
    return bytes;
}
