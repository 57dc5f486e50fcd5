// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=uint[4]=0
union u { uint i; uchar b[4]; };
kernel void k(global uint *o) { union u x; x.b[0] = 1; x.b[1] = 2; x.b[2] = 3; o[get_global_id(0)] = x.i; } // EXPECT uninitialized-read 'x'
