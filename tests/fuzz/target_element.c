/* What describes an element that is taken has a layout without gaps in the rules of C, and is the same when it is read
 * again from what was kept of it. */
#include <string.h>

#include "command_line/element_file.h"
#include "targets.h"

void fuzz_element(const uint8_t *data, size_t size_bytes)
{
    const element_description *found = NULL, *again = NULL;
    unsigned char element[CLSCAN_MOST_ELEMENT_BYTES] = {0};
    element_scale scale = {{0}};
    clscan_error error = {0};
    char printed[64];
    size_t end = 0;

    if (element_file_parse((const char *)data, size_bytes, "fuzzed", &found, &error) != CLSCAN_OK)
        return;
    FUZZ_CHECK(found->size_bytes >= 1 && found->size_bytes <= sizeof element);
    FUZZ_CHECK(found->element.size_bytes == found->size_bytes && found->size_bytes % found->element.align_bytes == 0);
    for (unsigned i = 0; i < found->field_count; ++i) {
        const element_field *field = &found->fields[i];

        FUZZ_CHECK(field->offset_bytes >= end && field->offset_bytes - end < sizeof(uint64_t));
        FUZZ_CHECK(field->least <= field->greatest);
        end = field->offset_bytes + clscan_type_size_bytes(field->type);
    }
    FUZZ_CHECK(end <= found->size_bytes);
    FUZZ_CHECK(element_same(found, element, element, &scale));
    element_print(found, element, printed, sizeof printed);
    FUZZ_CHECK(element_file_from_json(found->document, "again", &again, &error) == CLSCAN_OK && again == found);
}
