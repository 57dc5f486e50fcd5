// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[33]=iota
kernel void k(global int *a) { int i = get_global_id(0); int v = a[i + 1]; barrier(CLK_GLOBAL_MEM_FENCE); a[i] = v; } // EXPECT data-race 'a'
