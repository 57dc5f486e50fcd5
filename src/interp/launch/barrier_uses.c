// SPDX-License-Identifier: MIT
// Which barriers of a kernel order something. The race check sees all accesses and barriers of a
// launch. Its answer counts only if the launch is correct, and only if accesses alone decide: with
// atomics on global memory, a barrier may also order what other work-groups do; async copies and
// ordered launches are not followed. Then all barriers of the kernel count as needed.
#include "interp/launch/barrier_uses.h"

#include "base/mem.h"
#include "interp/core/block_counts.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

/** NULL: not wanted. */
static struct vm_barrier_uses *uses_of(const struct vm_run *run)
{
    const struct vm_launch *const l = run->l;
    const ptrdiff_t kernel = l->kernel - run->code->module->kernels;
    if (!l->coverage || !l->coverage->barriers || kernel >= run->code->module->nkernels)
        return NULL;
    return &l->coverage->barriers[kernel];
}

static bool may_be_judged(const struct vm_run *run)
{
    const struct vm_code *const c = run->code;
    return vm_is_covered(run->l) && !c->global_atomics && !c->synchronizes && !c->copies &&
           run->packed_groups == 1 && run->ngroups && run->l->rep;
}

/** The number of the barrier at that location; the same in all launches of the kernel. */
static uint8_t number_of(struct vm_barrier_uses *u, const struct bc_module *m, uint32_t loc)
{
    const struct bc_loc *const at = &m->locs[loc];
    uint32_t i = 0;
    if (!at->line || at->file >= m->nfiles) return 0;
    for (; i < u->n; i++) {
        const struct bc_loc *const had = &m->locs[u->loc[i]];
        if (had->file == at->file && had->line == at->line && had->col == at->col) return i + 1;
    }
    if (i == RACE_BARRIERS) return 0;
    u->loc[u->n++] = loc;
    return i + 1;
}

void vm_barriers_number(struct vm_run *run, struct race_config *c)
{
    struct vm_barrier_uses *const u = uses_of(run);
    const struct bc_module *const m = run->code->module;
    if (!u || u->is_unknown || !may_be_judged(run) || run->group_items == 1) return;
    run->barrier_of = mem_alloc(m->nlocs + 1);
    pthread_mutex_lock(&run->l->coverage->lock);
    for (uint32_t f = 0; f < run->code->nfns; f++) {
        const struct bc_fn *const fn = run->code->fns[f].bc;
        for (uint32_t i = 0; i < fn->ninsns; i++) {
            const struct bc_insn *const b = &fn->insns[i];
            if (b->op == BC_BARRIER && b->a == BC_BAR_BARRIER)
                run->barrier_of[b->loc] = number_of(u, m, b->loc);
        }
    }
    for (uint32_t i = 0; i < m->nlocs; i++)
        if (run->barrier_of[i]) c->barriers |= 1ull << (run->barrier_of[i] - 1);
    const bool is_known = (u->uses.needed & c->barriers) == c->barriers;
    pthread_mutex_unlock(&run->l->coverage->lock);
    if (!is_known) c->barrier_of = run->barrier_of;
}

static bool is_correct(const struct vm_run *run)
{
    bool is = !atomic_load(&run->stopped) && !rep_has_found(run->l->rep, run->l->number) &&
              run->race && !race_launch_was_cut(run->race);
    for (unsigned i = 0; i < run->nworkers; i++)
        is &= !run->workers[i].fault_list && !run->workers[i].failure;
    return is;
}

void vm_barriers_end(struct vm_run *run)
{
    struct vm_barrier_uses *const u = uses_of(run);
    // Another schedule of a launch, or a launch of single work-items, cannot show what is needed.
    if (!u || run->group_items == 1) return;
    pthread_mutex_lock(&run->l->coverage->lock);
    u->is_unknown |= !may_be_judged(run) || !is_correct(run);
    if (run->race) race_barriers_used(run->race, &u->uses);
    pthread_mutex_unlock(&run->l->coverage->lock);
}
