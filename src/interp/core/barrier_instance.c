// SPDX-License-Identifier: MIT
// Which lanes wait at the same instance of a barrier, and which instance comes first.
#include "interp/core/barrier_instance.h"

#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/schedule.h"
#include "interp/decode/code.h"

enum { MAX_LOOPS = 8 };

struct vm_lane_ref vm_lane_at(const struct vm_group *grp, uint32_t item)
{
    const uint32_t w = grp->gangs[0]->code->lanes;
    return (struct vm_lane_ref){grp->gangs[item / w], item % w};
}

uint32_t vm_iteration(const struct vm_gang *g, int32_t loop, uint32_t lane)
{
    const struct vm_fn *fn = &g->code->fns[0];
    const uint32_t counter = fn->bc->loops[loop].counter;
    if (counter == BC_NONE) return 0;
    if (!(counter & BC_V)) return *(const uint32_t *)(g->r + fn->uniform_off + 8 * counter);
    return ((const uint32_t *)(g->r + fn->varying_off[counter & ~BC_V]))[lane];
}

bool vm_same_instance(const struct vm_gang *a, uint32_t la, const struct vm_gang *b, uint32_t lb,
                      uint32_t block)
{
    const struct vm_fn *fn = &a->code->fns[0];
    for (int32_t l = fn->blocks[block].loop; l >= 0; l = fn->bc->loops[l].parent)
        if (vm_iteration(a, l, la) != vm_iteration(b, l, lb)) return false;
    return true;
}

/** Lists the loops around a block, outermost first. Returns their number. */
static unsigned loops_around(const struct vm_fn *fn, uint32_t block, int32_t loops[MAX_LOOPS])
{
    unsigned n = 0, depth = 0;
    for (int32_t l = fn->blocks[block].loop; l >= 0; l = fn->bc->loops[l].parent) depth++;
    for (int32_t l = fn->blocks[block].loop; l >= 0; l = fn->bc->loops[l].parent)
        if (--depth < MAX_LOOPS) {
            loops[depth] = l;
            n = n > depth + 1 ? n : depth + 1;
        }
    return n;
}

bool vm_waits_earlier(struct vm_lane_ref x, struct vm_lane_ref y)
{
    const struct vm_fn *fn = &x.g->code->fns[0];
    const uint32_t bx = x.g->parked[x.lane] - 1, by = y.g->parked[y.lane] - 1;
    int32_t lx[MAX_LOOPS], ly[MAX_LOOPS];
    const unsigned nx = loops_around(fn, bx, lx), ny = loops_around(fn, by, ly);
    for (unsigned k = 0; k < nx && k < ny && lx[k] == ly[k]; k++) {
        const uint32_t ix = vm_iteration(x.g, lx[k], x.lane), iy = vm_iteration(y.g, ly[k], y.lane);
        if (ix != iy) return ix < iy;
    }
    return bx < by;
}

void vm_let_go(struct vm_gang *g, uint32_t lane)
{
    vm_frame_pend(g, &g->frames[0], vm_end_of_block(&g->code->fns[0], g->parked[lane] - 1)->ext,
                  lane);
    g->parked[lane] = 0;
    g->nparked--;
    g->state = VM_RUNNING;
}

bool vm_counters_agree(const struct vm_gang *g, uint32_t block)
{
    const struct vm_fn *fn = &g->code->fns[0];
    for (int32_t l = fn->blocks[block].loop; l >= 0; l = fn->bc->loops[l].parent) {
        const uint32_t counter = fn->bc->loops[l].counter;
        if (counter == BC_NONE || !(counter & BC_V)) continue;
        const uint32_t *v = (const uint32_t *)(g->r + fn->varying_off[counter & ~BC_V]);
        uint32_t differ = 0;
        for (uint32_t i = 0; i < g->nlanes; i++) differ |= v[i] ^ v[0];
        if (differ) return false;
    }
    return true;
}
