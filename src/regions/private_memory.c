// SPDX-License-Identifier: MIT
// Uniformity of private memory. A private array has the same contents in all work-items if every
// store to it has a uniform value, a uniform address and uniform control; a load from a uniform
// address is then uniform. This requires that all stores are known: the object's address may only
// be used in address arithmetic, loads, stores to it, memcpy and memset. A struct parameter of a
// kernel is such an object, written by the host. Like all of uniformity analysis, the rule is
// optimistic: objects start uniform, and the first divergent store changes this.
#include "regions/regions.h"

static bool is_named(LLVMValueRef call, const char *const *prefixes, unsigned n)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t len;
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &len) : "";
    for (unsigned k = 0; k < n; k++)
        if (str_starts(name, prefixes[k])) return true;
    return false;
}

static bool is_transfer(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.memcpy.", "llvm.memmove.", "llvm.memset."};
    return is_named(call, names, 3);
}

static bool is_note(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.dbg.", "llvm.lifetime."};
    return is_named(call, names, 2);
}

// Are all uses of the pointer known, so that rg_private_written finds all stores to the object?
static bool stays_here(LLVMValueRef pointer)
{
    for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (!LLVMIsAInstruction(i)) return false;
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMLoad: break;
        case LLVMStore:
            if (LLVMGetOperand(i, 0) == pointer) return false;
            break;
        case LLVMGetElementPtr:
            if (!stays_here(i)) return false;
            break;
        case LLVMCall:
            if (!is_transfer(i) && !is_note(i)) return false;
            break;
        default: return false;
        }
    }
    return true;
}

// The same for an object in which there is nothing but pointers. All uses are known.
static bool holds_pointers(LLVMValueRef pointer)
{
    for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u), value = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i;
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMLoad:
        case LLVMStore:
            if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind) return false;
            break;
        case LLVMGetElementPtr:
            if (!holds_pointers(i)) return false;
            break;
        default:
            if (!is_note(i)) return false;
        }
    }
    return true;
}

static LLVMValueRef object_of(LLVMValueRef pointer)
{
    while (LLVMIsAInstruction(pointer) && LLVMGetInstructionOpcode(pointer) == LLVMGetElementPtr)
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

/** The number of the object + 1, or 0. */
static uint64_t number_of(const struct rg_fn *f, LLVMValueRef pointer)
{
    uint64_t *at = map_get_ptr(&f->private_of, object_of(pointer));
    return at ? *at : 0;
}

static bool *state_of(const struct rg_fn *f, LLVMValueRef pointer)
{
    const uint64_t k = number_of(f, pointer);
    return k ? &f->private_varies[k - 1] : NULL;
}

void rg_private_find(struct rg_fn *f)
{
    VEC(LLVMValueRef) found = {0};
    const unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned k = 0; k < LLVMCountParams(f->fn) && rg_is_kernel(f->fn); k++) {
        LLVMValueRef p = LLVMGetParam(f->fn, k);
        if (LLVMGetEnumAttributeAtIndex(f->fn, k + 1, byval) && stays_here(p)) vec_push(&found, p);
    }
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i))
            if (LLVMGetInstructionOpcode(i) == LLVMAlloca && !map_get_ptr(&f->var_of, i) &&
                stays_here(i))
                vec_push(&found, i);
    f->private_varies = arena_array(f->arena, bool, found.len);
    f->private_is_pointers = arena_array(f->arena, bool, found.len);
    for (size_t k = 0; k < found.len; k++) {
        *map_put_ptr(&f->private_of, found.data[k], NULL) = k + 1;
        f->private_is_pointers[k] = LLVMIsAAllocaInst(found.data[k]) &&
                                    holds_pointers(found.data[k]);
    }
    vec_free(&found);
}

bool rg_private_is_uniform(const struct rg_fn *f, LLVMValueRef pointer)
{
    const bool *varies = state_of(f, pointer);
    return varies && !*varies && !f->may_part;
}

LLVMValueRef rg_private_written(LLVMValueRef i)
{
    if (LLVMGetInstructionOpcode(i) == LLVMStore) return LLVMGetOperand(i, 1);
    return LLVMGetInstructionOpcode(i) == LLVMCall && is_transfer(i) ? LLVMGetOperand(i, 0) : NULL;
}

bool rg_private_raise(struct rg_fn *f, LLVMValueRef pointer)
{
    bool *varies = state_of(f, pointer);
    if (!varies || *varies) return false;
    return *varies = true;
}

bool rg_private_is_pointers(const struct rg_fn *f, LLVMValueRef pointer)
{
    const uint64_t k = number_of(f, pointer);
    return k && f->private_is_pointers[k - 1];
}
