// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=4 --arg=int[8]=iota --arg=int[8]=0 --arg=int4[8]=0
// RUN: --global=8 --local=4 --arg=int[8]=iota --arg=int[8]=0 --arg=int4[8]=0 --build-options=-cl-std=CL3.0
// DUMP 1: [5 if i > 3 else 7 for i in range(N)]
// DUMP 2: [i for i in range(N) for k in range(4)]
// cl_khr_expect_assume: an expected value and an assumption do not change results.
#ifndef cl_khr_expect_assume
#error cl_khr_expect_assume is not offered
#endif
kernel void k(global const int *a, global int *out, global int4 *vectors)
{
    const int i = get_global_id(0), x = a[i];
    __builtin_assume(x >= 0);
    out[i] = __builtin_expect(x > 3, 0) ? 5 : 7;
    vectors[i] = (int4)(__builtin_expect(x, 1));
}
