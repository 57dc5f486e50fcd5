// SPDX-License-Identifier: MIT
// NOT-NATIVE
// RUN: --global=1 --local=1 --arg=int[32]=0 --arg=int=8 --build-options=-cl-std=CL3.0
// DUMP 0: [sum(range(i // 8 * 8, i // 8 * 8 + 8)) + i % 8 for i in range(32)]
// Local memory as arguments of a block, of two sizes, with a barrier.
kernel void k(global int *p, int n)
{
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(32, n),
                   ^(local void *a, local void *b) {
                       local int *sum = a, *own = b;
                       own[get_local_id(0)] = get_global_id(0);
                       barrier(CLK_LOCAL_MEM_FENCE);
                       if (get_local_id(0) == 0) {
                           *sum = 0;
                           for (int i = 0; i < n; i++) *sum += own[i];
                       }
                       barrier(CLK_LOCAL_MEM_FENCE);
                       p[get_global_id(0)] = *sum + get_local_id(0);
                   },
                   (uint)sizeof(int), (uint)(n * sizeof(int)));
}
