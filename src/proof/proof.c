// SPDX-License-Identifier: MIT
// One question: the kernel is unfolded, each property is decided, and what a proof relied on is
// required in the end.
#include "proof/kernel.h"

#include "frontend/kernel_meta.h"
#include "llvm/ir.h"

static void all_unknown(struct pk *k, const char *reason, const char *help)
{
    for (int p = 0; p < PROOF_PROPERTIES; p++)
        pk_unknown(k, (enum proof_property)p, (struct pk_sites){0}, help, "%s", reason);
}

/** Proofs about races assume that barriers converge; those about uniform loads, that no races
 * exist. */
static void require(struct pk *k)
{
    struct proof_verdict *of = k->out->of;
    for (bool again = true; again;) {
        again = false;
        const bool diverges = k->has_barrier && of[PROOF_DIVERGENCE].result != PROOF_PROVED;
        const bool global = k->relies_on[1] && (of[PROOF_GROUP_RACES].result != PROOF_PROVED ||
                                                of[PROOF_GLOBAL_RACES].result != PROOF_PROVED);
        const bool local = k->relies_on[3] && of[PROOF_LOCAL_RACES].result != PROOF_PROVED;
        static const enum proof_property on[] = {PROOF_DIVERGENCE, PROOF_LOCAL_RACES,
                                                 PROOF_GROUP_RACES, PROOF_INITIALIZED};
        for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
            if (of[on[i]].result != PROOF_PROVED || !(diverges || global || local)) continue;
            pk_unknown(k, on[i], (struct pk_sites){0}, "what that property needs",
                       "its proof relies on '%s', which is not proved",
                       proof_property_text(diverges ? PROOF_DIVERGENCE
                                           : local  ? PROOF_LOCAL_RACES
                                           : of[PROOF_GROUP_RACES].result != PROOF_PROVED
                                               ? PROOF_GROUP_RACES
                                               : PROOF_GLOBAL_RACES));
            again = true;
        }
    }
}

/** Whether a second attempt, which unrolls loops with barriers, may need half of the time. */
static bool leaves_time(const struct pk *k)
{
    bool found = false;
    for (unsigned l = 0; l < k->f.nloops; l++) found |= k->f.loops[l].has_barrier;
    return found && !k->unrolls && !k->infers;
}

static void build(struct pk *k)
{
    k->f = (struct rg_fn){0};
    struct fe_kernel meta;
    fe_kernel_read(k->m, k->fn, k->arena, &meta);
    k->requires_sub_group = meta.sub_group;
    k->sub_group = meta.sub_group ? meta.sub_group : k->q->sub_group;
    rg_cfg_build(&k->f, k->fn, k->arena);
    rg_variables(&k->f);
    rg_uniformity(&k->f, 1);
    k->has_sub_group_barrier = k->has_async_copies = false;
    for (unsigned b = 0; b < k->f.nblocks; b++) {
        if (!pk_is_sub_group_barrier(&k->f.blocks[b])) continue;
        k->has_sub_group_barrier = true; // loops with one are unfolded like those with a barrier
        for (int l = k->f.blocks[b].loop; l >= 0; l = k->f.loops[l].parent)
            k->f.loops[l].has_barrier = true;
    }
    if (k->q->seconds) k->deadline = k->begin + k->q->seconds * (leaves_time(k) ? 0.5 : 1);
    k->is_cut = arena_array(k->arena, bool, k->f.nloops + 1);
    k->is_linear = arena_array(k->arena, bool, k->f.nloops + 1);
    k->may_pass = arena_array(k->arena, bool, k->f.nloops + 1);
}

/** The bytes of each buffer that writes may touch, by the bounds of their addresses. */
static void find_written(struct pk *k)
{
    struct proof_range *w = arena_array(k->arena, struct proof_range, k->q->nargs + 1);
    bool all = false; // an address is not known
    for (size_t i = 0; i < k->accesses.len; i++) {
        const struct pk_access *a = &k->accesses.data[i];
        const struct pk_addresses at = pk_address(k, a->node, a->pointer);
        for (unsigned j = 0; j < at.n && a->write; j++) {
            const struct pk_base *b = &k->bases.data[at.of[j].base];
            const struct pf_node *n = pf_get(&k->s, at.of[j].offset);
            const uint64_t end = n->uhi + a->size < a->size ? UINT64_MAX : n->uhi + a->size;
            all |= b->kind == PK_NOWHERE;
            if (b->kind != PK_BUFFER) continue;
            struct proof_range *r = &w[b->arg];
            if (!r->to || n->ulo < r->from) r->from = n->ulo;
            if (end > r->to) r->to = end;
        }
    }
    for (uint32_t i = 0; i < k->q->nargs && all; i++) w[i] = (struct proof_range){0, UINT64_MAX};
    k->out->nargs = k->q->nargs;
    k->out->written = w;
}

static void decide(struct pk *k)
{
    if (k->f.irreducible) {
        all_unknown(k, "the kernel has a loop with several entries", "a loop without goto");
        return;
    }
    if (!pk_unfold(k)) {
        all_unknown(k, "the kernel is too large for a proof",
                    "fewer or smaller loops with constant bounds, or a kernel in parts");
        return;
    }
    if (k->infers && (!pk_infer_invariants(k) || !pk_unfold(k))) {
        all_unknown(k, "no invariants of loops were found", NULL);
        return;
    }
    pk_find_effects(k);
    pk_find_written(k);
    find_written(k);
    for (int p = 0; p < PROOF_PROPERTIES; p++)
        if (k->obstacle[p].reason)
            pk_unknown(k, (enum proof_property)p, (struct pk_sites){.at = k->obstacle[p].insn},
                       NULL, "%s", k->obstacle[p].reason);
    pk_decide_divergence(k);
    pk_decide_races(k);
    pk_decide_items(k);
    pk_decide_initialized(k);
    if (k->obstacle[PROOF_OTHER].reason)
        pk_unknown(k, PROOF_OTHER, (struct pk_sites){.at = k->obstacle[PROOF_OTHER].insn}, NULL,
                   "%s", k->obstacle[PROOF_OTHER].reason);
    require(k);
    for (int p = 0; p < PROOF_PROPERTIES; p++)
        if (!pk_is_wanted(k, (enum proof_property)p) && k->out->of[p].result == PROOF_PROVED)
            k->out->of[p] = (struct proof_verdict){.result = PROOF_UNKNOWN, .reason = "not asked"};
}

static void release(struct pk *k)
{
    pk_solver_destroy(k->solver);
    pk_reset(k);
    vec_free(&k->nodes);
    vec_free(&k->edges);
    vec_free(&k->symbols);
    vec_free(&k->bases);
    vec_free(&k->accesses);
    vec_free(&k->declared);
    vec_free(&k->invariants);
    struct map *maps[] = {&k->values,   &k->pointers,   &k->bases_of,   &k->node_of,
                          &k->counters, &k->restricted, &k->enumerated, &k->written};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_deinit(maps[i]);
    rg_fn_deinit(&k->f);
    pf_deinit(&k->s);
}

/** Decides all properties; returns whether unrolling a loop with barriers may decide more. */
static bool attempt(struct pk *k, struct proof_answer *out)
{
    *out = (struct proof_answer){0};
    for (int p = 0; p < PROOF_PROPERTIES; p++) out->of[p].result = PROOF_PROVED;
    k->out = out;
    pf_init(&k->s);
    k->solver = pk_solver_create(k);
    build(k);
    decide(k);
    bool could_unroll = false;
    for (unsigned l = 0; l < k->f.nloops; l++)
        could_unroll |= k->is_linear[l] && k->f.loops[l].has_barrier && k->is_cut[l];
    release(k);
    return could_unroll && !proof_all_proved(out);
}

/** Each attempt is sound by itself, so what one of them proves is proved. */
static void attempt_again(struct pk *k, struct proof_answer *out)
{
    struct proof_answer more;
    attempt(k, &more);
    for (int p = 0; p < PROOF_PROPERTIES; p++)
        if (more.of[p].result == PROOF_PROVED) out->of[p] = more.of[p];
    out->queries += more.queries;
    out->solved += more.solved;
}

struct err *proof_find_branches(LLVMModuleRef m, const struct proof_question *q, struct arena *a,
                                struct proof_branches *out)
{
    struct pk k = {.q = q, .m = m, .arena = a, .branches = out};
    struct proof_answer answer;
    *out = (struct proof_branches){.all = true};
    k.fn = LLVMGetNamedFunction(m, q->kernel);
    if (!k.fn || LLVMCountParams(k.fn) != q->nargs)
        return err_new("there is no kernel '%s' with %u arguments", q->kernel, q->nargs);
    k.begin = pk_now();
    attempt(&k, &answer);
    return NULL;
}

struct err *proof_run(LLVMModuleRef m, struct fe_debug *d, const struct proof_question *q,
                      struct arena *a, struct proof_answer *out)
{
    struct pk k = {.q = q, .m = m, .debug = d, .arena = a};
    k.fn = LLVMGetNamedFunction(m, q->kernel);
    if (!k.fn || !l_is_kernel(k.fn)) return err_new("there is no kernel '%s'", q->kernel);
    if (LLVMCountParams(k.fn) != q->nargs)
        return err_new("kernel '%s' has %u arguments, the question %u", q->kernel,
                       LLVMCountParams(k.fn), q->nargs);
    k.begin = pk_now();
    const struct pk first = k;
    if (attempt(&k, out)) {
        struct pk again = first;
        again.unrolls = true;
        attempt_again(&again, out);
    }
    if (k.f.nloops && !q->no_solver && !proof_all_proved(out)) {
        struct pk again = first;
        again.infers = true;
        attempt_again(&again, out);
    }
    out->kernel = pk_place_of_kernel(&k);
    out->milliseconds = (uint32_t)((pk_now() - k.begin) * 1000);
    return NULL;
}
