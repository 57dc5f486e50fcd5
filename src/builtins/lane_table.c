// SPDX-License-Identifier: MIT
#include "builtins/lane.h"

#define LETTERS(d, s) d s, sizeof d - 1, sizeof s - 1
const struct bi_lane bi_lane_fns[BI_FN_COUNT] = {
#define MATH(n, d, s)                                                                              \
    [BI_FN_##n##_F32] = {#n "_F32", LETTERS(d, s), BC_F32, bi_##n##_F32},                          \
    [BI_FN_##n##_F64] = {#n "_F64", LETTERS(d, s), BC_F64, bi_##n##_F64},
#define MATHP(n, d, s)                                                                             \
    [BI_FN_##n##_F32] = {#n "_F32", LETTERS(d, s), BC_F32, bi_##n##_F32},                          \
    [BI_FN_##n##_F64] = {#n "_F64", LETTERS(d, s), BC_F64, bi_##n##_F64},
#define FN(n, d, s) [BI_FN_##n] = {#n, LETTERS(d, s), 0, bi_##n},
#include "builtins/builtins.def"
};

bi_one_fn *bi_one(unsigned fn)
{
    static bi_one_fn *const ones[BI_FN_COUNT] = {
#define ONE(n)                                                                                     \
    [BI_FN_##n##_F32] = (bi_one_fn *)bi_one_##n##_F32,                                             \
    [BI_FN_##n##_F64] = (bi_one_fn *)bi_one_##n##_F64,
        BI_ONE_1(ONE) BI_ONE_2(ONE)
#undef ONE
    };
    return ones[fn];
}

enum bc_type bi_lane_type(const struct bi_lane *l, unsigned i)
{
    switch (l->letters[i]) {
    case 'b': return BC_I8;
    case 'h': return BC_I16;
    case 'l': return BC_I64;
    case 's': return BC_F32;
    case 'd': return BC_F64;
    case 'f': return l->flt;
    case 'u': return l->flt == BC_F32 ? BC_I32 : BC_I64;
    default: return BC_I32; // w, i
    }
}

bool bi_lane_types(uint32_t fn, unsigned *ndst, unsigned *nsrc, uint8_t types[BC_MAX_LANE_TYPES])
{
    if (fn >= BI_FN_COUNT) return false;
    const struct bi_lane *l = &bi_lane_fns[fn];
    *ndst = l->ndst;
    *nsrc = l->nsrc;
    for (unsigned i = 0; i < *ndst + *nsrc; i++) types[i] = (uint8_t)bi_lane_type(l, i);
    return true;
}
