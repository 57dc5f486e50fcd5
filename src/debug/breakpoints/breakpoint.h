// SPDX-License-Identifier: MIT
#ifndef DEBUG_BREAKPOINT_H
#define DEBUG_BREAKPOINT_H
#include "debug/expressions/expr.h"
#include "debug/breakpoints/item_set.h"

/**
 * Breakpoints, watchpoints and catchpoints: the requests of the user (struct dbg_break), and their
 * locations in code.
 */
enum dbg_break_kind {
    DBG_AT_LINE,
    DBG_AT_FUNCTION,
    DBG_AT_BARRIER,
    DBG_AT_INSTRUCTION,
    DBG_WATCH,
    DBG_CATCH
};
struct dbg_location {
    const struct bc_module *m;
    const struct bc_fn *fn;
    const struct bc_insn *insn;
    struct dbg_expr *condition; // parsed when the location is first reached
    bool bad_condition;         // its error was reported
};
/** Of a watchpoint. */
struct dbg_watch {
    enum dbg_access { DBG_ON_WRITE, DBG_ON_READ, DBG_ON_ACCESS } access;
    struct dbg_watch_expression *expression; // of a value that is not in memory; otherwise NULL
    const struct dbg_type *type;
    uint64_t address, size; // of a value in memory; address 0: pending until a launch
    uint32_t item;          // the work-item of private memory, or UINT32_MAX
    uint64_t group, launch; // in which the address is valid; group UINT64_MAX: global memory
    uint8_t *old;           // its bytes at the last check, followed by the enum vm_byte of each
};
struct dbg_break {
    unsigned number; // 0: of `until`
    enum dbg_break_kind kind;
    char *spec;      // as the user typed it
    char *condition; // or NULL
    uint64_t ignore, hits;
    uint64_t only_hit, every_hit; // stops at this hit, at its multiples; 0: at each
    bool disabled, temporary;
    bool once;     // disabled when hit
    bool dap;      // set by the protocol's setBreakpoints and related requests
    char *data_id; // of the protocol's data breakpoints; otherwise NULL
    bool stale;    // the same: not in the request that is being served
    struct dbg_items items;
    VEC(char *) commands;
    VEC(struct dbg_location) at; // empty: pending
    uint32_t line, asked_line;   // actual line; requested line
    char *log;                   // a logpoint's message, or NULL
    struct dbg_watch watch;      // of DBG_WATCH
    int finding;                 // of DBG_CATCH: enum rep_kind, or one of enum dbg_caught
    bool first_only;             // of DBG_CATCH: not for findings that were seen before
};
/** Does it watch something now? Otherwise it is pending. */
static inline bool dbg_is_watching(const struct dbg_watch *w)
{
    return w->expression || w->address;
}
enum dbg_caught { DBG_ALL_FINDINGS = -1, DBG_LAUNCH_END = -2 };

struct dbg_breaks {
    VEC(struct dbg_break *) list;
    unsigned last_number;
    uint64_t changes; // counts changes of the list, from 1
    bool was_hit;     // hit since the history checked, including ignored hits
};
extern struct dbg_breaks dbg_breaks;

/** The kind of "k.cl:6", "6", "twice" or "barrier". */
enum dbg_break_kind dbg_break_kind_of(const char *spec);
struct dbg_break *dbg_break_add(enum dbg_break_kind kind, const char *spec);
/** DBG_AT_INSTRUCTION; the program's release removes the location. */
struct dbg_break *dbg_break_add_at(const char *spec, const struct bc_module *m,
                                   const struct bc_fn *fn, const struct bc_insn *insn);
void dbg_break_remove(struct dbg_break *b);
struct dbg_break *dbg_break_find(unsigned number);
void dbg_break_module_added(const struct bc_module *m);
void dbg_break_module_removed(const struct bc_module *m);
void dbg_break_plant(void); // after changes
/** A note if its condition uses a variable that is declared at its line, or later. */
void dbg_break_put_unset(struct str *out, const struct dbg_break *b);
void dbg_break_put(struct str *out, const struct dbg_break *b); // "Breakpoint 1 at k.cl:6"

/**
 * May a breakpoint of the kernel's code, a watchpoint or the end of the launch stop it? Without
 * regard to conditions.
 */
bool dbg_break_may_stop(const struct bc_module *m, const struct bc_kernel *k);

/** Does a work-item stop before `insn`? Writes the reason to `out`. */
bool dbg_break_hit(struct vm_gang *g, uint32_t item, const struct bc_insn *insn, struct str *out,
                   struct dbg_break **which);
/** The same without counting, for replay. */
struct dbg_break *dbg_break_would_hit(struct vm_gang *g, uint32_t item, const struct bc_insn *insn);
/** May a breakpoint's condition hold for an active lane of the wide gang? */
bool dbg_break_may_hit(struct vm_gang *g, const struct bc_insn *insn);
/** Is this a stop, by work-item and condition? Counts the hit. */
bool dbg_break_counts(struct dbg_break *b, struct dbg_location *at, struct vm_gang *g,
                      uint32_t item, struct str *why);
#endif
