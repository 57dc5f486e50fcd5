// SPDX-License-Identifier: MIT
// Symbols of formulas.
#include "proof/kernel.h"

unsigned pk_bits(LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    if (LLVMGetTypeKind(t) != LLVMIntegerTypeKind) return 0;
    return LLVMGetIntTypeWidth(t) <= 64 ? LLVMGetIntTypeWidth(t) : 0;
}

pf pk_new_symbol(struct pk *k, unsigned width, struct pk_symbol about, uint64_t lo, uint64_t hi)
{
    const uint64_t number = k->symbols.len;
    vec_push(&k->symbols, about);
    // numbers are times 4: the other three are for copies of the symbol, see pair.c
    return pf_symbol(&k->s, width, number * 4, lo, hi);
}
