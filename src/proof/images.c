// SPDX-License-Identifier: MIT
// Images that a kernel reads or writes, but not both. An access is to one pixel, whose number
// stands for the offset of a byte: coordinates outside of the image may have the number of a pixel
// inside, so pairs of accesses that have nothing in common never become equal by that. A read with
// a sampler is of any pixels.
#include "proof/kernel.h"

#include "llvm/ir.h"

#include <stdlib.h>
#include <string.h>

/** A call that reads or writes a pixel. */
struct image_call {
    unsigned arg; // of the kernel: the image
    unsigned dims;
    LLVMValueRef at; // coordinates
    LLVMValueRef sampler;
    bool write;
};

/**
 * Opaque types stay in variables (mem2reg does not promote them): the value that is stored to the
 * variable once, if `v` is loaded from one.
 */
static LLVMValueRef stored_value(LLVMValueRef v)
{
    LLVMValueRef stored = NULL;
    if (!LLVMIsALoadInst(v) || !LLVMIsAAllocaInst(LLVMGetOperand(v, 0))) return v;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMGetOperand(v, 0)); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        char name[64] = "";
        if (LLVMIsACallInst(user)) rg_callee_base_name(user, name, sizeof name);
        if (LLVMIsALoadInst(user) || !strcmp(name, PK_DECLARED) ||
            (LLVMIsACallInst(user) && l_is_debug(user)))
            continue;
        if (!LLVMIsAStoreInst(user) || stored || LLVMGetOperand(user, 1) != LLVMGetOperand(v, 0))
            return v;
        stored = LLVMGetOperand(user, 0);
    }
    return stored ? stored : v;
}

static const struct proof_arg *image_of(const struct pk *k, LLVMValueRef image, unsigned *arg)
{
    const LLVMValueRef v = stored_value(image);
    for (unsigned i = 0; i < k->q->nargs; i++)
        if (LLVMGetParam(k->fn, i) == v && k->q->args[i].kind == PROOF_IMAGE) {
            *arg = i;
            return &k->q->args[i];
        }
    return NULL;
}

/** Coordinates of the type in a mangled name: ocl_image2d_array_ro has three. */
static unsigned dims_of(const char *symbol)
{
    const char *type = strstr(symbol, "ocl_image");
    if (!type) return 0;
    const unsigned n = (unsigned)(type[strlen("ocl_image")] - '0');
    return n < 1 || n > 3 ? 0 : n + (strstr(type, "_array") != NULL);
}

static bool understand(const struct pk *k, LLVMValueRef call, struct image_call *out)
{
    char name[64];
    rg_callee_base_name(call, name, sizeof name);
    const char *symbol = l_callee(call) ? l_name(l_callee(call)) : "";
    const unsigned n = LLVMGetNumArgOperands(call);
    const bool write = str_starts(name, "write_image"), sampled = strstr(symbol, "ocl_sampler");
    *out = (struct image_call){.dims = dims_of(symbol), .write = write};
    if (n != (write || sampled ? 3u : 2u) || !out->dims || strstr(symbol, "_rw") ||
        !image_of(k, LLVMGetOperand(call, 0), &out->arg))
        return false;
    out->at = LLVMGetOperand(call, sampled ? 2 : 1);
    if (sampled) out->sampler = stored_value(LLVMGetOperand(call, 1));
    return true;
}

/** Coordinate d as 64 bits; PF_NONE: it is not an integer. */
static pf coordinate(struct pk *k, unsigned node, const struct image_call *c, unsigned d)
{
    LLVMTypeRef t = LLVMTypeOf(c->at);
    if (LLVMGetTypeKind(t) == LLVMIntegerTypeKind)
        return pf_sext(&k->s, pk_value(k, node, c->at), 64);
    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind || d >= LLVMGetVectorSize(t) ||
        LLVMGetTypeKind(LLVMGetElementType(t)) != LLVMIntegerTypeKind)
        return PF_NONE;
    return pf_sext(&k->s, pk_component(k, node, c->at, d), 64);
}

bool pk_image_access(struct pk *k, unsigned node, LLVMValueRef call)
{
    struct image_call c;
    if (!understand(k, call, &c)) return false;
    const struct pk_access a = {.node = node,
                                .insn = call,
                                .pointer = call,
                                .space = PK_IMAGES,
                                .size = 1,
                                .align = 1,
                                .write = c.write};
    vec_push(&k->accesses, a);
    return true;
}

pf pk_pixel(struct pk *k, unsigned node, LLVMValueRef call, unsigned *arg)
{
    struct image_call c;
    struct pf_space *s = &k->s;
    if (!understand(k, call, &c)) return PF_NONE;
    *arg = c.arg;
    const struct pk_symbol any = {.kind = PK_UNKNOWN, .node = node, .value = call};
    if (c.sampler) return pk_new_symbol(k, 64, any, 0, UINT64_MAX);
    const uint64_t *size = k->q->args[c.arg].image;
    pf r = pf_const(s, 64, 0);
    for (unsigned d = c.dims; d-- > 0;) {
        const pf x = coordinate(k, node, &c, d);
        if (!x) return PF_NONE;
        r = pf_add(s, pf_mul(s, r, pf_const(s, 64, size[d])), x);
    }
    return r;
}

/** A sampler with which no coordinate is outside. */
static bool clamps(const struct pk *k, LLVMValueRef sampler)
{
    for (unsigned i = 0; i < k->q->nargs; i++)
        if (LLVMGetParam(k->fn, i) == sampler) return k->q->args[i].kind == PROOF_CLAMPING_SAMPLER;
    char name[64];
    if (!LLVMIsACallInst(sampler)) return false;
    rg_callee_base_name(sampler, name, sizeof name);
    LLVMValueRef bits = LLVMGetNumArgOperands(sampler) == 1 ? LLVMGetOperand(sampler, 0) : NULL;
    return !strcmp(name, "__translate_sampler_initializer") && bits && LLVMIsAConstantInt(bits) &&
           (LLVMConstIntGetZExtValue(bits) & 0xe); // not CLK_ADDRESS_NONE
}

pf pk_outside_image(struct pk *k, unsigned node, LLVMValueRef call)
{
    struct image_call c;
    struct pf_space *s = &k->s;
    if (!understand(k, call, &c)) return PF_NONE;
    if (c.sampler && clamps(k, c.sampler)) return pf_bool(s, false);
    pf outside = pf_bool(s, false);
    for (unsigned d = 0; d < c.dims; d++) {
        const pf x = coordinate(k, node, &c, d);
        if (!x) return PF_NONE;
        outside =
            pf_or(s, outside, pf_not(s, pf_ult(s, x, pf_const(s, 64, k->q->args[c.arg].image[d]))));
    }
    return outside;
}

pf pk_image_size(struct pk *k, LLVMValueRef call, const char *name)
{
    static const struct {
        const char *name;
        unsigned d;
    } table[] = {{"get_image_width", 0}, {"get_image_height", 1}, {"get_image_depth", 2}};
    unsigned arg;
    const char *symbol = l_callee(call) ? l_name(l_callee(call)) : "";
    if (LLVMGetNumArgOperands(call) != 1 || !image_of(k, LLVMGetOperand(call, 0), &arg))
        return PF_NONE;
    const uint64_t *size = k->q->args[arg].image;
    const unsigned dims = dims_of(symbol), w = pk_bits(call);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(name, table[i].name) && table[i].d < dims && w)
            return pf_const(&k->s, w, size[table[i].d]);
    if (!strcmp(name, "get_image_array_size") && dims > 1 && w)
        return pf_const(&k->s, w, size[dims - 1]);
    return PF_NONE;
}

pf pk_image_dim(struct pk *k, LLVMValueRef call, unsigned i)
{
    char name[64];
    unsigned arg;
    rg_callee_base_name(call, name, sizeof name);
    if (strcmp(name, "get_image_dim") || i > 2 || LLVMGetNumArgOperands(call) != 1 ||
        !image_of(k, LLVMGetOperand(call, 0), &arg))
        return PF_NONE;
    const unsigned dims = dims_of(l_name(l_callee(call)));
    const bool is_array = strstr(l_name(l_callee(call)), "_array");
    return pf_const(&k->s, 32, i < dims - is_array ? k->q->args[arg].image[i] : 0);
}
