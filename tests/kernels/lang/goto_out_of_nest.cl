// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
// DUMP 0: [next((a + 10 * b + 100 * c for a in range(4) for b in range(4) for c in range(4) if a + b + c == i), -1) for i in range(16)]
kernel void triple(global int *out)
{
    int i = get_global_id(0), a, b, c;
    for (a = 0; a < 4; a++)
        for (b = 0; b < 4; b++)
            for (c = 0; c < 4; c++)
                if (a + b + c == i)
                    goto found;
    out[i] = -1;
    return;
found:
    out[i] = a + 10 * b + 100 * c;
}
