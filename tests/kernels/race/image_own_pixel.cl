// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=image:float4[64,1]=0 --arg=float[64]=0 --build-options=-cl-std=CL2.0
// RUN: --global=64 --local=8 --arg=image:float4[64,1]=0 --arg=float[64]=0 --build-options=-cl-std=CL2.0
// DUMP 1: [2.0 * x for x in range(N)]
// A work-item that reads what it wrote to a read_write image needs a fence between: OpenCL C 3.0, section 6.15.15.
kernel void own_pixel(read_write image2d_t p, global float *out)
{
    int i = get_global_id(0);
    write_imagef(p, (int2)(i, 0), (float4)(i));
    float x = read_imagef(p, (int2)(i, 0)).x; // EXPECT missing-fence 'p'
    out[i] = x;
    write_imagef(p, (int2)(i, 0), (float4)(2 * x));
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    out[i] = read_imagef(p, (int2)(i, 0)).x;
    write_imagef(p, (int2)(i, 0), (float4)(x));
    if (i % 2) atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    out[i] += read_imagef(p, (int2)(i, 0)).x - x; // EXPECT missing-fence 'p'
    write_imagef(p, (int2)(i, 0), (float4)(x));
    barrier(CLK_IMAGE_MEM_FENCE);
    out[i] += read_imagef(p, (int2)(i, 0)).x - x;
}
