// SPDX-License-Identifier: MIT
// RUN: --global=23 --local=8 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// RUN: --global=9 --local=8 --build-options=-cl-std=CL2.0 --arg=int[9]=iota
// RUN: --global=26 --local=5 --build-options=-cl-std=CL2.0 --arg=int[26]=iota
// DUMP 0: by_group(lambda g: [g[(j + len(g) - 1) % len(g)] + L - len(g) for j in range(len(g))])
// As many turns as the group has work-items, and one barrier more in a group that is not whole.
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), x = a[i];
    for (int k = 0; k + 1 < n; k++) {
        t[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = t[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (n != get_enqueued_local_size(0)) {
        barrier(CLK_LOCAL_MEM_FENCE);
        x += get_enqueued_local_size(0) - n;
    }
    a[i] = x;
}
