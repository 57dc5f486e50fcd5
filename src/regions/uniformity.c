// SPDX-License-Identifier: MIT
// Uniformity analysis (the paper's §4.6): finds the values that are the same for all work-items
// that compute them together.
//
// Property: a value that is not divergent is equal among the lanes active where it is computed, and
// stays so at each of its uses, provided lanes run with the reconvergence of the scheduling order
// (cfg.c).
//
// Divergence comes from ids (of groups as well, and then from local memory: packed_groups.c),
// atomics (loads, too), private memory (but see private_memory.c), and loads through divergent
// addresses; it spreads
//   - through operands,
//   - to joins: a definition that depends on the path taken from a divergent branch. The joins of
//     branch
//     B are the blocks that two different successors of B reach on disjoint paths before they pass
//     B's
//     immediate post-dominator; they are found by spreading each successor's label (see
//     spread_labels),
//   - out of loops that work-items leave in different iterations: a value of such a loop that is
//     used
//     outside it is divergent (temporal divergence).
// The rule is optimistic: everything starts uniform and is raised until nothing changes, over all
// functions at once, since parameters and results carry divergence between them.
//
// Where work-items may wait for one another (spin loops; barriers under varying control;
// irreducible flow), they may run the same code at different times. There only functions of launch
// constants stay uniform: may_part.
#include "llvm/ir.h"
#include "regions/graph.h"

#include <string.h>

/**
 * The blocks that use a web: the first and the last, in scheduling order, in which loops are
 * contiguous.
 */
struct web_uses {
    unsigned first, last;
};

/** The labels of one branch: see spread_labels. All 0 between branches. */
struct labels {
    unsigned *of;      // by block
    uint64_t *pending; // one bit per block: its label must be spread further
    unsigned npending;
    unsigned *live;          // by label: blocks from which it may still reach another label
    unsigned nlive;          // number of labels with such blocks
    VEC(unsigned) seen;      // blocks with a label
    unsigned *enter, *leave; // by block: pre-order interval in the dominator tree
};

struct list {
    VEC(unsigned) blocks;
};

struct state {
    struct rg_fn *fns;
    unsigned n;
    struct map fn_of;       // LLVM function → index + 1
    struct web_uses **uses; // by function, web
    bool **joins;           // by function, block: is it a join of a divergent branch?
    struct labels *labels;  // by function
    unsigned depth;         // of followed calls
    bool *marked;           // scratch by block: all false between uses
    bool changed;
};

/** The address of a local variable as a number, which names the work-group: pointer_owners.c. */
static bool is_group_number(const struct rg_fn *f, LLVMValueRef v)
{
    LLVMValueRef global;
    int64_t addend;
    return f->groups_vary && LLVMIsAConstantExpr(v) &&
           LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind &&
           l_const_address(LLVMGetGlobalParent(f->fn), v, &global, &addend) &&
           rg_has_owner(LLVMTypeOf(global));
}

static bool is_div(const struct rg_fn *f, LLVMValueRef v)
{
    return rg_is_divergent(f, v) || is_group_number(f, v);
}

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

static unsigned space_of(LLVMValueRef pointer)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
}

static bool is_pointer(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

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

/** Memory has a signed pointer there, which is another one for each owner. */
static bool has_owners(const struct rg_fn *f, LLVMTypeRef t, LLVMValueRef pointer)
{
    return rg_owner_varies(f, t) && rg_is_signed_there(f, t, pointer);
}

static void pass(struct state *s, unsigned fi);

static bool call_diverges(struct state *s, struct rg_fn *f, LLVMValueRef i)
{
    LLVMValueRef callee = LLVMGetCalledValue(i);
    uint64_t *at = LLVMIsAFunction(callee) ? map_get_ptr(&s->fn_of, callee) : NULL;
    if (at) {
        struct rg_fn *g = &s->fns[*at - 1];
        unsigned n = LLVMCountParams(callee);
        bool is_new = false;
        for (unsigned k = 0; k < n; k++)
            if (is_div(f, LLVMGetOperand(i, k)) && !is_div(g, LLVMGetParam(callee, k))) {
                raise_value(s, g, LLVMGetParam(callee, k));
                is_new = true;
            }
        enum { DEEPEST = 64 };              // deeper calls are handled by the next pass
        if (is_new && s->depth < DEEPEST) { // immediately; otherwise a chain of calls would take
                                            // one pass per call
            s->depth++;
            pass(s, (unsigned)*at - 1);
            s->depth--;
        }
        return g->ret_divergent || f->may_part;
    }
    char name[64];
    rg_callee_base_name(i, name, sizeof name);
    static const char *const varying[] = {
        "get_global_id",          "get_local_id",     "get_global_linear_id", "get_local_linear_id",
        "get_sub_group_local_id", "get_sub_group_id", "get_sub_group_size"};
    for (size_t k = 0; k < sizeof varying / sizeof *varying; k++)
        if (!strcmp(name, varying[k])) return true;
    if (f->groups_vary && !strcmp(name, "get_group_id")) return true;
    if (!strncmp(name, "clock_read_", 11) || !strcmp(name, "__cldbg_enqueue"))
        return true; // also where all work-items call it
    if (!strncmp(name, "sub_group_", 10) || !strncmp(name, "work_group_scan_", 16) ||
        (!strncmp(name, "get_sub_group_", 14) && strstr(name, "_mask")) ||
        !strcmp(name, "cldbg-collect-each"))
        return true;
    if (!strncmp(name, "cldbg-undefined", 15)) return true;    // proof/inlining.c
    if (!strcmp(name, "cldbg-all")) return f->may_part;        // native/loop_versioning.c
    if (rg_barrier_of(i) == RG_COLLECTIVE) return f->may_part; // the same for the whole group
    if (!strncmp(name, "read_image", 10) && f->may_part) return true; // as a load
    if (!strncmp(name, "atomic_", 7) || !strncmp(name, "atom_", 5)) return true;
    for (int k = LLVMGetNumArgOperands(i); k-- > 0;) {
        LLVMValueRef o = LLVMGetOperand(i, (unsigned)k);
        if (is_pointer(o) ? load_diverges(f, o) : is_div(f, o)) return true;
    }
    return false;
}

static bool diverges(struct state *s, struct rg_fn *f, LLVMValueRef i, unsigned b,
                     const bool *joins)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca: return false;
    case LLVMLoad: {
        int web = rg_web_of(f, i);
        if (web >= 0) return f->webs[web].divergent;
        return LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic ||
               load_diverges(f, LLVMGetOperand(i, 0)) ||
               has_owners(f, LLVMTypeOf(i), LLVMGetOperand(i, 0));
    }
    case LLVMPtrToInt:
        return any_operand_divergent(f, i) ||
               (rg_is_signed_number(i) && rg_owner_varies(f, LLVMTypeOf(LLVMGetOperand(i, 0))));
    case LLVMIntToPtr: return any_operand_divergent(f, i) || rg_owner_varies(f, LLVMTypeOf(i));
    case LLVMPHI:
        if (joins[b] || f->may_part) return true;
        return any_operand_divergent(f, i);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return true;
    case LLVMCall: return call_diverges(s, f, i);
    default: return any_operand_divergent(f, i);
    }
}

static void number_dominated(const struct rg_fn *f, struct labels *l)
{
    const unsigned n = f->nblocks;
    unsigned *const size = mem_alloc((n + 1) * sizeof *size), *const next =
                                                                  mem_alloc((n + 1) * sizeof *next);
    for (unsigned b = n; b-- > 0;) // in scheduling order a block comes after its dominator
        if (++size[b] && b) size[f->blocks[b].idom] += size[b];
    for (unsigned b = 0; b < n; b++) {
        l->enter[b] = b ? next[f->blocks[b].idom] : 0;
        l->leave[b] = l->enter[b] + size[b] - 1;
        next[b] = l->enter[b] + 1;
        if (b) next[f->blocks[b].idom] += size[b];
    }
    free(size);
    free(next);
}

static void labels_init(struct labels *l, const struct rg_fn *f)
{
    const unsigned n = f->nblocks;
    unsigned most = 0; // successors
    for (unsigned b = 0; b < n; b++)
        if (f->blocks[b].nsucc > most) most = f->blocks[b].nsucc;
    l->of = mem_alloc((n + 1) * sizeof *l->of);
    l->pending = mem_alloc((n / 64 + 1) * sizeof *l->pending);
    l->live = mem_alloc(((size_t)n + most + 1) * sizeof *l->live);
    l->enter = mem_alloc((n + 1) * sizeof *l->enter);
    l->leave = mem_alloc((n + 1) * sizeof *l->leave);
    number_dominated(f, l);
}

static void labels_deinit(struct labels *l)
{
    free(l->of);
    free(l->pending);
    free(l->live);
    free(l->enter);
    free(l->leave);
    vec_free(&l->seen);
}

static void count_label(struct labels *l, unsigned label, int by)
{
    if (by > 0 && !l->live[label]) l->nlive++;
    l->live[label] += (unsigned)by;
    if (by < 0 && !l->live[label]) l->nlive--;
}

/**
 * The count of a block for its label: one if it is pending, one if a back edge may lead to it
 * again.
 */
static int counts(const struct rg_fn *f, const struct labels *l, unsigned from, unsigned b)
{
    const bool dominated = l->enter[from] < l->enter[b] && l->enter[b] <= l->leave[from];
    if ((int)b == f->blocks[from].ipdom) return 0;
    return (int)(l->pending[b / 64] >> b % 64 & 1) + !dominated;
}

/** Propagates a label of branch `from` to block `to`. */
static void put_label(const struct rg_fn *f, struct labels *l, unsigned from, unsigned to,
                      unsigned label, bool *joins)
{
    const unsigned was = l->of[to];
    joins[to] |= was && was != label;
    if (was == label || was == to + 1) return;
    if (was) count_label(l, was, -counts(f, l, from, to));
    else vec_push(&l->seen, to);
    l->of[to] = was ? to + 1 : label;
    if ((int)to != f->blocks[from].ipdom) {
        l->npending += !(l->pending[to / 64] >> to % 64 & 1);
        l->pending[to / 64] |= 1ull << to % 64;
    }
    count_label(l, l->of[to], counts(f, l, from, to));
}

/** The first pending block from b on, or the first one of all. At least one must exist. */
static unsigned next_pending(const struct rg_fn *f, const struct labels *l, unsigned b)
{
    uint64_t bits = l->pending[b / 64] & ~0ull << b % 64;
    unsigned w = b / 64;
    while (!bits) bits = l->pending[w = w < f->nblocks / 64 ? w + 1 : 0];
    return w * 64 + (unsigned)__builtin_ctzll(bits);
}

// Labels: 0 none, k + 1 the successor (or join) k. A block that gets two labels is a join and
// starts its own label. Blocks are processed in scheduling order, so that a join is known before
// its label is spread further. The search ends when all pending blocks, and all labeled blocks that
// the branch does not dominate, have the same label: no two labels can meet any more. (A dominated
// block can only be entered through the branch, and a loop inside has one label.) So the cost of a
// branch is that of all its sides except the longest, and n early returns cost n, not n².
static void spread_labels(const struct rg_fn *f, struct labels *l, unsigned from, bool *joins)
{
    const struct rg_block *B = &f->blocks[from];
    // An edge directly to the post-dominator has its own label.
    for (unsigned k = 0; k < B->nsucc; k++)
        put_label(f, l, from, B->succ[k],
                  (int)B->succ[k] == B->ipdom ? f->nblocks + 1 + k : B->succ[k] + 1, joins);
    unsigned b = 0;
    while (l->npending && (l->nlive > 1 || f->irreducible)) {
        b = next_pending(f, l, b);
        count_label(l, l->of[b], -1);
        l->pending[b / 64] &= ~(1ull << b % 64);
        l->npending--;
        if (b == from && l->of[b] != b + 1) continue; // reached again on a single path: not a join
        for (unsigned k = 0; k < f->blocks[b].nsucc; k++)
            put_label(f, l, from, f->blocks[b].succ[k], l->of[b], joins);
    }
    if (l->npending && B->ipdom >= 0) // labels reach the post-dominator
        joins[B->ipdom] |= l->of[B->ipdom] && l->of[B->ipdom] != l->of[next_pending(f, l, b)];
    for (size_t k = 0; k < l->seen.len; k++) {
        b = l->seen.data[k];
        l->live[l->of[b]] = 0;
        l->of[b] = 0;
        l->pending[b / 64] = 0;
    }
    vec_clear(&l->seen);
    l->npending = l->nlive = 0;
}

// The blocks that are directly control dependent on the branch of block b (Ferrante, Ottenstein,
// Warren), each once.
static void find_dependants(const struct rg_fn *f, unsigned b, struct list *out)
{
    const struct rg_block *B = &f->blocks[b];
    struct map met = {0}; // paths from more than two successors may join early
    vec_clear(&out->blocks);
    for (unsigned k = 0; k < B->nsucc && B->nsucc > 1; k++)
        for (int r = (int)B->succ[k]; r >= 0 && r != B->ipdom; r = f->blocks[r].ipdom) {
            bool is_new = true;
            if (B->nsucc > 2) map_put(&met, (uint64_t)r, &is_new);
            if (!is_new) break;
            vec_push(&out->blocks, (unsigned)r);
        }
    map_deinit(&met);
}

// Marks the blocks in lo..hi that are control dependent on the branch of block x.
static void mark_dependants(const struct rg_fn *f, unsigned x, unsigned lo, unsigned hi,
                            bool *marked)
{
    VEC(unsigned) work = {0};
    struct list list = {0};
    vec_push(&work, x);
    while (work.len) {
        find_dependants(f, vec_pop(&work), &list);
        for (size_t k = 0; k < list.blocks.len; k++) {
            const unsigned r = list.blocks.data[k];
            if (r < lo || r > hi || marked[r]) continue;
            marked[r] = true;
            vec_push(&work, r);
        }
    }
    vec_free(&list.blocks);
    vec_free(&work);
}

void rg_dependants(const struct rg_fn *f, unsigned block, bool *marked)
{
    mark_dependants(f, block, 0, f->nblocks - 1, marked);
}

/** `marked`: by block, all false. */
static bool loop_diverges(const struct rg_fn *f, const struct rg_loop *l, bool *marked)
{
    bool found = false;
    for (unsigned b = l->header; b <= l->last; b++)
        if (f->divergent_branch[b]) mark_dependants(f, b, l->header, l->last, marked);
    for (unsigned b = l->header; b <= l->last && !found; b++)
        for (unsigned k = 0; k < f->blocks[b].nsucc; k++) {
            unsigned to = f->blocks[b].succ[k];
            if (!rg_in_loop(l, to) && (marked[b] || f->divergent_branch[b])) found = true;
        }
    memset(marked + l->header, 0, l->last - l->header + 1);
    return found;
}

static bool used_outside(const struct web_uses *u, const struct rg_loop *l)
{
    return u->first < l->header || u->last > l->last;
}

// Values of a loop that is left in different iterations are divergent for uses
// outside.
static void raise_live_outs(struct state *s, struct rg_fn *f, const struct web_uses *uses,
                            const struct rg_loop *l)
{
    for (unsigned b = l->header; b <= l->last; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i)) {
            const int web = rg_web_of(f, i);
            if (web >= 0 && LLVMGetInstructionOpcode(i) == LLVMStore && used_outside(&uses[web], l))
                raise_web(s, f, web);
            if (is_div(f, i)) continue;
            for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
                int ub = rg_block_of(f, LLVMGetUser(u));
                if (ub >= 0 && !rg_in_loop(l, (unsigned)ub) &&
                    LLVMGetInstructionOpcode(i) != LLVMAlloca)
                    raise_value(s, f, i);
            }
        }
    for (unsigned b = l->header; b <= l->last; b++)
        for (const int *w = f->join_web[b]; *w >= 0; w++)
            if (used_outside(&uses[*w], l)) raise_web(s, f, *w);
}

// May a store (or memcpy, memset) have different effects in different work-items, considering its
// control?
static bool store_diverges(const struct rg_fn *f, LLVMValueRef i, LLVMValueRef to)
{
    if (is_div(f, to)) return true;
    if (LLVMGetInstructionOpcode(i) == LLVMStore)
        return is_div(f, LLVMGetOperand(i, 0)) ||
               has_owners(f, LLVMTypeOf(LLVMGetOperand(i, 0)), to);
    LLVMValueRef what = LLVMGetOperand(i, 1); // a byte, or where from
    return is_div(f, LLVMGetOperand(i, 2)) ||
           (is_pointer(what) ? load_diverges(f, what) : is_div(f, what));
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
            if (written && store_diverges(f, i, written))
                s->changed |= rg_private_raise(f, written);
            if (web >= 0 && LLVMGetInstructionOpcode(i) == LLVMStore) {
                if (is_div(f, LLVMGetOperand(i, 0))) raise_web(s, f, web);
            } else if ((!is_div(f, i) || LLVMIsACallInst(i)) && diverges(s, f, i, b, joins)) {
                raise_value(s, f, i); // a call with a divergent result: its arguments may have
                                      // become divergent
            }
        }
        for (const int *w = f->join_web[b]; *w >= 0; w++)
            if (joins[b]) raise_web(s, f, *w);
        if (B->end == RG_RETURN && LLVMGetNumOperands(B->stop) &&
            is_div(f, LLVMGetOperand(B->stop, 0)) && !f->ret_divergent)
            f->ret_divergent = s->changed = true;
        if (B->end == RG_BRANCH && B->nsucc > 1 && !f->divergent_branch[b] &&
            is_div(f, LLVMGetOperand(B->stop, 0))) {
            f->divergent_branch[b] = s->changed = true;
            spread_labels(f, &s->labels[fi], b, joins);
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
        if (!f->loops[l].divergent && loop_diverges(f, &f->loops[l], s->marked))
            f->loops[l].divergent = s->changed = true;
        if (f->loops[l].divergent) raise_live_outs(s, f, s->uses[fi], &f->loops[l]);
    }
    if (f->may_part)
        for (unsigned w = 0; w < f->nwebs; w++)
            if (f->webs[w].ndefs > 1) raise_web(s, f, (int)w);
}

// Computes divergent control, and from it whether work-items may have to wait for each other.
static void control(struct state *s, struct rg_fn *f)
{
    memset(f->varying_control, 0, f->nblocks);
    for (unsigned b = 0; b < f->nblocks; b++)
        if (f->divergent_branch[b]) mark_dependants(f, b, 0, f->nblocks - 1, f->varying_control);
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first;
             f->varying_control[b] && i && i != f->blocks[b].stop; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef written = rg_private_written(i);
            if (written) s->changed |= rg_private_raise(f, written);
        }
    bool part = f->irreducible;
    for (unsigned b = 0; b < f->nblocks; b++)
        part |= f->blocks[b].end == RG_BARRIER && f->varying_control[b];
    for (unsigned l = 0; l < f->nloops; l++) part |= f->loops[l].may_spin;
    if (part && !f->may_part) f->may_part = s->changed = true;
}

// Finds the branches at which work-items may diverge before a barrier. Branches that vary only
// because of may_part are left out: they are uniform until a work-item has diverged.
static void find_deciding(struct rg_fn *f)
{
    if (!f->has_barrier) return;
    struct list *const by = mem_alloc((f->nblocks + 1) * sizeof *by),
                       list = {0}; // by block: the branches that control it
    VEC(unsigned) work = {0};
    for (unsigned b = 0; b < f->nblocks; b++) {
        find_dependants(f, b, &list);
        for (size_t k = 0; k < list.blocks.len; k++) vec_push(&by[list.blocks.data[k]].blocks, b);
        if (f->blocks[b].end == RG_BARRIER) vec_push(&work, b);
    }
    bool *const leads = mem_alloc(f->nblocks + 1); // its branch controls a barrier
    while (work.len) {
        const struct list *const to = &by[vec_pop(&work)];
        for (size_t k = 0; k < to->blocks.len; k++) {
            const unsigned b = to->blocks.data[k];
            if (!leads[b]) vec_push(&work, b);
            leads[b] = true;
        }
    }
    for (unsigned b = 0; b < f->nblocks; b++) {
        f->decides[b] = f->decides[b] || (f->divergent_branch[b] && leads[b]);
        vec_free(&by[b].blocks);
    }
    free(by);
    free(leads);
    vec_free(&work);
    vec_free(&list.blocks);
}

static void note_use(struct web_uses *u, unsigned block)
{
    if (block < u->first) u->first = block;
    if (block > u->last) u->last = block;
}

static void find_uses(const struct rg_fn *f, struct web_uses *uses)
{
    for (unsigned w = 0; w < f->nwebs; w++) uses[w].first = UINT32_MAX;
    for (unsigned b = 0; b < f->nblocks; b++) {
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i))
            if (LLVMGetInstructionOpcode(i) != LLVMStore && rg_web_of(f, i) >= 0)
                note_use(&uses[rg_web_of(f, i)], b);
        for (const int *w = f->join_web[b]; *w >= 0; w++) note_use(&uses[*w], b);
    }
}

static void find(struct rg_fn *fns, unsigned n)
{
    struct state s = {.fns = fns, .n = n};
    struct map shared = {0};
    unsigned most = 0; // blocks
    s.uses = mem_alloc((n + 1) * sizeof *s.uses);
    s.labels = mem_alloc((n + 1) * sizeof *s.labels);
    s.joins = mem_alloc((n + 1) * sizeof *s.joins);
    for (unsigned i = 0; i < n; i++) {
        struct rg_fn *f = &fns[i];
        *map_put_ptr(&s.fn_of, f->fn, NULL) = i + 1;
        s.uses[i] = mem_alloc((f->nwebs + 1) * sizeof **s.uses);
        s.joins[i] = mem_alloc(f->nblocks + 1);
        find_uses(f, s.uses[i]);
        labels_init(&s.labels[i], f);
        if (f->nblocks > most) most = f->nblocks;
        rg_private_find(f);
        f->divergent_branch = arena_array(f->arena, bool, f->nblocks);
        f->varying_control = arena_array(f->arena, bool, f->nblocks);
        f->decides = arena_array(f->arena, bool, f->nblocks);
        for (unsigned l = 0; l < f->nloops; l++)
            f->loops[l].may_spin = rg_may_spin(f, &f->loops[l], &shared);
    }
    s.marked = mem_alloc(most + 1);
    bool back = false; // alternating directions: facts pass a whole chain of calls in one pass,
                       // from callers to callees or back
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
        labels_deinit(&s.labels[i]);
        free(s.uses[i]);
        free(s.joins[i]);
    }
    free(s.marked);
    free(s.labels);
    free(s.uses);
    free(s.joins);
    map_deinit(&s.fn_of);
    map_deinit(&shared);
}

void rg_uniformity(struct rg_fn *fns, unsigned n)
{
    rg_packing(fns, n);
    find(fns, n);
}

void rg_uniformity_of_packed(struct rg_fn *fns, unsigned n)
{
    for (unsigned i = 0; i < n; i++) fns[i].groups_vary = true;
    find(fns, n);
}
