// SPDX-License-Identifier: MIT
// Vectors in memory and in registers: vload, vstore, their half forms, shuffle.
#include "lower/builtin.h"

static unsigned lg(unsigned x) { return (unsigned)__builtin_ctz(x); }

// Argument `pointer` as an address, argument `offset` vectors of `stride` bytes further on.
static struct lw_addr place(struct lw_bi *b, unsigned pointer, unsigned offset, unsigned stride)
{
    struct lw_addr a = lw_address(b->f, LLVMGetOperand(b->inst, pointer));
    return lw_addr_index(b->f, a, LLVMGetOperand(b->inst, offset), stride);
}

// vloadn and vstoren are aligned as a component, and 3 components are 3 in memory.
static struct lw_access components(const struct bi_type *t, unsigned n)
{
    const unsigned size = bi_scalar_size(t->scalar);
    return (struct lw_access){.elem = (uint8_t)size,
                              .ncomp = (uint8_t)n,
                              .is_float = bi_is_float(t->scalar),
                              .is_volatile = t->is_volatile,
                              .align = size};
}

void lw_bi_vload(struct lw_bi *b)
{
    const struct bi_type *t = &b->c->arg[1];
    struct lw_access how = components(t, b->c->to.width);
    if (b->n != how.ncomp || b->size != how.elem) {
        lw_error(b->f, b->inst, "'vload' of another type than its name says");
        return;
    }
    lw_load(b->f, place(b, 1, 0, how.elem * how.ncomp), how, b->out);
}

void lw_bi_vstore(struct lw_bi *b)
{
    struct lw_access how = components(&b->c->arg[2], b->c->to.width);
    lw_reg v[16];
    if (b->c->arg[0].width != how.ncomp || bi_scalar_size(b->c->arg[0].scalar) != how.elem) {
        lw_error(b->f, b->inst, "'vstore' of another type than its name says");
        return;
    }
    for (unsigned i = 0; i < how.ncomp; i++) v[i] = lw_bi_arg(b, 0, i);
    lw_store(b->f, place(b, 2, 1, how.elem * how.ncomp), how, v);
}

// The a forms are aligned as the whole vector, of 4 components where n is 3.
static struct lw_access halves(struct lw_bi *b, bool aligned, unsigned *stride)
{
    const unsigned n = b->c->to.width, whole = n == 3 ? 8 : 2 * n;
    *stride = aligned ? whole : 2 * n;
    return (struct lw_access){.elem = 2, .ncomp = (uint8_t)n, .align = aligned ? whole : 2};
}

void lw_bi_vload_half(struct lw_bi *b)
{
    unsigned stride;
    struct lw_access how = halves(b, b->c->id == BI_vloada_half, &stride);
    lw_reg h[16];
    if (b->n != how.ncomp || b->size != 4) {
        lw_error(b->f, b->inst, "'vload_half' of another type than its name says");
        return;
    }
    lw_load(b->f, place(b, 1, 0, stride), how, h);
    for (unsigned i = 0; i < b->n; i++) b->out[i] = lw_bi_lane(b, BI_FN_half_F32, &h[i]);
}

void lw_bi_vstore_half(struct lw_bi *b)
{
    unsigned stride;
    struct lw_access how = halves(b, b->c->id == BI_vstorea_half, &stride);
    const struct bi_type *t = &b->c->arg[0];
    const unsigned rte = t->scalar == BI_DOUBLE ? BI_FN_half_of_F64_rte : BI_FN_half_of_F32_rte;
    const unsigned mode = b->c->round == BI_ROUND_NONE ? 0 : b->c->round - BI_RTE;
    lw_reg h[16];
    if (t->width != how.ncomp || (t->scalar != BI_FLOAT && t->scalar != BI_DOUBLE)) {
        lw_error(b->f, b->inst, "'vstore_half' of another type than its name says");
        return;
    }
    for (unsigned i = 0; i < how.ncomp; i++) {
        lw_reg x = lw_bi_arg(b, 0, i);
        h[i] = lw_bi_lane(b, rte + mode, &x);
    }
    lw_store(b->f, place(b, 2, 1, stride), how, h);
}

// Element `index`, modulo m, of m registers. Lane functions stand by m (2, 4, 8, 16), then by size.
static lw_reg pick(struct lw_bi *b, lw_reg index, const lw_reg *from, unsigned m)
{
    lw_reg src[BI_MAX_LANE_SRC] = {index};
    for (unsigned i = 0; i < m; i++) src[1 + i] = from[i];
    return lw_bi_lane(b, BI_FN_pick2_I8 + 4 * (lg(m) - 1) + lg(b->size), src);
}

// shuffle(x, mask) and shuffle2(x, y, mask): m and 2 m elements to choose from.
void lw_bi_shuffle(struct lw_bi *b)
{
    const unsigned sources = b->nargs - 1, m = b->c->arg[0].width, total = sources * m;
    lw_reg from[32];
    if (m == 1 || m == 3 || b->c->arg[sources].width != b->n ||
        bi_scalar_size(b->c->arg[sources].scalar) != b->size) {
        lw_error(b->f, b->inst, "'%s' of such vectors does not exist", b->c->row->name);
        return;
    }
    for (unsigned k = 0; k < total; k++) from[k] = lw_bi_arg(b, k / m, k % m);
    for (unsigned i = 0; i < b->n; i++) {
        lw_reg index = lw_bi_arg(b, sources, i);
        uint64_t known;
        if (lw_is_const(b->f, index, &known)) {
            b->out[i] = from[known & (total - 1)];
        } else if (total <= 16) {
            b->out[i] = pick(b, index, from, total);
        } else {
            lw_reg second = lw_2(b, LW_INT(AND, b->size), index, lw_const(b->f, 16));
            second = lw_2(b, LW_INT(NE, b->size), second, lw_const(b->f, 0));
            b->out[i] = lw_3(b, LW_INT(SEL, b->size), second, pick(b, index, from + 16, 16),
                             pick(b, index, from, 16));
        }
    }
}
