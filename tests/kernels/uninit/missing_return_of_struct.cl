// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[32]=0
// The variable that is returned is initialized; without a return statement the result is not.
struct pair { int x, y; };
struct pair twice(int x)
{
    struct pair r = {x, x};
    if (x > 3) return r;
}
struct wide { int a[10]; };
struct wide filled(int x)
{
    struct wide r;
    for (int i = 0; i < 10; i++) r.a[i] = x;
    switch (x) {
    case 0: return r;
    case 1: return (struct wide){{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
    }
}
struct wide handed_on(int x) { return filled(x); }
kernel void k(global int *o)
{
    const int i = get_global_id(0);
    struct pair p = twice(i);
    o[i] = p.x + p.y; // EXPECT uninitialized-read 'twice()'
    o[i + 8] = twice(i).y; // EXPECT uninitialized-read 'twice()'
    // What an earlier call left where the caller keeps it is not returned by this one.
    int sum = 0;
    for (int k = 5; k > 2; k--) sum += twice(k).x;
    o[i + 16] = sum; // EXPECT uninitialized-read 'twice()'
    struct wide w = handed_on(i);
    o[i + 24] = w.a[i]; // EXPECT uninitialized-read 'filled()'
}
// SAYS: help: Let every path through the function end in a return
