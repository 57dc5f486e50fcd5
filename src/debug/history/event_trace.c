// SPDX-License-Identifier: MIT
// Traces of the past, and searches in them. A trace is bounded: of a segment that is longer (see
// join in history.c), the last part is traced first, and earlier parts when a search reaches them.
// A few traces are kept, since searches usually return to the same segments.
#include "debug/history/event_trace.h"

#include "base/mem.h"
#include "bytecode/operands.h"
#include "debug/breakpoints/memory_access.h"
#include "debug/history/history.h"
#include "interp/definedness/undef.h"

#include <stdlib.h>
#include <string.h>

#define H dbg_timeline

enum {
    LONGEST = 1 << 18, // instructions of a trace
    KEPT = DBG_TRACES_KEPT,
    MOST_BYTES = 1024,    // of a written value that are kept
    MOST_ELEMENTS = 65536 // of an async copy by one work-item
};

struct dbg_tracing dbg_tracing;
#define T dbg_tracing

// ---- moments
struct dbg_moment dbg_trace_present(void)
{
    return (struct dbg_moment){.group = H.groups.data[T.at]};
}

uint64_t dbg_moment_time(struct dbg_moment m)
{
    return m.segment ? m.segment->from + m.after
           : m.group == H.groups.data[T.at]
               ? T.now
               : m.group->length; // of an earlier group, the present is its end
}

size_t dbg_moment_at(struct dbg_moment m)
{
    size_t at = 0;
    while (H.groups.data[at] != m.group) at++;
    return at;
}

void dbg_trace_begin(struct vm_group *grp)
{
    dbg_history_mark();
    T.at = H.at;
    T.now = dbg_history.time;
}

void dbg_trace_end(struct vm_group *grp)
{
    const struct dbg_observer whole = {.blind = true, .whole = true};
    dbg_history_rewind(grp, T.at, dbg_segment_of(T.at, T.now, false));
    dbg_history_replay(grp, T.now, &whole);
    if (T.at + 1 == H.groups.len && dbg_history.time >= H.groups.data[T.at]->length)
        dbg_leave_past(grp);
}

void dbg_trace_forget(void)
{
    for (size_t i = 0; i < KEPT; i++) {
        vec_free(&T.kept[i].events);
        vec_free(&T.kept[i].bytes);
        T.kept[i] = (struct dbg_trace){0};
    }
}

// ---- recording
uint64_t dbg_place_of(struct vm_gang *g, uint64_t address)
{
    const struct vm_object *o = vm_object_of(g, address);
    if (o->kind == VM_OBJ_PRIVATE || !o->base) return address;
    return (uint64_t)(uintptr_t)o->base + (uint64_t)vm_offset_of(address);
}

struct recording {
    struct dbg_trace *t;
    uint64_t skip;              // time before which nothing is recorded
    const struct bc_insn *last; // the instruction of the last event
    size_t first;               // its first event
};

static void add_elements(struct recording *r, struct vm_gang *g, struct dbg_event e)
{
    struct dbg_async_copy c;
    dbg_async_copy_of(g, e.insn, 0, &c);
    uint64_t n = 0;
    for (uint64_t k = g->first_item; k < c.count && n < MOST_ELEMENTS; k += g->group->items, n++) {
        e.address = c.to + k * c.step_to;
        e.from = c.from + k * c.step_from;
        e.size = (uint32_t)c.elem;
        e.place = dbg_place_of(g, e.address);
        vec_push(&r->t->events, e);
    }
}

static void see(void *ctx, struct vm_gang *g, uint32_t item)
{
    struct recording *r = ctx;
    const struct bc_insn *i = g->at->src;
    r->last = NULL;
    if (dbg_history.time < r->skip) return;
    struct dbg_event e = {.after = dbg_history.time - r->t->segment->from,
                          .insn = i,
                          .fn = g->frame->fn->bc,
                          .item = item};
    uint64_t size = 0;
    r->last = i;
    r->first = r->t->events.len;
    if (i->op == BC_ASYNC_COPY) {
        add_elements(r, g, e);
        if (r->first < r->t->events.len) return;
    } else if (dbg_writes(i) ? dbg_access_of(g, i, 0, false, &e.address, &size)
                             : dbg_reads(i) && dbg_access_of(g, i, 0, true, &e.address, &size)) {
        const struct vm_object *o = vm_object_of(g, e.address);
        e.vague = size == UINT64_MAX;
        if (e.vague) size = o->size;
        uint64_t n;
        if (i->op == BC_COPY) dbg_access_of(g, i, 0, true, &e.from, &n);
        if (!dbg_is_performed(g, i, e.address, size)) e.address = size = 0;
        e.size = (uint32_t)size;
        e.place = dbg_place_of(g, e.address);
    }
    if (i->op == BC_CBR) e.value = dbg_operand(g, i->a, 1, 0);
    vec_push(&r->t->events, e);
}

/** Keeps the bytes that the event wrote. */
static void keep_written(struct dbg_trace *t, struct vm_gang *g, struct dbg_event *e)
{
    const struct vm_object *o = vm_object_of(g, e->address);
    const int64_t off = vm_offset_of(e->address);
    uint8_t bytes[MOST_BYTES];
    const uint64_t n = e->size < MOST_BYTES ? e->size : MOST_BYTES;
    if (o->kind <= VM_OBJ_NONE || off < 0 || (uint64_t)off + e->size > o->size || !o->base) return;
    for (uint64_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)vm_lane_read(g, o, 0, (uint64_t)off + i, 1);
    if (o->shadow && vm_undef_any(g, o, 0, (uint64_t)off, n)) {
        e->missing = (uint32_t)t->bytes.len + 1;
        for (uint64_t i = 0; i < n; i++)
            vec_push(&t->bytes, vm_undef_any(g, o, 0, (uint64_t)off + i, 1));
    }
    memcpy(&e->value, bytes, n < 8 ? n : 8);
    if (n <= 8) return;
    if (!e->rest) {
        e->rest = (uint32_t)t->bytes.len + 1;
        for (uint64_t i = 0; i < n; i++) vec_push(&t->bytes, 0);
    }
    memcpy(t->bytes.data + e->rest - 1, bytes, n);
}

static void saw(void *ctx, struct vm_gang *g, uint32_t item, const struct bc_insn *insn)
{
    struct recording *r = ctx;
    if (insn != r->last) return;
    for (size_t i = r->first; i < r->t->events.len; i++) {
        struct dbg_event *e = &r->t->events.data[i];
        if (dbg_writes(insn)) {
            if (!e->vague) keep_written(r->t, g, e);
        } else if (insn->dst != BC_NONE && g->frame->fn->bc == e->fn &&
                   bc_ops[insn->op].use[0] & BC_USE_OUT) {
            e->value = dbg_operand(g, insn->dst, dbg_result_size(g, insn), 0);
        }
    }
}

/** Traces [.., end) of segment k, as much as a trace can have. */
static enum dbg_searched trace(struct vm_group *grp, size_t at, size_t k, uint64_t end,
                               struct dbg_trace **out)
{
    struct dbg_segment *s = H.groups.data[at]->segments.data[k];
    struct dbg_trace *t = &T.kept[0];
    for (size_t i = 0; i < KEPT; i++) {
        if (T.kept[i].segment == s && T.kept[i].end == end) {
            T.kept[i].used = ++T.uses;
            *out = &T.kept[i];
            return DBG_SEARCH_FOUND;
        }
        if (T.kept[i].used < t->used) t = &T.kept[i];
    }
    vec_clear(&t->events);
    vec_clear(&t->bytes);
    t->segment = s;
    t->used = ++T.uses;
    struct recording r = {.t = t, .skip = s->from + (end > LONGEST ? end - LONGEST : 0)};
    const struct dbg_observer o = {.see = see, .saw = saw, .ctx = &r, .blind = true};
    dbg_history_rewind(grp, at, k);
    const enum dbg_replayed done = dbg_history_replay(grp, s->from + end, &o);
    t->begin = end > LONGEST && t->events.len ? t->events.data[0].after : 0;
    t->end = end;
    *out = t;
    if (done == DBG_REPLAYED) return DBG_SEARCH_FOUND;
    t->segment = NULL;
    return done == DBG_CUT_SHORT ? DBG_SEARCH_INTERRUPTED : DBG_SEARCH_LOST;
}

void dbg_event_bytes(const struct dbg_trace *t, const struct dbg_event *e, uint64_t skip, void *to,
                     uint64_t n)
{
    const uint8_t *from = e->rest ? t->bytes.data + e->rest - 1 : (const uint8_t *)&e->value;
    const uint64_t has = e->size < MOST_BYTES ? e->size : MOST_BYTES;
    memset(to, 0, n);
    if (skip < has) memcpy(to, from + skip, n < has - skip ? n : has - skip);
}

bool dbg_event_missing(const struct dbg_trace *t, const struct dbg_event *e, uint64_t skip,
                       uint8_t *to, uint64_t n)
{
    const uint64_t has = e->size < MOST_BYTES ? e->size : MOST_BYTES;
    bool any = false;
    for (uint64_t i = 0; i < n; i++) {
        const bool is = e->missing && skip + i < has && t->bytes.data[e->missing - 1 + skip + i];
        to[i] = is ? VM_NEVER_WRITTEN : VM_WRITTEN;
        any |= is;
    }
    return any;
}

bool dbg_event_has(const struct dbg_event *e, uint64_t skip, uint64_t n)
{
    return skip + n <= (e->size < MOST_BYTES ? e->size : MOST_BYTES);
}

// ---- searches
/** May the segment contain what is searched? */
static bool is_relevant(const struct dbg_past_group *p, size_t k, const struct dbg_search *s)
{
    const struct dbg_segment *g = p->segments.data[k];
    if (s->item != UINT32_MAX && k && !dbg_segment_has(g, s->item)) return false;
    if (!s->size) return true;
    for (size_t i = 0; i < g->pages.len; i++) {
        const uint64_t at = (uint64_t)(uintptr_t)g->pages.data[i].at;
        if (at < s->place + s->size && s->place < at + g->pages.data[i].size) return true;
    }
    return false;
}

void dbg_trace_expand(struct vm_group *grp, size_t at, size_t k)
{
    const uint64_t now = dbg_history_expand(grp, at, k, at == T.at ? T.now : 0);
    if (at == T.at) T.now = now;
}

struct dbg_moment dbg_trace_moment(struct vm_group *grp, size_t at, const uint64_t *time)
{
    struct dbg_past_group *p = H.groups.data[at];
    size_t k;
    while (p->segments.data[k = dbg_segment_of(at, *time, true)]->has_fast_forward &&
           !dbg_history_is_closed(grp, p, k))
        dbg_trace_expand(grp, at, k);
    return (struct dbg_moment){p, p->segments.data[k], *time - p->segments.data[k]->from};
}

/** Searches segment k from time `until` on backward. */
static enum dbg_searched search_segment(struct vm_group *grp, size_t at, size_t k, uint64_t until,
                                        const struct dbg_search *s)
{
    uint64_t end = until - H.groups.data[at]->segments.data[k]->from;
    while (end) {
        struct dbg_trace *t;
        if (dbg_history_is_unwanted()) return DBG_SEARCH_INTERRUPTED;
        const enum dbg_searched r = trace(grp, at, k, end, &t);
        if (r != DBG_SEARCH_FOUND) return r;
        for (size_t i = t->events.len; i-- > 0;)
            if (s->visit(s->ctx, t, &t->events.data[i])) return DBG_SEARCH_FOUND;
        end = t->begin;
    }
    return DBG_SEARCH_NONE;
}

/** The time up to which the whole of segment k is traced, so that searches share the trace. */
struct limited {
    const struct dbg_search *s;
    uint64_t before;
};
static bool visit_earlier(void *ctx, const struct dbg_trace *t, const struct dbg_event *e)
{
    const struct limited *x = ctx;
    return e->after < x->before && x->s->visit(x->s->ctx, t, e);
}

enum dbg_searched dbg_search_back(struct vm_group *grp, struct dbg_moment from,
                                  const struct dbg_search *s)
{
    struct dbg_past_group *const p = from.group;
    const size_t at = dbg_moment_at(from);
    for (;;) {
        const uint64_t until = dbg_moment_time(from);
        const size_t k = dbg_segment_of(at, until, true);
        struct dbg_segment *g = p->segments.data[k];
        if (is_relevant(p, k, s)) {
            if (g->has_fast_forward) {
                if (dbg_history_is_closed(grp, p, k)) return DBG_SEARCH_CLOSED;
                if (dbg_history_is_unwanted()) return DBG_SEARCH_INTERRUPTED;
                dbg_trace_expand(grp, at, k);
                continue;
            }
            const uint64_t whole = k + 1 < p->segments.len ? p->segments.data[k + 1]->from
                                                           : p->length;
            struct limited x = {s, until - g->from};
            struct dbg_search in = *s;
            in.visit = visit_earlier;
            in.ctx = &x;
            const bool small = whole - g->from <= LONGEST;
            const enum dbg_searched r = search_segment(grp, at, k, small ? whole : until, &in);
            if (r != DBG_SEARCH_NONE) return r;
        }
        if (!k) return DBG_SEARCH_NONE;
        from.segment = g;
        from.after = 0;
    }
}
