// SPDX-License-Identifier: MIT
// The instructions are copied one by one; those of a later version are replaced by older ones with
// the same meaning (SPIR-V 1.6, section 3.52; extension SPV_KHR_expect_assume). A module that does
// not have the form of one is copied as it is: the translator says what is wrong with it.
#include "frontend/spirv_lowering.h"

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
enum {
    OP_EXTENSION = 10,
    OP_CAPABILITY = 17,
    OP_TYPE_INT = 21,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_CONSTANT_NULL = 46,
    OP_FUNCTION = 54,
    OP_PTR_ACCESS_CHAIN = 67,
    OP_DECORATE = 71,
    OP_COPY_OBJECT = 83,
    OP_CONVERT_PTR_TO_U = 117,
    OP_I_SUB = 130,
    OP_S_DIV = 135,
    OP_I_EQUAL = 170,
    OP_I_NOT_EQUAL = 171,
    OP_ATOMIC_EXCHANGE = 229,
    OP_ATOMIC_XOR = 242,
    OP_DECORATE_ID = 332,
    OP_COPY_LOGICAL = 400,
    OP_PTR_EQUAL = 401,
    OP_PTR_NOT_EQUAL = 402,
    OP_PTR_DIFF = 403,
    OP_ASSUME_TRUE = 5630,
    OP_EXPECT = 5631,
    CAPABILITY_EXPECT_ASSUME = 5629,
    DECORATION_UNIFORM_ID = 27,
};

struct lowering {
    VEC(uint32_t) out, globals; // globals: to stand before the first function
    struct map pointer_type;    // value → its type, a pointer
    struct map storage_class;   // type of pointer → its storage class
    struct map constant;        // of one word: value → the word, its type in the upper half
    struct map null_of;         // type → a null pointer
    struct map device_scope;    // type → the constant of this type
    uint32_t bound, ulong, one; // ids; ulong, one 0: none yet
    bool is_translated;         // by the Khronos LLVM/SPIR-V Translator
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

struct instruction {
    uint32_t op;
    uint32_t words[6];
    unsigned n;
    bool is_global;
};

static void put(struct lowering *l, struct instruction i)
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
        put(l, (struct instruction){OP_TYPE_INT, {l->ulong, 64, 0}, 3, true});
    }
    put(l, (struct instruction){OP_CONVERT_PTR_TO_U, {l->ulong, id, pointer}, 3, false});
    return id;
}

/** The size of what the pointers of a type point to: the address of element 1 from null. */
static uint32_t size_of_element(struct lowering *l, uint32_t type)
{
    uint64_t *null = map_put(&l->null_of, type, NULL);
    if (!l->one) {
        l->one = l->bound++;
        put(l, (struct instruction){OP_CONSTANT, {l->ulong, l->one, 1, 0}, 4, true});
    }
    if (!*null) {
        *null = l->bound++;
        put(l, (struct instruction){OP_CONSTANT_NULL, {type, (uint32_t)*null}, 2, true});
    }
    const uint32_t next = l->bound++;
    put(l,
        (struct instruction){OP_PTR_ACCESS_CHAIN, {type, next, (uint32_t)*null, l->one}, 4, false});
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
        put(l, (struct instruction){as, {w[1], w[2], a, b}, 4, false});
        return true;
    }
    const uint32_t bytes = l->bound++, size = size_of_element(l, (uint32_t)*type);
    put(l, (struct instruction){OP_I_SUB, {w[1], bytes, a, b}, 4, false});
    put(l, (struct instruction){OP_S_DIV, {w[1], w[2], bytes, size}, 4, false});
    return true;
}

static bool names_expect_assume(const uint32_t *w, size_t len)
{
    static const char name[] = "SPV_KHR_expect_assume";
    return (len - 1) * 4 >= sizeof name && !memcmp(w + 1, name, sizeof name);
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
        put(l, (struct instruction){OP_CONSTANT, {type, (uint32_t)*id, SCOPE_DEVICE}, 3, true});
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
    case OP_EXTENSION: return names_expect_assume(w, len);
    case OP_CAPABILITY: return len == 2 && w[1] == CAPABILITY_EXPECT_ASSUME;
    case OP_DECORATE:
    case OP_DECORATE_ID: return len > 2 && w[2] == DECORATION_UNIFORM_ID;
    case OP_ASSUME_TRUE: return true;
    case OP_EXPECT:
    case OP_COPY_LOGICAL:
        if (len < 4) return false;
        put(l, (struct instruction){OP_COPY_OBJECT, {w[1], w[2], w[3]}, 3, false});
        return true;
    case OP_PTR_EQUAL:
    case OP_PTR_NOT_EQUAL:
    case OP_PTR_DIFF: return len == 5 && compare_pointers(l, op, w);
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
    struct map *maps[] = {&l.pointer_type, &l.storage_class, &l.constant, &l.null_of,
                          &l.device_scope};
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
        {4450, "OpSDot"},
        {4451, "OpUDot"},
        {4452, "OpSUDot"},
        {4453, "OpSDotAccSat"},
        {4454, "OpUDotAccSat"},
        {4455, "OpSUDotAccSat"},
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
