// SPDX-License-Identifier: MIT
// RUN: --global=20 --local=20 --arg=float[80]=0
// SAYS: work-item local (13,0,0)
// DUMP 0: [float(i // 4 * (i % 4 + 1)) if i // 4 != 13 else 0.0 for i in range(80)]
// One lane's vector is outside: the others store theirs.
kernel void outside(global float4 *p)
{
    int i = get_global_id(0);
    p[i == 13 ? 20 : i] = (float)i * (float4)(1, 2, 3, 4); // EXPECT out-of-bounds 'p'
}
