// SPDX-License-Identifier: MIT
#ifndef DEBUG_COMMAND_H
#define DEBUG_COMMAND_H
#include "debug/session.h"

/** A command's work: its arguments as typed, what it shows. The lock is held. */
typedef struct err *dbg_command_fn(const char *args, struct str *out);
#define SECTION(title)
#define COMMAND(f, name, aliases, flags, args, help) dbg_command_fn dbg_cmd_##f;
#include "debug/commands.def"
#undef COMMAND
#undef SECTION

enum { DBG_AGAIN = 1, DBG_CLIENT = 2, DBG_BEGINS = 4 };
/** What the client must know of a line that it sends. */
struct dbg_done {
    bool is_client, again;  // it is the client's own command, named `client`; an empty line repeats it
    const char *client;
    const char *rest;       // its arguments
};
struct err *dbg_execute(const char *line, struct str *out, struct dbg_done *done);
/** Ways in which the word that ends at the end of `line` may go on: commands, variables, kernels, files. */
void dbg_complete(const char *line, void (*add)(void *ctx, const char *text), void *ctx);
/** Reads "/8fw "; *args is behind it. `size` of count etc. are left as they are where not given. */
struct err *dbg_format_parse(const char **args, struct dbg_format *f);
/** Shows all displays, as at a stop. */
void dbg_displays_put(struct str *out);
/** The word at p, up to a blank. */
size_t dbg_word(const char *p);
bool dbg_word_is(const char *p, const char *word); // a prefix of the word, not empty, is enough
struct err *dbg_info_history(struct str *out);
void dbg_show_frame(struct str *out, unsigned level, bool with_number);
#endif
