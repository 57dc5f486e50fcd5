// SPDX-License-Identifier: MIT
// RUN: --global=2048 --local=64 --build-options=-DT=uint --arg=uint[5]=3 --arg=uint[20000]=1
// RUN: --global=600 --local=12 --build-options=-DT=uint --arg=uint[5]=3 --arg=uint[20000]=1
// RUN: --global=2048 --local=64 --build-options=-DT=ulong --arg=ulong[5]=3 --arg=ulong[20000]=1
// RUN: --global=600 --local=600 --build-options=-DT=ulong --arg=ulong[5]=3 --arg=ulong[20000]=1
// DUMP 0: [T(3 + 2 * (sum(range(N)) << (T(1 << 32) and 31))), T(3 - N * (N + 1) // 2)] + [T(3 + sum(range(k, N, 3))) for k in range(3)]
// DUMP 1: [T(1 + 5 * (k * pow(7919, -1, 20000) % 20000 < N)) for k in range(20000)]
// Sums in one element, in a few elements and all over a buffer; subtractions add up, too. No work-item uses the results before
// the launch has ended.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

kernel void sums(volatile global T *few, volatile global T *many)
{
    const T i = get_global_id(0), far = sizeof(T) == 8 ? i << 31 : i;
#define ADD(p, x) (sizeof(T) == 8 ? (void)atom_add((volatile global ulong *)(p), x) : (void)atomic_add((volatile global uint *)(p), x))
#define SUB(p, x) (sizeof(T) == 8 ? (void)atom_sub((volatile global ulong *)(p), x) : (void)atomic_sub((volatile global uint *)(p), x))
    ADD(few, 2 * far);
    SUB(few + 1, i + 1);
    ADD(few + 2 + i % 3, i);
    ADD(many + i * 7919 % 20000, 5);
}
