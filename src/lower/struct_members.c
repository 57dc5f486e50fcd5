// SPDX-License-Identifier: MIT
// Which bytes of a copied struct are members, and which are padding. LLVM's memcpy has no type: it
// is that of the variable or of the element that either address names. A union has no members here:
// which of them is meant is not known.
#include "llvm/ir.h"
#include "lower/lw.h"

#include <string.h>

enum { MAX_BYTES = 1024 }; // of one struct

/** The type that an address points to; NULL: not known. */
static LLVMTypeRef pointee(LLVMValueRef p)
{
    while (LLVMIsAAddrSpaceCastInst(p)) p = LLVMGetOperand(p, 0);
    if (LLVMIsAAllocaInst(p)) return LLVMGetAllocatedType(p);
    if (LLVMIsAGlobalVariable(p)) return LLVMGlobalGetValueType(p);
    if (!LLVMIsAGetElementPtrInst(p)) return NULL;
    LLVMTypeRef t = LLVMGetGEPSourceElementType(p);
    for (int k = 2; k < LLVMGetNumOperands(p); k++) {
        uint64_t field;
        if (LLVMGetTypeKind(t) != LLVMStructTypeKind) t = LLVMGetElementType(t);
        else if (l_const_bits(LLVMGetOperand(p, (unsigned)k), &field))
            t = LLVMStructGetTypeAtIndex(t, (unsigned)field);
    }
    return t;
}

static void mark(LLVMModuleRef m, LLVMTypeRef t, char *bytes)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (kind == LLVMArrayTypeKind) {
        const LLVMTypeRef elem = LLVMGetElementType(t);
        for (uint64_t k = 0; k < LLVMGetArrayLength2(t); k++)
            mark(m, elem, bytes + k * l_size(m, elem));
    } else if (kind == LLVMStructTypeKind) {
        const char *name = LLVMGetStructName(t);
        for (unsigned k = 0;
             !name || strncmp(name, "union.", 6) ? k < LLVMCountStructElementTypes(t) : 0; k++)
            mark(m, LLVMStructGetTypeAtIndex(t, k), bytes + l_field_offset(m, t, k));
    } else {
        memset(bytes, 'm', l_store_size(m, t));
    }
}

uint32_t lw_struct_members(struct lw_fn *f, LLVMValueRef to, LLVMValueRef from, uint64_t size)
{
    const LLVMTypeRef types[] = {pointee(to), pointee(from)};
    const LLVMModuleRef m = f->m->llvm;
    char *all = NULL;
    for (int k = 0; k < 2; k++) {
        const LLVMTypeRef t = types[k];
        if (!t || LLVMGetTypeKind(t) != LLVMStructTypeKind || l_size(m, t) != size ||
            size > MAX_BYTES)
            continue;
        char *bytes = arena_array(&f->arena, char, size + 1);
        memset(bytes, '.', size);
        mark(m, t, bytes);
        for (uint64_t i = 0; all && i < size; i++)
            if (all[i] == '.') bytes[i] = '.';
        all = bytes;
    }
    return all ? lw_string(f, all) : 0;
}
