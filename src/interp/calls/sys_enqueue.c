// SPDX-License-Identifier: MIT
// Device-side enqueue: a work-item describes a launch part by part (enum bc_enqueue). Until END the
// description belongs to the lane.
#include "base/mem.h"
#include "interp/calls/sys.h"
#include "interp/core/fault.h"
#include "interp/core/host_address.h"
#include "interp/core/lane_identity.h"
#include "interp/core/lane_operand.h"
#include "interp/decode/code.h"
#include "interp/enqueued.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

#include <stdlib.h>
#include <string.h>

// of OpenCL C: what enqueue_kernel returns
enum {
    INVALID_ARG_SIZE = -51,
    INVALID_EVENT_WAIT_LIST = -57,
    EVENT_ALLOCATION_FAILURE = -100,
    OUT_OF_RESOURCES = -5,
    INVALID_QUEUE = -102,
    INVALID_NDRANGE = -160,
    QUEUE_FULL = -161,
};
enum { FIRST_CAPTURED = 16 };

struct call {
    struct vm_gang *g;
    const struct vm_insn *ip;
    uint32_t lane;
    struct vm_enqueuer *to;
    struct vm_description *of; // the lane's
};

static void fail(struct vm_enqueued *e, int error)
{
    if (!e->error) e->error = error;
}

static void fault(const struct call *c, enum chk_fault_kind kind, uint32_t object,
                  enum chk_enqueue_error what)
{
    struct vm_fault_run run = {0};
    vm_fault_lane(c->g, &run, c->lane,
                  &(struct chk_fault){
                      .kind = kind, .object = object, .insn = c->ip->src, .detail.enqueue = what});
    vm_fault_end(c->g, &run);
}

static const struct bc_kernel *block_kernel(const struct bc_module *m, uint64_t fn)
{
    for (uint32_t k = 0; k < m->nkernels; k++)
        if (m->kernels[k].is_block && m->kernels[k].fn + 1ull == fn) return &m->kernels[k];
    return NULL;
}

static void begin(const struct call *c, uint64_t fn, uint64_t flags)
{
    const struct vm_run *run = c->g->worker->run;
    vm_enqueued_free(c->of->launch);
    struct vm_enqueued *e = c->of->launch = mem_alloc(sizeof *e);
    const struct chk_item item = vm_item_of(c->g, c->lane);
    uint32_t calls[CHK_MAX_CALLS];
    const unsigned n = vm_calls_of(c->g, calls);
    e->kernel = fn ? block_kernel(run->code->module, fn) : NULL;
    if (fn && (!e->kernel || e->kernel->refused)) fail(e, OUT_OF_RESOURCES);
    e->flags = (unsigned)flags;
    e->dims = 1;
    for (int k = 0; k < 3; k++) e->global[k] = 1;
    e->launch = run->l->number;
    e->depth = c->to->depth + 1;
    e->group = item.group;
    e->item = item.item;
    for (unsigned i = 0; i < n && !e->loc; i++) // (functions of the library have no lines)
        if (run->code->module->locs[calls[i]].line) e->loc = calls[i];
}

static struct vm_device_queue *queue_of(const struct vm_enqueuer *to, uint64_t queue)
{
    for (uint32_t i = 0; i < to->nqueues; i++)
        if (to->queues[i].queue == queue) return &to->queues[i];
    return NULL;
}

static void set_queue(const struct call *c, struct vm_enqueued *e, uint64_t queue, uint64_t bytes)
{
    e->queue = queue;
    if (!queue_of(c->to, queue)) fail(e, INVALID_QUEUE);
    if (bytes < FIRST_CAPTURED || bytes > VM_MAX_BLOCK_BYTES) {
        fail(e, OUT_OF_RESOURCES);
        return;
    }
    free(e->block);
    e->block_size = bytes;
    e->block = mem_alloc((bytes + 7) & ~7ull);
}

static void set_size(struct vm_enqueued *e, uint64_t which, uint64_t n)
{
    if (which == 0) e->dims = n < 4 ? (unsigned)n : 0;
    else if (which < 4) e->offset[which - 1] = n;
    else if (which < 7) e->global[which - 4] = n;
    else if (which < 10) e->local[which - 7] = n;
}

/**
 * A captured value. A pointer to private or local memory is signed in memory (core/signing.h), so
 * it is known from its bits; another number is the same with a probability of 2^-30 or less.
 */
static void capture(const struct call *c, struct vm_enqueued *e, uint64_t at, uint64_t word)
{
    if (!e->block || at >= e->block_size || at % sizeof word) return;
    memcpy(e->block + at, &word, sizeof word);
    const uint64_t p = vm_authenticated(c->g, c->lane, word);
    if (p != word) fault(c, CHK_CAPTURED, (uint32_t)(vm_object_of(c->g, p) - c->g->objects), 0);
}

static bool is_range(const struct vm_enqueuer *to, const struct vm_enqueued *e)
{
    uint64_t items = 1, all = 1, end;
    const bool has_local = e->local[0];
    if (!e->dims) return false;
    for (unsigned k = 0; k < e->dims; k++) {
        if (__builtin_mul_overflow(all, e->global[k], &all) || all >> 40 ||
            __builtin_add_overflow(e->offset[k], e->global[k], &end))
            return false;
        if (!e->local[k] != !has_local || e->local[k] > to->max_items) return false;
        if (has_local) items *= e->local[k];
        if (items > to->max_items) return false;
        if (has_local && e->global[k] % e->local[k] && !e->kernel->may_be_uneven) return false;
    }
    return true;
}

static void check_locals(const struct vm_enqueuer *to, struct vm_enqueued *e)
{
    uint64_t sum = e->kernel->local_size;
    if (e->locals.len + 1 != e->kernel->nargs) fail(e, OUT_OF_RESOURCES);
    for (size_t i = 0; i < e->locals.len; i++) {
        if (!e->locals.data[i]) fail(e, INVALID_ARG_SIZE);
        if (__builtin_add_overflow(sum, e->locals.data[i], &sum)) sum = UINT64_MAX;
    }
    if (sum > to->max_local) fail(e, OUT_OF_RESOURCES);
}

static bool is_same(const struct vm_enqueued *a, const struct vm_enqueued *b)
{
    return a->launch == b->launch && a->group == b->group && a->item == b->item &&
           a->loc == b->loc && a->kernel == b->kernel && a->dims == b->dims &&
           !memcmp(a->global, b->global, sizeof a->global) && a->block_size == b->block_size &&
           !memcmp(a->block, b->block, a->block_size);
}

/**
 * A debugger runs instructions of the past again. Such an END finds a launch that it gave to the
 * queue the first time.
 */
static const struct vm_enqueued *find_repeated(const struct call *c, const struct vm_enqueued *e)
{
    for (size_t i = 0; i < c->to->list.len; i++) {
        struct vm_enqueued *const old = c->to->list.data[i];
        if (is_same(old, e)) return old;
    }
    return NULL;
}

/** Gives the description to the queue, or returns its error. */
static int end(const struct call *c, bool wants_event)
{
    struct vm_enqueued *e = c->of->launch;
    struct vm_device_queue *q = queue_of(c->to, e->queue);
    if (c->g->worker->muted) {
        const struct vm_enqueued *old = find_repeated(c, e);
        c->of->event = old ? old->event : 0;
        return 0;
    }
    if (e->kernel && !e->error && !is_range(c->to, e)) fail(e, INVALID_NDRANGE);
    if (e->kernel && !e->error) check_locals(c->to, e);
    for (size_t i = 0; i < e->waits.len && !e->error; i++)
        if (!vm_device_event_exists(c->to->events, e->waits.data[i]))
            fail(e, INVALID_EVENT_WAIT_LIST);
    if (q && !e->error && q->size - q->used < VM_ENQUEUED_BYTES) fail(e, QUEUE_FULL);
    if (!e->error && (e->depth > VM_MAX_ENQUEUE_DEPTH || !c->to->left)) {
        fault(c, CHK_ENQUEUES, 0, e->depth > VM_MAX_ENQUEUE_DEPTH ? CHK_TOO_DEEP : CHK_TOO_MANY);
        fail(e, OUT_OF_RESOURCES);
    }
    if (!e->error && wants_event && !(e->event = vm_device_event_new(c->to->events, false)))
        fail(e, EVENT_ALLOCATION_FAILURE);
    if (e->error) return e->error;
    if (e->event) vm_device_event_hold(c->to->events, e->event);
    for (size_t i = 0; i < e->waits.len; i++) vm_device_event_hold(c->to->events, e->waits.data[i]);
    q->used += VM_ENQUEUED_BYTES;
    c->to->left--;
    c->of->event = e->event;
    vec_push(&c->to->list, e);
    c->of->launch = NULL;
    return 0;
}

static void profile(const struct call *c, uint64_t event, uint64_t p)
{
    if (!vm_device_event_exists(c->to->events, event)) {
        fault(c, CHK_DEVICE_EVENT, 0, CHK_PROFILES);
        return;
    }
    if (vm_is_raw(p)) p = vm_svm_resolve(c->g, p, p);
    const struct vm_object *o = vm_object_of(c->g, p);
    const int64_t at = vm_offset_of(p);
    if ((o->kind != VM_OBJ_BUFFER && o->kind != VM_OBJ_PROGRAM) || !o->base || o->flags & VM_GONE ||
        o->flags & VM_READ_ONLY || at < 0 || (uint64_t)at > o->size || o->size - (uint64_t)at < 16)
        return; // the stores before have reported it
    uint64_t times[2];
    if (vm_device_event_times(c->to->events, event, times))
        memcpy(o->base + at, times, sizeof times);
    else if (c->to->profiled.len < VM_MAX_DEVICE_EVENTS)
        vec_push(&c->to->profiled, ((struct vm_profiled){event, (uint8_t *)o->base + at}));
}

static uint64_t event_part(const struct call *c, enum bc_enqueue part, uint64_t event, uint64_t b)
{
    struct vm_device_events *t = c->to->events;
    bool ok = true;
    enum chk_enqueue_error what = CHK_RETAINS;
    switch (part) {
    case BC_ENQUEUE_USER_EVENT: return vm_device_event_new(t, true);
    case BC_ENQUEUE_IS_EVENT: return vm_device_event_exists(t, event);
    case BC_ENQUEUE_SET_STATUS:
        what = CHK_SETS;
        ok = (int)b <= 0 && vm_device_event_set(t, event, (int)b);
        break;
    case BC_ENQUEUE_RETAIN: ok = vm_device_event_retain(t, event); break;
    default:
        what = CHK_RELEASES;
        ok = vm_device_event_release(t, event);
        break;
    }
    if (!ok) fault(c, CHK_DEVICE_EVENT, 0, what);
    return 0;
}

static uint64_t part(const struct call *c, enum bc_enqueue part, uint64_t a, uint64_t b)
{
    const struct vm_run *run = c->g->worker->run;
    struct vm_enqueued *e = c->of->launch;
    switch (part) {
    case BC_ENQUEUE_BEGIN: begin(c, a, b); return 0;
    case BC_ENQUEUE_NEW_EVENT: return c->of->event;
    case BC_ENQUEUE_PROFILE: profile(c, a, b); return 0;
    case BC_ENQUEUE_QUERY: return a ? vm_sub_group_size(run->l) : c->to->max_items;
    case BC_ENQUEUE_DEFAULT_QUEUE: return c->to->default_queue;
    case BC_ENQUEUE_USER_EVENT:
    case BC_ENQUEUE_SET_STATUS:
    case BC_ENQUEUE_RETAIN:
    case BC_ENQUEUE_RELEASE:
    case BC_ENQUEUE_IS_EVENT: return event_part(c, part, a, b);
    default: break;
    }
    if (!e) return (uint64_t)OUT_OF_RESOURCES; // only in code that is not the library's
    switch (part) {
    case BC_ENQUEUE_QUEUE: set_queue(c, e, a, b); break;
    case BC_ENQUEUE_SIZE: set_size(e, a, b); break;
    case BC_ENQUEUE_CAPTURED: capture(c, e, a, b); break;
    case BC_ENQUEUE_WAIT:
        if (e->waits.len < VM_MAX_DEVICE_EVENTS) vec_push(&e->waits, a);
        else fail(e, INVALID_EVENT_WAIT_LIST);
        break;
    case BC_ENQUEUE_LOCAL:
        if (e->locals.len < BC_MAX_ARGS) vec_push(&e->locals, a);
        else fail(e, OUT_OF_RESOURCES);
        break;
    case BC_ENQUEUE_END: return (uint64_t)end(c, a);
    default: break;
    }
    return 0;
}

const struct vm_insn *vm_op_enqueue(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    struct vm_enqueuer *to = g->worker->run->l->enqueuer;
    if (!g->descriptions) g->descriptions = mem_alloc(g->code->width * sizeof *g->descriptions);
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        const struct call c = {g, ip, i, to, &g->descriptions[i]};
        const uint64_t a = vm_operand_bits(g, q->off[1], q->varying & 2, 3, i),
                       b = vm_operand_bits(g, q->off[2], q->varying & 4, 3, i);
        const bool may = to && !g->worker->trial;
        vm_set_operand(g, q->off[0], true, 3, i,
                       may ? part(&c, (enum bc_enqueue)q->n, a, b) : (uint64_t)OUT_OF_RESOURCES);
    }
    return ip + 1;
}
