// SPDX-License-Identifier: MIT
// Blocks of a function and their scheduling order.
//
// LLVM blocks are cut at barriers and reconvergence points of sub-groups. The order is topological
// except for back edges, and every loop is contiguous: each loop (and the function itself) is
// sorted separately, with its inner loops as single nodes. A scheduler that always takes the
// smallest pending block then reconverges work-items as early as the graph allows. Unreachable
// blocks are left out.
#include "regions/regions.h"

#include "regions/graph.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void rg_callee_base_name(LLVMValueRef call, char *buf, size_t size)
{
    buf[0] = 0;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee)) return;
    size_t len;
    const char *name = LLVMGetValueName2(callee, &len);
    if (strncmp(name, "_Z", 2)) {
        snprintf(buf, size, "%.*s", (int)len, name);
        return;
    }
    unsigned n = 0;
    const char *p = name + 2;
    while (isdigit((unsigned char)*p)) n = n * 10 + (unsigned)(*p++ - '0');
    static const char own[] = "__cldbg_"; // functions of sub-groups that apps cannot name
    const bool is_own = !strncmp(p, own, sizeof own - 1) &&
                        !strncmp(p + sizeof own - 1, "sub_group_", 10);
    if (is_own) p += sizeof own - 1, n -= sizeof own - 1;
    if (n < size && strlen(p) >= n) snprintf(buf, size, "%.*s", (int)n, p);
}

enum rg_barrier rg_barrier_of(LLVMValueRef inst)
{
    static const struct {
        const char *name;
        enum rg_barrier kind;
    } table[] = {
        {"barrier", RG_WORK_GROUP_BARRIER},
        {"work_group_barrier", RG_WORK_GROUP_BARRIER},
        {"wait_group_events", RG_WAIT_EVENTS},
        {"async_work_group_copy", RG_ASYNC_COPY},
        {"async_work_group_strided_copy", RG_ASYNC_COPY},
        {"work_group_all", RG_COLLECTIVE},
        {"work_group_any", RG_COLLECTIVE},
        {"work_group_broadcast", RG_COLLECTIVE},
        {"cldbg-collect", RG_COLLECTIVE}, // native/builtin_group.c
        {"cldbg-collect-each", RG_COLLECTIVE},
    };
    if (LLVMGetInstructionOpcode(inst) != LLVMCall) return RG_NO_BARRIER;
    LLVMValueRef callee = LLVMGetCalledValue(inst);
    if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee)) return RG_NO_BARRIER;
    char name[64];
    rg_callee_base_name(inst, name, sizeof name);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(name, table[i].name)) return table[i].kind;
    if (!strncmp(name, "work_group_reduce_", 18) || !strncmp(name, "work_group_scan_", 16))
        return RG_COLLECTIVE;
    return RG_NO_BARRIER;
}

enum rg_reconvergence rg_reconvergence_of(LLVMValueRef inst)
{
    static const char *const all[] = {"all",     "any",           "broadcast",
                                      "barrier", "block_pointer", "block_coordinates"};
    static const char *const none[] = {"inverse_ballot", "ballot_"};
    char name[64];
    if (LLVMGetInstructionOpcode(inst) != LLVMCall) return RG_NO_RECONVERGENCE;
    LLVMValueRef callee = LLVMGetCalledValue(inst);
    if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee)) return RG_NO_RECONVERGENCE;
    rg_callee_base_name(inst, name, sizeof name);
    if (strncmp(name, "sub_group_", 10)) return RG_NO_RECONVERGENCE;
    const char *what = name + 10;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(what, all[i])) return RG_RECONVERGES_ALL;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (!strncmp(what, none[i], strlen(none[i])))
            return RG_NO_RECONVERGENCE; // depends only on its argument
    return !strncmp(what, "reduce_", 7) || !strncmp(what, "scan_", 5) ? RG_RECONVERGES_ALL
                                                                      : RG_RECONVERGES_SOME;
}

struct raw {
    VEC(struct rg_block) blocks;
};

static struct rg_block *add_block(struct raw *r, LLVMBasicBlockRef bb, LLVMValueRef first)
{
    struct rg_block *b = vec_add(&r->blocks);
    b->bb = bb;
    b->first = first;
    b->loop = b->idom = b->ipdom = -1;
    return b;
}

// Cuts one LLVM block; the pieces of a block follow each other.
static void cut(struct raw *r, LLVMBasicBlockRef bb)
{
    struct rg_block *b = add_block(r, bb, LLVMGetFirstInstruction(bb));
    for (LLVMValueRef i = b->first; i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsATerminatorInst(i)) {
            LLVMOpcode op = LLVMGetInstructionOpcode(i);
            b->stop = i;
            b->end = op == LLVMRet ? RG_RETURN : op == LLVMUnreachable ? RG_UNREACHABLE : RG_BRANCH;
            if (b->first == i) b->first = NULL;
            return;
        }
        if (rg_reconvergence_of(i) != RG_NO_RECONVERGENCE) {
            b->end = RG_RECONVERGE;
            b->stop = i;
            if (b->first == i) b->first = NULL;
            b = add_block(r, bb, i);
            continue;
        }
        enum rg_barrier kind = rg_barrier_of(i);
        if (kind == RG_NO_BARRIER) continue;
        b->end = RG_BARRIER;
        b->barrier = kind;
        b->stop = i;
        if (b->first == i) b->first = NULL;
        b = add_block(r, bb, rg_begins_next(kind) ? i : LLVMGetNextInstruction(i));
        if (rg_begins_next(kind)) {
            // the call itself begins the next block and must not cut again
            LLVMValueRef next = LLVMGetNextInstruction(i);
            if (LLVMIsATerminatorInst(next)) {
                LLVMOpcode op = LLVMGetInstructionOpcode(next);
                b->stop = next;
                b->end = op == LLVMRet           ? RG_RETURN
                         : op == LLVMUnreachable ? RG_UNREACHABLE
                                                 : RG_BRANCH;
                return;
            }
        }
    }
}

static const struct rg_precondition *guard_of(LLVMValueRef branch,
                                              const struct rg_precondition *preconditions,
                                              unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (preconditions[i].branch == branch) return &preconditions[i];
    return NULL;
}

static void link_blocks(struct raw *r, const struct rg_precondition *preconditions,
                        unsigned npreconditions, struct arena *a)
{
    struct map start = {0}; // LLVM block → its first piece
    for (size_t i = 0; i < r->blocks.len; i++) {
        bool is_new;
        uint64_t *at = map_put_ptr(&start, r->blocks.data[i].bb, &is_new);
        if (is_new) *at = i;
    }
    for (size_t i = 0; i < r->blocks.len; i++) {
        struct rg_block *b = &r->blocks.data[i];
        if (b->end == RG_BARRIER || b->end == RG_RECONVERGE) {
            b->nsucc = 1;
            b->succ = arena_array(a, unsigned, 1);
            b->succ[0] = (unsigned)i + 1;
        } else if (b->end == RG_BRANCH) {
            const struct rg_precondition *guard = guard_of(b->stop, preconditions, npreconditions);
            b->nsucc = guard ? 1 : LLVMGetNumSuccessors(b->stop);
            b->succ = arena_array(a, unsigned, b->nsucc);
            for (unsigned k = 0; k < b->nsucc; k++)
                b->succ[k] = (unsigned)*map_get_ptr(
                    &start, LLVMGetSuccessor(b->stop, guard ? guard->side : k));
        }
    }
    map_deinit(&start);
}

void rg_cfg_build(struct rg_fn *f, LLVMValueRef fn, struct arena *a)
{
    rg_cfg_build_specialized(f, fn, NULL, 0, a);
}

void rg_cfg_build_specialized(struct rg_fn *f, LLVMValueRef fn,
                              const struct rg_precondition *preconditions, unsigned npreconditions,
                              struct arena *a)
{
    *f = (struct rg_fn){.fn = fn, .arena = a};
    struct raw r = {0};
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb))
        cut(&r, bb);
    link_blocks(&r, preconditions, npreconditions, a);

    // Order: dominators and loops on a depth-first numbering first, then the final numbering.
    struct graph g;
    graph_init(&g, (unsigned)r.blocks.len, a);
    for (unsigned i = 0; i < g.n; i++)
        for (unsigned k = 0; k < r.blocks.data[i].nsucc; k++)
            graph_edge(&g, i, r.blocks.data[i].succ[k]);
    unsigned *order = arena_array(a, unsigned, g.n); // new → old
    unsigned n = graph_schedule(&g, order, &f->irreducible);
    unsigned *now = arena_array(a, unsigned, g.n); // old → new
    memset(now, 0xff, g.n * sizeof *now);
    for (unsigned i = 0; i < n; i++) now[order[i]] = i;

    f->nblocks = n;
    f->blocks = arena_array(a, struct rg_block, n);
    for (unsigned i = 0; i < n; i++) {
        struct rg_block *b = &f->blocks[i];
        *b = r.blocks.data[order[i]];
        for (unsigned k = 0; k < b->nsucc; k++) {
            b->succ[k] = now[b->succ[k]];
            f->blocks[b->succ[k]].npred++; // counted on zeroed storage; restored below
        }
    }
    for (unsigned i = 0; i < n; i++) f->blocks[i].npred = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < f->blocks[i].nsucc; k++) f->blocks[f->blocks[i].succ[k]].npred++;
    for (unsigned i = 0; i < n; i++) {
        f->blocks[i].pred = arena_array(a, unsigned, f->blocks[i].npred);
        f->blocks[i].npred = 0;
    }
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < f->blocks[i].nsucc; k++) {
            struct rg_block *s = &f->blocks[f->blocks[i].succ[k]];
            s->pred[s->npred++] = i;
        }
    vec_free(&r.blocks);

    for (unsigned i = 0; i < n; i++) {
        struct rg_block *b = &f->blocks[i];
        for (LLVMValueRef v = b->first; v && v != b->stop; v = LLVMGetNextInstruction(v))
            *map_put_ptr(&f->block_of, v, NULL) = i + 1;
        if (b->end != RG_RECONVERGE && (b->end != RG_BARRIER || !rg_begins_next(b->barrier)))
            *map_put_ptr(&f->block_of, b->stop, NULL) = i + 1;
        if (b->end == RG_BARRIER) f->has_barrier = true;
    }
    rg_dominators(f);
    rg_loops(f);
}

void rg_fn_deinit(struct rg_fn *f)
{
    map_deinit(&f->block_of);
    map_deinit(&f->var_of);
    map_deinit(&f->web_of);
    map_deinit(&f->divergent);
    map_deinit(&f->private_of);
}
