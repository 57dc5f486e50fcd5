// SPDX-License-Identifier: MIT
/*
 * Happens-before through barriers, atomics and fences.
 *
 * A clock says of each group how many barriers of it are known to be passed, and of each work-item how
 * many of its releases: a map that is empty for most of a launch (tree.c). An access is known when one
 * of the two is beyond it. So a group's barrier costs one number, however many work-items it has, and a
 * work-item has a clock of its own only from its first acquire or fence on.
 *
 * By the memory model of OpenCL 2.0: a release (an atomic's own, or a fence before it) puts the clock
 * into the location; an acquire (an atomic's own, or a fence behind it) takes it out. Scopes must include
 * one another: a location has one channel for all, and one for each group. Stores begin a new release
 * sequence, read-modify-writes go on with the old one.
 *
 * Two kinds of order are kept. The strict one is the model's. The customary one has also what OpenCL 1.x
 * code takes for granted: mem_fence (or a barrier) and an atomic_… behind it release to the whole device,
 * and an atomic_… whose result is looked at acquires. What only custom orders is told as such.
 * Local and global memory have clocks of their own, since fences and barriers name what they order; an
 * atomic's own order is taken to hold for both.
 */
#include "race/order.h"

#include "bytecode/bytecode.h"

#define EACH(k, s)                                                                                                     \
    for (int k = 0; k < O_KINDS; k++)                                                                                  \
        for (int s = 0; s < O_SPACES; s++)

static bool fences_space(unsigned fences, int space) { return fences & (space == O_LOCAL ? BC_FENCE_LOCAL : BC_FENCE_GLOBAL); }

static void set(struct tree **at, struct tree *t)
{
    tree_unref(*at);
    *at = t;
}

static void join(const struct order *o, struct tree **at, struct tree *t) { set(at, tree_join(*at, t, o->levels)); }

// All four of a clock; what was equal, and is joined with equals, stays one tree.
static void join_all(const struct order *o, order_clock at, const order_clock t)
{
    enum { N = O_KINDS * O_SPACES };
    struct tree **to = &at[0][0], *const *more = &t[0][0], *was[N];
    memcpy(was, to, sizeof was);
    for (int i = 0, k; i < N; i++) {
        for (k = 0; was[k] != was[i] || more[k] != more[i];) k++;
        to[i] = k < i ? tree_ref(to[k]) : tree_join(was[i], more[i], o->levels);
    }
    for (int i = 0; i < N; i++) tree_unref(was[i]);
}

static void clear(order_clock c)
{
    EACH(k, s) set(&c[k][s], NULL);
}

void order_init(struct order *o, uint64_t ngroups, uint32_t group_items)
{
    const uint64_t leaves = ngroups * (group_items + 1ull) / TREE_LEAF;
    *o = (struct order){.group_items = group_items, .levels = 1};
    while (o->levels < 31 && leaves >> 2 * o->levels) o->levels++;
}

void order_deinit(struct order *o)
{
    for (size_t i = 0; i < o->list.len; i++) map_deinit(&o->list.data[i].reach);
    for (size_t i = 0; i < o->channels.len; i++) clear(o->channels.data[i].clock);
    vec_free(&o->list);
    vec_free(&o->channels);
    map_deinit(&o->vars);
}

static void forget(struct order_group *g)
{
    clear(g->base);
    for (int r = 0; r < O_REACHES; r++) clear(g->rel[r]);
    for (size_t i = 0; i < g->active.len; i++) {
        struct order_actor **at = &g->actors[g->active.data[i]], *a = *at;
        clear(a->now);
        for (int r = 0; r < O_REACHES; r++) clear(a->rel[r]), clear(a->pend[r]);
        for (unsigned k = 0; k < ORDER_TAKEN; k++)
            for (int s = 0; s < O_SPACES; s++) tree_unref(a->taken[k].clock[s]);
        free(a);
        *at = NULL;
    }
    vec_clear(&g->active);
}

void order_group_begin(struct order *o, struct order_group *g, uint64_t group)
{
    if (!g->actors) {
        g->actors = mem_alloc(o->group_items * sizeof(struct order_actor *));
        g->releases = mem_alloc(o->group_items * sizeof *g->releases);
        g->touched = mem_alloc(o->group_items);
    }
    forget(g);
    memset(g->touched, 0, o->group_items);
    memset(g->releases, 0, o->group_items * sizeof *g->releases);
    g->group = group;
    g->barriers = g->fenced[0] = g->fenced[1] = 0;
}

void order_group_deinit(struct order_group *g)
{
    forget(g);
    free(g->actors);
    free(g->releases);
    free(g->touched);
    vec_free(&g->active);
}

static uint64_t group_key(const struct order *o, uint64_t group) { return group * (o->group_items + 1ull); }

static struct order_actor *actor(struct order_group *g, uint32_t item)
{
    struct order_actor *a = g->actors[item];
    if (a) return a;
    g->actors[item] = a = mem_alloc(sizeof *a);
    a->item = item;
    EACH(k, s) a->now[k][s] = tree_ref(g->base[k][s]);
    vec_push(&g->active, item);
    return a;
}

static bool reaches(unsigned scope, int reach) { return scope >= (reach == O_DEVICE ? BC_SCOPE_DEVICE : BC_SCOPE_SUB_GROUP); }

/** A fence takes what the atomics before it have read: by the model within its scope, by custom from all. */
static void acquire_pending(struct order *o, struct order_actor *a, unsigned fences, unsigned scope, bool legacy)
{
    for (int r = 0; r < O_REACHES; r++)
        EACH(k, s)
            if (fences_space(fences, s) && (legacy ? k == O_CUSTOM : reaches(scope, r)))
                join(o, &a->now[k][s], a->pend[r][k][s]);
}

void order_barrier(struct order *o, struct order_group *g, unsigned fences, unsigned scope)
{
    g->barriers++;
    for (size_t i = 0; i < g->active.len; i++) {
        struct order_actor *a = g->actors[g->active.data[i]];
        acquire_pending(o, a, fences, scope, false);
        acquire_pending(o, a, fences, scope, true);
    }
    for (int s = 0; s < O_SPACES; s++) {
        if (!fences_space(fences, s)) continue;
        g->fenced[s] = g->barriers;
        for (int k = 0; k < O_KINDS; k++) {
            struct tree **base = &g->base[k][s];
            for (size_t i = 0; i < g->active.len; i++) join(o, base, g->actors[g->active.data[i]]->now[k][s]);
            set(base, tree_raise(*base, o->levels, group_key(o, g->group), g->barriers));
            for (size_t i = 0; i < g->active.len; i++)
                set(&g->actors[g->active.data[i]]->now[k][s], tree_ref(*base));
            for (int r = 0; r < O_REACHES; r++)
                if (k == O_CUSTOM || reaches(scope, r)) set(&g->rel[r][k][s], tree_ref(*base));
        }
    }
}

// What the work-item lets others know by a release now. Its own number is of those releases that had accesses before
// them: without any, what others know of it is true as it is.
static void publish(struct order *o, struct order_group *g, uint32_t item, order_clock out)
{
    const uint64_t key = group_key(o, g->group) + 1 + item;
    struct tree *(*now)[O_SPACES] = g->actors[item] ? g->actors[item]->now : g->base;
    g->releases[item] += g->touched[item];
    g->touched[item] = 0;
    EACH(k, s) out[k][s] = (k || s) && now[k][s] == now[0][0] ? tree_ref(out[0][0]) : tree_raise(now[k][s], o->levels, key, g->releases[item]);
}

static bool acquires(unsigned order) { return order == BC_ACQUIRE || order == BC_ACQ_REL || order == BC_SEQ_CST; }
static bool releases(unsigned order) { return order == BC_RELEASE || order == BC_ACQ_REL || order == BC_SEQ_CST; }

void order_fence(struct order *o, struct order_group *g, uint32_t item, const struct race_fence_op *f)
{
    struct order_actor *a = actor(g, item);
    if (acquires(f->order)) acquire_pending(o, a, f->fences, f->scope, f->legacy);
    if (!releases(f->order)) return;
    order_clock now;
    publish(o, g, item, now);
    for (int r = 0; r < O_REACHES; r++)
        EACH(k, s) {
            if (!fences_space(f->fences, s)) continue;
            if (f->legacy ? k == O_CUSTOM : reaches(f->scope, r)) set(&a->rel[r][k][s], tree_ref(now[k][s]));
        }
    clear(now);
}

static struct order_var *var_of(struct order *o, uint64_t var, bool make)
{
    bool is_new = false;
    uint64_t *at = make ? map_put(&o->vars, var, &is_new) : map_get(&o->vars, var);
    if (is_new) {
        *at = o->list.len;
        (void)vec_add(&o->list);
    }
    return at ? &o->list.data[*at] : NULL;
}

static bool is_empty(const order_clock c)
{
    bool any = false;
    EACH(k, s) any |= c[k][s] != NULL;
    return !any;
}

static struct order_channel *channel(struct order *o, struct order_var *v, uint64_t group1, bool make)
{
    uint64_t *at = make ? NULL : map_get(&v->reach, group1);
    if (!make && !at) return NULL;
    if (make) {
        bool is_new;
        at = map_put(&v->reach, group1, &is_new);
        if (is_new) {
            *at = o->channels.len;
            vec_add(&o->channels)->version = v->version;
        }
    }
    struct order_channel *c = &o->channels.data[*at];
    if (c->version != v->version) clear(c->clock);
    c->version = v->version;
    return c;
}

static void take(struct order_actor *a, uint64_t var, const struct race_atomic_op *op, struct order_channel *c)
{
    if (!c->clock[O_CUSTOM][O_GLOBAL] && !c->clock[O_CUSTOM][O_LOCAL]) return;
    unsigned k = 0;
    while (k < ORDER_TAKEN && k < a->ntaken && a->taken[k].var != var) k++;
    struct order_taken *t = &a->taken[k < ORDER_TAKEN && k < a->ntaken ? k : a->ntaken++ % ORDER_TAKEN];
    t->var = var;
    t->offset = op->offset;
    t->site = op->site;
    t->object = op->object;
    for (int s = 0; s < O_SPACES; s++) set(&t->clock[s], tree_ref(c->clock[O_CUSTOM][s]));
}

void order_acquire(struct order *o, struct order_group *g, uint64_t var, const struct race_atomic_op *op)
{
    if (!op->reads || op->scope == BC_SCOPE_ITEM) return;
    struct order_var *v = var_of(o, var, false);
    struct order_actor *a = NULL;
    const struct order_channel *had = NULL;
    if (!v) return;
    for (int r = 0; r < O_REACHES; r++) {
        if (!reaches(op->scope, r)) continue;
        struct order_channel *c = channel(o, v, r == O_DEVICE ? 0 : g->group + 1, false);
        if (!c || is_empty(c->clock)) continue;
        if (!a) a = actor(g, op->item);
        take(a, var, op, c);
        if (!acquires(op->order))
            EACH(k, s) join(o, k == O_CUSTOM && op->order == BC_CL1 ? &a->now[k][s] : &a->pend[r][k][s], c->clock[k][s]);
        else if (!had || memcmp(had->clock, c->clock, sizeof c->clock))
            join_all(o, a->now, c->clock);
        had = c;
    }
}

void order_release(struct order *o, struct order_group *g, uint64_t var, const struct race_atomic_op *op)
{
    if (!op->writes) return;
    const struct order_actor *a = g->actors[op->item];
    const bool own = releases(op->order) && op->scope != BC_SCOPE_ITEM;
    order_clock now = {0};
    if (own) publish(o, g, op->item, now);
    const bool none = is_empty(now) && is_empty(g->rel[O_GROUP]) && is_empty(g->rel[O_DEVICE]) && (!a || (is_empty(a->rel[O_GROUP]) && is_empty(a->rel[O_DEVICE])));
    struct order_var *v = var_of(o, var, !none || !op->reads); // (a store begins a sequence with nothing in it, too)
    if (!v) return;
    uint64_t me1 = group_key(o, g->group) + 1 + op->item;
    if (!op->reads && v->head != me1) {
        v->version++;
        v->head = me1;
    }
    for (int r = 0; r < O_REACHES && !none && op->scope != BC_SCOPE_ITEM; r++) {
        if (!reaches(op->scope, r)) continue;
        struct order_channel *c = channel(o, v, r == O_DEVICE ? 0 : g->group + 1, true);
        if (own && op->reads && acquires(op->order)) { // what was there is known to `now`
            EACH(k, s) set(&c->clock[k][s], tree_ref(now[k][s]));
        } else if (own) { // what fences and barriers let others know is known to `now`, too
            join_all(o, c->clock, now);
        } else {
            join_all(o, c->clock, g->rel[r]);
            if (a) join_all(o, c->clock, a->rel[r]);
        }
    }
    clear(now);
}

static bool knows(const struct order *o, const struct tree *clock, const struct order_stamp *x)
{
    const uint64_t group = x->item / o->group_items, other = x->item % o->group_items;
    return clock && (tree_get(clock, o->levels, group_key(o, group)) > x->barriers ||
                     tree_get(clock, o->levels, group_key(o, group) + 1 + other) > x->releases);
}

const struct order_taken *order_through(const struct order *o, const struct order_group *g, uint32_t item, const struct order_stamp *x,
                                        enum order_space space)
{
    for (size_t i = 0; i <= g->active.len; i++) { // its own, then those of work-items that it met at a barrier
        const struct order_actor *a = g->actors[i ? g->active.data[i - 1] : item];
        for (unsigned k = 0; a && k < ORDER_TAKEN && k < a->ntaken; k++)
            if (knows(o, a->taken[k].clock[space], x)) return &a->taken[k];
    }
    return NULL;
}

struct order_stamp order_touch(const struct order *o, struct order_group *g, uint32_t item, uint32_t site)
{
    g->touched[item] = 1;
    return (struct order_stamp){g->group * o->group_items + item, g->barriers, g->releases[item], site};
}

bool order_before(const struct order *o, const struct order_group *g, uint32_t item, const struct order_stamp *x,
                  enum order_kind kind, enum order_space space)
{
    uint64_t group = x->item / o->group_items, other = x->item % o->group_items;
    if (group == g->group && x->barriers < g->fenced[space]) return true;
    struct tree *now = g->actors[item] ? g->actors[item]->now[kind][space] : g->base[kind][space];
    if (!now) return false;
    return tree_get(now, o->levels, group_key(o, group)) > x->barriers ||
           tree_get(now, o->levels, group_key(o, group) + 1 + other) > x->releases;
}
