/* What callers write, as texts of OpenCL C that declare something: those of types, operator and maps, in the order in
 * which programs have them. */
#ifndef CLSCAN_PROGRAM_CALLERS_H
#define CLSCAN_PROGRAM_CALLERS_H

#include <clscan/types.h>

#include "base/text.h"
#include "element/types.h"

typedef enum clscan__callers_kind {
    CLSCAN__TYPE_TEXT,
    CLSCAN__OPERATOR_TEXT,
    CLSCAN__LOAD_TEXT,
    CLSCAN__STORE_TEXT,
    CLSCAN__EQUAL_TEXT
} clscan__callers_kind;

typedef struct clscan__callers_text {
    clscan__callers_kind kind;
    const char *member; /* that has it, of the problem: "segments->key->source" */
    const char *text;
} clscan__callers_text;

#define CLSCAN__MOST_CALLERS_TEXTS (CLSCAN__MOST_TYPES + 4u)

/* All that there are; NULL for a plain problem's elements, and for no operator. Returns how many. */
size_t clscan__callers_texts(const clscan__elements *elements, const clscan_custom_operator *custom,
                             clscan__callers_text texts[CLSCAN__MOST_CALLERS_TEXTS]);

/* By this name a compiler that goes by #line calls the file of such a text. */
const char *clscan__callers_file(clscan__callers_kind kind);

/* `named`: behind a #line directive that names it. */
void clscan__callers_append_text(clscan__text *text, const clscan__callers_text *what, bool named);

/* The same for those from one kind to another. */
void clscan__callers_append(clscan__text *text, const clscan__elements *elements, const clscan_custom_operator *custom,
                            clscan__callers_kind first, clscan__callers_kind last, bool named);

/* A caller's expression in brackets. `named`: with the caller's lines in that file, also for a compiler that means all
 * of it, or what is missing at its end. Otherwise without a line of ours. */
void clscan__callers_append_expression(clscan__text *text, const char *expression, const char *file, bool named);

#endif
