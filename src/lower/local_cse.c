// SPDX-License-Identifier: MIT
// Local common-subexpression elimination by value numbering (Cocke and Schwartz 1970), dead-code
// elimination and register allocation within a block of bytecode.
//
// Sources name the same element again and again (a[y * n + x], a[y * n + x + 1]), and clang, which
// runs without optimization here, computes the index each time. Within a block, each register that
// is not live in another block is a sequence of values, one for each instruction that writes it. An
// operation with the operands of an earlier one takes that one's value; values without uses are
// removed; the others are given registers anew, in linear scan. The pass touches only instructions
// that have no effect and cannot fail. Loads, divisions and all that is checked stay at their place
// in the source, and so do comparisons, which reports look for before a branch. Values that are
// computed in 64 bits and used in 32 are narrowed (narrowing.inc). A product that only one sum uses
// is moved directly before it (BC_ONCE), so that the engine makes one instruction of the two.
#include "lower/lw.h"

#include <string.h>

enum { VALUE = 0x10000000u, CLASSES = 5 }; // VALUE: in an operand, one that this block computes

struct value {
    lw_reg reg;          // what it was in; then, where that is not fixed, what it is in
    uint32_t insn;       // that computes it
    uint32_t uses, last; // last: in which place of the order
    bool is_fixed;
    bool is_low; // it is computed in 32 bits instead of 64
};

/** What 32 or 64 bits are known to hold. */
struct range {
    uint64_t low, high;
};

struct pass {
    struct lw_fn *f;
    uint32_t first, end; // instructions of the block
    bool *fixed[2];      // [varying][register]: used in other blocks, or by name
    uint32_t nregs[2];
    uint32_t *now[2]; // [varying][register]: its value's number + 1, where this block gave it one
    uint32_t
        *until[2]; // [varying][register]: the last instruction of this block that writes it, + 1
    uint32_t *writes[2]; // [varying][register]: instructions that write it
    struct range *
        range[2]; // [varying][register]: of one that only one instruction writes, which was come by
    VEC(struct value) values;
    VEC(bool) gone; // [instruction of the block]: not there any more, or elsewhere
    VEC(uint32_t)
    before; // [instruction of the block]: the one that comes right before it, or UINT32_MAX
    VEC(uint32_t) order;  // instructions
    uint32_t at;          // in order
    VEC(uint32_t) ending; // values that end at this instruction
    VEC(bool) index;      // [instruction of the block]: its index is known to be below 2^32
    bool changed;
    VEC(struct bc_insn) done;
    VEC(lw_reg) all[CLASSES], free[CLASSES]; // free: given back in this block
    size_t fresh[CLASSES]; // so many of all, the first ones, this block has not taken yet
    struct map computed;   // hash of an operation → number of its value + 1
};

static bool is_reg(lw_reg r) { return r != BC_NONE && (r & BC_V || (r & LW_U && !(r & LW_C))); }
static unsigned number_of(lw_reg r) { return r & BC_V ? r & ~BC_V : r & ~LW_U; }
static bool varies(lw_reg r) { return (r & BC_V) != 0; }
static unsigned class_of(struct lw_fn *f, lw_reg r)
{
    return varies(r) ? (unsigned)__builtin_ctz(lw_reg_size(f, r)) : 4;
}

static bool is_arithmetic(const struct bc_insn *i)
{
    switch (bc_ops[i->op].shape) {
    case BC_BIN:
    case BC_UN:
    case BC_TER:
    case BC_SEL: return true;
    case BC_CVT: return i->op < BC_F2U_I8_F32 || i->op > BC_F2S_I64_F64; // these are checked
    default: return i->op == BC_WI_I32 || i->op == BC_WI_I64;
    }
}

/** Calls fn for each operand that may be a register: `writes` distinguishes results from sources.
 */
typedef void visitor(struct pass *p, lw_reg *r, uint32_t insn, bool writes);
static void visit(struct pass *p, uint32_t k, bool writes, visitor *fn)
{
    LW_EACH_OPERAND(o, p->f, &p->f->insns.data[k], writes ? BC_USE_OUT : BC_USE_IN)
        fn(p, o.at, k, writes);
}

// ---- which registers may be given to other values
static void look(struct pass *p, lw_reg *r, uint32_t insn, bool writes)
{
    if (!is_reg(*r)) return;
    uint32_t *const until = &p->until[varies(*r)][number_of(*r)];
    bool *const fixed = &p->fixed[varies(*r)][number_of(*r)];
    if (!writes) *fixed |= *until <= p->first; // from elsewhere
    else if (p->f->insns.data[insn].flags & BC_MASKED) *fixed = true;
    if (writes) *until = insn + 1;
    if (writes) p->writes[varies(*r)][number_of(*r)]++;
}

static void fix(struct pass *p, lw_reg r)
{
    if (is_reg(r)) p->fixed[varies(r)][number_of(r)] = true;
}

static void find_fixed(struct pass *p)
{
    struct lw_fn *const f = p->f;
    for (size_t b = 0; b < f->blocks.len; b++) {
        p->first = f->blocks.data[b].first;
        for (uint32_t k = p->first; k < p->first + f->blocks.data[b].count; k++) {
            visit(p, k, false, look);
            visit(p, k, true, look);
        }
    }
    for (unsigned i = 0; i < f->nparams; i++) fix(p, f->params[i]);
    for (unsigned i = 0; i < f->nrets; i++) fix(p, f->rets[i]);
    for (unsigned l = 0; l < f->rg->nloops; l++) fix(p, f->counters[l]);
    for (int v = 0; v < 2; v++)
        for (uint32_t n = p->nregs[v]; n-- > 0;) { // the first ones are the first to be taken
            const lw_reg r = n | (v ? BC_V : LW_U);
            if (!p->fixed[v][n]) vec_push(&p->all[class_of(f, r)], r);
        }
}

// ---- numbering
static void note_end(struct pass *p, lw_reg *r, uint32_t insn, bool writes)
{
    (void)writes;
    if (!is_reg(*r)) return;
    p->until[varies(*r)][number_of(*r)] = insn + 1;
    p->now[varies(*r)][number_of(*r)] = 0;
}

static void read_value(struct pass *p, lw_reg *r, uint32_t insn, bool writes)
{
    (void)insn, (void)writes;
    if (!is_reg(*r)) return;
    const uint32_t value = p->now[varies(*r)][number_of(*r)];
    if (value) *r = VALUE | (value - 1);
}

static void write_value(struct pass *p, lw_reg *r, uint32_t insn, bool writes)
{
    (void)writes;
    if (!is_reg(*r)) return;
    vec_push(
        &p->values,
        (struct value){.reg = *r, .insn = insn, .is_fixed = p->fixed[varies(*r)][number_of(*r)]});
    p->now[varies(*r)][number_of(*r)] = (uint32_t)p->values.len;
    *r = VALUE | (uint32_t)(p->values.len - 1);
}

static struct value *value_in(struct pass *p, lw_reg r)
{
    return r != BC_NONE && !(r & (BC_V | LW_U | LW_C)) && r & VALUE ? &p->values.data[r & ~VALUE]
                                                                    : NULL;
}

/** Does the operand vary? It may be a value's number. */
static bool operand_varies(struct pass *p, lw_reg r)
{
    const struct value *v = value_in(p, r);
    return r != BC_NONE && varies(v ? v->reg : r);
}

/** Is it, from its instruction to the end of the block, where it is? */
static bool stays(const struct pass *p, const struct value *v)
{
    return !v->is_fixed || p->until[varies(v->reg)][number_of(v->reg)] == v->insn + 1;
}

static bool commutes(enum bc_op op)
{
#define FAMILY(n) (op >= BC_##n##_I8 && op <= BC_##n##_I64)
    return FAMILY(ADD) || FAMILY(MUL) || FAMILY(AND) || FAMILY(OR) || FAMILY(XOR);
#undef FAMILY
}

/** An operation of values; that of an instruction whose operands were numbered. */
struct operation {
    uint32_t op, a, b, c, ext, varying;
};
static struct operation operation_of(struct pass *p, const struct bc_insn *i)
{
    const bool turn = commutes((enum bc_op)i->op) && i->a > i->b;
    const struct value *to = value_in(p, i->dst);
    return (struct operation){i->op,  turn ? i->b : i->a,           turn ? i->a : i->b, i->c,
                              i->ext, varies(to ? to->reg : i->dst)};
}

/** The last instruction's value was there: its register is that other one's from now on. */
static void find_repeat(struct pass *p, uint32_t k)
{
    struct bc_insn *const i = &p->f->insns.data[k];
    struct value *const v = value_in(p, i->dst);
    if (!is_arithmetic(i) || !v) return;
    const struct operation op = operation_of(p, i);
    uint64_t *const known = map_put(&p->computed, hash_bytes(&op, sizeof op, 3), NULL);
    const struct value *const was = *known ? &p->values.data[*known - 1] : NULL;
    const struct bc_insn *const by = was ? &p->f->insns.data[was->insn] : NULL;
    const struct operation before = was ? operation_of(p, by) : op;
    if (was && stays(p, was) && !v->is_fixed && !memcmp(&op, &before, sizeof op)) {
        p->now[varies(v->reg)][number_of(v->reg)] = (uint32_t)*known;
        p->gone.data[k - p->first] = true;
    } else {
        *known = (uint64_t)(v - p->values.data) + 1;
    }
}

// ---- what is left
static void count_use(struct pass *p, lw_reg *r, uint32_t insn, bool writes)
{
    (void)writes, (void)insn;
    struct value *const v = value_in(p, *r);
    if (v) v->uses++;
}

static void forget_use(struct pass *p, lw_reg *r, uint32_t insn, bool writes)
{
    (void)writes, (void)insn;
    struct value *const v = value_in(p, *r);
    if (v) v->uses--;
}

/** The instruction that computes the operand, if nothing else uses it and it may be anywhere. */
static struct bc_insn *alone(struct pass *p, lw_reg r)
{
    const struct value *const v = value_in(p, r);
    return v && v->uses == 1 && !v->is_fixed ? &p->f->insns.data[v->insn] : NULL;
}

/** Does the operand, read at some instruction of the block, mean the same in all that follow? */
static bool lasts(struct pass *p, lw_reg r)
{
    const struct value *const v = value_in(p, r);
    if (v) return stays(p, v);
    return !is_reg(r) || p->until[varies(r)][number_of(r)] <= p->first;
}

#include "lower/narrowing.inc"

/** A product that only the sum at k uses will stand right before it. */
static void pair(struct pass *p, uint32_t k)
{
    const struct bc_insn *const sum = &p->f->insns.data[k];
    if ((sum->op != BC_ADD_I32 && sum->op != BC_ADD_I64) || sum->a == sum->b) return;
    const enum bc_op wanted = sum->op == BC_ADD_I32 ? BC_MUL_I32 : BC_MUL_I64;
    for (int side = 0; side < 2; side++) {
        struct bc_insn *const product = alone(p, side ? sum->b : sum->a);
        if (!product || product->op != wanted || !operand_varies(p, product->dst) ||
            !lasts(p, product->a) || !lasts(p, product->b))
            continue;
        const uint32_t from = (uint32_t)(product - p->f->insns.data);
        product->flags |= BC_ONCE;
        p->gone.data[from - p->first] = true;
        p->before.data[k - p->first] = from;
        return;
    }
}

/** The order of what is left. */
static void put_in_order(struct pass *p)
{
    vec_clear(&p->order);
    for (uint32_t k = p->first; k < p->end; k++) {
        if (p->gone.data[k - p->first]) continue;
        if (p->before.data[k - p->first] != UINT32_MAX)
            vec_push(&p->order, p->before.data[k - p->first]);
        vec_push(&p->order, k);
    }
}

// ---- registers
static void note_last(struct pass *p, lw_reg *r, uint32_t insn, bool writes)
{
    (void)writes, (void)insn;
    struct value *const v = value_in(p, *r);
    if (v) v->last = p->at;
}

static void note_ending(struct pass *p, lw_reg *r, uint32_t insn, bool writes)
{
    (void)writes, (void)insn;
    struct value *const v = value_in(p, *r);
    if (!v || v->is_fixed || v->last != p->at) return;
    v->last = UINT32_MAX; // it is put into the list once
    vec_push(&p->ending, *r & ~VALUE);
}

static void give_register(struct pass *p, lw_reg *r, uint32_t insn, bool writes)
{
    (void)writes, (void)insn;
    struct value *const v = value_in(p, *r);
    if (!v) return;
    if (!v->is_fixed) {
        const unsigned c = class_of(p->f, v->reg);
        if (!p->free[c].len && !p->fresh[c]) {
            vec_push(&p->all[c], v->reg = lw_new(p->f, c < 4 ? 1u << c : 8, c < 4));
        } else {
            v->reg = p->free[c].len ? vec_pop(&p->free[c]) : p->all[c].data[--p->fresh[c]];
        }
    }
    *r = v->reg;
}

static void use_register(struct pass *p, lw_reg *r, uint32_t insn, bool writes)
{
    (void)writes, (void)insn;
    const struct value *const v = value_in(p, *r);
    if (v) *r = v->reg;
}

/**
 * Registers for all values, and the instructions from `to` on. Results get theirs before
 * operands give theirs back.
 */
static uint32_t give_registers(struct pass *p, uint32_t to)
{
    struct lw_fn *const f = p->f;
    for (p->at = 0; p->at < p->order.len; p->at++) {
        visit(p, p->order.data[p->at], true, note_last); // of those without uses
        visit(p, p->order.data[p->at], false, note_last);
    }
    for (unsigned c = 0; c < CLASSES; c++) {
        vec_clear(&p->free[c]);
        p->fresh[c] = p->all[c].len;
    }
    vec_clear(&p->done);
    for (p->at = 0; p->at < p->order.len; p->at++) {
        const uint32_t k = p->order.data[p->at];
        vec_clear(&p->ending);
        visit(p, k, false, note_ending);
        visit(p, k, true, note_ending);
        visit(p, k, false, use_register);
        visit(p, k, true, give_register);
        for (size_t n = 0; n < p->ending.len; n++) {
            const lw_reg r = p->values.data[p->ending.data[n]].reg;
            vec_push(&p->free[class_of(f, r)], r);
        }
        vec_push(&p->done, f->insns.data[k]);
    }
    memcpy(f->insns.data + to, p->done.data, p->done.len * sizeof *p->done.data);
    return to + (uint32_t)p->done.len;
}

static void number_values(struct pass *p)
{
    vec_clear(&p->values);
    vec_clear(&p->gone);
    vec_clear(&p->before);
    map_deinit(&p->computed);
    for (uint32_t k = p->first; k < p->end; k++) {
        vec_push(&p->gone, false);
        vec_push(&p->before, UINT32_MAX);
        visit(p, k, true, note_end);
    }
    for (uint32_t k = p->first; k < p->end; k++) {
        visit(p, k, false, read_value);
        visit(p, k, true, write_value);
        find_repeat(p, k);
    }
    for (size_t n = 0; n < p->values.len; n++) { // other blocks know nothing of them
        const lw_reg r = p->values.data[n].reg;
        p->now[varies(r)][number_of(r)] = 0;
    }
}

static void drop_unused(struct pass *p)
{
    for (uint32_t k = p->end; k-- > p->first;) {
        const struct bc_insn *const i = &p->f->insns.data[k];
        const struct value *const v = value_in(p, i->dst);
        if (p->gone.data[k - p->first] || !v || v->uses || v->is_fixed || !is_arithmetic(i))
            continue;
        p->gone.data[k - p->first] = true;
        visit(p, k, false, forget_use);
    }
}

/** Gives where the next block's instructions go. */
static uint32_t do_block(struct pass *p, struct bc_block *b, uint32_t to)
{
    p->first = b->first;
    p->end = b->first + b->count;
    number_values(p);
    for (uint32_t k = p->first; k < p->end; k++)
        if (!p->gone.data[k - p->first]) visit(p, k, false, count_use);
    halve(p);
    drop_unused(p);
    for (uint32_t k = p->first; k < p->end; k++)
        if (!p->gone.data[k - p->first]) pair(p, k);
    put_in_order(p);
    b->first = to;
    to = give_registers(p, to);
    b->count = to - b->first;
    return to;
}

void lw_local_cse(struct lw_fn *f)
{
    struct pass P = {.f = f, .nregs = {f->nuniform, (uint32_t)f->vsize.len}}, *p = &P;
    for (int v = 0; v < 2; v++) {
        p->fixed[v] = arena_array(&f->arena, bool, p->nregs[v] + 1);
        p->now[v] = arena_array(&f->arena, uint32_t, p->nregs[v] + 1);
        p->until[v] = arena_array(&f->arena, uint32_t, p->nregs[v] + 1);
        p->writes[v] = arena_array(&f->arena, uint32_t, p->nregs[v] + 1);
        p->range[v] = arena_array(&f->arena, struct range, p->nregs[v] + 1);
    }
    find_fixed(p);
    uint32_t to = 0;
    for (size_t b = 0; b < f->blocks.len; b++) to = do_block(p, &f->blocks.data[b], to);
    f->insns.len = to;
    vec_free(&p->values);
    vec_free(&p->gone);
    vec_free(&p->before);
    vec_free(&p->index);
    vec_free(&p->order);
    vec_free(&p->ending);
    vec_free(&p->done);
    for (unsigned c = 0; c < CLASSES; c++) {
        vec_free(&p->free[c]);
        vec_free(&p->all[c]);
    }
    map_deinit(&p->computed);
}
