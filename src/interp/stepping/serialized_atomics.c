// SPDX-License-Identifier: MIT
// Serialized atomics: work-items that run together get the outcome of running one after another.
//
// Under a debugger, work-items run one after another to the next barrier. When they run as lanes of
// a gang instead (scout.h), atomics on one place are performed in another order, which is visible
// if a work-item uses the old value. Between barriers a work-item depends on others by nothing
// else, so it suffices that each one finds in memory what the earlier ones leave there.
//
// Each work-item has its own version of each place: the value it found first, and the value it
// left. The value it finds is predicted (value prediction): the version of the nearest earlier
// work-item that was there, or a prediction from an earlier attempt. At the end of the interval,
// the run is valid if each version starts with what the one before it ended with. Otherwise the
// versions give a better prediction: sums are shifted by what each one added, minima and related
// operations are recomputed, and for other operations the version before is taken. One counter that
// every work-item increments is right at once; in a loop, at the second attempt. Predictions may be
// wrong too, if work-items take another path.
//
// Memory holds the version of the work-item that was there last, so a work-item that owns a place
// may also access it without atomics. Others may not: that is a race.
#include "interp/stepping/serialized_atomics.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "interp/calls/sys.h"

#include <stdlib.h>
#include <string.h>

struct version {
    uint64_t found, made;
    uint32_t idle; // operations in a row that changed nothing
};
struct place {
    char *p;
    uint64_t before;
    uint32_t last; // who was here
    uint32_t nitems;
    uint8_t size;
    uint8_t op;   // enum bc_atomic_op; MIXED: several
    uint32_t *of; // item → version + 1
};
enum {
    MIXED = 255,
    NOBODY = UINT32_MAX,
    MOST_IDLE = 1000,
    MOST = 1 << 22
}; // MOST: versions that there may be

struct vm_serial_plan {
    uint32_t items;
    struct map places;     // address → index + 1
    VEC(uint64_t *) found; // [item]
};

struct vm_serial {
    uint32_t items;
    const struct vm_serial_plan *plan;
    struct map places; // address → index + 1
    VEC(struct place) list;
    size_t last; // in it: whom the last operation was on
    VEC(struct version) versions;
    VEC(uint32_t *) spare;
    bool impossible; // one place in two sizes, too many of them, somebody who waits for others
};

struct vm_serial *vm_serial_create(uint32_t items)
{
    struct vm_serial *s = mem_alloc(sizeof *s);
    s->items = items;
    return s;
}

static void clear(struct vm_serial *s)
{
    for (size_t i = 0; i < s->list.len; i++) {
        memset(s->list.data[i].of, 0, s->items * sizeof *s->list.data[i].of);
        vec_push(&s->spare, s->list.data[i].of);
    }
    vec_clear(&s->list);
    vec_clear(&s->versions);
    map_deinit(&s->places);
    s->impossible = false;
}

void vm_serial_destroy(struct vm_serial *s)
{
    if (!s) return;
    clear(s);
    for (size_t i = 0; i < s->spare.len; i++) free(s->spare.data[i]);
    vec_free(&s->spare);
    vec_free(&s->list);
    vec_free(&s->versions);
    free(s);
}

uint64_t vm_serial_plan_bytes(const struct vm_serial_plan *p)
{
    return sizeof *p + p->found.len * (p->items * sizeof(uint64_t) + 3 * sizeof(uint64_t));
}

void vm_serial_plan_free(struct vm_serial_plan *p)
{
    if (!p) return;
    for (size_t i = 0; i < p->found.len; i++) free(p->found.data[i]);
    vec_free(&p->found);
    map_deinit(&p->places);
    free(p);
}

void vm_serial_begin(struct vm_serial *s, const struct vm_serial_plan *plan)
{
    clear(s);
    s->plan = plan;
}

static uint64_t get(const char *p, unsigned size)
{
    uint32_t w;
    uint64_t v;
    if (size == 8) return memcpy(&v, p, 8), v;
    memcpy(&w, p, 4);
    return w;
}

static void put(char *p, unsigned size, uint64_t v)
{
    if (size == 8) memcpy(p, &v, 8);
    else memcpy(p, &(uint32_t){(uint32_t)v}, 4);
}

static struct place *place_of(struct vm_serial *s, char *p, unsigned size)
{
    bool is_new;
    if (s->last < s->list.len && s->list.data[s->last].p == p && s->list.data[s->last].size == size)
        return &s->list.data[s->last];
    uint64_t *at = map_put_ptr(&s->places, p, &is_new);
    if (!is_new) {
        struct place *x = &s->list.data[s->last = *at - 1];
        s->impossible |= x->size != size;
        return x;
    }
    s->impossible |= s->list.len * s->items > MOST;
    uint32_t *of = s->spare.len ? vec_pop(&s->spare) : mem_alloc(s->items * sizeof *of);
    vec_push(&s->list, ((struct place){.p = p,
                                       .before = get(p, size),
                                       .last = NOBODY,
                                       .size = (uint8_t)size,
                                       .op = MIXED,
                                       .of = of}));
    *at = s->list.len;
    s->last = s->list.len - 1;
    return &vec_last(&s->list);
}

/** What an item that comes to a place for the first time is reported to find. */
static uint64_t guess(const struct vm_serial *s, const struct place *x, uint32_t item)
{
    const uint64_t *planned = s->plan ? map_get_ptr(&s->plan->places, x->p) : NULL;
    if (planned) return s->plan->found.data[*planned - 1][item];
    for (uint32_t i = item; x->nitems && i-- > 0;)
        if (x->of[i]) return s->versions.data[x->of[i] - 1].made;
    return x->nitems ? x->before : get(x->p, x->size);
}

uint64_t vm_serial_operate(struct vm_serial *s, const struct bc_mem *m, char *p, uint32_t item,
                           uint64_t v, uint64_t compare, bool *changed)
{
    struct place *x = place_of(s, p, m->elem);
    const uint8_t op = m->kind == BC_ATOMIC_RMW
                           ? m->atomic_op == BC_ATOMIC_SUB ? BC_ATOMIC_ADD : (uint8_t)m->atomic_op
                           : MIXED;
    if (!x->of[item]) {
        const uint64_t found = guess(s, x, item);
        x->op = x->nitems ? x->op == op ? op : MIXED : op;
        vec_push(&s->versions, ((struct version){.found = found, .made = found}));
        x->of[item] = (uint32_t)s->versions.len;
        x->nitems++;
    } else if (x->op != op) {
        x->op = MIXED;
    }
    struct version *own = &s->versions.data[x->of[item] - 1];
    if (x->last == item) own->made = get(p, m->elem);
    const uint64_t was = own->made;
    uint64_t is = was;
    if (op == BC_ATOMIC_ADD) is = m->atomic_op == BC_ATOMIC_ADD ? was + v : was - v;
    else vm_atomic_operate(m, (char *)&is, v, compare, changed);
    if (m->elem == 4) is = (uint32_t)is;
    *changed |= is != was;
    own->made = is;
    own->idle = is == was ? own->idle + 1 : 0;
    s->impossible |= own->idle > MOST_IDLE;
    put(p, m->elem, is);
    x->last = item;
    return was;
}

/** The version that follows from another beginning, as far as that can be said. */
static uint64_t moved(const struct place *x, const struct version *v, uint64_t found)
{
    const struct bc_mem m = {.kind = BC_ATOMIC_RMW, .atomic_op = x->op, .elem = x->size};
    bool changed = false;
    uint64_t r = found;
    if (v->found == found) return v->made;
    switch (x->op) {
    case BC_ATOMIC_ADD: r += v->made - v->found; break;
    case BC_ATOMIC_XOR: r ^= v->made ^ v->found; break;
    case BC_ATOMIC_AND:
    case BC_ATOMIC_OR:
    case BC_ATOMIC_SMIN:
    case BC_ATOMIC_SMAX:
    case BC_ATOMIC_UMIN:
    case BC_ATOMIC_UMAX: vm_atomic_operate(&m, (char *)&r, v->made, 0, &changed); break;
    default: return v->made;
    }
    return get((const char *)&r, x->size);
}

bool vm_serial_is_impossible(const struct vm_serial *s) { return s->impossible; }

bool vm_serial_end(struct vm_serial *s)
{
    bool good = !s->impossible;
    for (size_t k = 0; k < s->list.len && good; k++) {
        const struct place *x = &s->list.data[k];
        uint64_t is = x->before;
        for (uint32_t i = 0; i < s->items && good; i++) {
            if (!x->of[i]) continue;
            const struct version *v = &s->versions.data[x->of[i] - 1];
            good = v->found == is;
            is = v->made;
        }
        if (good && x->nitems > 1) put(x->p, x->size, is);
    }
    if (good) vm_serial_begin(s, NULL);
    return good;
}

struct vm_serial_plan *vm_serial_next_plan(struct vm_serial *s)
{
    struct vm_serial_plan *p = mem_alloc(sizeof *p);
    p->items = s->items;
    for (size_t k = 0; k < s->list.len; k++) {
        const struct place *x = &s->list.data[k];
        uint64_t is = x->before, *found = mem_alloc(s->items * sizeof *found);
        for (uint32_t i = 0; i < s->items; i++) {
            found[i] = is;
            if (x->of[i]) is = moved(x, &s->versions.data[x->of[i] - 1], is);
        }
        vec_push(&p->found, found);
        *map_put_ptr(&p->places, x->p, NULL) = p->found.len;
    }
    return p;
}
