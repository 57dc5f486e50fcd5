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
// DUMP 0: by_group(lambda g: (lambda f: f(f, list(g), 2))(lambda f, v, s: v if not s else f(f, [T(v[max(j - 1, 0)] + v[j] + v[min(j + 1, len(v) - 1)]) for j in range(len(v))], s - 1)))
kernel void k(global T *a)
{
    local T t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = a[i];
    for (int s = 0; s < 2; s++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        T x = t[max(lid - 1, 0)] + t[lid] + t[min(lid + 1, n - 1)];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[lid] = x;
    }
    a[i] = t[lid];
}
