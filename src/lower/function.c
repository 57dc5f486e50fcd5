// SPDX-License-Identifier: MIT
// A function: its blocks in scheduling order, what happens at their ends, and the final numbering.
#include "lower/lw.h"

#include <string.h>

enum {
    EXTRA = 0x80000000u
}; // a branch target that is a block of bytecode already, not one of regions

// Registers of parameters and results. A struct passed by value is an object of the function; its
// pointer is a constant.
static void open_signature(struct lw_fn *f)
{
    LLVMValueRef fn = f->rg->fn;
    VEC(lw_reg) regs = {0};
    for (unsigned k = 0; k < LLVMCountParams(fn); k++) {
        LLVMValueRef p = LLVMGetParam(fn, k);
        if (lw_is_byval(fn, k)) {
            vec_push(&regs, lw_object_pointer(f, lw_object(f->m, p), 0));
            continue;
        }
        const struct lw_leaf *leaf;
        unsigned n = lw_need_type(f, NULL, LLVMTypeOf(p)) ? lw_leaves(f, LLVMTypeOf(p), &leaf) : 0;
        for (unsigned i = 0; i < n; i++)
            vec_push(&regs, lw_new(f, leaf[i].size, !f->is_kernel && rg_is_divergent(f->rg, p)));
    }
    f->nparams = (unsigned)regs.len;
    f->params = arena_dup(&f->arena, regs.data, regs.len * sizeof *regs.data);
    vec_free(&regs);
    LLVMTypeRef t = LLVMGetReturnType(LLVMGlobalGetValueType(fn));
    if (LLVMGetTypeKind(t) == LLVMVoidTypeKind || !lw_need_type(f, NULL, t)) return;
    const struct lw_leaf *leaf;
    f->nrets = lw_leaves(f, t, &leaf);
    f->rets = arena_array(&f->arena, lw_reg, f->nrets);
    for (unsigned i = 0; i < f->nrets; i++)
        f->rets[i] = lw_new(f, leaf[i].size, f->rg->ret_divergent);
}

/** The loop that begins with block b, or -1. */
static int loop_from(const struct lw_fn *f, unsigned b)
{
    const int l = f->rg->blocks[b].loop;
    return l >= 0 && f->rg->loops[l].header == b ? l : -1;
}

// A phi's registers are written at the ends of its predecessors. In a loop's header they are of
// their own, since an edge that leaves the loop from there must not change values that are used
// after it.
static const lw_reg *phi_in(struct lw_fn *f, LLVMValueRef phi, unsigned block)
{
    if (loop_from(f, block) < 0) return lw_home(f, phi);
    bool is_new;
    uint64_t *at = map_put_ptr(&f->phi_in_of, phi, &is_new);
    if (is_new) {
        const struct lw_leaf *leaf;
        unsigned n = lw_leaves(f, LLVMTypeOf(phi), &leaf);
        lw_reg *regs = arena_array(&f->arena, lw_reg, n);
        for (unsigned i = 0; i < n; i++)
            regs[i] = lw_new(f, leaf[i].size, rg_is_divergent(f->rg, phi));
        *at = (uint64_t)(uintptr_t)regs;
    }
    return (const lw_reg *)(uintptr_t)*at;
}

static void enter_phis(struct lw_fn *f, unsigned b)
{
    for (LLVMValueRef i = f->rg->blocks[b].first; i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        const struct lw_leaf *leaf;
        unsigned n = lw_leaves(f, LLVMTypeOf(i), &leaf);
        const lw_reg *in = phi_in(f, i, b), *home = lw_home(f, i);
        for (unsigned k = 0; k < n; k++) lw_move(f, home[k], in[k], leaf[k].size);
    }
}

/** What a phi is given: written to its registers at once where nothing else uses it. */
static void give_phi(struct lw_fn *f, LLVMValueRef v, const lw_reg *to, const struct lw_leaf *leaf,
                     unsigned n)
{
    const lw_reg *const from = lw_value(f, v, NULL);
    const struct lw_val *x = LLVMIsAInstruction(v) ? lw_val(f, v) : NULL;
    const bool last = x && x->kind == LW_TEMP && x->uses == 1;
    for (unsigned i = 0; i < n; i++) {
        bool twice = false;
        for (unsigned k = 0; k < n; k++) twice |= k != i && from[k] == from[i];
        if (!last || twice || !lw_retarget(f, from[i], to[i], f->block_start))
            lw_move(f, to[i], from[i], leaf[i].size);
    }
}

/**
 * In a walk over a block's successors, of which a switch may name one often (f->nvisits numbers the
 * walks): whether this one is new.
 */
static bool is_first_visit(struct lw_fn *f, unsigned block)
{
    const bool is_first = f->visited[block] != f->nvisits;
    f->visited[block] = f->nvisits;
    return is_first;
}

/**
 * What a phi is given by a block. Blocks come in about the order in which phis name them, so the
 * search begins after the last one found: a phi of n blocks costs n steps in all, not n each.
 */
static LLVMValueRef incoming_from(struct lw_fn *f, LLVMValueRef phi, LLVMBasicBlockRef bb)
{
    const unsigned n = LLVMCountIncoming(phi);
    uint64_t *const at = map_put_ptr(&f->phi_at, phi, NULL);
    for (unsigned k = 0; k < n; k++) {
        const unsigned i = (unsigned)((*at + k) % n);
        if (LLVMGetIncomingBlock(phi, i) != bb) continue;
        *at = i + 1;
        return LLVMGetIncomingValue(phi, i);
    }
    return NULL;
}

static void leave_to_phis(struct lw_fn *f, unsigned b)
{
    struct rg_block *B = &f->rg->blocks[b];
    if (B->end != RG_BRANCH) return;
    f->nvisits++;
    for (unsigned s = 0; s < B->nsucc; s++) {
        if (!is_first_visit(f, B->succ[s])) continue;
        for (LLVMValueRef phi = f->rg->blocks[B->succ[s]].first; phi && LLVMIsAPHINode(phi);
             phi = LLVMGetNextInstruction(phi)) {
            LLVMValueRef v = incoming_from(f, phi, B->bb);
            if (!v || l_is_undef(v)) continue;
            const struct lw_leaf *leaf;
            unsigned n = lw_leaves(f, LLVMTypeOf(phi), &leaf);
            give_phi(f, v, phi_in(f, phi, B->succ[s]), leaf, n);
        }
    }
}

// Loops with barriers or reconvergence points whose control varies count each lane's iterations.
static void step_counters(struct lw_fn *f, unsigned b)
{
    const int l = loop_from(f, b);
    if (l >= 0 && f->counters[l] != BC_NONE)
        lw_emit(f, (struct bc_insn){.op = BC_ADD_I32,
                                    .flags = BC_MASKED,
                                    .dst = f->counters[l],
                                    .a = f->counters[l],
                                    .b = lw_const(f, 1),
                                    .c = BC_NONE});
}

static void reset_counters(struct lw_fn *f, unsigned b)
{
    struct rg_block *B = &f->rg->blocks[b];
    f->nvisits++;
    for (unsigned s = 0; s < B->nsucc; s++) {
        const int l = loop_from(f, B->succ[s]);
        if (l >= 0 && f->counters[l] != BC_NONE && !rg_in_loop(&f->rg->loops[l], b) &&
            is_first_visit(f, B->succ[s]))
            lw_move(f, f->counters[l], lw_const(f, 0), 4);
    }
}

// Variables that some path reads before it writes them start without a value.
static void start_undefined(struct lw_fn *f)
{
    const struct rg_fn *r = f->rg;
    bool *read = f->web_is_read = arena_array(&f->arena, bool, r->nwebs + 1);
    for (unsigned b = 0; b < r->nblocks; b++)
        for (LLVMValueRef i = r->blocks[b].first; i && i != r->blocks[b].stop;
             i = LLVMGetNextInstruction(i))
            if (LLVMGetInstructionOpcode(i) == LLVMLoad && rg_web_of(r, i) >= 0)
                read[rg_web_of(r, i)] = true;
    for (unsigned w = 0; w < r->nwebs; w++)
        if (r->webs[w].has_undef) lw_undefined(f, w);
    f->block_start = (unsigned)f->insns.len;
}

static void begin_block(struct lw_fn *f, unsigned b)
{
    f->block = b;
    f->block_start = f->insn_start = (unsigned)f->insns.len;
    map_deinit(&f->checked);
    vec_push(&f->blocks, (struct bc_block){.first = f->block_start, .loop = f->rg->blocks[b].loop});
}

static void end_block(struct lw_fn *f, struct bc_insn i)
{
    if (!i.dst) i.dst = BC_NONE;
    lw_emit(f, i);
    vec_last(&f->blocks).count = (uint32_t)(f->insns.len - vec_last(&f->blocks).first);
}

static struct bc_insn jump(unsigned to)
{
    return (struct bc_insn){.op = BC_BR, .a = BC_NONE, .b = BC_NONE, .c = BC_NONE, .ext = to};
}

// A switch becomes a chain of comparisons, each in a block of its own after the first.
static void end_switch(struct lw_fn *f, unsigned b, LLVMValueRef sw)
{
    struct rg_block *B = &f->rg->blocks[b];
    unsigned cases = B->nsucc - 1; // successor 0 is the default
    const struct lw_leaf *leaf;
    lw_leaves(f, LLVMTypeOf(LLVMGetOperand(sw, 0)), &leaf);
    lw_reg v = lw_scalar(f, LLVMGetOperand(sw, 0));
    if (cases > 1 && lw_is_varying(v)) {
        lw_reg keep = lw_new(f, leaf[0].size, true);
        lw_move(f, keep, v, leaf[0].size);
        v = keep;
    } else if (cases > 1 && !lw_is_const(f, v, NULL)) {
        lw_reg keep = lw_new(f, 8, false);
        lw_move(f, keep, v, leaf[0].size);
        v = keep;
    }
    if (!cases) end_block(f, jump(B->succ[0]));
    for (unsigned k = 0; k < cases; k++) {
        uint64_t bits = 0;
        l_const_bits(l_case_value(sw, k + 1), &bits);
        lw_reg is = lw_op(f, LW_INT(EQ, leaf[0].size), v, lw_const(f, bits), BC_NONE);
        unsigned otherwise = k + 1 < cases ? EXTRA | (unsigned)f->blocks.len : B->succ[0];
        end_block(f, (struct bc_insn){.op = BC_CBR,
                                      .flags = f->rg->decides[b] ? BC_DECIDES | BC_CASE : 0,
                                      .a = is,
                                      .b = B->succ[k + 1],
                                      .c = otherwise});
        if (k + 1 < cases) begin_block(f, b);
    }
}

static void end_condition(struct lw_fn *f, unsigned b)
{
    struct rg_block *B = &f->rg->blocks[b];
    LLVMValueRef cond = LLVMGetCondition(B->stop);
    struct bc_insn i = {.op = BC_CBR, .a = lw_scalar(f, cond), .b = B->succ[0], .c = B->succ[1]};
    if (f->rg->decides[b]) { // a report will show the condition
        i.flags = BC_DECIDES;
        uint32_t n, loc = LLVMIsAInstruction(cond) ? fe_debug_insn(f->m->debug, cond) : 0;
        if (loc && fe_debug_locs(f->m->debug, &n)[loc].line) f->loc = loc;
    }
    end_block(f, i);
}

/**
 * The scope that work_group_barrier was called with; all of the device where that is not a
 * constant.
 */
static enum bc_scope barrier_scope(LLVMValueRef call)
{
    if (LLVMGetNumArgOperands(call) < 2) return BC_SCOPE_GROUP;
    uint64_t scope;
    if (!l_const_bits(LLVMGetArgOperand(call, 1), &scope)) return BC_SCOPE_DEVICE;
    return scope == 2   ? BC_SCOPE_DEVICE
           : scope == 3 ? BC_SCOPE_ALL
                        : BC_SCOPE_GROUP; // as clang numbers them
}

/** The copies that a wait_group_events waits for: all work-items must agree on them. */
static lw_reg wait_for_events(struct lw_fn *f, LLVMValueRef call)
{
    const struct lw_addr at = lw_addr_plain(f, lw_address(f, LLVMGetOperand(call, 1)));
    const uint32_t site =
        lw_site(f, at, (struct lw_access){.elem = 8, .ncomp = 1, .align = 8}, BC_READ);
    const lw_reg events = lw_temp(f, 4, true);
    lw_emit(f, (struct bc_insn){.op = BC_WAIT_EVENTS,
                                .dst = events,
                                .a = at.base,
                                .b = BC_NONE,
                                .c = lw_scalar(f, LLVMGetOperand(call, 0)),
                                .site = site});
    return events;
}

static void end_barrier(struct lw_fn *f, const struct rg_block *b)
{
    static const enum bc_barrier kinds[] = {[RG_WORK_GROUP_BARRIER] = BC_BAR_BARRIER,
                                            [RG_WAIT_EVENTS] = BC_BAR_WAIT_GROUP_EVENTS,
                                            [RG_ASYNC_COPY] = BC_BAR_ASYNC_COPY,
                                            [RG_COLLECTIVE] = BC_BAR_COLLECTIVE};
    const bool plain = b->barrier == RG_WORK_GROUP_BARRIER;
    const lw_reg flags = plain                          ? lw_barrier_flags(f, b->stop)
                         : b->barrier == RG_WAIT_EVENTS ? wait_for_events(f, b->stop)
                                                        : lw_const(f, 0);
    if (b->barrier == RG_COLLECTIVE) lw_put(f, b->stop);
    end_block(f, (struct bc_insn){.op = BC_BARRIER,
                                  .a = kinds[b->barrier],
                                  .b = flags,
                                  .c = plain ? barrier_scope(b->stop) : BC_SCOPE_GROUP,
                                  .ext = b->succ[0]});
}

static void end_return(struct lw_fn *f, LLVMValueRef ret)
{
    unsigned n = 0;
    uint32_t list[65] = {0};
    if (f->nrets && LLVMGetNumOperands(ret)) {
        const lw_reg *v = lw_value(f, LLVMGetOperand(ret, 0), &n);
        if (n > 64)
            lw_error(f, ret, "a function that returns %u scalars is not supported", n), n = 0;
        for (unsigned i = 0; i < n; i++) list[1 + i] = v[i];
    }
    list[0] = n;
    end_block(f, (struct bc_insn){.op = BC_RET,
                                  .a = BC_NONE,
                                  .b = BC_NONE,
                                  .c = BC_NONE,
                                  .ext = n ? lw_list(f, list, n + 1) : 0});
}

static void end_branch(struct lw_fn *f, unsigned b)
{
    const struct rg_block *B = &f->rg->blocks[b];
    switch (LLVMGetInstructionOpcode(B->stop)) {
    case LLVMBr:
        if (B->nsucc == 1) end_block(f, jump(B->succ[0]));
        else end_condition(f, b);
        break;
    case LLVMSwitch: end_switch(f, b, B->stop); break;
    default:
        lw_error(f, B->stop, "this kind of branch is not supported");
        end_block(f, jump(B->succ[0]));
    }
}

static void end_of_block(struct lw_fn *f, unsigned b)
{
    struct rg_block *B = &f->rg->blocks[b];
    f->insn_start = (unsigned)f->insns.len;
    if (B->stop) f->loc = fe_debug_insn(f->m->debug, B->stop);
    f->insn = B->stop;
    leave_to_phis(f, b);
    reset_counters(f, b);
    switch (B->end) {
    case RG_UNREACHABLE:
        end_block(f, (struct bc_insn){.op = BC_TRAP, .a = BC_NONE, .b = BC_NONE, .c = BC_NONE});
        break;
    case RG_BARRIER: end_barrier(f, B); break;
    case RG_RECONVERGE:
        end_block(f, (struct bc_insn){.op = BC_RECONVERGE,
                                      .a = rg_reconvergence_of(B->stop) == RG_RECONVERGES_ALL,
                                      .b = BC_NONE,
                                      .c = BC_NONE,
                                      .ext = B->succ[0]});
        break;
    case RG_RETURN: end_return(f, B->stop); break;
    case RG_BRANCH: end_branch(f, b); break;
    }
    if (B->end != RG_RECONVERGE) lw_used(f, B->stop);
    for (size_t i = 0; i < f->scratch.len; i++) lw_release(f, f->scratch.data[i]);
    vec_clear(&f->scratch);
    lw_end_block(f);
}

// ---- final numbering

static lw_reg final(const struct lw_fn *f, lw_reg r)
{
    if (r == BC_NONE || r & BC_V) return r;
    if (r & LW_C) return r & ~LW_C;
    if (r & LW_U) return (r & ~LW_U) + (uint32_t)f->consts.len;
    return r;
}

static unsigned target(const unsigned *block_at, uint32_t t)
{
    return t & EXTRA ? t & ~EXTRA : block_at[t];
}

static uint32_t loop_loc(struct lw_fn *f, const struct rg_loop *l)
{
    uint32_t loc = 0;
    for (unsigned b = l->header; b <= l->last && !loc; b++)
        for (unsigned s = 0; s < f->rg->blocks[b].nsucc && !loc; s++)
            if (f->rg->blocks[b].succ[s] == l->header &&
                LLVMIsATerminatorInst(f->rg->blocks[b].stop))
                loc = fe_debug_loop(f->m->debug, f->rg->blocks[b].stop);
    return loc;
}

static void finish(struct lw_fn *f, const unsigned *block_at)
{
    struct arena *a = f->m->arena;
    for (size_t k = 0; k < f->insns.len; k++) {
        struct bc_insn *i = &f->insns.data[k];
        if (i->op == BC_CBR) i->b = target(block_at, i->b), i->c = target(block_at, i->c);
        if (bc_ops[i->op].ext == BC_EXT_BLOCK) i->ext = target(block_at, i->ext);
        LW_EACH_OPERAND(o, f, i, BC_USE_OUT | BC_USE_IN) *o.at = final(f, *o.at);
    }
    struct bc_fn *o = &f->m->fns.data[f->index];
    struct bc_loop *loops = arena_array(a, struct bc_loop, f->rg->nloops);
    for (unsigned l = 0; l < f->rg->nloops; l++) {
        const struct rg_loop *r = &f->rg->loops[l];
        unsigned next = r->last + 1 < f->rg->nblocks ? block_at[r->last + 1]
                                                     : (unsigned)f->blocks.len;
        loops[l] = (struct bc_loop){block_at[r->header], next - 1,       r->parent, f->counters[l],
                                    loop_loc(f, r),      r->has_barrier, {0}};
    }
    for (unsigned i = 0; i < f->nparams; i++) f->params[i] = final(f, f->params[i]);
    for (unsigned i = 0; i < f->nrets; i++) f->rets[i] = final(f, f->rets[i]);
    // Parameters that are registers: a struct by value has none.
    VEC(uint32_t) params = {0};
    for (unsigned i = 0; i < f->nparams; i++)
        if (f->params[i] & BC_V || f->params[i] >= f->consts.len) vec_push(&params, f->params[i]);
    *o = (struct bc_fn){
        .name = lw_intern(f->m, fe_debug_function_name(f->m->debug, f->rg->fn)),
        .nuniform = f->nuniform + (uint32_t)f->consts.len,
        .nconst = (uint32_t)f->consts.len,
        .consts = arena_dup(a, f->consts.data, f->consts.len * sizeof *f->consts.data),
        .nvarying = (uint32_t)f->vsize.len,
        .vsize = arena_dup(a, f->vsize.data, f->vsize.len),
        .insns = arena_dup(a, f->insns.data, f->insns.len * sizeof *f->insns.data),
        .ninsns = (uint32_t)f->insns.len,
        .blocks = arena_dup(a, f->blocks.data, f->blocks.len * sizeof *f->blocks.data),
        .nblocks = (uint32_t)f->blocks.len,
        .loops = loops,
        .nloops = f->rg->nloops,
        .ext = arena_dup(a, f->ext.data, f->ext.len * sizeof *f->ext.data),
        .next = (uint32_t)f->ext.len,
        .params = arena_dup(a, params.data, params.len * sizeof *params.data),
        .nparams = (uint32_t)params.len,
        .rets = arena_dup(a, f->rets, f->nrets * sizeof *f->rets),
        .nrets = f->nrets,
        .has_barrier = f->rg->has_barrier,
        .may_part = f->rg->may_part,
        .loc = fe_debug_function(f->m->debug, f->rg->fn),
    };
    vec_free(&params);
}

void lw_function(struct lw_module *m, unsigned index)
{
    struct lw_fn F = {.m = m,
                      .rg = &m->rg[index],
                      .index = index,
                      .is_kernel = l_is_kernel(m->rg[index].fn)},
                 *f = &F;
    const struct rg_fn *r = f->rg;
    f->web_regs = arena_array(&f->arena, lw_reg *, r->nwebs + 1);
    f->aliases = arena_array(&f->arena, struct lw_aliases, r->nwebs + 1);
    f->counters = arena_array(&f->arena, lw_reg, r->nloops + 1);
    f->visited = arena_array(&f->arena, unsigned, r->nblocks + 1);
    unsigned *block_at = arena_array(&f->arena, unsigned, r->nblocks + 1);
    uint32_t none = 0;
    lw_list(f, &none, 1); // index 0 of ext means no list
    open_signature(f);
    for (unsigned l = 0; l < r->nloops; l++)
        f->counters[l] = (r->loops[l].has_barrier && (r->may_part || r->loops[l].divergent)) ||
                                 (r->loops[l].has_reconvergence && r->may_part)
                             ? lw_new(f, 4, true)
                             : BC_NONE;
    for (unsigned b = 0; b < r->nblocks && !m->error; b++) {
        block_at[b] = (unsigned)f->blocks.len;
        begin_block(f, b);
        f->loc = 0;
        if (!b) start_undefined(f);
        enter_phis(f, b);
        step_counters(f, b);
        for (LLVMValueRef i = r->blocks[b].first; i && i != r->blocks[b].stop && !m->error;
             i = LLVMGetNextInstruction(i)) {
            f->insn = i;
            f->insn_start = (unsigned)f->insns.len;
            f->loc = fe_debug_insn(m->debug, i);
            lw_insn(f, i);
            struct lw_val *x = lw_val(f, i);
            if (!x || x->kind != LW_LAZY) lw_used(f, i);
            for (size_t k = 0; k < f->scratch.len; k++) lw_release(f, f->scratch.data[k]);
            vec_clear(&f->scratch);
        }
        end_of_block(f, b);
    }
    if (!m->error && !m->for_debugger)
        lw_local_cse(f); // a debugger stops at every line's instructions
    if (!m->error) finish(f, block_at);
    if (!m->error && f->is_kernel) lw_kernel(m, index, f);
    vec_free(&f->insns);
    vec_free(&f->ext);
    vec_free(&f->consts);
    map_deinit(&f->const_of);
    vec_free(&f->vsize);
    vec_free(&f->blocks);
    for (unsigned i = 0; i < 5; i++) vec_free(&f->idle[i]);
    vec_free(&f->scratch);
    map_deinit(&f->val_of);
    vec_free(&f->vals);
    vec_free(&f->local);
    for (unsigned w = 0; w < r->nwebs; w++) vec_free(&f->aliases[w].vals);
    map_deinit(&f->checked);
    map_deinit(&f->phi_in_of);
    map_deinit(&f->phi_at);
    arena_deinit(&f->arena);
}
