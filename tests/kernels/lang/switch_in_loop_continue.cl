// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
// DUMP 0: [sum({0: 1, 1: 0, 2: 100}.get((i + k) % 5, 7) + (10 if (i + k) % 5 != 1 else 0) for k in range(8)) for i in range(16)]
kernel void loop(global int *out)
{
    int i = get_global_id(0), s = 0;
    for (int k = 0; k < 8; k++) {
        switch ((i + k) % 5) {
        case 0: s += 1; break;
        case 1: continue;
        case 2: s += 100; break;
        default: s += 7;
        }
        s += 10;
    }
    out[i] = s;
}
