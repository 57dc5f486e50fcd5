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

enum {
    DBG_AGAIN = 1,
    DBG_CLIENT = 2,
    DBG_BEGINS = 4,
    DBG_TRUTH = 8,
    DBG_BODY = 16,
    DBG_FILES = 32
};
/** What the client must know of a line that it sends. */
struct dbg_done {
    bool is_client,
        again; // it is the client's own command, named `client`; an empty line repeats it
    const char *client;
    const char *rest; // its arguments; of `if` and `while` whether what they ask holds: "1" or "0"
};
struct err *dbg_execute(const char *line, struct str *out, struct dbg_done *done);
/**
 * Ways in which the word that ends at the end of `line` may go on: commands, variables, kernels,
 * files.
 */
void dbg_complete(const char *line, void (*add)(void *ctx, const char *text), void *ctx);
/** Reads "/8fw "; *args is behind it. `size` of count etc. are left as they are where not given. */
struct err *dbg_format_parse(const char **args, struct dbg_format *f);
/** "NAME VALUE" of a setting; false: it is none. */
bool dbg_setting_set(const char *text, struct err **e);
/** Calls fn for each with the command that makes it what it is: "set listsize 10". */
void dbg_settings_each(void (*fn)(void *ctx, const char *command), void *ctx);
extern const char *const dbg_setting_names[]; // up to NULL
/** The breakpoints, as commands that set them. */
void dbg_breaks_as_commands(struct str *out);
/** Shows all displays, as at a stop. */
void dbg_displays_put(struct str *out);
/** A command of gdb's that is not here: what to use instead, else NULL. */
struct err *dbg_elsewhere(const char *name, size_t n);
/** The same of `info`, `set` or `show`: by the first word of what stands behind it. */
struct err *dbg_elsewhere_of(const char *command, const char *args);
/** The word at p, up to a blank. */
size_t dbg_word(const char *p);
bool dbg_word_is(const char *p, const char *word); // a prefix of the word, not empty, is enough
struct err *dbg_info_history(const char *args, struct str *out);
/** Instructions of the bytecode, from where the focus is. */
struct err *dbg_put_code(struct str *out, uint64_t count);
void dbg_info_subjects(void (*fn)(void *ctx, const char *name), void *ctx);
/** `show convenience`, `show values`. */
struct err *dbg_show_names(struct str *out), *dbg_show_values(struct str *out);
/** What `info` shows, in other files. */
struct err *dbg_info_findings(const char *args, struct str *out),
    *dbg_info_line(const char *args, struct str *out),
    *dbg_info_source(const char *args, struct str *out),
    *dbg_info_scope(const char *args, struct str *out),
    *dbg_info_functions(const char *args, struct str *out),
    *dbg_info_threads(const char *args, struct str *out),
    *dbg_info_sources(const char *args, struct str *out),
    *dbg_info_symbol(const char *args, struct str *out),
    *dbg_info_address(const char *args, struct str *out);
/** Calls fn for the numbers of a list such as "1 3-5". */
struct err *dbg_each_number(const char *list, const char *what, struct err *(*fn)(unsigned n));
/** The end of the expression at p, of several that commas part. */
size_t dbg_expression_length(const char *p);
void dbg_show_frame(struct str *out, unsigned level, bool with_number);
#endif
