// SPDX-License-Identifier: MIT
#ifndef DEBUG_COMMAND_H
#define DEBUG_COMMAND_H
#include "debug/commands/command_table.h"
#include "base/vec.h"
#include "debug/expressions/kernel_value.h"

// Begins a command's function dbg_cmd_F. The build collects these rows in command_rows.def, from
// which the table, completion and the manual page come. `help` has the order of local.mk.
//   section  RUNNING, STOPS, ITEMS, DATA, HELP
//   name     what is typed; a unique prefix is enough. Aliases always mean their command.
//   flags    AGAIN   an empty line repeats the command
//            CLIENT  the client (`cldbg -i`) executes it
//            BEGINS  the same, after the program has started
//            BODY    lines up to `end` follow; the client reads them and sends all at once
//            TRUTH   the same, and the answer says whether the expression holds
//            FILES   it reads or writes files, or runs programs: needs --dap-allow-files
//   usage    its arguments
//   help     the first sentence is what `help` lists; `help NAME` and the page show all
#define COMMAND(f, section, name, aliases, flags, usage, help)                                     \
    dbg_command_fn dbg_cmd_##f;                                                                    \
    struct err *dbg_cmd_##f(const char *args, struct str *out)

// A command of the client: the same without f and a body. All of them have one function.
#define CLIENT_COMMAND(section, name, aliases, flags, usage, help)
dbg_command_fn dbg_cmd_client;

/** Commands that others run. */
dbg_command_fn dbg_cmd_awatch, dbg_cmd_backtrace, dbg_cmd_rwatch, dbg_cmd_undisplay, dbg_cmd_watch,
    dbg_cmd_workgroup, dbg_cmd_workitem;

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
/** Sets dbg_listing around the focus, or to the first kernel. */
struct err *dbg_list_start(void);
/** Shows instructions of the bytecode, from the focus on. */
struct err *dbg_put_code(struct str *out, uint64_t count);
void dbg_info_subjects(void (*fn)(void *ctx, const char *name), void *ctx);
/** `show convenience`, `show values`. */
struct err *dbg_show_names(struct str *out), *dbg_show_values(struct str *out);
/** Subcommands of `info` in other files. */
struct err *dbg_info_findings(const char *args, struct str *out),
    *dbg_info_race(const char *args, struct str *out),
    *dbg_info_checkpoints(const char *args, struct str *out),
    *dbg_info_divergence(const char *args, struct str *out),
    *dbg_info_line(const char *args, struct str *out),
    *dbg_info_source(const char *args, struct str *out),
    *dbg_info_scope(const char *args, struct str *out),
    *dbg_info_functions(const char *args, struct str *out),
    *dbg_info_threads(const char *args, struct str *out),
    *dbg_info_sources(const char *args, struct str *out),
    *dbg_info_symbol(const char *args, struct str *out),
    *dbg_info_address(const char *args, struct str *out);
/** Lets the kernel's thread answer a question about the past, for dbg_goal.query. */
struct vm_group;
struct err *dbg_ask(void (*query)(struct vm_group *grp, struct str *out));
/** Runs the focused work-item to the end of the kernel. */
struct err *dbg_run_to_end(void);
/** Goes back to where the function of the frame begins. */
struct err *dbg_restart_frame(unsigned level);
/** `step` into the call at that loc of the current line only. */
struct err *dbg_step_into(uint32_t call);
/** The frames that `backtrace` shows. */
struct dbg_frames_shown {
    bool full; // with local variables
    unsigned first, last, all;
};
struct err *dbg_backtrace_range(const char *args, struct dbg_frames_shown *out);
/** The full name of the subject of `info`; NULL: there is none. */
const char *dbg_info_subject(const char *args);
/** `info breakpoints`: the columns Type and What. */
const char *dbg_break_type(const struct dbg_break *b);
void dbg_break_put_what(struct str *out, const struct dbg_break *b);
/** Consecutive work-items of the group at the same location; the focus is by itself. */
void dbg_each_thread(void (*fn)(void *ctx, uint32_t first, uint32_t count, const char *state,
                                uint32_t line),
                     void *ctx);
/** What `x` showed last; type NULL: not units of memory. */
struct dbg_type;
struct dbg_examined {
    const struct dbg_type *type;
    uint64_t address, count;
    struct dbg_format format;
};
extern struct dbg_examined dbg_examined;
void dbg_show_place(struct str *out); // the selected frame and its line
void dbg_show_frame(struct str *out, unsigned level, bool with_number);
#endif
