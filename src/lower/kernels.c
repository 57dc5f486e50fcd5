// SPDX-License-Identifier: MIT
// Kernels: what the host sees of them, and where their arguments go.
#include "frontend/kernel_meta.h"
#include "lower/lw.h"

#include <string.h>

// Bytes that the host gives for a value: an OpenCL 3-vector takes four elements.
/** A module may have smaller pointers; the host's have 8 bytes. */
static uint32_t host_size(struct lw_module *m, LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMPointerTypeKind ? 8 : (uint32_t)l_size(m->llvm, t);
}

bool lw_is_opaque(LLVMTypeRef t, const char *type)
{
    return LLVMGetTypeKind(t) == LLVMTargetExtTypeKind &&
           !strcmp(LLVMGetTargetExtTypeName(t), type);
}

/**
 * Images and samplers are opaque types of their own; in SPIR 1.2, 2.0 and what older translators of
 * SPIR-V write they were pointers to opaque structures, of which LLVM keeps only the pointer: the
 * metadata has the type's name.
 */
static bool is_opaque(LLVMTypeRef t, const char *type, const struct fe_arg *arg, const char *name)
{
    if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
        return str_starts(arg->base_type, name) &&
               str_ends(arg->base_type,
                        "_t"); // ("image2d_array_t"; of a pointer it would end in '*')
    return lw_is_opaque(t, type);
}
static bool is_image(LLVMTypeRef t, const struct fe_arg *arg)
{
    return is_opaque(t, "spirv.Image", arg, "image");
}
// (its memory is a buffer: frontend/pipes.cl; where it is a pointer its metadata says no more than
// what its packets are)
static bool is_pipe(LLVMTypeRef t, const struct fe_arg *arg)
{
    if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
        return arg->is_pipe && LLVMGetPointerAddressSpace(t) == BC_GLOBAL;
    return is_opaque(t, "spirv.Pipe", arg, "");
}
// (in SPIR 1.2 its number)
static bool is_sampler(LLVMTypeRef t, const struct fe_arg *arg)
{
    return is_opaque(t, "spirv.Sampler", arg, "sampler") ||
           (LLVMGetTypeKind(t) == LLVMIntegerTypeKind && !strcmp(arg->base_type, "sampler_t"));
}

static const char *refusal(LLVMTypeRef t, const struct fe_arg *arg)
{
    if (LLVMGetTypeKind(t) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(t) > BC_GENERIC)
        return "a pointer to an address space that OpenCL C does not have";
    if (lw_is_opaque(t, "spirv.Queue")) return NULL; // a number: the host's handle
    if (LLVMGetTypeKind(t) != LLVMTargetExtTypeKind || is_image(t, arg) || is_sampler(t, arg) ||
        is_pipe(t, arg))
        return NULL;
    return "an argument of an opaque type is not supported";
}

/** What a parameter that is passed by value, an image, a sampler, a pipe or a pointer is. */
static void classify(struct bc_arg *a, LLVMValueRef fn, unsigned i, const struct fe_arg *src)
{
    LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(fn, i));
    if (is_image(t, src)) {
        a->kind = BC_ARG_IMAGE;
        a->space = BC_GLOBAL;
        if (!a->access) a->access = FE_READ_ONLY;
        a->may_write = a->access != FE_READ_ONLY;
        a->may_read = a->access != FE_WRITE_ONLY;
    } else if (is_sampler(t, src)) {
        a->kind = BC_ARG_SAMPLER;
        a->space = BC_PRIVATE;
    } else if (is_pipe(t, src)) {
        a->kind = BC_ARG_BUFFER;
        a->space = BC_GLOBAL;
    } else if (LLVMGetTypeKind(t) == LLVMPointerTypeKind) {
        const unsigned space = LLVMGetPointerAddressSpace(t);
        a->kind = space == 3 ? BC_ARG_LOCAL : BC_ARG_BUFFER;
        a->space = space <= BC_GENERIC ? (uint8_t)space : BC_GENERIC;
        const unsigned attr = LLVMGetEnumAttributeKindForName("align", 5);
        LLVMAttributeRef al = LLVMGetEnumAttributeAtIndex(fn, i + 1, attr);
        if (al) a->align = (uint32_t)LLVMGetEnumAttributeValue(al);
    } else {
        a->kind = BC_ARG_VALUE;
        a->space = BC_PRIVATE;
    }
}

/** Adds argument i to the module; `reg`: how many scalar parameters come before it. */
static void add_argument(struct lw_fn *f, struct bc_kernel *k, unsigned i, const struct fe_arg *src,
                         unsigned *reg)
{
    struct lw_module *m = f->m;
    LLVMValueRef fn = f->rg->fn, p = LLVMGetParam(fn, i);
    LLVMTypeRef t = LLVMTypeOf(p);
    struct bc_arg a = {.name = lw_intern(m, src->name),
                       .type = lw_intern(m, src->type),
                       .access = (uint8_t)src->access,
                       .is_const = src->is_const,
                       .is_restrict = src->is_restrict,
                       .is_volatile = src->is_volatile,
                       .is_pipe = is_pipe(t, src),
                       .space = (uint8_t)src->space,
                       .first_piece = (uint32_t)m->pieces.len,
                       .align = 1,
                       .loc = fe_debug_function(m->debug, fn)};
    const char *why = refusal(t, src);
    if (why) k->refused = arena_printf(m->arena, "argument %u ('%s'): %s", i, src->name, why);
    if (lw_is_byval(fn, i)) {
        a.kind = BC_ARG_STRUCT;
        a.object = lw_object(m, p);
        a.size = (uint32_t)m->objects.data[a.object].size;
        ++*reg; // the constant pointer
    } else {
        const struct lw_leaf *leaf;
        classify(&a, fn, i, src);
        a.size = host_size(m, t);
        a.npieces = lw_leaves(f, t, &leaf);
        for (unsigned l = 0; l < a.npieces; l++)
            vec_push(&m->pieces, (struct bc_piece){(uint32_t)leaf[l].offset, leaf[l].size,
                                                   f->params[(*reg)++]});
    }
    vec_push(&m->args, a);
}

/** clang makes a kernel of each block that is enqueued: "__NAME_block_invoke_2_kernel". */
static bool is_block(LLVMValueRef fn)
{
    return strstr(l_name(fn), "_block_invoke") && str_ends(l_name(fn), "_kernel") &&
           LLVMCountParams(fn) &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(fn, 0))) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetParam(fn, 0))) == BC_GENERIC;
}

/** Was the program built with -cl-uniform-work-group-size? */
static bool any_is_uniform(LLVMModuleRef m)
{
    static const char name[] = "uniform-work-group-size";
    unsigned n = 0;
    l_each_function(m, f) {
        LLVMAttributeRef a =
            LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, sizeof name - 1);
        if (a && !strncmp(LLVMGetStringAttributeValue(a, &n), "true", 4)) return true;
    }
    return false;
}

void lw_kernel(struct lw_module *m, unsigned index, struct lw_fn *f)
{
    LLVMValueRef fn = f->rg->fn;
    struct fe_kernel meta;
    if (LLVMCountParams(fn) > BC_MAX_ARGS) {
        lw_error(f, NULL, "a kernel with %u arguments is not supported; %d are the most",
                 LLVMCountParams(fn), BC_MAX_ARGS);
        return;
    }
    fe_kernel_read(m->llvm, fn, &f->arena, &meta);
    if (meta.sub_group > BC_MAX_SUB_GROUP || (meta.sub_group & (meta.sub_group - 1))) {
        lw_error(f, NULL,
                 "intel_reqd_sub_group_size(%u): sub-groups are of 1, 2, 4, 8, 16 or 32 work-items",
                 meta.sub_group);
        return;
    }
    struct bc_kernel k = {.name = lw_intern(m, meta.name),
                          .fn = index,
                          .first_arg = (uint32_t)m->args.len,
                          .nargs = LLVMCountParams(fn),
                          .vec_type_hint = lw_intern(m, meta.vec_type_hint),
                          .attributes = lw_intern(m, meta.attributes),
                          .sub_group = (uint16_t)meta.sub_group,
                          .has_barrier = f->rg->has_barrier,
                          .may_be_uneven = meta.may_be_uneven};
    memcpy(k.reqd_wg_size, meta.reqd_wg_size, sizeof k.reqd_wg_size);
    memcpy(k.wg_size_hint, meta.wg_size_hint, sizeof k.wg_size_hint);
    k.is_block = is_block(fn);
    if (k.is_block) // reports name the block's function
        k.name =
            lw_intern(m, arena_printf(&f->arena, "%.*s", (int)strlen(meta.name) - 7, meta.name));
    if (k.is_block) k.may_be_uneven = !any_is_uniform(m->llvm); // (clang gives it no attribute)
    unsigned reg = 0;
    for (unsigned i = 0; i < k.nargs; i++) add_argument(f, &k, i, &meta.args[i], &reg);
    lw_arg_access(m, fn, &m->args.data[k.first_arg], k.nargs);
    for (unsigned i = 0; i < k.nargs; i++) { // of a pipe all is read and written
        struct bc_arg *a = &m->args.data[k.first_arg + i];
        if (a->is_pipe) a->may_read = a->may_write = true, a->only_atomics = false, a->unit = 0;
    }
    for (size_t i = 0; i < f->insns.len; i++) {
        k.uses_printf |= f->insns.data[i].op == BC_PRINTF;
        k.uses_atomics |= f->insns.data[i].op == BC_ATOMIC;
    }
    vec_push(&m->kernels, k);
}
