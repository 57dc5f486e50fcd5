// SPDX-License-Identifier: MIT
// RUN: --global=9 --local=9 --arg=float[9]=0
// DUMP 0: [[0.5, 8.0, 10.0][i % 3] for i in range(9)]
struct op {
    int id;
    float w;
    char name[4];
};
constant struct op ops[3] = {{1, 0.5f, "add"}, {2, 4.0f, "sub"}, {4, 2.5f, "mul"}};
kernel void table(global float *out)
{
    int i = get_global_id(0);
    constant struct op *o = &ops[i % 3];
    out[i] = o->id * o->w + (o->name[3] == 0 ? 0 : 100) + (o->name[0] == "asm"[i % 3] ? 0 : 1000);
}
