// SPDX-License-Identifier: MIT
// Forms of kernels for batches: several work-groups in one gang, so that small groups are not slow. A kernel without barriers
// and local memory is made for that as it is (regions/batches.c). Any other has group ids, and what lies in local memory, the same
// for all lanes; it gets a second form, in which these vary: that of small groups. It is there only where the barriers are under
// control that does not depend on the group, so that the groups of a batch come to each of them together.
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

/** Is there anything that keeps it from being in batches as it is, and might it be in another form? */
static bool wants_form(const struct lw_module *m, const struct bc_kernel *k)
{
    const struct bc_fn *f = &m->fns.data[k->fn];
    const uint64_t items = (uint64_t)k->reqd_wg_size[0] * k->reqd_wg_size[1] * k->reqd_wg_size[2];
    bool shares = f->has_barrier || has_local(m, k->fn);
    for (uint32_t i = 0; i < k->nargs; i++) shares |= m->args.data[k->first_arg + i].kind == BC_ARG_LOCAL;
    if (!shares || f->may_part || k->uses_printf || k->refused || items > BC_FORM_ITEMS) return false;
    for (uint32_t i = 0; i < f->ninsns; i++) {
        const struct bc_insn *b = &f->insns[i];
        if (b->op == BC_ASYNC_COPY || b->op == BC_COLLECT || b->op == BC_FENCE || (b->op == BC_BARRIER && b->a != BC_BAR_BARRIER)) return false;
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

struct forms {
    struct lw_module *m;
    const LLVMValueRef *fns;
    bool *wants;       // by kernel
    bool *reached;     // by function: of these kernels' code
    struct rg_fn *rg;  // by function: of those that are reached, where groups vary
    uint32_t *index;   // by function: of its form
};

static bool reach_all(struct forms *f)
{
    bool any = false;
    memset(f->reached, 0, f->m->nfns);
    for (size_t k = 0; k < f->m->kernels.len; k++) {
        if (f->wants[k]) reach(f->m, f->m->kernels.data[k].fn, f->reached);
        any |= f->wants[k];
    }
    return any;
}

static void analyse(struct forms *f)
{
    VEC(struct rg_fn) list = {0};
    for (unsigned i = 0; i < f->m->nfns; i++) {
        if (!f->reached[i]) continue;
        vec_push(&list, (struct rg_fn){0});
        rg_cfg_build(&vec_last(&list), f->fns[i], &f->m->rg_arena);
        rg_variables(&vec_last(&list));
    }
    rg_uniformity_of_batches(list.data, (unsigned)list.len);
    for (unsigned i = 0, n = 0; i < f->m->nfns; i++)
        if (f->reached[i]) f->rg[i] = list.data[n++];
    vec_free(&list);
}

/** Lowers what is reached once more, behind all other functions. */
static void lower(struct forms *f)
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
        *map_put_ptr(&m->fn_of, f->fns[i], NULL) = m->nfns;
        vec_push(&m->fns, (struct bc_fn){0});
    }
    m->in_forms = true;
    for (unsigned i = first; i < m->nfns && !m->error; i++) lw_function(m, i);
    m->in_forms = false;
    map_deinit(&m->fn_of);
    m->fn_of = fn_of;
    m->nforms = (uint32_t)(m->kernels.len - nkernels);
    size_t form = nkernels;
    for (size_t k = 0; k < nkernels && !m->error; k++) { // both in the order of the functions
        if (!f->wants[k]) continue;
        while (m->kernels.data[form].fn != f->index[m->kernels.data[k].fn]) form++;
        m->kernels.data[k].batch = (uint32_t)form;
    }
}

void lw_batch_forms(struct lw_module *m, const LLVMValueRef *fns)
{
    const unsigned n = m->nfns;
    struct forms f = {.m = m, .fns = fns, .wants = mem_alloc(m->kernels.len + 1), .reached = mem_alloc(n + 1),
                      .rg = mem_alloc((n + 1) * sizeof *f.rg), .index = mem_alloc((n + 1) * sizeof *f.index)};
    for (size_t k = 0; k < m->kernels.len; k++) f.wants[k] = wants_form(m, &m->kernels.data[k]);
    if (reach_all(&f)) {
        analyse(&f);
        for (size_t k = 0; k < m->kernels.len; k++) f.wants[k] &= !f.rg[m->kernels.data[k].fn].may_part;
        bool *const analysed = mem_dup(f.reached, n);
        const bool any = reach_all(&f);
        for (unsigned i = 0; i < n; i++)
            if (analysed[i] && !f.reached[i]) rg_fn_deinit(&f.rg[i]);
        free(analysed);
        if (any) lower(&f);
    }
    free(f.wants);
    free(f.reached);
    free(f.rg);
    free(f.index);
}
