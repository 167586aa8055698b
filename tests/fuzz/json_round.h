/* JSON that is written as compact text. */
#ifndef CLSCAN_TESTS_FUZZ_JSON_ROUND_H
#define CLSCAN_TESTS_FUZZ_JSON_ROUND_H

#include <jansson.h>

#include "record/header.h"
#include "record/memo.h"

/* Takes the object over. */
char *fuzz_dump(json_t *object);

/* What was read must be writable, and then be read as what was written. */
void fuzz_check_header(const tune_header *header);
void fuzz_check_trials(const tune_memo *trials);

#endif
