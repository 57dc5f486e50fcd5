// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[64]=iota --arg=int[4]=0 --arg=uint[1]=0 --arg=int[1]=0
// SAYS: atomics do not order them: atomic_… of OpenCL 1.x order no other memory
kernel void reduce(global const int *in, global int *part, volatile global uint *count, global int *out)
{
    if (get_local_id(0))
        return;
    part[get_group_id(0)] = in[get_global_id(0)]; // EXPECT data-race 'part'
    if (atomic_inc(count) == get_num_groups(0) - 1) {
        int sum = 0;
        for (int i = 0; i < 4; i++)
            sum += part[i]; // OTHER data-race
        out[0] = sum;
    }
}
