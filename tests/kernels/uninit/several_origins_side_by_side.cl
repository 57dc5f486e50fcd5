// SPDX-License-Identifier: MIT
// Values that were never written, of different kinds in neighboring work-items: each is reported, and defined ones beside them,
// and defined bytes in them, stay so, in groups that share a gang and in those that do not.
// RUN: --global=256 --local=64 --arg=int[256]=undef --arg=int[256]=iota --arg=int[1024]=0
// RUN: --global=256 --local=16 --arg=int[256]=undef --arg=int[256]=iota --arg=int[1024]=0
// SAYS: variable 'x' declared at
// SAYS: 64 times in
// SAYS: 'given' is 1024 bytes of global memory
// SAYS: 128 times in
// SAYS: 'u' is 4 bytes of private memory
// SAYS: never written at bytes 0..1
// DUMP 2: [(N0 if N0 % 4 == 3 else None) for N0 in range(256)] + [0] * 256 + [2] * 256 + [(i if not i & 2 else 0x20003 if i & 1 else None) for i in range(256)]
kernel void k(global int *given, global int *data, global int *out)
{
    local int t[64];
    const int l = get_local_id(0), i = get_global_id(0);
    int x;
    if ((l & 3) == 3) x = data[i];
    t[l] = (l & 3) == 0 || (l & 3) == 3 ? x : given[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[l]; // EXPECT uninitialized-read uninitialized-read 'x' 'given'
    out[i + 256] = t[l] * 0;
    union {
        int whole;
        short part[2];
    } u;
    u.part[1] = 2;
    if (l & 1) u.part[0] = 3;
    out[i + 512] = u.whole >> 16;
    out[i + 768] = (l & 2) ? u.whole : data[i]; // EXPECT uninitialized-read 'u'
}
