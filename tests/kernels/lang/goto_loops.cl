// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=0
// DUMP 0: [collatz(i + 1) for i in range(32)]
kernel void steps(global int *out)
{
    int i = get_global_id(0), x = i + 1, n = 0;
again:
    if (x == 1)
        goto done;
    n++;
    if (x & 1)
        goto odd;
    x /= 2;
    goto again;
odd:
    x = 3 * x + 1;
    goto again;
done:
    out[i] = n;
}
