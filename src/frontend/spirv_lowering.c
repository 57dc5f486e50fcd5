// SPDX-License-Identifier: MIT
// The instructions are copied one by one; those of a later version are replaced by older ones with
// the same meaning (SPIR-V 1.6, section 3.52; extension SPV_KHR_expect_assume;
// spirv_dot.c has integer dot products). spirv_composite.c replaces an instruction with which the
// translator crashes. A module that does not have the form of one is copied as it is: the
// translator says what is wrong with it.
#include "frontend/spirv_lowering.h"

#include "frontend/spirv_rewriting.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAD_WORDS = 5,
    VERSION = 1,
    GENERATOR = 2,
    BOUND = 3,
    NEWEST = 0x00010400,
    MAGIC = 0x07230203,
    MEMORY_ORDER = 0x1e, // the bits of memory semantics; 0: relaxed
    TRANSLATOR = 6,      // generator in the upper half: Khronos LLVM/SPIR-V Translator
    STORAGE_CROSS_WORKGROUP = 5,
    SCOPE_DEVICE = 1,
    SCOPE_WORKGROUP = 2,
};
static uint32_t *words_of(const void *data, size_t size, size_t *n)
{
    *n = size / 4;
    uint32_t *w = mem_alloc((*n + 1) * sizeof *w);
    memcpy(w, data, *n * sizeof *w);
    const bool swapped = *n && __builtin_bswap32(w[0]) == MAGIC;
    for (size_t i = 0; swapped && i < *n; i++) w[i] = __builtin_bswap32(w[i]);
    return w;
}

/** The length of the instruction at w[i]; 0: the rest is not of that form. */
static size_t length_of(const uint32_t *w, size_t n, size_t i)
{
    const size_t len = w[i] >> 16;
    return len <= n - i ? len : 0;
}

void spirv_put(struct lowering *l, struct instruction i)
{
    if (i.is_global) vec_push(&l->globals, (i.n + 1) << 16 | i.op);
    else vec_push(&l->out, (i.n + 1) << 16 | i.op);
    for (unsigned k = 0; k < i.n; k++)
        if (i.is_global) vec_push(&l->globals, i.words[k]);
        else vec_push(&l->out, i.words[k]);
}

static uint32_t as_number(struct lowering *l, uint32_t pointer)
{
    const uint32_t id = l->bound++;
    if (!l->ulong) {
        l->ulong = l->bound++;
        spirv_put(l, (struct instruction){OP_TYPE_INT, {l->ulong, 64, 0}, 3, true});
    }
    spirv_put(l, (struct instruction){OP_CONVERT_PTR_TO_U, {l->ulong, id, pointer}, 3, false});
    return id;
}

/** The size of what the pointers of a type point to: the address of element 1 from null. */
static uint32_t size_of_element(struct lowering *l, uint32_t type)
{
    uint64_t *null = map_put(&l->null_of, type, NULL);
    if (!l->one) {
        l->one = l->bound++;
        spirv_put(l, (struct instruction){OP_CONSTANT, {l->ulong, l->one, 1, 0}, 4, true});
    }
    if (!*null) {
        *null = l->bound++;
        spirv_put(l, (struct instruction){OP_CONSTANT_NULL, {type, (uint32_t)*null}, 2, true});
    }
    const uint32_t next = l->bound++;
    spirv_put(l, (struct instruction){
                     OP_PTR_ACCESS_CHAIN, {type, next, (uint32_t)*null, l->one}, 4, false});
    return as_number(l, next);
}

/** OpPtrEqual, OpPtrNotEqual, OpPtrDiff: type, result, two pointers. */
static bool compare_pointers(struct lowering *l, uint32_t op, const uint32_t *w)
{
    const uint64_t *type = map_get(&l->pointer_type, w[3]);
    if (op == OP_PTR_DIFF && !type) return false;
    const uint32_t a = as_number(l, w[3]), b = as_number(l, w[4]);
    if (op != OP_PTR_DIFF) {
        const uint32_t as = op == OP_PTR_EQUAL ? OP_I_EQUAL : OP_I_NOT_EQUAL;
        spirv_put(l, (struct instruction){as, {w[1], w[2], a, b}, 4, false});
        return true;
    }
    const uint32_t bytes = l->bound++, size = size_of_element(l, (uint32_t)*type);
    spirv_put(l, (struct instruction){OP_I_SUB, {w[1], bytes, a, b}, 4, false});
    spirv_put(l, (struct instruction){OP_S_DIV, {w[1], w[2], bytes, size}, 4, false});
    return true;
}

/** OpExtension of an extension whose instructions are all rewritten. */
static bool names_extension(const uint32_t *w, size_t len)
{
    static const char *const names[] = {"SPV_KHR_expect_assume", "SPV_KHR_integer_dot_product"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t size = strlen(names[i]) + 1;
        if ((len - 1) * 4 >= size && !memcmp(w + 1, names[i], size)) return true;
    }
    return false;
}

/** OpCapability. */
static bool lower_capability(struct lowering *l, uint32_t capability)
{
    switch (capability) {
    case CAPABILITY_EXPECT_ASSUME:
    case CAPABILITY_DOT_PRODUCT_INPUT_ALL:
    case CAPABILITY_DOT_PRODUCT_INPUT_4X8_BIT:
    case CAPABILITY_DOT_PRODUCT: return true;
    case CAPABILITY_DOT_PRODUCT_INPUT_4X8_BIT_PACKED: // which become vectors of bytes
        spirv_put(l, (struct instruction){OP_CAPABILITY, {CAPABILITY_INT8}, 1, false});
        return true;
    default: return false;
    }
}

static bool is_constant(const struct lowering *l, uint32_t id, uint32_t mask, uint32_t value)
{
    const uint64_t *c = map_get(&l->constant, id);
    return c && ((uint32_t)*c & mask) == value;
}

static uint32_t device_scope(struct lowering *l, uint32_t type)
{
    bool is_new;
    uint64_t *id = map_put(&l->device_scope, type, &is_new);
    if (is_new) {
        *id = l->bound++;
        spirv_put(l,
                  (struct instruction){OP_CONSTANT, {type, (uint32_t)*id, SCOPE_DEVICE}, 3, true});
    }
    return (uint32_t)*id;
}

/**
 * The translator writes atomics of OpenCL C 1.x (atomic_inc) on global memory as relaxed ones of
 * work-group scope. They are meant for the device: their users count over all work-groups.
 */
static bool widen_scope(struct lowering *l, const uint32_t *w, size_t len)
{
    if (!l->is_translated || len < 6) return false;
    const uint64_t *type = map_get(&l->pointer_type, w[3]);
    const uint64_t *storage = type ? map_get(&l->storage_class, *type) : NULL;
    if (!storage || *storage != STORAGE_CROSS_WORKGROUP) return false;
    if (!is_constant(l, w[4], ~0u, SCOPE_WORKGROUP) || !is_constant(l, w[5], MEMORY_ORDER, 0))
        return false;
    const uint32_t scope = device_scope(l, (uint32_t)(*map_get(&l->constant, w[4]) >> 32));
    for (size_t i = 0; i < len; i++) vec_push(&l->out, i == 4 ? scope : w[i]);
    return true;
}

/** Whether the instruction was left out or replaced. */
static bool lower(struct lowering *l, const uint32_t *w, size_t len)
{
    const uint32_t op = w[0] & 0xffff;
    switch (op) {
    case OP_EXTENSION: return names_extension(w, len);
    case OP_CAPABILITY: return len == 2 && lower_capability(l, w[1]);
    case OP_DECORATE:
    case OP_DECORATE_ID: return len > 2 && w[2] == DECORATION_UNIFORM_ID;
    case OP_ASSUME_TRUE: return true;
    case OP_EXPECT:
    case OP_COPY_LOGICAL:
        if (len < 4) return false;
        spirv_put(l, (struct instruction){OP_COPY_OBJECT, {w[1], w[2], w[3]}, 3, false});
        return true;
    case OP_PTR_EQUAL:
    case OP_PTR_NOT_EQUAL:
    case OP_PTR_DIFF: return len == 5 && compare_pointers(l, op, w);
    case OP_COMPOSITE_CONSTRUCT: return spirv_composite(l, w, len);
    case OP_COMPOSITE_EXTRACT: return spirv_extract(l, w, len);
    case OP_COMPOSITE_INSERT: return spirv_insert(l, w, len);
    case OP_S_DOT ... OP_SU_DOT_ACC_SAT: return spirv_dot(l, w, len);
    case OP_ATOMIC_EXCHANGE ... OP_ATOMIC_XOR: return widen_scope(l, w, len);
    default: return false;
    }
}

static void find_types(struct lowering *l, const uint32_t *w, size_t n)
{
    for (size_t i = HEAD_WORDS, len; i < n && (len = length_of(w, n, i)); i += len) {
        const uint32_t op = w[i] & 0xffff;
        if (op == OP_TYPE_INT && len == 4 && w[i + 2] == 64) l->ulong = w[i + 1];
        if (op == OP_TYPE_POINTER && len == 4)
            *map_put(&l->storage_class, w[i + 1], NULL) = w[i + 2];
        if (op == OP_CONSTANT && len == 4)
            *map_put(&l->constant, w[i + 2], NULL) = (uint64_t)w[i + 1] << 32 | w[i + 3];
        spirv_note_number(l, w + i, len);
        spirv_note_vector(l, w + i, len);
        spirv_note_aggregate(l, w + i, len);
        if (len > 2 && map_get(&l->storage_class, w[i + 1]))
            *map_put(&l->pointer_type, w[i + 2], NULL) = w[i + 1];
    }
}

void fe_spirv_lower(const void *data, size_t size, struct str *out)
{
    struct lowering l = {0};
    size_t n, functions = 0;
    uint32_t *w = words_of(data, size, &n);
    if (n >= HEAD_WORDS) {
        l.bound = w[BOUND];
        l.is_translated = w[GENERATOR] >> 16 == TRANSLATOR;
        find_types(&l, w, n);
        for (size_t i = 0; i < HEAD_WORDS; i++) vec_push(&l.out, w[i]);
        size_t i = HEAD_WORDS;
        for (size_t len; i < n && (len = length_of(w, n, i)); i += len) {
            if ((w[i] & 0xffff) == OP_FUNCTION && !functions) functions = l.out.len;
            if (lower(&l, w + i, len)) continue;
            for (size_t k = 0; k < len; k++) vec_push(&l.out, w[i + k]);
        }
        for (; i < n; i++) vec_push(&l.out, w[i]);
        l.out.data[BOUND] = l.bound;
        if (l.out.data[VERSION] > NEWEST && l.out.data[VERSION] <= 0x00010600)
            l.out.data[VERSION] = NEWEST;
        if (!functions) functions = l.out.len;
        str_put_n(out, (const char *)l.out.data, functions * 4);
        if (l.globals.len) str_put_n(out, (const char *)l.globals.data, l.globals.len * 4);
        str_put_n(out, (const char *)(l.out.data + functions), (l.out.len - functions) * 4);
    } else {
        str_put_n(out, data, size);
    }
    vec_free(&l.out);
    vec_free(&l.globals);
    vec_free(&l.members);
    struct map *maps[] = {&l.pointer_type,   &l.storage_class, &l.constant,     &l.null_of,
                          &l.device_scope,   &l.types,         &l.integer_type, &l.vector_type,
                          &l.type_of,        &l.any_vector,    &l.vector_value, &l.aggregate,
                          &l.aggregate_value};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_deinit(maps[i]);
    free(w);
}

void fe_spirv_new_instructions(const void *data, size_t size, struct str *names)
{
    static const struct {
        uint32_t op;
        const char *name;
    } table[] = {
        {400, "OpCopyLogical"},
        {401, "OpPtrEqual"},
        {402, "OpPtrNotEqual"},
        {403, "OpPtrDiff"},
        {4416, "OpTerminateInvocation"},
        {4421, "OpSubgroupBallotKHR"},
        {4422, "OpSubgroupFirstInvocationKHR"},
        {4431, "OpGroupNonUniformRotateKHR"},
        {5056, "OpReadClockKHR"},
        {5571, "OpSubgroupShuffleINTEL"},
        {6035, "OpAtomicFAddEXT"},
        {6401, "OpGroupIMulKHR"},
    };
    size_t n;
    uint32_t *w = words_of(data, size, &n);
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        bool found = false;
        for (size_t i = HEAD_WORDS, len; i < n && (len = length_of(w, n, i)); i += len)
            found |= (w[i] & 0xffff) == table[k].op;
        if (found) str_printf(names, "%s%s", names->len ? ", " : "", table[k].name);
    }
    free(w);
}
