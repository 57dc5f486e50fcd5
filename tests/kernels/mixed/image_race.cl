// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=4 --arg=image:float4[8,1]=0 --build-options=-cl-std=CL2.0
kernel void k(read_write image2d_t a)
{
    int i = get_global_id(0);
    float4 v = read_imagef(a, (int2)((i + 1) % 8, 0)); // OTHER data-race
    write_imagef(a, (int2)(i, 0), v); // EXPECT data-race 'a'
}
