// SPDX-License-Identifier: MIT
int twice(int a)
{
    int t = a * 2;
    int u;
    if (a > 2)
        u = t + 1;
    else
        u = 7;
    return u + t;
}
kernel void entry(global int *o)
{
    int s = 0;
    for (int i = 0; i < 4; i++) s += twice(i);
    float f[4];
    f[0] = s;
    o[get_global_id(0)] = s + f[0];
}
