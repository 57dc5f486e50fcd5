// SPDX-License-Identifier: MIT
// RUN: --global=20 --local=8 --arg=float[20]=iota --arg=float[20]=0 --arg=int=20 --build-options=-cl-std=CL2.0
// The size of a full group instead of this one's.
kernel void k(global const float *x, global float *out, int n)
{
    local float t[10];
    const int l = get_local_id(0), g = get_global_id(0), size = get_enqueued_local_size(0);
    t[l + 1] = x[g];
    if (l == 0) t[0] = g ? x[g - 1] : 0;
    if (l == size - 1) t[size + 1] = g + 1 < n ? x[g + 1] : 0;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = t[l] + t[l + 1] + t[l + 2]; // EXPECT uninitialized-read 't'
}
