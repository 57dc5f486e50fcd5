// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=uint[1]=0
kernel void k(global uint *bits)
{
    bits[get_global_id(0) / 32] |= 1u << get_global_id(0); // EXPECT data-race 'bits'
}
