// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0 --arg=int[1]=0
// RUN: --global=70 --local=70 --arg=int[70]=0 --arg=int[1]=0
// The rounds are counted, which does not count as progress.
kernel void spin(global int *out, global volatile int *flag)
{
    int tries = 0;
    do {
        tries += 3;
        barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT no-progress
    } while (*flag == 0);
    out[get_global_id(0)] = tries;
}
