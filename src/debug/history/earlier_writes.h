// SPDX-License-Identifier: MIT
#ifndef DEBUG_EARLIER_WRITES_H
#define DEBUG_EARLIER_WRITES_H
#include "base/str.h"
#include "debug/history/writer_table.h"
#include "interp/stepping/step.h"

/**
 * What earlier launches and commands of the app wrote to global memory, for `why`: histories end
 * with their launch. For each byte the last write is kept: its launch, instruction and work-item,
 * or the command. The launch that runs collects its writes apart and adds them at its end.
 */
struct vm_run;
void dbg_earlier_launch_begins(const struct vm_run *run);
void dbg_earlier_launch_ends(void);
/** A launch that is not recorded has begun. */
void dbg_earlier_unrecorded(void);
/** The lane is about to write; not in the past. */
void dbg_earlier_record(struct vm_gang *g, const struct bc_insn *insn, uint32_t lane);
struct dbg_run;
struct dbg_scatter;
/** The same for several lanes of a wide gang. */
void dbg_earlier_record_run(struct vm_gang *g, const struct bc_insn *insn, const struct dbg_run *r);
void dbg_earlier_record_scatter(struct vm_gang *g, const struct bc_insn *insn,
                                const struct dbg_scatter *s);
/** What is recorded from now on may be taken back by dbg_earlier_undo. */
void dbg_earlier_attempt(void);
/** The writes since dbg_earlier_attempt (whole: of the launch) were undone, and may not recur. */
void dbg_earlier_undo(bool whole);
/** The module is about to be freed. */
void dbg_earlier_module_removed(const struct bc_module *m);

/** A command of the app wrote these bytes, which have them now, or copied them from there. */
void dbg_earlier_command(const void *first, uint64_t size, const void *from, const char *function,
                         const char *where);
void dbg_earlier_freed(const void *first, uint64_t size);

struct dbg_earlier_write {
    struct dbg_write_mark mark; // writer 0: none is known
    uint64_t size;              // how many of the bytes it wrote, at least 1
    bool is_changed;            // the bytes were changed by the host since then
};
/** The last write of the first bytes before this launch, which had this value when it began. */
struct dbg_earlier_write dbg_earlier_find(uint64_t place, uint64_t size, const uint8_t *value);
/** Has more been written than is kept? */
bool dbg_earlier_is_forgotten(void);
/** Its texts are never freed. `m` and `loc` are valid while the session is locked (session.h). */
struct dbg_earlier_source {
    uint64_t launch; // 0: a command of the app wrote it
    const char *kernel;
    bool has_item;
    uint64_t local[3], group[3], global[3];
    const struct bc_module *m; // NULL: released; `line` has the text
    const struct bc_loc *loc;
    const struct bc_insn *insn; // valid as `m`
    const char *line;
    const char *function, *where; // the command, or (after a launch) the one that copied it
    bool is_vague;                // perhaps
};
/**
 * Numbers the launches and commands of the app in order. is_before: was the write's launch or
 * command before this one, and no such command used again since?
 */
uint64_t dbg_earlier_clock(void);
bool dbg_earlier_is_before(const struct dbg_earlier_write *w, uint64_t clock);
/**
 * The last command in (after, before) that wrote the first byte, or the release of its memory
 * (writer 0). False: none. out->write.size: the bytes for which that holds.
 */
struct dbg_clock_range {
    uint64_t after, before;
};
struct dbg_earlier_command {
    struct dbg_earlier_write write;
    uint64_t clock;
    uint64_t from; // where it copied the bytes from; 0: from the app
};
bool dbg_earlier_find_command(uint64_t place, uint64_t size, struct dbg_clock_range when,
                              struct dbg_earlier_command *out);
/** The i-th command after the clock; false: there is none. */
bool dbg_earlier_command_after(uint64_t clock, size_t i, uint64_t *place, uint64_t *size);
/** The writer, with the command that copied what it wrote. */
uint32_t dbg_earlier_copied_by(uint32_t writer, uint32_t command);
/** The number of the launch's instruction in marks; 0: it has none. */
uint32_t dbg_earlier_writer_of(uint64_t launch, const struct bc_insn *insn);
/** An instruction. */
struct dbg_writing_site {
    const struct bc_module *m;
    const struct bc_fn *fn;
    const struct bc_insn *insn;
};
/** The same for a launch that was not recorded; clock: of its beginning. */
uint32_t dbg_earlier_add_writer(const struct vm_launch *l, const struct dbg_writing_site *at,
                                uint64_t clock);
void dbg_earlier_describe(const struct dbg_earlier_write *w, struct dbg_earlier_source *out);
/** " by launch 1, kernel 'fill', work-item global (3,0,0) at k.cl:2: a[i] = i;" */
void dbg_earlier_put(struct str *out, const struct dbg_earlier_write *w);
#endif
