// SPDX-License-Identifier: MIT
// RUN: --global=96 --local=48 --arg=uchar[96]=7 --arg=ushort[96]=7 --arg=ulong[96]=7 --arg=double[96]=7
// DUMP 0: [(i % 48 * 3 + 1 + (i % 5 == 2)) & 255 if i % 5 != 3 else 200 for i in range(96)]
// DUMP 1: [i % 48 * 300 + (i % 5 == 2) if i % 5 != 3 else 7 for i in range(96)]
// DUMP 2: [(i % 48 << 40) + (i % 5 == 2) if i % 5 != 3 else 7 for i in range(96)]
// DUMP 3: [i % 48 / 4 if i % 3 else 7.0 for i in range(96)]
// Some work-items of each vector store, to consecutive elements of each size: the others keep what they have.
kernel void some(global uchar *a, global ushort *b, global ulong *c, global double *d)
{
    local uchar s[48];
    local ushort t[48];
    local ulong u[48];
    const int i = get_global_id(0), l = get_local_id(0);
    s[l] = 200;
    t[l] = 7;
    u[l] = 7;
    for (int k = 0; k < 3; k++) {
        if (i % 5 == k * 2) s[l] = l * 3 + 1 + (k == 1);
        if (i % 5 == 1 - k) s[l] = l * 3 + 1;
        if (i % 5 != 3) t[l] = l * 300 + (i % 5 == 2);
        if (i % 5 != 3) u[l] = ((ulong)l << 40) + (i % 5 == 2);
        if (i % 3 == k) d[i] = i % 3 ? l / 4.0 : 7.0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = s[l];
    if (i % 5 != 3) b[i] = t[l];
    if (i % 5 != 3) c[i] = u[l];
}
