// SPDX-License-Identifier: MIT
/*
 * Data races of launches that synchronise through atomics. Nothing is in an order that a number could
 * tell, so a cell keeps whole stamps: the last plain writer, one reader, and in a list every other
 * work-item that read it, or accessed it atomically, since the last plain write that was ordered behind it.
 * Who is ordered before whom is order.c's business.
 *
 * Why these are enough. A plain write w that is ordered behind all of a cell's stamps stands for them:
 * what is ordered behind w is ordered behind them, and what is not races with w. A second access of the
 * same kind by the same work-item stands for the first. An access that races was told, so its byte is
 * racy whatever comes; it goes, too. The custom order of order.c is transitive as the strict one is, so
 * each may be followed by the same stamps: a pair that is not ordered at all is an error, one that
 * custom orders is told as RACE_RELAXED.
 *
 * Values: as race.c says, work-items that store the same value have a warning of their own. MIXED on a
 * cell says that the unordered stores differed; list entries L_SAME know all who stored the same,
 * L_OWN_READ those who read what they had stored themselves, with a release between.
 *
 * A barrier of a sub-group orders its work-items only, which no number of the group's could tell: launches with one are followed here, too.
 *
 * An async copy is one more work-item of its group, the last. What is ordered before it is so before all who begin it. When it has been
 * waited for it leaves stamps of which all of the group know.
 */
#include "race/order.h"
#include "race/shadow.h"

enum list_kind { L_READ, L_OWN_READ, L_ATOMIC_READ, L_ATOMIC_WRITE, L_SAME, L_KINDS };

struct entry {
    struct order_stamp at;
    uint64_t cell; // and whose it is, so that a hash is not trusted
    uint32_t shadow, next1;
    uint8_t kind, shift; // of the cells as they were then: what is left of larger ones is nobody's
    bool listed;
};

/** Entries of all cells, and where that of a work-item is. */
struct entries {
    struct map index;
    VEC(struct entry) list;
};

struct cell {
    struct order_stamp write, read;
    bool has_write, has_read, mixed, has_value;
    uint32_t list1[L_KINDS]; // index of the first entry + 1
    uint64_t value;
};

struct cells {
    struct cell **chunks;
    uint64_t cells;
    unsigned shift;
    bool refused;
};

struct clocks {
    struct order order;
    struct cells *globals;
    struct entries entries;
    struct race_pair open[16]; // of the access that is looked at: what may yet grow
    unsigned nopen;
};

struct clocks_group {
    struct order_group order;
    struct cells *locals;
    struct entries entries;
    uint32_t *noted1[O_SPACES]; // by item: the entry that it noted last, index + 1
};

struct clocks *clocks_create(struct race_launch *l)
{
    struct clocks *c = mem_alloc(sizeof *c);
    order_init(&c->order, l->c.ngroups, l->c.group_items + l->c.copies);
    return c;
}

static bool cells_init(struct cells *s, const struct race_root *r)
{
    if (s->chunks || s->refused) return s->chunks;
    s->shift = r->granule_shift;
    s->cells = ((r->size - 1) >> s->shift) + 1;
    s->chunks = mem_try_alloc(((s->cells >> CHUNK_SHIFT) + 1) * sizeof(struct cell *), 64);
    s->refused = !s->chunks;
    return !s->refused;
}

static struct cell *cell_at(struct cells *s, uint64_t cell)
{
    struct cell **chunk = &s->chunks[cell >> CHUNK_SHIFT];
    if (!*chunk) *chunk = mem_alloc(CHUNK * sizeof **chunk);
    return &(*chunk)[cell & (CHUNK - 1)];
}

static void cells_clear(struct cells *s)
{
    for (uint64_t i = 0; s->chunks && i <= s->cells >> CHUNK_SHIFT; i++) {
        free(s->chunks[i]);
        s->chunks[i] = NULL;
    }
}

static void entries_clear(struct entries *e)
{
    map_deinit(&e->index);
    vec_free(&e->list);
}

void clocks_group_begin(struct race_worker *w, struct clocks_group **at)
{
    struct race_launch *l = w->launch;
    if (!*at) {
        *at = mem_alloc(sizeof **at);
        (*at)->locals = mem_alloc((l->locals.len + 1) * sizeof *(*at)->locals);
        for (int s = 0; s < O_SPACES; s++) (*at)->noted1[s] = mem_alloc(l->c.group_items * sizeof(uint32_t));
    }
    struct clocks_group *g = *at;
    for (int s = 0; s < O_SPACES; s++) memset(g->noted1[s], 0, l->c.group_items * sizeof(uint32_t));
    for (size_t i = 0; i < l->locals.len; i++) cells_clear(&g->locals[i]);
    entries_clear(&g->entries);
    order_group_begin(&l->clocks->order, &g->order, w->group);
}

void clocks_group_end(struct race_launch *l, struct clocks_group *g)
{
    for (size_t i = 0; i < l->locals.len; i++) {
        cells_clear(&g->locals[i]);
        free(g->locals[i].chunks);
    }
    entries_clear(&g->entries);
    order_group_deinit(&l->clocks->order, &g->order);
    for (int s = 0; s < O_SPACES; s++) free(g->noted1[s]);
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
    entries_clear(&c->entries);
    order_deinit(&c->order);
    free(c);
}

void clocks_have_images(struct race_launch *l) { l->clocks->order.spaces = O_SPACES; }

void clocks_barrier(struct race_worker *w, unsigned fences, unsigned scope)
{
    order_barrier(&w->launch->clocks->order, &w->clocks->order, fences, scope);
}

void clocks_meet(struct race_worker *w, uint32_t first, uint32_t n, const uint8_t *mask, unsigned fences, unsigned scope)
{
    order_meet(&w->launch->clocks->order, &w->clocks->order, first, n, mask, fences, scope);
}

void clocks_fence(struct race_worker *w, uint32_t item, const struct race_fence_op *f)
{
    order_fence(&w->launch->clocks->order, &w->clocks->order, item, f);
}

// ---- one access of one lane

struct now {
    struct race_worker *w;
    const struct order *order;
    const struct order_group *group;
    struct cells *cells;
    struct entries *entries;
    uint32_t shadow;
    enum order_space space;
    unsigned object;
    uint64_t to_object;
    bool is_write, is_atomic;
    uint32_t item;
    struct order_stamp at;
    uint32_t begun_by; // a copy: so many work-items
    bool others_only;  // only what other groups did counts
};

static void flush(struct now *n)
{
    struct clocks *const c = n->w->launch->clocks;
    for (unsigned i = 0; i < c->nopen; i++) pairs_add(n->w->launch, &n->w->pairs, &c->open[i]);
    c->nopen = 0;
}

static struct race_access side(const struct now *n, const struct order_stamp *x, bool is_write, bool is_atomic)
{
    return (struct race_access){.site = x->site, .group = x->item / n->order->group_items,
                                .item = x->item % n->order->group_items, .is_write = is_write, .is_atomic = is_atomic,
                                .barriers = x->barriers};
}

static void report(struct now *n, uint64_t cell, const struct order_stamp *x, bool is_write, bool is_atomic,
                   enum race_verdict verdict)
{
    unsigned size = 1u << n->cells->shift;
    struct race_pair p = {.verdict = verdict, .object = n->object, .offset = (cell << n->cells->shift) - n->to_object,
                          .size = size, .first = side(n, x, is_write, is_atomic),
                          .second = side(n, &n->at, n->is_write, n->is_atomic), .count = 1, .groups = 1};
    const struct order_taken *t = verdict == RACE_RELAXED ? order_through(n->order, n->group, n->item, x, n->space) : NULL;
    if (t) p.through = (struct race_through){t->site, t->object, t->offset};
    if (p.first.group == p.second.group) p.barrier = n->w->barrier;
    else p.first.barriers = p.second.barriers = 0;
    if (p.second.group < p.first.group && verdict != RACE_RELAXED) {
        struct race_access a = p.first;
        p.first = p.second;
        p.second = a;
    }
    struct clocks *const c = n->w->launch->clocks;
    for (unsigned i = 0; i < c->nopen; i++) {
        struct race_pair *o = &c->open[i];
        if (o->verdict == p.verdict && o->offset + o->size == p.offset && o->first.site == p.first.site &&
            o->first.item == p.first.item && o->first.group == p.first.group && o->second.site == p.second.site &&
            o->second.item == p.second.item && o->first.is_write == p.first.is_write) {
            o->size += size;
            return;
        }
    }
    if (c->nopen == sizeof c->open / sizeof *c->open) flush(n);
    c->open[c->nopen++] = p;
}

enum relation { ORDERED, BY_CUSTOM, UNORDERED };

static enum relation relation(const struct now *n, const struct order_stamp *x)
{
    if (x->item == n->at.item) return ORDERED;
    if (n->others_only && x->item / n->order->group_items == n->group->group) return ORDERED;
    if (n->begun_by) {
        if (order_before_all(n->order, n->group, n->begun_by, x, O_STRICT, n->space)) return ORDERED;
        return order_before_all(n->order, n->group, n->begun_by, x, O_CUSTOM, n->space) ? BY_CUSTOM : UNORDERED;
    }
    if (order_before(n->order, n->group, n->item, x, O_STRICT, n->space)) return ORDERED;
    return order_before(n->order, n->group, n->item, x, O_CUSTOM, n->space) ? BY_CUSTOM : UNORDERED;
}

/** Tells when x and this access race; `same`: should they, then as stores of one value. */
static enum relation check(struct now *n, uint64_t cell, const struct order_stamp *x, bool is_write, bool is_atomic, bool same)
{
    enum relation r = relation(n, x);
    if (r == BY_CUSTOM) report(n, cell, x, is_write, is_atomic, RACE_RELAXED);
    if (r != UNORDERED) return r;
    bool one_group = x->item / n->order->group_items == n->group->group;
    report(n, cell, x, is_write, is_atomic,
           same                                            ? RACE_SAME_VALUE
           : one_group && x->barriers < n->group->barriers ? RACE_FENCE
                                                           : RACE_DATA);
    return r;
}

static bool is_entry(const struct now *n, const struct entry *e, uint64_t cell, uint64_t item, enum list_kind kind)
{
    return e->at.item == item && e->cell == cell && e->shadow == n->shadow && e->kind == kind && e->shift == n->cells->shift;
}

static struct entry *entry(struct now *n, struct cell *c, uint64_t cell, uint64_t item, enum list_kind kind, bool make)
{
    uint64_t key = (cell * L_KINDS + kind) * 0x9e3779b97f4a7c15u ^ item * 0xc2b2ae3d27d4eb4fu ^ (uint64_t)n->shadow << 40 ^ (uint64_t)n->cells->shift << 60;
    struct entries *es = n->entries;
    for (;; key++) {
        bool is_new = false;
        uint64_t *at = make ? map_put(&es->index, key, &is_new) : map_get(&es->index, key);
        if (!at) return NULL;
        if (is_new) {
            *at = es->list.len;
            vec_push(&es->list, (struct entry){.at = {.item = item}, .cell = cell, .shadow = n->shadow, .kind = (uint8_t)kind, .shift = (uint8_t)n->cells->shift});
        }
        struct entry *e = &es->list.data[*at];
        if (!is_entry(n, e, cell, item, kind)) continue;
        if (make && !e->listed) {
            e->listed = true;
            e->next1 = c->list1[kind];
            c->list1[kind] = (uint32_t)*at + 1;
        }
        return make || e->listed ? e : NULL;
    }
}

static void note(struct now *n, struct cell *c, uint64_t cell, enum list_kind kind, const struct order_stamp *x)
{
    entry(n, c, cell, x->item, kind, true)->at = *x;
}

/** Notes this access. Mostly the work-item has noted one of the cell before. */
static void note_own(struct now *n, struct cell *c, uint64_t cell, enum list_kind kind)
{
    uint32_t *const noted1 = &n->w->clocks->noted1[n->space][n->item];
    struct entry *e = *noted1 ? &n->entries->list.data[*noted1 - 1] : NULL;
    if (!e || !e->listed || !is_entry(n, e, cell, n->at.item, kind)) e = entry(n, c, cell, n->at.item, kind, true);
    e->at = n->at;
    *noted1 = (uint32_t)(e - n->entries->list.data) + 1;
}

static bool same_time(const struct order_stamp *a, const struct order_stamp *b)
{
    return a->item == b->item && a->barriers == b->barriers && a->releases == b->releases;
}

/** With no barrier between the two, but maybe a release. */
static bool same_interval(const struct order_stamp *a, const struct order_stamp *b)
{
    return a->item == b->item && a->barriers == b->barriers;
}

/** When this work-item itself stored what is there, or NULL. */
static const struct order_stamp *own_store(struct now *n, struct cell *c, uint64_t cell)
{
    if (!c->has_write) return NULL;
    if (c->write.item == n->at.item || c->mixed) return c->write.item == n->at.item ? &c->write : NULL;
    struct entry *e = c->list1[L_SAME] ? entry(n, c, cell, n->at.item, L_SAME, false) : NULL;
    return e ? &e->at : NULL;
}

static bool kind_writes(enum list_kind k) { return k >= L_ATOMIC_WRITE; }
static bool kind_is_atomic(enum list_kind k) { return k == L_ATOMIC_READ || k == L_ATOMIC_WRITE; }

/** All entries of a kind; of those that stored the same, one that races is as good as all. */
static void check_list(struct now *n, struct cell *c, uint64_t cell, enum list_kind kind)
{
    for (uint32_t i = c->list1[kind]; i;) {
        struct entry e = n->entries->list.data[i - 1];
        if (check(n, cell, &e.at, kind_writes(kind), kind_is_atomic(kind), false) == UNORDERED && kind == L_SAME) return;
        i = e.next1;
    }
}

/** The same for a plain write, which then stands for all of them but those that only miss a fence. */
static void check_and_drop(struct now *n, struct cell *c, uint64_t cell, enum list_kind kind, bool same)
{
    for (uint32_t *at = &c->list1[kind]; *at;) {
        struct entry *e = &n->entries->list.data[*at - 1];
        enum relation r = check(n, cell, &e->at, kind_writes(kind), kind_is_atomic(kind), same);
        if (r == UNORDERED && e->at.item / n->order->group_items == n->group->group && e->at.barriers < n->group->barriers) {
            at = &e->next1;
        } else {
            e->listed = false;
            *at = e->next1;
        }
    }
}

static void plain_read(struct now *n, struct cell *c, uint64_t cell)
{
    const struct order_stamp *const own = own_store(n, c, cell);
    const bool stored = own && same_interval(own, &n->at), all_said = own && same_time(own, &n->at);
    if (c->has_write) check(n, cell, &c->write, true, false, stored);
    check_list(n, c, cell, L_ATOMIC_WRITE);
    if (!stored) check_list(n, c, cell, L_SAME);
    if (all_said) return; // what it stored says all that the read could
    if (stored) {
        note_own(n, c, cell, L_OWN_READ);
        return;
    }
    if (!c->has_read || c->read.item == n->at.item) {
        c->has_read = true;
        c->read = n->at;
    } else {
        note_own(n, c, cell, L_READ);
    }
}

static void plain_write(struct now *n, struct cell *c, uint64_t cell, const uint8_t *value)
{
    uint64_t v = 0;
    if (value) memcpy(&v, value, 1u << n->cells->shift);
    bool differs = !value || !c->has_value || v != c->value, same = !differs && !c->mixed;
    enum relation r = c->has_write ? check(n, cell, &c->write, true, false, same) : ORDERED;
    if (r == ORDERED || !same) {
        check_and_drop(n, c, cell, L_SAME, false);
    } else {
        note(n, c, cell, L_SAME, &c->write);
        note(n, c, cell, L_SAME, &n->at);
    }
    for (enum list_kind k = L_READ; k <= L_ATOMIC_WRITE; k++) check_and_drop(n, c, cell, k, same && k == L_OWN_READ);
    if (c->has_read && check(n, cell, &c->read, false, false, false) == ORDERED) c->has_read = false;
    c->mixed = r != ORDERED && (c->mixed || differs);
    c->has_write = true;
    c->write = n->at;
    c->value = v;
    c->has_value = value;
}

static void atomic(struct now *n, struct cell *c, uint64_t cell)
{
    if (c->has_write) check(n, cell, &c->write, true, false, false);
    if (n->is_write && c->has_read) check(n, cell, &c->read, false, false, false);
    if (n->is_write) check_list(n, c, cell, L_READ);
    if (n->is_write) check_list(n, c, cell, L_OWN_READ);
    check_list(n, c, cell, L_SAME);
    note_own(n, c, cell, n->is_write ? L_ATOMIC_WRITE : L_ATOMIC_READ);
}

/** One byte and more of a cell's value. */
static uint64_t part_of(uint64_t value, unsigned at, unsigned size)
{
    return size == 8 ? value : value >> 8 * at & ((1ull << 8 * size) - 1);
}

/** Gives a part of a cell what the cell knew. */
static void take_over(struct now *n, uint64_t cell, const struct cell *from, unsigned at)
{
    struct cell *c = cell_at(n->cells, cell);
    *c = *from;
    c->value = part_of(from->value, at, 1u << n->cells->shift);
    for (enum list_kind k = 0; k < L_KINDS; k++) {
        c->list1[k] = 0;
        for (uint32_t i = from->list1[k]; i; i = n->entries->list.data[i - 1].next1) {
            const struct order_stamp x = n->entries->list.data[i - 1].at;
            note(n, c, cell, k, &x);
        }
    }
}

/** Cells of 1 << shift bytes instead of larger ones, for an access that is not of whole cells. */
static void refine(struct now *n, unsigned shift)
{
    struct cells old = *n->cells;
    const unsigned parts = 1u << (old.shift - shift);
    *n->cells = (struct cells){.shift = shift, .cells = old.cells * parts};
    n->cells->chunks = mem_alloc(((n->cells->cells >> CHUNK_SHIFT) + 1) * sizeof(struct cell *));
    for (uint64_t i = 0; i < old.cells; i++) {
        const struct cell *chunk = old.chunks[i >> CHUNK_SHIFT];
        for (unsigned k = 0; chunk && k < parts; k++) take_over(n, i * parts + k, &chunk[i & (CHUNK - 1)], k << shift);
        if (!chunk) i |= CHUNK - 1;
    }
    cells_clear(&old);
    free(old.chunks);
}

/** Where the object's cells are; false: they are not to be had. */
static bool find(struct now *n, struct race_worker *w, unsigned object)
{
    struct race_launch *l = w->launch;
    const struct race_watch *o = &l->watch[object];
    struct clocks *c = l->clocks;
    if (!c->globals) c->globals = mem_alloc((l->roots.len + 1) * sizeof *c->globals); // all are named by now
    *n = (struct now){.w = w, .order = &c->order, .group = &w->clocks->order, .object = object, .to_object = o->offset,
                      .shadow = o->index1 - 1, .space = o->is_local ? O_LOCAL : o->is_image ? O_IMAGES : O_GLOBAL};
    n->cells = o->is_local ? &w->clocks->locals[n->shadow] : &c->globals[n->shadow];
    n->entries = o->is_local ? &w->clocks->entries : &c->entries;
    const struct race_root *r = o->is_local ? &l->locals.data[n->shadow] : &l->roots.data[n->shadow];
    if (!r->size) return false;
    if (!cells_init(n->cells, r)) w->cut = true;
    return !n->cells->refused;
}

static void one(struct now *n, uint64_t offset, unsigned size, const uint8_t *value)
{
    uint64_t byte = offset + n->to_object, end = (byte + size) >> n->cells->shift;
    if ((byte | size) & ((1u << n->cells->shift) - 1)) {
        refine(n, (unsigned)__builtin_ctzll(byte | size));
        end = (byte + size) >> n->cells->shift;
    }
    for (uint64_t cell = byte >> n->cells->shift; cell < end; cell++) {
        struct cell *c = cell_at(n->cells, cell);
        if (n->is_atomic)
            atomic(n, c, cell);
        else if (n->is_write)
            plain_write(n, c, cell, value);
        else
            plain_read(n, c, cell);
        if (value) value += 1u << n->cells->shift;
    }
    flush(n);
}

void clocks_access(struct race_worker *w, const struct race_op *op)
{
    struct now n;
    if (!find(&n, w, op->object)) return;
    n.is_write = op->is_write;
    n.is_atomic = op->is_atomic;
    for (uint32_t i = 0; i < op->n; i++) {
        if (op->mask && !op->mask[i]) continue;
        const uint64_t offset = race_offset_of(op, i);
        n.item = op->first_item + i;
        n.at = order_touch(n.order, &w->clocks->order, n.item, op->site);
        one(&n, offset, op->size, op->values ? (const uint8_t *)op->values + (size_t)i * op->size : NULL);
    }
}

/** What the copy races with there, and nothing of it stays. */
static void look(struct now *n, struct cell *c, uint64_t cell)
{
    if (c->has_write) check(n, cell, &c->write, true, false, false);
    if (n->is_write && c->has_read) check(n, cell, &c->read, false, false, false);
    for (enum list_kind k = 0; k < L_KINDS; k++)
        if (n->is_write || k >= L_ATOMIC_WRITE) check_list(n, c, cell, k);
}

void clocks_copy(struct race_worker *w, const struct race_copy_side *s, bool is_write, uint32_t begun_by, bool ends)
{
    struct now n;
    const struct race_watch *o = &w->launch->watch[s->object];
    if (!o->index1 || !s->count || !find(&n, w, s->object)) return;
    const uint64_t bits = s->offset | s->step | s->size | o->offset;
    if (bits & ((1u << n.cells->shift) - 1)) refine(&n, (unsigned)__builtin_ctzll(bits));
    n.is_write = is_write;
    n.begun_by = begun_by;
    n.others_only = ends;
    n.item = w->launch->c.group_items;
    n.at = order_touch(n.order, &w->clocks->order, n.item, s->site);
    for (uint64_t k = 0; k < s->count; k++) {
        const uint64_t first = s->offset + k * s->step + o->offset;
        for (uint64_t cell = first >> n.cells->shift, end = (first + s->size) >> n.cells->shift; cell < end; cell++) {
            struct cell *c = cell_at(n.cells, cell);
            look(&n, c, cell);
            if (ends && is_write) c->has_write = c->mixed = true, c->has_value = false, c->write = n.at;
            else if (ends) note(&n, c, cell, L_READ, &n.at);
        }
        flush(&n);
    }
}

void clocks_copy_ended(struct race_worker *w) { order_tell_all(&w->launch->clocks->order, &w->clocks->order, w->launch->c.group_items); }

/** A name for the place: of global memory by root and byte; of local memory, each group's own. */
static uint64_t var_of(struct now *n, uint64_t byte)
{
    uint64_t place = (uint64_t)n->shadow << 44 ^ byte;
    return n->space != O_LOCAL ? place << 1 : ((n->group->group + 1) * 0x9e3779b97f4a7c15u ^ place) << 1 | 1;
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
    if (!w->launch->watch[op->object].is_followed) { // nothing but atomics, which do not race with one another
        n.at = order_touch(o, &w->clocks->order, n.item, op->site);
        one(&n, op->offset, op->size, NULL);
    }
    order_release(o, &w->clocks->order, var, op);
}
