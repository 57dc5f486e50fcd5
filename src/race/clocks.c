// SPDX-License-Identifier: MIT
/*
 * Launches that synchronize through atomics: the cells of an access, kept from one call to the
 * next, and the fast path for the many accesses that add nothing new. cells.c explains what a cell
 * keeps and why; order.c computes happens-before.
 */
#include "bytecode/bytecode.h"
#include "race/cells.h"

struct clocks *clocks_create(struct race_launch *l)
{
    struct clocks *c = mem_alloc(sizeof *c);
    order_init(&c->order, l->c.ngroups, l->c.group_items + l->c.copies);
    c->order.wide = l->c.wide_scopes;
    c->order.apart = l->c.apart;
    readers_init(&c->store.readers, c->order.group_items);
    c->refused = l->c.ngroups >= (1ull << ORDER_ITEM_BITS) / c->order.group_items ||
                 l->c.nsites > 1u << (64 - ORDER_ITEM_BITS);
    return c;
}

static bool cells_init(struct cells *s, const struct race_root *r)
{
    if (s->chunks || s->refused) return s->chunks;
    s->shift = r->granularity_shift;
    s->cells = ((r->size - 1) >> s->shift) + 1;
    s->chunks = mem_try_alloc(((s->cells >> CHUNK_SHIFT) + 1) * sizeof(struct cell *), 64);
    s->refused = !s->chunks;
    return !s->refused;
}

static void store_deinit(struct store *s)
{
    readers_deinit(&s->readers);
    vec_free(&s->others);
    vec_free(&s->free_others);
}

/** Orders all earlier accesses to local memory before all later ones. */
static void begin_round(const struct race_launch *l, struct clocks_group *g)
{
    readers_clear(&g->store.readers);
    vec_clear(&g->store.others);
    vec_clear(&g->store.free_others);
    for (size_t i = 0; i < l->locals.len; i++) {
        struct cells *const s = &g->locals[i];
        s->round += ROUND;
        if (!s->round) cells_clear(s); // the counter wrapped around
        if (s->is_quick) memset(s->rows1, 0, s->cells * sizeof *s->rows1);
        s->is_quick = false;
    }
}

void clocks_group_begin(struct race_worker *w, struct clocks_group **at)
{
    struct race_launch *l = w->launch;
    if (!*at) {
        *at = mem_alloc(sizeof **at);
        (*at)->locals = mem_alloc((l->locals.len + 1) * sizeof *(*at)->locals);
        readers_init(&(*at)->store.readers, l->clocks->order.group_items);
    }
    begin_round(l, *at);
    order_group_begin(&l->clocks->order, &(*at)->order, w->group);
}

void clocks_group_end(struct race_launch *l, struct clocks_group *g)
{
    for (size_t i = 0; i < l->locals.len; i++) {
        cells_clear(&g->locals[i]);
        free(g->locals[i].chunks);
    }
    store_deinit(&g->store);
    order_group_deinit(&l->clocks->order, &g->order);
    free(g->locals);
    free(g);
}

void clocks_destroy(struct race_launch *l)
{
    struct clocks *c = l->clocks;
    for (size_t i = 0; c->globals && i < l->roots.len; i++) {
        cells_clear(&c->globals[i]);
        free(c->globals[i].chunks);
    }
    free(c->globals);
    store_deinit(&c->store);
    order_deinit(&c->order);
    free(c);
}

void clocks_have_images(struct race_launch *l) { l->clocks->order.spaces = O_SPACES; }

void clocks_barrier(struct race_worker *w, unsigned fences, unsigned scope)
{
    order_barrier(&w->launch->clocks->order, &w->clocks->order, fences, scope);
    if (fences & BC_FENCE_LOCAL) begin_round(w->launch, w->clocks);
}

void clocks_sub_group_barrier(struct race_worker *w, const struct race_sub_group *items,
                              unsigned fences, unsigned scope)
{
    order_sub_group_barrier(&w->launch->clocks->order, &w->clocks->order, items, fences, scope);
}

void clocks_fence(struct race_worker *w, uint32_t item, const struct race_fence_op *f)
{
    order_fence(&w->launch->clocks->order, &w->clocks->order, item, f);
}

// ---- fast paths: nothing is reported, and the cell alone suffices. False: not applicable, nothing
// was changed
/** Does the cell have a stamp that is not ordered before this access? */
static inline bool is_in_doubt(struct now *n, const struct order_stamp *x)
{
    return x->item != n->at.item && !is_seen(n, x);
}

static inline bool read_quickly(struct now *n, struct cell *c, uint64_t cell)
{
    const bool is_own = c->bits & HAS_READ && c->read.item == n->at.item;
    if (c->bits & HAS_WRITE && c->write.item == n->at.item) {
        if (same_interval(&c->write, &n->at)) {
            if (c->others1) return false;
            if (c->write.releases == n->at.releases) return true;
            if (c->bits & HAS_READ && !(is_own && c->bits & OWN_READ)) return false;
            c->bits |= HAS_READ | OWN_READ;
            c->read = n->at;
            return true;
        }
    } else if (c->bits & HAS_WRITE && !is_seen(n, &c->write)) {
        return false;
    }
    if (c->bits & OWN_READ) return false;
    const struct others *const o = others_of(n, c);
    if (o && (o->list1[L_ATOMIC_WRITE] || o->list1[L_SAME_VALUE])) return false;
    if (is_own || !(c->bits & HAS_READ)) {
        c->bits |= HAS_READ;
        c->read = n->at;
        return true;
    }
    struct reader_set *const set =
        o && o->list1[L_READ] ? &n->store->readers.sets.data[o->list1[L_READ] - 1] : NULL;
    if (!set || !set->row1 || set->group != n->group->group) return false;
    const uint32_t when = readers_time(&n->store->readers, &n->at);
    if (n->at.barriers > set->latest) set->latest = n->at.barriers;
    readers_row(&n->store->readers, set->row1)[n->item] = when;
    if (n->space == O_LOCAL && !(c->bits & HAS_WRITE)) cells_begin_quick(n, cell, set->row1);
    return true;
}

static inline bool write_quickly(struct now *n, struct cell *c, const uint8_t *value)
{
    if (c->others1) return false;
    if (c->bits & HAS_WRITE && is_in_doubt(n, &c->write)) return false;
    if (c->bits & HAS_READ && is_in_doubt(n, &c->read)) return false;
    c->bits &= ~(HAS_READ | OWN_READ);
    set_write(n, c, false, value);
    return true;
}

/** Finds the object's cells. False: there is no memory for them. */
static bool find(struct now *n, struct race_worker *w, unsigned object)
{
    struct race_launch *l = w->launch;
    const struct race_watch *o = &l->watch[object];
    struct clocks *c = l->clocks;
    if (!c->globals)
        c->globals = mem_alloc((l->roots.len + 1) * sizeof *c->globals); // all roots are known by
                                                                         // now
    *n = (struct now){.w = w,
                      .order = &c->order,
                      .group = &w->clocks->order,
                      .object = object,
                      .to_object = o->offset,
                      .shadow = o->index1 - 1,
                      .space = o->is_local   ? O_LOCAL
                               : o->is_image ? O_IMAGES
                                             : O_GLOBAL};
    n->cells = o->is_local ? &w->clocks->locals[n->shadow] : &c->globals[n->shadow];
    n->store = o->is_local ? &w->clocks->store : &c->store;
    order_look(&n->view, n->order, n->group, n->space);
    const struct race_root *r = o->is_local ? &l->locals.data[n->shadow]
                                            : &l->roots.data[n->shadow];
    if (!r->size) return false;
    w->cut |= c->refused;
    if (c->refused) return false;
    readers_tidy(&n->store->readers);
    if (!cells_init(n->cells, r)) w->cut = true;
    return !n->cells->refused;
}

static inline void one(struct now *n, uint64_t byte, unsigned size, const uint8_t *value)
{
    const unsigned shift = n->cells->shift;
    for (uint64_t cell = byte >> shift, end = (byte + size) >> shift; cell < end; cell++) {
        struct cell *c = cell_of(n, cell);
        const bool is_quick = n->is_atomic  ? false
                              : n->is_write ? write_quickly(n, c, value)
                                            : read_quickly(n, c, cell);
        if (!is_quick) cells_access(n, c, cell, value);
        if (value) value += 1u << shift;
    }
    if (n->w->launch->clocks->nopen) cells_flush(n);
}

/** Makes the cells small enough for an access whose offsets and size have these bits. */
static inline void fit(struct now *n, uint64_t bits)
{
    if (bits & ((1u << n->cells->shift) - 1)) cells_refine(n, (unsigned)__builtin_ctzll(bits));
}

/**
 * Counts the access before the next release of each lane. True: all lanes have the same number of
 * releases.
 */
static bool touch_all(struct order_group *g, const struct race_op *op, uint32_t first)
{
    uint8_t *const touched = g->touched + op->first_item;
    const uint32_t *const releases = g->releases + op->first_item;
    uint32_t differs = 0;
    for (uint32_t i = 0; i < op->n; i++) {
        const uint32_t active = op->mask ? op->mask[i] : 0xff;
        touched[i] |= active & 1;
        differs |= (releases[i] ^ releases[first]) & (0u - (active & 1));
    }
    return !differs;
}

void clocks_access(struct race_worker *w, const struct race_op *op)
{
    struct now n;
    struct order_group *const g = &w->clocks->order;
    if (!find(&n, w, op->object)) return;
    n.is_write = op->is_write;
    n.is_atomic = op->is_atomic;
    uint32_t first = 0;
    while (first < op->n && op->mask && !op->mask[first]) first++;
    if (first == op->n) return;
    const bool at_once = touch_all(g, op, first);
    n.at = order_touch(n.order, g, op->first_item + first, op->site);
    const struct readers *const update_newest = &n.store->readers;
    const uint32_t when = at_once && n.space == O_LOCAL && !n.is_write && !n.is_atomic
                              ? readers_time(&n.store->readers, &n.at)
                              : 0;
    for (uint32_t i = first; i < op->n; i++) {
        if (op->mask && !op->mask[i]) continue;
        const uint64_t byte = race_offset_of(op, i) + n.to_object;
        const struct cells *const s = n.cells;
        if (when && s->is_quick && op->size == 1u << s->shift && !(byte & (op->size - 1)) &&
            s->rows1[byte >> s->shift]) {
            readers_row(update_newest, s->rows1[byte >> s->shift])[op->first_item + i] = when;
            continue;
        }
        fit(&n, byte | op->size);
        n.item = op->first_item + i;
        n.at = order_touch(n.order, g, n.item, op->site);
        one(&n, byte, op->size,
            op->values ? (const uint8_t *)op->values + (size_t)i * op->size : NULL);
    }
}

void clocks_copy(struct race_worker *w, const struct race_copy_side *s, bool is_write,
                 uint32_t begun_by, bool ends)
{
    struct now n;
    const struct race_watch *o = &w->launch->watch[s->object];
    if (!o->index1 || !s->count || !find(&n, w, s->object)) return;
    const uint64_t bits = s->offset | s->step | s->size | o->offset;
    fit(&n, bits);
    n.is_write = is_write;
    n.begun_by = begun_by;
    n.others_only = ends;
    n.item = w->launch->c.group_items;
    n.at = order_touch(n.order, &w->clocks->order, n.item, s->site);
    for (uint64_t k = 0; k < s->count; k++) {
        const uint64_t first = s->offset + k * s->step + o->offset;
        for (uint64_t cell = first >> n.cells->shift, end = (first + s->size) >> n.cells->shift;
             cell < end; cell++) {
            struct cell *c = cell_of(&n, cell);
            cells_look(&n, c, cell);
            if (ends && is_write) set_write(&n, c, true, NULL);
            else if (ends) cells_note(&n, c, cell, L_READ, &n.at);
        }
        cells_flush(&n);
    }
}

void clocks_copy_ended(struct race_worker *w)
{
    order_publish(&w->launch->clocks->order, &w->clocks->order, w->launch->c.group_items);
}

/** A key for the location: root and byte in global memory; unique to the group in local memory. */
static uint64_t var_of(struct now *n, uint64_t byte)
{
    uint64_t location = (uint64_t)n->shadow << 44 ^ byte;
    return n->space != O_LOCAL ? location << 1
                               : ((n->group->group + 1) * 0x9e3779b97f4a7c15u ^ location) << 1 | 1;
}

void clocks_atomic(struct race_worker *w, const struct race_atomic_op *op)
{
    struct now n;
    if (!find(&n, w, op->object)) return;
    uint64_t var = var_of(&n, op->offset + n.to_object);
    struct order *o = &w->launch->clocks->order;
    order_acquire(o, &w->clocks->order, var, op);
    n.is_write = op->writes;
    n.is_atomic = true;
    n.item = op->item;
    if (!w->launch->watch[op->object]
             .is_followed) { // only atomics, which do not race with each other
        n.at = order_touch(o, &w->clocks->order, n.item, op->site);
        fit(&n, (op->offset + n.to_object) | op->size);
        one(&n, op->offset + n.to_object, op->size, NULL);
    }
    order_release(o, &w->clocks->order, var, op);
}

uint32_t clocks_fork(struct race_worker *w, unsigned object, uint64_t offset)
{
    struct now n;
    if (!find(&n, w, object)) return RACE_NO_RECORD;
    return order_fork(&w->launch->clocks->order, var_of(&n, offset + n.to_object));
}

uint32_t clocks_switch(struct race_worker *w, unsigned object, uint64_t offset, uint32_t to)
{
    struct now n;
    if (!find(&n, w, object)) return to;
    return order_switch(&w->launch->clocks->order, var_of(&n, offset + n.to_object), to);
}

void clocks_drop(struct race_worker *w, uint32_t record)
{
    order_drop(&w->launch->clocks->order, record);
}
