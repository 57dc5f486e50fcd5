// SPDX-License-Identifier: MIT
// Clang's own atomic loads, also of a struct: what they give may differ from work-item to work-item, whatever the address.
// RUN: --global=64 --local=16 --arg=int[1]=5 --arg=long[1]=7 --arg=int[64]=0
// DUMP 2: [19] * 64
typedef struct { int a, b; } pair;
kernel void k(global int *a, global long *b, global int *out)
{
    pair p;
    __atomic_load((global pair *)b, &p, 5);
    out[get_global_id(0)] = __atomic_load_n(a, 5) + (int)__atomic_load_n(b, 0) + p.a;
}
