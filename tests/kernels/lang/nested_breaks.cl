// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[32]=0
// DUMP 0: [next(x * 100 + y for x in range(1, 9) for y in range(1, 9) if x * y > i) for i in range(32)]
kernel void search(global int *out)
{
    int i = get_global_id(0), found = -1;
    for (int x = 1; x < 9; x++) {
        for (int y = 1; y < 9; y++) {
            if (x * y > i) {
                found = x * 100 + y;
                break;
            }
        }
        if (found >= 0)
            break;
    }
    out[i] = found;
}
