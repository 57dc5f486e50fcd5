// SPDX-License-Identifier: MIT
// Marks index arithmetic that cannot wrap in the launches of a shape (nsw and nuw of LLVM).
//
// Machine code for proved launches makes no such promise for a program (strict.c): overflow has to
// behave as in the interpreter. But without it LLVM cannot extend an int index to 64 bits before
// the additions, and does not see that neighboring work-items access neighboring elements. For a
// shape that limits ids and arguments (nat_shape.id_bits), interval analysis proves for most index
// arithmetic that it does not wrap, so that the flags change nothing.
#include "native/ranges.h"
#include "native/transform.h"

#include "llvm/ir.h"

/** Returns 1 if the operation was marked, 0 if it may wrap, -1 if it is another one. */
static int mark(struct nat_ranges *x, LLVMValueRef i)
{
    const unsigned w = nat_width(i);
    struct nat_range exact;
    const uint64_t *advance;
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind || w > 64 || w < 2) return -1;
    if (LLVMGetInstructionOpcode(i) == LLVMZExt) {
        LLVMValueRef from = LLVMGetOperand(i, 0);
        if (LLVMGetTypeKind(LLVMTypeOf(from)) == LLVMIntegerTypeKind && nat_width(from) > 1 &&
            nat_width(from) <= 64 && nat_range_of(x, from).lo >= 0)
            LLVMSetNNeg(i, true);
        return -1;
    }
    if (!nat_exact_range(x, i, &exact)) return -1;
    bool fits = nat_fits(exact, w);
    const bool positive = nat_range_of(x, LLVMGetOperand(i, 0)).lo >= 0 &&
                          nat_range_of(x, LLVMGetOperand(i, 1)).lo >= 0;
    if (!fits && (advance = map_get_ptr(&x->advances, i))) {
        exact = *(struct nat_range *)(uintptr_t)*advance;
        fits = nat_fits(exact, w);
    }
    if (!fits) return 0;
    LLVMSetNSW(i, true);
    if (positive && exact.lo >= 0) LLVMSetNUW(i, true);
    return 1;
}

void nat_mark_no_wrap(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a,
                      struct str *remarks)
{
    struct nat_ranges x;
    unsigned marked = 0, all = 0;
    if (!shape->id_bits[0]) return;
    nat_ranges_init(&x, f, shape, a);
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i)) {
            const int is = mark(&x, i);
            marked += is > 0;
            all += is >= 0;
        }
    if (remarks && all)
        str_printf(remarks, "%u of %u integer operations cannot wrap in such launches\n", marked,
                   all);
    nat_ranges_deinit(&x);
}
