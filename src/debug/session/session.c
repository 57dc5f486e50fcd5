// SPDX-License-Identifier: MIT
#include "debug/session/session.h"

#include "debug/session/checkpoints.h"
#include "debug/session/findings.h"

#include <sched.h>

struct dbg_session dbg = {.lock = PTHREAD_MUTEX_INITIALIZER, .resumed = PTHREAD_COND_INITIALIZER};
struct dbg_client dbg_client;
struct dbg_findings dbg_findings;
struct dbg_checkpoints dbg_checkpoints;

static void no_stop(const char *reason, const char *description, const char *text,
                    const struct dbg_break *which)
{
}
static void no_output(const char *text) {}
static void no_answer(const char *text) {}
static void no_breakpoint(const struct dbg_break *b) {}
static void no_launch(const struct vm_launch *l, const struct bc_module *m) {}
static void no_launch_end(void) {}
static void no_finding(size_t index) {}
static void no_module(const struct dbg_module *m, bool is_new) {}
struct dbg_events dbg_events = {no_stop,   no_output,     no_answer,  no_breakpoint,
                                no_launch, no_launch_end, no_finding, no_module};

void dbg_yield_lock(void)
{
    pthread_mutex_unlock(&dbg.lock);
    while (atomic_load_explicit(&dbg.lock_wanted, memory_order_relaxed)) sched_yield();
    pthread_mutex_lock(&dbg.lock);
}
