// SPDX-License-Identifier: MIT
// RUN: --global=1024 --local=64 --arg=int[2]=0 --arg=uint[2]=2147483648 --arg=long[2]=0 --arg=int[1024]=0
// RUN: --global=77 --local=7 --arg=int[2]=0 --arg=uint[2]=2147483648 --arg=long[2]=0 --arg=int[77]=0
// DUMP 0: [-5 * (N - 1), 3 * (N - 1)]
// DUMP 1: [2147483648 - (N - 1), 2147483648 + (N - 1)]
// DUMP 2: [-((N - 1) << 33), (N - 1) << 33]
// DUMP 3: [1] * N
// Minimum and maximum of signed, unsigned and long numbers, in global and in local memory.
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

kernel void extremes(volatile global int *s, volatile global uint *u, volatile global long *l, global int *right)
{
    local int of_group[2];
    const int i = get_global_id(0), k = get_local_id(0);
    if (k < 2) of_group[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int low = atomic_min(s, -5 * i), high = atomic_max(s + 1, 3 * i);
    const uint below = atomic_min(u, 2147483648u - i), above = atomic_max(u + 1, 2147483648u + i);
    const long least = atom_min(l, -((long)i << 33)), most = atom_max(l + 1, (long)i << 33);
    const int before = atomic_min(of_group, -k), behind = atomic_max(of_group + 1, k);
    barrier(CLK_LOCAL_MEM_FENCE);
    const int n = get_local_size(0) - 1;
    right[i] = low <= 0 && high >= 0 && below <= 2147483648u && above >= 2147483648u && least <= 0 && most >= 0 && before <= 0 && before > -n - 1 &&
               behind >= 0 && behind <= n && of_group[0] == -n && of_group[1] == n;
}
