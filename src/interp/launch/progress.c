// SPDX-License-Identifier: MIT
// The progress line of long launches on a terminal. The first worker reads the clock periodically
// and reports for all.
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"
#include "report/progress_line.h"

#include <inttypes.h>
#include <time.h>

static const double first_after = 1, then_every = 0.2; // seconds

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** "12 s", "3 min 5 s", "2 h 10 min" */
static void put_time(struct str *s, double seconds)
{
    const uint64_t n = seconds < 1e9 ? (uint64_t)(seconds + 0.5) : 1000000000;
    if (n < 60) str_printf(s, "%" PRIu64 " s", n);
    else if (n < 3600) str_printf(s, "%" PRIu64 " min %" PRIu64 " s", n / 60, n % 60);
    else str_printf(s, "%" PRIu64 " h %" PRIu64 " min", n / 3600, n % 3600 / 60);
}

void vm_progress_start(struct vm_run *run)
{
    run->progress.wanted = !run->l->debugger && rep_progress_wanted();
    if (run->progress.wanted) run->progress.begin = now();
    run->progress.next = run->progress.begin + first_after;
}

void vm_progress_report(struct vm_run *run)
{
    const double t = now();
    if (t < run->progress.next) return;
    run->progress.next = t + then_every;
    uint64_t done = 0;
    for (unsigned i = 0; i < run->nworkers; i++)
        done += __atomic_load_n(&run->workers[i].stats.groups, __ATOMIC_RELAXED);
    const struct bc_module *m = run->code->module;
    const unsigned parts = run->division ? run->division->parts : 1;
    const uint64_t part = (run->ngroups + parts - 1) / parts, all = part > done ? part : done;
    const double rate = (double)done / (t - run->progress.begin);
    struct str s = {0};
    str_printf(&s, "cldbg: kernel '%s': %" PRIu64 " of %" PRIu64 " work-groups (%.0f %%)",
               bc_str(m, run->l->kernel->name), done, all, 100 * (double)done / (double)all);
    if (done) {
        str_printf(&s, rate < 10 ? ", %.1f/s, " : ", %.0f/s, ", rate);
        put_time(&s, (double)(all - done) / rate);
        str_put(&s, " left");
    }
    rep_progress_show(str_text(&s));
    str_deinit(&s);
}

void vm_progress_end(struct vm_run *run)
{
    if (run->progress.wanted) rep_progress_clear();
}
