// SPDX-License-Identifier: MIT
#include "frontend/kernel_meta.h"

#include "base/str.h"
#include "llvm/ir.h"

#include <stdlib.h>
#include <string.h>

static LLVMValueRef md_of(LLVMModuleRef m, LLVMValueRef f, const char *kind)
{
    unsigned id = LLVMGetMDKindIDInContext(LLVMGetModuleContext(m), kind, (unsigned)strlen(kind));
    size_t n;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(f, &n);
    LLVMValueRef found = NULL;
    for (unsigned i = 0; i < n && !found; i++)
        if (LLVMValueMetadataEntriesGetKind(all, i) == id)
            found = l_md_value(m, LLVMValueMetadataEntriesGetMetadata(all, i));
    LLVMDisposeValueMetadataEntries(all);
    return found;
}

static const char *text_at(LLVMValueRef node, unsigned i, struct arena *a)
{
    unsigned n;
    const char *s = node ? l_md_string(l_md_operand(node, i), &n) : NULL;
    return s ? arena_printf(a, "%.*s", (int)n, s) : "";
}

static uint64_t number_at(LLVMValueRef node, unsigned i)
{
    LLVMValueRef v = node ? l_md_operand(node, i) : NULL;
    return v && LLVMIsAConstantInt(v) ? LLVMConstIntGetZExtValue(v) : 0;
}

// clang writes `float __attribute__((ext_vector_type(4)))*` for float4*.
static const char *short_vector(const char *type, struct arena *a)
{
    static const char mark[] = " __attribute__((ext_vector_type(";
    const char *hit = strstr(type, mark);
    if (!hit) return type;
    char *after;
    unsigned long n = strtoul(hit + sizeof mark - 1, &after, 10);
    if (strncmp(after, ")))", 3)) return type;
    return arena_printf(a, "%.*s%lu%s", (int)(hit - type), type, n, after + 3);
}

static enum fe_access access_of(const char *text)
{
    return !strcmp(text, "read_only")    ? FE_READ_ONLY
           : !strcmp(text, "write_only") ? FE_WRITE_ONLY
           : !strcmp(text, "read_write") ? FE_READ_WRITE
                                         : FE_ACCESS_NONE;
}

// Argument names from debug info, for IR that brings no kernel_arg_name.
struct names {
    LLVMModuleRef m;
    LLVMValueRef f;
    struct fe_arg *args;
    unsigned n;
    struct arena *arena;
};

static void name_from_debug(void *context, LLVMValueRef address, LLVMMetadataRef variable,
                            LLVMMetadataRef loc)
{
    struct names *c = context;
    LLVMValueRef v = l_md_value(c->m, variable), arg = address;
    if (LLVMIsAAllocaInst(address)) { // the alloca that the parameter is stored to
        arg = NULL;
        for (LLVMUseRef u = LLVMGetFirstUse(address); u && !arg; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == address &&
                LLVMIsAArgument(LLVMGetOperand(user, 0)))
                arg = LLVMGetOperand(user, 0);
        }
    }
    for (unsigned i = 0; arg && i < c->n; i++)
        if (LLVMGetParam(c->f, i) == arg && !*c->args[i].name)
            c->args[i].name = text_at(v, l_di.var_name, c->arena);
}

static void read_args(LLVMModuleRef m, LLVMValueRef f, struct arena *a, struct fe_kernel *k)
{
    unsigned n = LLVMCountParams(f);
    struct fe_arg *args = arena_array(a, struct fe_arg, n ? n : 1);
    LLVMValueRef space = md_of(m, f, "kernel_arg_addr_space"),
                 access = md_of(m, f, "kernel_arg_access_qual"),
                 type = md_of(m, f, "kernel_arg_type"), base = md_of(m, f, "kernel_arg_base_type"),
                 qual = md_of(m, f, "kernel_arg_type_qual"), name = md_of(m, f, "kernel_arg_name");
    bool unnamed = false;
    for (unsigned i = 0; i < n; i++) {
        struct fe_arg *g = &args[i];
        LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(f, i));
        g->name = text_at(name, i, a);
        g->type = text_at(type, i, a);
        g->base_type = short_vector(text_at(base, i, a), a);
        g->space = space                                       ? (unsigned)number_at(space, i)
                   : LLVMGetTypeKind(t) == LLVMPointerTypeKind ? LLVMGetPointerAddressSpace(t)
                                                               : 0;
        g->access = access_of(text_at(access, i, a));
        const char *q = text_at(qual, i, a);
        g->is_const = strstr(q, "const");
        g->is_restrict = strstr(q, "restrict");
        g->is_volatile = strstr(q, "volatile");
        g->is_pipe = strstr(q, "pipe");
        if (!*g->name) unnamed = true;
    }
    struct names c = {m, f, args, n, a};
    if (unnamed) l_each_declare(f, name_from_debug, &c);
    k->args = args;
    k->nargs = n;
}

static void read_size(LLVMModuleRef m, LLVMValueRef f, const char *kind, uint32_t size[3],
                      const char *word, struct str *attrs)
{
    LLVMValueRef node = md_of(m, f, kind);
    if (!node) return;
    for (unsigned i = 0; i < 3; i++) size[i] = (uint32_t)number_at(node, i);
    str_printf(attrs, "%s%s(%u,%u,%u)", attrs->len ? " " : "", word, size[0], size[1], size[2]);
}

static const char *type_hint(LLVMValueRef node, struct arena *a)
{
    LLVMTypeRef t = LLVMTypeOf(l_md_operand(node, 0));
    unsigned n = 0;
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind) {
        n = LLVMGetVectorSize(t);
        t = LLVMGetElementType(t);
    }
    const char *name = "int";
    switch (LLVMGetTypeKind(t)) {
    case LLVMHalfTypeKind: name = "half"; break;
    case LLVMFloatTypeKind: name = "float"; break;
    case LLVMDoubleTypeKind: name = "double"; break;
    case LLVMIntegerTypeKind: {
        unsigned w = LLVMGetIntTypeWidth(t);
        name = w == 8 ? "char" : w == 16 ? "short" : w == 64 ? "long" : "int";
        break;
    }
    default: break;
    }
    const char *sign = LLVMGetTypeKind(t) == LLVMIntegerTypeKind && !number_at(node, 1) ? "u" : "";
    return n ? arena_printf(a, "%s%s%u", sign, name, n) : arena_printf(a, "%s%s", sign, name);
}

static bool is_attribute(LLVMValueRef fn, const char *name, const char *value)
{
    LLVMAttributeRef a =
        LLVMGetStringAttributeAtIndex(fn, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
    unsigned n = 0;
    const char *v = a ? LLVMGetStringAttributeValue(a, &n) : "";
    return n == strlen(value) && !memcmp(v, value, n);
}

void fe_kernel_read(LLVMModuleRef m, LLVMValueRef kernel, struct arena *a, struct fe_kernel *out)
{
    *out = (struct fe_kernel){.name = arena_strdup(a, l_name(kernel)), .vec_type_hint = ""};
    read_args(m, kernel, a, out);
    out->may_be_uneven = is_attribute(kernel, "uniform-work-group-size", "false");
    struct str attrs = {0};
    LLVMValueRef hint = md_of(m, kernel, "vec_type_hint");
    if (hint) {
        out->vec_type_hint = type_hint(hint, a);
        str_printf(&attrs, "vec_type_hint(%s)", out->vec_type_hint);
    }
    read_size(m, kernel, "work_group_size_hint", out->wg_size_hint, "work_group_size_hint", &attrs);
    read_size(m, kernel, "reqd_work_group_size", out->reqd_wg_size, "reqd_work_group_size", &attrs);
    LLVMValueRef sub_group = md_of(m, kernel, "intel_reqd_sub_group_size");
    if (sub_group) {
        out->sub_group = (uint32_t)number_at(sub_group, 0);
        str_printf(&attrs, "%sintel_reqd_sub_group_size(%u)", attrs.len ? " " : "", out->sub_group);
    }
    out->attributes = arena_strdup(a, str_text(&attrs));
    str_deinit(&attrs);
}
