// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=9
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=9
// DUMP 0: by_group(lambda g: [g[(j + 3) % len(g)] + 6 for j in range(len(g))])
kernel void k(global int *a, int turns)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), s = get_local_size(0), x = a[i], state = 0;
    enum { PUT, GET, COUNT };
    while (turns-- > 0) {
        switch (state) {
        case PUT:
            t[l] = x;
            barrier(CLK_LOCAL_MEM_FENCE);
            state = GET;
            continue;
        case GET:
            x = t[(l + 1) % s];
            state = COUNT;
            break;
        default:
            barrier(CLK_LOCAL_MEM_FENCE);
            x += 2;
            state = PUT;
        }
        if (turns < 0)
            barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[i] = x;
}
