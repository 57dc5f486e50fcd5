// SPDX-License-Identifier: MIT
#include "oracle.h"

#include "base/vec.h"
#include "bytecode/bytecode.h"

struct entry {
    bool is_local, is_write, is_atomic, has_value;
    unsigned root, size;
    uint64_t at, group, barriers, fences; // fences of its space that its group had passed
    uint32_t site, item;
    uint32_t copy; // async: which of the group's, + 1
    uint64_t end;  // in the list: of its copy
    uint8_t value[16];
};

struct oracle {
    VEC(struct entry) list;
    uint64_t group, barriers, fences[2];
};

struct oracle *oracle_create(void) { return mem_alloc(sizeof(struct oracle)); }

void oracle_destroy(struct oracle *o)
{
    vec_free(&o->list);
    free(o);
}

void oracle_group_begin(struct oracle *o, uint64_t group)
{
    o->group = group;
    o->barriers = o->fences[0] = o->fences[1] = 0;
}

void oracle_barrier(struct oracle *o, unsigned fences)
{
    o->barriers++;
    o->fences[0] += (fences & BC_FENCE_GLOBAL) != 0;
    o->fences[1] += (fences & BC_FENCE_LOCAL) != 0;
}

void oracle_access(struct oracle *o, bool is_local, unsigned root, uint64_t to_root,
                   const struct race_op *op)
{
    for (uint32_t i = 0; i < op->n; i++) {
        if (op->mask && !op->mask[i]) continue;
        uint64_t at = op->shape == RACE_INDEXED      ? op->offsets[i]
                      : op->shape == RACE_CONTIGUOUS ? op->offset0 + (uint64_t)i * op->size
                      : op->shape == RACE_ELEMENTS
                          ? (uint64_t)(op->element0 + op->elements[i]) << op->element_shift
                          : op->offset0;
        struct entry e = {.is_local = is_local,
                          .is_write = op->is_write,
                          .is_atomic = op->is_atomic,
                          .has_value = op->values != NULL,
                          .root = root,
                          .size = op->size,
                          .at = at + to_root,
                          .group = o->group,
                          .barriers = o->barriers,
                          .fences = o->fences[is_local],
                          .site = op->site,
                          .item = op->first_item + i};
        if (op->values)
            memcpy(e.value, (const uint8_t *)op->values + (size_t)i * op->size, op->size);
        vec_push(&o->list, e);
    }
}

void oracle_copy(struct oracle *o, uint32_t id, uint32_t item, bool is_local, unsigned root,
                 uint64_t to_root, const struct race_copy_side *s, bool is_write)
{
    for (uint64_t k = 0; k < s->count; k++)
        vec_push(&o->list, (struct entry){.is_local = is_local,
                                          .is_write = is_write,
                                          .root = root,
                                          .size = s->size,
                                          .at = s->offset + k * s->step + to_root,
                                          .group = o->group,
                                          .barriers = o->barriers,
                                          .fences = o->fences[is_local],
                                          .site = s->site,
                                          .item = item,
                                          .copy = id + 1,
                                          .end = UINT64_MAX});
}

void oracle_copy_end(struct oracle *o, uint32_t id)
{
    for (size_t i = 0; i < o->list.len; i++) {
        struct entry *e = &o->list.data[i];
        if (e->group == o->group && e->copy == id + 1 && e->end == UINT64_MAX) e->end = o->list.len;
    }
}

static bool covers(const struct entry *e, bool is_local, unsigned root, uint64_t byte)
{
    return e->is_local == is_local && e->root == root && byte >= e->at && byte < e->at + e->size;
}

static bool is_plain_write(const struct entry *e) { return e->is_write && !e->is_atomic; }

/**
 * Do all plain writes of the byte store the same: of the group since the fence and until `last`, or
 * of all groups.
 */
static bool all_same(const struct oracle *o, bool is_local, unsigned root, uint64_t byte,
                     const struct entry *a, size_t last)
{
    const struct entry *first = NULL;
    bool one_group = a->group == o->list.data[last].group;
    size_t end = one_group ? last + 1 : o->list.len;
    for (size_t i = 0; i < end; i++) {
        const struct entry *e = &o->list.data[i];
        if (!is_plain_write(e) || !covers(e, is_local, root, byte)) continue;
        if (one_group && (e->group != a->group || e->fences != a->fences || e->copy))
            continue; // with a copy it is another race
        if (!e->has_value) return false;
        if (first && first->value[byte - first->at] != e->value[byte - e->at]) return false;
        first = e;
    }
    return true;
}

/** A writer, or a reader that stored the byte itself before, in the same interval. */
static bool stores(const struct oracle *o, size_t k, uint64_t byte)
{
    const struct entry *e = &o->list.data[k];
    if (e->is_atomic || e->copy) return false;
    if (e->is_write) return true;
    for (size_t i = 0; i < k; i++) {
        const struct entry *x = &o->list.data[i];
        if (is_plain_write(x) && covers(x, e->is_local, e->root, byte) && x->group == e->group &&
            x->item == e->item && x->barriers == e->barriers)
            return true;
    }
    return false;
}

struct verdicts {
    bool races;
    enum race_verdict otherwise; // when it is not a race of same values
    bool may_same, must_same;
};

static struct verdicts judge(const struct oracle *o, size_t ia, size_t ib, uint64_t byte)
{
    const struct entry *a = &o->list.data[ia], *b = &o->list.data[ib];
    struct verdicts v = {0};
    if (!(a->is_write || b->is_write) || (a->is_atomic && b->is_atomic)) return v;
    if (a->group == b->group) {
        if (a->copy ? b->copy == a->copy || ib >= a->end
                    : a->item == b->item || a->fences != b->fences)
            return v;
        v.otherwise = a->copy || a->barriers == b->barriers ? RACE_DATA : RACE_FENCE;
    } else {
        if (a->is_local) return v;
        v.otherwise = RACE_DATA;
    }
    v.races = true;
    if (!stores(o, ia, byte) || !stores(o, ib, byte)) return v;
    v.may_same = all_same(o, a->is_local, a->root, byte, a, ib);
    v.must_same = v.may_same;
    for (uint64_t k = byte & ~7ull; v.must_same && k < (byte | 7) + 1; k++)
        v.must_same = all_same(o, a->is_local, a->root, k, a, ib);
    return v;
}

static enum oracle_class class_of(enum race_verdict v, bool first_writes)
{
    return v == RACE_DATA || (v == RACE_FENCE && first_writes) ? ORACLE_ERROR : ORACLE_WARNING;
}

struct oracle_byte oracle_byte(const struct oracle *o, bool is_local, unsigned root, uint64_t byte)
{
    struct oracle_byte r = {0};
    for (size_t ib = 0; ib < o->list.len; ib++) {
        if (!covers(&o->list.data[ib], is_local, root, byte)) continue;
        for (size_t ia = 0; ia < ib; ia++) {
            if (!covers(&o->list.data[ia], is_local, root, byte)) continue;
            struct verdicts v = judge(o, ia, ib, byte);
            if (!v.races) continue;
            enum oracle_class c = class_of(v.otherwise, o->list.data[ia].is_write);
            enum oracle_class least = v.may_same ? ORACLE_WARNING : c,
                              most = v.must_same ? ORACLE_WARNING : c;
            if (least > r.least) r.least = least;
            if (most > r.most) r.most = most;
        }
    }
    return r;
}

static bool is_side(const struct entry *e, const struct race_access *s)
{
    return e->site == s->site && e->group == s->group && e->item == s->item &&
           e->is_write == s->is_write && e->is_atomic == s->is_atomic;
}

bool oracle_has_pair(const struct oracle *o, bool is_local, unsigned root, uint64_t byte,
                     const struct race_pair *p)
{
    bool ordered = p->first.group == p->second.group; // else there is no earlier and later
    for (size_t ib = 0; ib < o->list.len; ib++) {
        if (!covers(&o->list.data[ib], is_local, root, byte)) continue;
        for (size_t ia = 0; ia < ib; ia++) {
            const struct entry *a = &o->list.data[ia], *b = &o->list.data[ib];
            if (!covers(a, is_local, root, byte)) continue;
            bool fits = is_side(a, &p->first) && is_side(b, &p->second);
            if (!fits && !ordered) fits = is_side(a, &p->second) && is_side(b, &p->first);
            if (!fits) continue;
            struct verdicts v = judge(o, ia, ib, byte);
            if (!v.races) continue;
            if (p->verdict == RACE_SAME_VALUE ? v.may_same
                                              : !v.must_same && v.otherwise == p->verdict)
                return true;
        }
    }
    return false;
}
