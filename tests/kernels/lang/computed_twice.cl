// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[32]=iota --arg=int[32]=0 --arg=long[32]=0 --arg=int=7
// DUMP 1: [i * 7 + (i + 1) * 7 + (i * 7 + 3) - i * 7 + (5 * i + 2 if i % 3 == 0 else 5 * i + 3) + i * 10 + (i + 1) * (i + 1) + i for i in range(32)]
// DUMP 2: [(i << 33) * 3 + (i + 40) + (i << 33) * 3 for i in range(32)]
// The same expressions again and again, of variables that change in between, of numbers of work-items in both widths, and sums of
// products whose factors change before the sum.
kernel void again(global const int *in, global int *out, global long *wide, int n)
{
    int i = get_global_id(0);
    int sum = in[i] * n + (in[i] + 1) * n;
    int three = i * n + 3;
    sum += three - i * n;
    int k = i * 5;
    if (i % 3 == 0) {
        sum += k + 2;
    } else {
        k = i * 5 + 1;
        sum += k + 2;
    }
    int m = i;
    int before = m * 10;
    m = m + 1;
    sum += before + m * m + (m - 1);
    out[get_global_id(0)] = sum;
    long far = (long)get_global_id(0) << 33;
    long twice = far * 3 + (long)(get_global_id(0) + 40);
    far = far * 3;
    wide[i] = twice + far;
}
