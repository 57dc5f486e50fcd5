// SPDX-License-Identifier: MIT
#include "frontend/debug_types.h"

#include "frontend/dwarf.h"
#include "llvm/ir.h"

#include <stdlib.h>
#include <string.h>

void fe_types_init(struct fe_types *t, LLVMModuleRef llvm, uint32_t (*intern)(void *, const char *),
                   void *context)
{
    *t = (struct fe_types){.llvm = llvm, .intern = intern, .context = context};
    vec_push(&t->types, (struct bc_dtype){.kind = BC_T_VOID, .name = intern(context, "void")});
}

void fe_types_deinit(struct fe_types *t)
{
    vec_free(&t->types);
    vec_free(&t->members);
    map_deinit(&t->type_of);
}

static const char *name_of(LLVMValueRef node, char *buf, size_t size)
{
    unsigned n;
    const char *s = l_md_string(l_md_operand(node, l_di.type_name), &n);
    snprintf(buf, size, "%.*s", s ? (int)n : 0, s ? s : "");
    return buf;
}

// The C API does not give a basic type's encoding; clang's names of OpenCL C's types say it.
static enum bc_dtype_kind kind_of_basic(const char *name)
{
    if (!strcmp(name, "bool") || !strcmp(name, "_Bool")) return BC_T_BOOL;
    if (!strcmp(name, "half") || !strcmp(name, "_Float16") || !strcmp(name, "float") ||
        !strcmp(name, "double"))
        return BC_T_FLOAT;
    return strncmp(name, "unsigned", 8) ? BC_T_INT : BC_T_UINT;
}

static uint32_t add(struct fe_types *t, struct bc_dtype d)
{
    vec_push(&t->types, d);
    return (uint32_t)t->types.len - 1;
}

// A dimension after the other, from the last: float[16][17] is 16 times float[17].
static uint32_t array_of(struct fe_types *t, uint32_t element, LLVMValueRef dims, unsigned at)
{
    if (!dims || at >= LLVMGetMDNodeNumOperands(dims)) return element;
    LLVMValueRef range = l_md_operand(dims, at), count = range ? l_md_operand(range, 0) : NULL;
    const uint64_t n = count && LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0;
    const uint32_t base = array_of(t, element, dims, at + 1);
    return add(
        t, (struct bc_dtype){
               .kind = BC_T_ARRAY, .base = base, .count = n, .size = n * t->types.data[base].size});
}

static void add_members(struct fe_types *t, uint32_t at, LLVMValueRef node)
{
    LLVMValueRef list = l_md_operand(node, l_di.elements);
    VEC(struct bc_member) members = {0};
    char name[256];
    for (unsigned i = 0, n = list ? LLVMGetMDNodeNumOperands(list) : 0; i < n; i++) {
        LLVMValueRef m = l_md_operand(list, i);
        if (!m || LLVMGetMetadataKind(l_md(m)) != LLVMDIDerivedTypeMetadataKind) continue;
        const uint64_t bit = LLVMDITypeGetOffsetInBits(l_md(m)),
                       bits = LLVMDITypeGetSizeInBits(l_md(m));
        struct bc_member to = {.name = t->intern(t->context, name_of(m, name, sizeof name)),
                               .offset = bit / 8,
                               .type = fe_type_number(t, l_md_operand(m, l_di.base_type))};
        if (LLVMDITypeGetFlags(l_md(m)) & LLVMDIFlagBitField) {
            const uint64_t unit = 8 * t->types.data[to.type].size;
            if (unit) {
                to.offset = bit / unit * unit / 8;
                to.bit = (uint32_t)(bit - 8 * to.offset);
                to.bits = (uint32_t)bits;
            }
        }
        vec_push(&members, to);
    }
    t->types.data[at].first_member = (uint32_t)t->members.len;
    t->types.data[at].nmembers = (uint32_t)members.len;
    for (size_t i = 0; i < members.len; i++) vec_push(&t->members, members.data[i]);
    vec_free(&members);
}

/** The value of an enumerator; LLVM-C gives it in the text only. */
static int64_t value_of(LLVMValueRef enumerator)
{
    char *const text = LLVMPrintValueToString(enumerator);
    const char *at = text ? strstr(text, "value: ") : NULL;
    const int64_t v = at ? (int64_t)strtoull(at + 7, NULL, 10) : 0;
    LLVMDisposeMessage(text);
    return v;
}

/** The enumerators, as members of type 0 whose offsets are their values. */
static void add_enumerators(struct fe_types *t, uint32_t at, LLVMValueRef node)
{
    LLVMValueRef list = l_md_operand(node, l_di.elements);
    char name[256];
    t->types.data[at].first_member = (uint32_t)t->members.len;
    for (unsigned i = 0, n = list ? LLVMGetMDNodeNumOperands(list) : 0; i < n; i++) {
        LLVMValueRef m = l_md_operand(list, i);
        if (!m || LLVMGetMetadataKind(l_md(m)) != LLVMDIEnumeratorMetadataKind) continue;
        unsigned len = 0;
        const char *s = l_md_string(LLVMGetMDNodeNumOperands(m) ? l_md_operand(m, 0) : NULL, &len);
        snprintf(name, sizeof name, "%.*s", (int)len, s ? s : "");
        vec_push(&t->members, ((struct bc_member){.name = t->intern(t->context, name),
                                                  .offset = (uint64_t)value_of(m)}));
        t->types.data[at].nmembers++;
    }
}

static uint32_t vector_of(struct fe_types *t, struct bc_dtype d, LLVMValueRef dims)
{
    LLVMValueRef range = dims ? l_md_operand(dims, 0) : NULL;
    LLVMValueRef count = range ? l_md_operand(range, 0) : NULL;
    d.kind = BC_T_VECTOR;
    d.count = count && LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 1;
    d.size = (d.count == 3 ? 4 : d.count) * t->types.data[d.base].size;
    return add(t, d);
}

static bool is_opaque(LLVMValueRef node)
{
    char name[64];
    return node && LLVMGetMetadataKind(l_md(node)) == LLVMDICompositeTypeMetadataKind &&
           !strncmp(name_of(node, name, sizeof name), "opencl_", 7);
}

uint32_t fe_type_number(struct fe_types *t, LLVMValueRef node)
{
    if (!node) return 0;
    LLVMMetadataRef md = l_md(node);
    uint64_t *known = map_get_ptr(&t->type_of, md);
    if (known) return (uint32_t)*known;
    const unsigned tag = LLVMGetDINodeTag(md);
    LLVMValueRef base = tag == TAG_BASE ? NULL : l_md_operand(node, l_di.base_type);
    char name[256];
    name_of(node, name, sizeof name);
    struct bc_dtype d = {.size = LLVMDITypeGetSizeInBits(md) / 8};
    if (*name) d.name = t->intern(t->context, !strncmp(name, "opencl_", 7) ? name + 7 : name);
    uint32_t at;
    switch (tag) {
    case TAG_VOLATILE:
    case TAG_RESTRICT:
    case TAG_ATOMIC: at = fe_type_number(t, base); break;
    case TAG_TYPEDEF:
    case TAG_CONST:
        d.base = fe_type_number(t, base);
        d.kind = tag == TAG_CONST ? BC_T_CONST : BC_T_TYPEDEF;
        d.size = t->types.data[d.base].size;
        at = add(t, d);
        break;
    case TAG_POINTER:
        if (is_opaque(base)) { // an image, an event: no pointer in the source
            at = fe_type_number(t, base);
            break;
        }
        at = add(t, (struct bc_dtype){.kind = BC_T_POINTER, .size = 8});
        *map_put_ptr(&t->type_of, md, NULL) = at; // it may point to the struct it is in
        const uint32_t to = fe_type_number(t, base);
        t->types.data[at].base = to;
        break;
    case TAG_ARRAY:
        d.base = fe_type_number(t, base);
        at = LLVMDITypeGetFlags(md) & LLVMDIFlagVector
                 ? vector_of(t, d, l_md_operand(node, l_di.elements))
                 : array_of(t, d.base, l_md_operand(node, l_di.elements), 0);
        break;
    case TAG_STRUCT:
    case TAG_UNION:
        d.kind = !strncmp(name, "opencl_", 7) ? BC_T_OPAQUE
                 : tag == TAG_UNION           ? BC_T_UNION
                                              : BC_T_STRUCT;
        if (d.kind == BC_T_OPAQUE) d.size = 8;
        at = add(t, d);
        *map_put_ptr(&t->type_of, md, NULL) = at;
        if (d.kind != BC_T_OPAQUE) add_members(t, at, node);
        break;
    case TAG_ENUM:
        d.kind = BC_T_ENUM;
        at = add(t, d);
        add_enumerators(t, at, node);
        break;
    case TAG_BASE:
        d.kind = (uint8_t)kind_of_basic(name);
        at = add(t, d);
        break;
    default: at = 0; break;
    }
    *map_put_ptr(&t->type_of, md, NULL) = at;
    return at;
}

uint32_t fe_type_pipe(struct fe_types *t, LLVMValueRef packet)
{
    return add(t, (struct bc_dtype){.kind = BC_T_OPAQUE,
                                    .size = 8,
                                    .base = fe_type_number(t, packet),
                                    .name = t->intern(t->context, "pipe")});
}
