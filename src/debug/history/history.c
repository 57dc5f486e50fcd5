// SPDX-License-Identifier: MIT
// Recording for reverse execution.
//
// The engine is deterministic: a work-group's execution follows from global memory at its beginning
// and from the order of its work-items. So a record-and-replay history (as in rr) is small. For
// each group it consists of schedule slices (which work-item ran from which instruction on), the
// old contents of the pages of global memory that the group wrote, and the user's writes. To reach
// time T of a group, pages are restored from the last group back to that one, the group is
// restarted, and its slices are replayed up to T (rewind.c).
//
// A group may run very many instructions. So its time is cut into segments. Each has a checkpoint:
// the old pages written in it, and the states at its beginning of the work-items that ran in it.
// (The state of the others is that of a later segment.) To reach T, segments are undone from the
// last one to that of T, and only that one is replayed. A segment also records the set of
// breakpoints without a hit in it (clean_for), so that reverse-continue can skip it.
//
// During replay, and while the user moves in the past, checks are off: they were done the first
// time. The race check's shadow is that of the frontier, and valid again when the frontier is
// reached.
//
// Memory is bounded. When the limit is reached, neighboring segments are joined (each item keeps
// its older state), so there are fewer and longer ones; then the oldest groups are forgotten. The
// pages that the running group wrote are always kept.
#include "debug/history/history.h"

#include "base/mem.h"
#include "debug/breakpoints/memory_access.h"
#include "debug/history/earlier_writes.h"
#include "debug/history/timeline.h"
#include "debug/session/focus.h"
#include "debug/session/session_settings.h"
#include "interp/calls/async_copies.h"
#include "interp/stepping/checkpoint.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = DBG_PAGE, FIRST_STRIDE = 1 << 18 }; // instructions: some milliseconds of replay

struct dbg_history dbg_history;
struct dbg_timeline dbg_timeline;
#define H dbg_timeline

/** Marks the segment: a breakpoint was hit in it. */
static void note_hits(void)
{
    if (dbg_breaks.was_hit && !dbg_history.past && H.groups.len)
        vec_last(&H.groups.data[H.at]->segments)->clean_for = 0;
    dbg_breaks.was_hit = false;
}

void dbg_history_mark(void)
{
    note_hits();
    if (!dbg_history.off && !dbg_history.past && H.groups.len)
        H.groups.data[H.at]->length = dbg_history.time;
}

static void charge(struct dbg_past_group *p, int64_t n)
{
    p->bytes += (uint64_t)n;
    H.bytes += (uint64_t)n;
}

// ---- segments
/** Most groups have one segment, slice and page; there may be very many groups. */
#define RESERVE_ONE(v)                                                                             \
    do {                                                                                           \
        if (!(v)->cap) {                                                                           \
            (v)->data = mem_array(NULL, 1, sizeof *(v)->data);                                     \
            (v)->cap = 1;                                                                          \
        }                                                                                          \
    } while (0)

static struct dbg_segment *segment_create(struct dbg_past_group *p, uint64_t from)
{
    struct dbg_segment *s = mem_alloc(sizeof *s);
    note_hits();
    H.last_page = NULL;
    s->from = from;
    s->clean_for = dbg_history.past ? 0 : dbg_breaks.changes; // replay does not check for hits
    RESERVE_ONE(&p->segments);
    vec_push(&p->segments, s);
    H.cannot_join &= p->segments.len == 1;
    charge(p, sizeof *s);
    return s;
}

static void segment_destroy(struct dbg_past_group *p, struct dbg_segment *s)
{
    int64_t bytes = (int64_t)(sizeof *s + s->group_size);
    H.last_page = NULL;
    for (size_t i = 0; i < s->items.len; i++)
        bytes += (int64_t)s->items.data[i].size, free(s->items.data[i].state);
    for (size_t i = 0; i < s->pages.len; i++)
        bytes += s->pages.data[i].size, free(s->pages.data[i].bytes);
    charge(p, -bytes);
    vec_free(&s->items);
    vec_free(&s->pages);
    map_deinit(&s->saved_pages);
    free(s->group);
    free(s->has);
    free(s);
}

static void save_item(struct dbg_past_group *p, struct dbg_segment *s, struct vm_gang *g,
                      uint32_t item)
{
    if (!s->has || dbg_segment_has(s, item)) return; // the first segment has no item states
    struct str state = {0};
    vm_lane_save(g, &state);
    s->has[item / 64] |= 1ull << item % 64;
    charge(p, (int64_t)state.len);
    vec_push(&s->items,
             ((struct dbg_item_checkpoint){item, mem_dup(state.data, state.len), state.len}));
    str_deinit(&state);
}

/** Is the page that begins there among the saved ones of the segment? If not, it is about to be. */
static bool has_page(struct dbg_segment *s, const char *at)
{
    enum { FEW = 8 }; // a search is faster than a map
    bool is_new = true;
    if (s->pages.len < FEW) {
        for (size_t i = 0; i < s->pages.len && is_new; i++) is_new = s->pages.data[i].at != at;
        return !is_new;
    }
    for (size_t i = 0; !s->saved_pages.len && i < s->pages.len; i++)
        map_put_ptr(&s->saved_pages, s->pages.data[i].at, NULL);
    map_put_ptr(&s->saved_pages, at, &is_new);
    return !is_new;
}

/** Joins segment a with the next one, b. */
static void join(struct dbg_past_group *p, struct dbg_segment *a, struct dbg_segment *b)
{
    size_t kept = 0;
    for (size_t i = 0; i < b->items.len; i++) {
        const struct dbg_item_checkpoint x = b->items.data[i];
        if (!a->has || dbg_segment_has(a, x.item)) {
            b->items.data[kept++] = x;
            continue;
        }
        a->has[x.item / 64] |= 1ull << x.item % 64;
        vec_push(&a->items, x);
    }
    b->items.len = kept;
    kept = 0;
    for (size_t i = 0; i < b->pages.len; i++) {
        if (has_page(a, b->pages.data[i].at)) b->pages.data[kept++] = b->pages.data[i];
        else vec_push(&a->pages, b->pages.data[i]);
    }
    b->pages.len = kept;
    a->has_fast_forward |= b->has_fast_forward;
    if (a->clean_for != b->clean_for) a->clean_for = 0;
    segment_destroy(p, b);
}

/** Joins pairs of neighbors; false: there are none. */
static bool join_pairs(struct dbg_past_group *p)
{
    const size_t before = p->segments.len;
    size_t n = 0;
    for (size_t i = 0; i < before; i++) {
        struct dbg_segment *a = p->segments.data[n++] = p->segments.data[i],
                           *b = i + 1 < before ? p->segments.data[i + 1] : NULL;
        if (!b || a->paused || b->paused) continue;
        join(p, a, b);
        i++;
    }
    p->segments.len = n;
    return n < before;
}

// ---- groups
static void forget(struct dbg_past_group *p)
{
    while (p->segments.len) segment_destroy(p, vec_pop(&p->segments));
    for (size_t i = 0; i < p->writes.len; i++) free(p->writes.data[i].bytes);
    vec_free(&p->writes);
    vec_free(&p->segments);
    vec_free(&p->slices);
    H.bytes -= p->bytes;
    free(p);
}

/** Forgets the first groups until `most` bytes are left, but none from the present one on. */
static void forget_first(uint64_t most)
{
    size_t n = 0;
    while (n < H.at && H.bytes > most) forget(H.groups.data[n++]);
    memmove(H.groups.data, H.groups.data + n, (H.groups.len - n) * sizeof *H.groups.data);
    H.groups.len -= n;
    H.at -= n;
    H.forgotten += n;
}

void dbg_history_keep_in_bounds(void)
{
    while (H.bytes > dbg_settings.history_limit) {
        bool any = false;
        for (size_t i = 0; i < H.groups.len && !H.cannot_join; i++)
            any |= join_pairs(H.groups.data[i]);
        H.cannot_join = !any;
        if (any) H.stride *= 2;
        else if (H.at) forget_first(dbg_settings.history_limit / 16 * 15);
        else break;
    }
}

void dbg_history_launch(const struct vm_run *run)
{
    dbg_history.off = run->workers[0].max_contexts > 1 ||
                      run->l->schedule; // groups that wait for each other are interleaved
    H.forgotten = 0;
    H.stride = FIRST_STRIDE;
    dbg_history.next_state = UINT64_MAX;
}

void dbg_history_launch_ends(void)
{
    while (H.groups.len) forget(vec_pop(&H.groups));
    str_deinit(&H.before);
    H.at = 0;
    dbg_history.past = H.unchecked = false;
    dbg_ahead_forget();
}

// ---- checks: off in the past
void dbg_enter_past(struct vm_group *grp)
{
    if (!dbg_history.past && !H.unchecked) H.race = grp->race;
    dbg_history.past = true;
    grp->race = NULL;
    grp->worker->muted = true;
    for (uint32_t k = 0; k < grp->ngangs; k++)
        for (uint32_t id = 0; id < grp->gangs[k]->nobjects; id++)
            grp->gangs[k]->objects[id].flags &= (uint8_t)~(VM_WATCH_LOCAL | VM_WATCH_GLOBAL);
}

void dbg_leave_past(struct vm_group *grp)
{
    const struct vm_run *run = grp->worker->run;
    const uint8_t watched = VM_WATCH_LOCAL | VM_WATCH_GLOBAL;
    dbg_history.past = H.unchecked = false;
    dbg_ahead_forget();
    grp->race = H.race;
    grp->worker->muted = false;
    for (uint32_t k = 0; k < grp->max_gangs; k++) // the group may not have begun
        for (uint32_t id = 0; id < grp->gangs[k]->nobjects; id++) {
            uint8_t *flags = &grp->gangs[k]->objects[id].flags;
            *flags = (uint8_t)((*flags & ~watched) | (run->objects[id].flags & watched));
        }
}

void dbg_history_group(struct vm_group *grp)
{
    if (dbg_history.off) return;
    if (H.unchecked) {
        dbg_leave_past(grp);
        if (grp->race) race_group_begin(grp->race, grp->linear);
    }
    struct dbg_past_group *p = mem_alloc(sizeof *p);
    p->linear = grp->linear;
    vec_push(&H.groups, p);
    H.at = H.groups.len - 1;
    charge(p, sizeof *p);
    segment_create(p, 0);
    dbg_history.next_state = H.stride;
    dbg_history_keep_in_bounds();
}

// ---- recording
/**
 * Saves the pages of an object that contain [off, off + size); memory next to the object is not
 * accessed.
 */
static void save(struct dbg_past_group *p, const struct vm_object *o, uint64_t off, uint64_t size)
{
    struct dbg_segment *s = vec_last(&p->segments);
    for (uint64_t at = off / PAGE * PAGE; at < off + size; at += PAGE) {
        if (o->base + at == H.last_page) continue;
        H.last_page = o->base + at;
        if (has_page(s, o->base + at)) continue;
        const uint32_t n = (uint32_t)(o->size - at < PAGE ? o->size - at : PAGE);
        RESERVE_ONE(&s->pages);
        vec_push(&s->pages, ((struct dbg_page){o->base + at, mem_dup(o->base + at, n), n}));
        charge(p, n);
    }
}

static void save_object(struct dbg_past_group *p, const struct vm_gang *g, uint64_t address,
                        uint64_t size)
{
    const uint64_t id = address >> BC_PTR_ID_SHIFT;
    const struct vm_object *o = &g->objects[id < g->nobjects ? id : g->nobjects];
    const int64_t off = vm_offset_of(address);
    if ((o->kind != VM_OBJ_BUFFER && o->kind != VM_OBJ_PROGRAM && o->kind != VM_OBJ_IMAGE) ||
        !o->base)
        return;
    if (off < 0 || (uint64_t)off >= o->size) return;
    save(p, o, (uint64_t)off, size < o->size - (uint64_t)off ? size : o->size - (uint64_t)off);
}

/** Saves what an async copy is about to write. */
static void save_copied(struct dbg_past_group *p, const struct vm_gang *g, const struct bc_insn *i,
                        uint32_t lane)
{
    struct dbg_async_copy c;
    dbg_async_copy_of(g, i, lane, &c);
    if (c.step_to == c.elem) {
        save_object(p, g, c.to, c.count * c.elem);
        return;
    }
    for (uint64_t k = 0; k < c.count; k++) save_object(p, g, c.to + k * c.step_to, c.elem);
}

/** Saves the global memory that the instruction is about to write. */
void dbg_history_save_written(struct dbg_past_group *p, const struct vm_gang *g,
                              const struct bc_insn *i, uint32_t lane)
{
    uint64_t address, size;
    if (i->op == BC_ASYNC_COPY) save_copied(p, g, i, lane);
    else if (dbg_access_of(g, i, lane, false, &address, &size)) save_object(p, g, address, size);
}

void dbg_history_record(struct vm_gang *g, const struct bc_insn *insn)
{
    if (!dbg_history.off && !dbg_history.past && H.groups.len && dbg_writes(insn))
        dbg_history_save_written(H.groups.data[H.at], g, insn, 0);
}

void dbg_history_save_item(struct dbg_past_group *p, struct vm_gang *g, uint32_t item)
{
    save_item(p, vec_last(&p->segments), g, item);
}

void dbg_history_add_slice(struct dbg_past_group *p, uint32_t item)
{
    p->length = dbg_history.time;
    if (p->slices.len && vec_last(&p->slices).item == item && item < DBG_FAST_FORWARD) return;
    RESERVE_ONE(&p->slices);
    vec_push(&p->slices, ((struct dbg_slice){.item = item, .from = dbg_history.time}));
    charge(p, sizeof(struct dbg_slice));
}

void dbg_history_slice_begins(struct vm_gang *g, uint32_t item)
{
    if (dbg_history.off || dbg_history.past || !H.groups.len) return;
    struct dbg_past_group *p = H.groups.data[H.at];
    if (g) dbg_history_save_item(p, g, item);
    for (uint32_t i = 0; !g && i < dbg_focus.group->items; i++)
        dbg_history_save_item(p, dbg_gang(i), i); // passing a barrier moves them all
    dbg_history_add_slice(p, item);
}

struct dbg_segment *dbg_segment_begin(struct dbg_past_group *p, struct vm_group *grp)
{
    struct dbg_segment *s = segment_create(p, dbg_history.time);
    struct str state = {0};
    vm_group_save(grp, &state);
    s->group_size = state.len;
    s->group = mem_dup(state.data, state.len);
    s->has = mem_alloc((grp->items / 64 + 1) * sizeof *s->has);
    charge(p, (int64_t)state.len);
    str_deinit(&state);
    return s;
}

void dbg_history_state(struct vm_gang *g, uint32_t item)
{
    dbg_history.next_state = UINT64_MAX;
    if (dbg_history.off || dbg_history.past || !H.groups.len) return;
    struct dbg_past_group *p = H.groups.data[H.at];
    dbg_segment_begin(p, dbg_focus.group);
    dbg_history_save_item(p, g, item);
    dbg_history_keep_in_bounds();
    dbg_history.next_state = vec_last(&p->segments)->from + H.stride;
}

// ---- fast-forward
void dbg_history_fast_forward(struct vm_group *grp, const uint8_t *chosen)
{
    struct dbg_past_group *p = H.groups.data[H.at];
    struct dbg_segment *s = vec_last(&p->segments);
    if (s->from != dbg_history.time || s->pages.len) s = dbg_segment_begin(p, grp);
    for (uint32_t i = 0; i < grp->items && s->has; i++)
        if (chosen[i]) save_item(p, s, grp->gangs[i], i);
    str_clear(&H.before);
    if (grp->is_begun) vm_group_save(grp, &H.before);
    H.last_page = NULL;
    dbg_earlier_attempt();
}

/** The prepared group has not run. */
static void prepare_again(struct vm_group *grp)
{
    struct race_worker *const race = grp->race;
    grp->race = NULL;
    str_clear(&grp->out);
    vm_group_prepare(grp, grp->linear, 1);
    grp->race = race;
    vm_copies_restored(grp);
}

void dbg_history_fast_forward_ends(struct vm_group *grp, const struct vm_fast_forward_span *ran)
{
    struct dbg_past_group *p = H.groups.data[H.at];
    struct dbg_segment *s = vec_last(&p->segments);
    if (ran) {
        s->has_fast_forward = true;
        s->paused = ran->looks;
        dbg_history_add_slice(p, DBG_FAST_FORWARD);
        vec_last(&p->slices).span = *ran;
        dbg_history.time++;
        p->length = dbg_history.time;
        dbg_history.next_state = dbg_history.time; // steps from there on can be replayed
        dbg_history_keep_in_bounds();
        return;
    }
    dbg_earlier_undo(false);
    for (size_t i = s->pages.len; i-- > 0;)
        memcpy(s->pages.data[i].at, s->pages.data[i].bytes, s->pages.data[i].size);
    if (grp->is_begun) vm_group_restore(grp, H.before.data);
    else prepare_again(grp);
}

void dbg_history_record_run(struct vm_gang *g, const struct dbg_run *r)
{
    save_object(H.groups.data[H.at], g, r->address, r->size * r->n);
}

void dbg_history_record_scatter(const struct dbg_scatter *s)
{
    struct dbg_past_group *const p = H.groups.data[H.at];
    for (uint32_t k = 0; k < s->n; k++) save(p, s->buffer, s->at[k].offset, s->size);
}

void dbg_history_record_lane(struct vm_gang *g, const struct bc_insn *insn, uint32_t lane)
{
    dbg_history_save_written(H.groups.data[H.at], g, insn, lane);
}

/**
 * The recorded future is no longer valid: from here on the order is recorded again, and races of
 * this group are not checked.
 */
static void forget_the_future(struct dbg_past_group *p)
{
    dbg_earlier_undo(true);
    while (H.groups.len > H.at + 1) forget(vec_pop(&H.groups));
    dbg_history_slice();
    p->slices.len = p->slices.len ? H.cursor + 1 : 0;
    p->length = dbg_history.time;
    while (p->segments.len > 1 && vec_last(&p->segments)->from > dbg_history.time)
        segment_destroy(p, vec_pop(&p->segments));
    dbg_history.next_state = vec_last(&p->segments)->from + H.stride;
    dbg_history.past = false;
    dbg_ahead_forget();
    H.unchecked = true;
    dbg_focus.group->worker->muted = false;
}

void dbg_history_lost(void) { forget_the_future(H.groups.data[H.at]); }

void dbg_history_write(struct vm_gang *g, uint64_t address, const void *bytes, uint64_t size)
{
    if (dbg_history.off || !H.groups.len) return;
    struct dbg_past_group *p = H.groups.data[H.at];
    if (dbg_history.past) forget_the_future(p);
    save_object(p, g, address, size);
    save_item(p, vec_last(&p->segments), g, g->first_item);
    while (p->writes.len && vec_last(&p->writes).time > dbg_history.time)
        free(vec_pop(&p->writes).bytes);
    vec_push(&p->writes, ((struct dbg_by_hand){dbg_history.time, address, size, g->first_item,
                                               mem_dup(bytes, size)}));
    charge(p, (int64_t)(sizeof(struct dbg_by_hand) + size));
}

void dbg_history_put(struct str *out)
{
    if (!H.groups.len) {
        str_put(out, dbg_history.off
                         ? "This launch has no history: its work-groups wait for one another.\n"
                         : "No kernel is stopped: there is no history.\n");
        return;
    }
    size_t states = 0;
    for (size_t i = 0; i < H.groups.len; i++) states += H.groups.data[i]->segments.len;
    str_printf(out,
               "%zu work-group%s, %zu state%s to go back to, %llu bytes of at most %llu; time %llu "
               "of %llu%s\n",
               H.groups.len, H.groups.len == 1 ? "" : "s", states, states == 1 ? "" : "s",
               (unsigned long long)H.bytes, (unsigned long long)dbg_settings.history_limit,
               (unsigned long long)dbg_history.time,
               (unsigned long long)H.groups.data[H.at]->length,
               dbg_history.past ? ", in the past" : "");
    if (H.forgotten)
        str_printf(out, "%llu work-groups before them are no longer kept.\n",
                   (unsigned long long)H.forgotten);
}
