#include "program/callers.h"

#include <string.h>

#include "element/segments.h"

static void add(clscan__callers_text *texts, size_t *count, clscan__callers_kind kind, const char *member,
                const char *text)
{
    for (size_t i = 0; i < *count; ++i)
        if (kind == CLSCAN__TYPE_TEXT && strcmp(texts[i].text, text) == 0)
            return; /* which declares several types */
    texts[(*count)++] = (clscan__callers_text){kind, member, text};
}

static void add_type(clscan__callers_text *texts, size_t *count, const char *member, const clscan__custom_type *type)
{
    if (type != NULL && type->source[0] != '\0')
        add(texts, count, CLSCAN__TYPE_TEXT, member, type->source);
}

size_t clscan__callers_texts(const clscan__elements *elements, const clscan_custom_operator *custom,
                             clscan__callers_text texts[CLSCAN__MOST_CALLERS_TEXTS])
{
    const clscan__maps *maps = elements != NULL ? elements->maps : NULL;
    const clscan__segmented *segmented = elements != NULL ? elements->segmented : NULL;
    size_t count = 0;

    if (elements != NULL) {
        add_type(texts, &count, "element->source", elements->in.custom);
        add_type(texts, &count, "accumulator->source", elements->sum.custom);
        add_type(texts, &count, "output->source", elements->out.custom);
    }
    if (segmented != NULL)
        add_type(texts, &count, "segments->key->source", segmented->key);
    if (custom != NULL)
        add(texts, &count, CLSCAN__OPERATOR_TEXT, "custom->source", custom->source);
    if (maps != NULL && maps->load_source != NULL)
        add(texts, &count, CLSCAN__LOAD_TEXT, "load->source", maps->load_source);
    if (maps != NULL && maps->store_source != NULL)
        add(texts, &count, CLSCAN__STORE_TEXT, "store->source", maps->store_source);
    if (segmented != NULL && segmented->equal_source != NULL)
        add(texts, &count, CLSCAN__EQUAL_TEXT, "segments->equal->source", segmented->equal_source);
    return count;
}

const char *clscan__callers_file(clscan__callers_kind kind)
{
    static const char *const files[] = {
        [CLSCAN__TYPE_TEXT] = "type",
        [CLSCAN__OPERATOR_TEXT] = "operator",
        [CLSCAN__LOAD_TEXT] = "source of load",
        [CLSCAN__STORE_TEXT] = "source of store",
        [CLSCAN__EQUAL_TEXT] = "source of equal",
    };

    return files[kind];
}

void clscan__callers_append_text(clscan__text *text, const clscan__callers_text *what, bool named)
{
    if (named)
        clscan__text_append(text, "#line 1 \"%s\"\n", clscan__callers_file(what->kind));
    clscan__text_append(text, "%s\n", what->text);
}

void clscan__callers_append(clscan__text *text, const clscan__elements *elements, const clscan_custom_operator *custom,
                            clscan__callers_kind first, clscan__callers_kind last, bool named)
{
    clscan__callers_text texts[CLSCAN__MOST_CALLERS_TEXTS];
    const size_t count = clscan__callers_texts(elements, custom, texts);

    for (size_t i = 0; i < count; ++i)
        if (texts[i].kind >= first && texts[i].kind <= last)
            clscan__callers_append_text(text, &texts[i], named);
}

void clscan__callers_append_expression(clscan__text *text, const char *expression, const char *file, bool named)
{
    unsigned lines = 1;

    if (!named) {
        clscan__text_append(text, "(%s\n)", expression);
        return;
    }
    for (const char *at = strchr(expression, '\n'); at != NULL; at = strchr(at + 1, '\n'))
        ++lines;
    /* A compiler means the bracket where a value has the wrong type. */
    clscan__text_append(text, "\n#line 1 \"%s\"\n(\n#line 1 \"%s\"\n%s\n#line %u \"%s\"\n)", file, file, expression,
                        lines, file);
}
