// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=0
// DUMP 0: [next((n * 2 + (x > 500) for n, x in enumerate(itertools.accumulate([i + 1] + [0] * 40, lambda x, _: x * 3 % 1009)) if x > 500 or n == 9)) for i in range(32)]
kernel void exits(global int *out)
{
    int i = get_global_id(0), x = i + 1, n = 0, r;
    while (1) {
        if (x > 500) {
            r = n * 2 + 1;
            break;
        }
        if (n == 9) {
            r = n * 2;
            break;
        }
        x = x * 3 % 1009;
        n++;
    }
    out[i] = r;
}
