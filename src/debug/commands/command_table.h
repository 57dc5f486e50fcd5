// SPDX-License-Identifier: MIT
#ifndef DEBUG_COMMAND_TABLE_H
#define DEBUG_COMMAND_TABLE_H
#include "debug/commands/command.h"

enum {
    DBG_AGAIN = 1,
    DBG_CLIENT = 2,
    DBG_BEGINS = 4,
    DBG_TRUTH = 8,
    DBG_BODY = 16,
    DBG_FILES = 32
};
/** A row of commands.def. */
struct dbg_command {
    const char *name, *aliases;
    unsigned flags;
    const char *args, *help;
    dbg_command_fn *run;
    const char *section; // begins here
};
extern const struct dbg_command dbg_commands[];
extern const size_t dbg_ncommands;
/** By a prefix that is unique, or an alias. */
struct err *dbg_command_find(const char *name, size_t n, const struct dbg_command **out);
/** A command's name ends after its letters: `x/4x p`, `p/x v`. */
size_t dbg_command_name_length(const char *p);
#endif
