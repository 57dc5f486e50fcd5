// SPDX-License-Identifier: MIT
// Node splitting: converts loops with several entries (from goto, or a switch around a loop) to
// loops with one entry, because loops, uniformity and regions require natural loops.
//
// Let S be a strongly connected part of the flow with entries e1..en, n > 1. One of them, h,
// becomes the header. Blocks that are reached in S from the other entries before h are copied;
// edges from outside S that lead to such a block now lead to its copy, and the copies lead to each
// other, to h, or out of S like their originals. S is then entered only at h; the copies do not
// contain h, so they have at most smaller cycles. The step is repeated, also on S without h, until
// every strongly connected part has one entry (Hecht and Ullman 1972; choosing h so that little is
// copied: Janssen and Corporaal 1997). Each step may double the copied code, and a clique of k
// blocks needs more than 2^k: if a function would grow by more than MOST_TIMES, it stays as it is,
// and its barriers need continuations.
//
// The identity of a barrier is its location in the source and the iterations of its loops, not the
// copy. Work-items run a copy after they entered at another entry than h, and before they reach h.
// So if two work-items used the same entry, and one is in the copy and the other in the original,
// they are in different iterations. If they used different entries, this does not hold, and they
// may wait at the same source barrier, which now has two copies. So a loop with a barrier is split
// only if all work-items use the same entry: no divergent branch outside of it chooses an entry.
// This is tested on a split copy of the module.
//
// Copies need no renaming: values that are used outside of their block, and phis, are stored in
// variables first (variables.c puts these into registers again).
#include "regions/graph.h"

#include "llvm/ir.h"

#include <stdio.h>
#include <string.h>

enum { MOST_TIMES = 4, LARGEST = 4000 }; // blocks

#define ATTR_COPIES "cldbg-split"   // number of copied blocks
#define ATTR_WHY    "cldbg-entries" // why loops with several entries remain

struct flow {
    struct arena a;
    LLVMBasicBlockRef *bb;
    struct graph g;
};

/** A split loop with a barrier: blocks, their copies, and its new entry. */
struct split {
    struct map inside; // LLVM block → 1
    VEC(LLVMBasicBlockRef) entries;
};

struct splitting {
    LLVMValueRef fn;
    struct flow f;
    size_t size, limit; // instructions
    unsigned copies;
    VEC(struct split) splits;
};

// ---- the flow graph of LLVM's blocks

static size_t size_of(LLVMBasicBlockRef b)
{
    size_t n = 0;
    l_each_insn(b, i) n++;
    return n;
}

static void flow_build(struct flow *f, LLVMValueRef fn)
{
    *f = (struct flow){0};
    const unsigned n = LLVMCountBasicBlocks(fn);
    struct map number = {0};
    unsigned k = 0;
    f->bb = arena_array(&f->a, LLVMBasicBlockRef, n);
    graph_init(&f->g, n, &f->a);
    l_each_block(fn, b) {
        f->bb[k] = b;
        *map_put_ptr(&number, b, NULL) = k++;
    }
    // unreachable blocks get no edges
    VEC(unsigned) work = {0};
    bool *seen = mem_alloc(n + 1);
    seen[0] = true;
    vec_push(&work, 0);
    while (work.len) {
        const unsigned b = vec_pop(&work);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(f->bb[b]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            const unsigned to = (unsigned)*map_get_ptr(&number, LLVMGetSuccessor(end, s));
            graph_edge(&f->g, b, to);
            if (!seen[to]) vec_push(&work, to);
            seen[to] = true;
        }
    }
    free(seen);
    vec_free(&work);
    map_deinit(&number);
}

// Marks the blocks of a set that are reachable from a block, by successors or predecessors, without
// passing `without`.
static void reach(const struct flow *f, unsigned from, const bool *set, int without, bool forward,
                  bool *marked)
{
    const struct graph_adj *next = forward ? f->g.succ : f->g.pred;
    VEC(unsigned) work = {0};
    vec_push(&work, from);
    while (work.len) {
        const unsigned b = vec_pop(&work);
        if (marked[b] || !set[b] || (int)b == without) continue;
        marked[b] = true;
        for (unsigned k = 0; k < next[b].n; k++) vec_push(&work, next[b].to[k]);
    }
    vec_free(&work);
}

static bool is_entry(const struct flow *f, const bool *part, unsigned b)
{
    for (unsigned k = 0; k < f->g.pred[b].n; k++)
        if (!part[f->g.pred[b].to[k]]) return true;
    return false;
}

// Finds a strongly connected component with several entries in `set`, outer ones first; marks it in
// `out`.
static bool find_part(const struct flow *f, const bool *set, bool *out)
{
    const unsigned n = f->g.n;
    bool *done = mem_alloc(n), *back = mem_alloc(n), *part = mem_alloc(n), found = false;
    for (unsigned v = 0; v < n && !found; v++) {
        if (!set[v] || done[v]) continue;
        memset(back, 0, n);
        memset(part, 0, n);
        reach(f, v, set, -1, true, part);
        reach(f, v, part, -1, false, back);
        unsigned members = 0, entries = 0, header = v;
        for (unsigned b = 0; b < n; b++) {
            part[b] = back[b];
            done[b] |= part[b];
            members += part[b];
        }
        if (members < 2) continue; // (a single block has one entry)
        for (unsigned b = 0; b < n; b++)
            if (part[b] && is_entry(f, part, b)) {
                entries++;
                header = b;
            }
        found = entries > 1;
        if (found) {
            memcpy(out, part, n);
        } else {
            part[header] = false;
            found = find_part(f, part, out);
        }
    }
    free(done);
    free(back);
    free(part);
    return found;
}

// Chooses the entry that is cheapest as the header, and the blocks to be copied.
static unsigned choose_header(const struct flow *f, const bool *part, bool *copied)
{
    const unsigned n = f->g.n;
    bool *marked = mem_alloc(n);
    unsigned best = 0;
    size_t least = SIZE_MAX;
    for (unsigned h = 0; h < n; h++) {
        if (!part[h] || !is_entry(f, part, h)) continue;
        memset(marked, 0, n);
        for (unsigned e = 0; e < n; e++)
            if (part[e] && e != h && is_entry(f, part, e)) reach(f, e, part, (int)h, true, marked);
        size_t cost = 0;
        for (unsigned b = 0; b < n; b++) cost += marked[b] ? size_of(f->bb[b]) : 0;
        if (cost >= least) continue;
        least = cost;
        best = h;
        memcpy(copied, marked, n);
    }
    free(marked);
    return best;
}

// ---- values through variables

static LLVMValueRef new_variable(LLVMValueRef fn, LLVMTypeRef t, LLVMBuilderRef b)
{
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fn)));
    return LLVMBuildAlloca(b, t, "");
}

static LLVMValueRef after_phis(LLVMBasicBlockRef bb)
{
    LLVMValueRef i = LLVMGetFirstInstruction(bb);
    while (LLVMIsAPHINode(i)) i = LLVMGetNextInstruction(i);
    return i;
}

static void demote_phi(LLVMValueRef fn, LLVMValueRef phi, LLVMBuilderRef b)
{
    LLVMTypeRef t = LLVMTypeOf(phi);
    LLVMValueRef at = new_variable(fn, t, b);
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k)));
        LLVMBuildStore(b, LLVMGetIncomingValue(phi, k), at);
    }
    LLVMPositionBuilderBefore(b, after_phis(LLVMGetInstructionParent(phi)));
    LLVMReplaceAllUsesWith(phi, LLVMBuildLoad2(b, t, at, ""));
    LLVMInstructionEraseFromParent(phi);
}

static bool used_elsewhere(LLVMValueRef v, LLVMBasicBlockRef own)
{
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (LLVMIsAInstruction(LLVMGetUser(u)) && LLVMGetInstructionParent(LLVMGetUser(u)) != own)
            return true;
    return false;
}

static void demote_value(LLVMValueRef fn, LLVMValueRef v, LLVMBasicBlockRef own, LLVMBuilderRef b)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMValueRef at = new_variable(fn, t, b);
    VEC(LLVMValueRef) users = {0};
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (LLVMIsAInstruction(LLVMGetUser(u)) && LLVMGetInstructionParent(LLVMGetUser(u)) != own)
            vec_push(&users, LLVMGetUser(u));
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(v));
    LLVMBuildStore(b, v, at);
    for (size_t k = 0; k < users.len;
         k++) { // (a user with several such operands is listed several times)
        LLVMValueRef user = users.data[k];
        for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands(user); o++) {
            if (LLVMGetOperand(user, o) != v) continue;
            LLVMPositionBuilderBefore(
                b, LLVMIsAPHINode(user) ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, o))
                                        : user);
            LLVMSetOperand(user, o, LLVMBuildLoad2(b, t, at, ""));
        }
    }
    vec_free(&users);
}

// Replaces the phis of the component, later phis that name its blocks, and values that are used
// outside of their block by variables.
static void demote(struct splitting *s, const bool *part)
{
    const struct flow *f = &s->f;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(s->fn)));
    VEC(LLVMValueRef) list = {0};
    for (unsigned k = 0; k < f->g.n; k++) {
        bool touched = part[k];
        for (unsigned p = 0; p < f->g.pred[k].n; p++) touched |= part[f->g.pred[k].to[p]];
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->bb[k]); touched && LLVMIsAPHINode(i);
             i = LLVMGetNextInstruction(i))
            vec_push(&list, i);
    }
    for (size_t k = 0; k < list.len; k++) demote_phi(s->fn, list.data[k], b);
    vec_clear(&list);
    for (unsigned k = 0; k < f->g.n; k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->bb[k]); part[k] && i;
             i = LLVMGetNextInstruction(i))
            if (used_elsewhere(i, f->bb[k])) vec_push(&list, i);
    for (size_t k = 0; k < list.len; k++)
        demote_value(s->fn, list.data[k], LLVMGetInstructionParent(list.data[k]), b);
    vec_free(&list);
    LLVMDisposeBuilder(b);
}

// ---- copies

static LLVMBasicBlockRef copy_block(LLVMValueRef fn, LLVMBasicBlockRef from, LLVMBuilderRef b)
{
    struct map now = {0};
    char name[64];
    snprintf(name, sizeof name, "%.40s.copy", LLVMGetBasicBlockName(from));
    LLVMBasicBlockRef to =
        LLVMAppendBasicBlockInContext(LLVMGetModuleContext(LLVMGetGlobalParent(fn)), fn, name);
    LLVMPositionBuilderAtEnd(b, to);
    l_each_insn(from, i) {
        LLVMValueRef c = LLVMInstructionClone(i);
        for (int k = LLVMGetNumOperands(c); k-- > 0;) {
            uint64_t *is = map_get_ptr(&now, LLVMGetOperand(c, (unsigned)k));
            if (is) LLVMSetOperand(c, (unsigned)k, (LLVMValueRef)(uintptr_t)*is);
        }
        LLVMInsertIntoBuilder(b, c); // (keeps the debug location)
        *map_put_ptr(&now, i, NULL) = (uintptr_t)c;
    }
    map_deinit(&now);
    return to;
}

static void lead_to_copies(const struct flow *f, LLVMBasicBlockRef from,
                           LLVMBasicBlockRef const *copy)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
        for (unsigned b = 0; b < f->g.n; b++)
            if (copy[b] && LLVMGetSuccessor(end, s) == f->bb[b]) {
                LLVMSetSuccessor(end, s, copy[b]);
                break;
            }
}

static bool has_barrier(const struct flow *f, const bool *part)
{
    for (unsigned b = 0; b < f->g.n; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->bb[b]); part[b] && i;
             i = LLVMGetNextInstruction(i))
            if (rg_barrier_of(i) != RG_NO_BARRIER) return true;
    return false;
}

static void note(struct splitting *s, const bool *part, unsigned header,
                 LLVMBasicBlockRef const *copy)
{
    const struct flow *f = &s->f;
    for (size_t k = 0; k < s->splits.len; k++) // a copy belongs to the same loops as its original
        for (unsigned b = 0; b < f->g.n; b++)
            if (copy[b] && map_get_ptr(&s->splits.data[k].inside, f->bb[b]))
                *map_put_ptr(&s->splits.data[k].inside, copy[b], NULL) = 1;
    if (!has_barrier(f, part)) return;
    struct split x = {0};
    vec_push(&x.entries, f->bb[header]);
    for (unsigned b = 0; b < f->g.n; b++) {
        if (!part[b]) continue;
        *map_put_ptr(&x.inside, f->bb[b], NULL) = 1;
        if (!copy[b]) continue;
        *map_put_ptr(&x.inside, copy[b], NULL) = 1;
        if (is_entry(f, part, b)) vec_push(&x.entries, copy[b]);
    }
    vec_push(&s->splits, x);
}

static void split_part(struct splitting *s, const bool *part)
{
    const struct flow *f = &s->f;
    const unsigned n = f->g.n;
    bool *copied = mem_alloc(n);
    LLVMBasicBlockRef *copy = mem_alloc(n * sizeof *copy);
    const unsigned header = choose_header(f, part, copied);
    demote(s, part);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(s->fn)));
    for (unsigned k = 0; k < n; k++) {
        if (!copied[k]) continue;
        copy[k] = copy_block(s->fn, f->bb[k], b);
        s->size += size_of(copy[k]);
        s->copies++;
    }
    for (unsigned k = 0; k < n; k++)
        if (copy[k]) lead_to_copies(f, copy[k], copy);
    for (unsigned k = 0; k < n; k++)
        if (!part[k]) lead_to_copies(f, f->bb[k], copy);
    LLVMDisposeBuilder(b);
    note(s, part, header, copy);
    free(copy);
    free(copied);
}

static bool holds_alloca(const struct flow *f, const bool *part)
{
    for (unsigned b = 0; b < f->g.n; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->bb[b]); part[b] && i;
             i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i)) return true;
    return false;
}

/** Splits until all loops have one entry. Returns NULL, or the reason for giving up. */
static const char *split_function(struct splitting *s)
{
    const char *why = NULL;
    l_each_block(s->fn, b) s->size += size_of(b);
    s->limit = s->size * MOST_TIMES;
    for (bool more = true; more && !why;) {
        flow_build(&s->f, s->fn);
        bool *all = mem_alloc(s->f.g.n), *part = mem_alloc(s->f.g.n);
        memset(all, true, s->f.g.n);
        more = s->f.g.n <= LARGEST && find_part(&s->f, all, part);
        if (s->f.g.n > LARGEST || s->size > s->limit)
            why = "a loop has several entries, and splitting it would take too much code";
        else if (more && holds_alloca(&s->f, part))
            why = "a loop has several entries, and variables of its own";
        else if (more) split_part(s, part);
        free(all);
        free(part);
        arena_deinit(&s->f.a);
    }
    return why;
}

static void splitting_deinit(struct splitting *s)
{
    for (size_t k = 0; k < s->splits.len; k++) {
        map_deinit(&s->splits.data[k].inside);
        vec_free(&s->splits.data[k].entries);
    }
    vec_free(&s->splits);
}

// ---- which functions

// Does a divergent branch outside of a split loop decide where, or whether, it is entered?
static bool entered_varyingly(const struct rg_fn *f, const struct split *x)
{
    bool *marked = mem_alloc(f->nblocks + 1), found = false;
    for (unsigned b = 0; b < f->nblocks; b++)
        if (f->divergent_branch[b] && !map_get_ptr(&x->inside, f->blocks[b].bb))
            rg_dependants(f, b, marked);
    for (unsigned b = 0; b < f->nblocks; b++)
        for (size_t k = 0; k < x->entries.len; k++)
            found |= marked[b] && f->blocks[b].bb == x->entries.data[k];
    free(marked);
    return found;
}

static void analyze(LLVMModuleRef m, struct arena *a, struct rg_fn **fns, unsigned *n)
{
    VEC(struct rg_fn) all = {0};
    l_each_function(m, fn)
        if (!LLVMIsDeclaration(fn)) {
            struct rg_fn *f = vec_add(&all);
            rg_cfg_build(f, fn, a);
            rg_variables(f);
        }
    rg_uniformity(all.data, (unsigned)all.len);
    *fns = all.data;
    *n = (unsigned)all.len;
}

static void set_text(LLVMValueRef fn, const char *key, const char *value)
{
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(fn));
    LLVMAddAttributeAtIndex(
        fn, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(c, key, (unsigned)strlen(key), value, (unsigned)strlen(value)));
}

static const char *text_of(LLVMValueRef fn, const char *key)
{
    unsigned len;
    LLVMAttributeRef a =
        LLVMGetStringAttributeAtIndex(fn, LLVMAttributeFunctionIndex, key, (unsigned)strlen(key));
    return a ? LLVMGetStringAttributeValue(a, &len) : NULL;
}

unsigned rg_split_copies(LLVMValueRef fn)
{
    const char *n = text_of(fn, ATTR_COPIES);
    return n ? (unsigned)strtoul(n, NULL, 10) : 0;
}

const char *rg_split_why_not(LLVMValueRef fn)
{
    const char *why = text_of(fn, ATTR_WHY);
    return why ? why : "a loop has several entries";
}

static bool is_irreducible(LLVMValueRef fn)
{
    struct arena a = {0};
    struct rg_fn f;
    rg_cfg_build(&f, fn, &a);
    const bool is = f.irreducible;
    rg_fn_deinit(&f);
    arena_deinit(&a);
    return is;
}

// Tests on a copy of the module why each function (with a body, in order) must not be split.
static void try_all(LLVMModuleRef m, const bool *candidate, unsigned n, const char **why)
{
    LLVMModuleRef copy = LLVMCloneModule(m);
    struct splitting *s = mem_alloc((n + 1) * sizeof *s);
    struct arena a = {0};
    struct rg_fn *fns;
    unsigned k = 0, nfns;
    l_each_function(copy, fn) {
        if (LLVMIsDeclaration(fn)) continue;
        s[k].fn = fn;
        if (candidate[k]) why[k] = split_function(&s[k]);
        k++;
    }
    analyze(copy, &a, &fns, &nfns);
    for (k = 0; k < n; k++) {
        for (size_t x = 0; x < s[k].splits.len && !why[k]; x++)
            if (entered_varyingly(&fns[k], &s[k].splits.data[x]))
                why[k] = "a loop has several entries, and work-items may take different ones";
        splitting_deinit(&s[k]);
        rg_fn_deinit(&fns[k]);
    }
    free(fns);
    free(s);
    arena_deinit(&a);
    LLVMDisposeModule(copy);
}

void rg_split(LLVMModuleRef m)
{
    unsigned n = 0, k = 0;
    l_each_function(m, fn) n += !LLVMIsDeclaration(fn);
    bool *candidate = mem_alloc(n + 1), any = false;
    const char **why = mem_alloc((n + 1) * sizeof *why);
    l_each_function(m, fn)
        if (!LLVMIsDeclaration(fn)) any |= candidate[k++] = is_irreducible(fn);
    if (any) try_all(m, candidate, n, why);
    k = 0;
    for (LLVMValueRef fn = any ? LLVMGetFirstFunction(m) : NULL; fn; fn = LLVMGetNextFunction(fn)) {
        if (LLVMIsDeclaration(fn)) continue;
        const unsigned at = k++;
        if (!candidate[at]) continue;
        if (why[at]) {
            set_text(fn, ATTR_WHY, why[at]);
            continue;
        }
        struct splitting s = {.fn = fn};
        char number[16];
        (void)split_function(&s); // succeeds as on the copy
        snprintf(number, sizeof number, "%u", s.copies);
        set_text(fn, ATTR_COPIES, number);
        splitting_deinit(&s);
    }
    free(candidate);
    free(why);
}
