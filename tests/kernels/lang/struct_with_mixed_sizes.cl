// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0 --arg=int[4]=0
// DUMP 0: [i + 1000 * (i * 3) + 16 for i in range(8)]
// DUMP 1: [0, 8, 12, 24]
struct mixed {
    char c;
    long l;
    short s;
};
kernel void layout(global int *out, global int *sizes)
{
    int i = get_global_id(0);
    struct mixed m[2];
    m[i & 1].c = (char)i;
    m[i & 1].l = (long)i * 3 << 33;
    m[i & 1].s = 16;
    m[~i & 1].l = -1;
    out[i] = m[i & 1].c + 1000 * (int)(m[i & 1].l >> 33) + m[i & 1].s;
    if (i == 0) {
        sizes[1] = (int)((private char *)&m[0].l - (private char *)&m[0]);
        sizes[2] = (int)((private char *)&m[0].s - (private char *)&m[0]) - 4;
        sizes[3] = sizeof(struct mixed);
    }
}
