// SPDX-License-Identifier: MIT
// Data dependence of a kernel's control flow and addresses: a taint analysis, which is sensitive to
// flow for registers, and insensitive to it for memory and to the context of calls.
//
// A register, at each place, or memory object has a mask. Bit DATA says that its value may depend
// on what buffers hold, on other work-items' values, or on an order that is not fixed. The other
// bits are arguments whose values it may depend on (several arguments may share a bit). Sources are
// loads from global memory and the arguments; every instruction passes the masks of its operands to
// its results, and a store passes them to the object.
//
// The operands of branches, addresses, divisors, and conversions to integers *decide*: their masks
// are united. There is no need to follow implicit flows, that is, values that depend on which way a
// branch goes: if data decides a branch, the kernel depends on data, and the analysis ends; an
// argument that decides a branch is in the result already.
//
// Memory has a mask for each private and local object that constants name, and one for accesses
// through other pointers to each of the two spaces. Constant objects of the program hold the same
// in each launch. Loads from any other memory give data.
#include "bytecode/dependence.h"

#include "bytecode/operands.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { DATA_BIT = 63, GROUP_BIT = 62, ARG_BITS = 62 };
#define DATA  ((uint64_t)1 << DATA_BIT)
#define GROUP ((uint64_t)1 << GROUP_BIT)

enum { PRIVATE_MEMORY, LOCAL_MEMORY, SPACES, NO_SPACE = SPACES };

struct fn_masks {
    const struct bc_fn *bc;
    uint32_t nregs;     // uniform ones, then varying ones
    uint64_t *in, *now; // at the beginning of each block; where the analysis is
    uint64_t *rets;     // of returned values
};
struct analysis {
    const struct bc_module *m;
    struct fn_masks *fns;
    uint64_t *objects;                     // by object: what was stored there through constants
    uint64_t unknown[SPACES], all[SPACES]; // through other pointers; in any object of the space
    uint64_t decides;
    bool has_loops, branches_vary;
    bool changed;
    const char *on_data;
    uint32_t loc;
};

static void fail(struct analysis *a, const struct bc_insn *b, const char *what)
{
    if (a->on_data) return;
    a->on_data = what;
    a->loc = b->loc;
}

static void unite(struct analysis *a, uint64_t *to, uint64_t mask)
{
    a->changed |= (*to | mask) != *to;
    *to |= mask;
}

// ---- registers

static uint32_t slot(const struct fn_masks *f, uint32_t operand)
{
    return operand & BC_V ? f->bc->nuniform + (operand & ~BC_V) : operand;
}
static uint64_t mask_of(const struct fn_masks *f, uint32_t operand)
{
    return operand == BC_NONE ? 0 : f->now[slot(f, operand)];
}

static void decide(struct analysis *a, const struct fn_masks *f, const struct bc_insn *b,
                   uint32_t operand, const char *what)
{
    const uint64_t mask = mask_of(f, operand);
    a->decides |= mask;
    if (mask & DATA) fail(a, b, what);
}

// ---- memory

static unsigned space_of(const struct bc_mem *site)
{
    return site->space == BC_PRIVATE ? PRIVATE_MEMORY
           : site->space == BC_LOCAL ? LOCAL_MEMORY
                                     : NO_SPACE;
}

/** The object that a constant operand points to, or -1. */
static int64_t object_of(const struct analysis *a, const struct bc_fn *bc, uint32_t pointer)
{
    if (pointer & BC_V || pointer >= bc->nconst) return -1;
    const uint64_t value = bc->consts[pointer], id = value >> BC_PTR_ID_SHIFT;
    if (!id || id > a->m->nobjects) return -1;
    const uint32_t index = (uint32_t)id - 1;
    return bc_const_points_to(value, index, &a->m->objects[index]) ? (int64_t)index : -1;
}

static uint64_t memory_mask(const struct analysis *a, const struct bc_fn *bc, uint32_t site,
                            uint32_t pointer)
{
    static const uint8_t kinds[] = {BC_OBJ_PRIVATE, BC_OBJ_LOCAL};
    const struct bc_mem *s = &a->m->sites[site];
    const unsigned space = space_of(s);
    const int64_t o = object_of(a, bc, pointer);
    if (o >= 0 && a->m->objects[o].kind == BC_OBJ_CONSTANT) return 0;
    if (space == NO_SPACE) return DATA;
    return o >= 0 && a->m->objects[o].kind == kinds[space] ? a->objects[o] | a->unknown[space]
                                                           : a->all[space];
}

static void write_memory(struct analysis *a, const struct bc_fn *bc, uint32_t site,
                         uint32_t pointer, uint64_t mask)
{
    const struct bc_mem *s = &a->m->sites[site];
    const int64_t o = object_of(a, bc, pointer);
    for (unsigned space = 0; space < SPACES; space++) {
        if (s->space != BC_GENERIC && space_of(s) != space) continue;
        unite(a, &a->all[space], mask);
        unite(a, o >= 0 ? &a->objects[o] : &a->unknown[space], mask);
    }
}

// ---- instructions

static uint64_t sources(const struct analysis *a, const struct fn_masks *f, const struct bc_fn *bc,
                        const struct bc_insn *b)
{
    uint64_t mask = 0;
    BC_EACH_OPERAND(o, a->m->sites, bc->ext, b, BC_USE_IN) mask |= mask_of(f, *o.at);
    return mask;
}

static void give_results(struct analysis *a, const struct fn_masks *f, const struct bc_fn *bc,
                         const struct bc_insn *b, uint64_t mask)
{
    BC_EACH_OPERAND(o, a->m->sites, bc->ext, b, BC_USE_OUT) f->now[slot(f, *o.at)] = mask;
}

static void do_call(struct analysis *a, const struct fn_masks *f, const uint32_t *e)
{
    const struct fn_masks *callee = &a->fns[*e++];
    const uint32_t nargs = *e++;
    for (uint32_t i = 0; i < nargs; i++, e++)
        unite(a, &callee->in[slot(callee, callee->bc->params[i])], mask_of(f, *e));
    const uint32_t nrets = *e++;
    for (uint32_t i = 0; i < nrets; i++, e++)
        if (*e != BC_NONE) f->now[slot(f, *e)] = callee->rets[i];
}

/** A signed quotient overflows only for -1: a divisor that is another constant rules it out. */
static bool may_be_minus_one(const struct bc_fn *bc, uint32_t operand, enum bc_type type)
{
    if (operand & BC_V || operand >= bc->nconst) return true;
    const unsigned bits = 8 * bc_type_size(type);
    const uint64_t ones = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    return (bc->consts[operand] & ones) == ones;
}

static bool is_signed_division(uint16_t op)
{
    return (op >= BC_SDIV_I8 && op <= BC_SDIV_I64) || (op >= BC_SREM_I8 && op <= BC_SREM_I64);
}

/** The operands that faults of the instruction and the next block depend on. */
static void find_decisions(struct analysis *a, const struct fn_masks *f, const struct bc_fn *bc,
                           const struct bc_insn *b)
{
    const struct bc_op_info *info = &bc_ops[b->op];
    const unsigned effects = info->effects;
    if (info->shape == BC_DIV) {
        decide(a, f, b, b->b, "a division by a number from memory");
        if (is_signed_division(b->op) && may_be_minus_one(bc, b->b, info->type))
            decide(a, f, b, b->a, "a division that may overflow for a number from memory");
    }
    if (b->op >= BC_F2U_I8_F32 && b->op <= BC_F2S_I64_F64 && !(b->flags & BC_SATURATES))
        decide(a, f, b, b->a, "a conversion to an integer of a number from memory");
    if (b->op == BC_CBR) a->branches_vary |= (mask_of(f, b->a) & (DATA | GROUP)) != 0;
    const bool all = b->op == BC_INDEX || (effects & (BC_ENDS | BC_WAITS) && b->op != BC_RET);
    BC_EACH_OPERAND(o, a->m->sites, bc->ext, b, BC_USE_IN)
        if (all || o.use & BC_USE_WHERE)
            decide(a, f, b, *o.at,
                   effects & BC_ENDS ? "a branch that depends on memory"
                                     : "an address that depends on memory");
}

/** What the analysis does not follow. */
static const char *unsupported(const struct bc_insn *b)
{
    switch ((enum bc_op)b->op) {
    case BC_ATOMIC: return "atomic functions";
    case BC_PRINTF: return "printf";
    case BC_CLOCK: return "clocks";
    case BC_ENQUEUE: return "device-side enqueue";
    case BC_IMAGE:
    case BC_IMAGE_QUERY: return "images";
    case BC_ASYNC_COPY:
    case BC_WAIT_EVENTS: return "asynchronous copies";
    case BC_RECONVERGE:
    case BC_COLLECT: return "functions of work-groups or sub-groups";
    default: return NULL;
    }
}

static bool varies_by_group(unsigned what)
{
    return what == BC_GLOBAL_ID || what == BC_GROUP_ID || what == BC_GLOBAL_LINEAR_ID ||
           what == BC_LOCAL_SIZE; // of the last group
}

static void do_insn(struct analysis *a, const struct fn_masks *f, const struct bc_fn *bc,
                    const struct bc_insn *b)
{
    const uint32_t *e = bc->ext + b->ext;
    const char *no = unsupported(b);
    if (no) {
        fail(a, b, no);
        return;
    }
    find_decisions(a, f, bc, b);
    const uint64_t from = sources(a, f, bc, b);
    switch ((enum bc_op)b->op) {
    case BC_WI_I64:
    case BC_WI_I32: give_results(a, f, bc, b, varies_by_group(b->ext & 0xff) ? GROUP : 0); break;
    case BC_LOAD: give_results(a, f, bc, b, from | memory_mask(a, bc, b->site, b->a)); break;
    case BC_STORE:
    case BC_SET: write_memory(a, bc, b->site, b->a, from); break;
    case BC_COPY:
        write_memory(a, bc, b->site, b->a, from | memory_mask(a, bc, b->ext, b->b));
        break;
    case BC_CALL: do_call(a, f, e); break;
    case BC_RET:
        for (uint32_t i = 0; b->ext && i < e[0]; i++) unite(a, &f->rets[i], mask_of(f, e[1 + i]));
        break;
    default: give_results(a, f, bc, b, from); break;
    }
}

// ---- kernels

static void reach(struct analysis *a, uint32_t index)
{
    const struct bc_fn *bc = &a->m->fns[index];
    struct fn_masks *f = &a->fns[index];
    if (f->bc) return;
    a->has_loops |= bc->nloops != 0;
    *f = (struct fn_masks){.bc = bc, .nregs = bc->nuniform + bc->nvarying};
    f->in = mem_array(NULL, (size_t)bc->nblocks * f->nregs + 1, sizeof *f->in);
    memset(f->in, 0, (size_t)bc->nblocks * f->nregs * sizeof *f->in);
    f->now = mem_alloc((f->nregs + 1) * sizeof *f->now);
    f->rets = mem_alloc((bc->nrets + 1) * sizeof *f->rets);
    for (uint32_t i = 0; i < bc->ninsns; i++)
        if (bc->insns[i].op == BC_CALL) reach(a, bc->ext[bc->insns[i].ext]);
}

static uint64_t bit_of(uint32_t arg) { return (uint64_t)1 << arg % ARG_BITS; }

/** The kernel and its variants, which the launch chooses from. */
static void start(struct analysis *a, const struct bc_kernel *k)
{
    reach(a, k->fn);
    if (k->packed) start(a, &a->m->kernels[k->packed]);
    if (k->specialized) start(a, &a->m->kernels[k->specialized]);
    for (uint32_t i = 0; i < k->nargs; i++) {
        const struct bc_arg *arg = &a->m->args[k->first_arg + i];
        if (arg->kind == BC_ARG_STRUCT && arg->object < a->m->nobjects) {
            a->objects[arg->object] |= bit_of(i);
            a->all[PRIVATE_MEMORY] |= bit_of(i);
        }
        if (arg->kind != BC_ARG_VALUE) continue;
        for (uint32_t p = 0; p < arg->npieces; p++)
            a->fns[k->fn].in[a->m->pieces[arg->first_piece + p].reg] |= bit_of(i);
    }
}

static void do_block(struct analysis *a, const struct fn_masks *f, uint32_t block)
{
    const struct bc_block *b = &f->bc->blocks[block];
    uint32_t to[2];
    memcpy(f->now, f->in + (size_t)block * f->nregs, f->nregs * sizeof *f->now);
    for (uint32_t i = 0; i < b->count && !a->on_data; i++)
        do_insn(a, f, f->bc, &f->bc->insns[b->first + i]);
    const unsigned n = bc_successors(&f->bc->insns[b->first + b->count - 1], to);
    for (unsigned k = 0; k < n; k++)
        for (uint32_t r = 0; r < f->nregs; r++)
            unite(a, &f->in[(size_t)to[k] * f->nregs + r], f->now[r]);
}

static void run(struct analysis *a)
{
    do {
        a->changed = false;
        for (uint32_t i = 0; i < a->m->nfns; i++)
            for (uint32_t b = 0; a->fns[i].bc && b < a->m->fns[i].nblocks && !a->on_data; b++)
                do_block(a, &a->fns[i], b);
    } while (a->changed && !a->on_data);
}

/** Does f or a function that it calls have an atomic whose result or order is observable? */
static bool shows_order(const struct bc_module *m, uint32_t f, bool *seen, uint32_t *ops)
{
    const struct bc_fn *fn = &m->fns[f];
    if (seen[f]) return false;
    seen[f] = true;
    for (uint32_t k = 0; k < fn->ninsns; k++) {
        const struct bc_insn *i = &fn->insns[k];
        if (i->op == BC_CALL && shows_order(m, fn->ext[i->ext], seen, ops)) return true;
        if (i->op != BC_ATOMIC) continue;
        const struct bc_mem *a = &m->sites[i->site];
        *ops |= 1u << (a->atomic_op == BC_ATOMIC_SUB ? BC_ATOMIC_ADD : a->atomic_op);
        if (a->kind != BC_ATOMIC_RMW || i->dst != BC_NONE || a->atomic_op == BC_XCHG ||
            a->atomic_op == BC_CMPXCHG || *ops & (*ops - 1))
            return true;
    }
    return false;
}

bool bc_atomics_show_order(const struct bc_module *m, uint32_t fn)
{
    bool *seen = mem_alloc(m->nfns + 1);
    uint32_t ops = 0;
    const bool shows = shows_order(m, fn, seen, &ops);
    free(seen);
    return shows;
}

/** What no proof or check knows, of all functions that the kernel reaches. */
static const char *beyond_checks(const struct analysis *a, const struct bc_kernel *k)
{
    for (uint32_t f = 0; f < a->m->nfns; f++)
        for (uint32_t i = 0; a->fns[f].bc && i < a->m->fns[f].ninsns; i++) {
            const struct bc_insn *b = &a->m->fns[f].insns[i];
            if (b->op != BC_ATOMIC && unsupported(b)) return unsupported(b);
        }
    return k->uses_atomics && bc_atomics_show_order(a->m, k->fn)
               ? "atomic functions whose order can be observed"
               : NULL;
}

void bc_dependence(const struct bc_module *m, uint32_t kernel, struct bc_dependence *out)
{
    const struct bc_kernel *k = &m->kernels[kernel];
    struct analysis a = {.m = m,
                         .fns = mem_alloc((m->nfns + 1) * sizeof *a.fns),
                         .objects = mem_alloc((m->nobjects + 1) * sizeof *a.objects)};
    start(&a, k);
    run(&a);
    *out = (struct bc_dependence){.on_data = a.on_data, .loc = a.loc};
    if (a.on_data) out->beyond = beyond_checks(&a, k);
    out->args = mem_alloc((k->nargs + 1) * sizeof *out->args);
    out->loops_vary = a.has_loops && (a.branches_vary || a.on_data);
    for (uint32_t i = 0; i < k->nargs; i++) // (with on_data, the analysis ended early)
        out->args[i] = a.on_data || a.decides & bit_of(i);
    for (uint32_t f = 0; f < m->nfns; f++) {
        out->ninsns += a.fns[f].bc ? m->fns[f].ninsns : 0;
        free(a.fns[f].in);
        free(a.fns[f].now);
        free(a.fns[f].rets);
    }
    free(a.fns);
    free(a.objects);
}
