// SPDX-License-Identifier: MIT
// Order and races. Each work-item has a clock for global and one for local memory: how much of
// every other one's past is known to have happened. A barrier joins the clocks of its flags' spaces
// over the group; acquire and release do so through what an atomic location carries. A second pair
// of clocks takes every fence and every atomic for more than the specification promises: what only
// those order is "possible". Every byte keeps every access.
#include "walker.h"

#include <stdlib.h>
#include <string.h>

struct racy {
    struct racy *next;
    const struct insn *a, *b;
    uint32_t interval; // of the two, or UINT32_MAX where they are of different groups
    uint8_t kind;      // 0 data, 1 fence, 2 hoped for
    bool plain_writes, same, own, first_write, late;
};
struct location {
    struct location *next;
    uint64_t off;
    struct head *heads[2]; // by promise
    uint32_t writer;
};

static unsigned space_of(const struct object *o)
{
    return o->space == LOCAL ? 1 : o->image ? 2 : 0;
}
/** Do a fence's or a barrier's flags name that memory? */
static bool covers(unsigned flags, unsigned space)
{
    return flags & (space == 1 ? 1 : space == 2 ? 4 : 2);
}
static uint32_t *clock_new(const uint32_t *from)
{
    uint32_t *v = malloc(L.nclock * sizeof *v);
    if (from) memcpy(v, from, L.nclock * sizeof *v);
    else memset(v, 0, L.nclock * sizeof *v);
    return v;
}
static void join(uint32_t *to, const uint32_t *from)
{
    for (uint32_t i = 0; from && i < L.nclock; i++)
        if (from[i] > to[i]) to[i] = from[i];
}
static unsigned modes(void) { return L.ordered ? 2 : 1; }
/** A work-item's place in clocks. */
static uint32_t place(const struct item *w)
{
    return L.ordered ? w->number : w->number % L.group_items;
}
static void tick(struct item *w)
{
    w->epoch++;
    for (unsigned m = 0; m < modes(); m++)
        for (int s = 0; s < SPACES; s++) w->now.v[m][s][place(w)] = w->epoch;
}

void clocks_start(struct item *w)
{
    for (unsigned m = 0; m < modes(); m++)
        for (int s = 0; s < SPACES; s++) w->now.v[m][s] = clock_new(NULL);
    tick(w);
}

// ---- accesses

static bool ordered(const struct item *w, unsigned mode, unsigned space, uint32_t group,
                    uint32_t who, uint32_t epoch)
{
    if (!L.ordered && group != w->group->number) return false;
    return w->now.v[mode][space][who] >= epoch;
}

static void raced(struct object *o, uint64_t at, struct racy r)
{
    r.late = L.parted;
    if (!o->races) o->races = calloc(o->size + 1, sizeof *o->races);
    for (struct racy *x = o->races[at]; x; x = x->next) {
        if (x->a != r.a || x->b != r.b || x->interval != r.interval || x->kind != r.kind ||
            x->first_write != r.first_write || x->plain_writes != r.plain_writes)
            continue;
        x->same &= r.same;
        x->own &= r.own;
        x->late &= r.late;
        return;
    }
    struct racy *x = malloc(sizeof *x);
    *x = r;
    x->next = o->races[at];
    o->races[at] = x;
    o->raced = true;
}

/** Do the two store the same: the same scalar, or bytes of different ones. */
static bool same_value(const struct access *x, const struct access *y)
{
    return x->at == y->at && x->size == y->size ? x->whole == y->whole : x->value == y->value;
}

/** The access to byte i of `size`. */
static struct access byte_of(const struct insn *in, const struct object *o, uint64_t off,
                             uint64_t size, uint64_t i, unsigned flags)
{
    struct access a = {.in = in,
                       .flags = (uint8_t)flags,
                       .value = o->bytes[off + i],
                       .at = (uint8_t)(size > 8 ? 0 : i),
                       .size = (uint8_t)(size > 8 ? 1 : size)};
    memcpy(&a.whole, o->bytes + off + (size > 8 ? i : 0), a.size);
    return a;
}

/** Did `who` write this value here itself, in its present interval? */
static bool wrote(const struct access *list, uint32_t who, uint32_t barriers,
                  const struct access *value)
{
    for (; list; list = list->next)
        if (list->who == who && list->barriers == barriers && (list->flags & WRITE) &&
            same_value(list, value))
            return true;
    return false;
}

static uint32_t group_of(const struct object *o, uint32_t who)
{
    return o->space == LOCAL ? o->group : who / L.group_items;
}

/** Is one of the two out of the scope of the other's atomic? */
static bool leaves_out(const struct access *x, const struct access *y, bool same_group)
{
    const unsigned scopes = x->flags | y->flags;
    if (!same_group) return scopes & (OF_GROUP | OF_SUB_GROUP | OF_ITEM);
    return scopes & OF_ITEM || (scopes & OF_SUB_GROUP && x->who % L.group_items / L.sub_group !=
                                                             y->who % L.group_items / L.sub_group);
}

static void byte_accessed(const struct item *w, const struct insn *in, struct object *o,
                          uint64_t at, struct access a, bool by_copy)
{
    const unsigned space = space_of(o);
    for (struct access *x = o->log[at]; x; x = x->next) {
        if (x->who == a.who || !((x->flags | a.flags) & WRITE)) continue;
        const bool atomics = x->flags & a.flags & ATOMIC;
        const uint32_t group = x->who >= L.nitems ? (x->who - L.nitems) / 64 : group_of(o, x->who);
        const bool same_group = group == w->group->number;
        if (atomics && !leaves_out(x, &a, same_group)) continue;
        const uint32_t where = L.ordered            ? x->who
                               : x->who >= L.nitems ? (x->who - L.nitems) % 64 + L.group_items
                                                    : x->who % L.group_items;
        if (ordered(w, 0, space, group, where, x->epoch)) continue;
        struct racy r = {.a = x->in, .b = in, .interval = same_group ? a.barriers : UINT32_MAX};
        r.kind = same_group && x->barriers != a.barriers && x->who < L.nitems
                     ? 1
                     : 0; // a copy does not heed barriers
        if (L.ordered && ordered(w, 1, space, group, where, x->epoch)) r.kind = 2;
        if (r.kind == 2 && atomics) continue; // hoped for is enough
        r.first_write = x->flags & WRITE;
        r.plain_writes = (x->flags & WRITE) && (a.flags & WRITE) &&
                         !((x->flags | a.flags) & ATOMIC) && !by_copy && x->who < L.nitems;
        r.same = r.plain_writes && same_value(x, &a);
        const bool plain =
            !((x->flags | a.flags) &
              ATOMIC); // an atomic update beside a read is not a store of an equal value
        if (plain && (x->flags & WRITE) && !(a.flags & WRITE))
            r.own = wrote(o->log[at], a.who, a.barriers, x);
        if (plain && !(x->flags & WRITE)) r.own = wrote(x->next, x->who, x->barriers, &a);
        raced(o, at, r);
    }
    for (struct access *x = o->log[at]; x; x = x->next)
        if (x->who == a.who && x->epoch == a.epoch && x->in == in && x->flags == a.flags &&
            x->whole == a.whole && x->value == a.value && x->barriers == a.barriers)
            return;
    struct access *x = malloc(sizeof *x);
    *x = a;
    x->next = o->log[at];
    o->log[at] = x;
}

void accessed(struct item *w, const struct insn *in, struct object *o, uint64_t off, uint64_t size,
              unsigned flags)
{
    if ((o->space != GLOBAL && o->space != LOCAL) || o->constant) return;
    if (!o->log) o->log = calloc(o->size + 1, sizeof *o->log);
    for (uint64_t i = 0; i < size; i++) {
        struct access a = byte_of(in, o, off, size, i, flags);
        a.who = w->number;
        a.epoch = w->epoch;
        a.barriers = w->barriers;
        byte_accessed(w, in, o, off + i, a, false);
    }
}

// ---- async copies: each is one who does not follow the work-items' barriers

void copy_issued(struct item *w, struct copy *c)
{
    for (int k = 0; k < SPACES * (int)modes(); k++) {
        uint32_t **start = &c->start.v[k / SPACES][k % SPACES],
                 *now = w->now.v[k / SPACES][k % SPACES];
        if (!*start) *start = clock_new(now);
        for (uint32_t i = 0; i < L.nclock; i++)
            if (now[i] < (*start)[i]) (*start)[i] = now[i];
    }
}

void accessed_by_copy(struct group *g, struct copy *c, struct object *o, uint64_t off,
                      uint64_t size, unsigned flags)
{
    if (o->space != GLOBAL && o->space != LOCAL) return;
    if (!o->log) o->log = calloc(o->size + 1, sizeof *o->log);
    const uint32_t number = g->number * 64 + (uint32_t)(c - g->copies); // at most 64 a group
    struct item as = {.group = g,
                      .number = L.nitems + number,
                      .epoch = 1,
                      .now = c->start,
                      .barriers = g->items[0].barriers};
    for (uint64_t i = 0; i < size; i++) {
        struct access a = byte_of(c->in, o, off, size, i, flags);
        a.who = as.number;
        a.epoch = 1;
        a.barriers = as.barriers;
        byte_accessed(&as, c->in, o, off + i, a, true);
    }
}

void copy_waited(struct item *w, const struct copy *c)
{
    const uint32_t at = (uint32_t)(c - w->group->copies) +
                        (L.ordered ? L.nitems + 64 * w->group->number : L.group_items);
    for (unsigned m = 0; m < modes(); m++)
        for (int s = 0; s < SPACES; s++) w->now.v[m][s][at] = 1;
}

// ---- synchronization

static bool reaches(const struct head *h, const struct item *w, bool device)
{
    return h->group == w->group->number || (h->device && device);
}

static struct head *head_for(struct head **list, uint32_t group, bool device)
{
    for (struct head *h = *list; h; h = h->next)
        if (h->group == group && h->device == device) return h;
    struct head *h = calloc(1, sizeof *h);
    *h = (struct head){.next = *list, .group = group, .device = device};
    return *list = h;
}

static void head_join(struct head *h, int space, const uint32_t *v)
{
    if (!v) return;
    if (!h->v[space]) h->v[space] = clock_new(v);
    else join(h->v[space], v);
}

static void heads_free(struct head **list)
{
    for (struct head *h = *list, *next; h; h = next) {
        next = h->next;
        for (int s = 0; s < SPACES; s++) free(h->v[s]);
        free(h);
    }
    *list = NULL;
}

static void release_to(struct head **list, const struct item *w, unsigned mode, unsigned flags,
                       bool device)
{
    struct head *h = head_for(list, w->group->number,
                              device); // beside those of earlier fences, of another scope or memory
    for (unsigned s = 0; s < SPACES; s++)
        if (covers(flags, s)) head_join(h, (int)s, w->now.v[mode][s]);
}

/** Atomics of OpenCL 1.x hope that a fence or barrier is of the device. */
static void release(struct item *w, unsigned mode, unsigned flags, bool device)
{
    release_to(&w->fenced[mode], w, mode, flags, device);
    if (mode) release_to(&w->hoped, w, mode, flags, true);
}

static void acquire(struct item *w, unsigned mode, unsigned flags, bool device)
{
    for (struct head *h = w->read[mode]; h; h = h->next) {
        if (!reaches(h, w, device)) continue;
        for (unsigned s = 0; s < SPACES; s++)
            if (covers(flags, s)) join(w->now.v[mode][s], h->v[s]);
    }
    for (struct head *h = mode || (flags & 3) != 3 ? NULL : w->beyond; h; h = h->next)
        for (unsigned s = 0; reaches(h, w, device) && s < SPACES; s++)
            join(w->now.v[mode][s], h->v[s]);
}

enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3, ACQ_REL = 4, SEQ_CST = 5 };
static bool acquires(int order)
{
    return order == ACQUIRE || order == ACQ_REL || order == SEQ_CST || order == 1;
}
static bool releases(int order) { return order >= RELEASE; }

/**
 * By promise an atomic orders the memory that it is in; of the other one only pairs of seq_cst, and
 * fences of both, say something.
 */
static bool is_beyond(const struct object *o, unsigned mode, int order, int space)
{
    return !mode && order != SEQ_CST && (o->space == LOCAL) != (space == 1);
}

static void fence_of(struct item *w, unsigned mode, unsigned flags, int order, bool device)
{
    if (acquires(order)) acquire(w, mode, flags, device);
    if (releases(order)) release(w, mode, flags, device);
}

/** promised: by the specification; else only hoped for, as of mem_fence. */
void fence(struct item *w, unsigned flags, int order, bool device, bool promised)
{
    if (flags & (2 | 4)) w->image_fences++;
    if (!L.ordered) return;
    if (promised) fence_of(w, 0, flags, order, device);
    fence_of(w, 1, flags, order, device);
    tick(w);
}

/**
 * The work-items of the group from first to end have all come, and know of one another; the rule
 * for fences do, too.
 */
static void meet(struct group *g, uint32_t first, uint32_t end, unsigned flags, bool device)
{
    for (uint32_t i = first; L.ordered && i < end; i++) {
        for (unsigned m = 0; m < 2; m++) fence_of(&g->items[i], m, flags, ACQ_REL, device);
        tick(&g->items[i]);
    }
    for (unsigned m = 0; m < modes(); m++)
        for (int s = 0; s < SPACES; s++) {
            if (!covers(flags, (unsigned)s)) continue;
            uint32_t *all = clock_new(NULL);
            for (uint32_t i = first; i < end; i++) join(all, g->items[i].now.v[m][s]);
            for (uint32_t i = first; i < end; i++)
                memcpy(g->items[i].now.v[m][s], all, L.nclock * sizeof *all);
            free(all);
        }
    // what one gave others through the barrier, they pass on
    for (uint32_t i = first; L.ordered && i < end; i++) {
        tick(&g->items[i]);
        for (unsigned m = 0; m < 2; m++) release(&g->items[i], m, flags, device);
    }
}

void clocks_sub_barrier(struct group *g, uint32_t first, uint32_t end, unsigned flags, bool device)
{
    meet(g, first, end, flags, device);
    for (uint32_t i = first; i < end; i++) tick(&g->items[i]);
}

void clocks_barrier(struct group *g, unsigned flags, bool device)
{
    for (uint32_t i = 0; i < g->nitems && flags & (2 | 4); i++) g->items[i].image_fences++;
    meet(g, 0, g->nitems, flags, device);
    for (uint32_t i = 0; i < g->nitems; i++) {
        g->items[i].barriers++;
        tick(&g->items[i]);
    }
}

static struct location *location(struct object *o, uint64_t off)
{
    for (struct location *l = o->locations; l; l = l->next)
        if (l->off == off) return l;
    struct location *l = calloc(1, sizeof *l);
    l->off = off;
    l->next = o->locations;
    return o->locations = l;
}

void atomic_read(struct item *w, struct object *o, uint64_t off, int order, bool device)
{
    if (!L.ordered) return;
    struct location *l = location(o, off);
    for (unsigned mode = 0; mode < 2; mode++)
        for (struct head *h = l->heads[mode]; h; h = h->next) {
            if (!reaches(h, w, device)) continue;
            for (int s = 0; s < SPACES; s++) {
                const bool beyond = is_beyond(o, mode, order, s);
                if (!beyond && (acquires(order) || (mode && order == OF_OPENCL_1)))
                    join(w->now.v[mode][s], h->v[s]);
                head_join(head_for(beyond ? &w->beyond : &w->read[mode], h->group, h->device), s,
                          h->v[s]);
            }
        }
}

void atomic_wrote(struct item *w, struct object *o, uint64_t off, int order, bool device, bool rmw)
{
    if (!L.ordered) return;
    struct location *l = location(o, off);
    for (unsigned mode = 0; mode < 2; mode++) {
        if (!rmw) heads_free(&l->heads[mode]);
        for (struct head *f = mode && order == OF_OPENCL_1 ? w->hoped : w->fenced[mode]; f;
             f = f->next) {
            struct head *h = head_for(&l->heads[mode], f->group, f->device && device);
            for (int s = 0; s < SPACES; s++) head_join(h, s, f->v[s]);
        }
        for (int s = 0; releases(order) && s < SPACES; s++)
            if (!is_beyond(o, mode, order, s))
                head_join(head_for(&l->heads[mode], w->group->number, device), s,
                          w->now.v[mode][s]);
    }
    tick(w);
}

// ---- verdicts, byte by byte

void races_of(struct object *o)
{
    for (uint64_t at = 0; o->races && at < o->size; at++) {
        struct racy *list = o->races[at];
        if (!list) continue;
        unsigned n = 0;
        for (struct racy *r = list; r; r = r->next) n++;
        struct pair *pairs = calloc(n, sizeof *pairs), *p = pairs;
        for (struct racy *r = list; r; r = r->next, p++) {
            bool same = true; // every plain pair of writes here is of equal values, and readers
                              // wrote them too
            for (struct racy *x = list; x; x = x->next)
                if (x->kind == 0 && x->interval == r->interval)
                    same &= x->plain_writes ? x->same : x->own;
            *p = (struct pair){r->a, r->b,
                               r->kind == 1   ? "missing-fence"
                               : r->kind == 2 ? "possible"
                               : same         ? "same-value-race"
                                              : "data-race",
                               r->kind == 1 && !r->first_write, r->late};
        }
        racing(o, at, pairs, n);
        free(pairs);
    }
    for (uint64_t at = 0; o->log && at < o->size; at++)
        for (struct access *x = o->log[at], *next; x; x = next) {
            next = x->next;
            free(x);
        }
    free(o->log);
    o->log = NULL;
}
