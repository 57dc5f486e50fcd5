// SPDX-License-Identifier: MIT
// RUN: --global=128 --local=64 --build-options=-DT=uint --arg=uint[128]=9 --arg=uint[77]=iota --arg=uint[333]=0 --arg=uint=77
// RUN: --global=100 --local=100 --build-options=-DT=uint --arg=uint[100]=9 --arg=uint[77]=iota --arg=uint[333]=0 --arg=uint=77
// RUN: --global=96 --local=8 --build-options=-DT=int --arg=uint[96]=9 --arg=int[77]=iota --arg=int[333]=0 --arg=uint=77
// RUN: --global=128 --local=64 --build-options=-DT=uchar --arg=uint[128]=9 --arg=uchar[77]=iota --arg=uchar[333]=0 --arg=uint=77
// RUN: --global=128 --local=64 --build-options=-DT=ulong --arg=uint[128]=9 --arg=ulong[77]=iota --arg=ulong[333]=0 --arg=uint=77
// RUN: --global=128 --local=64 --build-options=-DT=double --arg=uint[128]=9 --arg=double[77]=iota --arg=double[333]=0 --arg=uint=77
// DUMP 0: [0] * N
// Many, few, one or none of a chunk's lanes read and write at unpredictable places; the others would be out of bounds; private arrays as well.
// The number of values that are wrong.
kernel void anywhere(global uint *out, global const T *in, global T *to, uint n)
{
    T own[13];
    uint g = get_global_id(0), wrong = 0, seed = g * 2654435761u;
    for (uint k = 0; k < 13; k++) own[k] = k;
    for (uint k = 0; k < 20; k++) {
        seed = seed * 1664525 + 1013904223;
        uint at = (seed >> 9) % (n + 10 * k);
        if (at < n) wrong += in[at] != (T)at;
        uint p = (seed >> 20) % 13;
        if ((seed >> 11) % 20 >= k) {
            wrong += own[p] != (T)p && own[p] != (T)(p + 100);
            own[p] = p + 100;
            wrong += own[p] != (T)(p + 100);
        }
        uint slot = (g * 37 + 11) % 333; // 37 and 333 share no more than 37: nine places of it
        if (g < 9 && (seed >> 13) % 3) {
            to[slot] = k + g;
            wrong += to[slot] != (T)(k + g);
        }
    }
    out[g] = wrong;
}
