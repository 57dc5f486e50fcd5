// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[64]=iota --arg=int[4]=0 --arg=uint[1]=0 --arg=int[1]=0
// DUMP 3: [sum(range(0, 64, 16))]
// SAYS: ordered only by relaxed atomics on global memory
// As OpenCL 1.2 code does it; the specification does not promise it.
kernel void reduce(global const int *in, global int *part, volatile global uint *count, global int *out)
{
    if (get_local_id(0))
        return;
    part[get_group_id(0)] = in[get_global_id(0)]; // EXPECT missing-fence 'part'
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atomic_inc(count) == get_num_groups(0) - 1) {
        int sum = 0;
        for (int i = 0; i < 4; i++)
            sum += part[i]; // OTHER missing-fence
        out[0] = sum;
    }
}
