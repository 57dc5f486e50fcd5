// SPDX-License-Identifier: MIT
// Formation of parallel regions, as in pocl (reference: regions/regions.h). A kernel is cut into
// regions; a region is run for all work-items, one after the other, before the next region.
//
// A cut is the end of a block. Barriers of the program are cuts: in a legal kernel all work-items
// of a group reach the same barrier next, so they agree on the successor, even if uniformity
// analysis cannot prove it. All other cuts are optional, and made only where control and branch are
// proved uniform; the branch is then taken once for the group:
// - at branches to different barriers, and around b-loops, so that loops over work-items contain no
//   uniform branches;
// - horizontal inner-loop parallelization (§4.6 of that paper): the loop over work-items becomes
//   the inner one.
//
// If work-items wait for one another in a loop, its back edges are cuts (spins.c), and each
// work-item resumes from there individually. A region is the set of blocks that are reachable after
// a cut without passing the next one. Invariant: a block that is reachable from several cuts has a
// copy in each of their regions (tail duplication, §4.4).
#include "native/transform.h"

#include "llvm/ir.h"

#include "regions/form.h"

#include <string.h>

static bool hard(const struct rg_block *b)
{
    return b->end == RG_BARRIER && b->barrier != RG_ASYNC_COPY;
}

bool nat_is_in_step(const struct rg_fn *f, unsigned b)
{
    if (f->varying_control[b] || f->may_part) return false;
    for (int l = f->blocks[b].loop; l >= 0; l = f->loops[l].parent)
        if (f->loops[l].divergent) return false;
    return true;
}

static bool may_cut(const struct rg_fn *f, unsigned b)
{
    return f->blocks[b].end == RG_BRANCH && !f->divergent_branch[b] && nat_is_in_step(f, b);
}

// Cuts the entries, latches and exits of a loop, if all of them can be cut; otherwise none.
static bool cut_loop(const struct rg_fn *f, const struct rg_loop *l, bool *cut)
{
    for (int run = 0; run < 2; run++) {
        for (unsigned b = 0; b < f->nblocks; b++) {
            bool at = false;
            for (unsigned k = 0; k < f->blocks[b].nsucc; k++)
                at |= f->blocks[b].succ[k] == l->header ||
                      (rg_in_loop(l, b) && !rg_in_loop(l, f->blocks[b].succ[k]));
            if (!at || hard(&f->blocks[b])) continue;
            if (run == 1) cut[b] = true;
            else if (!may_cut(f, b)) return false;
        }
    }
    return true;
}

// ---- horizontal loops: profitability

// Approximate limits of LLVM's full unrolling: instructions of all copies. The limit is lower
// inside a loop that is not unrolled, which may be cut itself.
enum { MOST_TRIPS = 64, MOST_COPIES = 1000, MOST_INSIDE = 600 };

static int parent_of(const struct rg_fn *f, unsigned l) { return f->loops[l].parent; }

// The trip count of a loop, if it is a small constant; otherwise 0.
static unsigned trips(const struct rg_fn *f, const struct rg_loop *l)
{
    const struct rg_block *h = &f->blocks[l->header];
    LLVMValueRef cond = h->nsucc == 2 && LLVMIsABranchInst(h->stop) ? LLVMGetCondition(h->stop)
                                                                    : NULL;
    if (!cond || !LLVMIsAICmpInst(cond) || rg_in_loop(l, h->succ[1]) ||
        !LLVMIsAConstantInt(LLVMGetOperand(cond, 1)))
        return 0;
    LLVMValueRef phi = LLVMGetOperand(cond, 0), init = NULL, next = NULL;
    if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2) return 0;
    for (unsigned k = 0; k < 2; k++) {
        const int from = rg_incoming_block(f, phi, k);
        *(from >= 0 && rg_in_loop(l, (unsigned)from) ? &next : &init) =
            LLVMGetIncomingValue(phi, k);
    }
    if (!init || !next || !LLVMIsAConstantInt(init) || !LLVMIsAInstruction(next) ||
        LLVMGetInstructionOpcode(next) != LLVMAdd)
        return 0;
    if (LLVMGetOperand(next, 0) != phi || !LLVMIsAConstantInt(LLVMGetOperand(next, 1))) return 0;
    const long long from = LLVMConstIntGetSExtValue(init),
                    to = LLVMConstIntGetSExtValue(LLVMGetOperand(cond, 1));
    const long long step = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
    const LLVMIntPredicate p = LLVMGetICmpPredicate(cond);
    if ((p != LLVMIntSLT && p != LLVMIntULT) || step <= 0 || to <= from ||
        to - from > MOST_TRIPS * step)
        return 0;
    return (unsigned)((to - from + step - 1) / step);
}

// Instructions of a loop in all its unrolled copies; more than MOST_COPIES: the loop is not
// unrolled.
static unsigned copies(const struct rg_fn *f, unsigned l)
{
    const unsigned n = trips(f, &f->loops[l]);
    unsigned one = 0;
    for (unsigned b = f->loops[l].header; b <= f->loops[l].last; b++)
        for (LLVMValueRef i = f->blocks[b].first;
             f->blocks[b].loop == (int)l && i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i))
            one++;
    for (unsigned k = 0; k < f->nloops; k++)
        if (parent_of(f, k) == (int)l) one += copies(f, k);
    return n && one <= MOST_COPIES ? n * one : MOST_COPIES + 1;
}

static bool unrolls(const struct rg_fn *f, unsigned l)
{
    const int p = parent_of(f, l);
    const bool inside_one = p >= 0 && copies(f, (unsigned)p) > MOST_COPIES &&
                            !f->loops[p].has_barrier;
    return copies(f, l) <= (inside_one ? MOST_INSIDE : MOST_COPIES);
}

// Whether LLVM can vectorize the work-items of a loop with masks if they take different branches.
// If it cannot, the values that the loop carries should stay in the registers of one work-item.
static bool takes_masks(const struct rg_fn *f, const struct rg_loop *l)
{
    for (unsigned b = l->header; b <= l->last; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i)) {
            const LLVMOpcode op = LLVMGetInstructionOpcode(i);
            LLVMValueRef callee = op == LLVMCall ? l_callee(i) : NULL;
            char name[64] = "";
            if (callee) rg_callee_base_name(i, name, sizeof name);
            if (op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg || op == LLVMFence) return false;
            if (op == LLVMCall &&
                !(callee && (str_starts(name, "get_") || str_starts(name, "llvm.") ||
                             str_starts(name, "cldbg.v"))))
                return false;
        }
    return true;
}

// A loop is profitable if it is not unrolled, and is the innermost such loop: LLVM can vectorize
// unrolled loops over work-items unchanged.
bool nat_is_horizontal(const struct rg_fn *f, unsigned l, bool anywhere)
{
    const struct rg_loop *L = &f->loops[l];
    if (L->has_barrier || L->divergent || f->may_part ||
        (!anywhere && f->varying_control[L->header]) || unrolls(f, l))
        return false;
    for (unsigned b = L->header; b <= L->last; b++)
        if (f->divergent_branch[b] && !takes_masks(f, L)) return false;
    for (unsigned k = 0; k < f->nloops; k++)
        if (parent_of(f, k) == (int)l && !unrolls(f, k)) return false;
    return true;
}

// Cuts the branches that decide whether a barrier is reached (control dependence).
static void cut_deciding(const struct rg_fn *f, bool *cut)
{
    bool *marked = mem_alloc(f->nblocks);
    for (unsigned b = 0; b < f->nblocks; b++) {
        if (f->blocks[b].nsucc < 2 || !may_cut(f, b)) continue;
        memset(marked, 0, f->nblocks);
        rg_dependants(f, b, marked);
        for (unsigned k = 0; k < f->nblocks; k++) cut[b] |= marked[k] && hard(&f->blocks[k]);
    }
    free(marked);
}

static void grow(const struct nat_form *w, struct nat_region *r, struct arena *a)
{
    const struct rg_fn *f = w->fn;
    VEC(unsigned) work = {0};
    r->has = arena_array(a, bool, f->nblocks);
    r->leaves = arena_array(a, bool, f->nblocks);
    vec_push(&work, r->start);
    while (work.len) {
        unsigned b = vec_pop(&work);
        if (r->has[b]) continue;
        r->has[b] = true;
        if (w->cut[b] || f->blocks[b].end == RG_RETURN) {
            r->leaves[b] = true;
            r->nleaves++;
            continue;
        }
        for (unsigned k = 0; k < f->blocks[b].nsucc; k++) vec_push(&work, f->blocks[b].succ[k]);
    }
    vec_free(&work);
}

static void add_region(struct nat_form *w, unsigned start)
{
    if (w->region_at[start] >= 0) return;
    w->region_at[start] = (int)w->nregions;
    w->regions[w->nregions++].start = start;
}

void nat_form_regions(const struct rg_fn *f, const bool *stays, struct arena *a, struct nat_form *w)
{
    *w = (struct nat_form){.fn = f,
                           .cut = arena_array(a, bool, f->nblocks),
                           .region_at = arena_array(a, int, f->nblocks),
                           .regions = arena_array(a, struct nat_region, f->nblocks)};
    memset(w->region_at, 0xff, f->nblocks * sizeof *w->region_at);
    for (unsigned b = 0; b < f->nblocks; b++) {
        w->cut[b] = hard(&f->blocks[b]);
        w->has_barrier |= w->cut[b];
    }
    for (unsigned l = 0; l < f->nloops && !f->irreducible; l++)
        if (f->loops[l].has_barrier || (stays && !stays[l] && nat_is_horizontal(f, l, false)))
            w->nhorizontal += cut_loop(f, &f->loops[l], w->cut) && !f->loops[l].has_barrier;
    cut_deciding(f, w->cut);
    for (unsigned b = 0; b < f->nblocks; b++)
        w->cut[b] |= (nat_all_of(&f->blocks[b]) && may_cut(f, b)) || nat_yields(f, b);
    add_region(w, 0);
    for (unsigned r = 0; r < w->nregions; r++) { // (nregions grows in the loop)
        grow(w, &w->regions[r], a);
        for (unsigned b = 0; b < f->nblocks; b++)
            for (unsigned k = 0; w->regions[r].leaves[b] && k < f->blocks[b].nsucc; k++)
                add_region(w, f->blocks[b].succ[k]);
    }
}

// Whether `use` is reachable from the region's start without passing through the defining block.
static bool reached_without(const struct nat_form *w, const struct nat_region *r, unsigned def,
                            unsigned use)
{
    const struct rg_fn *f = w->fn;
    bool *seen = mem_alloc(f->nblocks), found = false;
    VEC(unsigned) work = {0};
    vec_push(&work, r->start);
    while (work.len && !found) {
        unsigned b = vec_pop(&work);
        if (b == use) found = true;
        if (seen[b] || b == def) continue;
        seen[b] = true;
        for (unsigned k = 0; k < f->blocks[b].nsucc && !r->leaves[b]; k++)
            vec_push(&work, f->blocks[b].succ[k]);
    }
    vec_free(&work);
    free(seen);
    return found;
}

bool nat_crosses(const struct nat_form *w, unsigned def, unsigned use)
{
    for (unsigned r = 0; r < w->nregions; r++)
        if (w->regions[r].has[use] && reached_without(w, &w->regions[r], def, use)) return true;
    return false;
}
