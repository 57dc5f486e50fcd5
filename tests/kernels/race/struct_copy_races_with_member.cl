// SPDX-License-Identifier: MIT
// RUN: --global=2 --local=2 --arg=int[8]=0
struct s { int a, b, c, d; };
kernel void k(global struct s *o) {
    if (get_local_id(0)) o[1] = o[0]; // OTHER data-race
    else o[0].c = 3; // EXPECT data-race 'o'
}
