// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
kernel void k(volatile global int *parent)
{
    const int i = get_global_id(0);
    int a = i, b = (i + 4) & 15;
    while (a != parent[a]) a = parent[a]; // OTHER data-race
    while (b != parent[b]) b = parent[b]; // OTHER data-race
    if (a > b) atomic_cmpxchg(&parent[a], a, b); // EXPECT data-race 'parent'
}
