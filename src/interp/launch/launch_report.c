// SPDX-License-Identifier: MIT
// The end of a launch: what its workers recorded becomes findings.
#include "interp/launch/launch_report.h"

#include "base/mem.h"
#include "interp/core/fault.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"

/** Of an operation on vectors there is an instruction for each component, and all of one place. */
static void find_component(const struct bc_module *m, const struct bc_insn *insn,
                           struct chk_fault *f)
{
    for (uint32_t k = 0; k < m->nfns; k++) {
        const struct bc_fn *fn = &m->fns[k];
        if (insn < fn->insns || insn >= fn->insns + fn->ninsns) continue;
        for (const struct bc_insn *i = fn->insns; i < fn->insns + fn->ninsns; i++) {
            if (i->op != insn->op || i->loc != insn->loc) continue;
            f->at[0] += i < insn;
            f->at[1]++;
        }
    }
}

void vm_fault_report(const struct chk_launch *l, const struct vm_fault_record *r)
{
    struct chk_fault f = {
        .kind = (enum chk_fault_kind)r->run.kind,
        .where = {r->run.src->loc, r->calls, r->ncalls},
        .item = r->item,
        .op = r->run.src->op,
        .site = r->run.site,
        .object = r->run.object,
        .offset = r->run.offset,
        .at = {r->run.at[0], r->run.at[1], r->run.at[2]},
        .size = r->run.size,
        .count = r->count,
        .groups = &r->groups,
        .bytes = &r->bytes,
        .origin_name = r->run.origin.name,
        .origin_loc = r->run.origin.loc,
        .rewritten = r->run.origin.rewritten,
    };
    if (f.kind == CHK_DIV) find_component(l->module, r->run.src, &f);
    chk_report_fault(l, &f);
}

/** An index that leaves its array is not news where the access left the object, or found none. */
static bool is_told(const struct vm_run *run, const struct vm_fault_record *index)
{
    for (unsigned i = 0; i < run->nworkers; i++)
        for (const struct vm_fault_record *r = run->workers[i].fault_list; r; r = r->next)
            if (r->run.kind <= VM_FAULT_BOUNDS && r->run.src->loc == index->run.src->loc)
                return true;
    return false;
}

void vm_report_faults(struct vm_run *run)
{
    for (unsigned i = 0; i < run->nworkers; i++)
        for (const struct vm_fault_record *r = run->workers[i].fault_list; r; r = r->next)
            if (r->run.kind != VM_FAULT_SUBOBJECT || !is_told(run, r))
                vm_fault_report(&run->chk, r);
}

/** What the words on races take into account. */
static void mark_left_copies(struct vm_run *run)
{
    for (unsigned i = 0; i < run->nworkers; i++)
        for (const struct vm_fault_record *r = run->workers[i].fault_list; r; r = r->next) {
            if (r->run.kind != VM_FAULT_NOT_WAITED) continue;
            if (!run->chk.left)
                run->chk.left = mem_alloc(run->code->module->nlocs * sizeof *run->chk.left);
            run->chk.left[r->run.src->loc].is_left = true;
        }
}

void vm_races_report(struct vm_run *run)
{
    if (run->races_reported) return;
    run->races_reported = true;
    mark_left_copies(run);
    if (run->race) race_launch_end(run->race);
}
