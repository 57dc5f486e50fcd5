// SPDX-License-Identifier: MIT
// RUN: --global=48 --local=48 --arg=uint[96]=0 --arg=ulong[48]=0 --arg=int=-3
// RUN: --global=48 --local=12 --arg=uint[96]=0 --arg=ulong[48]=0 --arg=int=-3
// RUN: --global=40 --local=5 --arg=uint[80]=0 --arg=ulong[40]=0 --arg=int=65537
// DUMP 0: [v for g in range(N) for v in ((g * (-3 if N == 48 else 65537) + (N - g) + (g - 7) + 7 * g) % 2**32, (g - 5) % 2**32 ^ (3 * g | 1))]
// DUMP 1: [(g * 0x700000001 - 7) % 2**64 + 2 * ((g % L) ^ 1 if L % 2 == 0 else g % L) + 1 for g in range(N)]
// Numbers of work-items are of 64 bits: of some results all is wanted, of others one half, of some both.
kernel void halves(global uint *out, global ulong *whole, int n)
{
    local uint t[2][49];
    size_t l = get_local_id(0), g = get_global_id(0), k = get_global_id(0) * 0x700000001 - 7;
    int i = get_global_id(0) * n + (get_global_size(0) - get_global_id(0));
    uint j = (get_global_id(0) - 5) ^ (get_global_id(0) * 3 | 1);
    out[2 * g] = i + (uint)k + 7 * (uint)g;
    out[2 * g + 1] = j;
    t[1][l] = 2 * l + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    whole[g] = k + t[1][get_local_size(0) % 2 ? l : l ^ 1];
}
