// SPDX-License-Identifier: MIT
// An interrupted run has no state that could be shown: its work-items are lanes of optimized code,
// in several threads. So the launch begins again, and stops after about as long as it had run, at
// most HEAD_START.
#include "debug/history/unrecorded_launch.h"

#include "base/own_thread.h"
#include "debug/breakpoints/breakpoint.h"
#include "debug/history/earlier_writes.h"
#include "debug/history/repeated_launch.h"
#include "debug/session/focus.h"
#include "debug/session/goal.h"
#include "debug/session/item_order.h"
#include "debug/session/session.h"
#include "debug/session/session_settings.h"

#include <time.h>

static const int64_t HEAD_START = 1500000000; // nanoseconds

static pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER;
static volatile int cut;
static bool runs;      // guarded by dbg.lock
static int64_t began;  // the same
static int64_t waited; // nanoseconds until the interrupt, for one thread

void dbg_unrecorded_lock(void) { pthread_mutex_lock(&launching); }
void dbg_unrecorded_unlock(void) { pthread_mutex_unlock(&launching); }

void dbg_unrecorded_cut(void)
{
    if (runs) cut = 1;
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static bool writes_images(const struct vm_launch *l, const struct bc_module *m)
{
    bool any = false;
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        const struct bc_arg *a = &m->args[l->kernel->first_arg + i];
        any |= a->kind == BC_ARG_IMAGE && a->may_write;
    }
    return any;
}

static bool has_variables(const struct bc_module *m)
{
    bool any = false;
    for (uint32_t i = 0; i < m->nobjects; i++) any |= m->objects[i].kind == BC_OBJ_PROGRAM;
    return any;
}

/** With the lock held. */
static bool is_possible(const struct vm_launch *l)
{
    const struct bc_module *const m = vm_program_module(l->program);
    const bool goes = dbg_goal.kind == DBG_GO ||
                      (dbg_goal.kind == DBG_TO_LAUNCH && dbg_goal.count > 1);
    return dbg.connected && !dbg.detached && goes && !atomic_load(&dbg.interrupt) &&
           !dbg_settings.record_launches && !dbg_item_order.seeded &&
           dbg_settings.locking != DBG_LOCK_ON && l->rep && !l->nsvm && !l->root && !l->schedule &&
           !l->kernel->enqueues && !l->kernel->refused && !writes_images(l, m) &&
           !has_variables(m) && !dbg_break_may_stop(m, l->kernel);
}

bool dbg_unrecorded_is_possible(const struct vm_launch *l)
{
    pthread_mutex_lock(&dbg.lock);
    const bool is = is_possible(l);
    pthread_mutex_unlock(&dbg.lock);
    return is;
}

volatile int *dbg_unrecorded_begin(const struct vm_launch *l)
{
    pthread_mutex_lock(&dbg.lock);
    bool may = is_possible(l);
    if (may) {
        dbg_earlier_unrecorded();
        may = dbg_repeat_keep_unrecorded(l);
    }
    if (may && dbg_launch_note(l, vm_program_module(l->program)))
        dbg_events.launch_began(l, vm_program_module(l->program));
    cut = 0;
    runs = may;
    began = now();
    pthread_mutex_unlock(&dbg.lock);
    return may ? &cut : NULL;
}

static void *interrupt_later(void *unused)
{
    nanosleep(&(struct timespec){waited / 1000000000, waited % 1000000000}, NULL);
    atomic_fetch_add(&dbg.lock_wanted, 1); // wide lanes look for an interrupt only then
    pthread_mutex_lock(&dbg.lock);
    if (dbg.state == DBG_RUNNING) atomic_store(&dbg.interrupt, 1);
    atomic_fetch_sub(&dbg.lock_wanted, 1);
    pthread_mutex_unlock(&dbg.lock);
    return NULL;
}

bool dbg_unrecorded_end(const struct vm_launch *l, bool is_clean)
{
    pthread_mutex_lock(&dbg.lock);
    const bool done = is_clean && !cut;
    runs = false;
    if (done) {
        dbg_repeat_ran_unrecorded();
        if (dbg_goal.kind == DBG_TO_LAUNCH) dbg_goal.count--;
        dbg_events.launch_ended();
    } else {
        dbg_repeat_restore();
        waited = now() - began < HEAD_START ? now() - began : HEAD_START;
        if (atomic_exchange(&dbg.interrupt, 0) && !own_thread_start(interrupt_later, NULL, 0))
            atomic_store(&dbg.interrupt, 1);
    }
    pthread_mutex_unlock(&dbg.lock);
    return done;
}
