// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[64]=iota --arg=int[64]=0 --arg=uint[1]=0 --arg=int[1]=0
// DUMP 3: [2 * sum(range(64))]
// The barrier in front of the counter stands in for the fence: no promise, either.
kernel void reduce(global const int *in, global int *part, volatile global uint *count, global int *out)
{
    local uint ticket;
    int lid = get_local_id(0);
    part[get_global_id(0)] = 2 * in[get_global_id(0)]; // EXPECT missing-fence 'part'
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (lid == 0)
        ticket = atomic_inc(count);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (ticket == 3 && lid == 0) {
        int sum = 0;
        for (int i = 0; i < 64; i++)
            sum += part[i]; // OTHER missing-fence
        out[0] = sum;
    }
}
