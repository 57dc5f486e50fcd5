// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=image:uchar4/norm[8,4]=0
// NOTE: 'a' is an image of 8 x 4 pixels of 4 bytes (declared at image_out_of_range.cl:6)
// NOTE: the store was dropped
// NOTE: 4 times in 1 work-group; shown once
kernel void k(write_only image2d_t a)
{
    int i = get_global_id(0);
    write_imagef(a, (int2)(i, i), (float4)(i)); // EXPECT out-of-bounds 'a'
}
