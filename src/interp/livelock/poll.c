// SPDX-License-Identifier: MIT
// The checks of a gang at each backward jump: cancellation, limits, progress, livelock.
#include "interp/livelock/poll.h"

#include "interp/core/gang.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/livelock/gang_livelock.h"
#include "interp/vm.h"

bool vm_poll(struct vm_gang *g)
{
    struct vm_run *run = g->worker->run;
    const struct vm_launch *l = run->l;
    if (g->worker->trial) return false;
    if ((l->cancel && *l->cancel) || (l->cut && *l->cut))
        atomic_store_explicit(&run->stopped, VM_STOP_CANCEL, memory_order_relaxed);
    if (l->instruction_limit) {
        const uint64_t more = g->lane_insns - g->counted;
        g->counted = g->lane_insns;
        if (atomic_fetch_add_explicit(&run->spent, more, memory_order_relaxed) + more >
            l->instruction_limit)
            atomic_store_explicit(&run->stopped, VM_STOP_LIMIT, memory_order_relaxed);
    }
    vm_progress(g->worker);
    if (g->insns >= g->livelock.look_at && vm_gang_is_livelocked(g)) {
        g->stop = true;
        return true;
    }
    if (!atomic_load_explicit(&run->stopped, memory_order_relaxed)) return false;
    g->stop = true;
    return true;
}
