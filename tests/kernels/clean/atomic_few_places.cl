// SPDX-License-Identifier: MIT
// RUN: --global=192 --local=64 --arg=int[40]=0
// DUMP 0: [x for k in range(5) for s in [[i for i in range(192) if i % 3 and i % 5 == k]] for x in (sum(s), -len(s), max(s), min(s) - 500, list(itertools.accumulate(s, lambda a, b: a | b))[-1], sum(s) * 3, max(s), len(s))]
// Under a varying condition, at places that some work-items share; in global memory and by way of local memory.
kernel void few_places(global int *out)
{
    local int sum[5], most[5];
    int i = get_global_id(0), lid = get_local_id(0), k = i % 5;
    if (lid < 5) sum[lid] = most[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i % 3) {
        atomic_add(&out[k * 8], i);
        atomic_dec(&out[k * 8 + 1]);
        atomic_max(&out[k * 8 + 2], i);
        atomic_min(&out[k * 8 + 3], i - 500);
        atomic_or(&out[k * 8 + 4], i);
        atomic_add(&sum[k], 3 * i);
        atomic_max(&most[k], i);
        atomic_inc(&out[k * 8 + 7]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 5) {
        atomic_add(&out[lid * 8 + 5], sum[lid]);
        atomic_max(&out[lid * 8 + 6], most[lid]);
    }
}
