// SPDX-License-Identifier: MIT
// llvm.* intrinsics that clang generates for operators and its builtins. calls.c handles those for
// memory.
#include "lower/builtin.h"

#include <math.h>
#include <string.h>

enum { NIL = BI_NO_OP };

// Componentwise ones: opcode for I8 or F32, or the lane function for F32; `args` of the operands
// count.
static const struct {
    const char *name;
    uint16_t op, fn;
    uint8_t args;
    bool is_float;
} table[] = {
    {"fma", BC_FMA_F32, 0, 3, true},
    {"fmuladd", BC_FMA_F32, 0, 3, true},
    {"fabs", BC_FABS_F32, 0, 1, true},
    {"sqrt", BC_SQRT_F32, 0, 1, true},
    {"floor", BC_FLOOR_F32, 0, 1, true},
    {"ceil", BC_CEIL_F32, 0, 1, true},
    {"trunc", BC_TRUNC_F32, 0, 1, true},
    {"rint", BC_RINT_F32, 0, 1, true},
    {"nearbyint", BC_RINT_F32, 0, 1, true},
    {"roundeven", BC_RINT_F32, 0, 1, true},
    {"copysign", BC_COPYSIGN_F32, 0, 2, true},
    {"minnum", BC_FMIN_F32, 0, 2, true},
    {"maxnum", BC_FMAX_F32, 0, 2, true},
    {"round", NIL, BI_FN_round_F32, 1, true},
    {"sin", NIL, BI_FN_sin_F32, 1, true},
    {"cos", NIL, BI_FN_cos_F32, 1, true},
    {"tan", NIL, BI_FN_tan_F32, 1, true},
    {"exp", NIL, BI_FN_exp_F32, 1, true},
    {"exp2", NIL, BI_FN_exp2_F32, 1, true},
    {"exp10", NIL, BI_FN_exp10_F32, 1, true},
    {"log", NIL, BI_FN_log_F32, 1, true},
    {"log2", NIL, BI_FN_log2_F32, 1, true},
    {"log10", NIL, BI_FN_log10_F32, 1, true},
    {"pow", NIL, BI_FN_pow_F32, 2, true},
    {"powi", NIL, BI_FN_pown_F32, 2, true},
    {"ldexp", NIL, BI_FN_ldexp_F32, 2, true},
    {"abs", BC_SABS_I8, 0, 1, false},
    {"smin", BC_SMIN_I8, 0, 2, false},
    {"smax", BC_SMAX_I8, 0, 2, false},
    {"umin", BC_UMIN_I8, 0, 2, false},
    {"umax", BC_UMAX_I8, 0, 2, false},
    {"ctpop", BC_POPCOUNT_I8, 0, 1, false},
    {"ctlz", BC_CLZ_I8, 0, 1, false},
    {"cttz", BC_CTZ_I8, 0, 1, false},
    {"bitreverse", BC_BITREVERSE_I8, 0, 1, false},
    {"bswap", BC_BSWAP_I16 - 1, 0, 1, false},
    {"sadd.sat", BC_SADDSAT_I8, 0, 2, false},
    {"uadd.sat", BC_UADDSAT_I8, 0, 2, false},
    {"ssub.sat", BC_SSUBSAT_I8, 0, 2, false},
    {"usub.sat", BC_USUBSAT_I8, 0, 2, false},
    {"expect", BC_MOV_I8, 0, 1, false},
};

// `name` is `base`, with or without `.type` after it.
static bool is(const char *name, const char *base)
{
    const size_t n = strlen(base);
    return !strncmp(name, base, n) && (!name[n] || name[n] == '.');
}

static bool componentwise(struct lw_bi *b, const char *name)
{
    unsigned k = 0, found = 0;
    for (; k < sizeof table / sizeof *table; k++)
        if (is(name, table[k].name)) found = k + 1;
    if (!found) return false;
    k = found - 1;
    const struct lw_leaf *leaf;
    lw_leaves(b->f, LLVMTypeOf(b->inst), &leaf);
    if (leaf->is_float != table[k].is_float || leaf->bits != leaf->size * 8) return false;
    const bool half = lw_is_half(*leaf);
    const unsigned flt = half ? 4 : b->size;
    for (unsigned i = 0; i < b->n; i++) {
        lw_reg a[3] = {BC_NONE, BC_NONE, BC_NONE};
        for (unsigned j = 0; j < table[k].args; j++) a[j] = lw_bi_arg(b, j, i);
        for (unsigned j = 0; j < table[k].args && half; j++)
            if (lw_leaves(b->f, LLVMTypeOf(LLVMGetOperand(b->inst, j)), &leaf) && lw_is_half(*leaf))
                a[j] = lw_half_to_float(b->f, a[j]);
        if (table[k].op == NIL) b->out[i] = lw_bi_lane(b, table[k].fn + (flt == 8), a);
        else
            b->out[i] = lw_op(b->f,
                              table[k].is_float ? table[k].op + (flt == 8)
                                                : LW_INT(ADD, b->size) - BC_ADD_I8 + table[k].op,
                              a[0], a[1], a[2]);
        if (half) b->out[i] = lw_float_to_half(b->f, b->out[i]);
    }
    return true;
}

// Funnel shift: the high (fshl) or low (fshr) half of x:y shifted by z modulo the width; a shift by
// 0 is a special case, because shift counts of the opcodes are also modulo the width.
static void funnel(struct lw_bi *b, bool left)
{
    const unsigned s = b->size;
    lw_reg mask = lw_const(b->f, s * 8 - 1);
    for (unsigned i = 0; i < b->n; i++) {
        lw_reg x = lw_bi_arg(b, 0, i), y = lw_bi_arg(b, 1, i),
               z = lw_2(b, LW_INT(AND, s), lw_bi_arg(b, 2, i), mask);
        lw_reg back = lw_2(b, LW_INT(SUB, s), lw_const(b->f, s * 8), z);
        lw_reg r = lw_2(b, LW_INT(OR, s), lw_2(b, LW_INT(SHL, s), x, left ? z : back),
                        lw_2(b, LW_INT(LSHR, s), y, left ? back : z));
        b->out[i] =
            lw_3(b, LW_INT(SEL, s), lw_2(b, LW_INT(EQ, s), z, lw_const(b->f, 0)), left ? x : y, r);
    }
}

// Sum, difference or product, and whether it overflowed: {value, bool}.
static bool with_overflow(struct lw_bi *b, const char *name)
{
    const unsigned s = b->size;
    const bool sgn = name[0] == 's';
    if (b->n != 2) return false;
    lw_reg x = lw_bi_arg(b, 0, 0), y = lw_bi_arg(b, 1, 0), zero = lw_const(b->f, 0);
    if (!strncmp(name + 1, "mul", 3)) {
        lw_reg hi = lw_2(b, sgn ? LW_INT(SMULHI, s) : LW_INT(UMULHI, s), x, y);
        b->out[0] = lw_2(b, LW_INT(MUL, s), x, y);
        lw_reg expected = sgn ? lw_2(b, LW_INT(ASHR, s), b->out[0], lw_const(b->f, s * 8 - 1))
                              : zero;
        b->out[1] = lw_2(b, LW_INT(NE, s), hi, expected);
        return true;
    }
    const bool add = !strncmp(name + 1, "add", 3);
    lw_reg r = b->out[0] = lw_2(b, add ? LW_INT(ADD, s) : LW_INT(SUB, s), x, y);
    if (!sgn) {
        b->out[1] = add ? lw_2(b, LW_INT(ULT, s), r, x) : lw_2(b, LW_INT(ULT, s), x, y);
        return true;
    }
    // overflow: the operands' signs (of y, reversed for a difference) agree and the result's does
    // not
    lw_reg a = lw_2(b, LW_INT(XOR, s), x, r), c = lw_2(b, LW_INT(XOR, s), add ? y : x, add ? r : y);
    b->out[1] = lw_2(b, LW_INT(SLT, s), lw_2(b, LW_INT(AND, s), a, c), zero);
    return true;
}

static bool reduce(struct lw_bi *b, const char *name)
{
    static const struct {
        const char *name;
        enum bc_op op;
    } ops[] = {
        {"add", BC_ADD_I8},   {"mul", BC_MUL_I8},   {"and", BC_AND_I8},
        {"or", BC_OR_I8},     {"xor", BC_XOR_I8},   {"smin", BC_SMIN_I8},
        {"smax", BC_SMAX_I8}, {"umin", BC_UMIN_I8}, {"umax", BC_UMAX_I8},
    };
    unsigned n;
    lw_value(b->f, LLVMGetOperand(b->inst, 0), &n);
    for (unsigned k = 0; k < sizeof ops / sizeof *ops; k++) {
        if (!is(name, ops[k].name)) continue;
        lw_reg r = lw_bi_arg(b, 0, 0);
        for (unsigned i = 1; i < n; i++)
            r = lw_2(b, LW_INT(ADD, b->size) - BC_ADD_I8 + ops[k].op, r, lw_bi_arg(b, 0, i));
        b->out[0] = r;
        return true;
    }
    return false;
}

bool lw_bi_intrinsic(struct lw_bi *b, const char *name)
{
    if (is(name, "fshl") || is(name, "fshr")) {
        funnel(b, name[3] == 'l');
        return true;
    }
    if (strstr(name, ".with.overflow.")) return with_overflow(b, name);
    if (!strncmp(name, "vector.reduce.", 14)) return reduce(b, name + 14);
    if (is(name, "trap") || is(name, "debugtrap") || is(name, "ubsantrap")) return false;
    return b->n && componentwise(b, name);
}
