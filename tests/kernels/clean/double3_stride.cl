// SPDX-License-Identifier: MIT
// RUN: --kernel=third --global=8 --local=8 --arg=double[24]=0
// DUMP 0: [float(i // 3) for i in range(24)]
kernel void third(global double *a)
{
    double3 v = (double3)(get_global_id(0));
    vstore3(v, get_global_id(0), a);
}
