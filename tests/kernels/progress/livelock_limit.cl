// SPDX-License-Identifier: MIT
// Never the same state twice, in this century: the limit ends it.
// RUN: --global=4 --local=4 --arg=int[4]=0 --livelock-limit=30000000
// NOTE: nothing was written and no barrier was passed; if that is intended, raise --livelock-limit
// NOTE: the launch was ended here; the rest of it was not checked
kernel void k(global int *o)
{
    ulong i = 0;
    while (i != 7) // EXPECT instruction-limit
        i = (i * 6364136223846793005ul + 1442695040888963407ul) | 1024;
    o[get_global_id(0)] = (int)i;
}
