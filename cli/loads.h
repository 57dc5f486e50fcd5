// SPDX-License-Identifier: MIT
#ifndef CLI_LOADS_H
#define CLI_LOADS_H
#include "base/err.h"
#include "base/vec.h"

#include <stdbool.h>

/** Which libraries of OpenCL a program really loaded, and who asked for them: ld.so's own account.
 */
struct cmd_load {
    char *path;  // what was loaded
    char *by;    // the file that needed or opened it; NULL: not known
    bool opened; // by dlopen
};
struct cmd_loads {
    VEC(struct cmd_load) list, asked; // asked: by the name that was asked for
    char folder[64];                  // where ld.so writes
};
/** Before the program starts: ld.so will write its account. */
struct err *cmd_loads_begin(struct cmd_loads *l);
/** After its end: reads it, and takes it away. */
void cmd_loads_end(struct cmd_loads *l);
void cmd_loads_free(struct cmd_loads *l);
#endif
