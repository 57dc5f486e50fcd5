// SPDX-License-Identifier: MIT
// Shared virtual memory: pointers that are host addresses, as the host stores them in memory. Their
// upper bits are 0 instead of an object id. At its use, such a pointer is looked up among the
// allocations of the launch, including freed ones, and continues as a pointer into that allocation.
// The vectorized paths reject these pointers, so the access goes lane by lane.
#include "interp/core/host_address.h"

#include "interp/core/gang.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

static uint32_t svm_id(const struct vm_run *run, uint32_t i)
{
    return run->nobjects - run->l->ngone - run->l->nsvm + i;
}

// The allocation that contains the address or ends at it.
static const struct vm_buffer *find(const struct vm_launch *l, uint64_t p)
{
    uint32_t lo = 0, hi = l->nsvm;
    while (lo < hi) { // binary search: the last one that begins at or before p
        const uint32_t mid = (lo + hi) / 2;
        if (l->svm[mid].address <= p) lo = mid + 1;
        else hi = mid;
    }
    if (!lo) return NULL;
    const struct vm_buffer *b = &l->svm[lo - 1];
    return p - b->address <= b->root_size ? b : NULL;
}

uint64_t vm_svm_resolve(struct vm_gang *g, uint64_t p, uint64_t used_at)
{
    const struct vm_run *run = g->worker->run;
    const struct vm_buffer *b = find(run->l, p);
    if (!b) b = find(run->l, used_at);
    for (uint32_t i = 0; !b && i < run->l->ngone; i++)
        if (p - run->l->gone[i].address < run->l->gone[i].size)
            return BC_PTR(run->nobjects - run->l->ngone + i, p - run->l->gone[i].address);
    if (!b) return p;
    return BC_PTR(svm_id(run, (uint32_t)(b - run->l->svm)), p - b->address);
}
