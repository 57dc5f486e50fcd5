// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=long[8]=7
// DUMP 0: [7] * 8
// OUTPUT: 7 -1 ff 1.500000 (1,2,3,4) ok %
kernel void k(global long *o) { printf("%ld %d %x %f (%v4hld) ok %%\n", o[0], -1, 255u, 1.5f, (int4)(1, 2, 3, 4)); }
