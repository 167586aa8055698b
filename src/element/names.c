#include "element/names.h"

#include <string.h>

#include "common/expression.h"
#include "common/names.h"

#define MOST_SHOWN 40

clscan_status clscan__check_identifier(const char *culprit, const char *name, bool may_be_type, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan__name whose = clscan__name_of(name, strlen(name));

    CLSCAN__REQUIRE(whose != CLSCAN__NAME_NONE, CLSCAN_ERROR_INVALID_VALUE, "%s is \"%.*s\", not a name in OpenCL C",
                    culprit, MOST_SHOWN, name);
    CLSCAN__REQUIRE(whose != CLSCAN__NAME_OURS, CLSCAN_ERROR_INVALID_VALUE,
                    "%s is %.*s; names that begin with clscan are the library's", culprit, MOST_SHOWN, name);
    CLSCAN__REQUIRE(whose != CLSCAN__NAME_WORD, CLSCAN_ERROR_INVALID_VALUE, "%s is %s, a word of OpenCL C", culprit,
                    name);
    CLSCAN__REQUIRE(whose != CLSCAN__NAME_TYPE || may_be_type, CLSCAN_ERROR_INVALID_VALUE,
                    "%s is %s, a type of OpenCL C", culprit, name);

cleanup:
    return status;
}

/* Behind the comment that begins here; `at` itself if there is none. */
static const char *behind_comment(const char *at)
{
    const char *end;

    if (at[0] != '/' || (at[1] != '*' && at[1] != '/'))
        return at;
    end = strstr(at + 2, at[1] == '*' ? "*/" : "\n");
    if (end == NULL)
        return at + strlen(at);
    return at[1] == '*' ? end + 2 : end;
}

/* The same of a character or a string, such as the path of a file to include; it ends with its line. */
static const char *behind_quotes(const char *at)
{
    const char quote = *at;

    if (quote != '"' && quote != '\'')
        return at;
    for (++at; *at != '\0' && *at != '\n'; ++at) {
        if (*at == quote)
            return at + 1;
        if (*at == '\\' && at[1] != '\0')
            ++at;
    }
    return at;
}

clscan_status clscan__check_reserved(const char *culprit, const char *source, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (const char *at = source; *at != '\0';) {
        const size_t length = clscan__name_length(at);
        const char *behind = behind_quotes(behind_comment(at));

        CLSCAN__REQUIRE(clscan__name_of(at, length) != CLSCAN__NAME_OURS, CLSCAN_ERROR_INVALID_VALUE,
                        "%s has the name %.*s; names that begin with clscan are the library's", culprit,
                        (int)(length < MOST_SHOWN ? length : MOST_SHOWN), at);
        at = length > 0 ? at + length : behind > at ? behind : at + 1;
    }

cleanup:
    return status;
}

clscan_status clscan__check_expression(const char *culprit, const char *expression, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *fault;

    CLSCAN__REQUIRE(expression[strspn(expression, " \t\r\n")] != '\0', CLSCAN_ERROR_INVALID_VALUE, "%s is empty",
                    culprit);
    fault = clscan__expression_fault(expression);
    CLSCAN__REQUIRE(fault == NULL, CLSCAN_ERROR_INVALID_VALUE, "%s %s", culprit, fault);
    CLSCAN__TRY(clscan__check_reserved(culprit, expression, error));

cleanup:
    return status;
}

/* Where the line ends: not within a comment, nor behind a backslash. */
static const char *end_of_line(const char *at)
{
    while (*at != '\0' && *at != '\n') {
        const char *behind = behind_quotes(behind_comment(at));

        if (behind > at)
            at = behind;
        else
            at += at[0] == '\\' && at[1] == '\n' ? 2 : 1;
    }
    return at;
}

/* Statements of one word. */
static bool is_statement(const char *text, size_t length)
{
    static const char *const words[] = {"return", "break", "continue", "else", "do"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
            return true;
    return false;
}

const char *clscan__misused_name(const char *source, size_t *length_bytes)
{
    const char *last = NULL; /* what stands in front, if it is the language's */
    bool begins_line = true;
    unsigned depth = 0;

    for (const char *at = source; *at != '\0';) {
        const size_t length = clscan__name_length(at);
        const char *behind = behind_quotes(behind_comment(at));

        if (begins_line && *at == '#') {
            at = end_of_line(at);
            continue;
        }
        if (last != NULL && depth == 0 && (*at == ';' || *at == ',' || *at == '['))
            return last;
        if (length > 0) {
            const clscan__name whose = clscan__name_of(at, length);

            last = (whose == CLSCAN__NAME_WORD || whose == CLSCAN__NAME_TYPE) && !is_statement(at, length) ? at : NULL;
            *length_bytes = length;
        } else if (behind == at && strchr(" \t\r\n", *at) == NULL) {
            last = NULL;
            if (*at == '(')
                ++depth;
            else if (*at == ')' && depth > 0)
                --depth;
        }
        begins_line = *at == '\n' || (begins_line && (*at == ' ' || *at == '\t'));
        at = length > 0 ? at + length : behind > at ? behind : at + 1;
    }
    return NULL;
}

/* The name that a directive is about, if this line is such a directive; else NULL. */
static const char *name_of_directive(const char *line, const char *directive)
{
    static const char spaces[] = " \t";
    const size_t bytes = strlen(directive);

    line += strspn(line, spaces);
    if (*line++ != '#')
        return NULL;
    line += strspn(line, spaces);
    if (clscan__name_length(line) != bytes || memcmp(line, directive, bytes) != 0)
        return NULL;
    return line + bytes + strspn(line + bytes, spaces);
}

static const char *next_line(const char *line)
{
    const char *end = end_of_line(line);

    return *end == '\n' ? end + 1 : NULL;
}

const char *clscan__macro_left(const char *source, size_t *length_bytes)
{
    for (const char *line = source; line != NULL; line = next_line(line)) {
        const char *macro = name_of_directive(line, "define");
        bool ends = macro == NULL;

        for (const char *later = line; later != NULL && !ends; later = next_line(later)) {
            const char *undefined = name_of_directive(later, "undef");

            *length_bytes = clscan__name_length(macro);
            ends = undefined != NULL && clscan__name_length(undefined) == *length_bytes &&
                   memcmp(undefined, macro, *length_bytes) == 0;
        }
        if (!ends)
            return macro;
    }
    return NULL;
}

bool clscan__names(const char *source, const char *name)
{
    char before = '\0'; /* the last character that is no space */

    for (const char *at = source; *at != '\0';) {
        const size_t length = clscan__name_length(at);
        const char *behind = behind_quotes(behind_comment(at));

        if (length == strlen(name) && memcmp(at, name, length) == 0 && before != '.' && before != '>')
            return true;
        if (length > 0)
            before = at[length - 1];
        else if (behind == at && strchr(" \t\r\n", *at) == NULL)
            before = before == '-' || *at != '>' ? *at : '\0';
        at = length > 0 ? at + length : behind > at ? behind : at + 1;
    }
    return false;
}
