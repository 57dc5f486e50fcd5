// SPDX-License-Identifier: MIT
// Barrier divergence. Branches on which a barrier depends, directly or not, must go the same way in
// all work-items of a group. Then all of them pass the same such branches and barriers in the same
// order. A branch on a uniform value does; for the others, two work-items in one barrier interval
// are compared. For functions of sub-groups, the two are of one sub-group.
#include "proof/kernel.h"

#include "llvm/ir.h"

static bool ends_together(const struct rg_block *b, bool sub_group)
{
    return sub_group ? b->end == RG_RECONVERGE && rg_reconvergence_of(b->stop) == RG_RECONVERGES_ALL
                     : b->end == RG_BARRIER;
}

/** by block: a barrier, or a function of the sub-group, depends on its branch. */
static bool *find_deciding(struct pk *k, bool sub_group)
{
    const struct rg_fn *f = &k->f;
    bool *decides = arena_array(k->arena, bool, f->nblocks + 1);
    bool *marked = mem_alloc(f->nblocks + 1);
    for (unsigned b = 0; b < f->nblocks; b++) {
        if (f->blocks[b].nsucc < 2) continue;
        memset(marked, 0, f->nblocks);
        rg_dependants(f, b, marked);
        for (unsigned x = 0; x < f->nblocks; x++)
            decides[b] |= marked[x] && ends_together(&f->blocks[x], sub_group);
    }
    free(marked);
    return decides;
}

/** Whether a successor is reached only if an assumption is false: no work-item goes there. */
static bool is_assumption(const struct pk *k, const struct rg_block *b)
{
    for (unsigned i = 0; i < b->nsucc && k->q->assumes; i++) {
        const struct rg_block *to = &k->f.blocks[b->succ[i]];
        if (to->end == RG_UNREACHABLE && l_is_assumption(to->stop)) return true;
    }
    return false;
}

/** A node whose branch may go several ways, on a value that is not uniform. */
static bool is_doubtful(const struct pk *k, const bool *decides, unsigned node)
{
    const struct pk_node *n = &k->nodes.data[node];
    const struct rg_block *b = &k->f.blocks[n->block];
    if (is_assumption(k, b)) return false;
    if (!decides[n->block] || b->end != RG_BRANCH || pf_is_false(&k->s, n->reached)) return false;
    return k->f.divergent_branch[n->block];
}

static pf condition_of(struct pk *k, unsigned node)
{
    LLVMValueRef stop = k->f.blocks[k->nodes.data[node].block].stop;
    if (LLVMIsASwitchInst(stop) && pk_bits(LLVMGetOperand(stop, 0)))
        return pk_value(k, node, LLVMGetOperand(stop, 0));
    return pk_edge_condition(k, node, 0);
}

/** What must be equal, and in which work-items that come to the node. */
struct comparison {
    unsigned node;
    LLVMValueRef at;
    pf value;
    bool sub_group; // in those of a sub-group, instead of all of the group
};

/** One that is not proved settles the property, unless all such branches are wanted. */
static bool is_over(const struct pk *k)
{
    return !k->branches && k->out->of[PROOF_DIVERGENCE].result != PROOF_PROVED;
}

/** The branch is not proved uniform; other instructions are not listed. */
static void doubt(struct pk *k, LLVMValueRef at)
{
    if (k->branches && (LLVMIsABranchInst(at) || LLVMIsASwitchInst(at)))
        vec_push(&k->branches->of, at);
}

static void compare(struct pk *k, struct pk_view *v, struct comparison c)
{
    struct pf_space *s = &k->s;
    const pf reached = k->nodes.data[c.node].reached;
    uint64_t constant;
    if (pf_is_const(s, c.value, &constant)) return;
    if (k->nodes.data[c.node].is_repeated) {
        doubt(k, c.at);
        pk_unknown(k, PROOF_DIVERGENCE, (struct pk_sites){.at = c.at}, NULL,
                   "a barrier depends on this value in a loop in which work-items may be in "
                   "different iterations");
        return;
    }
    pf q = pf_not(s, pf_eq(s, pk_of_item(v, c.value, 0), pk_of_item(v, c.value, 1)));
    q = pf_and(s, q, pk_of_item(v, reached, 0));
    q = pf_and(s, q, pk_of_item(v, reached, 1));
    q = pf_and(s, q, pk_of_item(v, pk_ids_hold(k), 0));
    q = pf_and(s, q, pk_of_item(v, pk_ids_hold(k), 1));
    if (c.sub_group) {
        const pf id = pk_sub_group_id(k);
        q = pf_and(s, q, pf_eq(s, pk_of_item(v, id, 0), pk_of_item(v, id, 1)));
    }
    const enum pk_reply reply = pk_solve(k, pf_and(s, q, pk_distinct(v)));
    if (reply == PK_NEVER) return;
    doubt(k, c.at);
    switch (reply) {
    case PK_POSSIBLE:
        pk_candidate(k, PROOF_DIVERGENCE, (struct pk_sites){.at = c.at},
                     "a barrier depends on this value, which may differ between work-items");
        return;
    default:
        pk_unknown(k, PROOF_DIVERGENCE, (struct pk_sites){.at = c.at},
                   "a value or a range for the scalar arguments",
                   "a barrier depends on this value, and it was not decided whether it is the same "
                   "for all work-items of a %s",
                   c.sub_group ? "sub-group" : "group");
    }
}

static bool is_event(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMTargetExtTypeKind;
}

static bool is_pointer(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

/** The arguments of a barrier must be the same in all work-items: flags, scope, … */
static void compare_arguments(struct pk *k, struct pk_view *v, unsigned node, bool sub_group)
{
    const struct rg_block *b = &k->f.blocks[k->nodes.data[node].block];
    if (!ends_together(b, sub_group)) return;
    // (the first argument of a collective function is the value that it works on)
    const bool has_value = sub_group ? !pk_is_sub_group_barrier(b) : b->barrier == RG_COLLECTIVE;
    for (unsigned i = has_value; i < LLVMGetNumArgOperands(b->stop); i++) {
        LLVMValueRef x = LLVMGetOperand(b->stop, i);
        if (is_over(k)) return;
        const struct pk_addresses a = is_pointer(x) ? pk_address(k, node, x)
                                                    : (struct pk_addresses){0};
        if (pk_bits(x))
            compare(k, v, (struct comparison){node, b->stop, pk_value(k, node, x), sub_group});
        else if (a.n == 1 && k->bases.data[a.of[0].base].kind != PK_NOWHERE)
            compare(k, v, (struct comparison){node, b->stop, a.of[0].offset, sub_group});
        else if (is_event(x) ? !pk_events_are_uniform(k) : rg_is_divergent(&k->f, x))
            pk_unknown(k, PROOF_DIVERGENCE, (struct pk_sites){.at = b->stop}, NULL,
                       "an argument may differ between work-items");
    }
    if (b->barrier == RG_WAIT_EVENTS && !pk_events_are_uniform(k))
        pk_unknown(k, PROOF_DIVERGENCE, (struct pk_sites){.at = b->stop}, NULL,
                   "the events may differ between work-items");
}

/** Compares what decides over barriers of groups, or over functions of sub-groups. */
static void decide(struct pk *k, bool sub_group)
{
    const struct pk_order order = {.sub_group = sub_group};
    const bool *decides = find_deciding(k, sub_group);
    unsigned *starts;
    const unsigned nstarts = pk_starts(k, order, &starts);
    bool *in = mem_alloc(k->nodes.len + 1), *before = mem_alloc(k->nodes.len + 1);
    for (unsigned s = 0; s < nstarts; s++) {
        struct pk_view v;
        pk_view_init(&v, k, true);
        pk_interval(k, starts[s], order, in, before);
        v.in = in;
        v.before = before;
        v.start = (int)starts[s];
        for (unsigned n = 0; n < k->nodes.len; n++) {
            if (!in[n] || is_over(k)) continue;
            if (is_doubtful(k, decides, n))
                compare(k, &v,
                        (struct comparison){n, k->f.blocks[k->nodes.data[n].block].stop,
                                            condition_of(k, n), sub_group});
            compare_arguments(k, &v, n, sub_group);
        }
        pk_view_deinit(&v);
    }
    free(in);
    free(before);
}

void pk_decide_divergence(struct pk *k)
{
    uint64_t items = 1;
    for (unsigned d = 0; d < 3; d++) items *= k->q->local[d];
    if (!k->has_barrier || items == 1 || !pk_is_wanted(k, PROOF_DIVERGENCE)) return;
    if (k->out->of[PROOF_DIVERGENCE].result != PROOF_PROVED) return;
    if (k->branches) k->branches->all = false;
    decide(k, false);
    decide(k, true);
}
