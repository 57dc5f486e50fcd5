// SPDX-License-Identifier: MIT
// Pointers to local memory are stored in local and global memory and used by the same work-group.
// RUN: --global=64 --local=16 --arg=int[64]=0 --arg=ulong[4]=0 --arg=local:int[16]
// RUN: --global=8 --local=2 --arg=int[8]=0 --arg=ulong[4]=0 --arg=local:int[2]
// RUN: --global=64 --local=16 --arg=int[64]=0 --arg=ulong[4]=0 --arg=local:int[16] --build-options=-cl-std=CL2.0
// DUMP 0: [2 * (i % L) + (L - 1 - i % L) + 5 for i in range(N)]
struct view {
    local int *data;
    int n;
};
kernel void k(global int *o, global ulong *numbers, local int *tile)
{
    local int row[16];
    local int *local head;
    local struct view view;
    const int l = get_local_id(0), g = get_group_id(0), n = get_local_size(0);
    row[l] = l;
    tile[l] = l;
    if (l == 0) {
        head = row;
        view.data = tile;
        view.n = n;
        numbers[g] = (ulong)(row + n - 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    struct view v = view;
    int r = head[l] + v.data[l];
    local int *end = (local int *)numbers[g];
    r += end[-l];
    r += end - head == n - 1;
    r += head == row && end > head;
    r += v.data == tile && v.data != row;
    r += (ulong)row == (ulong)head;
    r += end == &row[v.n - 1];
    o[get_global_id(0)] = r;
}
