// SPDX-License-Identifier: MIT
#include "race/lanes.h"

typedef uint16_t __attribute__((aligned(1), may_alias)) uint16_u;
typedef uint32_t __attribute__((aligned(1), may_alias)) uint32_u;
typedef uint64_t __attribute__((aligned(1), may_alias)) uint64_u;

enum {
    BATCH = 256,   // cells looked at together where they are scattered
    ROW_MIN = 8,   // shorter rows are not worth a call
    CONSTANT = 31, // as a shift: all cells are of one work-item
};

struct gang {
    struct race_worker *w;
    struct race_space *sp;
    struct race_shadow *s;
    const struct race_op *op;
    uint64_t to_object;
};

/** Lanes [lane, lane + n) one after the other; `masked`: those of them that are active. */
static void by_the_rules(struct gang *g, uint32_t lane, uint32_t n, bool masked)
{
    struct race_op part = *g->op;
    part.first_item += lane;
    part.n = n;
    part.mask = masked && part.mask ? part.mask + lane : NULL;
    if (part.offsets) part.offsets += lane;
    if (part.shape == RACE_CONTIGUOUS) part.offset0 += (uint64_t)lane * part.size;
    if (part.values) part.values = (const uint8_t *)part.values + (size_t)lane * part.size;
    exact_access(g->w, g->sp, g->s, &part, g->to_object);
}

#define VIEW(T)                                                                                    \
    {                                                                                              \
        T past, live, fence, current, me, item, same, mg, ma;                                      \
    }
struct view32 VIEW(uint32_t);
struct view64 VIEW(uint64_t);

#define T    uint32_t
#define N(x) x##32
#include "race/lanes.inc"
#undef T
#undef N
#define T    uint64_t
#define N(x) x##64
#include "race/lanes.inc"
#undef T
#undef N

/** Bits that keep the accesses from being whole cells of a larger size: offsets and size or'ed together. */
static uint64_t alignment_bits(const struct race_op *op, uint64_t to_object)
{
    uint64_t bits = op->size;
    if (op->shape != RACE_INDEXED) return bits | (op->offset0 + to_object);
    if (!op->mask) {
        for (uint32_t i = 0; i < op->n; i++) bits |= op->offsets[i] + to_object;
    } else {
        for (uint32_t i = 0; i < op->n; i++) bits |= op->mask[i] ? op->offsets[i] + to_object : 0;
    }
    return bits;
}

static bool all_active(const uint8_t *mask, uint32_t n)
{
    uint8_t all = 0xff;
    for (uint32_t i = 0; i < n; i++) all &= mask[i];
    return all == 0xff;
}

#define NAME2(level) lanes_access_##level
#define NAME(level)  NAME2(level)
void NAME(LANES_LEVEL)(struct race_worker *w, struct race_space *sp, struct race_shadow *s, const struct race_op *op,
                       uint64_t to_object)
{
    struct race_op whole;
    if (op->mask && all_active(op->mask, op->n)) {
        whole = *op;
        whole.mask = NULL;
        op = &whole;
    }
    struct gang g = {w, sp, s, op, to_object};
    uint64_t bits = alignment_bits(op, to_object);
    bool coarse = bits & ((1u << s->granule_shift) - 1);
    enum race_plane first = op->is_atomic ? P_AW1 : op->is_write ? P_W : P_R1;
    enum race_plane last = op->is_atomic ? P_AL2 : op->is_write ? P_W : P_R2;
    if ((coarse && !shadow_refine(s, __builtin_ctzll(bits))) || !shadow_need(s, first, last)) {
        w->cut = true;
        return;
    }
    if (coarse) same_refined(w, s);
    if (w->launch->c.exact || (op->is_write && !op->is_atomic && !op->values))
        exact_access(w, sp, s, op, to_object);
    else if (s->wide)
        access64(&g);
    else
        access32(&g);
}
