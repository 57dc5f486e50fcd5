// SPDX-License-Identifier: MIT
// --schedules=N: a launch in several orders of its work-items. It runs in the default order; then
// memory is restored and the launch runs under another schedule (interp/stepping/interleave.c), N -
// 1 times; at the end memory has the results of the default order. A launch whose kernel has no
// atomics that reveal an order runs once: its work-items communicate only by barriers, which allow
// one result, or by data races, which the race check finds in any order.
//
// The output, statistics and recorded accesses of the launch are those of the default
// order. Each finding is counted in the first schedule that shows it only (report/record.c).
#include "devices/schedules.h"
#include "devices/dev.h"
#include "devices/snapshot.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

// Work-items may wait in one order and not in another. A schedule that needs this many times more
// instructions may never end.
enum { LONGER = 64 };
static const uint64_t AT_LEAST = 1 << 24;

/** A repetition of the launch, without output; only its findings are reported. */
struct again {
    struct vm_launch l;
    struct vm_arg *args;
    struct vm_buffer *svm;
};

static void again_init(struct again *a, const struct vm_launch *l)
{
    *a = (struct again){.l = *l,
                        .args = mem_alloc(l->kernel->nargs * sizeof *l->args),
                        .svm = mem_alloc(l->nsvm * sizeof *l->svm)};
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        a->args[i] = l->args[i];
        a->args[i].buffer.touched = NULL;
    }
    for (uint32_t i = 0; i < l->nsvm; i++) {
        a->svm[i] = l->svm[i];
        a->svm[i].touched = NULL;
    }
    a->l.args = a->args;
    a->l.svm = a->svm;
    a->l.variables = NULL;
    a->l.lane_insns = NULL;
    a->l.instruction_limit = 0; // the limit of the schedule applies
    a->l.out = fopen("/dev/null", "w");
}

static void again_deinit(struct again *a)
{
    if (a->l.out) fclose(a->l.out);
    free(a->args);
    free(a->svm);
}

static struct err *run_others(const struct vm_launch *l, const struct dev_snapshot *before,
                              uint64_t n, uint64_t insns)
{
    const struct bc_module *m = vm_program_module(l->program);
    struct vm_schedules plan = {.conflicts = mem_alloc(m->nsites + 1)};
    struct err *e = NULL;
    struct again a;
    again_init(&a, l);
    if (!a.l.out) e = err_new("/dev/null cannot be written to");
    for (uint64_t i = 1; i < n && !e && !(l->cancel && *l->cancel); i++) {
        struct vm_schedule s = {.number = vm_schedule_next(&plan, m),
                                .limit = LONGER * insns + AT_LEAST,
                                .is_repeated = true,
                                .conflicts = plan.conflicts};
        a.l.schedule = &s;
        dev_snapshot_restore(before);
        e = vm_run(&a.l, NULL);
        if (s.gave_up) rep_count(&rep_totals(l->rep)->cut_checks, 1);
    }
    again_deinit(&a);
    free(plan.conflicts);
    return e;
}

static char *variable(void *program, uint32_t object) { return vm_program_object(program, object); }

static struct err *run_all(const struct vm_launch *l, struct vm_stats *st, uint64_t n)
{
    const struct bc_module *m = vm_program_module(l->program);
    struct dev_snapshot *before = dev_snapshot_take(l, m, variable, l->program);
    uint64_t insns = 0;
    struct vm_launch usual = *l;
    usual.lane_insns = &insns;
    struct err *e = vm_run(&usual, st);
    struct dev_snapshot *after = before && !e ? dev_snapshot_take(l, m, variable, l->program)
                                              : NULL;
    if (after) {
        e = run_others(l, before, n, insns);
        dev_snapshot_restore(after);
        rep_count(&rep_totals(l->rep)->scheduled_launches, 1);
    } else if (!e) {
        fprintf(dev_report_out(),
                "cldbg: --schedules: launch %llu of kernel '%s' ran under one schedule only: no "
                "memory for a copy of what it may write\n",
                (unsigned long long)l->number, bc_str(m, l->kernel->name));
    }
    dev_snapshot_free(before);
    dev_snapshot_free(after);
    return e;
}

struct err *dev_run_schedules(const struct vm_launch *l, struct vm_stats *st)
{
    const struct dev_settings *s = dev_settings();
    if ((s->schedules < 2 && !s->schedule) || !l->rep || !vm_order_matters(l)) return vm_run(l, st);
    if (!s->schedule) return l->debugger ? vm_run(l, st) : run_all(l, st, s->schedules);
    struct vm_schedule one = {.number = s->schedule};
    struct vm_launch v = *l;
    v.schedule = &one;
    return vm_run(&v, st);
}
