// SPDX-License-Identifier: MIT
#ifndef DEBUG_SESSION_H
#define DEBUG_SESSION_H
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "debug/debug.h"
#include "debug/expr.h"
#include "debug/type.h"
#include "debug/kernel_value.h"
#include "interp/stepping/serialized_atomics.h"
#include "interp/stepping/step.h"
#include "report/sourcefile.h"

#include <pthread.h>
#include <stdatomic.h>

/**
 * The debugger's state, one a process. The launching thread runs kernels, the agent's thread serves
 * the client; the lock guards everything here, and a thread that runs a kernel holds it but for the
 * moments in which the agent knocks.
 */

struct dbg_module {
    const struct bc_module *m;
    const struct dbg_type *types;
    const char *options; // of its build
};

/** A function's activation, or that of one that was inlined. */
struct dbg_frame {
    const struct bc_fn *fn;
    uint32_t loc;     // 0 unknown
    const char *name; // of the source's function
};
enum { DBG_MAX_FRAMES = 64 };

enum dbg_state {
    DBG_BEGINNING, // connected, the app waits for `run`
    DBG_HOST,      // the app is outside of kernels
    DBG_RUNNING,   // a kernel runs
    DBG_STOPPED,   // a kernel is stopped
};

enum dbg_goal_kind {
    DBG_GO,
    DBG_STEP,
    DBG_NEXT,
    DBG_FINISH,
    DBG_STEPI,
    DBG_UNTIL,
    DBG_TO_GROUP,
    DBG_TO_LAUNCH,
    DBG_REVERSE_STEP,
    DBG_REVERSE_NEXT,
    DBG_REVERSE_STEPI,
    DBG_REVERSE_FINISH,
    DBG_REVERSE_TO_LINE,
    DBG_REVERSE_CONTINUE
};
/** How far to go. All but GO are of one work-item. */
struct dbg_goal {
    enum dbg_goal_kind kind;
    uint64_t count; // how often still
    uint32_t item;
    unsigned depth; // of frames, where it began
    bool over;      // STEPI: not in functions that are called
    uint32_t file, line, inlined_at;
    uint64_t group;  // TO_GROUP; REVERSE_TO_LINE: its place in the history
    uint64_t before; // REVERSE_TO_LINE: a time
};

/** Work-items as the user names them: `(0..3,*)`; each dimension a range. */
struct dbg_items {
    bool given;
    uint64_t from[3], to[3]; // global ids, inclusive
};

enum dbg_break_kind { DBG_AT_LINE, DBG_AT_FUNCTION, DBG_AT_BARRIER, DBG_WATCH, DBG_CATCH };
struct dbg_expr;
struct dbg_location {
    const struct bc_module *m;
    const struct bc_fn *fn;
    const struct bc_insn *insn;
    struct dbg_expr *condition; // parsed where it is first met
    bool bad_condition;         // its trouble was told
};
struct dbg_break {
    unsigned number;
    enum dbg_break_kind kind;
    char *spec;      // as it was given
    char *condition; // or NULL
    uint64_t ignore, hits;
    bool disabled, temporary, once,
        dap; // once: disabled when hit; dap: set by setBreakpoints and its like
    struct dbg_items items;
    VEC(char *) commands;
    VEC(struct dbg_location) at; // none: pending
    uint32_t line, asked_line;   // where it is, where it was asked for
    char *log;                   // a logpoint's message, or NULL
    // WATCH
    uint64_t address, size; // address 0: it waits for a launch
    uint32_t item;          // whose private memory, or UINT32_MAX
    uint64_t group, launch; // that it is good for, where it is not global memory
    uint8_t *old; // its bytes when it was looked at last; behind them, for each its enum vm_byte
    enum dbg_access { DBG_ON_WRITE, DBG_ON_READ, DBG_ON_ACCESS } access;
    const struct dbg_type *type;
    // CATCH: enum rep_kind, or -1 all
    int finding;
};

/** A finding while it is being debugged. */
struct dbg_found {
    enum rep_kind kind;
    bool is_new;
    char *text;
    uint32_t item;
    uint64_t group, launch, time;
    struct rep_item sides[2];
    uint32_t lines[2];
    unsigned nsides;
};

/**
 * The order in which work-items of a group run between barriers: that of their ids, or one that
 * follows from a seed.
 */
struct dbg_order {
    bool given;
    uint64_t seed;
    uint64_t group, launch, barriers; // what `items` was made for
    VEC(uint32_t) items;
};

/** A launch that was, for `info launches`. */
struct dbg_launched {
    uint64_t number;
    char *text;
};

struct json_t;
struct dbg_named { // $name
    const char *name;
    struct dbg_value *value;
};

struct dbg_session {
    pthread_mutex_t lock;
    pthread_cond_t resumed;
    atomic_int knock;        // the agent wants the lock
    atomic_int interrupt;    // Ctrl-C
    uint64_t interrupt_from; // time at which it is heeded
    bool connected, ended;
    struct arena arena; // what lives as long as the process
    struct rep_sources *sources;
    enum dbg_state state;
    void (*leave)(void); // as of dbg_start
    VEC(struct dbg_module) modules;
    VEC(struct dbg_break *) breaks;
    unsigned last_number;
    uint64_t break_changes; // counts them, from 1

    // the launch
    struct vm_run *run;
    struct dbg_module *module;
    struct vm_group *grp;
    uint64_t nlaunches;
    VEC(struct dbg_launched) launches; // the last ones
    struct dbg_order order;
    uint64_t group_number;            // of the group that runs: linear
    uint64_t group_began;             // the same plus 1, once it has
    uint64_t time;                    // instructions since the group began
    uint64_t next_state;              // time at which the history wants a state
    const struct bc_insn *first_insn; // of the kernel's first line
    bool watches_private;             // a watchpoint may be on a private variable
    bool past;                        // it goes through the past again
    uint32_t prefer;                  // item that runs first, or UINT32_MAX
    struct vm_scout *scout; // runs work-items together while there is nothing to stop for; or NULL
    bool scout_blind;       // it looks for no breakpoints
    bool scout_rests;       // until the next barrier, group or stop: it found something
    uint32_t lane;          // of the gang that is looked at; 0 but in wide gangs
    struct dbg_goal goal;
    VEC(struct dbg_found) found; // since the last look
    bool stop_on_findings;

    // a stop
    bool resume;
    bool waits_for_run; // the client will say `run`
    bool allow_files;   // its commands may touch files and run programs
    bool idle;          // there is no program: a client's helper
    uint32_t focus;     // work-item
    unsigned frame;
    uint64_t stopped_time; // and who was where: not stopped at again
    const struct vm_insn *stopped_at;
    uint32_t shown_item; // focus that the user has last been told of
    uint64_t shown_group, shown_launch;
    struct str stop_text;
    VEC(struct dbg_found) findings; // all of the process, for `info findings`

    VEC(struct dbg_value) values; // $1, …
    VEC(struct dbg_named) names;
    struct map made_types; // by their base: type.c
    VEC(char *) displays;
    unsigned list_line;
    uint32_t list_file;
    const struct bc_module *list_module;
    struct str last_x;
    // settings
    unsigned list_size, print_elements; // of the latter 0: all
    bool print_pretty;
    bool confirm, paginate; // the client's
    uint64_t history_limit; // bytes
    bool undebugged;        // the client is gone
    bool said_goodbye;      // it told us that it goes
    bool colours;           // it can show them
};
extern struct dbg_session dbg;

// ---- whereabouts.c
static inline struct vm_gang *dbg_gang(uint32_t item) { return dbg.grp->gangs[item]; }
/** The frames of a work-item, innermost first; none when it has not begun or has returned. */
unsigned dbg_frames(const struct vm_gang *g, struct dbg_frame out[DBG_MAX_FRAMES]);
/** Depth of frames at the instruction that the item does next. */
unsigned dbg_depth(const struct vm_gang *g, uint32_t loc);
const struct bc_insn *dbg_next_insn(
    const struct vm_gang *g); // or the barrier that it waits at; NULL
const char *dbg_file_name(const struct bc_module *m, uint32_t file);
const char *dbg_base_name(const char *path);
/** A source line without its end; NULL when there is none. */
const char *dbg_source_line(const struct bc_module *m, uint32_t file, uint32_t line, size_t *len);
void dbg_put_source_line(struct str *out, uint32_t number, const char *text, size_t len);
/** "local (l,m,n) group (…) global (g,h,i)" */
void dbg_put_item(struct str *out, uint64_t group, uint32_t item);
void dbg_item_ids(uint64_t group, uint32_t item, uint64_t local[3], uint64_t grp[3],
                  uint64_t global[3]);
/** "twice (a=3) at k.cl:2" */
void dbg_put_frame(struct str *out, struct vm_gang *g, const struct dbg_frame *f, unsigned level);
void dbg_put_source(struct str *out, const struct bc_module *m, uint32_t loc);

// ---- breakpoint.c
/** What "k.cl:6", "6", "twice" or "barrier" is. */
enum dbg_break_kind dbg_break_kind_of(const char *spec);
struct err *dbg_break_add(enum dbg_break_kind kind, const char *spec, struct dbg_break **out);
void dbg_break_remove(struct dbg_break *b);
struct dbg_break *dbg_break_find(unsigned number);
void dbg_break_module_added(const struct bc_module *m);
void dbg_break_module_removed(const struct bc_module *m);
void dbg_break_plant(void);                                     // after changes
void dbg_break_put(struct str *out, const struct dbg_break *b); // "Breakpoint 1 at k.cl:6"
/** "(0..3,*)" */
void dbg_items_put(struct str *out, const struct dbg_items *s);
struct err *dbg_items_parse(const char *text, const char **end, struct dbg_items *out);
/** Whether a work-item that is about to run `insn` stops; tells why in `out`. */
bool dbg_break_hit(struct vm_gang *g, uint32_t item, const struct bc_insn *insn, struct str *out,
                   struct dbg_break **which);
/** The same without counting: for the past. */
struct dbg_break *dbg_break_would_hit(struct vm_gang *g, uint32_t item, const struct bc_insn *insn);
bool dbg_watch_hit(struct vm_gang *g, uint32_t item, const struct bc_insn *insn, struct str *out,
                   struct dbg_break **which);
/** A breakpoint's condition may hold for one of the gang's active lanes: they are many. */
bool dbg_break_may_hit(struct vm_gang *g, const struct bc_insn *insn);
/** Work-item and condition fit: is this a stop, counted and all? */
bool dbg_break_counts(struct dbg_break *b, struct dbg_location *at, struct vm_gang *g,
                      uint32_t item, struct str *why);

// ---- watch.c
bool dbg_any_watch(void);
void dbg_watch_refresh(void);
/** Some look at reads, too. */
bool dbg_any_read_watch(void);
/** The instruction is about to read what such a one watches: which one, NULL: none. */
struct dbg_break *dbg_watch_read(struct vm_gang *g, uint32_t item, const struct bc_insn *insn);
/** It has: is that a stop, counted and all? */
bool dbg_watch_read_hit(struct dbg_break *b, struct vm_gang *g, uint32_t item,
                        const struct bc_insn *insn, struct str *out);
/** The watchpoint looks at this value of a work-item. */
struct err *dbg_watch_at(struct dbg_break *b, struct vm_gang *g, uint32_t item,
                         const struct dbg_value *v);
void dbg_watch_launch_ends(void);
/** Those that wait look for their expressions. */
void dbg_watch_group_begins(struct vm_group *grp);

// ---- returned.c
/** `finish` is on its way out of that frame. */
void dbg_returned_await(struct vm_gang *g, unsigned level);
/** It has got there: "Value returned is $1 = 6", where there is one. */
void dbg_returned_put(struct str *out, struct vm_gang *g);

// ---- exec.c
/** A kernel's thread stops here until the client lets it go on. */
void dbg_stop(const char *reason, const char *description, const struct dbg_break *which);
/** The item stops before what it does next: dbg.stop_text (why) is completed by where it is. */
void dbg_stop_here(uint32_t item, const char *reason, const char *description, bool whole_frame,
                   struct dbg_break *which);
struct err *dbg_need_stopped(void);
/** Why there is no source to look at. */
struct err *dbg_no_program(void);
/** The user wrote to the kernel's memory. */
void dbg_changed_by_hand(struct vm_gang *g, const struct dbg_value *v);

/**
 * Every work-item of a group that begins gets as far as its first source line, so that its
 * arguments can be seen.
 */
void dbg_enter_kernel(struct vm_group *grp);
/** What follows a stop's text: the displays. */
void dbg_stop_extras(struct str *out);

/** The work-item that is k-th in the order in which they run. */
uint32_t dbg_in_order(const struct vm_group *grp, uint32_t k);
/** Lets the agent's thread have the lock for what it wants. */
void dbg_answer_knock(void);

// ---- accessed.c
/** What it does to memory: to that of others, and the private one. Image reads do not count. */
bool dbg_writes(const struct bc_insn *i), dbg_reads(const struct bc_insn *i);
/**
 * Where the lane's next instruction writes, or (reads) reads; false: nowhere that can be said. size
 * UINT64_MAX: up to the object's end.
 */
bool dbg_access_of(const struct vm_gang *g, const struct bc_insn *i, uint32_t lane, bool reads,
                   uint64_t *address, uint64_t *size);

// ---- found.c
void dbg_on_fault(void *ctx, struct vm_gang *g, const struct vm_fault_record *r, bool first);
void dbg_on_race(void *ctx, struct vm_run *run, const struct race_pair *p);
void dbg_on_told(void *ctx, const struct rep_finding *f);
/** Stops for what was found by the item's last instruction, where somebody wants that. */
bool dbg_stop_for_findings(uint32_t item);

// ---- together.c
bool dbg_scout_look(void *ctx, struct vm_gang *g, const struct bc_insn *insn);
bool dbg_scout_met(void *ctx, struct vm_group *grp);
void dbg_scout_write(void *ctx, struct vm_gang *g, const struct bc_insn *insn);
/** Runs the work-items that stand together, if it can; false: they are to be stepped. */
bool dbg_scout_run(struct vm_group *grp);
/**
 * In the past: again, past so many barriers, with the plan that was made, without `except`
 * (UINT32_MAX: all). blind: whatever breakpoints there are. False: memory is to be put back.
 */
bool dbg_scout_again(struct vm_group *grp, uint32_t except, uint64_t barriers,
                     const struct vm_serial_plan *plan, bool blind);
/** The launch is over. */
void dbg_scout_forget(void);

// ---- agent.c
/** Events to the client; the lock is held. */
void dbg_send_stopped(const char *reason, const char *description, const char *text,
                      unsigned number);
void dbg_send_output(const char *text);
void dbg_send_continued(void);
void dbg_send_carried(void); // to `cldbg -i`, which keeps it for when the program has ended
/** Of the editor's: where it is has become known. */
void dbg_send_breakpoint(const struct dbg_break *b);
/** A message, which is taken over. */
void dbg_send(struct json_t *message);

#endif
