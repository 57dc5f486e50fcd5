// SPDX-License-Identifier: MIT
// A launch, from its arguments to its findings: sets up the state that the workers run (worker.c).
#include "base/mem.h"
#include "base/scope.h"
#include "interp/core/block_counts.h"
#include "interp/launch/barrier_uses.h"
#include "interp/launch/configuration.h"
#include "interp/launch/contention.h"
#include "interp/launch/counters.h"
#include "interp/launch/division.h"
#include "interp/launch/launch_objects.h"
#include "interp/launch/launch_report.h"
#include "interp/launch/pool.h"
#include "interp/launch/privatized_reduction.h"
#include "interp/launch/race_setup.h"
#include "interp/launch/run.h"
#include "interp/launch/shared_program.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORTH_MEASURING = 64, // packs: with fewer, contention is not measured
    SMALL_LAUNCH = 512,   // work-items: for fewer, waking threads costs more than it gains
    MAX_WAITING_GROUPS = 256,
};

static void set_grid(struct vm_run *run)
{
    const struct vm_launch *l = run->l;
    run->ngroups = 1;
    run->group_items = 1;
    for (int k = 0; k < 3; k++) {
        run->grid[k] = (l->global[k] + l->local[k] - 1) / l->local[k];
        run->max_shape[k] = (uint32_t)(l->global[k] < l->local[k] ? l->global[k] : l->local[k]);
        run->ngroups *= run->grid[k];
        run->group_items *= run->max_shape[k];
    }
}

static void set_workers(struct vm_run *run)
{
    const struct vm_launch *l = run->l;
    const bool alone = run->code->may_part || run->code->synchronizes || l->schedule ||
                       l->kernel->enqueues;
    uint64_t n = l->threads && !l->debugger ? l->threads : 1;
    if (n > run->npacks) n = run->npacks;
    if (alone || run->ngroups * run->group_items < SMALL_LAUNCH) n = 1;
    run->nworkers = (unsigned)n;
    run->workers = mem_alloc((n + 1) * sizeof *run->workers); // the last: vm_division_meet
    pthread_mutex_init(&run->out_lock, NULL);
    for (unsigned i = 0; i < n; i++) {
        struct vm_worker *w = &run->workers[i];
        w->run = run;
        w->index = i;
        vm_counts_begin(w);
        const uint64_t most = run->ngroups < MAX_WAITING_GROUPS ? run->ngroups : MAX_WAITING_GROUPS;
        w->max_contexts = run->code->may_part || l->schedule ? (uint32_t)most : 1;
    }
    run->in_order = l->kernel->uses_printf;
    governor_init(&run->governor,
                  vm_privatize_leaves_some(run) && !run->in_order && run->npacks >= WORTH_MEASURING
                      ? run->nworkers
                      : 1,
                  run->npacks);
    for (unsigned i = 0; i < n; i++) { // a contiguous share each
        struct vm_share *s = &run->workers[i].share;
        pthread_mutex_init(&s->lock, NULL);
        s->next = (uint64_t)((unsigned __int128)run->npacks * i / n);
        s->end = (uint64_t)((unsigned __int128)run->npacks * (i + 1) / n);
    }
}

static void time_worker(struct vm_worker *w, uint64_t begin)
{
    w->stats.cpu_ns = vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
    if (w->timed)
        w->stats.race_ns += (uint64_t)((double)w->timed_ns / (double)w->timed * (double)w->watched);
}

// Runs in the default floating-point environment: the app's settings of rounding, subnormals and
// traps (-ffast-math changes them at program start) must not affect the kernel.
static void run_worker(void *ctx, unsigned i)
{
    struct vm_run *run = ctx;
    fenv_t app;
    fegetenv(&app);
    fesetenv(FE_DFL_ENV);
    const uint64_t begin = run->counts ? vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) : 0;
    if (run->counts) run->workers[i].clock_cost = vm_clock_cost();
    vm_worker_run(&run->workers[i]);
    if (run->counts) time_worker(&run->workers[i], begin);
    fesetenv(&app);
}

/** vm_launch.is_clean, but for what was given to the report. */
static bool is_clean(const struct vm_run *run)
{
    bool clean = !atomic_load(&run->stopped) && !(run->race && race_launch_was_cut(run->race));
    for (unsigned i = 0; i < run->nworkers; i++) {
        const struct vm_worker *w = &run->workers[i];
        clean &= !w->fault_list && !w->was_undefined && !w->failure;
    }
    return clean;
}

static struct err *finish(struct vm_run *run, struct vm_stats *st)
{
    struct err *e = NULL;
    struct vm_stats sum = {0};
    const uint64_t begin = st ? vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) : 0;
    vm_races_report(run);
    if (st) sum.race_ns = sum.cpu_ns = vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
    if (run->race && run->l->rep && !run->chk.schedule && race_launch_was_cut(run->race))
        __atomic_fetch_add(&rep_totals(run->l->rep)->cut_checks, 1, __ATOMIC_RELAXED);
    vm_report_faults(run);
    if (run->l->is_clean)
        *run->l->is_clean = !run->division && is_clean(run) && run->l->rep &&
                            !rep_has_found(run->l->rep, run->l->number);
    vm_barriers_end(run);
    const bool is_first = run->l->rep &&
                          !__atomic_exchange_n(&run->code->was_checked, true, __ATOMIC_RELAXED);
    for (uint32_t i = 0; is_first && i < run->code->nfns; i++)
        chk_checked_lines(&run->chk, run->code->fns[i].bc);
    if (atomic_load(&run->stopped) == VM_STOP_LIMIT)
        chk_report_limit(&run->chk, run->l->instruction_limit);
    for (unsigned i = 0; i < run->nworkers; i++) {
        struct vm_worker *w = &run->workers[i];
        vm_stats_add(&sum, &w->stats);
        if (w->failure && !e) e = w->failure;
        else err_free(w->failure);
        vm_worker_deinit(w);
    }
    vm_counts_end(run);
    if (st) *st = sum;
    if (run->l->lane_insns) *run->l->lane_insns = sum.lane_insns;
    return e;
}

/** The results are not reported here. */
static void discard(struct vm_run *run)
{
    for (unsigned i = 0; i < run->nworkers; i++) {
        err_free(run->workers[i].failure);
        vm_worker_deinit(&run->workers[i]);
    }
    vm_counts_free(run);
}

/** Frees everything that vm_run created. */
static void run_deinit(struct vm_run *run)
{
    if (run->race) race_launch_destroy(run->race);
    if (run->workers) {
        pthread_mutex_destroy(&run->out_lock);
        governor_destroy(&run->governor);
        vm_privatize_deinit(run);
    }
    free(run->workers);
    free(run->names);
    free(run->barrier_of);
    for (uint32_t i = 0; run->chk.raced && i < run->nobjects; i++) bits_deinit(&run->chk.raced[i]);
    free(run->chk.raced);
    free(run->chk.stored_undefined);
    free(run->chk.left);
    free(run->local_off);
    for (uint32_t i = 0; run->shadows && i < run->nobjects; i++)
        if (run->shadows[i].owns) free(run->shadows[i].made);
    free(run->shadows);
    free(run->objects);
}

static struct chk_launch checked_launch(const struct vm_run *run)
{
    const struct vm_launch *const l = run->l;
    struct chk_launch chk = {
        .module = l->program->module,
        .kernel = l->kernel,
        .inherited = vm_inherited(l),
        .rep = l->rep,
        .number = l->number,
        .host_site = l->host_site,
        .schedule = l->schedule && l->schedule->is_repeated ? l->schedule->number : 0,
        .late_site = l->schedule ? &l->schedule->late_site : NULL,
        .dims = l->dims,
        .objects = run->names,
        .nobjects = run->nobjects,
        .items = run->group_items,
        .synchronizes = run->code->synchronizes,
        .copies = run->code->copies,
        .sub_barriers = run->code->synchronizes && !run->code->uses_atomics,
        .global_atomics = run->code->global_atomics,
        .scoped_atomics = run->code->scoped_atomics,
        .raced = mem_alloc(run->nobjects * sizeof *run->chk.raced),
        .stored_undefined = mem_alloc(run->nobjects * sizeof *run->chk.stored_undefined)};
    for (int k = 0; k < 3; k++) {
        chk.global[k] = l->global[k];
        chk.local[k] = l->local[k];
        chk.offset[k] = l->offset[k];
        chk.grid[k] = run->grid[k];
    }
    return chk;
}

struct err *vm_run(const struct vm_launch *launch, struct vm_stats *st)
{
    const struct bc_module *m = launch->program->module;
    if (st) *st = (struct vm_stats){0};
    if (launch->kernel->refused)
        return err_new("kernel '%s' cannot be run: %s", bc_str(m, launch->kernel->name),
                       launch->kernel->refused);
    struct vm_launch own = *launch;
    const struct vm_launch *const l = &own;
    struct vm_run run SCOPED(run_deinit) = {
        .l = l, .counts = st != NULL, .notes_writers = l->writer || l->names_writers};
    set_grid(&run);
    if (!run.ngroups) return NULL;
    vm_configure(&run, &own);
    run.nobjects = m->nobjects + 1 + vm_nargs(l) + l->nsvm + l->ngone;
    run.objects = mem_alloc((run.nobjects + 1) * sizeof *run.objects);
    run.local_off = mem_alloc((run.nobjects + 1) * sizeof *run.local_off);
    run.names = mem_alloc((run.nobjects + 1) * sizeof *run.names);
    run.chk = checked_launch(&run);
    vm_set_objects(&run, run.names);
    run.signing = vm_signing_of(&run);
    vm_privatize_find(&run);
    set_workers(&run);
    vm_race_setup(&run);
    if (l->division && !vm_division_begin(&run)) {
        discard(&run);
        return NULL;
    }
    if (l->debugger) {
        l->debugger->begin(l->debugger->ctx, &run);
        run_worker(&run, 0);
        l->debugger->end(l->debugger->ctx, &run);
    } else {
        vm_progress_start(&run);
        pool_run(run.nworkers, run_worker, &run);
        vm_progress_end(&run);
    }
    if (run.division && !vm_division_meet(&run)) {
        discard(&run);
        return NULL;
    }
    return finish(&run, st);
}
