// SPDX-License-Identifier: MIT
// Structs of lanes that follow one another, of some of them, and of every second one.
// RUN: --global=48 --local=16 --arg=int[288]=iota --arg=int[288]=0 --arg=int[576]=0
// RUN: --global=48 --local=24 --arg=int[288]=iota --arg=int[288]=0 --arg=int[576]=0
// DUMP 0: [x + 1000 if x % 6 == 2 else x for x in range(288)]
// DUMP 1: [x if x // 6 % 24 > 10 else 0 for x in range(288)] if L == 24 else [x if x // 6 % 16 > 10 else 0 for x in range(288)]
// DUMP 2: [x % 6 + x // 12 * 6 if x // 6 % 2 else 0 for x in range(576)]
struct six {
    int x[6];
};
kernel void k(global struct six *all, global struct six *some, global struct six *apart)
{
    const int i = get_global_id(0);
    struct six s = all[i];
    if (get_local_id(0) > 10) some[i] = s;
    apart[2 * i + 1] = s;
    s.x[2] += 1000;
    all[i] = s;
}
