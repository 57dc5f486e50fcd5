// SPDX-License-Identifier: MIT
#ifndef DEBUG_TIMELINE_H
#define DEBUG_TIMELINE_H
#include "base/map.h"
#include "debug/history/history.h"

/** The data of the history; private to src/debug/history. */
enum { DBG_PAGE = 256 }; // bytes: most groups write less than the page of a processor
struct dbg_slice {
    uint32_t item;
    uint64_t from;                    // time
    struct vm_fast_forward_span span; // DBG_FAST_FORWARD: the distance
};
struct dbg_page {
    char *at, *bytes;
    uint32_t size;
};
struct dbg_by_hand {
    uint64_t time, address, size;
    uint32_t item;
    uint8_t *bytes;
};
struct dbg_item_checkpoint {
    uint32_t item;
    char *state; // vm_lane_save
    size_t size;
};
/**
 * A segment of time, with a checkpoint of its beginning. The first segment of a group has no item
 * states.
 */
struct dbg_segment {
    uint64_t from;
    bool has_fast_forward; // it has a fast-forward, which must be expanded to replay a single item
    bool paused;           // by an interrupt: the distance of each item must be counted
    uint64_t clean_for;    // breakpoints with this dbg_breaks.changes are not hit in it
    char *group;           // vm_group_save
    size_t group_size;
    VEC(struct dbg_item_checkpoint) items; // items that run in it
    uint64_t *has;                         // the same, one bit per item
    VEC(struct dbg_page) pages;
    struct map saved_pages; // their addresses, if there are many
};
struct dbg_past_group {
    uint64_t linear;
    uint64_t length; // latest time
    VEC(struct dbg_slice) slices;
    VEC(struct dbg_segment *) segments;
    VEC(struct dbg_by_hand) writes;
    uint64_t bytes;
};
/** The part of the present that was undone. */
struct dbg_ahead {
    bool kept;
    VEC(struct dbg_page) pages;
    struct map saved_pages;
    VEC(struct dbg_item_checkpoint) items; // all items of the last group
    struct str group, printed;
};
struct dbg_timeline {
    VEC(struct dbg_past_group *) groups;
    size_t at;     // the group that runs
    size_t cursor; // slice of it
    uint64_t bytes, forgotten;
    uint64_t stride;       // length of a segment
    bool cannot_join;      // no group has segments that can be joined
    const char *last_page; // the last saved page
    struct str before;     // the state of the group before a fast-forward
    bool unchecked;        // the user changed the past: the race check no longer covers this group
    struct race_worker *race; // kept while in the past
    struct dbg_ahead ahead;
};
extern struct dbg_timeline dbg_timeline;

static inline bool dbg_segment_has(const struct dbg_segment *s, uint32_t item)
{
    return s->has && s->has[item / 64] >> item % 64 & 1;
}
struct dbg_segment *dbg_segment_begin(struct dbg_past_group *p, struct vm_group *grp);
void dbg_history_save_item(struct dbg_past_group *p, struct vm_gang *g,
                           uint32_t item); // saves its present state in the last segment
void dbg_history_save_written(struct dbg_past_group *p, const struct vm_gang *g,
                              const struct bc_insn *i, uint32_t lane);
void dbg_history_add_slice(struct dbg_past_group *p, uint32_t item);
void dbg_history_keep_in_bounds(void);
void dbg_enter_past(struct vm_group *grp);
void dbg_leave_past(struct vm_group *grp);
/** Repeats the writes of the user at this time. */
void dbg_write_by_hand(struct vm_group *grp);
/**
 * Expands the fast-forward of segment k of group `at` into slices that can be replayed, by stepping
 * its work-items. Returns the new value of time t of the group.
 */
uint64_t dbg_history_expand(struct vm_group *grp, size_t at, size_t k, uint64_t t);
/** Is the segment's fast-forward so long (and paused) that stepping it would take minutes? */
bool dbg_history_is_closed(const struct vm_group *grp, const struct dbg_past_group *p, size_t k);
/**
 * Restores the beginning of segment k of group `at`, which may also be later than the present
 * position in the past.
 */
void dbg_history_rewind(struct vm_group *grp, size_t at, size_t k);
/**
 * Restores the beginning of group number `at` of the history. The caller has restored global
 * memory.
 */
void dbg_history_restart(struct vm_group *grp, size_t at);
void dbg_ahead_forget(void);
/** Observes replay: `see` before the first part of an instruction, `saw` after each part. */
struct dbg_observer {
    void (*see)(void *ctx, struct vm_gang *g, uint32_t item);
    void (*saw)(void *ctx, struct vm_gang *g, uint32_t item, const struct bc_insn *insn);
    void *ctx;
    bool blind; // breakpoints do not matter
    bool whole; // requests of the user do not interrupt it
};
enum dbg_replayed {
    DBG_REPLAYED,    // up to the time
    DBG_CUT_SHORT,   // interrupted by a request, at an earlier time
    DBG_MUST_EXPAND, // a breakpoint may be hit in a fast-forward
    DBG_LOST,        // the item of the slice cannot run: execution differs from the recording
};
/** Replays until `time`; the agent gets the lock on request. */
enum dbg_replayed dbg_history_replay(struct vm_group *grp, uint64_t time,
                                     const struct dbg_observer *o);
/** Must reverse execution stop, because the user interrupted or disconnected? */
bool dbg_history_is_unwanted(void);
/**
 * The segment of group `at` that contains time t; `before`: that of the preceding instruction.
 */
size_t dbg_segment_of(size_t at, uint64_t t, bool before);
/** Goes to a time of group `at`, outside of fast-forwards; false: interrupted at an earlier one. */
bool dbg_history_go_to(struct vm_group *grp, size_t at, uint64_t time);
#endif
