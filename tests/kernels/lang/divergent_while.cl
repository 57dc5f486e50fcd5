// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=int[64]=0
// DUMP 0: [math.gcd(i + 1, 60) for i in range(64)]
kernel void gcd(global int *out)
{
    int a = get_global_id(0) + 1, b = 60;
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    out[get_global_id(0)] = a;
}
