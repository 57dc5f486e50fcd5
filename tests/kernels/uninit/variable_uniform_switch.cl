// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
kernel void k(global int *a)
{
    int mode;
    if (a[0] == 7) mode = 1;
    switch (mode) { // EXPECT uninitialized-read 'mode'
    case 1: a[get_global_id(0)] = 5; break;
    case 2: a[get_global_id(0)] = 6; break;
    }
}
