// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=3 --build-options=-DT=double --arg=double[24]=iota
// RUN: --global=24 --local=8 --build-options=-DT=double --arg=double[24]=iota
// RUN: --global=23 --local=5 --build-options="-cl-std=CL2.0 -DT=double" --arg=double[23]=iota
// RUN: --global=24 --local=3 --build-options=-DT=float --arg=float[24]=iota
// RUN: --global=24 --local=8 --build-options=-DT=float --arg=float[24]=iota
// RUN: --global=23 --local=5 --build-options="-cl-std=CL2.0 -DT=float" --arg=float[23]=iota
// RUN: --global=24 --local=3 --build-options=-DT=long --arg=long[24]=iota
// RUN: --global=24 --local=8 --build-options=-DT=long --arg=long[24]=iota
// RUN: --global=23 --local=5 --build-options="-cl-std=CL2.0 -DT=long" --arg=long[23]=iota
// RUN: --global=24 --local=3 --build-options=-DT=short --arg=short[24]=iota
// RUN: --global=24 --local=8 --build-options=-DT=short --arg=short[24]=iota
// RUN: --global=23 --local=5 --build-options="-cl-std=CL2.0 -DT=short" --arg=short[23]=iota
// RUN: --global=24 --local=3 --build-options=-DT=uchar --arg=uchar[24]=iota
// RUN: --global=24 --local=8 --build-options=-DT=uchar --arg=uchar[24]=iota
// RUN: --global=23 --local=5 --build-options="-cl-std=CL2.0 -DT=uchar" --arg=uchar[23]=iota
// DUMP 0: by_group(lambda g: [T(g[j - 1] + 2 * g[(j + 1) % len(g)]) for j in range(len(g))])
kernel void k(global T *a)
{
    local T t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[(lid + n - 1) % n] + t[(lid + 1) % n] * 2;
}
