// SPDX-License-Identifier: MIT
#include "frontend/type_text.h"

#include "frontend/dwarf.h"
#include "llvm/ir.h"

#include <string.h>

static void put_name(LLVMValueRef type, const char *before, const char *unnamed, struct str *out)
{
    unsigned n;
    const char *name = l_md_string(l_md_operand(type, l_di.type_name), &n);
    if (name) {
        str_put(out, before);
        str_put_n(out, name, n);
    } else {
        str_put(out, unnamed);
    }
}

// clang's names of the opaque types: `opencl_image2d_ro_t`.
static void put_struct(LLVMValueRef type, const char *word, struct str *out)
{
    unsigned n;
    const char *name = l_md_string(l_md_operand(type, l_di.type_name), &n);
    bool opaque = name && n > 7 && !strncmp(name, "opencl_", 7);
    if (opaque) str_put_n(out, name + 7, n - 7);
    else put_name(type, word, word, out);
}

static void put_dimensions(LLVMValueRef type, struct str *out)
{
    LLVMValueRef dims = l_md_operand(type, l_di.elements);
    for (unsigned i = 0, n = dims ? LLVMGetMDNodeNumOperands(dims) : 0; i < n; i++) {
        LLVMValueRef range = l_md_operand(dims, i), count = range ? l_md_operand(range, 0) : NULL;
        if (count && LLVMIsAConstantInt(count))
            str_printf(out, "[%lld]", LLVMConstIntGetSExtValue(count));
        else str_put(out, "[]");
    }
}

static void put_type(LLVMModuleRef m, LLVMValueRef t, struct str *out, int depth)
{
    if (!t || depth > 50) {
        str_put(out, "void");
        return;
    }
    LLVMMetadataRef md = l_md(t);
    unsigned tag = LLVMGetDINodeTag(md);
    LLVMValueRef base = LLVMGetMetadataKind(md) == LLVMDIBasicTypeMetadataKind
                            ? NULL
                            : l_md_operand(t, l_di.base_type);
    switch (tag) {
    case TAG_CONST:
    case TAG_VOLATILE:
    case TAG_RESTRICT:
    case TAG_ATOMIC: {
        bool after = base && LLVMGetDINodeTag(l_md(base)) == TAG_POINTER;
        const char *word = tag == TAG_CONST      ? "const"
                           : tag == TAG_VOLATILE ? "volatile"
                           : tag == TAG_RESTRICT ? "restrict"
                                                 : "_Atomic";
        if (!after) str_printf(out, "%s ", word);
        put_type(m, base, out, depth + 1);
        if (after) str_printf(out, " %s", word);
        break;
    }
    case TAG_POINTER:
        if (base && LLVMGetMetadataKind(l_md(base)) == LLVMDICompositeTypeMetadataKind) {
            unsigned n;
            const char *name = l_md_string(l_md_operand(base, l_di.type_name), &n);
            if (name && n > 7 &&
                !strncmp(name, "opencl_", 7)) { // an image, an event: no pointer in the source
                put_struct(base, "", out);
                break;
            }
        }
        put_type(m, base, out, depth + 1);
        str_put(out, "*");
        break;
    case TAG_ARRAY:
        if (LLVMDITypeGetFlags(md) & LLVMDIFlagVector) { // float4 without its typedef
            LLVMValueRef dims = l_md_operand(t, l_di.elements),
                         range = dims ? l_md_operand(dims, 0) : NULL;
            LLVMValueRef count = range ? l_md_operand(range, 0) : NULL;
            put_type(m, base, out, depth + 1);
            if (count && LLVMIsAConstantInt(count))
                str_printf(out, "%lld", LLVMConstIntGetSExtValue(count));
            break;
        }
        put_type(m, base, out, depth + 1);
        put_dimensions(t, out);
        break;
    case TAG_STRUCT: put_struct(t, "struct ", out); break;
    case TAG_UNION: put_struct(t, "union ", out); break;
    case TAG_ENUM: put_struct(t, "enum ", out); break;
    default: put_name(t, "", "?", out); break;
    }
}

void fe_type_text(LLVMModuleRef m, LLVMValueRef di_type, struct str *out)
{
    put_type(m, di_type, out, 0);
}
