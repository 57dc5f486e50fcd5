// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[24]=0 --arg=int[1]=0
// SAYS: neighbor() at missing_return_behind_barrier.cl:5 ends without a return statement on this path
// Functions with a barrier, or a loop that waits, become part of the kernel.
static int neighbor(int x, local int *t)
{
    t[x] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x > 3) return t[x ^ 1];
}
struct pair { int x, y; };
struct pair neighbors(int x, local int *t)
{
    struct pair r = {x, x};
    t[x] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x > 3) return r;
}
int ticket(volatile global int *next, int i)
{
    for (int seen = 0; seen < 1; seen = 1) atomic_inc(next);
    if (i & 1) return i;
}
kernel void k(global int *o, volatile global int *next)
{
    local int t[8];
    const int i = get_local_id(0);
    o[i] = neighbor(i, t); // EXPECT uninitialized-read 'neighbor()'
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i + 8] = neighbors(i, t).x; // EXPECT uninitialized-read 'neighbors()'
    o[i + 16] = ticket(next, i); // EXPECT uninitialized-read 'ticket()'
}
