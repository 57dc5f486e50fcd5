// SPDX-License-Identifier: MIT
// RUN: --kernel=bits --global=32 --local=32 --arg=uint[1]=0
kernel void bits(global uint *mask)
{
    mask[0] |= 1u << get_local_id(0); // EXPECT data-race 'mask'
}
