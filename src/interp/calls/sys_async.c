// SPDX-License-Identifier: MIT
// async_work_group_copy. The work-items share the elements, and the whole copy is done at once: one
// of the orders in which a device may do it. The race check knows the copies in flight and reports
// accesses that conflict with them (race/copies_in_flight.c).
#include "interp/calls/async_copies.h"
#include "interp/calls/sys.h"
#include "interp/core/call_paths.h"
#include "interp/core/collective_args.h"
#include "interp/core/fault.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_access.h"
#include "interp/core/lane_operand.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

static uint64_t advance(uint64_t p, uint64_t bytes)
{
    const uint64_t low = p & VM_PTR_MASK, room = VM_PTR_MASK - low; // saturates within its object
                                                                    // id
    return (p & ~VM_PTR_MASK) | (low + (bytes < room ? bytes : room));
}

static uint64_t argument(struct vm_gang *g, const struct vm_async *q, unsigned k, uint32_t lane)
{
    return vm_operand_bits(g, q->arg[k], q->varying >> k & 1, 3, lane);
}

static void compare_arguments(struct vm_gang *g, const struct vm_insn *ip)
{
    static const enum chk_argument_kind kinds[] = {CHK_ARG_TO, CHK_ARG_FROM, CHK_ARG_COUNT,
                                                   CHK_ARG_STRIDE, CHK_ARG_EVENT};
    const struct vm_async *q = ip->p;
    vm_check_collective_args(g, ip,
                             &(struct vm_collective_args){.kind = BC_BAR_ASYNC_COPY,
                                                          .n = 5,
                                                          .kinds = kinds,
                                                          .off = q->arg,
                                                          .elog = 3,
                                                          .varying = q->varying});
}

// ---- copies in flight

/**
 * One side of a copy for the race check, without elements out of bounds, which were reported
 * before.
 */
static struct race_copy_side race_side(const struct vm_group *grp, const struct vm_copy *c,
                                       const struct vm_copy_side *s)
{
    const struct vm_object *o = &grp->gangs[0]->objects[s->object];
    struct race_copy_side out = {.site = s->number,
                                 .object = s->object,
                                 .size = (unsigned)c->elem,
                                 .offset = s->offset,
                                 .step = c->elem,
                                 .count = c->count};
    if (!(o->flags & (VM_WATCH_LOCAL | VM_WATCH_GLOBAL)) || c->elem > o->size ||
        s->offset > o->size - c->elem)
        out.count = 0;
    if (out.count > 1 && s->step) out.step = s->step;
    else if (out.count) out.count = 1;
    const uint64_t fit = out.count ? (o->size - c->elem - s->offset) / out.step + 1 : 0;
    if (out.count > fit) out.count = fit;
    if (!out.count) out.object = 0; // possibly none
    return out;
}

static struct race_copy race_copy_of(const struct vm_group *grp, const struct vm_copy *c)
{
    return (struct race_copy){c->serial, grp->items, race_side(grp, c, &c->from),
                              race_side(grp, c, &c->to)};
}

static void note_touched(const struct vm_group *grp, const struct race_copy_side *s, bool is_write)
{
    const struct vm_object *o = &grp->gangs[0]->objects[s->object];
    if (!s->count || !o->touched) return;
    uint8_t *const to = vm_touched_bytes(o, VM_TOUCH_READ + is_write) + s->offset;
    for (uint64_t k = 0; k < s->count; k++) memset(to + k * s->step, 1, s->size);
}

static struct vm_copy_side side_of(struct vm_gang *g, uint64_t p, uint32_t site, uint64_t step)
{
    const struct vm_object *o = vm_object_of(g, p);
    const int64_t at = vm_offset_of(p);
    if (at < 0 || (uint64_t)at > o->size)
        return (struct vm_copy_side){g->nobjects, site, vm_race_site(g, site), 0, step};
    return (struct vm_copy_side){(uint32_t)(o - g->objects), site, vm_race_site(g, site),
                                 (uint64_t)at, step};
}

static void keep(struct vm_group *grp, const struct vm_copy *c)
{
    grp->drops_copies |= grp->copies.len >= RACE_MAX_COPIES;
    if (grp->copies.len < RACE_MAX_COPIES) vec_push(&grp->copies, *c);
    else
        for (size_t i = grp->copies.len; i-- > 0;)
            if (grp->copies.data[i].src == c->src) {
                grp->copies.data[i].more++;
                break;
            }
}

/** Begins the gang's next copy; the first gang that arrives defines it. */
static void begin(struct vm_gang *g, const struct vm_copy *c)
{
    struct vm_group *grp = g->group;
    if (++g->ncopied <= grp->ncopied) return;
    grp->ncopied = g->ncopied;
    keep(grp, c);
    const struct race_copy copy = race_copy_of(grp, c);
    note_touched(grp, &copy.from, false);
    note_touched(grp, &copy.to, true);
    vm_writers_copy(grp, &copy.to);
    if (grp->race) race_copy_begin(grp->race, &copy);
}

/**
 * Reports wrong events. All work-items wait with the same events, so divergence is not the cause.
 */
static void report_wrong_event(struct vm_group *grp)
{
    const struct vm_wrong_event w = grp->wrong_event;
    grp->wrong_event.count = 0;
    if (!w.count || grp->diverged || grp->events_differ) return;
    struct vm_fault_run run = {0};
    vm_fault_lane(w.gang, &run, w.lane,
                  &(struct chk_fault){.kind = CHK_EVENT,
                                      .site = w.src->site,
                                      .insn = w.src,
                                      .detail.was_waited_for = w.waited});
    run.count = w.count;
    vm_fault_end(w.gang, &run);
}

void vm_copies_end(struct vm_group *grp)
{
    size_t n = 0;
    report_wrong_event(grp);
    for (size_t i = 0; i < grp->copies.len; i++) {
        const struct vm_copy *c = &grp->copies.data[i];
        if (!c->ends) grp->copies.data[n++] = *c;
        else if (grp->race) race_copy_end(grp->race, c->serial);
    }
    grp->copies.len = n;
}

void vm_copies_restored(struct vm_group *grp)
{
    if (!grp->race || !grp->worker->run->code->copies) return;
    race_copies_forget(grp->race);
    for (size_t i = 0; i < grp->copies.len; i++) {
        const struct race_copy copy = race_copy_of(grp, &grp->copies.data[i]);
        race_copy_goes_on(grp->race, &copy);
    }
}

void vm_copies_left(struct vm_group *grp)
{
    if (grp->diverged) return; // the divergence was reported
    for (size_t i = 0; i < grp->copies.len; i++) {
        const struct vm_copy *c = &grp->copies.data[i];
        struct vm_fault_run run = {0};
        vm_fault_lane(
            grp->gangs[0], &run, 0,
            &(struct chk_fault){.kind = CHK_NOT_WAITED,
                                .site = c->to.site,
                                .object = c->to.object,
                                .insn = c->src,
                                .detail.access = {(int64_t)c->to.offset, c->count * c->elem}});
        run.count += c->more;
        vm_fault_end(grp->gangs[0], &run);
    }
}

/**
 * The copies of an event end at the barrier that follows. An event without a copy in flight is an
 * error.
 */
static void wait_for(struct vm_gang *g, const struct bc_insn *src, uint32_t lane, uint64_t event)
{
    struct vm_group *grp = g->group;
    bool found = false;
    for (size_t c = 0; c < grp->copies.len; c++) {
        if (grp->copies.data[c].event != event) continue;
        grp->copies.data[c].ends = found = true;
    }
    struct vm_wrong_event *w = &grp->wrong_event;
    if (found || grp->diverged || grp->events_differ || grp->drops_copies) return;
    if (!w->count++ || g->first_item + lane < w->gang->first_item + w->lane)
        w->gang = g, w->lane = lane, w->src = src, w->waited = event && event <= g->ncopied;
}

const struct vm_insn *vm_op_wait_events(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_operands *q = ip->p;
    struct vm_range_operand rd = {.insn = ip->src, .site = ip->src->site};
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        const uint64_t list = vm_operand_bits(g, q->off[1], q->varying & 2, 3, i);
        const uint32_t n = (uint32_t)vm_operand_bits(g, q->off[3], q->varying & 8, 2, i);
        uint64_t all = 0; // a sum: work-items may have the same events in another order
        for (uint32_t k = 0; k < n; k++) {
            const struct vm_lane_range r = vm_check_range(g, &rd, i, advance(list, 8ull * k), 8);
            if (!r.o) break;
            const uint64_t event = vm_lane_read(g, r.o, i, r.at, 8);
            wait_for(g, ip->src, i, event);
            all += n == 1 ? event : hash_bytes(&event, sizeof event, 1);
        }
        vm_set_operand(g, q->off[0], true, 2, i, (uint32_t)all << 8 | (n & 0xff));
    }
    vm_fault_end(g, &rd.faults);
    return ip + 1;
}

// ---- the copy itself
/** A lane's side of a copy: the pointer, and the distance of its elements in bytes. */
struct side {
    struct vm_range_operand q;
    uint64_t p, step;
};

/** Element k of the side. */
static struct vm_lane_range element_of(struct vm_gang *g, struct side *s, uint32_t lane, uint64_t k,
                                       uint32_t size)
{
    uint64_t bytes;
    if (__builtin_mul_overflow(k, s->step, &bytes)) bytes = UINT64_MAX;
    return vm_check_range(g, &s->q, lane, advance(s->p, bytes), size);
}

const struct vm_insn *vm_op_async_copy(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_async *q = ip->p;
    struct side from = {.q = {.insn = ip->src, .site = q->read_site}},
                to = {.q = {.insn = ip->src, .site = q->write_site, .is_write = true}};
    const uint32_t items = g->group->items;
    bool begun = false;
    compare_arguments(g, ip);
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        const uint64_t count = argument(g, q, 2, i);
        const uint64_t stride = q->has_stride ? argument(g, q, 3, i) : 1,
                       joins = q->has_event ? argument(g, q, 4, i) : 0;
        to.p = argument(g, q, 0, i);
        from.p = argument(g, q, 1, i);
        to.step = (q->has_stride && q->stride_is_to ? stride : 1) * q->elem;
        from.step = (q->has_stride && !q->stride_is_to ? stride : 1) * q->elem;
        if (!begun) {
            const uint32_t serial = g->ncopied + 1;
            begin(g, &(struct vm_copy){.src = ip->src,
                                       .event = joins ? joins : serial,
                                       .serial = serial,
                                       .from = side_of(g, from.p, q->read_site, from.step),
                                       .to = side_of(g, to.p, q->write_site, to.step),
                                       .count = count,
                                       .elem = q->elem});
            begun = true;
        }
        if (q->has_dst)
            vm_set_operand(g, q->dst, q->varying >> 5 & 1, 3, i, joins ? joins : g->ncopied);
        uint64_t failures = 0;
        for (uint64_t k = g->first_item + i; k < count; k += items) {
            const struct vm_lane_range read = element_of(g, &from, i, k, q->elem),
                                       written = element_of(g, &to, i, k, q->elem);
            if (written.o) vm_move_range(g, &written, &read);
            if ((!read.o || !written.o) && ++failures == 1024)
                break; // a wild count: the rest would fail, too
        }
    }
    vm_fault_end(g, &from.q.faults);
    vm_fault_end(g, &to.q.faults);
    return ip + 1;
}
