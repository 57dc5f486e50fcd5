// SPDX-License-Identifier: MIT
// Statistics of workers, and the cost of measuring them.
#include "interp/launch/counters.h"

#include "interp/vm.h"

void vm_stats_add(struct vm_stats *to, const struct vm_stats *s)
{
    to->insns += s->insns;
    to->lane_insns += s->lane_insns;
    to->slots += s->slots;
    to->groups += s->groups;
    to->cpu_ns += s->cpu_ns;
    to->race_ns += s->race_ns;
    for (int k = 0; k < VM_COUNT_SPACES; k++)
        for (int c = 0; c < VM_CLASSES; c++) to->accesses[k][c] += s->accesses[k][c];
}

uint64_t vm_clock_cost(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 8; i++) {
        const uint64_t begin = vm_clock_ns(CLOCK_THREAD_CPUTIME_ID),
                       t = vm_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
        if (t < least) least = t;
    }
    return least;
}
