// SPDX-License-Identifier: MIT
// The last writers of elements, for pictures of faults.
//
// The race check forgets the stores to local memory of an interval without conflicts, so these are
// recorded here: a number for each cell. It is that of the work-item in its pack, from 1, or one of
// two larger ones, added to a base that is raised when groups begin, so that nothing is cleared.
#include "interp/core/last_writers.h"

#include "base/mem.h"
#include "interp/core/fault.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_identity.h"
#include "interp/definedness/undef.h"
#include "interp/launch/launch_objects.h"
#include "interp/launch/race_setup.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"

#include <stdlib.h>
#include <string.h>

enum number { BY_NONE, BY_FIRST }; // of the first work-item
static uint32_t items_of(const struct vm_run *run) { return run->group_items * run->packed_groups; }
static uint32_t by_copy(const struct vm_run *run) { return items_of(run) + BY_FIRST; }
static uint32_t by_several(const struct vm_run *run) { return items_of(run) + BY_FIRST + 1; }

void vm_writers_create(struct vm_group *grp)
{
    const struct vm_run *const run = grp->worker->run;
    struct vm_last_writers *const w = &grp->writers;
    if (!run->l->names_writers || !run->race || !run->local_bytes || run->code->synchronizes ||
        run->l->debugger)
        return;
    w->shift = (unsigned)__builtin_ctz(vm_race_granularity(run, true));
    w->ncells = (run->local_bytes >> w->shift) + 1;
    w->cells = mem_try_alloc(w->ncells * sizeof *w->cells, 64); // (without: they are not known)
}

void vm_writers_free(struct vm_group *grp) { free(grp->writers.cells); }

void vm_writers_clear(struct vm_group *grp)
{
    struct vm_last_writers *const w = &grp->writers;
    if (!w->cells) return;
    const uint32_t step = by_several(grp->worker->run);
    if (w->base > UINT32_MAX - 2 * step) {
        memset(w->cells, 0, w->ncells * sizeof *w->cells);
        w->base = 0;
    } else if (grp->is_used) {
        w->base += step;
    }
}

/** Sets the cells of the bytes; parts of cells do not have a single writer. */
static void set(const struct vm_last_writers *w, uint64_t at, uint64_t size, uint32_t number,
                uint32_t several)
{
    const uint64_t part = (1u << w->shift) - 1;
    const uint32_t value = w->base + ((at | size) & part ? several : number);
    for (uint64_t cell = at >> w->shift; cell << w->shift < at + size && cell < w->ncells; cell++)
        w->cells[cell] = value;
}

void vm_writers_note(struct vm_gang *g, const struct vm_object *o, const struct race_op *op)
{
    const struct vm_last_writers *const w = &g->group->writers;
    const struct vm_run *const run = g->worker->run;
    if (!w->cells || !op->is_write || !(o->flags & VM_WATCH_LOCAL)) return;
    const uint64_t base = run->local_off[o - g->objects];
    const uint32_t several = by_several(run), first = op->first_item - g->first_item;
    if (op->shape == RACE_CONTIGUOUS && op->size == 1u << w->shift && !g->is_compacted &&
        !((base + op->offset0) & (op->size - 1))) {
        uint32_t *const cells = w->cells + ((base + op->offset0) >> w->shift);
        for (uint32_t i = 0; i < op->n; i++) cells[i] = w->base + BY_FIRST + op->first_item + i;
        return;
    }
    uint32_t nth = 0;
    for (uint32_t i = 0; i < op->n; i++) {
        if (op->mask && !op->mask[i]) continue;
        const struct chk_item item = vm_item_of(g, first + i);
        const uint32_t number = (uint32_t)(item.group - g->group->pack) * run->group_items +
                                item.item + BY_FIRST;
        const bool again = op->shape == RACE_UNIFORM && nth++;
        set(w, base + race_offset_of(op, i), op->size, again ? several : number, several);
    }
}

void vm_writers_copy(struct vm_group *grp, const struct race_copy_side *to)
{
    const struct vm_run *const run = grp->worker->run;
    if (!grp->writers.cells || !to->object || run->objects[to->object].kind != VM_OBJ_LOCAL) return;
    for (uint64_t i = 0; i < to->count; i++)
        set(&grp->writers, run->local_off[to->object] + to->offset + i * to->step, to->size,
            by_copy(run), by_several(run));
}

// ---- for reports
/** The definedness of the bytes if no work-item of this launch is known to have written them. */
static enum chk_by unwritten(const struct vm_shadow *s, uint64_t at, uint64_t size)
{
    bool is_never = s && s->bytes && *s->count;
    for (uint64_t i = 0; is_never && i < size; i++)
        is_never = (s->bytes[at + i] ^ s->flip) == VM_NEVER_WRITTEN;
    return is_never ? CHK_NEVER : CHK_BEFORE;
}

/** The last writer of an element at `at` of local memory of this group. */
static struct chk_written written(const struct vm_group *grp, uint64_t at, uint64_t size)
{
    const struct vm_last_writers *const w = &grp->writers;
    const struct vm_run *const run = grp->worker->run;
    const uint32_t *const cell = w->cells + (at >> w->shift);
    const uint32_t number = *cell > w->base ? *cell - w->base : BY_NONE;
    for (uint64_t i = 1; i << w->shift < size; i++)
        if ((cell[i] > w->base ? cell[i] - w->base : BY_NONE) != number)
            return (struct chk_written){.by = CHK_MIXED};
    if (number == BY_NONE) return (struct chk_written){.by = CHK_NEVER};
    if (number >= by_copy(run))
        return (struct chk_written){.by = number == by_copy(run) ? CHK_BY_COPY : CHK_MIXED};
    const uint32_t item = number - BY_FIRST;
    return (struct chk_written){CHK_BY_ITEM,
                                {grp->pack + item / run->group_items, item % run->group_items}};
}

/** Fills in the record from the local memory of a running group. */
static void fill(const struct vm_group *grp, struct vm_fault_record *r, uint32_t object)
{
    const struct vm_run *const run = grp->worker->run;
    const struct vm_object *const o = &run->objects[object];
    const uint64_t copy = o->step ? (r->item.group - grp->linear) * o->step : 0;
    chk_writers_choose(&r->writers, &r->run.fault, o->size, 1u << grp->writers.shift);
    for (uint32_t i = 0; i < r->writers.n; i++)
        r->writers.of[i] =
            written(grp, run->local_off[object] + copy + r->writers.first + i * r->writers.unit,
                    r->writers.unit);
}

static bool is_local(const struct vm_run *run, const struct vm_fault_record *r)
{
    const uint32_t id = r->run.fault.object;
    return id && id < run->nobjects && run->objects[id].kind == VM_OBJ_LOCAL;
}

void vm_writers_at_fault(struct vm_gang *g, struct vm_fault_record *r)
{
    r->writers.n = 0;
    if (!g->group->writers.cells || !is_local(g->worker->run, r)) return;
    if (r->run.fault.kind >= CHK_UNDEF_BRANCH) fill(g->group, r, r->run.fault.object);
    else g->worker->wants_writers |= r->run.fault.kind == CHK_BOUNDS;
}

void vm_writers_at_end(struct vm_group *grp)
{
    struct vm_worker *const w = grp->worker;
    w->wants_writers = w->ncontexts > 1; // other groups are running
    for (struct vm_fault_record *r = w->fault_list; r; r = r->next)
        if (r->run.fault.kind == CHK_BOUNDS && is_local(w->run, r) &&
            r->item.group - grp->linear < grp->ngroups)
            fill(grp, r, r->run.fault.object);
}

/** Chooses elements of global memory, if they are to be shown: w->n. */
static const struct vm_object *choose(const struct vm_run *run, const struct vm_fault_record *r,
                                      struct chk_writers *w)
{
    const uint32_t id = r->run.fault.object;
    *w = r->writers;
    if (w->n || !run->l->names_writers || !id || id >= run->nobjects || run->l->debugger)
        return NULL;
    const struct vm_object *const o = &run->objects[id];
    if (o->kind != VM_OBJ_BUFFER && o->kind != VM_OBJ_PROGRAM) return NULL;
    chk_writers_choose(w, &r->run.fault, o->size, 1);
    w->at_access = false;
    return o;
}

static bool is_only_read(const struct vm_run *run, const struct vm_object *o)
{
    const uint32_t arg = (uint32_t)(o - run->objects) - run->code->module->nobjects - 1;
    return o->kind == VM_OBJ_BUFFER && arg < vm_nargs(run->l) &&
           !vm_root_is_written(run, run->l->args[arg].buffer.root);
}

bool vm_writers_may_be_elsewhere(const struct vm_run *run, const struct vm_fault_record *r)
{
    struct chk_writers w;
    const struct vm_object *const o = choose(run, r, &w);
    return o && w.n && !is_only_read(run, o);
}

struct chk_writers vm_writers_of(const struct vm_run *run, const struct vm_fault_record *r)
{
    struct chk_writers w;
    const struct vm_object *const o = choose(run, r, &w);
    if (!o) return w;
    const bool is_read = is_only_read(run, o);
    const unsigned id = (unsigned)(o - run->objects);
    for (uint32_t i = 0; i < w.n; i++) {
        const uint64_t at = w.first + i * w.unit;
        struct race_last_writer x = {.is = is_read ? RACE_LAST_NONE : RACE_LAST_UNKNOWN};
        if (!is_read && run->race && !__atomic_load_n(&run->was_taken_over, __ATOMIC_RELAXED))
            x = race_last_writer(run->race, id, at, w.unit);
        w.of[i].by = x.is == RACE_LAST_NONE    ? unwritten(o->shadow, at, w.unit)
                     : x.is == RACE_LAST_ITEM  ? CHK_BY_ITEM
                     : x.is == RACE_LAST_MIXED ? CHK_MIXED
                                               : CHK_BY_UNKNOWN;
        w.of[i].item = (struct chk_item){x.group, x.item};
    }
    return w;
}
