// SPDX-License-Identifier: MIT
// RUN: --kernel=groups --global=32 --local=8 --arg=int[32]=0
// DUMP 0: [(7 - i % 8 if i // 8 % 2 else i % 8) for i in range(32)]
kernel void groups(global int *out)
{
    local int t[8];
    int l = get_local_id(0);
    t[l] = l;
    int v = l;
    if (get_group_id(0) & 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        v = t[7 - l];
    }
    out[get_global_id(0)] = v;
}
