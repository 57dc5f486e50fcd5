// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[1]=0 --arg=int[64]=0
// DUMP 0: [64]
// DUMP 1: [1] * 64
// A counter gives each work-item a slot of its own.
kernel void append(volatile global int *n, global int *out)
{
    out[atomic_inc(n)] = 1;
}
