// SPDX-License-Identifier: MIT
// Takeover of a launch: while the interpreter runs its first work-groups, the proof engine is asked
// whether the launch is free of errors (bytecode/question.h), and machine code is made. If both
// come in time, workers run the groups that have not begun as machine code.
//
// The engine does not claim termination. So only launches are taken over whose branches do not
// depend on data or on the work-group (bc_dependence.loops_vary), and by workers that have ended a
// group: the others then execute the same number of iterations. With --engine=auto the interpreter
// goes on if machine code takes longer for a group.
//
// The thread that asks may outlive the launch and the program. It reads only what it holds.
#include "devices/compiled_device.h"

#include "devices/launch_question.h"
#include "devices/native_device.h"

#include "base/own_thread.h"
#include "base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct compiled_takeover {
    struct compiled_program *p;
    struct compiled_kernel *k;
    const struct vm_launch *l; // of the launch only
    struct vm_takeover hook;
    uint64_t begin;
    _Atomic uint64_t after; // how long after that the engine is asked
    struct nat_shape shape;
    struct arena arena;
    struct proof_question question; // in the arena
    const struct compiled_code *code;
    struct native_job *job;
    _Atomic uint64_t groups, group_ns; // run as machine code; time for one when interpreted
    atomic_bool asked, ready, is_slower;
    unsigned users; // guarded by the program's lock: the launch, the thread
};

static void release(struct compiled_takeover *t)
{
    struct compiled_program *p = t->p;
    pthread_mutex_lock(&p->lock);
    const bool last = !--t->users;
    pthread_mutex_unlock(&p->lock);
    if (last) {
        arena_deinit(&t->arena);
        free(t);
    }
    compiled_release(p);
}

void compiled_own_values(struct arena *a, struct proof_question *q)
{
    struct proof_arg *args = arena_dup(a, q->args, q->nargs * sizeof *args);
    for (uint32_t i = 0; i < q->nargs; i++)
        if (args[i].kind == PROOF_VALUE) args[i].bytes = arena_dup(a, args[i].bytes, args[i].size);
    q->args = args;
}

static void *ask_thread(void *context)
{
    struct compiled_takeover *t = context;
    struct compiled_program *p = t->p;
    const char *why;
    const uint64_t begin = compiled_now();
    const bool proved = compiled_prove(p, &t->question);
    const struct compiled_code *c = proved ? compiled_code_now(p, t->k, &t->shape, &why) : NULL;
    compiled_effort_end(compiled_now() - begin);
    pthread_mutex_lock(&p->lock);
    t->k->unproved += !c;
    pthread_mutex_unlock(&p->lock);
    t->code = c;
    if (c) atomic_store(&t->ready, true);
    release(t);
    return NULL;
}

/** The interpreter's time for a group is what this worker took; the first worker's counts. */
static bool takes_over(struct compiled_takeover *t, uint64_t groups)
{
    if (!groups || atomic_load_explicit(&t->is_slower, memory_order_relaxed)) return false;
    uint64_t none = 0;
    atomic_compare_exchange_strong(&t->group_ns, &none, (compiled_now() - t->begin) / groups + 1);
    return true;
}

static bool is_ready(void *ctx, uint64_t groups)
{
    struct compiled_takeover *t = ctx;
    if (atomic_load_explicit(&t->ready, memory_order_acquire)) return takes_over(t, groups);
    if (atomic_load_explicit(&t->asked, memory_order_relaxed)) return false;
    const uint64_t ran = compiled_now() - t->begin;
    if (ran < t->after || atomic_exchange(&t->asked, true)) return false;
    uint64_t budget;
    if (!compiled_effort_begin(0, &budget)) {
        t->after = 2 * ran;
        atomic_store(&t->asked, false);
        return false;
    }
    compiled_limit(&t->question, budget);
    struct compiled_program *p = t->p;
    compiled_hold(p);
    pthread_mutex_lock(&p->lock);
    t->users++;
    pthread_mutex_unlock(&p->lock);
    if (own_thread_start(ask_thread, t, 0)) return false;
    compiled_effort_end(0);
    release(t);
    return false;
}

/** The job is made by the first worker that needs it. */
static struct native_job *job_of(struct compiled_takeover *t)
{
    struct compiled_program *p = t->p;
    pthread_mutex_lock(&p->lock);
    if (!t->job)
        t->job = native_job_create(p->module, t->l, t->code->code, &t->code->info, &t->shape,
                                   t->k->depends.ninsns);
    pthread_mutex_unlock(&p->lock);
    return t->job;
}

static bool run(void *ctx, uint64_t first, uint64_t end)
{
    struct compiled_takeover *t = ctx;
    const uint64_t begin = compiled_now();
    const bool ok = native_job_run_part(job_of(t), first, end);
    const uint64_t took = compiled_now() - begin;
    atomic_fetch_add(&t->groups, end - first);
    if (dev_settings()->engine == DEV_ENGINE_AUTO && took / (end - first) > t->group_ns)
        atomic_store(&t->is_slower, true);
    return ok;
}

struct compiled_takeover *compiled_takeover_begin(struct compiled_program *p,
                                                  struct compiled_kernel *k,
                                                  const struct vm_launch *l)
{
    enum { LEAST_GROUPS = 8, MOST_UNPROVED = 2 }; // a kernel that is not proved is not asked about
    struct nat_shape shape = compiled_shape(p, k, l, 0);
    uint64_t groups = 1;
    for (unsigned d = 0; d < 3; d++) groups *= (l->global[d] + l->local[d] - 1) / l->local[d];
    pthread_mutex_lock(&p->lock);
    const bool asks = groups >= LEAST_GROUPS && k->unproved < MOST_UNPROVED;
    pthread_mutex_unlock(&p->lock);
    if (!asks || k->depends.loops_vary || !compiled_marks(l, &shape.marks)) return NULL;
    struct compiled_takeover *t = mem_alloc(sizeof *t);
    *t = (struct compiled_takeover){.p = p,
                                    .k = k,
                                    .l = l,
                                    .hook = {t, is_ready, run},
                                    .begin = compiled_now(),
                                    .after = compiled_threshold_ns(),
                                    .shape = shape,
                                    .users = 1};
    compiled_hold(p);
    t->question = dev_launch_question(l, p->module, &t->arena, false);
    compiled_own_values(&t->arena, &t->question);
    return t;
}

const struct vm_takeover *compiled_takeover_hook(struct compiled_takeover *t)
{
    return t ? &t->hook : NULL;
}

uint64_t compiled_takeover_end(struct compiled_takeover *t)
{
    if (!t) return 0;
    const uint64_t groups = t->groups;
    if (groups) compiled_count_marks(t->l, t->shape.marks);
    native_job_destroy(t->job);
    t->job = NULL;
    t->l = NULL;
    release(t);
    return groups;
}
