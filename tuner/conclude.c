#include "conclude.h"

#include <stdarg.h>
#include <stdio.h>

void tune_clean(char *text)
{
    for (char *c = text; *c != '\0'; ++c)
        if ((unsigned char)*c < ' ')
            *c = ' ';
        else if ((unsigned char)*c > '~')
            *c = '?';
}

bool tune_conclude(tune_trial *trial, tune_outcome outcome, const char *format, ...)
{
    va_list arguments;

    trial->outcome = outcome;
    va_start(arguments, format);
    vsnprintf(trial->reason, sizeof trial->reason, format, arguments);
    va_end(arguments);
    tune_clean(trial->reason);
    return false;
}
