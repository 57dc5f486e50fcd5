// SPDX-License-Identifier: MIT
#ifndef DEBUG_COMMAND_TABLE_H
#define DEBUG_COMMAND_TABLE_H
#include "base/err.h"
#include "base/str.h"

/** A command's work: its arguments as typed, what it shows. The lock is held. */
typedef struct err *dbg_command_fn(const char *args, struct str *out);

enum {
    DBG_AGAIN = 1,
    DBG_CLIENT = 2,
    DBG_BEGINS = 4,
    DBG_TRUTH = 8,
    DBG_BODY = 16,
    DBG_FILES = 32
};
/** SECTION(enum, title) */
#define DBG_EACH_SECTION(SECTION)                                                                  \
    SECTION(RUNNING, "Running")                                                                    \
    SECTION(STOPS, "Stops")                                                                        \
    SECTION(ITEMS, "Work-items")                                                                   \
    SECTION(DATA, "Data")                                                                          \
    SECTION(HELP, "Help")
enum dbg_section {
#define SECTION(name, title) DBG_SECTION_##name,
    DBG_EACH_SECTION(SECTION) DBG_NSECTIONS
#undef SECTION
};
/** What COMMAND (command.h) says. */
struct dbg_command {
    const char *name, *aliases;
    unsigned flags;
    const char *args, *help;
    dbg_command_fn *run;
    enum dbg_section section;
};
extern const struct dbg_command dbg_commands[];
extern const size_t dbg_ncommands;
extern const char *const dbg_section_titles[DBG_NSECTIONS];
/** Finds a command by a unique prefix or an alias. */
struct err *dbg_command_find(const char *name, size_t n, const struct dbg_command **out);
/** A command's name ends after its letters: `x/4x p`, `p/x v`. */
size_t dbg_command_name_length(const char *p);
#endif
