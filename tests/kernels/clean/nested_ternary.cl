// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=int[64]=0
// DUMP 0: [(i * 2 if i % 3 == 0 else i - 100) if i < 32 else (1000 // i if i % 2 else -i) for i in range(64)]
kernel void pick(global int *out)
{
    int i = get_global_id(0);
    out[i] = i < 32 ? (i % 3 == 0 ? i * 2 : i - 100) : (i & 1 ? 1000 / i : -i);
}
