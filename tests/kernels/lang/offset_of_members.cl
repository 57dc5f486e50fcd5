// SPDX-License-Identifier: MIT
// RUN: --global=1 --arg=int[6]=0
// DUMP 0: [0, 4, 16, 40, 8, 20]
// Distances between places of one variable are constants of the program, however they are written.
struct collector {
    char a;
    int b;
    float3 c;
    double d;
};
constant int table[4] = {1, 2, 3, 4};
kernel void offsets(global int *r)
{
    local struct collector dummy;
    local char lines[20];
    r[0] = (int)((local char *)&dummy.a - (local char *)&dummy);
    r[1] = (int)((size_t)&dummy.b - (size_t)&dummy);
    r[2] = (int)((local char *)&dummy.c - (local char *)&dummy);
    r[3] = (int)((local char *)(&dummy + 1) - (local char *)&dummy) - 8;
    r[4] = (int)(&table[2] - table) * (int)sizeof(int);
    r[5] = (int)(lines + sizeof lines - lines);
}
