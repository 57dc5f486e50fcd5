// SPDX-License-Identifier: MIT
// Lanes as work-items: their ids in the launch, and their call stacks.
#include "interp/core/lane_identity.h"

#include "interp/core/compaction.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"

struct chk_item vm_item_of(const struct vm_gang *g, uint32_t lane)
{
    const uint32_t item = g->first_item + vm_lane_of(g, lane), items = g->worker->run->group_items;
    return (struct chk_item){g->group->pack + item / items, item % items};
}

unsigned vm_calls_of(const struct vm_gang *g, uint32_t calls[CHK_MAX_CALLS])
{
    unsigned n = 0;
    for (const struct vm_frame *f = g->frame; f->caller && n < CHK_MAX_CALLS; f = f->caller)
        calls[n++] = f->call->loc;
    return n;
}
