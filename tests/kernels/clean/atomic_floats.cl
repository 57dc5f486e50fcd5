// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=128 --local=64 --arg=float[4]=0 --arg=double[2]=0 --arg=float[2]=0
// DUMP 0: [1.5 * N, -1.5 * N, 1.0 - N, N - 1.0]
// DUMP 1: [0.5 * N, N - 1.0]
// DUMP 2: [128.0, 128.0]
// cl_ext_float_atomics: sums and extremes of float and double, in global and in local memory.
#if !defined __opencl_c_ext_fp32_global_atomic_add || !defined __opencl_c_ext_fp64_global_atomic_min_max
#error
#endif

kernel void floats(global atomic_float *f, global atomic_double *d, global float *out)
{
    local atomic_float l;
    if (get_local_id(0) == 0) atomic_store_explicit(&l, 0.0f, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&f[0], 1.5f, memory_order_relaxed, memory_scope_device);
    atomic_fetch_sub_explicit(&f[1], 1.5f, memory_order_relaxed, memory_scope_device);
    atomic_fetch_min_explicit(&f[2], -(float)get_global_id(0), memory_order_relaxed, memory_scope_device);
    atomic_fetch_max_explicit(&f[3], (float)get_global_id(0), memory_order_relaxed, memory_scope_device);
    atomic_fetch_add_explicit(&d[0], 0.5, memory_order_relaxed, memory_scope_device);
    atomic_fetch_max_explicit(&d[1], (double)get_global_id(0), memory_order_relaxed, memory_scope_device);
    atomic_fetch_add_explicit(&l, 2.0f, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) out[get_group_id(0)] = atomic_load_explicit(&l, memory_order_relaxed, memory_scope_work_group);
}
