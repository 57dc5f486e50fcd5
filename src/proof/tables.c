// SPDX-License-Identifier: MIT
// Values loaded from tables of constants: a constant of the program, or a private array that its
// initializer copies from one and that nothing else writes. Such a value is that of its index, if
// there are few; otherwise one between the least and the largest, or 0 if the index may be outside.
#include "proof/kernel.h"

#include "base/err.h"
#include "llvm/ir.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, FEW = 16 };

/** Whether nothing writes what the pointer, into a private array, points to but one copy. */
static bool is_only_read(LLVMValueRef pointer, LLVMValueRef array, LLVMValueRef *copy)
{
    for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (LLVMIsALoadInst(i)) continue;
        if (LLVMIsAGetElementPtrInst(i) || LLVMIsABitCastInst(i) || LLVMIsAAddrSpaceCastInst(i)) {
            if (!is_only_read(i, array, copy)) return false;
            continue;
        }
        LLVMValueRef callee = LLVMIsACallInst(i) ? l_callee(i) : NULL;
        if (!callee) return false;
        if (l_is_debug(i) || str_starts(l_name(callee), "llvm.lifetime.") ||
            str_starts(l_name(callee), PK_DECLARED))
            continue;
        if (!l_is_intrinsic(callee, "memcpy") || *copy || LLVMGetOperand(i, 0) != array ||
            LLVMGetOperand(i, 1) == array)
            return false;
        *copy = i;
    }
    return true;
}

/** The constant whose bytes the array has wherever `at` executes, or NULL. */
static LLVMValueRef copied_into(const struct pk *k, LLVMValueRef array, LLVMValueRef at)
{
    LLVMValueRef copy = NULL;
    if (!is_only_read(array, array, &copy) || !copy) return NULL;
    LLVMValueRef from = LLVMGetOperand(copy, 1), n = LLVMGetOperand(copy, 2);
    const uint64_t size = l_size(k->m, LLVMGetAllocatedType(array));
    const int b = rg_block_of(&k->f, copy), to = rg_block_of(&k->f, at);
    if (!LLVMIsAGlobalVariable(from) || !LLVMIsAConstantInt(n) ||
        LLVMConstIntGetZExtValue(n) != size || l_size(k->m, LLVMGlobalGetValueType(from)) != size ||
        b < 0 || to < 0 || !rg_dominates(&k->f, (unsigned)b, (unsigned)to))
        return NULL;
    for (LLVMValueRef i = at; b == to && i != copy; i = LLVMGetPreviousInstruction(i))
        if (!i) return NULL; // loaded before the copy
    return from;
}

/** Whether the pointer is an array of such integers, advanced by whole elements. */
static bool has_whole_elements(LLVMValueRef p, LLVMValueRef array, LLVMTypeRef element)
{
    for (; p != array; p = LLVMGetOperand(p, 0)) {
        if (!LLVMIsAGetElementPtrInst(p)) return false;
        LLVMTypeRef t = LLVMGetGEPSourceElementType(p);
        while (LLVMGetTypeKind(t) == LLVMArrayTypeKind) t = LLVMGetElementType(t);
        if (t != element) return false;
    }
    return true;
}

static void unexpected(void *context, uint64_t offset, LLVMValueRef target, int64_t addend)
{
    (void)offset, (void)target, (void)addend;
    *(bool *)context = true;
}

/** The bytes of the constant, to be freed; NULL: it has addresses, or is too large. */
static uint8_t *bytes_of(struct pk *k, LLVMValueRef constant, uint64_t size)
{
    LLVMValueRef init = LLVMIsGlobalConstant(constant) ? LLVMGetInitializer(constant) : NULL;
    if (!init || size > MOST_BYTES) return NULL;
    uint8_t *bytes = mem_alloc(size);
    bool has_addresses = false;
    struct err *e = l_const_bytes(k->m, init, bytes, unexpected, &has_addresses);
    const bool ok = !e && !has_addresses;
    err_free(e);
    if (ok) return bytes;
    free(bytes);
    return NULL;
}

static uint64_t element(const uint8_t *bytes, uint64_t offset, unsigned width)
{
    uint64_t bits = 0;
    memcpy(&bits, bytes + offset, width / 8);
    return bits;
}

/** The element at the offset, which is inside and that of an element. */
static pf chosen(struct pk *k, unsigned width, const uint8_t *bytes, uint64_t size, pf offset)
{
    pf r = PF_NONE;
    for (uint64_t i = 0; i < size; i += width / 8) {
        const pf v = pf_const(&k->s, width, element(bytes, i, width));
        r = r ? pf_ite(&k->s, pf_eq(&k->s, offset, pf_const(&k->s, 64, i)), v, r) : v;
    }
    return r;
}

/** A symbol between the least and the largest element. */
static pf any_element(struct pk *k, unsigned width, struct pk_symbol about, const uint8_t *bytes,
                      uint64_t size, bool or_zero)
{
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (uint64_t i = 0; i < size; i += width / 8) {
        const int64_t v = (int64_t)(element(bytes, i, width) << (64 - width)) >> (64 - width);
        if (v < least) least = v;
        if (v > most) most = v;
    }
    if (or_zero && least > 0) least = 0;
    if (or_zero && most < 0) most = 0;
    const uint64_t number = k->symbols.len;
    vec_push(&k->symbols, about);
    return pf_signed_symbol(&k->s, width, number * 4, least, most);
}

pf pk_table_value(struct pk *k, struct pk_addresses at, LLVMValueRef load, struct pk_symbol about)
{
    LLVMValueRef p = LLVMGetOperand(load, 0);
    const unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(load));
    if (at.n != 1 || width % 8 || LLVMGetVolatile(load)) return PF_NONE;
    const struct pk_base base = k->bases.data[at.of[0].base];
    LLVMValueRef constant = NULL;
    if (base.kind == PK_CONST) constant = base.value;
    else if (base.kind == PK_PRIVATE && LLVMIsAAllocaInst(base.value))
        constant = copied_into(k, base.value, load);
    uint8_t *bytes = constant ? bytes_of(k, constant, base.size) : NULL;
    if (!bytes) return PF_NONE;
    const struct pf_node n = *pf_get(&k->s, at.of[0].offset);
    const bool inside = base.size >= width / 8 && n.uhi <= base.size - width / 8;
    pf r = PF_NONE;
    if (n.op == PF_CONST && inside) {
        r = pf_const(&k->s, width, element(bytes, n.value, width));
    } else if (base.size % (width / 8) == 0 &&
               has_whole_elements(p, base.value, LLVMTypeOf(load))) {
        r = inside && base.size / (width / 8) <= FEW
                ? chosen(k, width, bytes, base.size, at.of[0].offset)
                : any_element(k, width, about, bytes, base.size, !inside);
    }
    free(bytes);
    return r;
}
