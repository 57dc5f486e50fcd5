// SPDX-License-Identifier: MIT
// Uniformity (the paper's §4.6): which values are the same for all work-items that compute them together.
//
// Property: a value that is not divergent is equal among the lanes active where it is computed, and stays
// so at each of its uses, provided lanes run with the reconvergence of the scheduling order (cfg.c).
//
// Divergence comes from ids (of groups as well, and then from local memory: batches.c), atomics, private memory (but see private_memory.c), and loads
// through divergent addresses; it spreads
//   - through operands,
//   - to joins: a definition that is chosen by the path taken from a divergent branch. The joins of branch
//     B are the blocks that two different successors of B reach on disjoint paths before they pass B's
//     immediate post-dominator; they are found by spreading each successor's label (see spread_labels),
//   - out of loops that work-items leave in different iterations: a value of such a loop that is used
//     outside it is divergent (temporal divergence).
// The rule is optimistic: everything starts uniform and is raised until nothing changes, over all
// functions at once, since parameters and results carry divergence between them.
//
// Where work-items may wait for one another (spin loops; barriers under varying control; irreducible
// flow), they may run the same code at different times. There only functions of launch constants stay
// uniform: may_part.
#include "regions/graph.h"

#include <string.h>

struct web_blocks {
    VEC(unsigned) defs, uses;
};

struct state {
    struct rg_fn *fns;
    unsigned n;
    struct map fn_of; // LLVM function → index + 1
    struct web_blocks **webs; // by function, web
    bool **joins;             // by function, block: some divergent branch joins here
    bool changed;
};

static bool is_div(const struct rg_fn *f, LLVMValueRef v) { return rg_is_divergent(f, v); }

static void raise_value(struct state *s, struct rg_fn *f, LLVMValueRef v)
{
    bool is_new;
    *map_put_ptr(&f->divergent, v, &is_new) = 1;
    s->changed |= is_new;
}

static void raise_web(struct state *s, struct rg_fn *f, int web)
{
    if (f->webs[web].divergent) return;
    f->webs[web].divergent = s->changed = true;
}

static unsigned space_of(LLVMValueRef pointer) { return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)); }

static bool is_pointer(LLVMValueRef v) { return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind; }

static bool any_operand_divergent(const struct rg_fn *f, LLVMValueRef i)
{
    for (int k = LLVMGetNumOperands(i); k-- > 0;) {
        LLVMValueRef o = LLVMGetOperand(i, (unsigned)k);
        if (!LLVMIsABasicBlock(o) && is_div(f, o)) return true;
    }
    return false;
}

static bool load_diverges(const struct rg_fn *f, LLVMValueRef pointer)
{
    unsigned space = space_of(pointer);
    if (is_div(f, pointer)) return true;
    if (space == 2) return false;
    if (space == 3 && f->groups_vary) return true; // each group has its own
    if (space == 0 && rg_private_is_uniform(f, pointer)) return false;
    return space == 0 || space == 4 || f->may_part;
}

static bool call_diverges(struct state *s, struct rg_fn *f, LLVMValueRef i)
{
    LLVMValueRef callee = LLVMGetCalledValue(i);
    uint64_t *at = LLVMIsAFunction(callee) ? map_get_ptr(&s->fn_of, callee) : NULL;
    if (at) {
        struct rg_fn *g = &s->fns[*at - 1];
        unsigned n = LLVMCountParams(callee);
        for (unsigned k = 0; k < n; k++)
            if (is_div(f, LLVMGetOperand(i, k))) raise_value(s, g, LLVMGetParam(callee, k));
        return g->ret_divergent || f->may_part;
    }
    char name[64];
    rg_callee_base_name(i, name, sizeof name);
    static const char *const varying[] = {"get_global_id", "get_local_id", "get_global_linear_id", "get_local_linear_id",
                                          "get_sub_group_local_id", "get_sub_group_id", "get_sub_group_size"};
    for (size_t k = 0; k < sizeof varying / sizeof *varying; k++)
        if (!strcmp(name, varying[k])) return true;
    if (f->groups_vary && !strcmp(name, "get_group_id")) return true;
    if (!strncmp(name, "sub_group_", 10) || !strncmp(name, "work_group_scan_", 16) ||
        (!strncmp(name, "get_sub_group_", 14) && strstr(name, "_mask")) || !strcmp(name, "cldbg-collect-each"))
        return true;
    if (!strcmp(name, "cldbg-all")) return f->may_part; // native/agreement.c
    if (rg_barrier_of(i) == RG_COLLECTIVE) return f->may_part; // the same for the whole group
    if (!strncmp(name, "read_image", 10) && f->may_part) return true; // as a load
    if (!strncmp(name, "atomic_", 7) || !strncmp(name, "atom_", 5)) return true;
    for (int k = LLVMGetNumArgOperands(i); k-- > 0;) {
        LLVMValueRef o = LLVMGetOperand(i, (unsigned)k);
        if (is_pointer(o) ? load_diverges(f, o) : is_div(f, o)) return true;
    }
    return false;
}

static bool diverges(struct state *s, struct rg_fn *f, LLVMValueRef i, unsigned b, const bool *joins)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca: return false;
    case LLVMLoad: {
        int web = rg_web_of(f, i);
        return web >= 0 ? f->webs[web].divergent : load_diverges(f, LLVMGetOperand(i, 0));
    }
    case LLVMPHI:
        if (joins[b] || f->may_part) return true;
        return any_operand_divergent(f, i);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return true;
    case LLVMCall: return call_diverges(s, f, i);
    default: return any_operand_divergent(f, i);
    }
}

// Labels: 0 none, k + 1 the successor (or join) k. A block that gets two labels is a join, and its own label.
// Blocks are taken in scheduling order, so that a join is known before its label goes further.
static void spread_labels(struct rg_fn *f, unsigned from, bool *joins)
{
    const struct rg_block *B = &f->blocks[from];
    unsigned *label = mem_alloc(f->nblocks * sizeof *label), n = f->nblocks;
    bool *pending = mem_alloc(n), any = true;
    // An edge straight to the post-dominator carries a label of its own.
    for (unsigned k = 0; k < B->nsucc; k++) {
        unsigned to = B->succ[k], l = (int)to == B->ipdom ? n + 1 + k : to + 1;
        joins[to] |= label[to] && label[to] != l;
        label[to] = label[to] && label[to] != l ? to + 1 : l;
        pending[to] = (int)to != B->ipdom;
    }
    while (any) {
        any = false;
        for (unsigned b = 0; b < n; b++) {
            if (!pending[b]) continue;
            pending[b] = false;
            if (b == from && label[b] != b + 1) continue; // came round the loop by one way: in step
            for (unsigned k = 0; k < f->blocks[b].nsucc; k++) {
                unsigned to = f->blocks[b].succ[k], was = label[to];
                if (was == label[b] || was == to + 1) {
                    joins[to] |= was != label[b];
                    continue;
                }
                label[to] = was ? to + 1 : label[b];
                joins[to] |= was != 0;
                pending[to] = (int)to != B->ipdom;
                any |= pending[to];
            }
        }
    }
    free(pending);
    free(label);
}

// Marks what is control dependent on the branch of block x, as far as blocks lo..hi; gives whether anything was new.
static void mark_dependants(const struct rg_fn *f, unsigned x, unsigned lo, unsigned hi, bool *marked)
{
    VEC(unsigned) work = {0};
    vec_push(&work, x);
    while (work.len) {
        unsigned b = vec_pop(&work);
        if (f->blocks[b].nsucc < 2) continue;
        for (unsigned k = 0; k < f->blocks[b].nsucc; k++)
            for (int r = (int)f->blocks[b].succ[k]; r >= 0 && r != f->blocks[b].ipdom; r = f->blocks[r].ipdom) {
                if ((unsigned)r < lo || (unsigned)r > hi || marked[r]) continue;
                marked[r] = true;
                vec_push(&work, (unsigned)r);
            }
    }
    vec_free(&work);
}

void rg_dependants(const struct rg_fn *f, unsigned block, bool *marked) { mark_dependants(f, block, 0, f->nblocks - 1, marked); }

static bool loop_diverges(const struct rg_fn *f, const struct rg_loop *l)
{
    bool *marked = mem_alloc(f->nblocks), found = false;
    for (unsigned b = l->header; b <= l->last; b++)
        if (f->divergent_branch[b]) mark_dependants(f, b, l->header, l->last, marked);
    for (unsigned b = l->header; b <= l->last && !found; b++)
        for (unsigned k = 0; k < f->blocks[b].nsucc; k++) {
            unsigned to = f->blocks[b].succ[k];
            if (!rg_in_loop(l, to) && (marked[b] || f->divergent_branch[b])) found = true;
        }
    free(marked);
    return found;
}

// Values of a loop that is left in different iterations are divergent for whoever uses them outside.
static void raise_live_outs(struct state *s, struct rg_fn *f, struct web_blocks *webs, const struct rg_loop *l)
{
    for (unsigned b = l->header; b <= l->last; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop; i = LLVMGetNextInstruction(i)) {
            if (is_div(f, i)) continue;
            for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
                int ub = rg_block_of(f, LLVMGetUser(u));
                if (ub >= 0 && !rg_in_loop(l, (unsigned)ub) && LLVMGetInstructionOpcode(i) != LLVMAlloca) raise_value(s, f, i);
            }
        }
    for (unsigned w = 0; w < f->nwebs; w++) {
        bool def = false, use = false;
        for (size_t k = 0; k < webs[w].defs.len; k++) def |= rg_in_loop(l, webs[w].defs.data[k]);
        for (size_t k = 0; k < webs[w].uses.len; k++) use |= !rg_in_loop(l, webs[w].uses.data[k]);
        if (def && use) raise_web(s, f, (int)w);
    }
}

// Whether a store (or memcpy, memset) may leave different things to different work-items, under the control it has.
static bool store_diverges(const struct rg_fn *f, LLVMValueRef i, LLVMValueRef to)
{
    if (is_div(f, to)) return true;
    if (LLVMGetInstructionOpcode(i) == LLVMStore) return is_div(f, LLVMGetOperand(i, 0));
    LLVMValueRef what = LLVMGetOperand(i, 1); // a byte, or where from
    return is_div(f, LLVMGetOperand(i, 2)) || (is_pointer(what) ? load_diverges(f, what) : is_div(f, what));
}

static void pass(struct state *s, unsigned fi)
{
    struct rg_fn *f = &s->fns[fi];
    bool *joins = s->joins[fi];
    for (unsigned b = 0; b < f->nblocks; b++) {
        struct rg_block *B = &f->blocks[b];
        for (LLVMValueRef i = B->first; i && i != B->stop; i = LLVMGetNextInstruction(i)) {
            int web = rg_web_of(f, i);
            LLVMValueRef written = web < 0 ? rg_private_written(i) : NULL;
            if (written && store_diverges(f, i, written)) s->changed |= rg_private_raise(f, written);
            if (web >= 0 && LLVMGetInstructionOpcode(i) == LLVMStore) {
                if (is_div(f, LLVMGetOperand(i, 0))) raise_web(s, f, web);
            } else if ((!is_div(f, i) || LLVMIsACallInst(i)) && diverges(s, f, i, b, joins)) {
                raise_value(s, f, i); // a call whose result is divergent already: its arguments may just have become so
            }
        }
        for (const int *w = f->join_web[b]; *w >= 0; w++)
            if (joins[b]) raise_web(s, f, *w);
        if (B->end == RG_RETURN && LLVMGetNumOperands(B->stop) && is_div(f, LLVMGetOperand(B->stop, 0)) && !f->ret_divergent)
            f->ret_divergent = s->changed = true;
        if (B->end == RG_BRANCH && B->nsucc > 1 && !f->divergent_branch[b] && is_div(f, LLVMGetOperand(B->stop, 0))) {
            f->divergent_branch[b] = s->changed = true;
            spread_labels(f, b, joins);
        }
    }
    unsigned rets = 0;
    bool branches = false;
    for (unsigned b = 0; b < f->nblocks; b++) {
        rets += f->blocks[b].end == RG_RETURN;
        branches |= f->divergent_branch[b];
    }
    if (rets > 1 && branches && !f->ret_divergent) f->ret_divergent = s->changed = true;
    for (unsigned l = 0; l < f->nloops; l++) {
        if (!f->loops[l].divergent && loop_diverges(f, &f->loops[l])) f->loops[l].divergent = s->changed = true;
        if (f->loops[l].divergent) raise_live_outs(s, f, s->webs[fi], &f->loops[l]);
    }
    if (f->may_part)
        for (unsigned w = 0; w < f->nwebs; w++)
            if (f->webs[w].ndefs > 1) raise_web(s, f, (int)w);
}

// Control that varies, and from it whether work-items may have to wait for one another.
static void control(struct state *s, struct rg_fn *f)
{
    memset(f->varying_control, 0, f->nblocks);
    for (unsigned b = 0; b < f->nblocks; b++)
        if (f->divergent_branch[b]) mark_dependants(f, b, 0, f->nblocks - 1, f->varying_control);
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; f->varying_control[b] && i && i != f->blocks[b].stop; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef written = rg_private_written(i);
            if (written) s->changed |= rg_private_raise(f, written);
        }
    bool part = f->irreducible;
    for (unsigned b = 0; b < f->nblocks; b++) part |= f->blocks[b].end == RG_BARRIER && f->varying_control[b];
    for (unsigned l = 0; l < f->nloops; l++) part |= f->loops[l].may_spin;
    if (part && !f->may_part) f->may_part = s->changed = true;
}

// Branches at which work-items may part before a barrier. What may_part raises on top of them is not among
// these: as long as nobody has parted it does not vary.
static void find_deciding(struct rg_fn *f)
{
    bool *marked = mem_alloc(f->nblocks + 1);
    for (unsigned b = 0; b < f->nblocks && f->has_barrier; b++) {
        if (!f->divergent_branch[b]) continue;
        memset(marked, 0, f->nblocks);
        mark_dependants(f, b, 0, f->nblocks - 1, marked);
        for (unsigned k = 0; k < f->nblocks; k++) f->decides[b] |= marked[k] && f->blocks[k].end == RG_BARRIER;
    }
    free(marked);
}

static void collect_webs(struct rg_fn *f, struct web_blocks *webs)
{
    for (unsigned b = 0; b < f->nblocks; b++) {
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop; i = LLVMGetNextInstruction(i)) {
            int web = rg_web_of(f, i);
            if (web < 0) continue;
            if (LLVMGetInstructionOpcode(i) == LLVMStore) vec_push(&webs[web].defs, b);
            else vec_push(&webs[web].uses, b);
        }
        for (const int *w = f->join_web[b]; *w >= 0; w++) {
            vec_push(&webs[*w].defs, b);
            vec_push(&webs[*w].uses, b);
        }
    }
}

static void find(struct rg_fn *fns, unsigned n)
{
    struct state s = {.fns = fns, .n = n};
    struct map shared = {0};
    s.webs = mem_alloc((n + 1) * sizeof *s.webs);
    s.joins = mem_alloc((n + 1) * sizeof *s.joins);
    for (unsigned i = 0; i < n; i++) {
        struct rg_fn *f = &fns[i];
        *map_put_ptr(&s.fn_of, f->fn, NULL) = i + 1;
        s.webs[i] = mem_alloc((f->nwebs + 1) * sizeof **s.webs);
        s.joins[i] = mem_alloc(f->nblocks + 1);
        collect_webs(f, s.webs[i]);
        rg_private_find(f);
        f->divergent_branch = arena_array(f->arena, bool, f->nblocks);
        f->varying_control = arena_array(f->arena, bool, f->nblocks);
        f->decides = arena_array(f->arena, bool, f->nblocks);
        for (unsigned l = 0; l < f->nloops; l++) f->loops[l].may_spin = rg_may_spin(f, &f->loops[l], &shared);
    }
    bool back = false; // to and fro: what goes from caller to callee, or back, goes the length of a chain of calls at once
    for (bool first = true; first || s.changed; first = false) {
        do {
            s.changed = false;
            for (unsigned i = 0; i < n; i++) pass(&s, back ? n - 1 - i : i);
            back = !back;
        } while (s.changed);
        for (unsigned i = 0; i < n && first; i++) find_deciding(&fns[i]);
        for (unsigned i = 0; i < n; i++) control(&s, &fns[i]);
    }
    for (unsigned i = 0; i < n; i++) {
        for (unsigned w = 0; w < fns[i].nwebs; w++) {
            vec_free(&s.webs[i][w].defs);
            vec_free(&s.webs[i][w].uses);
        }
        free(s.webs[i]);
        free(s.joins[i]);
    }
    free(s.webs);
    free(s.joins);
    map_deinit(&s.fn_of);
    map_deinit(&shared);
}

void rg_uniformity(struct rg_fn *fns, unsigned n)
{
    rg_batches(fns, n);
    find(fns, n);
}

void rg_uniformity_of_batches(struct rg_fn *fns, unsigned n)
{
    for (unsigned i = 0; i < n; i++) fns[i].groups_vary = true;
    find(fns, n);
}
