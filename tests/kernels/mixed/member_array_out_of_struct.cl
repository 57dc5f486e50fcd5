// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
struct s {
    int head;
    int tail[4];
};
kernel void k(global int *o)
{
    struct s s = {0, {0}};
    int i = get_global_id(0);
    s.tail[i + 2] = 1; // EXPECT out-of-bounds 's'
    o[i] = s.tail[0];
}
