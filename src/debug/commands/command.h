// SPDX-License-Identifier: MIT
#ifndef DEBUG_COMMAND_H
#define DEBUG_COMMAND_H
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

/** A command's work: its arguments as typed, what it shows. The lock is held. */
typedef struct err *dbg_command_fn(const char *args, struct str *out);
#define SECTION(title)
#define COMMAND(f, name, aliases, flags, args, help) dbg_command_fn dbg_cmd_##f;
#include "debug/commands/commands.def"
#undef COMMAND
#undef SECTION

/** The command that sets a breakpoint: "break k.cl:6 if i == 3". */
struct dbg_break;
void dbg_break_put_command(struct str *out, const struct dbg_break *b);
/** Expressions that are shown at every stop, numbered from 1: "/x expr"; NULL is deleted. */
struct dbg_displays {
    VEC(char *) list;
};
extern struct dbg_displays dbg_displays;
void dbg_displays_put(struct str *out);
/** The line of FILE:LINE or FUNCTION. */
struct bc_module;
struct err *dbg_line_named(const char *text, const struct bc_module **m, uint32_t *file,
                           uint32_t *line);
/** Sets dbg_listing: around the focus, otherwise to the first kernel. */
struct err *dbg_list_start(void);
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
/** The focused work-item runs to the end of the kernel. */
struct err *dbg_run_to_end(void);
void dbg_show_place(struct str *out); // the selected frame and its line
void dbg_show_frame(struct str *out, unsigned level, bool with_number);
#endif
