// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=0
// DUMP 0: [12] * N
// Names that no specification reserves are those of the program, also where cldbg has functions of sub-groups.
int sub_group_block_pointer(int x) { return x + 1; }
int sub_group_block_coordinates(int x, int y) { return x * y; }

kernel void own(global int *out)
{
    out[get_global_id(0)] = sub_group_block_coordinates(sub_group_block_pointer(2), 4);
}
