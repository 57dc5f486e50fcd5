// SPDX-License-Identifier: MIT
/*
 * Conflicts of commands (host-race), in the manner of FastTrack (Flanagan & Freund, PLDI 2009) on
 * byte ranges.
 *
 * Each root allocation has a log: disjoint segments of its bytes, each with the accesses that can
 * still conflict with a later command. A command is judged when it has run and everything enqueued
 * before it was judged: it is compared with the accesses of its segments; unordered (ordering.c)
 * conflicting accesses are reported. Then it is entered. An access x that is ordered before it is
 * removed if everything that conflicts with x conflicts with the new access, too: a later command
 * that is unordered with x is then also unordered with the new one, and is reported with that. A
 * command that the host had observed before the oldest unjudged command was enqueued is removed as
 * well. So the length of a log is the number of unordered commands. Commands are judged in the
 * order in which they were enqueued, so the order in which they run does not matter. Commands that
 * depend on user events, and the oldest of very many, do not delay the others.
 *
 * Transfers know their ranges; launches record the bytes that their work-items touched if other
 * commands may run concurrently. Any other launch is logged with all bytes of its arguments
 * (`may`): a command of a queue created later may conflict with it, which is reported as possible.
 *
 * Memory of the application may be used by several buffers (CL_MEM_USE_HOST_PTR) and by transfers:
 * all of it has one list of segments. Ranges are addresses. A program's variables have no address;
 * their ranges are offsets in a map of the program.
 *
 * A map is an access like others, except that maps do not conflict with maps. In addition, a
 * command that is enqueued while its bytes are mapped, and runs before the unmap, conflicts with
 * the accesses that the host may make there.
 */
#include "api/access_log.h"

#include "api/program.h"

#include "base/mem.h"
#include "devices/dev.h"

enum { MAX_DELAYED = 4096 }; // sets delayed by one older set
enum { MAX_RACING = 64 };    // reported accesses to one segment
enum { LONG = 16 };          // states with this many reads are tidied when they double

enum kind { MAP_READ = TOUCHES, MAP_WRITE, KINDS };
#define BIT(k) (1u << (k))
static const uint8_t conflicts[KINDS] = {
    [READ] = BIT(WRITE) | BIT(ATOMIC_WRITE) | BIT(MAP_WRITE),
    [WRITE] = BIT(KINDS) - 1,
    [ATOMIC_READ] = BIT(WRITE) | BIT(MAP_WRITE),
    [ATOMIC_WRITE] = BIT(READ) | BIT(WRITE) | BIT(MAP_READ) | BIT(MAP_WRITE),
    [MAP_READ] = BIT(WRITE) | BIT(ATOMIC_WRITE),
    [MAP_WRITE] = BIT(READ) | BIT(WRITE) | BIT(ATOMIC_READ) | BIT(ATOMIC_WRITE),
};

struct access {
    struct api_access_set *set; // referenced
    uint32_t use;
    uint8_t kind;
    bool may; // it may have used the bytes
};
struct state { // of segments
    unsigned refs, n, cap, tidy_at;
    unsigned kinds; // bits
    struct access at[];
};
struct segment {
    uint64_t from, to;
    struct state *state;
};
struct segments {
    VEC(struct segment) list;
}; // by ascending address
struct api_access_log {
    unsigned refs;
    bool is_shared; // accesses and maps are in `shared` and `shared_maps`
    uint64_t base, size;
    struct segments own;
    struct maps {
        VEC(struct region *) list;
    } own_maps;
    cl_device_id device;         // of a program's variables,
    struct api_access_log *next; // which have one for each device
};
static struct segments shared; // this and the following are guarded by the lock of the access sets
static struct maps shared_maps;
static struct {
    struct api_access_set *first, *last; // unjudged sets, in the order in which they were enqueued
    struct api_access_set *next;         // the oldest that delays others
    size_t delayed;                      // from there on
} pending;
struct pairs {
    VEC(struct pair) list;
};

// ---- states

static void state_put(struct state *s)
{
    if (!s || --s->refs) return;
    for (unsigned i = 0; i < s->n; i++) api_access_set_drop(s->at[i].set);
    free(s);
}

static struct state *state_get(struct state *s)
{
    s->refs++;
    return s;
}

static struct state *state_new(unsigned cap)
{
    struct state *s = mem_alloc(sizeof *s + cap * sizeof *s->at);
    s->refs = 1;
    s->cap = cap;
    s->tidy_at = LONG;
    return s;
}

static void state_add(struct state *s, struct access a)
{
    api_access_set_get(a.set);
    s->at[s->n++] = a;
    s->kinds |= BIT(a.kind);
}

/** Does everything that conflicts with x also conflict with y? */
static bool covers(const struct access *y, const struct access *x)
{
    return !(conflicts[x->kind] & ~conflicts[y->kind]) && (!y->may || x->may);
}

/** Did the host observe it before any unjudged set was enqueued? */
static bool is_stale(const struct api_access_set *a)
{
    return a->observed && (!pending.first || a->observed <= pending.first->enqueued);
}

static void note_pair(struct pairs *out, const struct access *x, const struct access *y)
{
    const bool swap = x->set->number > y->set->number;
    const struct access *a = swap ? y : x, *b = swap ? x : y;
    for (size_t i = out->list.len; i--;) {
        const struct pair *p = &out->list.data[i];
        if (p->a == a->set && p->b == b->set && p->use_a == a->use && p->use_b == b->use) return;
    }
    vec_push(&out->list, (struct pair){api_access_set_get(a->set), api_access_set_get(b->set),
                                       a->use, b->use, NULL});
    vec_last(&out->list).variable = api_conflict_variable(&vec_last(&out->list));
}

/** The state after the access. `sole`: the old state has no other user and is reused. */
static struct state *state_after(struct state *old, bool sole, const struct access *a,
                                 struct pairs *out)
{
    const unsigned n = old ? old->n : 0;
    if (sole && n >= LONG && n < old->tidy_at && n < old->cap &&
        !(old->kinds & conflicts[a->kind])) { // one more that reads
        state_add(old, *a);
        return state_get(old);
    }
    struct state *s = state_new(n < LONG ? n + 1 : 2 * n);
    bool is_new = true;
    for (unsigned i = 0; i < n; i++) {
        const struct access *x = &old->at[i];
        const bool same = x->set == a->set;
        const bool before = same || api_order_before(x->set, a->set),
                   behind = !before && api_order_before(a->set, x->set);
        const bool races = !before && !behind && conflicts[a->kind] & BIT(x->kind);
        if (races) note_pair(out, x, a);
        if ((before && covers(a, x) && !(same && covers(x, a))) || is_stale(x->set) ||
            (races && n - i > MAX_RACING))
            continue;
        if ((same || behind) && covers(x, a)) is_new = false;
        state_add(s, *x);
    }
    if (is_new) state_add(s, *a);
    s->tidy_at = s->n < LONG ? LONG : 2 * s->n;
    if (s->n) return s;
    state_put(s);
    return NULL;
}

// ---- segments

static size_t first_after(const struct segments *l, uint64_t at) // the first that ends after it
{
    size_t from = 0, to = l->list.len;
    while (from < to) {
        const size_t mid = (from + to) / 2;
        if (l->list.data[mid].to <= at) from = mid + 1;
        else to = mid;
    }
    return from;
}

static void append(struct segments *l, uint64_t from, uint64_t to,
                   struct state *s) // takes the reference
{
    struct segment *last = l->list.len ? &vec_last(&l->list) : NULL;
    if (!s || from == to) {
        state_put(s);
    } else if (last && last->to == from && last->state == s) {
        last->to = to;
        state_put(s);
    } else {
        vec_push(&l->list, (struct segment){from, to, s});
    }
}

/** Replaces n segments. */
static void splice(struct segments *l, size_t at, size_t n, const struct segments *by)
{
    const size_t rest = l->list.len - at - n;
    vec_reserve(&l->list, at + by->list.len + rest);
    if (rest)
        memmove(l->list.data + at + by->list.len, l->list.data + at + n,
                rest * sizeof *l->list.data);
    if (by->list.len) memcpy(l->list.data + at, by->list.data, by->list.len * sizeof *l->list.data);
    l->list.len = at + by->list.len + rest;
}

/** Memo of new states by old ones, so that segments that share a state share the new one, too. */
struct made {
    struct {
        struct state *old, *now;
    } at[8]; // referenced
    bool is_set[8];
};

static struct state *made_of(struct made *m, struct state *old, bool whole, const struct access *a,
                             struct pairs *out)
{
    const unsigned i = (unsigned)((uintptr_t)old >> 6) % 8;
    if (m->is_set[i] && m->at[i].old == old) return m->at[i].now ? state_get(m->at[i].now) : NULL;
    struct state *now = state_after(old, whole && old && old->refs == 1, a, out);
    if (now == old) return now;
    if (m->is_set[i]) state_put(m->at[i].old), state_put(m->at[i].now);
    m->is_set[i] = true;
    m->at[i].old = old ? state_get(old) : NULL;
    m->at[i].now = now ? state_get(now) : NULL;
    return now;
}

/** Copies the part of a segment from `at` to `end` unchanged. */
static void keep(struct segments *news, const struct segment *s, uint64_t at, uint64_t end)
{
    const uint64_t from = s->from > at ? s->from : at, to = s->to < end ? s->to : end;
    if (from < to) append(news, from, to, state_get(s->state));
}

/**
 * Enters an access to these ascending, disjoint ranges: one pass over the segments between the
 * first and the last.
 */
static void enter(struct segments *l, const struct range *r, size_t n, const struct access *a,
                  struct pairs *out)
{
    if (!n) return;
    struct made made = {0};
    struct segments news = {0};
    const size_t first = first_after(l, r[0].from);
    size_t i = first; // the segments before it are complete,
    uint64_t at = 0;  // and the bytes of this one up to here
    for (size_t k = 0; k < n; k++) {
        for (uint64_t from = r[k].from; from < r[k].to;) {
            for (; i < l->list.len && l->list.data[i].to <= from; i++)
                keep(&news, &l->list.data[i], at, UINT64_MAX);
            const struct segment *s = i < l->list.len ? &l->list.data[i] : NULL;
            if (s) keep(&news, s, at, from);
            if (at < from) at = from;
            uint64_t to = !s || s->from >= r[k].to ? r[k].to
                          : s->from > at           ? s->from
                          : s->to < r[k].to        ? s->to
                                                   : r[k].to;
            const bool is_free = !s || s->from >= to;
            append(&news, from, to,
                   made_of(&made, is_free ? NULL : s->state,
                           !is_free && from == s->from && to == s->to, a, out));
            from = at = to;
        }
    }
    if (i < l->list.len && l->list.data[i].from < at)
        keep(&news, &l->list.data[i++], at, UINT64_MAX);
    for (size_t k = first; k < i; k++) state_put(l->list.data[k].state);
    splice(l, first, i - first, &news);
    vec_free(&news.list);
    for (unsigned k = 0; k < 8; k++)
        if (made.is_set[k]) state_put(made.at[k].old), state_put(made.at[k].now);
}

static void segments_clear(struct segments *l)
{
    for (size_t i = 0; i < l->list.len; i++) state_put(l->list.data[i].state);
    vec_free(&l->list);
}

/** Forgets memory that was freed: another object may get it. */
static void forget_shared(const struct api_access_log *log)
{
    struct segments rest = {0};
    const size_t first = first_after(&shared, log->base);
    size_t i = first;
    for (; i < shared.list.len && shared.list.data[i].from < log->base + log->size; i++) {
        const struct segment *s = &shared.list.data[i];
        struct state *left = state_new(s->state->n);
        for (unsigned k = 0; k < s->state->n; k++)
            if (s->state->at[k].set->uses.data[s->state->at[k].use].log != log)
                state_add(left, s->state->at[k]);
        if (!left->n) state_put(left), left = NULL;
        append(&rest, s->from, s->to, left);
        state_put(s->state);
    }
    splice(&shared, first, i - first, &rest);
    vec_free(&rest.list);
}

// ---- logs

// May other buffers, or transfers, use the same memory? They may if it belongs to the application
// or to clSVMAlloc.
static bool is_shared(const struct use *u)
{
    return !u->program && (!u->root || u->root->flags & CL_MEM_USE_HOST_PTR || u->root->address);
}

struct api_access_log *api_access_log_of(const struct use *u)
{
    static struct api_access_log *host;
    struct api_access_log **l = u->root      ? &u->root->access_log
                                : u->program ? &u->program->access_log
                                             : &host;
    while (*l && (*l)->device != u->device) l = &(*l)->next;
    if (*l) return *l;
    *l = mem_alloc(sizeof **l);
    **l = (struct api_access_log){.refs = 1,
                                  .is_shared = is_shared(u),
                                  .base = u->root ? u->base : 0,
                                  .size = u->root ? u->size : 0,
                                  .device = u->device};
    return *l;
}

static struct maps *maps_of(struct api_access_log *l)
{
    return l->is_shared ? &shared_maps : &l->own_maps;
}

void api_access_log_put(struct api_access_log *l)
{
    if (!l || --l->refs) return;
    struct maps *m = maps_of(l);
    for (size_t i = m->list.len; i--;) {
        if (m->list.data[i]->log != l) continue;
        api_region_put(m->list.data[i]);
        m->list.data[i] = vec_last(&m->list);
        m->list.len--;
    }
    if (!l->is_shared) vec_free(&m->list);
    if (l->is_shared) forget_shared(l);
    segments_clear(&l->own);
    free(l);
}

// ---- maps

void api_region_put(struct region *r)
{
    if (!r || --r->refs) return;
    api_access_set_drop(r->map);
    free(r);
}

void api_access_log_add_map(struct api_access_log *l, struct region *r)
{
    r->log = l;
    vec_push(&maps_of(l)->list, r);
}

struct region *api_access_log_take_map(struct api_access_log *l, uint64_t from)
{
    struct maps *m = maps_of(l);
    for (size_t i = m->list.len; i--;) {
        struct region *r = m->list.data[i];
        if (r->from != from || r->log != l) continue;
        m->list.data[i] = vec_last(&m->list);
        m->list.len--;
        return r;
    }
    return NULL;
}

/** Finds the current maps of bytes that the command may use. */
static void note_maps(struct api_access_set *a, const struct use *u)
{
    const struct maps *m = maps_of(u->log);
    for (size_t i = 0; i < m->list.len; i++) {
        struct region *r = m->list.data[i];
        if (!r->map->chain || !api_order_before(r->map, a) || !(r->writes || u->how & API_WRITES) ||
            r->from >= u->may.to || u->may.from >= r->to)
            continue;
        r->refs++;
        vec_push(&a->mapped, r);
    }
}

// ---- judging

static int by_from(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/** Sorts the ranges and makes them disjoint. */
static void normalize(struct use *u)
{
    for (unsigned t = 0; t < TOUCHES; t++) {
        size_t n = 0;
        struct range *const r = u->by[t].data;
        for (size_t i = 1; i < u->by[t].len && !n; i++) n = r[i - 1].to >= r[i].from;
        if (!n) continue;
        qsort(r, u->by[t].len, sizeof *r, by_from);
        n = 0;
        for (size_t i = 1; i < u->by[t].len; i++) {
            if (r[i].from > r[n].to) r[++n] = r[i];
            else if (r[i].to > r[n].to) r[n].to = r[i].to;
        }
        u->by[t].len = n + 1;
    }
}

void api_access_log_enqueue(struct api_access_set *a)
{
    for (size_t k = 0; k < a->uses.len; k++) {
        struct use *u = &a->uses.data[k];
        normalize(u);
        u->log = api_access_log_of(u);
        u->log->refs++;
        if (!a->is_map && u->root) note_maps(a, u);
    }
    api_access_set_get(a);
    a->pending = true;
    a->prev = pending.last;
    if (pending.last) pending.last->next = a;
    else pending.first = a;
    pending.last = a;
    if (!pending.next) pending.next = a;
}

static void judge_use(struct api_access_set *a, uint32_t k, struct pairs *out)
{
    struct use *u = &a->uses.data[k];
    struct segments *l = u->log->is_shared ? &shared : &u->log->own;
    struct access x = {.set = a, .use = k};
    if (!u->known) {
        x.may = true;
        x.kind = u->how & API_WRITES ? WRITE : READ;
        enter(l, &u->may, u->how && u->may.from < u->may.to, &x, out);
        return;
    }
    static const enum touch order[] = {WRITE, ATOMIC_WRITE, READ, ATOMIC_READ};
    for (unsigned i = 0; i < TOUCHES; i++) {
        x.kind = !a->is_map ? (uint8_t)order[i] : order[i] == WRITE ? MAP_WRITE : MAP_READ;
        enter(l, u->by[order[i]].data, u->by[order[i]].len, &x, out);
    }
}

/** Removes the set from the list, after judging it if it ran. */
static void judge(struct api_access_set *a, struct pairs *out)
{
    for (size_t k = 0; k < a->uses.len; k++) {
        if (a->done) judge_use(a, (uint32_t)k, out);
        api_access_log_put(a->uses.data[k].log);
    }
    a->pending = false;
    if (pending.next == a) pending.next = a->next;
    if (a->prev) a->prev->next = a->next;
    else pending.first = a->next;
    if (a->next) a->next->prev = a->prev;
    else pending.last = a->prev;
    a->prev = a->next = NULL;
    api_access_set_drop(a);
}

static bool uses_log(const struct api_access_set *a, const struct api_access_log *l)
{
    for (size_t k = 0; k < a->uses.len; k++)
        if (a->uses.data[k].log == l) return true;
    return false;
}

/** Judges delayed sets whose commands have run: all, or those that use a log. */
static void judge_delayed(const struct api_access_log *l, struct pairs *out)
{
    for (struct api_access_set *a = pending.next, *next; a && pending.delayed; a = next) {
        next = a->next;
        if (!(a->done || a->canceled) || (l && !uses_log(a, l))) continue;
        pending.delayed--;
        judge(a, out);
    }
}

/** The command has run, or will not run. Judges the sets that no older set delays any more. */
static void settle(struct api_access_set *a, struct pairs *out)
{
    if (a->passed) {
        judge_delayed(NULL, out); // later ones may be ordered before it
        judge(a, out);
        return;
    }
    pending.delayed++;
    for (struct api_access_set *x; (x = pending.next);) {
        if (x->done || x->canceled) {
            pending.delayed--;
            judge(x, out);
        } else if (x->gated || pending.delayed > MAX_DELAYED) {
            x->passed = true;
            pending.next = x->next;
        } else {
            break;
        }
    }
}

static void report(struct pairs *all)
{
    for (size_t i = 0; i < all->list.len; i++) {
        const struct pair *p = &all->list.data[i];
        api_conflict_report(p);
        free(p->variable);
        api_access_lock();
        api_access_set_drop(p->a);
        api_access_set_drop(p->b);
        api_access_unlock();
    }
    vec_free(&all->list);
}

void api_access_log_settle(struct api_access_set *a, bool ran)
{
    struct pairs found = {0};
    api_access_lock();
    if (a->pending) {
        a->done = ran;
        a->canceled = !ran;
        settle(a, &found);
    }
    api_access_unlock();
    report(&found);
}

void api_access_close(void)
{
    struct pairs found = {0};
    api_access_lock();
    judge_delayed(NULL, &found);
    api_access_unlock();
    report(&found);
}

void api_access_log_close(struct api_access_log *l)
{
    struct pairs found = {0};
    if (!l) return;
    api_access_lock();
    for (struct api_access_log *next; l; l = next) {
        next = l->next;
        if (l->refs > 1) judge_delayed(l, &found);
        api_access_log_put(l);
    }
    api_access_unlock();
    report(&found);
}
