// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=image:float4[4,1]=0
kernel void k(write_only image2d_t im) {
    int x = get_global_id(0);
    float4 v;
    v.xyz = (float3)(x);
    write_imagef(im, (int2)(x, 0), v); // EXPECT uninitialized-read 'v'
}
