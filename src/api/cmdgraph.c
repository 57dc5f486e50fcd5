// SPDX-License-Identifier: MIT
// One lock guards the graph: edges, ready list, queues' lists, callbacks' lists. It is held for a
// few list operations, never while a command, a callback or a destructor runs. The status is also
// atomic, so that apps can poll clGetEventInfo without the lock.
//
// An event is in one of four states: it waits (waits > 0), is ready (in the ready list), runs, or
// is done. While not done, the graph has a reference to it, and it has one to its queue, which has
// one to its context: the app may release in any order.
//
// A thread that blocks (clFinish, clWaitForEvents, blocking calls) runs ready commands of the
// queues that it waits for itself, unless its stack is too small; this saves two context switches
// per command. Other ready commands are run by workers, which are started on demand: flushed
// commands at once, others after a millisecond, since many apps poll or enqueue callbacks without a
// flush. An idle worker sleeps until it is signaled.
#include "api/cmdgraph.h"

#include "api/interrupt.h"
#include "api/platform.h"
#include "api/trace.h"

#include "base/own_thread.h"
#include "base/stack.h"
#include "debug/debug.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

enum { MAX_WORKERS = 8, LAZY_NS = 1000000, IDLE_ROUNDS = 20 };
enum {
    RUN_STACK = 256 << 10,
    THREAD_STACK = 1 << 20
}; // bytes. Some threads have less: those of musl, and those with custom stacks

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work;    // workers: something to do
    pthread_cond_t changed; // blocked callers: a command is ready or done
    cl_event ready_first, ready_last;
    unsigned workers, idle, asleep; // asleep: idle workers that wait without a timeout
    unsigned waiters;
    unsigned running;
    bool stopping;
    bool is_set_up;
} graph = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

// Callbacks run on a separate thread, in the order in which they became due.
struct due {
    struct due *next;
    cl_event event; // referenced
    cl_int status;
    struct api_event_callback *cb;
};
static struct {
    pthread_mutex_t lock; // taken inside graph.lock
    pthread_cond_t more;
    struct due *first, **last;
    bool has_thread;
} post = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER, .last = &post.first};

// In a forked child, which has no threads: running commands stay with the parent.
static void after_fork(void)
{
    pthread_mutex_init(&graph.lock, NULL);
    pthread_mutex_init(&post.lock, NULL);
    pthread_cond_init(&graph.changed, NULL);
    pthread_cond_init(&post.more, NULL);
    pthread_condattr_t a;
    pthread_condattr_init(&a);
    pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
    pthread_cond_init(&graph.work, &a);
    pthread_condattr_destroy(&a);
    graph.ready_first = graph.ready_last = NULL;
    graph.workers = graph.idle = graph.asleep = graph.waiters = graph.running = 0;
    post.has_thread = false;
    post.first = NULL;
    post.last = &post.first;
}

// At the end of the process: interrupts running launches, and prevents other threads from starting
// commands.
static void stop(void)
{
    pthread_mutex_lock(&graph.lock);
    graph.stopping = true;
    api_exit_begin();
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    graph.waiters++;
    while (graph.running &&
           pthread_cond_timedwait(&graph.changed, &graph.lock, &until) != ETIMEDOUT) {}
    graph.waiters--;
    pthread_mutex_unlock(&graph.lock);
    api_exit_here();
    api_access_close();
}

static void set_up(void)
{
    if (graph.is_set_up) return;
    graph.is_set_up = true;
    pthread_condattr_t a;
    pthread_condattr_init(&a);
    pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
    pthread_cond_init(&graph.work, &a);
    pthread_condattr_destroy(&a);
    pthread_atfork(NULL, NULL, after_fork);
    atexit(stop);
}

// ---- callbacks

static void *callback_thread(void *arg)
{
    pthread_mutex_lock(&post.lock);
    for (;;) {
        while (!post.first) pthread_cond_wait(&post.more, &post.lock);
        struct due *d = post.first;
        post.first = d->next;
        if (!post.first) post.last = &post.first;
        pthread_mutex_unlock(&post.lock);
        if (d->status <= CL_COMPLETE) api_order_observed(d->event->accesses);
        d->cb->fn(d->event, d->status, d->cb->data);
        api_event_put(d->event);
        free(d->cb);
        free(d);
        pthread_mutex_lock(&post.lock);
    }
    return NULL;
}

// graph.lock is held, so callbacks of one event come in order.
static void post_callback(cl_event e, struct api_event_callback *cb, cl_int status)
{
    struct due *d = mem_alloc(sizeof *d);
    api_ref(e);
    *d = (struct due){.event = e, .status = status, .cb = cb};
    pthread_mutex_lock(&post.lock);
    *post.last = d;
    post.last = &d->next;
    if (!post.has_thread) post.has_thread = own_thread_start(callback_thread, NULL, THREAD_STACK);
    pthread_cond_signal(&post.more);
    pthread_mutex_unlock(&post.lock);
}

// Callbacks for a status are due when the event has reached it, or failed.
static void post_due_callbacks(cl_event e, cl_int status)
{
    struct api_event_callback **p = &e->callbacks;
    while (*p) {
        struct api_event_callback *cb = *p;
        if (status > cb->type) {
            p = &cb->next;
            continue;
        }
        *p = cb->next;
        post_callback(e, cb, status < 0 ? status : cb->type);
    }
}

void api_event_callback(cl_event e, struct api_event_callback *cb)
{
    pthread_mutex_lock(&graph.lock);
    set_up();
    cl_int status = e->status;
    if (status <= cb->type) {
        post_callback(e, cb, status < 0 ? status : cb->type);
    } else {
        struct api_event_callback **p = &e->callbacks;
        while (*p) p = &(*p)->next;
        cb->next = NULL;
        *p = cb;
    }
    pthread_mutex_unlock(&graph.lock);
}

// ---- states

static void ready_add(cl_event e)
{
    e->is_ready = true;
    e->ready_next = NULL;
    e->ready_prev = graph.ready_last;
    if (graph.ready_last) graph.ready_last->ready_next = e;
    else graph.ready_first = e;
    graph.ready_last = e;
}

static void ready_remove(cl_event e)
{
    e->is_ready = false;
    if (e->ready_prev) e->ready_prev->ready_next = e->ready_next;
    else graph.ready_first = e->ready_next;
    if (e->ready_next) e->ready_next->ready_prev = e->ready_prev;
    else graph.ready_last = e->ready_prev;
}

static void queue_add(cl_command_queue q, cl_event e)
{
    e->queue_prev = q->last;
    if (q->last) q->last->queue_next = e;
    else q->first = e;
    q->last = e;
}

static void queue_remove(cl_command_queue q, cl_event e)
{
    if (e->queue_prev) e->queue_prev->queue_next = e->queue_next;
    else q->first = e->queue_next;
    if (e->queue_next) e->queue_next->queue_prev = e->queue_prev;
    else q->last = e->queue_prev;
    if (q->barrier == e) q->barrier = NULL;
}

static void edge_add(cl_event from, cl_event to, bool propagates)
{
    cl_int status = from->status;
    if (status > CL_COMPLETE) {
        vec_push(&from->out, (struct api_edge){to, propagates});
        to->waits++;
        return;
    }
    if (__builtin_expect(api_timeline_on, 0) && propagates) api_timeline_dependency(from, to);
    if (status < 0 && propagates) to->doomed = true;
}

// The events that became done are chained on *dead: drop_dead releases the graph's references to
// them after the lock was released.
static void complete(cl_event e, cl_int status, cl_event *dead)
{
    cl_event work = NULL, *tail = &work;
    e->work_next = NULL;
    for (;;) {
        uint64_t now = api_clock();
        if (!e->submitted) e->submitted = now;
        if (!e->started) e->started = now;
        e->ended = now;
        e->status = status;
        if (__builtin_expect(api_timeline_on, 0)) api_timeline_command(e);
        post_due_callbacks(e, status);
        if (e->queue) queue_remove(e->queue, e);
        api_order_completed(e);
        for (size_t i = 0; i < e->out.len; i++) {
            cl_event to = e->out.data[i].to;
            if (__builtin_expect(api_timeline_on, 0) && e->out.data[i].propagates)
                api_timeline_dependency(e, to);
            if (status < 0 && e->out.data[i].propagates) to->doomed = true;
            if (--to->waits) continue;
            if (to->cmd && !to->doomed) {
                ready_add(to);
            } else {
                to->work_next = NULL;
                *tail = to;
                tail = &to->work_next;
            }
        }
        vec_free(&e->out);
        cl_event next = work;
        if (next) {
            work = next->work_next;
            if (!work) tail = &work;
        }
        e->work_next = *dead;
        *dead = e;
        if (!next) break;
        e = next;
        status = e->doomed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE;
    }
    if (graph.waiters) pthread_cond_broadcast(&graph.changed);
}

static void command_destroy(cl_event e)
{
    if (!e->cmd) return;
    struct api_command *c = e->cmd;
    e->cmd = NULL;
    c->destroy(c);
}

static void drop_dead(cl_event dead)
{
    while (dead) {
        cl_event e = dead;
        dead = e->work_next;
        api_access_ended(e->accesses);
        command_destroy(e);
        api_event_put(e);
    }
}

static void show_running(cl_event e)
{
    e->status = CL_RUNNING;
    if (e->callbacks) post_due_callbacks(e, CL_RUNNING);
}

/** The first command of a group begins. */
static void group_begins(cl_event group, uint64_t now)
{
    if (group->started) return;
    if (!group->submitted) group->submitted = now;
    group->started = now;
    if (group->callbacks) post_due_callbacks(group, CL_SUBMITTED);
    show_running(group);
}

// Runs a ready command. The lock is held before and after, but not during the run.
static void run(cl_event e)
{
    ready_remove(e);
    graph.running++;
    uint64_t now = api_clock();
    if (!e->submitted) e->submitted = now;
    e->started = now;
    if (e->callbacks) post_due_callbacks(e, CL_SUBMITTED);
    if (e->accesses) { // before the app can see that it runs: later writes by the app are detected
        pthread_mutex_unlock(&graph.lock);
        api_access_started(e->accesses, e->ctx->nqueues > 1 || !api_user_refs(e->queue));
        pthread_mutex_lock(&graph.lock);
    }
    show_running(e);
    if (e->group) group_begins(e->group, now);
    pthread_mutex_unlock(&graph.lock);
    cl_int status = e->cmd->run(e->cmd, e);
    api_access_done(e->accesses);
    command_destroy(e);
    cl_event dead = NULL;
    pthread_mutex_lock(&graph.lock);
    graph.running--;
    complete(e, status < 0 ? status : CL_COMPLETE, &dead);
    pthread_mutex_unlock(&graph.lock);
    drop_dead(dead);
    pthread_mutex_lock(&graph.lock);
}

// ---- workers

static bool is_flushed(const struct _cl_event *e) { return e->seq <= e->queue->flushed; }

static cl_event pick_for_worker(uint64_t now)
{
    for (cl_event e = graph.ready_first; e; e = e->ready_next)
        if (is_flushed(e) || now - e->queued >= LAZY_NS) return e;
    return NULL;
}

static void *worker(void *arg)
{
    unsigned rounds = 0;
    pthread_mutex_lock(&graph.lock);
    for (;;) {
        cl_event e = graph.stopping ? NULL : pick_for_worker(api_clock());
        if (e) {
            run(e);
            rounds = 0;
            continue;
        }
        graph.idle++;
        if (rounds >= IDLE_ROUNDS && !graph.ready_first) {
            graph.asleep++;
            pthread_cond_wait(&graph.work, &graph.lock);
            graph.asleep--;
            rounds = 0;
        } else {
            struct timespec until;
            clock_gettime(CLOCK_MONOTONIC, &until);
            until.tv_nsec += LAZY_NS;
            if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
            pthread_cond_timedwait(&graph.work, &graph.lock, &until);
            rounds++;
        }
        graph.idle--;
    }
    return NULL;
}

static bool add_worker(void)
{
    const bool starts = graph.workers < MAX_WORKERS && own_thread_start(worker, NULL, THREAD_STACK);
    graph.workers += starts;
    return starts;
}

// Ensures that a worker processes the ready list, now or soon.
static void wake(bool now)
{
    if (!graph.ready_first || graph.stopping) return;
    if (graph.idle) {
        if (now || graph.asleep == graph.idle) pthread_cond_signal(&graph.work);
    } else if (now || !graph.workers) {
        add_worker();
    }
}

// ---- for the entry points

cl_int api_check_enqueue(cl_command_queue q, cl_uint n, const cl_event *list)
{
    if (!api_is(q, API_QUEUE)) return api_bad_handle(NULL, q, API_QUEUE);
    if (q->flags & CL_QUEUE_ON_DEVICE)
        return api_fail(q->ctx, CL_INVALID_COMMAND_QUEUE,
                        "the queue is on the device: only kernels enqueue to it");
    if ((n == 0) != (list == NULL))
        return api_fail(q->ctx, CL_INVALID_EVENT_WAIT_LIST,
                        "num_events_in_wait_list is %u and event_wait_list is %p", n,
                        (const void *)list);
    for (cl_uint i = 0; i < n; i++) {
        if (!api_is(list[i], API_EVENT))
            return api_fail(q->ctx, CL_INVALID_EVENT_WAIT_LIST,
                            "element %u of the wait list, %p, is not an event", i, (void *)list[i]);
        if (list[i]->ctx != q->ctx)
            return api_fail(q->ctx, CL_INVALID_CONTEXT,
                            "element %u of the wait list belongs to another context than the queue",
                            i);
    }
    return CL_SUCCESS;
}

cl_int api_check_request(const struct api_request *r)
{
    return r->order == API_ORDER_RECORD ? CL_SUCCESS : api_check_enqueue(r->queue, r->n, r->list);
}

static cl_event event_create(cl_context ctx, cl_command_queue q, cl_command_type type)
{
    cl_event e = api_new(API_EVENT, sizeof *e);
    if (!e) return NULL;
    e->ctx = ctx;
    e->queue = q;
    e->type = type;
    api_ref(ctx);
    if (q) api_ref(q);
    return e;
}

cl_event api_user_event_create(cl_context ctx)
{
    cl_event e = event_create(ctx, NULL, CL_COMMAND_USER);
    if (!e) return NULL;
    e->status = CL_SUBMITTED;
    e->waits = 1;
    e->accesses = api_access_set_new();
    api_order_is_user_event(e->accesses);
    return e;
}

bool api_event_set_status(cl_event e, cl_int status)
{
    cl_event dead = NULL;
    pthread_mutex_lock(&graph.lock);
    set_up();
    bool open = e->status > CL_COMPLETE;
    if (open) {
        api_ref(e); // complete releases one
        api_order_set(e->accesses);
        complete(e, status, &dead);
        wake(true);
    }
    pthread_mutex_unlock(&graph.lock);
    drop_dead(dead);
    return open;
}

// Adds the edges that the kind of queue requires.
static void order_in_queue(cl_command_queue q, cl_event e, enum api_order order, bool has_list)
{
    if (order == API_ORDER_LIST) return;
    if (api_queue_in_order(q)) {
        if (q->last) edge_add(q->last, e, false);
    } else if (order != API_ORDER_COMMAND && !has_list) {
        for (cl_event p = q->first; p; p = p->queue_next) edge_add(p, e, false);
    } else if (q->barrier) {
        edge_add(q->barrier, e, false);
    }
}

// A blocked thread runs only commands of the queues that it waits for.
static bool helps(cl_event e, cl_command_queue q, cl_uint n, const cl_event *list)
{
    if (q) return e->queue == q;
    for (cl_uint i = 0; i < n; i++)
        if (list[i]->queue == e->queue) return true;
    return false;
}

static bool is_done(cl_command_queue q, uint64_t seq, cl_uint n, const cl_event *list)
{
    if (q) return !q->first || q->first->seq > seq;
    for (cl_uint i = 0; i < n; i++)
        if (list[i]->status > CL_COMPLETE) return false;
    return true;
}

static void flush_locked(cl_command_queue q)
{
    if (q->flushed == q->seq) return;
    uint64_t now = 0;
    for (cl_event e = q->last; e && e->seq > q->flushed; e = e->queue_prev) {
        if (e->submitted) continue;
        e->submitted = now ? now : (now = api_clock());
        if (e->status == CL_QUEUED) {
            e->status = CL_SUBMITTED;
            if (e->callbacks) post_due_callbacks(e, CL_SUBMITTED);
        }
    }
    q->flushed = q->seq;
}

// May the calling thread run commands? If not, ensures that there is a worker.
static bool may_run(void)
{
    return stack_left() >= RUN_STACK || graph.stopping || (!graph.workers && !add_worker());
}

// Runs or waits until they are done.
static void block(cl_command_queue q, cl_uint n, const cl_event *list)
{
    if (q) flush_locked(q);
    for (cl_uint i = 0; i < n; i++)
        if (list[i]->queue) flush_locked(list[i]->queue);
    uint64_t seq = q ? q->seq : 0;
    while (!is_done(q, seq, n, list)) {
        cl_event mine = graph.ready_first && may_run() ? graph.ready_first : NULL;
        while (mine && !helps(mine, q, n, list)) mine = mine->ready_next;
        bool others = graph.ready_first && (graph.ready_first != mine || mine->ready_next);
        if (others) wake(true);
        if (mine) {
            run(mine);
            continue;
        }
        graph.waiters++;
        pthread_cond_wait(&graph.changed, &graph.lock);
        graph.waiters--;
    }
}

void api_command_wrote(const struct api_command *c, const void *first, size_t size,
                       const void *from)
{
    if (!c->function) return;
    dbg_memory_written(&(struct dbg_memory_write){first, size, from, c->function,
                                                  api_call_site_enqueued(c->site)});
}

static void command_drop(struct api_command *cmd)
{
    if (!cmd) return;
    api_access_set_put(cmd->accesses);
    cmd->destroy(cmd);
}

/** An event with a command, not yet in the queue. */
static cl_event event_for(const struct api_request *r, struct api_command *cmd)
{
    cl_event e = event_create(r->queue->ctx, r->queue, r->type);
    if (!e) {
        command_drop(cmd);
        return NULL;
    }
    api_ref(e); // one reference for the graph, one for the app
    e->cmd = cmd;
    e->accesses = cmd && cmd->accesses ? cmd->accesses : api_access_set_new();
    e->queued = api_clock();
    return e;
}

static void note_call(struct api_command *cmd, const char *function, const void *site)
{
    if (!cmd || !dbg_debugger()) return;
    cmd->function = function;
    cmd->site = site;
}

/**
 * Puts the event into the queue, with edges from r->list, of which the first `npropagate` pass
 * errors on; `by` orders its accesses.
 */
static void enter(cl_event e, const struct api_request *r, cl_uint npropagate,
                  struct api_order_queue *by, cl_event *dead)
{
    cl_command_queue q = r->queue;
    e->seq = ++q->seq;
    e->status = CL_QUEUED;
    for (cl_uint i = 0; i < r->n; i++) edge_add(r->list[i], e, i < npropagate);
    order_in_queue(q, e, r->order, r->n != 0);
    api_order_enqueued(e->accesses, by, r->order, r->n, r->list);
    queue_add(q, e);
    if (r->order == API_ORDER_BARRIER && !api_queue_in_order(q)) q->barrier = e;
    if (e->waits) return;
    if (e->cmd && !e->doomed) {
        ready_add(e);
        if (!r->blocking) wake(false);
        if (graph.waiters) pthread_cond_broadcast(&graph.changed);
    } else {
        complete(e, e->doomed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE, dead);
        wake(false);
    }
}

static cl_int no_event(const struct api_request *r)
{
    return api_fail(r->queue->ctx, CL_OUT_OF_HOST_MEMORY, "no memory for another event");
}

cl_int api_enqueue(const struct api_request *r, struct api_command *cmd)
{
    if (r->order == API_ORDER_RECORD)
        return ((const struct api_recording *)r)->record((const struct api_recording *)r, cmd);
    cl_command_queue q = r->queue;
    cl_event e = event_for(r, cmd);
    if (!e) return no_event(r);
    note_call(cmd, api_function(), dbg_debugger() ? api_call_site() : NULL);
    cl_event dead = NULL;
    pthread_mutex_lock(&graph.lock);
    set_up();
    enter(e, r, r->n, &q->order, &dead);
    if (r->event) *r->event = e;
    if (r->blocking) block(NULL, 1, &e);
    cl_int status = r->blocking ? e->status : CL_SUCCESS;
    pthread_mutex_unlock(&graph.lock);
    if (r->blocking) api_order_observed(e->accesses);
    drop_dead(dead);
    if (r->event && status < 0)
        *r->event = NULL; // the app gets the error, and must not release an
                          // event
    if ((!r->event || status < 0) && api_user_release(e)) api_event_put(e);
    if (status < 0) {
        if (status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
            return api_fail(q->ctx, status, "a command that this one waits for failed");
        return status;
    }
    return CL_SUCCESS;
}

// ---- groups: between two events without work, of which the queue orders the first after what is
// in it, and what follows after the second, are the events of the members

static void events_drop(cl_event *events, unsigned n) // they are in no queue
{
    for (unsigned i = 0; i < n; i++) {
        api_access_set_put(events[i]->accesses);
        events[i]->accesses = NULL;
        command_destroy(events[i]);
        if (api_user_release(events[i])) api_event_put(events[i]);
        api_event_put(events[i]); // the reference for the graph
    }
}

/** Enters the members; events[0] begins the group. */
static void enter_members(const struct api_request *r, const struct api_member *m, unsigned n,
                          cl_event *events, cl_event *dead)
{
    cl_command_queue q = r->queue;
    // The accesses of members that their queue would not order are ordered by a queue of the group.
    struct api_order_queue loose = {0};
    api_order_queue_init(&loose, false);
    loose.group = loose.number; // unique
    loose.number = q->order.number;
    bool in_order = api_queue_in_order(q);
    for (unsigned i = 0; i < n; i++) in_order &= m[i].in_order;
    cl_event *const list = mem_array(NULL, n + 2, sizeof *list);
    for (unsigned i = 0; i < n; i++) {
        cl_uint waits = 0;
        for (unsigned k = 0; k < m[i].nafter; k++) list[waits++] = events[1 + m[i].after[k]];
        if (!waits) list[waits++] = events[0];
        const cl_uint npropagate = waits;
        if (m[i].in_order && i) list[waits++] = events[i];
        enter(events[1 + i],
              &(struct api_request){.queue = q,
                                    .order = in_order ? API_ORDER_COMMAND : API_ORDER_LIST,
                                    .n = waits,
                                    .list = list},
              npropagate, in_order ? &q->order : &loose, dead);
    }
    free(list);
    api_order_queue_deinit(&loose);
}

cl_int api_enqueue_group(const struct api_request *r, struct api_member *m, unsigned n)
{
    cl_command_queue q = r->queue;
    cl_event *const events = mem_array(NULL, n + 2, sizeof *events), dead = NULL;
    unsigned made = 0;
    for (; made < n + 2; made++) {
        const struct api_member *x = made && made <= n ? &m[made - 1] : NULL;
        if (x) note_call(x->cmd, x->function, x->site);
        const cl_command_type type = x ? x->type : made ? r->type : CL_COMMAND_MARKER;
        events[made] =
            event_for(&(struct api_request){.queue = q, .type = type}, x ? x->cmd : NULL);
        if (!events[made]) break;
    }
    if (made < n + 2) {
        events_drop(events, made);
        for (unsigned i = made; i < n; i++) command_drop(m[i].cmd);
        free(events);
        return no_event(r);
    }
    const cl_event end = events[n + 1];
    for (unsigned i = 1; i <= n; i++) events[i]->group = end;
    struct api_request part = *r;
    part.order = API_ORDER_COMMAND;
    pthread_mutex_lock(&graph.lock);
    set_up();
    enter(events[0], &part, part.n, &q->order, &dead);
    enter_members(r, m, n, events, &dead);
    part.n = n + 1;
    part.list = events;
    enter(end, &part, part.n, &q->order, &dead);
    pthread_mutex_unlock(&graph.lock);
    drop_dead(dead);
    if (r->event) *r->event = end;
    for (unsigned i = 0; i < n + 2; i++) {
        if (i == n + 1 && r->event) break;
        api_user_release(events[i]);
        api_event_put(events[i]);
    }
    free(events);
    return CL_SUCCESS;
}

void api_flush(cl_command_queue q)
{
    pthread_mutex_lock(&graph.lock);
    flush_locked(q);
    wake(true);
    pthread_mutex_unlock(&graph.lock);
}

void api_finish(cl_command_queue q)
{
    pthread_mutex_lock(&graph.lock);
    struct api_access_set *all = api_order_of_queue(&q->order);
    block(q, 0, NULL);
    pthread_mutex_unlock(&graph.lock);
    api_order_observed(all);
    api_access_set_put(all);
}

void api_wait(cl_uint n, const cl_event *list)
{
    pthread_mutex_lock(&graph.lock);
    block(NULL, n, list);
    pthread_mutex_unlock(&graph.lock);
    for (cl_uint i = 0; i < n; i++) api_order_observed(list[i]->accesses);
}

void api_settle(void)
{
    pthread_mutex_lock(&graph.lock);
    while (graph.ready_first || graph.running) {
        if (graph.ready_first && may_run()) {
            run(graph.ready_first);
            continue;
        }
        wake(true);
        graph.waiters++;
        pthread_cond_wait(&graph.changed, &graph.lock);
        graph.waiters--;
    }
    pthread_mutex_unlock(&graph.lock);
}

void api_event_put(cl_event e)
{
    if (!api_unref(e)) return;
    for (struct api_event_callback *cb = e->callbacks, *next; cb; cb = next) {
        next = cb->next;
        free(cb);
    }
    vec_free(&e->out);
    api_access_set_put(e->accesses);
    cl_command_queue q = e->queue;
    cl_context ctx = e->ctx;
    api_delete(e);
    if (q) api_queue_put(q);
    api_context_put(ctx);
}
