// SPDX-License-Identifier: MIT
// Constants as bytes and addresses.
#include "llvm/ir.h"

#include <string.h>

bool l_is_undef(LLVMValueRef v) { return LLVMIsUndef(v) || LLVMIsPoison(v); }

bool l_const_bits(LLVMValueRef v, uint64_t *bits)
{
    if (LLVMIsAConstantFP(v)) { // the bits, so that NaNs keep theirs
        LLVMTypeRef t = LLVMTypeOf(v);
        LLVMContextRef x = LLVMGetTypeContext(t);
        switch (LLVMGetTypeKind(t)) {
        case LLVMHalfTypeKind: v = LLVMConstBitCast(v, LLVMInt16TypeInContext(x)); break;
        case LLVMFloatTypeKind: v = LLVMConstBitCast(v, LLVMInt32TypeInContext(x)); break;
        case LLVMDoubleTypeKind: v = LLVMConstBitCast(v, LLVMInt64TypeInContext(x)); break;
        default: return false;
        }
    }
    if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64) return false;
    *bits = LLVMConstIntGetZExtValue(v);
    return true;
}

bool l_gep_offset(LLVMModuleRef m, LLVMValueRef v, int64_t *offset)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
    int n = LLVMGetNumOperands(v);
    uint64_t sum = 0;
    for (int i = 1; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(v, (unsigned)i);
        if (!LLVMIsAConstantInt(index)) return false;
        int64_t k = LLVMConstIntGetSExtValue(index);
        if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            sum += l_field_offset(m, t, (unsigned)k);
            t = LLVMStructGetTypeAtIndex(t, (unsigned)k);
            continue;
        }
        if (i > 1) t = LLVMGetElementType(t);
        sum += (uint64_t)k * l_size(m, t);
    }
    *offset = (int64_t)sum;
    return true;
}

bool l_const_address(LLVMModuleRef m, LLVMValueRef v, LLVMValueRef *global, int64_t *addend)
{
    uint64_t sum = 0;
    // (the translator from SPIR-V writes casts and offsets of constants as instructions)
    while (LLVMIsAConstantExpr(v) || LLVMIsABitCastInst(v) || LLVMIsAGetElementPtrInst(v) ||
           LLVMIsAGlobalAlias(v)) {
        int64_t k = 0;
        if (LLVMIsAGlobalAlias(v)) {
            v = LLVMAliasGetAliasee(v);
            continue;
        }
        switch (LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMGetConstOpcode(v)) {
        case LLVMGetElementPtr:
            if (!l_gep_offset(m, v, &k)) return false;
            break;
        case LLVMBitCast:
        case LLVMAddrSpaceCast:
        case LLVMPtrToInt:
        case LLVMIntToPtr: break;
        case LLVMAdd:
            if (!LLVMIsAConstantInt(LLVMGetOperand(v, 1))) return false;
            k = LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1));
            break;
        default: return false;
        }
        sum += (uint64_t)k;
        v = LLVMGetOperand(v, 0);
    }
    if (!LLVMIsAGlobalVariable(v) && !LLVMIsAFunction(v)) return false;
    *global = v;
    *addend = (int64_t)sum;
    return true;
}

bool l_const_is_null(LLVMValueRef v)
{
    while (LLVMIsAConstantExpr(v) &&
           (LLVMGetConstOpcode(v) == LLVMAddrSpaceCast || LLVMGetConstOpcode(v) == LLVMBitCast))
        v = LLVMGetOperand(v, 0);
    return LLVMIsConstant(v) && LLVMIsNull(v);
}

bool l_is_reinterpreted(LLVMValueRef v)
{
    return LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMBitCast &&
           LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind;
}

bool l_const_number(LLVMModuleRef m, LLVMValueRef v, uint64_t *bits)
{
    if (l_const_bits(v, bits)) return true;
    if (!LLVMIsAConstantExpr(v) || LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind)
        return false;
    const LLVMOpcode op = LLVMGetConstOpcode(v);
    const unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(v));
    LLVMValueRef x = LLVMGetOperand(v, 0),
                 y = op == LLVMTrunc              ? NULL
                     : LLVMGetNumOperands(v) == 2 ? LLVMGetOperand(v, 1)
                                                  : NULL,
                 gx, gy;
    int64_t ax, ay;
    uint64_t a, b;
    if (op == LLVMTrunc) {
        if (!l_const_number(m, x, bits)) return false;
    } else if (op == LLVMSub && y && l_const_address(m, x, &gx, &ax) &&
               l_const_address(m, y, &gy, &ay) && gx == gy) {
        *bits = (uint64_t)ax - (uint64_t)ay;
    } else if (y && l_const_number(m, x, &a) && l_const_number(m, y, &b)) {
        if (op != LLVMAdd && op != LLVMSub && op != LLVMXor) return false;
        *bits = op == LLVMAdd ? a + b : op == LLVMSub ? a - b : a ^ b;
    } else {
        return false;
    }
    if (width < 64) *bits &= (1ull << width) - 1;
    return true;
}

struct writer {
    LLVMModuleRef m;
    uint8_t *bytes;
    l_pointer_fn *pointer;
    void *context;
};

static struct err *write_const(struct writer *w, LLVMValueRef c, uint64_t at);

static struct err *write_elements(struct writer *w, LLVMValueRef c, uint64_t at, LLVMTypeRef elem,
                                  unsigned n)
{
    struct err *e = NULL;
    for (unsigned i = 0; i < n && !e; i++)
        e = write_const(w, LLVMGetAggregateElement(c, i), at + i * l_size(w->m, elem));
    return e;
}

static struct err *write_struct(struct writer *w, LLVMValueRef c, uint64_t at, LLVMTypeRef t)
{
    struct err *e = NULL;
    for (unsigned i = 0, n = LLVMCountStructElementTypes(t); i < n && !e; i++)
        e = write_const(w, LLVMGetAggregateElement(c, i), at + l_field_offset(w->m, t, i));
    return e;
}

static struct err *no_bytes(LLVMValueRef c)
{
    char *text = LLVMPrintValueToString(c);
    struct err *e = err_new("the constant '%.200s' has no value at compile time", text);
    LLVMDisposeMessage(text);
    return e;
}

static struct err *write_const(struct writer *w, LLVMValueRef c, uint64_t at)
{
    LLVMTypeRef t = LLVMTypeOf(c);
    if (l_is_undef(c) || l_const_is_null(c)) return NULL; // the bytes are zeroes already
    uint64_t bits;
    if (l_const_number(w->m, c, &bits)) {
        memcpy(w->bytes + at, &bits, l_store_size(w->m, t));
        return NULL;
    }
    if (l_is_reinterpreted(c)) return write_const(w, LLVMGetOperand(c, 0), at);
    switch (LLVMGetTypeKind(t)) {
    case LLVMArrayTypeKind:
        if (LLVMIsConstantString(c) &&
            LLVMGetTypeKind(LLVMGetElementType(t)) == LLVMIntegerTypeKind) {
            size_t n;
            const char *text = LLVMGetAsString(c, &n);
            memcpy(w->bytes + at, text, n);
            return NULL;
        }
        return write_elements(w, c, at, LLVMGetElementType(t), (unsigned)LLVMGetArrayLength2(t));
    case LLVMVectorTypeKind:
        return write_elements(w, c, at, LLVMGetElementType(t), LLVMGetVectorSize(t));
    case LLVMStructTypeKind: return write_struct(w, c, at, t);
    case LLVMIntegerTypeKind:
        if (LLVMGetIntTypeWidth(t) != 64) return no_bytes(c);
        // fall through
    case LLVMPointerTypeKind: {
        LLVMValueRef global;
        int64_t addend;
        if (!l_const_address(w->m, c, &global, &addend)) return no_bytes(c);
        if (LLVMIsAFunction(global))
            return NULL; // in a block: the call names its function, others are refused
        w->pointer(w->context, at, global, addend);
        return NULL;
    }
    default: return no_bytes(c);
    }
}

struct err *l_const_bytes(LLVMModuleRef m, LLVMValueRef constant, uint8_t *bytes,
                          l_pointer_fn *pointer, void *context)
{
    memset(bytes, 0, l_size(m, LLVMTypeOf(constant)));
    struct writer w = {m, bytes, pointer, context};
    return write_const(&w, constant, 0);
}
