// SPDX-License-Identifier: MIT
// One variable without a value, one place where it decides, reached by many calls: one finding.
// RUN: --global=4 --local=2 --arg=int[4]=0
int sign(int x)
{
    if (x > 0) return 1; // EXPECT uninitialized-read 'depth'
    return -1;
}
int near(int x) { return sign(x) + 1; }
int far(int x) { return sign(x) - 1; }
int both(int x) { return near(x) * far(x); }
kernel void k(global int *out)
{
    int depth;
    const int other = get_global_id(0);
    int sum = near(other) + far(other);
    sum += near(depth) + far(depth) + both(depth) + sign(depth);
    out[get_global_id(0)] = sum;
}
