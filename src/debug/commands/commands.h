// SPDX-License-Identifier: MIT
#ifndef DEBUG_COMMANDS_H
#define DEBUG_COMMANDS_H
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>

/** The result of a command line, for the client. */
struct dbg_done {
    bool is_client; // it is the client's own command, named `client`
    bool again;     // an empty line repeats it
    const char *client;
    const char *rest; // its arguments; for `if` and `while` the value of the condition: "1" or "0"
};
/** Runs a command line, with the lock. */
struct err *dbg_execute(const char *line, struct str *out, struct dbg_done *done);
/** Does the line begin with a command, possibly one of gdb that does not exist here? */
bool dbg_names_command(const char *line);
/** Calls `add` for each completion of the word that ends at the end of `line`. */
void dbg_complete(const char *line, void (*add)(void *ctx, const char *text), void *ctx);
/** The same for an expression. */
void dbg_complete_expression(const char *line, void (*add)(void *ctx, const char *text), void *ctx);
#endif
