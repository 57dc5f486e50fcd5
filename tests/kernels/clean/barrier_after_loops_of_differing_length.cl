// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// DUMP 0: by_group(lambda g: [sum(collatz(x + 1) for x in g) for x in g])
// Each work-item goes round as often as its number takes, with breaks and continues; then they meet, several times.
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), s = get_local_size(0);
    int x = a[i] + 1, steps = 0, sum = 0;
    for (;;) {
        if (x == 1)
            break;
        steps++;
        if (x % 2) {
            x = 3 * x + 1;
            continue;
        }
        x /= 2;
    }
    t[l] = steps;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < s; k++) {
        int left = t[(l + k) % s];
        while (left > 0) {
            left--;
            sum++;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[i] = sum;
}
