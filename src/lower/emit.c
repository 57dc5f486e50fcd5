// SPDX-License-Identifier: MIT
// Registers and instructions: the lowest layer of the lowering.
#include "lower/lw.h"

#include "builtins/builtins.h"

#include <string.h>

static unsigned size_class(unsigned size)
{
    return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
}

lw_reg lw_new(struct lw_fn *f, unsigned size, bool varying)
{
    if (!varying) return LW_U | f->nuniform++;
    vec_push(&f->vsize, (uint8_t)size);
    return BC_V | (uint32_t)(f->vsize.len - 1);
}

unsigned lw_reg_size(struct lw_fn *f, lw_reg r)
{
    return lw_is_varying(r) ? f->vsize.data[r & ~BC_V] : 8;
}

lw_reg lw_temp(struct lw_fn *f, unsigned size, bool varying)
{
    unsigned c = varying ? size_class(size) : 4;
    lw_reg r = f->idle[c].len ? vec_pop(&f->idle[c]) : lw_new(f, size, varying);
    vec_push(&f->scratch, r);
    return r;
}

void lw_release(struct lw_fn *f, lw_reg r)
{
    if (r == BC_NONE || (!lw_is_varying(r) && (r & LW_C))) return;
    unsigned c = lw_is_varying(r) ? size_class(lw_reg_size(f, r)) : 4;
    vec_push(&f->idle[c], r);
}

lw_reg lw_const(struct lw_fn *f, uint64_t bits)
{
    bool is_new;
    uint64_t *at = map_put(&f->const_of, bits, &is_new);
    if (is_new) {
        *at = f->consts.len;
        vec_push(&f->consts, bits);
    }
    return LW_C | (uint32_t)*at;
}

lw_reg lw_const_f32(struct lw_fn *f, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return lw_const(f, bits);
}

lw_reg lw_const_f64(struct lw_fn *f, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, 8);
    return lw_const(f, bits);
}

bool lw_is_const(struct lw_fn *f, lw_reg r, uint64_t *bits)
{
    if (r == BC_NONE || lw_is_varying(r) || !(r & LW_C)) return false;
    if (bits) *bits = f->consts.data[r & ~LW_C];
    return true;
}

void lw_emit(struct lw_fn *f, struct bc_insn i)
{
    i.loc = f->loc;
    vec_push(&f->insns, i);
}

static unsigned dst_size(enum bc_op op)
{
    const struct bc_op_info *o = &bc_ops[op];
    return o->shape == BC_CMP ? 1 : op == BC_WI_I32 ? 4 : bc_type_size(o->type);
}

lw_reg lw_op(struct lw_fn *f, enum bc_op op, lw_reg a, lw_reg b, lw_reg c)
{
    lw_reg d = lw_temp(f, dst_size(op), lw_is_varying(a) || lw_is_varying(b) || lw_is_varying(c));
    lw_emit(f, (struct bc_insn){.op = (uint16_t)op, .dst = d, .a = a, .b = b, .c = c});
    return d;
}

uint32_t lw_list(struct lw_fn *f, const uint32_t *items, unsigned n)
{
    uint32_t at = (uint32_t)f->ext.len;
    for (unsigned i = 0; i < n; i++) vec_push(&f->ext, items[i]);
    return at;
}

void lw_move(struct lw_fn *f, lw_reg dst, lw_reg src, unsigned size)
{
    if (dst == src) return;
    lw_emit(f, (struct bc_insn){.op = LW_INT(MOV, size),
                                .flags = lw_is_varying(dst) ? BC_MASKED : 0,
                                .dst = dst,
                                .a = src,
                                .b = BC_NONE,
                                .c = BC_NONE});
}

lw_reg lw_zext(struct lw_fn *f, lw_reg r, unsigned from, unsigned to)
{
    if (from == to) return r;
    enum bc_op op;
    if (from < to)
        op = from == 1   ? (to == 2   ? BC_ZEXT_I16_I8
                            : to == 4 ? BC_ZEXT_I32_I8
                                      : BC_ZEXT_I64_I8)
             : from == 2 ? (to == 4 ? BC_ZEXT_I32_I16 : BC_ZEXT_I64_I16)
                         : BC_ZEXT_I64_I32;
    else
        op = to == 1   ? (from == 2   ? BC_TRUNC_I8_I16
                          : from == 4 ? BC_TRUNC_I8_I32
                                      : BC_TRUNC_I8_I64)
             : to == 2 ? (from == 4 ? BC_TRUNC_I16_I32 : BC_TRUNC_I16_I64)
                       : BC_TRUNC_I32_I64;
    return lw_op(f, op, r, BC_NONE, BC_NONE);
}

lw_reg lw_sext(struct lw_fn *f, lw_reg r, unsigned from, unsigned to)
{
    if (from >= to) return lw_zext(f, r, from, to);
    return lw_op(f,
                 from == 1   ? (to == 2   ? BC_SEXT_I16_I8
                                : to == 4 ? BC_SEXT_I32_I8
                                          : BC_SEXT_I64_I8)
                 : from == 2 ? (to == 4 ? BC_SEXT_I32_I16 : BC_SEXT_I64_I16)
                             : BC_SEXT_I64_I32,
                 r, BC_NONE, BC_NONE);
}

void lw_lane(struct lw_fn *f, unsigned builtin, const lw_reg *src, lw_reg *dst)
{
    const struct bi_lane *l = &bi_lane_fns[builtin];
    uint32_t list[64];
    unsigned n = 0;
    bool varying = false;
    for (unsigned i = 0; i < l->nsrc; i++) varying |= lw_is_varying(src[i]);
    list[n++] = builtin;
    list[n++] = l->ndst;
    for (unsigned i = 0; i < l->ndst; i++)
        list[n++] = dst[i] = lw_temp(f, bc_type_size(bi_lane_type(l, i)), varying);
    list[n++] = l->nsrc;
    for (unsigned i = 0; i < l->nsrc; i++) list[n++] = src[i];
    lw_emit(f, (struct bc_insn){.op = BC_LANEFN,
                                .dst = BC_NONE,
                                .a = BC_NONE,
                                .b = BC_NONE,
                                .c = BC_NONE,
                                .ext = lw_list(f, list, n)});
}

uint32_t lw_string(struct lw_fn *f, const char *s) { return lw_intern(f->m, s); }

// ---- redirecting a result

// The field in which the instruction has r as a destination, or NULL.
static uint32_t *destination(struct lw_fn *f, struct bc_insn *i, lw_reg r)
{
    LW_EACH_OPERAND(o, f, i, BC_USE_OUT)
        if (*o.at == r) return o.at;
    return NULL;
}

static bool mentions(struct lw_fn *f, struct bc_insn *i, lw_reg r)
{
    LW_EACH_OPERAND(o, f, i, BC_USE_OUT | BC_USE_IN)
        if (*o.at == r) return true;
    return false;
}

// Copy elimination: instead of a move from `from` to `to`, makes the instruction that computes
// `from` write `to`, if no instruction since then uses either. `since`: the earliest position of
// that instruction.
bool lw_retarget(struct lw_fn *f, lw_reg from, lw_reg to, unsigned since)
{
    enum { FAR = 96 };
    if (lw_is_varying(from) != lw_is_varying(to) || (from & LW_C && !lw_is_varying(from)))
        return false;
    if (lw_is_varying(from) && lw_reg_size(f, from) != lw_reg_size(f, to)) return false;
    unsigned n = (unsigned)f->insns.len;
    for (unsigned k = n; k-- > since && n - k < FAR;) {
        struct bc_insn *i = &f->insns.data[k];
        uint32_t *d = destination(f, i, from);
        if (d) {
            *d = to;
            if (lw_is_varying(to)) i->flags |= BC_MASKED;
            return true;
        }
        if (mentions(f, i, from) || mentions(f, i, to)) return false;
    }
    return false;
}
