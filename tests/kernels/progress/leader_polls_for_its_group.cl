// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[1]=0 --arg=int[16]=0
// RUN: --global=280 --local=70 --arg=int[1]=0 --arg=int[280]=0
// The first work-item polls for all, with an atomic that changes nothing; the work-item that should answer does not.
kernel void wait(global int *flag, global int *out)
{
    local int go;
    int l = get_local_id(0);
    for (;;) {
        if (l == 0) go = atomic_add(flag, 0); // EXPECT no-progress
        barrier(CLK_LOCAL_MEM_FENCE);
        if (go) break;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = 1;
}
