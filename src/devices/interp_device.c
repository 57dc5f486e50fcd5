// SPDX-License-Identifier: MIT
// The checking device: the lane interpreter.
#include "base/mem.h"
#include "devices/barrier_proofs.h"
#include "devices/dev.h"
#include "devices/option_table.h"
#include "devices/shared_launch.h"
#include "devices/schedules.h"
#include "devices/statistics.h"
#include "devices/verification.h"
#include "look/look.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static struct vm_device_model model;

static void add_members(void)
{
    struct rep_session *const rep = dev_report();
    rep_add_member(rep, &(struct rep_member){"coverage", look_coverage, look_fresh, NULL});
    if (!dev_settings()->profile) return;
    err_free(dev_device_model(dev_settings()->device_model, &model)); // was checked
    rep_add_member(rep, &(struct rep_member){"profile", look_profile, look_fresh, &model});
}

static void count_program(const struct bc_module *m)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, add_members);
    look_program_load(m, dev_settings()->profile ? &model : NULL, dev_settings()->advise);
}

static void *program_load(const struct bc_module *m, struct dev_blob code, struct err **e)
{
    if (dev_settings()->coverage) count_program(m);
    if (dev_settings()->advise) dev_barriers_program(m, code);
    if (dev_settings()->verify) dev_verify_program(m, code);
    return vm_program_create(m, e);
}

static void program_unload(void *program)
{
    if (program && dev_settings()->advise) dev_barriers_unload(vm_program_module(program));
    if (program && dev_settings()->coverage) look_program_unload(vm_program_module(program));
    if (program && dev_settings()->verify) dev_verify_unload(vm_program_module(program));
    vm_program_destroy(program);
}

static char *variable(void *program, uint32_t object) { return vm_program_object(program, object); }

/** Enqueued kernels, and those that enqueue, run once, in the usual order, in one process. */
static struct err *run(const struct vm_launch *l, struct vm_stats *st)
{
    return l->root || l->kernel->enqueues ? vm_run(l, st) : dev_run_shared(l, st);
}

static struct err *ran(const struct vm_launch *l, struct err *e)
{
    if (l->rep && !l->root && !l->kernel->enqueues && dev_settings()->advise)
        dev_barriers_launched(vm_program_module(l->program), l);
    return e;
}

static struct err *launch(void *program, const struct vm_launch *l)
{
    struct vm_launch v = *l;
    v.program = program;
    v.names_writers = v.rep && dev_settings()->names_writers;
    const bool is_plain = !v.root &&
                          !v.kernel->enqueues; // the rest does not follow enqueued kernels
    if (v.rep && is_plain && dev_settings()->verify)
        dev_verify_launch(vm_program_module(program), &v);
    if (v.rep && is_plain && dev_settings()->advise)
        dev_barriers_launch(vm_program_module(program), &v);
    if (v.rep && dev_settings()->coverage) // (a filter may have left out the launch)
        v.coverage = look_coverage_of(vm_program_module(program));
    if (!dev_settings()->statistics) return ran(&v, run(&v, NULL));
    struct timespec begin, end;
    struct vm_stats st;
    const struct bc_module *const m = vm_program_module(program);
    v.site_accesses = mem_alloc((m->nsites + 1) * sizeof *v.site_accesses);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    struct err *e = run(&v, &st);
    clock_gettime(CLOCK_MONOTONIC, &end);
    const int64_t ns = (int64_t)(end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec -
                       begin.tv_nsec;
    dev_statistics_add(m, &v, &st, (uint64_t)ns);
    free(v.site_accesses);
    v.site_accesses = NULL;
    return ran(&v, e);
}

static struct vm_program *interpreted(void *program) { return program; }

const struct dev_device_ops dev_interp = {
    .name = "interp",
    .program_load = program_load,
    .program_unload = program_unload,
    .launch = launch,
    .variable = variable,
    .interpreted = interpreted,
};

json_t *dev_profile(void) { return look_profile(&model); }

json_t *dev_coverage(void) { return look_coverage(NULL); }

uint64_t dev_fresh_coverage(void) { return look_fresh(); }
