// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
// DUMP 0: [fibonacci(i) for i in range(16)]
// Two values that exchange places around a loop.
kernel void fib(global int *out)
{
    int i = get_global_id(0), a = 0, b = 1;
    for (int k = 0; k < i; k++) {
        int t = a + b;
        a = b;
        b = t;
    }
    out[i] = a;
}
