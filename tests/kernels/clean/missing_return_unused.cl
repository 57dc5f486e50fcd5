// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
// DUMP 0: [(i + 2 if i % 4 == 0 else 3 if i % 4 == 1 else 0 if i % 4 == 2 else max(i, 6) + 2) + (i if i > 3 else i ^ 1) for i in range(8)]
// Functions that end without a return on paths whose value is unused; and structs that each path returns, in every form.
struct pair { int x, y; };
struct pair some(int x)
{
    struct pair r = {x, x};
    if (x > 3) return r;
}
struct pair other(int x)
{
    struct pair r;
    r.x = x;
    r.y = -x;
    return r;
}
struct pair each(int x)
{
    struct pair r = {x, 2};
    switch (x & 3) {
    case 0: return r;
    case 1: return (struct pair){1, 2};
    case 2: return other(x);
    default: break;
    }
    while (1) {
        if (r.x > 5) return r;
        r.x++;
    }
}
int waits(int x, local int *t)
{
    t[x] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < 4) return t[x ^ 1];
}
kernel void k(global int *o)
{
    local int t[8];
    const int i = get_local_id(0);
    struct pair a = some(i), b = each(i);
    const int w = waits(i, t);
    some(i); // result unused
    o[i] = b.x + b.y;
    if (i > 3) o[i] += a.x;
    else o[i] += w;
}
