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
// DUMP 0: by_group(lambda g: [max(x * 7 % 24 for x in g)] * len(g))
kernel void k(global T *a)
{
    local T t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = (int)a[i] * 7 % 24;
    barrier(CLK_LOCAL_MEM_FENCE);
    T x = t[0];
    for (int k = 1; k < n; k++)
        x = t[k] > x ? t[k] : x;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = x;
}
