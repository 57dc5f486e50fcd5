// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
// DUMP 0: [next(n for n, s in enumerate(itertools.accumulate(range(1, 40))) if s > 5 * i) + 1 for i in range(16)]
bool add(int *sum, int x, int limit)
{
    *sum += x;
    return *sum > limit;
}
kernel void count(global int *out)
{
    int i = get_global_id(0), sum = 0, n = 1;
    while (!add(&sum, n, 5 * i))
        n++;
    out[i] = n;
}
