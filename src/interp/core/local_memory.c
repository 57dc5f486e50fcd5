// SPDX-License-Identifier: MIT
// Between groups only what the last one wrote is cleared: a small group that uses little of a large
// array would otherwise cost the clearing of all of it. Stores note nothing for this. Groups that
// do the same end in the same written-set version (written_sets.h), so the extent of a version is
// found once, by a scan of the shadow.
#include "interp/core/local_memory.h"

#include "base/err.h"
#include "base/mem.h"
#include "interp/core/group.h"
#include "interp/core/memory_object.h"
#include "interp/definedness/undef.h"
#include "interp/definedness/written_sets.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"

#include <stdlib.h>
#include <string.h>

enum { WRITTEN_SETS_FROM = 256 }; // bytes of a local object; smaller ones are scanned as fast

struct err *vm_local_memory_create(struct vm_group *grp)
{
    const struct vm_run *const run = grp->worker->run;
    if (run->local_bytes && !(grp->local_mem = mem_try_alloc(run->local_bytes, 128)))
        return err_new("no memory for %llu bytes of local memory",
                       (unsigned long long)run->local_bytes);
    if (!run->code->undef) return NULL;
    grp->shadows = mem_alloc(run->nobjects * sizeof *grp->shadows);
    if (run->local_bytes && !(grp->local_shadow = mem_try_alloc(run->local_bytes, 128)))
        return err_new("no memory to follow which bytes of local memory are written");
    for (uint32_t id = 1; id < run->nobjects; id++) {
        struct vm_shadow *const s = &grp->shadows[id];
        *s = (struct vm_shadow){.bytes = grp->local_shadow ? grp->local_shadow + run->local_off[id]
                                                           : NULL,
                                .count = &s->own_count};
    }
    return NULL;
}

void vm_local_memory_free(struct vm_group *grp)
{
    for (uint32_t id = 1; grp->shadows && id < grp->worker->run->nobjects; id++)
        free(grp->shadows[id].written_sets);
    free(grp->shadows);
    free(grp->local_mem);
    free(grp->local_shadow);
}

static void clear(struct vm_group *grp, uint64_t from, uint64_t bytes)
{
    memset(grp->local_mem + from, 0, bytes);
    memset(grp->local_shadow + from, VM_NEVER_WRITTEN, bytes);
}

/** The bytes of the object that were written in some copy: from the first to the last. */
static void find_extent(const struct vm_object *o, const uint8_t *shadow, struct vm_extent *extent)
{
    const uint32_t copies = o->copies ? o->copies : 1;
    uint64_t first = o->size, end = 0;
    for (uint32_t k = 0; k < copies; k++, shadow += o->step) {
        for (uint64_t i = 0; i < first; i++)
            if (shadow[i] != VM_NEVER_WRITTEN) first = i;
        for (uint64_t i = o->size; i > end; i--)
            if (shadow[i - 1] != VM_NEVER_WRITTEN) end = i;
    }
    extent->first = first < end ? first : end;
    extent->bytes = end - extent->first;
}

/** The extent of a version that groups ended in before; NULL: not known. */
static const struct vm_extent *extent_of(struct vm_written_sets *all, uint64_t set,
                                         const struct vm_object *o, const uint8_t *shadow)
{
    struct vm_extent *const e = &all->extent[set % VM_EXTENTS];
    if (e->written_set != set) {
        *e = (struct vm_extent){.written_set = set}; // most versions do not recur: no scan yet
        return NULL;
    }
    if (!e->is_known) find_extent(o, shadow, e);
    e->is_known = true;
    return e;
}

static void clear_object(struct vm_group *grp, uint32_t id)
{
    const struct vm_run *const run = grp->worker->run;
    const struct vm_object *const o = &run->objects[id];
    const struct vm_shadow *const s = &grp->shadows[id];
    const uint64_t at = run->local_off[id];
    const uint32_t copies = o->copies ? o->copies : 1;
    const struct vm_extent *e = NULL;
    if (s->written_sets && s->written_set == VM_NOTHING_WRITTEN) return;
    if (s->written_sets && grp->items == run->group_items * run->packed_groups)
        e = extent_of(s->written_sets, s->written_set, o, s->bytes);
    if (!e || e->bytes == o->size) clear(grp, at, o->copies ? (uint64_t)o->step * copies : o->size);
    else
        for (uint32_t k = 0; k < copies; k++)
            clear(grp, at + (uint64_t)k * o->step + e->first, e->bytes);
}

void vm_local_memory_clear(struct vm_group *grp)
{
    const struct vm_run *const run = grp->worker->run;
    if (!grp->local_mem) return;
    if (!grp->local_shadow) {
        memset(grp->local_mem, 0, run->local_bytes);
        return;
    }
    const bool whole = !grp->is_used || run->l->debugger; // a debugger writes without versions
    if (whole) clear(grp, 0, run->local_bytes);
    for (uint32_t id = 1; id < run->nobjects; id++) {
        struct vm_shadow *const s = &grp->shadows[id];
        const struct vm_object *const o = &run->objects[id];
        if (o->kind != VM_OBJ_LOCAL) continue;
        if (!whole) clear_object(grp, id);
        if (!s->written_sets && grp->is_used && o->size >= WRITTEN_SETS_FROM) {
            s->written_sets = mem_alloc(sizeof *s->written_sets);
            s->written_sets->made = VM_NOTHING_WRITTEN;
        }
        s->written_set = VM_NOTHING_WRITTEN;
    }
}
