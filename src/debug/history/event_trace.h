// SPDX-License-Identifier: MIT
#ifndef DEBUG_EVENT_TRACE_H
#define DEBUG_EVENT_TRACE_H
#include "debug/history/timeline.h"

/**
 * Traces of the past: the instructions that a segment of the history executed, with the bytes that
 * each of them accessed. A trace is made by replaying the segment when it is asked for.
 */

/** An executed instruction; of an async copy, each element that it copies. */
struct dbg_event {
    uint64_t after; // time since the segment began
    const struct bc_insn *insn;
    const struct bc_fn *fn;
    uint64_t address; // of the bytes that it writes, otherwise reads; 0: none
    uint64_t place;   // the same for all pointers to these bytes (dbg_place_of)
    uint64_t from;    // of the bytes that it copies; 0: none
    uint64_t value;   // first bytes that it wrote; otherwise its result, or the condition of a CBR
    uint32_t size, item;
    uint32_t rest;    // written values of more than 8 bytes: index + 1 in dbg_trace.bytes
    uint32_t missing; // if some of the written bytes have no value: the same, of a flag for each
    bool vague;       // it may have written other bytes only
};
struct dbg_trace {
    struct dbg_segment *segment;
    uint64_t begin, end; // times since the segment began
    VEC(struct dbg_event) events;
    VEC(uint8_t) bytes;
    uint64_t used; // order of use
};

/** The present, and the traces that are kept; for launch_context.c. */
enum { DBG_TRACES_KEPT = 6 };
struct dbg_tracing {
    struct dbg_trace kept[DBG_TRACES_KEPT];
    uint64_t uses;
    size_t at; // the present: the group, and the time
    uint64_t now;
};
extern struct dbg_tracing dbg_tracing;

/**
 * A moment of the past that stays valid when a fast-forward is expanded. segment NULL: the present.
 */
struct dbg_moment {
    struct dbg_past_group *group;
    struct dbg_segment *segment;
    uint64_t after;
};

/** What a search covers, besides the limits of the group. */
struct dbg_search {
    uint32_t item;        // only where this item ran; UINT32_MAX: any
    uint64_t place, size; // only where these bytes of global memory were written; size 0: anywhere
    /** Returns true to end the search; events are passed latest first. */
    bool (*visit)(void *ctx, const struct dbg_trace *t, const struct dbg_event *e);
    void *ctx;
};
enum dbg_searched {
    DBG_SEARCH_FOUND, // visit returned true
    DBG_SEARCH_NONE,  // the group's beginning was reached
    DBG_SEARCH_CLOSED,
    DBG_SEARCH_INTERRUPTED,
    DBG_SEARCH_LOST, // replay differs from the recording
};
/** Searches the group backward from the moment. */
enum dbg_searched dbg_search_back(struct vm_group *grp, struct dbg_moment from,
                                  const struct dbg_search *s);

/** Begins queries about the past at the present time; ends them and returns to it. */
void dbg_trace_begin(struct vm_group *grp);
void dbg_trace_end(struct vm_group *grp);
/** Expands the fast-forward of segment k of group `at`, between begin and end. */
void dbg_trace_expand(struct vm_group *grp, size_t at, size_t k);
/** The kernel goes on: traces and moments are no longer valid. */
void dbg_trace_forget(void);
struct dbg_moment dbg_trace_present(void);
/** The time of the moment in its group. */
uint64_t dbg_moment_time(struct dbg_moment m);
/**
 * The moment of a time of group `at`, which moves if a fast-forward has to be expanded for it: a
 * time of dbg_findings.
 */
struct dbg_moment dbg_trace_moment(struct vm_group *grp, size_t at, const uint64_t *time);
/** The index of the group in the history. */
size_t dbg_moment_at(struct dbg_moment m);

/**
 * Identifies the bytes of an address: equal for all pointers to them, except that a private place
 * also depends on the work-item, and a local one on the work-group.
 */
uint64_t dbg_place_of(struct vm_gang *g, uint64_t address);
/** Copies bytes that the event wrote: n from offset `skip` on. */
void dbg_event_bytes(const struct dbg_trace *t, const struct dbg_event *e, uint64_t skip, void *to,
                     uint64_t n);
/** The same for whether these bytes have no value (1): the enum vm_byte of each; is there one? */
bool dbg_event_missing(const struct dbg_trace *t, const struct dbg_event *e, uint64_t skip,
                       uint8_t *to, uint64_t n);
/** Are all these bytes kept? */
bool dbg_event_has(const struct dbg_event *e, uint64_t skip, uint64_t n);
#endif
