// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --sub-group-size=8 --build-options=-cl-std=CL3.0 --arg=int[16]=0 --arg=int=0
// RUN: --global=64 --local=32 --sub-group-size=16 --build-options=-cl-std=CL3.0 --arg=int[64]=0 --arg=int=0
// A ballot's bits are as initialized as the values that the work-items vote with; one byte belongs to no work-item.
kernel void none(global int *out, int n)
{
    local int seen[32];
    const int l = get_local_id(0);
    int t, parts = 0;
    if (l == 0) seen[5] = n;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (sub_group_ballot(t == n).x & 4) parts += 1;        // EXPECT uninitialized-read
    if (sub_group_ballot(seen[l / 16 + 6] == n).x) parts += 2; // EXPECT uninitialized-read
    if (sub_group_ballot(seen[5] == n).x & 4) parts += 4;  // (all have it)
    if (sub_group_ballot(get_sub_group_local_id() < 8 && seen[l / 16 + 6] == n).x & 1 << 9) parts += 8; // of the others
    out[get_global_id(0)] = parts & 0xc;
}
