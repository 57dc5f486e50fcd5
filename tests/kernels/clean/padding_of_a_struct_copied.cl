// SPDX-License-Identifier: MIT
// RUN: --kernel=pad --global=4 --local=4 --arg=int[16]=0
// DUMP 0: None
struct padded {
    char c;
    int i;
    char d;
};
kernel void pad(global int *o)
{
    struct padded s;
    s.c = 1; s.i = get_global_id(0); s.d = 2;
    ((global struct padded *)o)[get_global_id(0)] = s;
}
