// SPDX-License-Identifier: MIT
// Fences of read-write images: see image_fences.h.
#include "interp/images/image_fences.h"

#include "base/mem.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"

#include <stdlib.h>

static uint32_t most_items(const struct vm_group *grp)
{
    return grp->worker->run->packed_groups * grp->worker->run->group_items;
}

void vm_image_fences_deinit(struct vm_image_fences *f)
{
    map_deinit(&f->writers);
    free(f->fences);
}

static uint64_t writer_of(const struct vm_image_fences *f, uint32_t item)
{
    return (uint64_t)f->fences[item] << 32 | (item + 1);
}

void vm_image_writes(struct vm_gang *g, uint32_t lane, const void *pixel)
{
    struct vm_image_fences *f = &g->group->image_fences;
    if (!f->fences) f->fences = mem_alloc(most_items(g->group) * sizeof *f->fences);
    *map_put(&f->writers, (uint64_t)(uintptr_t)pixel, NULL) = writer_of(f, g->first_item + lane);
}

bool vm_image_is_unfenced(const struct vm_gang *g, uint32_t lane, const void *pixel)
{
    const struct vm_image_fences *f = &g->group->image_fences;
    const uint64_t *by = map_get(&f->writers, (uint64_t)(uintptr_t)pixel);
    return by && *by == writer_of(f, g->first_item + lane);
}

void vm_image_fence(struct vm_gang *g)
{
    struct vm_image_fences *f = &g->group->image_fences;
    for (uint32_t i = 0; f->fences && i < g->nlanes; i++)
        f->fences[g->first_item + i] += g->mask[i] != 0;
}
