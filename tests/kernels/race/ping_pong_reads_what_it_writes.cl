// SPDX-License-Identifier: MIT
// RUN: --kernel=scan --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
kernel void scan(global const int *in, global int *out)
{
    local int buf[2][16];
    int l = get_local_id(0), from = 0;
    buf[0][l] = in[l];
    for (int d = 1; d < 16; d <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int to = from; // should be 1 - from
        buf[to][l] = buf[from][l] + (l >= d ? buf[from][l - d] : 0); // EXPECT data-race 'buf'
        from = to;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = buf[from][l];
}
