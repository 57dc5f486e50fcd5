// SPDX-License-Identifier: MIT
// Variants of kernels: they are lowered once more, for launches that allow more than any launch
// does.
//
// Specialized: a kernel whose barriers stand under conditions on ids and arguments
// (regions/specialization.c), for launches in which these hold for all work-items: no work-item
// diverges from the others there. It exists only if no work-item may diverge once the preconditions
// hold.
//
// Packed: several small work-groups share a gang. A kernel without barriers and local memory can be
// packed as it is (regions/packed_groups.c). In other kernels the group id and the addresses of
// local variables are uniform; in the packed variant they vary. It exists only if the control of
// the barriers does not depend on the group, so that all packed groups reach each barrier in the
// same iteration. Specialized variants have packed variants, too.
#include "lower/lw.h"

#include <string.h>

static bool has_local(const struct lw_module *m, uint32_t fn)
{
    const struct bc_fn *f = &m->fns.data[fn];
    for (uint32_t i = 0; i < f->nconst; i++) {
        const uint64_t id = f->consts[i] >> BC_PTR_ID_SHIFT;
        if (id && id <= m->objects.len && m->objects.data[id - 1].kind == BC_OBJ_LOCAL) return true;
    }
    return false;
}

/**
 * Is there anything that keeps it from being packed as it is, and might it be in another
 * variant?
 */
static bool wants_packing(const struct lw_module *m, const struct bc_kernel *k)
{
    const struct bc_fn *f = &m->fns.data[k->fn];
    const uint64_t items = (uint64_t)k->reqd_wg_size[0] * k->reqd_wg_size[1] * k->reqd_wg_size[2];
    bool shares = f->has_barrier || has_local(m, k->fn);
    for (uint32_t i = 0; i < k->nargs; i++)
        shares |= m->args.data[k->first_arg + i].kind == BC_ARG_LOCAL;
    if (!shares || f->may_part || k->uses_printf || k->refused || items > BC_VARIANT_ITEMS)
        return false;
    for (uint32_t i = 0; i < f->ninsns; i++) {
        const struct bc_insn *b = &f->insns[i];
        if (bc_ops[b->op].effects & (BC_CROSSES | BC_ORDERS) ||
            (b->op == BC_BARRIER && b->a != BC_BAR_BARRIER))
            return false;
    }
    return true;
}

static void reach(const struct lw_module *m, uint32_t fn, bool *reached)
{
    if (reached[fn]) return;
    reached[fn] = true;
    const struct bc_fn *f = &m->fns.data[fn];
    for (uint32_t i = 0; i < f->ninsns; i++)
        if (f->insns[i].op == BC_CALL) reach(m, f->ext[f->insns[i].ext], reached);
}

struct preconditions {
    struct rg_precondition list[RG_MAX_PRECONDITIONS];
    unsigned n;
};

struct variants {
    struct lw_module *m;
    bool for_packing;                    // else specialized
    uint32_t first, end;                 // kernels that may get one
    bool *wants;                         // by kernel
    bool *reached;                       // by function: of these kernels' code
    struct preconditions *preconditions; // by function: those that are taken to hold in it
    struct rg_fn *rg;                    // by function: of those that are reached
    uint32_t *index;                     // by function: of its variant
};

static bool reach_all(struct variants *f)
{
    bool any = false;
    memset(f->reached, 0, f->m->nfns);
    for (uint32_t k = f->first; k < f->end; k++) {
        if (f->wants[k]) reach(f->m, f->m->kernels.data[k].fn, f->reached);
        any |= f->wants[k];
    }
    return any;
}

static void analyze(struct variants *f)
{
    VEC(struct rg_fn) list = {0};
    for (unsigned i = 0; i < f->m->nfns; i++) {
        if (!f->reached[i]) continue;
        vec_push(&list, (struct rg_fn){0});
        rg_cfg_build_specialized(&vec_last(&list), f->m->rg[i].fn, f->preconditions[i].list,
                                 f->preconditions[i].n, &f->m->rg_arena);
        rg_variables(&vec_last(&list));
    }
    (f->for_packing ? rg_uniformity_of_packed : rg_uniformity)(list.data, (unsigned)list.len);
    for (unsigned i = 0, n = 0; i < f->m->nfns; i++)
        if (f->reached[i]) f->rg[i] = list.data[n++];
    vec_free(&list);
}

static void set_guards(struct bc_kernel *k, const struct preconditions *g)
{
    for (k->npreconditions = 0; k->npreconditions < g->n; k->npreconditions++) {
        const struct rg_precondition *from = &g->list[k->npreconditions];
        const LLVMIntPredicate p = from->predicate;
        k->preconditions[k->npreconditions] = (struct bc_precondition){
            .id = from->is_local ? BC_LOCAL_ID : BC_GLOBAL_ID,
            .dim = (uint8_t)from->dim,
            .is_wide = from->wide,
            .is_narrow = from->narrow,
            .is_signed = p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntSGT || p == LLVMIntSGE,
            .test = p == LLVMIntSLT || p == LLVMIntULT   ? BC_PRECONDITION_LT
                    : p == LLVMIntSLE || p == LLVMIntULE ? BC_PRECONDITION_LE
                    : p == LLVMIntSGT || p == LLVMIntUGT ? BC_PRECONDITION_GT
                                                         : BC_PRECONDITION_GE,
            .arg_bits = (uint8_t)from->arg_bits,
            .arg = from->arg_bits ? from->arg : 0,
            .arg_signed = from->arg_signed,
            .plus = (int32_t)from->plus,
            .value = from->value,
        };
    }
}

/** Lowers the reached functions once more, after all others. */
static void lower(struct variants *f)
{
    struct lw_module *m = f->m;
    const unsigned first = m->nfns;
    const size_t nkernels = m->kernels.len;
    struct map fn_of = m->fn_of;
    m->rg = mem_array(m->rg, 2 * first + 1, sizeof *m->rg);
    m->fn_of = (struct map){0};
    for (unsigned i = 0; i < first; i++) {
        if (!f->reached[i]) continue;
        f->index[i] = m->nfns;
        m->rg[m->nfns++] = f->rg[i];
        *map_put_ptr(&m->fn_of, f->rg[i].fn, NULL) = m->nfns;
        vec_push(&m->fns, (struct bc_fn){0});
    }
    m->in_forms = true;
    for (unsigned i = first; i < m->nfns && !m->error; i++) lw_function(m, i);
    m->in_forms = false;
    map_deinit(&m->own_of);
    m->own_of = (struct map){0};
    map_deinit(&m->fn_of);
    m->fn_of = fn_of;
    m->nvariants += (uint32_t)(m->kernels.len - nkernels);
    size_t variant = nkernels;
    for (uint32_t k = f->first; k < f->end && !m->error;
         k++) { // both in the order of the functions
        if (!f->wants[k]) continue;
        struct bc_kernel *const is = &m->kernels.data[k];
        while (m->kernels.data[variant].fn != f->index[is->fn]) variant++;
        *(f->for_packing ? &is->packed : &is->specialized) = (uint32_t)variant;
        if (!f->for_packing) set_guards(is, &f->preconditions[is->fn]);
    }
}

/** Makes the variants that kernels first … end-1 want. */
static void make(struct variants *f)
{
    struct lw_module *m = f->m;
    const unsigned n = m->nfns;
    f->reached = mem_alloc(n + 1);
    f->rg = mem_alloc((n + 1) * sizeof *f->rg);
    f->index = mem_alloc((n + 1) * sizeof *f->index);
    if (reach_all(f)) {
        analyze(f);
        for (uint32_t k = f->first; k < f->end; k++)
            f->wants[k] &= !f->rg[m->kernels.data[k].fn].may_part;
        bool *const analyzed = mem_dup(f->reached, n);
        const bool any = reach_all(f);
        for (unsigned i = 0; i < n; i++)
            if (analyzed[i] && !f->reached[i]) rg_fn_deinit(&f->rg[i]);
        free(analyzed);
        if (any) lower(f);
    }
    free(f->reached);
    free(f->rg);
    free(f->index);
}

static void make_guarded(struct lw_module *m)
{
    const uint32_t n = (uint32_t)m->kernels.len;
    struct variants f = {.m = m,
                         .end = n,
                         .wants = mem_alloc(n + 1),
                         .preconditions = mem_alloc((m->nfns + 1) * sizeof *f.preconditions)};
    for (uint32_t k = 0; k < n; k++) {
        const struct bc_kernel *is = &m->kernels.data[k];
        struct preconditions *const g = &f.preconditions[is->fn];
        if (!m->fns.data[is->fn].may_part || is->refused) continue;
        g->n = rg_preconditions(&m->rg[is->fn], g->list);
        f.wants[k] = g->n > 0;
    }
    make(&f);
    free(f.wants);
    free(f.preconditions);
}

/** Of kernels first … end-1: the program's, or specialized variants of those. */
static void make_packed(struct lw_module *m, uint32_t first, uint32_t end)
{
    struct variants f = {.m = m,
                         .for_packing = true,
                         .first = first,
                         .end = end,
                         .wants = mem_alloc(end + 1),
                         .preconditions = mem_alloc((m->nfns + 1) * sizeof *f.preconditions)};
    for (uint32_t k = first; k < end; k++) f.wants[k] = wants_packing(m, &m->kernels.data[k]);
    for (uint32_t k = 0; k < first; k++) { // the preconditions of a variant are those of its kernel
        const uint32_t variant = m->kernels.data[k].specialized;
        if (variant >= first)
            f.preconditions[m->kernels.data[variant].fn].n = rg_preconditions(
                &m->rg[m->kernels.data[k].fn], f.preconditions[m->kernels.data[variant].fn].list);
    }
    make(&f);
    free(f.wants);
    free(f.preconditions);
}

void lw_kernel_variants(struct lw_module *m)
{
    const uint32_t nkernels = (uint32_t)m->kernels.len;
    make_guarded(m);
    const uint32_t specialized = (uint32_t)m->kernels.len;
    if (!m->error) make_packed(m, 0, nkernels);
    if (!m->error && specialized > nkernels) make_packed(m, nkernels, specialized);
}
