// SPDX-License-Identifier: MIT
// Atomics, fences, prefetches and asynchronous copies. The functions of OpenCL C 1.x are relaxed;
// those of C11 have the order and scope that they are called with, or sequential consistency and
// the device.
#include "lower/builtin.h"

#include <string.h>

static lw_reg atomic(struct lw_bi *b, struct lw_atomic how, lw_reg value, lw_reg compare)
{
    const unsigned size = bi_scalar_size(b->c->arg[0].scalar);
    return lw_atomic(b->f, lw_address(b->f, LLVMGetOperand(b->inst, 0)), size, how, value, compare);
}

/** Emits an atomic with the result of the call, which may be unused. */
static lw_reg atomic_old(struct lw_bi *b, struct lw_atomic how, lw_reg value, lw_reg compare)
{
    const lw_reg old = atomic(b, how, value, compare);
    if (!LLVMGetFirstUse(b->inst)) vec_last(&b->f->insns).dst = BC_NONE;
    return old;
}

// The operation, by the rest of the name after atomic_ or atom_.
static const struct {
    const char *name;
    enum bc_atomic_op s, u, f;
} ops[] = {
    {"add", BC_ATOMIC_ADD, BC_ATOMIC_ADD, BC_ATOMIC_FADD},
    {"sub", BC_ATOMIC_SUB, BC_ATOMIC_SUB,
     BC_ATOMIC_FADD}, // of the negative value for floating point
    {"inc", BC_ATOMIC_ADD, BC_ATOMIC_ADD, BC_ATOMIC_FADD},
    {"dec", BC_ATOMIC_SUB, BC_ATOMIC_SUB, BC_ATOMIC_FADD},
    {"min", BC_ATOMIC_SMIN, BC_ATOMIC_UMIN, BC_ATOMIC_FMIN},
    {"max", BC_ATOMIC_SMAX, BC_ATOMIC_UMAX, BC_ATOMIC_FMAX},
    {"and", BC_ATOMIC_AND, BC_ATOMIC_AND, BC_XCHG},
    {"or", BC_ATOMIC_OR, BC_ATOMIC_OR, BC_XCHG},
    {"xor", BC_ATOMIC_XOR, BC_ATOMIC_XOR, BC_XCHG},
    {"xchg", BC_XCHG, BC_XCHG, BC_XCHG},
    {"cmpxchg", BC_CMPXCHG, BC_CMPXCHG, BC_CMPXCHG},
};

static enum bc_atomic_op op_named(const char *name, size_t len, const struct bi_type *t)
{
    unsigned k = 0;
    while (strlen(ops[k].name) != len || memcmp(ops[k].name, name, len)) k++;
    return bi_is_float(t->scalar) ? ops[k].f : bi_is_signed(t->scalar) ? ops[k].s : ops[k].u;
}

// atomic_OP and atom_OP of OpenCL C 1.x: all return the old value.
void lw_bi_atomic_old(struct lw_bi *b)
{
    const struct bi_type *t = &b->c->arg[0];
    const char *name = strchr(b->c->row->name, '_') + 1;
    const enum bc_atomic_op op = op_named(name, strlen(name), t);
    lw_reg value = b->nargs == 1 ? lw_const(b->f, 1) : lw_bi_arg(b, b->nargs - 1, 0);
    lw_reg compare = op == BC_CMPXCHG ? lw_bi_arg(b, 1, 0) : BC_NONE;
    const struct lw_atomic how = {.kind = BC_ATOMIC_RMW,
                                  .op = op,
                                  .order = LLVMGetFirstUse(b->inst) ? BC_CL1 : BC_CL1_UNUSED,
                                  .failure = BC_CL1,
                                  .scope = BC_SCOPE_DEVICE};
    b->out[0] = atomic_old(b, how, value, compare);
}

// ---- C11

// memory_order and memory_scope in clang's numbering.
static enum bc_order order_of(struct lw_bi *b, unsigned k)
{
    static const enum bc_order orders[] = {BC_RELAXED, BC_ACQUIRE, BC_ACQUIRE,
                                           BC_RELEASE, BC_ACQ_REL, BC_SEQ_CST};
    uint64_t v;
    if (k >= b->nargs || !lw_bi_const(b, k, &v) || v >= sizeof orders / sizeof *orders)
        return BC_SEQ_CST;
    return orders[v];
}

static enum bc_scope scope_of(struct lw_bi *b, unsigned k)
{
    static const enum bc_scope scopes[] = {BC_SCOPE_ITEM, BC_SCOPE_GROUP, BC_SCOPE_DEVICE,
                                           BC_SCOPE_ALL, BC_SCOPE_SUB_GROUP};
    uint64_t v;
    if (k >= b->nargs || !lw_bi_const(b, k, &v) || v >= sizeof scopes / sizeof *scopes)
        return BC_SCOPE_DEVICE;
    return scopes[v];
}

// *expected is read, and written with the old value, which after a successful exchange is the same.
static void compare_exchange(struct lw_bi *b, struct lw_atomic how)
{
    const unsigned size = bi_scalar_size(b->c->arg[0].scalar);
    struct lw_addr at = lw_address(b->f, LLVMGetOperand(b->inst, 1));
    struct lw_access access = {.elem = (uint8_t)size,
                               .ncomp = 1,
                               .is_float = bi_is_float(b->c->arg[0].scalar),
                               .align = size};
    lw_reg expected, old;
    lw_load(b->f, at, access, &expected);
    old = atomic(b, how, lw_bi_arg(b, 2, 0), expected);
    b->out[0] = lw_2(b, LW_INT(EQ, size), old, expected);
    lw_store(b->f, at, access, &old);
}

void lw_bi_atomic_c11(struct lw_bi *b)
{
    const struct bi_type *t = &b->c->arg[0];
    const unsigned size = bi_scalar_size(t->scalar);
    const char *name = b->c->row->name + strlen("atomic_");
    const bool is_explicit = str_ends(name, "_explicit");
    const bool compares = str_starts(name, "compare"); // which has two orders
    const unsigned k = (unsigned)strlen(b->c->row->args) - (is_explicit ? 2 : 0) -
                       (is_explicit && compares); // position of order and scope
    struct lw_atomic how = {.kind = BC_ATOMIC_RMW,
                            .op = BC_XCHG,
                            .order = BC_SEQ_CST,
                            .failure = BC_SEQ_CST,
                            .scope = BC_SCOPE_DEVICE};
    if (is_explicit)
        how.order = order_of(b, k), how.failure = compares ? order_of(b, k + 1) : BC_RELAXED,
        how.scope = scope_of(b, k + 1 + compares);
    const bool is_half = size == 2 && bi_is_float(t->scalar);
    if (size < 4 && !is_half) {
        lw_error(b->f, b->inst, "'%s' of numbers of %u bits is not supported", b->c->row->name,
                 size * 8);
        return;
    }
    if (b->c->id == BI_atomic_init) {
        lw_reg v = lw_bi_arg(b, 1, 0);
        lw_store(b->f, lw_address(b->f, LLVMGetOperand(b->inst, 0)),
                 (struct lw_access){.elem = (uint8_t)size,
                                    .ncomp = 1,
                                    .is_float = bi_is_float(t->scalar),
                                    .align = size},
                 &v);
    } else if (str_starts(name, "store")) {
        how.kind = BC_ATOMIC_STORE;
        atomic(b, how, lw_bi_arg(b, 1, 0), BC_NONE);
    } else if (str_starts(name, "load")) {
        how.kind = BC_ATOMIC_LOAD;
        b->out[0] = atomic(b, how, BC_NONE, BC_NONE);
    } else if (str_starts(name, "exchange")) {
        b->out[0] = atomic_old(b, how, lw_bi_arg(b, 1, 0), BC_NONE);
    } else if (compares) {
        how.op = BC_CMPXCHG;
        compare_exchange(b, how);
    } else if (str_starts(name, "flag_test")) {
        lw_reg old = atomic(b, how, lw_const(b->f, 1), BC_NONE);
        b->out[0] = lw_2(b, LW_INT(NE, size), old, lw_const(b->f, 0));
    } else if (str_starts(name, "flag_clear")) {
        how.kind = BC_ATOMIC_STORE;
        atomic(b, how, lw_const(b->f, 0), BC_NONE);
    } else { // fetch_OP
        const char *op = name + strlen("fetch_");
        lw_reg v = lw_bi_arg(b, 1, 0);
        if (bi_is_float(t->scalar) && str_starts(op, "sub"))
            v = is_half ? lw_2(b, BC_XOR_I16, v, lw_const(b->f, 0x8000))
                        : lw_1(b, LW_FLT(FNEG, size), v);
        how.op = op_named(op, strcspn(op, "_"), t);
        b->out[0] = atomic_old(b, how, v, BC_NONE);
    }
}

// ---- fences, copies

void lw_bi_fence(struct lw_bi *b)
{
    static const struct {
        const char *name;
        enum bc_order order;
    } old[] = {
        {"mem_fence", BC_ACQ_REL}, {"read_mem_fence", BC_ACQUIRE}, {"write_mem_fence", BC_RELEASE}};
    uint64_t flags;
    if (!lw_bi_const(b, 0, &flags)) flags = BC_FENCE_LOCAL | BC_FENCE_GLOBAL;
    uint32_t how = (uint32_t)flags & (BC_FENCE_LOCAL | BC_FENCE_GLOBAL | BC_FENCE_IMAGE);
    unsigned k = 0;
    while (k < 3 && strcmp(old[k].name, b->c->row->name)) k++;
    how |= k < 3 ? BC_FENCE_CL1 | (uint32_t)old[k].order << 8 | (uint32_t)BC_SCOPE_GROUP << 16
                 : (uint32_t)order_of(b, 1) << 8 | (uint32_t)scope_of(b, 2) << 16;
    lw_emit(
        b->f,
        (struct bc_insn){
            .op = BC_FENCE, .dst = BC_NONE, .a = BC_NONE, .b = BC_NONE, .c = BC_NONE, .ext = how});
}

// The stride applies to the global side; the local side is contiguous.
void lw_bi_async_copy(struct lw_bi *b)
{
    const bool strided = b->c->id == BI_async_work_group_strided_copy;
    const struct bi_type *t = &b->c->arg[0];
    const unsigned size = bi_stride(t);
    struct lw_access how = {
        .elem = (uint8_t)(size < 8 ? size & -size : 8), .ncomp = 1, .align = size};
    struct lw_addr to = lw_address(b->f, LLVMGetOperand(b->inst, 0)),
                   from = lw_address(b->f, LLVMGetOperand(b->inst, 1));
    to = lw_addr_plain(b->f, to);
    from = lw_addr_plain(b->f, from);
    lw_reg count = lw_bi_arg(b, 2, 0), stride = strided ? lw_bi_arg(b, 3, 0) : BC_NONE;
    lw_reg event = lw_bi_arg(b, b->nargs - 1, 0);
    const bool varying = lw_is_varying(to.base) || lw_is_varying(from.base) ||
                         lw_is_varying(count) || lw_is_varying(stride) || lw_is_varying(event);
    const uint32_t list[] = {size, lw_site(b->f, from, how, BC_READ), stride, to.space == BC_GLOBAL,
                             event};
    b->out[0] = lw_temp(b->f, 8, varying);
    lw_emit(b->f, (struct bc_insn){.op = BC_ASYNC_COPY,
                                   .dst = b->out[0],
                                   .a = to.base,
                                   .b = from.base,
                                   .c = count,
                                   .ext = lw_list(b->f, list, 5),
                                   .site = lw_site(b->f, to, how, BC_WRITE)});
}

// The host's clock serves all scopes. A hilo result is a vector: the low word comes first.
void lw_bi_clock(struct lw_bi *b)
{
    const lw_reg now = lw_temp(b->f, 8, true);
    lw_emit(b->f,
            (struct bc_insn){.op = BC_CLOCK, .dst = now, .a = BC_NONE, .b = BC_NONE, .c = BC_NONE});
    b->out[0] = now;
    if (b->size == 8) return;
    b->out[0] = lw_zext(b->f, now, 8, 4);
    b->out[1] = lw_zext(b->f, lw_op(b->f, BC_LSHR_I64, now, lw_const(b->f, 32), BC_NONE), 8, 4);
}

void lw_bi_enqueue(struct lw_bi *b)
{
    uint64_t part;
    if (b->nargs != 3 || !lw_bi_const(b, 0, &part) || part >= BC_ENQUEUE_PARTS) {
        lw_error(b->f, b->inst, "'%s' is not called as in cldbg's library", b->c->row->name);
        return;
    }
    b->out[0] = lw_temp(b->f, 8, true);
    lw_emit(b->f, (struct bc_insn){.op = BC_ENQUEUE,
                                   .dst = b->out[0],
                                   .a = lw_bi_arg(b, 1, 0),
                                   .b = lw_bi_arg(b, 2, 0),
                                   .c = BC_NONE,
                                   .ext = (uint32_t)part});
}

void lw_bi_prefetch(struct lw_bi *b) {} // only affects caches

// ---- address spaces

static lw_reg in_space(struct lw_bi *b, enum bc_space space)
{
    lw_reg p = lw_bi_arg(b, 0, 0), d = lw_temp(b->f, 8, lw_is_varying(p));
    lw_emit(b->f, (struct bc_insn){
                      .op = BC_SPACE, .dst = d, .a = p, .b = BC_NONE, .c = BC_NONE, .ext = space});
    return d;
}

void lw_bi_to_space(struct lw_bi *b)
{
    b->out[0] = in_space(b, b->c->id == BI___to_global  ? BC_GLOBAL
                            : b->c->id == BI___to_local ? BC_LOCAL
                                                        : BC_PRIVATE);
}

// CLK_LOCAL_MEM_FENCE or CLK_GLOBAL_MEM_FENCE
void lw_bi_get_fence(struct lw_bi *b)
{
    lw_reg local = lw_2(b, BC_NE_I64, in_space(b, BC_LOCAL), lw_const(b->f, 0));
    b->out[0] =
        lw_3(b, BC_SEL_I32, local, lw_const(b->f, BC_FENCE_LOCAL), lw_const(b->f, BC_FENCE_GLOBAL));
}

lw_reg lw_barrier_flags(struct lw_fn *f, LLVMValueRef call)
{
    lw_reg flags = lw_scalar(f, LLVMGetOperand(call, 0));
    const lw_reg scope = LLVMGetNumArgOperands(call) < 2 ? BC_NONE
                                                         : lw_scalar(f, LLVMGetArgOperand(call, 1));
    if (scope == BC_NONE || !lw_is_varying(scope)) return flags;
    flags = lw_op(f, BC_AND_I32, flags, lw_const(f, 0xff), BC_NONE);
    return lw_op(f, BC_OR_I32, flags, lw_op(f, BC_SHL_I32, scope, lw_const(f, 8), BC_NONE),
                 BC_NONE);
}
