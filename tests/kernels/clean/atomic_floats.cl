// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=128 --local=64 --arg=float[4]=0 --arg=double[3]=0 --arg=float[6]=0 --arg=double[6]=0
// DUMP 0: [1.5 * N, -1.5 * N, 1.0 - N, N - 1.0]
// DUMP 1: [0.5 * N, 1.0 - N, N - 1.0]
// DUMP 2: [128.0, -63.0, 63.0, 128.0, -63.0, 63.0]
// DUMP 3: [128.0, -63.0, 63.0, 128.0, -63.0, 63.0]
// cl_ext_float_atomics: sums and extremes of float and double, in global and in local memory.
#if !defined __opencl_c_ext_fp32_global_atomic_add || !defined __opencl_c_ext_fp64_global_atomic_min_max
#error
#endif

#define LOCAL(type, v)                                                                             \
    local atomic_##type v[3];                                                                      \
    if (lid < 3) atomic_store_explicit(&v[lid], 0, memory_order_relaxed, memory_scope_work_group); \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    atomic_fetch_add_explicit(&v[0], (type)2, memory_order_relaxed, memory_scope_work_group);      \
    atomic_fetch_min_explicit(&v[1], -(type)lid, memory_order_relaxed, memory_scope_work_group);   \
    atomic_fetch_max_explicit(&v[2], (type)lid, memory_order_relaxed, memory_scope_work_group);    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    if (lid < 3)                                                                                   \
        out_##type[get_group_id(0) * 3 + lid] =                                                    \
            atomic_load_explicit(&v[lid], memory_order_relaxed, memory_scope_work_group)

kernel void floats(global atomic_float *f, global atomic_double *d, global float *out_float, global double *out_double)
{
    uint lid = get_local_id(0);
    atomic_fetch_add_explicit(&f[0], 1.5f, memory_order_relaxed, memory_scope_device);
    atomic_fetch_sub_explicit(&f[1], 1.5f, memory_order_relaxed, memory_scope_device);
    atomic_fetch_min_explicit(&f[2], -(float)get_global_id(0), memory_order_relaxed, memory_scope_device);
    atomic_fetch_max_explicit(&f[3], (float)get_global_id(0), memory_order_relaxed, memory_scope_device);
    atomic_fetch_add_explicit(&d[0], 0.5, memory_order_relaxed, memory_scope_device);
    atomic_fetch_min_explicit(&d[1], -(double)get_global_id(0), memory_order_relaxed, memory_scope_device);
    atomic_fetch_max_explicit(&d[2], (double)get_global_id(0), memory_order_relaxed, memory_scope_device);
    LOCAL(float, l);
    LOCAL(double, m);
}
