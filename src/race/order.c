// SPDX-License-Identifier: MIT
/*
 * Happens-before through barriers, atomics and fences, by vector clocks.
 *
 * A clock has for each group the number of its barriers that are known to be passed, and for each
 * work-item the number of its releases: a map that is empty for most of a launch (tree.c). An
 * access is known if one of the two is beyond it. So a barrier costs one number for the whole
 * group, and a work-item needs its own clock only after its first acquire or fence.
 *
 * The memory model of OpenCL 2.0: a release (of an atomic, or a fence before it) joins the
 * work-item's clock into the location; an acquire (of an atomic, or a fence after it) joins the
 * location's clock into the work-item's. Scopes must include one another: a location has one
 * channel for all work-items, and one for each group. A store begins a new release sequence; a
 * read-modify-write continues the old one.
 *
 * There are two kinds of order. The strict order is the memory model's. The de-facto order of
 * OpenCL 1.x (O_DE_FACTO) adds what OpenCL 1.x code takes for granted: mem_fence (or a barrier) and
 * an atomic_… of OpenCL 1.x after it release to the whole device, and such an atomic_… whose result
 * is used acquires. A pair that only the de-facto order covers is reported as RACE_RELAXED.
 *
 * Atomics of OpenCL C 2.0 have their own orders and scopes: for them a mem_fence or barrier counts
 * within its scope, which is the work-group unless it names another. Local memory, global memory
 * and images have separate clocks, since fences and barriers name the memory that they order. An
 * atomic in local memory orders local memory; one in global memory orders the rest. Only pairs of
 * memory_order_seq_cst, and fences of both memories, order the other memory, too. So for the other
 * memory, a channel has only what sequentially consistent releases and fences put there, and an
 * acquire of another order leaves that for a fence of both memories (order_actor.beyond). For a
 * pair, one end of each kind suffices. In the de-facto order, every atomic orders all memory. Both
 * orders do so if the launch has no local memory, or all its atomics are sequentially consistent or
 * of OpenCL 1.x (order.apart).
 *
 * Joins are the main cost, and are avoidable if many work-items use one location in turn. A channel
 * only grows until a store begins it anew. Suppose that the clock of a work-item is part of the
 * channel's clock, because the work-item released or acquired everything through it. The work-item
 * then takes the channel's clock as it is, and adds only its own number (order_met.is_part). If the
 * channel has not changed since its last access, a work-item does nothing (order_met.changes). If a
 * group's channel is part of the channel for all, it adds nothing (within).
 *
 * Often one channel is enough. A location in local memory is used by one group: every release into
 * the channel for all goes into the group's channel, too. If all scopes are of the device
 * (order.wide), the channel for all includes a group's channel, except for knowledge from narrower
 * barriers, which the whole group has after the barrier.
 */
#include "race/order.h"

#include "bytecode/bytecode.h"

#define EACH(k, s)                                                                                 \
    for (int k = 0; k < O_KINDS; k++)                                                              \
        for (int s = 0; s < o->spaces; s++)

// OpenCL C 3.0, 6.15.8: a fence of global memory does not include images.
static bool fences_space(unsigned fences, int space)
{
    static const unsigned by[] = {
        [O_GLOBAL] = BC_FENCE_GLOBAL, [O_LOCAL] = BC_FENCE_LOCAL, [O_IMAGES] = BC_FENCE_IMAGE};
    return fences & by[space];
}

static void set(struct order *o, struct tree **at, struct tree *t)
{
    tree_unref(&o->trees, *at);
    *at = t;
}

static void join(struct order *o, struct tree **at, struct tree *t)
{
    if (t && *at != t) set(o, at, tree_join(&o->trees, *at, t));
}

/** The trees of a clock, as a bit set. */
enum { N_TREES = O_KINDS * O_SPACES, WHOLE = (1 << N_TREES) - 1 };
#define BIT(k, s) (1u << ((k) * O_SPACES + (s)))

/**
 * The trees of the strict clock for memory that atomics at this location do not order by
 * themselves.
 */
static unsigned beyond(const struct order *o, uint64_t var)
{
    return !o->apart ? 0
           : var & 1 ? BIT(O_STRICT, O_GLOBAL) | BIT(O_STRICT, O_IMAGES)
                     : BIT(O_STRICT, O_LOCAL);
}

static bool equal(const order_clock a, const order_clock b, unsigned part)
{
    if (part == WHOLE) return !memcmp(a, b, sizeof(order_clock));
    bool same = true;
    for (int i = 0; i < N_TREES; i++) same &= !(part >> i & 1) || (&a[0][0])[i] == (&b[0][0])[i];
    return same;
}

// Joins a part of a clock. Equal trees that are joined with equal trees stay one tree.
static void join_part(struct order *o, order_clock at, const order_clock t, unsigned part)
{
    struct tree **to = &at[0][0], *const *more = &t[0][0], *was[N_TREES];
    if (equal(at, t, part)) return;
    memcpy(was, to, sizeof was);
    for (int i = 0, k; i < N_TREES; i++) {
        if (!(part >> i & 1)) continue;
        for (k = 0; !(part >> k & 1) || was[k] != was[i] || more[k] != more[i];) k++;
        to[i] = k < i ? tree_ref(to[k]) : tree_join(&o->trees, was[i], more[i]);
    }
    for (int i = 0; i < N_TREES; i++)
        if (part >> i & 1) tree_unref(&o->trees, was[i]);
}

static void join_all(struct order *o, order_clock at, const order_clock t)
{
    join_part(o, at, t, WHOLE);
}

static void set_part(struct order *o, order_clock at, const order_clock t, unsigned part)
{
    if (equal(at, t, part)) return;
    EACH(k, s)
    if (part & BIT(k, s)) set(o, &at[k][s], tree_ref(t[k][s]));
}

static void clear(struct order *o, order_clock c) { EACH(k, s) set(o, &c[k][s], NULL); }

void order_init(struct order *o, uint64_t ngroups, uint32_t group_items)
{
    const uint64_t leaves = ngroups * (group_items + 1ull) / TREE_LEAF;
    *o = (struct order){.group_items = group_items, .spaces = O_IMAGES, .trees.levels = 1};
    while (o->trees.levels < 31 && leaves >> 2 * o->trees.levels) o->trees.levels++;
}

void order_deinit(struct order *o)
{
    for (size_t i = 0; i < o->list.len; i++) map_deinit(&o->list.data[i].groups);
    for (size_t i = 0; i < o->channels.len; i++) clear(o, o->channels.data[i].clock);
    trees_deinit(&o->trees);
    vec_free(&o->list);
    vec_free(&o->channels);
    vec_free(&o->spare_vars);
    vec_free(&o->spare_channels);
    map_deinit(&o->vars);
}

static void clear_trees(struct order *o, struct tree **t)
{
    for (int s = 0; s < O_SPACES; s++) set(o, &t[s], NULL);
}

static void forget(struct order *o, struct order_group *g)
{
    clear(o, g->base);
    clear_trees(o, g->cl1_rel);
    for (int r = 0; r < O_REACHES; r++) clear(o, g->rel[r]);
    for (size_t i = 0; i < g->active.len; i++) {
        struct order_actor **at = &g->actors[g->active.data[i]], *a = *at;
        clear(o, a->now);
        for (int r = 0; r < O_REACHES; r++) clear(o, a->rel[r]), clear(o, a->pend[r]);
        for (int r = 0; r < O_REACHES; r++) clear_trees(o, a->beyond[r]);
        clear_trees(o, a->cl1_rel);
        clear_trees(o, a->cl1_pend);
        for (unsigned k = 0; k < ORDER_TAKEN; k++)
            for (int s = 0; s < O_SPACES; s++) tree_unref(&o->trees, a->taken[k].clock[s]);
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
    forget(o, g);
    memset(g->touched, 0, o->group_items);
    memset(g->releases, 0, o->group_items * sizeof *g->releases);
    g->group = group;
    g->barriers = g->publications = 0;
    memset(g->fenced, 0, sizeof g->fenced);
}

void order_group_deinit(struct order *o, struct order_group *g)
{
    forget(o, g);
    free(g->actors);
    free(g->releases);
    free(g->touched);
    vec_free(&g->active);
}

static uint64_t group_key(const struct order *o, uint64_t group)
{
    return group * (o->group_items + 1ull);
}

static struct order_actor *actor(struct order_group *g, uint32_t item)
{
    struct order_actor *a = g->actors[item];
    if (a) return a;
    g->actors[item] = a = mem_alloc(sizeof *a);
    a->item = item;
    for (int k = 0; k < O_KINDS; k++)
        for (int s = 0; s < O_SPACES; s++) a->now[k][s] = tree_ref(g->base[k][s]);
    vec_push(&g->active, item);
    return a;
}

/** Does a location need that channel? */
static bool has_channel(const struct order *o, uint64_t var, int reach)
{
    return var & 1 ? reach == O_GROUP : reach == O_DEVICE || !o->wide;
}
static bool reaches(unsigned scope, int reach)
{
    return scope >= (reach == O_DEVICE ? BC_SCOPE_DEVICE : BC_SCOPE_SUB_GROUP);
}

/**
 * Records that the work-item's clock grew from another source, so it is no longer part of a
 * channel.
 */
static void grown(struct order_actor *a)
{
    for (int r = 0; r < O_REACHES; r++) a->now_met[r].is_part = false;
}

/**
 * F_LEGACY: mem_fence, which has an effect in the de-facto order only. In that order, mem_fence and
 * barriers combine with the atomics of OpenCL 1.x of any scope.
 */
enum fence_kind { F_MODEL, F_LEGACY, F_BARRIER };

/**
 * A fence acquires what earlier atomics read: within its scope; in the de-facto order, everything
 * that atomics of OpenCL 1.x read.
 */
static void acquire_pending(struct order *o, struct order_actor *a, unsigned fences, unsigned scope,
                            enum fence_kind kind)
{
    for (int r = 0; r < O_REACHES; r++) EACH(k, s)
    if (fences_space(fences, s) && (kind != F_LEGACY || k == O_DE_FACTO) && reaches(scope, r))
        join(o, &a->now[k][s], a->pend[r][k][s]);
    for (int s = 0; s < o->spaces && kind != F_MODEL; s++)
        if (fences_space(fences, s)) join(o, &a->now[O_DE_FACTO][s], a->cl1_pend[s]);
    const unsigned both = BC_FENCE_GLOBAL | BC_FENCE_LOCAL;
    for (int r = 0; r < O_REACHES && o->apart && kind != F_LEGACY && (fences & both) == both; r++)
        for (int s = 0; s < o->spaces && reaches(scope, r); s++)
            join(o, &a->now[O_STRICT][s], a->beyond[r][s]);
    grown(a);
}

void order_barrier(struct order *o, struct order_group *g, unsigned fences, unsigned scope)
{
    g->barriers++;
    for (size_t i = 0; i < g->active.len; i++)
        acquire_pending(o, g->actors[g->active.data[i]], fences, scope, F_BARRIER);
    for (int s = 0; s < o->spaces; s++) {
        if (!fences_space(fences, s)) continue;
        g->fenced[s] = g->barriers;
        for (int k = 0; k < O_KINDS; k++) {
            struct tree **base = &g->base[k][s];
            for (size_t i = 0; i < g->active.len; i++)
                join(o, base, g->actors[g->active.data[i]]->now[k][s]);
            set(o, base, tree_raise(&o->trees, *base, group_key(o, g->group), g->barriers));
            for (size_t i = 0; i < g->active.len; i++)
                set(o, &g->actors[g->active.data[i]]->now[k][s], tree_ref(*base));
            for (int r = 0; r < O_REACHES; r++)
                if (reaches(scope, r)) set(o, &g->rel[r][k][s], tree_ref(*base));
            if (k == O_DE_FACTO) set(o, &g->cl1_rel[s], tree_ref(*base));
        }
    }
}

// Raises `at` to the work-item's clock and to its own number of releases. A release counts only if
// there were accesses before it; otherwise the earlier number is still exact.
static void raise_part(struct order *o, const struct order_group *g, uint32_t item,
                       const order_clock known, order_clock out, unsigned part)
{
    const uint64_t key = group_key(o, g->group) + 1 + item;
    order_clock c = {0};
    struct tree *raised = NULL, *of = NULL; // the first raised tree, and its original
    EACH(k, s)
    {
        if (!(part & BIT(k, s))) continue;
        c[k][s] = raised && known[k][s] == of
                      ? tree_ref(raised)
                      : tree_raise(&o->trees, known[k][s], key, g->releases[item]);
        if (!raised) raised = c[k][s], of = known[k][s];
    }
    EACH(k, s)
    if (part & BIT(k, s)) set(o, &out[k][s], c[k][s]);
}

static void raise_own(struct order *o, const struct order_group *g, uint32_t item,
                      const order_clock known, order_clock out)
{
    raise_part(o, g, item, known, out, WHOLE);
}

/**
 * A release: returns the clock of the work-item, to be published. Later accesses belong to the next
 * release.
 */
static order_clock *release_now(struct order_group *g, uint32_t item)
{
    g->releases[item] += g->touched[item];
    g->touched[item] = 0;
    return g->actors[item] ? &g->actors[item]->now : &g->base;
}

void order_publish(struct order *o, struct order_group *g, uint32_t item)
{
    order_clock now = {0};
    raise_own(o, g, item, *release_now(g, item), now);
    join_all(o, g->base, now);
    g->publications++;
    for (size_t i = 0; i < g->active.len; i++) {
        join_all(o, g->actors[g->active.data[i]]->now, now);
        grown(g->actors[g->active.data[i]]);
    }
    clear(o, now);
}

void order_sub_group_barrier(struct order *o, struct order_group *g,
                             const struct race_sub_group *items, unsigned fences, unsigned scope)
{
    const uint32_t first = items->first, n = items->n;
    const uint8_t *const mask = items->mask;
    order_clock all = {0};
    for (uint32_t i = first; i < first + n; i++) {
        if (!mask[i - first]) continue;
        struct order_actor *a = actor(g, i);
        acquire_pending(o, a, fences, scope, F_BARRIER);
        order_clock now = {0};
        raise_own(o, g, i, *release_now(g, i), now);
        join_all(o, all, now);
        clear(o, now);
    }
    for (uint32_t i = first; i < first + n; i++) {
        struct order_actor *a = mask[i - first] ? g->actors[i] : NULL;
        EACH(k, s)
        {
            if (!a || !fences_space(fences, s)) continue;
            join(o, &a->now[k][s], all[k][s]);
            for (int r = 0; r < O_REACHES; r++)
                if (reaches(scope, r)) set(o, &a->rel[r][k][s], tree_ref(a->now[k][s]));
            if (k == O_DE_FACTO) set(o, &a->cl1_rel[s], tree_ref(a->now[k][s]));
        }
        if (a) grown(a);
    }
    clear(o, all);
}

static bool acquires(unsigned order)
{
    return order == BC_ACQUIRE || order == BC_ACQ_REL || order == BC_SEQ_CST;
}
static bool releases(unsigned order)
{
    return order == BC_RELEASE || order == BC_ACQ_REL || order == BC_SEQ_CST;
}

void order_fence(struct order *o, struct order_group *g, uint32_t item,
                 const struct race_fence_op *f)
{
    struct order_actor *a = actor(g, item);
    if (acquires(f->order))
        acquire_pending(o, a, f->fences, f->scope, f->legacy ? F_LEGACY : F_MODEL);
    if (!releases(f->order)) return;
    order_clock now = {0};
    raise_own(o, g, item, *release_now(g, item), now);
    EACH(k, s)
    {
        if (!fences_space(f->fences, s)) continue;
        for (int r = 0; r < O_REACHES; r++)
            if ((!f->legacy || k == O_DE_FACTO) && reaches(f->scope, r))
                set(o, &a->rel[r][k][s], tree_ref(now[k][s]));
        if (k == O_DE_FACTO && f->legacy) set(o, &a->cl1_rel[s], tree_ref(now[k][s]));
    }
    clear(o, now);
}

static struct order_var *var_of(struct order *o, uint64_t var, bool make)
{
    if (o->last_var != var || (make && !o->last1)) {
        bool is_new = false;
        uint64_t *at = make ? map_put(&o->vars, var, &is_new) : map_get(&o->vars, var);
        if (is_new) {
            *at = o->list.len;
            (void)vec_add(&o->list);
        }
        o->last_var = var;
        o->last1 = at ? *at + 1 : 0;
    }
    return o->last1 ? &o->list.data[o->last1 - 1] : NULL;
}

static bool is_empty(const order_clock c)
{
    static const order_clock empty;
    return !memcmp(c, empty, sizeof empty);
}

static void begin(struct order *o, struct order_channel *c, uint64_t version)
{
    clear(o, c->clock);
    c->version = version;
    c->begun = ++o->begun;
    c->changes = ++o->changes;
    c->within = 0;
    c->passed_on[0] = c->passed_on[1] = c->has_base = (struct order_reached){0};
}

/** Index + 1 of the variable's channel of that reach, for the group; 0: none. */
static uint32_t channel1(struct order *o, struct order_var *v, int reach, uint64_t group, bool make)
{
    uint32_t at1 = v->everyones1;
    if (reach != O_DEVICE && v->near_group1 != group + 1) {
        uint64_t *at = make ? map_put(&v->groups, group + 1, NULL) : map_get(&v->groups, group + 1);
        if (!at) return 0;
        if (!*at) {
            begin(o, vec_add(&o->channels), v->version);
            *at = o->channels.len;
        }
        v->near_group1 = group + 1;
        v->near1 = (uint32_t)*at;
    }
    if (reach != O_DEVICE) at1 = v->near1;
    else if (!at1 && make) {
        begin(o, vec_add(&o->channels), v->version);
        at1 = v->everyones1 = (uint32_t)o->channels.len;
    }
    struct order_channel *c = at1 ? &o->channels.data[at1 - 1] : NULL;
    if (c && c->version != v->version) begin(o, c, v->version);
    return at1;
}

// ---- stores that are visible late
/**
 * Copies a channel of a variable; `everyones` and `copied` are the beginnings of the variable's
 * channel for all and of its copy. Returns index + 1. It begins anew for the records of struct
 * order_met.
 */
static uint32_t copy_channel(struct order *o, uint32_t of1, uint64_t everyones, uint64_t copied)
{
    if (!of1) return 0;
    const uint32_t to1 = o->spare_channels.len ? vec_pop(&o->spare_channels) + 1 : 0;
    if (!to1) (void)vec_add(&o->channels);
    const struct order_channel *const from = &o->channels.data[of1 - 1];
    struct order_channel *const to = to1 ? &o->channels.data[to1 - 1] : &vec_last(&o->channels);
    *to = *from;
    EACH(k, s)(void) tree_ref(to->clock[k][s]);
    to->begun = ++o->begun;
    to->changes = ++o->changes;
    to->within = everyones && from->within == everyones ? copied : 0;
    return to1 ? to1 : (uint32_t)o->channels.len;
}

static uint64_t beginning(const struct order *o, uint32_t channel1)
{
    return channel1 ? o->channels.data[channel1 - 1].begun : 0;
}

uint32_t order_fork(struct order *o, uint64_t var)
{
    struct order_var copy = *var_of(o, var, true);
    const uint32_t spare = o->spare_vars.len ? vec_pop(&o->spare_vars) : (uint32_t)o->list.len;
    const uint64_t everyones = beginning(o, copy.everyones1);
    uint64_t *channel;
    map_copy(&copy.groups, &o->list.data[o->last1 - 1].groups);
    copy.near_group1 = 0;
    copy.everyones1 = copy_channel(o, copy.everyones1, 0, 0);
    for (size_t at = 0; (channel = map_next(&copy.groups, &at));)
        *channel = copy_channel(o, (uint32_t)*channel, everyones, beginning(o, copy.everyones1));
    if (spare == o->list.len) (void)vec_add(&o->list);
    o->list.data[spare] = copy;
    return order_switch(o, var, spare);
}

uint32_t order_switch(struct order *o, uint64_t var, uint32_t to)
{
    (void)var_of(o, var, true);
    const uint32_t was = (uint32_t)o->last1 - 1;
    *map_put(&o->vars, var, NULL) = to;
    o->last1 = to + 1u;
    return was;
}

static void drop_channel(struct order *o, uint64_t channel1)
{
    if (!channel1) return;
    clear(o, o->channels.data[channel1 - 1].clock);
    vec_push(&o->spare_channels, (uint32_t)channel1 - 1);
}

void order_drop(struct order *o, uint32_t record)
{
    struct order_var *const v = &o->list.data[record];
    uint64_t *channel;
    drop_channel(o, v->everyones1);
    for (size_t at = 0; (channel = map_next(&v->groups, &at));) drop_channel(o, *channel);
    map_deinit(&v->groups);
    *v = (struct order_var){0};
    vec_push(&o->spare_vars, record);
}

static void take(struct order *o, struct order_actor *a, uint64_t var,
                 const struct race_atomic_op *op, struct order_channel *c)
{
    if (!c->clock[O_DE_FACTO][O_GLOBAL] && !c->clock[O_DE_FACTO][O_LOCAL] &&
        !c->clock[O_DE_FACTO][O_IMAGES])
        return;
    unsigned k = 0;
    while (k < ORDER_TAKEN && k < a->ntaken && a->taken[k].var != var) k++;
    struct order_taken *t =
        &a->taken[k < ORDER_TAKEN && k < a->ntaken ? k : a->ntaken++ % ORDER_TAKEN];
    t->var = var;
    t->offset = op->offset;
    t->site = op->site;
    t->object = op->object;
    for (int s = 0; s < O_SPACES; s++)
        if (t->clock[s] != c->clock[O_DE_FACTO][s])
            set(o, &t->clock[s], tree_ref(c->clock[O_DE_FACTO][s]));
}

/** A channel that an atomic reads: its number, and the part of its clock that is meant. */
struct source {
    const struct order_channel *c;
    uint32_t channel1;
    unsigned part;
};

static bool is_met(const struct order_met *m, uint32_t c1, const struct order_channel *c)
{
    return m->channel1 == c1 && m->changes == c->changes;
}

/**
 * Joins the source into `to`, whose record is m. `everyones`: the beginning of the variable's
 * channel for all, if `to` includes that channel. False: `to` included the source before.
 */
static bool learn(struct order *o, order_clock to, struct order_met *m, const struct source *from,
                  uint64_t everyones)
{
    const struct order_channel *const c = from->c;
    if (is_met(m, from->channel1, c)) return false;
    const bool is_known = everyones && c->within == everyones,
               is_part = m->channel1 == from->channel1 && m->begun == c->begun && m->is_part;
    if (!is_known && is_part) set_part(o, to, c->clock, from->part);
    else if (!is_known) join_part(o, to, c->clock, from->part);
    *m = (struct order_met){from->channel1, equal(to, c->clock, from->part), c->begun, c->changes};
    return !is_known;
}

/** Acquires the other memory from the channel: at once, or at a later fence. */
static void learn_beyond(struct order *o, struct order_actor *a, int reach,
                         const struct order_channel *c, unsigned part, bool at_once)
{
    for (int s = 0; s < o->spaces; s++) {
        struct tree **const to = at_once ? &a->now[O_STRICT][s] : &a->beyond[reach][s], *const was =
                                                                                            *to;
        if (!(part & BIT(O_STRICT, s))) continue;
        join(o, to, c->clock[O_STRICT][s]);
        if (at_once && *to != was) a->now_met[O_REACHES - 1 - reach].is_part = false;
    }
}

/**
 * An atomic_ of OpenCL 1.x. In the de-facto order it acquires at once if its result is used;
 * otherwise, and in the memory model, a later fence acquires.
 */
static void learn_legacy(struct order *o, struct order_actor *a, int reach,
                         const struct source *from, bool is_used)
{
    const struct order_channel *const c = from->c;
    struct order_met *const m = &a->legacy_met[reach][is_used];
    if (is_met(m, from->channel1, c)) return;
    EACH(k, s)
    if (from->part & BIT(k, s)) {
        join(o, k == O_DE_FACTO && is_used ? &a->now[k][s] : &a->pend[reach][k][s], c->clock[k][s]);
        if (k == O_DE_FACTO && !is_used) join(o, &a->cl1_pend[s], c->clock[k][s]);
    }
    *m = (struct order_met){from->channel1, false, c->begun, c->changes};
    a->pend_met[reach].is_part = false;
    grown(a);
}

void order_acquire(struct order *o, struct order_group *g, uint64_t var,
                   const struct race_atomic_op *op)
{
    if (!op->reads || op->scope == BC_SCOPE_ITEM) return;
    struct order_var *v = var_of(o, var, false);
    struct order_actor *a = NULL;
    uint64_t everyones = 0;
    const unsigned rest = beyond(o, var), part = WHOLE & ~rest;
    if (!v) return;
    for (int r = O_REACHES; r-- > 0;) {
        if (!reaches(op->scope, r) || !has_channel(o, var, r)) continue;
        const uint32_t c1 = channel1(o, v, r, g->group, false);
        struct order_channel *const c = c1 ? &o->channels.data[c1 - 1] : NULL;
        if (!c || is_empty(c->clock)) continue;
        if (!a) a = actor(g, op->item);
        take(o, a, var, op, c);
        if (rest) learn_beyond(o, a, r, c, rest, op->order == BC_SEQ_CST);
        const struct source from = {c, c1, part};
        if (bc_is_cl1(op->order)) {
            learn_legacy(o, a, r, &from, op->order == BC_CL1);
        } else if (!acquires(op->order)) {
            learn(o, a->pend[r], &a->pend_met[r], &from, 0);
        } else {
            if (learn(o, a->now, &a->now_met[r], &from, everyones))
                a->now_met[O_REACHES - 1 - r].is_part = false;
            if (r == O_DEVICE) everyones = c->begun;
        }
    }
}

/** An atomic that releases. */
struct release {
    const struct order_group *g;
    const struct order_actor *a; // of its work-item, or NULL
    const struct race_atomic_op *op;
    const order_clock
        *known; // the clock of the work-item; NULL: the atomic itself releases nothing
};

/** Joins the work-item's clock, including its last accesses, into a part of a channel. */
static void join_raised(struct order *o, const struct release *r, struct order_channel *c,
                        unsigned part)
{
    order_clock now = {0};
    raise_part(o, r->g, r->op->item, *r->known, now, part);
    join_part(o, c->clock, now, part);
    clear(o, now);
}

/**
 * Adds a work-item's release to a part of a channel. is_part: the clock of the work-item is part
 * of the channel's clock.
 */
static void release_into(struct order *o, const struct release *r, bool is_part,
                         struct order_channel *c, unsigned part)
{
    if (is_part || (r->op->reads && acquires(r->op->order))) // or the previous clock is known
        raise_part(o, r->g, r->op->item, is_part ? c->clock : *r->known, c->clock, part);
    else join_raised(o, r, c, part);
}

static struct order_reached here(const struct order_group *g)
{
    return (struct order_reached){g->group + 1, g->barriers + g->publications};
}
static bool is_at(const struct order_reached *r, const struct order_group *g)
{
    return r->group1 == g->group + 1 && r->steps == g->barriers + g->publications;
}

/**
 * Publishes to a channel what barriers and fences release. For an atomic of OpenCL 1.x in the
 * de-facto order, that is everything.
 */
static void pass_on(struct order *o, const struct release *r, int reach, struct order_channel *c)
{
    const struct order_group *const g = r->g;
    const struct order_actor *const a = r->a;
    const bool is_cl1 = bc_is_cl1(r->op->order);
    struct order_reached *const passed_on = &c->passed_on[is_cl1];
    if (!is_at(passed_on, g)) {
        join_all(o, c->clock, g->rel[reach]);
        for (int s = 0; s < o->spaces && is_cl1; s++)
            join(o, &c->clock[O_DE_FACTO][s], g->cl1_rel[s]);
    }
    *passed_on = here(g);
    if (!a) return;
    join_all(o, c->clock, a->rel[reach]);
    for (int s = 0; s < o->spaces && is_cl1; s++) join(o, &c->clock[O_DE_FACTO][s], a->cl1_rel[s]);
}

/**
 * The same for a part, in addition to the atomic's own release. A sequentially consistent atomic
 * releases everything.
 */
static void release_beyond(struct order *o, const struct release *r, int reach,
                           struct order_channel *c, unsigned part)
{
    if (r->op->order == BC_SEQ_CST) {
        join_raised(o, r, c, part);
        return;
    }
    if (!is_at(&c->passed_on[0], r->g))
        join_part(o, c->clock, r->g->rel[reach],
                  part); // (its release includes the other part)
    c->passed_on[0] = here(r->g);
    if (r->a) join_part(o, c->clock, r->a->rel[reach], part);
}

static bool has_no_release(const order_clock rel[O_REACHES], struct tree *const cl1_rel[O_SPACES])
{
    return is_empty(rel[O_GROUP]) && is_empty(rel[O_DEVICE]) && !cl1_rel[O_GLOBAL] &&
           !cl1_rel[O_LOCAL] && !cl1_rel[O_IMAGES];
}

void order_release(struct order *o, struct order_group *g, uint64_t var,
                   const struct race_atomic_op *op)
{
    if (!op->writes) return;
    struct order_actor *const a = g->actors[op->item];
    const bool own = releases(op->order) && op->scope != BC_SCOPE_ITEM,
               has_all = op->reads && acquires(op->order);
    const order_clock *const known =
        own ? release_now(g, op->item)
            : NULL; // fences and barriers of the work-item were published, too
    const bool none = (!own || (is_empty(*known) && !g->releases[op->item])) &&
                      has_no_release(g->rel, g->cl1_rel) &&
                      (!a || has_no_release(a->rel, a->cl1_rel));
    struct order_var *v =
        var_of(o, var, !none || !op->reads); // (a store also begins an empty sequence)
    if (!v) return;
    uint64_t me1 = group_key(o, g->group) + 1 + op->item;
    if (!op->reads && v->head != me1) {
        v->version++;
        v->head = me1;
    }
    const unsigned rest = beyond(o, var), part = WHOLE & ~rest;
    const struct release release = {g, a, op, known};
    uint64_t everyones = 0; // the beginning of that channel
    for (int r = O_REACHES; r-- > 0 && !none && op->scope != BC_SCOPE_ITEM;) {
        if (!reaches(op->scope, r) || !has_channel(o, var, r)) continue;
        const uint32_t c1 = channel1(o, v, r, g->group, true);
        struct order_channel *c = &o->channels.data[c1 - 1];
        struct order_met *const m = a && own ? &a->now_met[r] : NULL;
        const bool met = has_all || (m && is_met(m, c1, c));
        const bool is_part = m ? m->channel1 == c1 && m->begun == c->begun && m->is_part
                               : is_at(&c->has_base, g);
        bool within = everyones && own &&
                      (c->within == everyones || is_empty(c->clock) || (has_all && !is_part));
        order_clock was;
        memcpy(was, c->clock, sizeof was);
        if (own) release_into(o, &release, is_part, c, part);
        if (own && rest) release_beyond(o, &release, r, c, rest);
        if (!own) pass_on(o, &release, r, c);
        const bool changed = !equal(was, c->clock, WHOLE);
        if (changed) c->changes = ++o->changes;
        if (changed || within) c->within = within ? everyones : 0;
        if (m) *m = (struct order_met){c1, true, c->begun, met ? c->changes : 0};
        else if (own) c->has_base = here(g);
        if (r == O_DEVICE) everyones = c->begun;
    }
}
static bool knows(const struct order *o, const struct tree *clock, const struct order_stamp *x)
{
    const uint64_t group = x->item / o->group_items, other = x->item % o->group_items;
    return clock && (tree_get(&o->trees, clock, group_key(o, group)) > x->barriers ||
                     tree_get(&o->trees, clock, group_key(o, group) + 1 + other) > x->releases);
}

const struct order_taken *order_through(const struct order *o, const struct order_group *g,
                                        uint32_t item, const struct order_stamp *x,
                                        enum order_space space)
{
    for (size_t i = 0; i <= g->active.len;
         i++) { // its own clock, then those of work-items at the same barrier
        const struct order_actor *a = g->actors[i ? g->active.data[i - 1] : item];
        for (unsigned k = 0; a && k < ORDER_TAKEN && k < a->ntaken; k++)
            if (knows(o, a->taken[k].clock[space], x)) return &a->taken[k];
    }
    return NULL;
}

void order_look(struct order_view *v, const struct order *o, const struct order_group *g,
                enum order_space space)
{
    *v = (struct order_view){
        .o = o, .g = g, .first = g->group * o->group_items, .fenced = g->fenced[space]};
}

void order_come_near(struct order_view *v, const struct order_stamp *x)
{
    const uint64_t group = x->item - v->first < v->o->group_items ? v->g->group
                                                                  : x->item / v->o->group_items;
    v->near = group * v->o->group_items;
    v->near_key = group_key(v->o, group);
    v->near_tree = v->tree;
    v->barriers = tree_get(&v->o->trees, v->tree, v->near_key);
}

bool order_before(const struct order *o, const struct order_group *g, uint32_t item,
                  const struct order_stamp *x, enum order_kind kind, enum order_space space)
{
    if (x->item / o->group_items == g->group && x->barriers < g->fenced[space]) return true;
    return knows(o, g->actors[item] ? g->actors[item]->now[kind][space] : g->base[kind][space], x);
}

bool order_before_all(const struct order *o, const struct order_group *g, uint32_t items,
                      const struct order_stamp *x, enum order_kind kind, enum order_space space)
{
    bool base = false; // work-items without an actor share one clock
    for (uint32_t i = 0; i < items; i++) {
        if (!g->actors[i] && base) continue;
        if (x->item == g->group * o->group_items + i) continue;
        if (!order_before(o, g, i, x, kind, space)) return false;
        base |= !g->actors[i];
    }
    return true;
}
