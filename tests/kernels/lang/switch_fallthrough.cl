// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
// DUMP 0: [{0: 1 + 2 + 4, 1: 2 + 4, 2: 4, 3: 0, 4: 16, 5: 16}.get(i % 8, 32) for i in range(16)]
kernel void sw(global int *out)
{
    int i = get_global_id(0), r = 0;
    switch (i % 8) {
    case 0: r += 1; // falls through
    case 1: r += 2; // falls through
    case 2: r += 4;
    case 3: break;
    case 4:
    case 5: r = 16; break;
    default: r = 32;
    }
    out[i] = r;
}
