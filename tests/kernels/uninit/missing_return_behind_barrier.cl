// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[24]=0 --arg=int[1]=0
// SAYS: neighbour() at missing_return_behind_barrier.cl:5 ends without a return statement on this path
// Functions with a barrier, or a loop that waits, become part of the kernel.
static int neighbour(int x, local int *t)
{
    t[x] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x > 3) return t[x ^ 1];
}
struct pair { int x, y; };
struct pair neighbours(int x, local int *t)
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
    o[i] = neighbour(i, t); // EXPECT uninitialized-read 'neighbour()'
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i + 8] = neighbours(i, t).x; // EXPECT uninitialized-read 'neighbours()'
    o[i + 16] = ticket(next, i); // EXPECT uninitialized-read 'ticket()'
}
