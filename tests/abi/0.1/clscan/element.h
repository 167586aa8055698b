/** \file element.h
 * Elements that are no single numbers: vectors of OpenCL C, and types of the caller's.
 *
 * \code
 * typedef struct affine { float a, b; } affine; // x -> a * x + b
 *
 * clscan_element element = {sizeof element,
 *                           .name = "affine",
 *                           .source = "typedef struct affine { float a, b; } affine;",
 *                           .size_bytes = sizeof(affine),
 *                           .align_bytes = _Alignof(affine)};
 * clscan_custom_operator then = {sizeof then,
 *                                .source = "affine then(affine f, affine g)\n"
 *                                          "{ affine h = {g.a * f.a, g.a * f.b + g.b}; return h; }",
 *                                .function = "then",
 *                                .identity = "((affine){1, 0})"};
 * clscan_problem problem = {
 *     sizeof problem, .element = &element, .op = CLSCAN_CUSTOM, .custom = &then, .max_count = 1000};
 * \endcode
 */
#ifndef CLSCAN_ELEMENT_H
#define CLSCAN_ELEMENT_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/export.h>
#include <clscan/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Largest element, in bytes. */
#define CLSCAN_MOST_ELEMENT_BYTES 64u

/** What an element is, for clscan_problem.element. Set struct_size to sizeof(clscan_element), zero what is not used. It
 * says one of three things:
 *
 *  - `type`: a scalar, as clscan_problem.type says it alone.
 *  - `type` and `lanes`: a vector of OpenCL C, `int2` to `double8`. Operators of clscan's own work lane by lane, as
 *    they do on scalars of \p type. A custom operator takes and gives vectors. In memory the lanes stand one after the
 *    other, and a vector is aligned to its size, as `cl_int4` is.
 *  - `name`: a type of the caller's, mostly a struct, with a custom operator. It must have the same size and alignment
 *    on the host and on the device, which is compared when the plan is created. Use types whose size is the same on
 *    both: `cl_long` for `long`. Padding is read and written, and may hold anything.
 *
 * The strings are copied when the plan is created. \p source is OpenCL C 1.2. It is compiled before the operator's
 * source and before everything of clscan's, so names are free except those that begin with `clscan` or `CLSCAN`; macros
 * must be undefined at its end. In one problem a name is that of one type, whose source may be said in one place or the
 * same in all. Compile errors carry its own line numbers, under the file name "type" where the compiler honours line
 * directives. */
typedef struct clscan_element {
    size_t struct_size; /**< sizeof(clscan_element) */
    clscan_type type;   /**< of a scalar, or of a vector's lanes; not half there. 0 with \p name */
    uint32_t lanes;     /**< of a vector: 2, 4, 8 or 16; 0 or 1: no vector. 0 with \p name */
    const char *name;   /**< of the type in OpenCL C; with \p source a name that the language leaves free. NULL: `type`
                             and `lanes` say the type */
    const char *source; /**< with \p name: declares it; NULL: the language has it */
    size_t size_bytes;  /**< with \p name: its sizeof on the host, 1 to CLSCAN_MOST_ELEMENT_BYTES; else 0 */
    size_t align_bytes; /**< with \p name: its alignment on the host, a power of two that divides the size; else 0 */
} clscan_element;

/** Bytes of one element in memory; 0 if \p element is NULL or describes none. Pure; thread-safe. */
CLSCAN_API size_t clscan_element_size_bytes(const clscan_element *element);

#ifdef __cplusplus
}
#endif
#endif
