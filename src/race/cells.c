// SPDX-License-Identifier: MIT
/*
 * Data races of launches that synchronize through atomics. No single number (an epoch) can express
 * the order of such a launch, so a cell keeps whole stamps: the last plain writer, one reader, and
 * in a list every other work-item that read it, or accessed it atomically. A plain write that is
 * ordered after an entry of the list drops the entry. order.c computes happens-before.
 *
 * Why these suffice. A plain write w that is ordered after all of a cell's stamps replaces them: an
 * access that is ordered after w is ordered after them, and an access that is not races with w. A
 * second access of the same kind by the same work-item replaces the first. An access that raced has
 * been reported, so its byte stays racy; its stamp is dropped, too. The de-facto order of OpenCL
 * 1.x (order.c) is transitive like the strict order, so the same stamps serve both: a pair that
 * neither order covers is an error, and a pair that only the de-facto order covers is reported as
 * RACE_RELAXED.
 *
 * Values: stores of the same value by several work-items get a separate warning (race.c). MIXED on
 * a cell means that the unordered stores differed. The list L_SAME_VALUE has all work-items that
 * stored the same value. L_OWN_READ has those that read the value that they had stored themselves,
 * with a release between.
 *
 * Two atomics race, too, if the scope of one excludes the other's work-item (race_config.scope_of).
 * This is checked only where an atomic had a scope narrower than the device, and inside a group
 * only where one had a scope narrower than the group.
 *
 * A barrier of a sub-group orders only the work-items of the sub-group, which a count of the
 * group's barriers cannot express. So launches with such barriers are checked here, too.
 *
 * Most accesses need none of the lists: only the work-item itself accessed the cell before, or all
 * earlier accesses are ordered before (clocks.c). A barrier that fences local memory orders all
 * earlier accesses to it before all later ones, so local memory then starts a new generation of
 * cells, all of them empty. All work-items may read a table in local memory: a cell that was only
 * read has a row with a time for each reader, and one more read is one store (cells.rows1).
 *
 * An async copy counts as one more work-item of its group, the last. An access is ordered before
 * the copy if it is ordered before every work-item that begins the copy. After the wait, the copy
 * leaves stamps that all work-items of the group know.
 */
#include "race/cells.h"

#include "bytecode/bytecode.h"

void cells_clear(struct cells *s)
{
    free(s->rows1);
    s->rows1 = NULL;
    s->is_quick = false;
    for (uint64_t i = 0; s->chunks && i <= s->cells >> CHUNK_SHIFT; i++) {
        free(s->chunks[i]);
        s->chunks[i] = NULL;
    }
}

void cells_flush(struct now *n)
{
    struct clocks *const c = n->w->launch->clocks;
    for (unsigned i = 0; i < c->nopen; i++) pairs_add(n->w->launch, &n->w->pairs, &c->open[i]);
    c->nopen = 0;
}

static struct race_access side(const struct now *n, const struct order_stamp *x, bool is_write,
                               bool is_atomic)
{
    return (struct race_access){.site = x->site,
                                .group = x->item / n->order->group_items,
                                .item = x->item % n->order->group_items,
                                .is_write = is_write,
                                .is_atomic = is_atomic,
                                .barriers = x->barriers};
}

static bool same_side(const struct race_access *a, const struct race_access *b)
{
    return a->site == b->site && a->item == b->item && a->group == b->group &&
           a->is_write == b->is_write && a->is_atomic == b->is_atomic;
}

static void report(struct now *n, uint64_t cell, const struct order_stamp *x, bool is_write,
                   bool is_atomic, enum race_verdict verdict)
{
    unsigned size = 1u << n->cells->shift;
    struct race_pair p = {.verdict = verdict,
                          .object = n->object,
                          .offset = (cell << n->cells->shift) - n->to_object,
                          .size = size,
                          .first = side(n, x, is_write, is_atomic),
                          .second = side(n, &n->at, n->is_write, n->is_atomic),
                          .count = 1};
    const struct order_taken *t =
        verdict == RACE_RELAXED ? order_through(n->order, n->group, n->item, x, n->space) : NULL;
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
        if (o->verdict == p.verdict && o->offset + o->size == p.offset &&
            same_side(&o->first, &p.first) && same_side(&o->second, &p.second)) {
            o->size += size;
            return;
        }
    }
    if (c->nopen == sizeof c->open / sizeof *c->open) cells_flush(n);
    c->open[c->nopen++] = p;
}

enum relation { ORDERED, BY_DE_FACTO, UNORDERED };

static enum relation relation(struct now *n, const struct order_stamp *x)
{
    if (x->item == n->at.item) return ORDERED;
    if (n->others_only && x->item / n->order->group_items == n->group->group) return ORDERED;
    if (n->begun_by) {
        if (order_before_all(n->order, n->group, n->begun_by, x, O_STRICT, n->space))
            return ORDERED;
        return order_before_all(n->order, n->group, n->begun_by, x, O_DE_FACTO, n->space)
                   ? BY_DE_FACTO
                   : UNORDERED;
    }
    if (is_seen(n, x)) return ORDERED;
    return order_before(n->order, n->group, n->item, x, O_DE_FACTO, n->space) ? BY_DE_FACTO
                                                                              : UNORDERED;
}

/** Do x and this access race, and how? `same`: if they race, then as stores of one value. */
static enum relation check(struct now *n, uint64_t cell, const struct order_stamp *x, bool is_write,
                           bool is_atomic, bool same)
{
    enum relation r = relation(n, x);
    if (r == BY_DE_FACTO) report(n, cell, x, is_write, is_atomic, RACE_RELAXED);
    if (r != UNORDERED) return r;
    bool one_group = x->item / n->order->group_items == n->group->group;
    report(n, cell, x, is_write, is_atomic,
           same                                            ? RACE_SAME_VALUE
           : one_group && x->barriers < n->group->barriers ? RACE_FENCE
                                                           : RACE_DATA);
    return r;
}

static struct reader_key key_of(const struct now *n, uint64_t cell, enum list_kind kind)
{
    return (struct reader_key){cell, n->shadow, (uint16_t)kind, (uint16_t)n->cells->shift};
}

void cells_note(struct now *n, struct cell *c, uint64_t cell, enum list_kind kind,
                const struct order_stamp *x)
{
    struct store *const s = n->store;
    if (!c->others1 && s->free_others.len) {
        c->others1 = vec_pop(&s->free_others);
    } else if (!c->others1) {
        (void)vec_add(&s->others);
        c->others1 = (uint32_t)s->others.len;
    }
    const struct reader_key key = key_of(n, cell, kind);
    readers_put(&s->readers, &others_of(n, c)->list1[kind], &key, x);
}

/** Frees the record of the lists if all of them are empty. */
static void tidy_others(struct now *n, struct cell *c)
{
    const struct others *const o = others_of(n, c);
    for (enum list_kind k = 0; k < L_KINDS; k++)
        if (!o || o->list1[k]) return;
    vec_push(&n->store->free_others, c->others1);
    c->others1 = 0;
}

static bool same_time(const struct order_stamp *a, const struct order_stamp *b)
{
    return a->item == b->item && a->barriers == b->barriers && a->releases == b->releases;
}

/**
 * If this work-item stored the present value of the cell: stores the stamp of that to *x; otherwise
 * false.
 */
static bool own_store(struct now *n, const struct cell *c, uint64_t cell, struct order_stamp *x)
{
    if (!(c->bits & HAS_WRITE)) return false;
    if (c->write.item == n->at.item) {
        *x = c->write;
        return true;
    }
    const struct others *const o = others_of(n, c);
    if (c->bits & MIXED || !o || !o->list1[L_SAME_VALUE]) return false;
    const struct reader_key key = key_of(n, cell, L_SAME_VALUE);
    return readers_find(&n->store->readers, o->list1[L_SAME_VALUE], &key, n->at.item, x);
}

static bool kind_writes(enum list_kind k) { return k >= L_ATOMIC_WRITE; }
static bool kind_is_atomic(enum list_kind k) { return k == L_ATOMIC_READ || k == L_ATOMIC_WRITE; }

/** Are all accesses of the set's members strictly ordered before this one? False: unknown. */
static bool set_is_seen(struct now *n, const struct reader_set *set)
{
    const struct order_stamp latest = {.item = set->group * n->order->group_items,
                                       .barriers = set->latest,
                                       .releases = UINT32_MAX};
    return !n->begun_by && is_seen(n, &latest);
}

/** Checks all entries of a kind. For entries that stored the same value, one race is enough. */
static void check_list(struct now *n, const struct cell *c, uint64_t cell, enum list_kind kind)
{
    const struct others *const o = others_of(n, c);
    const struct readers *const s = &n->store->readers;
    const struct reader_set *set;
    for (uint32_t i1 = o ? o->list1[kind] : 0; i1; i1 = set->next1) {
        set = &s->sets.data[i1 - 1];
        struct order_stamp x;
        for (uint32_t k = set_is_seen(n, set) ? 0 : readers_count(s, set); k-- > 0;)
            if (readers_at(s, set, k, &x) &&
                check(n, cell, &x, kind_writes(kind), kind_is_atomic(kind), false) == UNORDERED &&
                kind == L_SAME_VALUE)
                return;
    }
}

/** Does the write replace the stamp x, reported or not? Yes, except if only a fence is missing. */
static bool stands_for(const struct now *n, const struct order_stamp *x, enum relation r)
{
    return r != UNORDERED || x->item - n->view.first >= n->order->group_items ||
           x->barriers >= n->group->barriers;
}

/** The same for a plain write, which replaces the entries. */
static void check_and_drop(struct now *n, const struct cell *c, uint64_t cell, enum list_kind kind,
                           bool same)
{
    struct others *const o = others_of(n, c);
    struct readers *const s = &n->store->readers;
    for (uint32_t *at1 = o ? &o->list1[kind] : NULL; at1 && *at1;) {
        struct reader_set *const set = &s->sets.data[*at1 - 1];
        const bool is_seen = set_is_seen(n, set);
        bool any = false;
        struct order_stamp x;
        for (uint32_t k = is_seen ? 0 : readers_count(s, set); k-- > 0;) {
            if (!readers_at(s, set, k, &x)) continue;
            const bool stays = !stands_for(
                n, &x, check(n, cell, &x, kind_writes(kind), kind_is_atomic(kind), same));
            if (!stays) readers_drop(s, set, k);
            any |= stays;
        }
        if (!any) readers_drop_set(s, at1);
        else at1 = &set->next1;
    }
}

/** Moves the read of a value that the reader itself stored to its list. */
static void list_own_read(struct now *n, struct cell *c, uint64_t cell)
{
    if (!(c->bits & OWN_READ)) return;
    cells_note(n, c, cell, L_OWN_READ, &c->read);
    c->bits &= ~(HAS_READ | OWN_READ);
}

static void plain_read(struct now *n, struct cell *c, uint64_t cell)
{
    struct order_stamp own;
    const bool has_own = own_store(n, c, cell, &own),
               stored = has_own && same_interval(&own, &n->at),
               all_said = has_own && same_time(&own, &n->at);
    list_own_read(n, c, cell);
    if (c->bits & HAS_WRITE) check(n, cell, &c->write, true, false, stored);
    check_list(n, c, cell, L_ATOMIC_WRITE);
    if (!stored) check_list(n, c, cell, L_SAME_VALUE);
    if (all_said) return; // a race with this read is also one with its store
    if (stored) {
        cells_note(n, c, cell, L_OWN_READ, &n->at);
        return;
    }
    if (!(c->bits & HAS_READ) || c->read.item == n->at.item) {
        c->bits |= HAS_READ;
        c->read = n->at;
    } else {
        cells_note(n, c, cell, L_READ, &n->at);
    }
}

static void plain_write(struct now *n, struct cell *c, uint64_t cell, const uint8_t *value)
{
    uint64_t v = 0;
    if (value) memcpy(&v, value, 1u << n->cells->shift);
    list_own_read(n, c, cell);
    bool differs = !value || !(c->bits & HAS_VALUE) || v != c->value,
         same = !differs && !(c->bits & MIXED);
    enum relation r = c->bits & HAS_WRITE ? check(n, cell, &c->write, true, false, same) : ORDERED;
    if (r == ORDERED || !same) {
        check_and_drop(n, c, cell, L_SAME_VALUE, false);
    } else {
        cells_note(n, c, cell, L_SAME_VALUE, &c->write);
        cells_note(n, c, cell, L_SAME_VALUE, &n->at);
    }
    for (enum list_kind k = L_READ; k <= L_ATOMIC_WRITE; k++)
        check_and_drop(n, c, cell, k, same && k == L_OWN_READ);
    if (c->bits & HAS_READ && check(n, cell, &c->read, false, false, false) == ORDERED)
        c->bits &= ~HAS_READ;
    set_write(n, c, r != ORDERED && (c->bits & MIXED || differs), value);
    tidy_others(n, c);
}

/** Does the scope of one of the two atomics exclude the work-item of the other? */
static bool leaves_out(const struct now *n, const struct order_stamp *x)
{
    const struct race_config *const config = &n->w->launch->c;
    const uint64_t items = n->order->group_items;
    const uint8_t a = config->scope_of[x->site], b = config->scope_of[n->at.site],
                  least = a < b ? a : b;
    if (least >= BC_SCOPE_DEVICE) return false;
    if (x->item / items != n->at.item / items || least == BC_SCOPE_ITEM) return true;
    return least == BC_SCOPE_SUB_GROUP &&
           x->item % items / config->sub_group != n->at.item % items / config->sub_group;
}

/** Checks the scopes of atomics; one race is enough. */
static bool check_scopes(struct now *n, const struct cell *c, uint64_t cell, enum list_kind kind)
{
    const struct others *const o = others_of(n, c);
    const struct readers *const s = &n->store->readers;
    const struct reader_set *set;
    for (uint32_t i1 = o ? o->list1[kind] : 0; i1; i1 = set->next1) {
        set = &s->sets.data[i1 - 1];
        struct order_stamp x;
        if (!(c->bits & NARROWER) && set->group == n->group->group) continue;
        for (uint32_t k = set_is_seen(n, set) ? 0 : readers_count(s, set); k-- > 0;)
            if (readers_at(s, set, k, &x) && leaves_out(n, &x) && relation(n, &x) == UNORDERED)
                return check(n, cell, &x, kind_writes(kind), true, false) == UNORDERED;
    }
    return false;
}

static void scopes(struct now *n, struct cell *c, uint64_t cell)
{
    const uint8_t scope = n->w->launch->c.scope_of[n->at.site];
    c->bits |= scope >= BC_SCOPE_DEVICE ? 0 : scope == BC_SCOPE_GROUP ? NARROW : NARROW | NARROWER;
    if (!(c->bits & NARROW) || check_scopes(n, c, cell, L_ATOMIC_WRITE) || !n->is_write) return;
    check_scopes(n, c, cell, L_ATOMIC_READ);
}

static void atomic(struct now *n, struct cell *c, uint64_t cell)
{
    if (n->w->launch->c.scope_of) scopes(n, c, cell);
    list_own_read(n, c, cell);
    if (c->bits & HAS_WRITE) check(n, cell, &c->write, true, false, false);
    if (n->is_write && c->bits & HAS_READ) check(n, cell, &c->read, false, false, false);
    if (n->is_write) check_list(n, c, cell, L_READ);
    if (n->is_write) check_list(n, c, cell, L_OWN_READ);
    check_list(n, c, cell, L_SAME_VALUE);
    cells_note(n, c, cell, n->is_write ? L_ATOMIC_WRITE : L_ATOMIC_READ, &n->at);
}

void cells_begin_quick(struct now *n, uint64_t cell, uint32_t row1)
{
    struct cells *const s = n->cells;
    if (!s->rows1) s->rows1 = mem_alloc(s->cells * sizeof *s->rows1);
    s->rows1[cell] = row1;
    s->is_quick = true;
}

/** Moves the cell's readers from cells.rows1 to its lists. */
void cells_end_quick(struct now *n, struct cell *c, uint64_t cell)
{
    n->cells->rows1[cell] = 0;
    struct reader_set *const set =
        &n->store->readers.sets
             .data[others_of(n, c)->list1[L_READ] - 1]; // local memory has exactly one
    const uint32_t reader = (uint32_t)(c->read.item - n->view.first);
    if (readers_at(&n->store->readers, set, reader, &c->read))
        readers_drop(&n->store->readers, set, reader);
}

/** Bytes [at, at + size) of a cell's value. */
static uint64_t part_of(uint64_t value, unsigned at, unsigned size)
{
    return size == 8 ? value : value >> 8 * at & ((1ull << 8 * size) - 1);
}

/**
 * Copies the stamps of a cell to a part of it. `shift`: log2 of the cell size that the lists had.
 */
static void take_over(struct now *n, uint64_t cell, const struct cell *from, unsigned at)
{
    struct cell *c = cell_at(n->cells, cell);
    *c = *from;
    c->value = part_of(from->value, at, 1u << n->cells->shift);
    c->others1 = 0;
    const struct readers *const s = &n->store->readers;
    for (enum list_kind kind = 0; kind < L_KINDS; kind++)
        for (uint32_t i1 = from->others1 ? n->store->others.data[from->others1 - 1].list1[kind] : 0;
             i1; i1 = s->sets.data[i1 - 1].next1) {
            struct order_stamp x;
            for (uint32_t k = 0; k < readers_count(s, &s->sets.data[i1 - 1]); k++)
                if (readers_at(s, &s->sets.data[i1 - 1], k, &x)) cells_note(n, c, cell, kind, &x);
        }
}

/** Frees the lists of a cell that is dropped. */
static void drop_others(struct now *n, struct cell *c)
{
    for (enum list_kind k = 0; c->others1 && k < L_KINDS; k++)
        for (uint32_t *list1 = &others_of(n, c)->list1[k]; *list1;)
            readers_drop_set(&n->store->readers, list1);
    if (c->others1) tidy_others(n, c);
}

/** Divides the cells into cells of 1 << shift bytes, for an access that covers a cell partially. */
void cells_refine(struct now *n, unsigned shift)
{
    for (uint64_t i = 0; n->cells->is_quick && i < n->cells->cells; i++)
        if (n->cells->rows1[i]) cells_end_quick(n, cell_at(n->cells, i), i);
    struct cells old = *n->cells;
    const unsigned parts = 1u << (old.shift - shift);
    *n->cells = (struct cells){.shift = shift, .cells = old.cells * parts, .round = old.round};
    n->cells->chunks = mem_alloc(((n->cells->cells >> CHUNK_SHIFT) + 1) * sizeof(struct cell *));
    for (uint64_t i = 0; i < old.cells; i++) {
        struct cell *chunk = old.chunks[i >> CHUNK_SHIFT],
                    *c = chunk ? &chunk[i & (CHUNK - 1)] : NULL;
        if (c && c->bits / ROUND == old.round / ROUND) {
            for (unsigned k = 0; k < parts; k++) take_over(n, i * parts + k, c, k << shift);
            drop_others(n, c);
        }
        if (!chunk) i |= CHUNK - 1;
    }
    cells_clear(&old);
    free(old.chunks);
}

/** The slow path for one cell. */
void cells_access(struct now *n, struct cell *c, uint64_t cell, const uint8_t *value)
{
    if (n->is_atomic) atomic(n, c, cell);
    else if (n->is_write) plain_write(n, c, cell, value);
    else plain_read(n, c, cell);
}

/** Reports the races of an async copy there; stores no stamp. */
void cells_look(struct now *n, struct cell *c, uint64_t cell)
{
    list_own_read(n, c, cell);
    if (c->bits & HAS_WRITE) check(n, cell, &c->write, true, false, false);
    if (n->is_write && c->bits & HAS_READ) check(n, cell, &c->read, false, false, false);
    for (enum list_kind k = 0; k < L_KINDS; k++)
        if (n->is_write || k >= L_ATOMIC_WRITE) check_list(n, c, cell, k);
}
