/* The one way to environment variables. */
#ifndef CLSCAN_BASE_ENVIRONMENT_H
#define CLSCAN_BASE_ENVIRONMENT_H

/* The value of a variable, as getenv(); NULL too where the program has rights that whoever set its environment may not
 * have (set-user-ID, set-group-ID, capabilities): variables name files to read and kernels to run. */
const char *clscan__environment(const char *name);

#endif
