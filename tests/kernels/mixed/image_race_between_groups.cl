// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=1 --arg=image:uint[4,1]=0
kernel void k(write_only image2d_t a)
{
    int i = get_global_id(0);
    write_imageui(a, (int2)(i / 2, 0), (uint4)(i)); // EXPECT data-race 'a'
}
