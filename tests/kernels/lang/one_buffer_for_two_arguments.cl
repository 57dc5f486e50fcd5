// SPDX-License-Identifier: MIT
// RUN: --global=40 --local=20 --arg=float[64]=iota --arg=same:0 --arg=float[64]=7 --arg=int[320]=0 --arg=ulong=8
// RUN: --global=40 --local=5 --gang=4 --arg=float[64]=iota --arg=same:0 --arg=float[64]=7 --arg=int[320]=0 --arg=ulong=8 --build-options=-cl-std=CL3.0
// RUN: --global=40 --local=20 --arg=float[64]=iota --arg=same:0 --arg=float[64]=7 --arg=int[320]=0 --arg=ulong=8 --build-options=-cl-opt-disable
// DUMP 3: [[1, 1, 1, 30 - 2 * i, int(i == 15), 5, 1, -1][k] for i in range(40) for k in range(8)]
// The pointers of two arguments are equal where the buffer is, whatever is computed with them; llama.cpp asks so whether there is a mask.
int noinline_equal(global const float *p, global const float *q) __attribute__((noinline));
int noinline_equal(global const float *p, global const float *q) { return p == q; }

kernel void ask(global const float *a, global const float *b, global const float *c, global int *out, ulong off)
{
    int i = get_global_id(0);
    global const float *p = (global const float *)((global const char *)a + off), *q = (global const float *)((global const char *)b + off);
    global int *o = out + i * 8;
    o[0] = !(p != q) && noinline_equal(a + i, b + i);
    o[1] = (ulong)p == (ulong)q && (uint)(ulong)(a + i) == (uint)(ulong)(b + i);
    o[2] = p < q + 1 && q + 1 > p && p != c && b != c;
    o[3] = (int)((b + 30 - i) - (a + i));
    o[4] = a + i == b + 30 - i;
    int n = 0;
    for (global const float *r = a; r != b + 5; r++) n++;
    o[5] = n;
    global const float *mask = b != a ? b + i : 0, *other = c != a ? c + i : 0;
    o[6] = other && *other == 7;
    o[7] = mask ? (int)*mask : -1;
}
