// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
struct s {
    int head[4];
    int tail[4];
};
kernel void k(global int *o)
{
    struct s s = {{0}, {0}};
    int i = get_global_id(0);
    s.head[i + 3] = 1; // EXPECT subobject-overflow 's'
    o[i] = s.tail[0];
}
