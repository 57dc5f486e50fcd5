// SPDX-License-Identifier: MIT
// Divergence provenance: why a condition varies. A breadth-first search finds the shortest path
// from the condition back to a source of divergence (an id, an atomic's result, private memory),
// over operands, assignments to variables, and branches that decide which assignment counts. Values
// that vary only because work-items may diverge (may_part) have no such source and are never on the
// path.
#include "regions/regions.h"

#include <string.h>

struct node {
    enum rg_link_kind kind;
    LLVMValueRef value; // VALUE, ROOT; ASSIGNED: the store
    int web;            // ASSIGNED; BRANCH that decides which assignment reaches; otherwise -1
    int from;           // index of the node that it explains, or -1
};

struct search {
    const struct rg_fn *f;
    VEC(struct node) nodes;
    struct map seen;
    bool *seen_web, *seen_branch;
};

static void add_value(struct search *s, LLVMValueRef v, int from)
{
    bool is_new;
    if (!rg_is_divergent(s->f, v)) return;
    map_put_ptr(&s->seen, v, &is_new);
    if (is_new) vec_push(&s->nodes, (struct node){RG_LINK_VALUE, v, -1, from});
}

static void add_branch(struct search *s, int block, int web, int from)
{
    if (!s->f->divergent_branch[block] || s->seen_branch[block]) return;
    s->seen_branch[block] = true;
    vec_push(&s->nodes, (struct node){RG_LINK_BRANCH, s->f->blocks[block].stop, web, from});
}

// Adds the branches between the join and its immediate dominator.
static void add_join(struct search *s, unsigned block, int web, int from)
{
    const struct rg_block *b = &s->f->blocks[block];
    for (unsigned k = 0; k < b->npred; k++)
        for (int r = (int)b->pred[k]; r >= 0; r = s->f->blocks[r].idom) {
            add_branch(s, r, web, from);
            if (r == b->idom) break;
        }
}

static void add_web(struct search *s, int web, int from)
{
    const struct rg_fn *f = s->f;
    if (s->seen_web[web]) return;
    s->seen_web[web] = true;
    for (unsigned b = 0; b < f->nblocks; b++) {
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i))
            if (LLVMGetInstructionOpcode(i) == LLVMStore && rg_web_of(f, i) == web &&
                rg_is_divergent(f, LLVMGetOperand(i, 0)))
                vec_push(&s->nodes, (struct node){RG_LINK_ASSIGNED, i, web, from});
        for (const int *w = f->join_web[b]; *w >= 0; w++)
            if (*w == web) add_join(s, b, web, from);
    }
}

static void add_operands(struct search *s, LLVMValueRef i, int from)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (!LLVMIsABasicBlock(LLVMGetOperand(i, (unsigned)k)))
            add_value(s, LLVMGetOperand(i, (unsigned)k), from);
}

static bool own_memory(LLVMValueRef pointer)
{
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    return space == 0 || space == 4;
}

// Is the value itself a source of divergence? Otherwise adds the values that it depends on.
static bool is_root(struct search *s, LLVMValueRef v, int from)
{
    if (!LLVMIsAInstruction(v)) return true; // a parameter
    const size_t before = s->nodes.len;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return true;
    case LLVMLoad: {
        int web = rg_web_of(s->f, v);
        if (web >= 0) {
            add_web(s, web, from);
            return false;
        }
        add_operands(s, v, from);
        return s->nodes.len == before && own_memory(LLVMGetOperand(v, 0));
    }
    case LLVMPHI: {
        int block = rg_block_of(s->f, v);
        add_operands(s, v, from);
        if (block >= 0) add_join(s, (unsigned)block, -1, from);
        return false;
    }
    case LLVMCall: {
        char name[64];
        rg_callee_base_name(v, name, sizeof name);
        if (strstr(name, "_id") || !strncmp(name, "atomic_", 7) || !strncmp(name, "atom_", 5))
            return true;
        add_operands(s, v, from);
        return s->nodes.len == before;
    }
    default: add_operands(s, v, from); return false;
    }
}

unsigned rg_why_varying(const struct rg_fn *f, unsigned block, struct rg_link *out, unsigned max)
{
    struct search s = {.f = f};
    s.seen_web = mem_alloc(f->nwebs + 1);
    s.seen_branch = mem_alloc(f->nblocks + 1);
    add_branch(&s, (int)block, -1, -1);
    int root = -1;
    for (size_t k = 0; k < s.nodes.len && root < 0; k++) {
        const struct node n = s.nodes.data[k];
        if (n.kind == RG_LINK_BRANCH) add_value(&s, LLVMGetOperand(n.value, 0), (int)k);
        else if (n.kind == RG_LINK_ASSIGNED) add_value(&s, LLVMGetOperand(n.value, 0), (int)k);
        else if (is_root(&s, n.value, (int)k)) root = (int)k;
    }
    unsigned n = 0, all = 0;
    for (int k = root; k >= 0; k = s.nodes.data[k].from)
        all += s.nodes.data[k].kind != RG_LINK_VALUE || k == root;
    for (int k = root, at = (int)all; k >= 0; k = s.nodes.data[k].from) {
        const struct node *x = &s.nodes.data[k];
        if (x->kind == RG_LINK_VALUE && k != root) continue;
        if (--at >= (int)max) continue;
        n = n ? n : (unsigned)at + 1;
        out[at] = (struct rg_link){k == root ? RG_LINK_ROOT : x->kind, x->value,
                                   x->web >= 0 ? f->vars[f->webs[x->web].variable].alloca : NULL};
    }
    vec_free(&s.nodes);
    map_deinit(&s.seen);
    free(s.seen_web);
    free(s.seen_branch);
    return n;
}

unsigned rg_decided_by(const struct rg_fn *f, unsigned barrier, unsigned *out, unsigned max)
{
    unsigned n = 0;
    bool *marked = mem_alloc(f->nblocks + 1);
    for (unsigned b = f->nblocks; b-- > 0 && n < max;) {
        if (!f->decides[b]) continue;
        memset(marked, 0, f->nblocks);
        rg_dependants(f, b, marked);
        if (marked[barrier]) out[n++] = b;
    }
    free(marked);
    return n;
}
