// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0 --build-options=-cl-std=CL2.0
kernel void k(global int *out)
{
    local int data, flag;
    const int l = get_local_id(0);
    if (l == 0) data = flag = 0;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 3) {
        data = 42;
        flag = 1; // EXPECT data-race 'flag'
    }
    if (l > 3 && flag == 2) out[l] = data; // OTHER data-race
}
