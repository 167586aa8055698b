#include "common/expression.h"

#include <stddef.h>
#include <string.h>

#define MOST_DEPTH 256u

/* Behind the string or character that begins at `text`; NULL: it does not end. */
static const char *past_quoted(const char *text)
{
    const char quote = *text++;

    while (*text != '\0' && *text != quote)
        text += text[0] == '\\' && text[1] != '\0' ? 2 : 1;
    return *text == quote ? text + 1 : NULL;
}

/* Behind the comment that begins at `text`, or the text itself; NULL: it does not end. */
static const char *past_comment(const char *text)
{
    if (text[0] == '/' && text[1] == '/')
        return text + strcspn(text, "\n");
    if (text[0] == '/' && text[1] == '*') {
        const char *end = strstr(text + 2, "*/");

        return end != NULL ? end + 2 : NULL;
    }
    return text;
}

static char closing(char opening)
{
    return opening == '(' ? ')' : opening == '[' ? ']' : '}';
}

const char *clscan__expression_fault(const char *text)
{
    char expected[MOST_DEPTH];
    size_t depth = 0;

    while (*text != '\0') {
        const char *next = past_comment(text);

        if (next == NULL)
            return "has a comment that does not end";
        if (next != text) {
            text = next;
            continue;
        }
        if (*text == '"' || *text == '\'') {
            text = past_quoted(text);
            if (text == NULL)
                return "has a quote that does not end";
            continue;
        }
        if (strchr("([{", *text) != NULL) {
            if (depth == MOST_DEPTH)
                return "has more than 256 brackets in each other";
            expected[depth++] = closing(*text);
        } else if (strchr(")]}", *text) != NULL) {
            if (depth == 0)
                return *text == ')' ? "has a ')' that closes nothing" : "has a bracket that closes nothing";
            if (expected[--depth] != *text)
                return "has brackets that do not match";
        } else if (*text == ';' && depth == 0) {
            return "has a ';', and is to be one expression";
        }
        ++text;
    }
    return depth > 0 ? "has a bracket that is not closed" : NULL;
}
