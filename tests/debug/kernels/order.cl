// SPDX-License-Identifier: MIT
// The outcome of these depends on the order in which the work-items run.
kernel void loopappend(global int *o, int n)
{
    int s = get_global_id(0), at = 0;
    for (int k = 0; k < n; k++) {
        s = s * 1664525 + 1013904223;
        if ((s >> 16 & 255) == 0) at = at * 31 + atomic_inc(&o[0]);
    }
    o[1 + get_global_id(0)] = at;
}
kernel void work(global int *o, int n)
{
    int i, at = 0;
    while ((i = atomic_inc(&o[0])) < n * 16) at = at * 3 + i;
    o[1 + get_global_id(0)] = at;
}
kernel void hist(global int *o, int n)
{
    uint x = get_global_id(0);
    int s = 0;
    for (int k = 0; k < n; k++) {
        x = x * 1664525u + 1013904223u;
        if (k % 8 == 0) s = s * 5 + atomic_inc(&o[x >> 24]);
    }
    o[257 + get_global_id(0)] = s;
}
kernel void ticket(global int *o, int n)
{
    local int turn;
    if (!get_local_id(0)) turn = 0;
    int s = 0;
    for (int k = 0; k < n / 16; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        s = s * 7 + atomic_add(&turn, k & 3);
    }
    o[get_global_id(0)] = s;
}
kernel void extremes(global int *o, int n)
{
    int s = 0, g = get_global_id(0);
    for (int k = 0; k < n / 64; k++) {
        s = s * 7 + atomic_max(&o[k & 3], (g * 77 + k * 13) % 1001);
        s += atomic_xor(&o[4 + (k & 3)], 1 << (k & 31)) + atomic_xchg(&o[9], s & 7);
    }
    o[20 + g] = s;
}
