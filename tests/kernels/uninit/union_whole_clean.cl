// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=uint[4]=0
// DUMP 0: [0x04030201] * 4
union u { uint i; uchar b[4]; };
kernel void k(global uint *o) { union u x; for (int i = 0; i < 4; i++) x.b[i] = i + 1; o[get_global_id(0)] = x.i; }
