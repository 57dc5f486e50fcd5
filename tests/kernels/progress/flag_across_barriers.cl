// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=0 --arg=local:int[1]
// RUN: --global=320 --local=160 --arg=int[320]=0 --arg=local:int[1]
// All work-items spin on a flag that none of them will set, with barriers in the loop.
// NOTE: across its barriers the work-group returned to the state of an earlier iteration, and no memory that it reads was changed in between
// NOTE: the launch was ended here; the rest of it was not checked
kernel void spin(global int *out, local volatile int *flag)
{
    int l = get_local_id(0);
    if (l == 0) *flag = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (*flag == 0) { // EXPECT no-progress
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 4096) *flag = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = *flag;
}
