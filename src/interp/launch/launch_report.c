// SPDX-License-Identifier: MIT
// The end of a launch: converts the records of its workers to findings.
#include "interp/launch/launch_report.h"

#include "base/mem.h"
#include "interp/core/fault.h"
#include "interp/core/last_writers.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"

static void report(const struct chk_launch *l, const struct vm_fault_record *r,
                   const struct chk_writers *writers)
{
    const struct chk_fault *f = &r->run.fault;
    chk_report_fault(l, &(struct chk_fault_record){.fault = *f,
                                                   .where = {f->insn->loc, r->calls, r->ncalls},
                                                   .item = r->item,
                                                   .count = r->count,
                                                   .groups = &r->groups,
                                                   .bytes = &r->bytes,
                                                   .writers = writers});
}

void vm_fault_report(const struct chk_launch *l, const struct vm_fault_record *r)
{
    report(l, r, NULL);
}

/**
 * An index outside its array is a follow-on error if the access of this expression was outside the
 * same object, or had none.
 */
static bool is_reported(const struct vm_run *run, const struct vm_fault_record *index)
{
    for (unsigned i = 0; i < run->nworkers; i++)
        for (const struct vm_fault_record *r = run->workers[i].fault_list; r; r = r->next)
            if (r->run.fault.kind <= CHK_BOUNDS &&
                r->run.fault.insn->loc == index->run.fault.insn->loc &&
                (r->run.fault.kind != CHK_BOUNDS || r->run.fault.object == index->run.fault.object))
                return true;
    return false;
}

void vm_report_faults(struct vm_run *run)
{
    for (unsigned i = 0; i < run->nworkers; i++)
        for (const struct vm_fault_record *r = run->workers[i].fault_list; r; r = r->next) {
            if (r->run.fault.kind == CHK_SUBOBJECT && is_reported(run, r)) continue;
            const struct chk_writers writers = vm_writers_of(run, r);
            report(&run->chk, r, &writers);
        }
}

/** Marks facts that the wording of race reports depends on. */
static void mark_left_copies(struct vm_run *run)
{
    for (unsigned i = 0; i < run->nworkers; i++)
        for (const struct vm_fault_record *r = run->workers[i].fault_list; r; r = r->next) {
            if (r->run.fault.kind != CHK_NOT_WAITED) continue;
            if (!run->chk.left)
                run->chk.left = mem_alloc(run->code->module->nlocs * sizeof *run->chk.left);
            run->chk.left[r->run.fault.insn->loc].is_left = true;
        }
}

void vm_races_report(struct vm_run *run)
{
    if (run->races_reported) return;
    run->races_reported = true;
    mark_left_copies(run);
    if (run->race) race_launch_end(run->race);
}
