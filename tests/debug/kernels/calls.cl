// SPDX-License-Identifier: MIT
int twice(int a) {
    int r = a * 2;
    return r;
}
int sum(int a, int b) { int s = a + b; return s; }
int fourfold(int n) { int m = twice(n);
    return twice(m); }
kernel void calls(global int *o)
{
    int i = get_global_id(0);
    o[i] = sum(twice(i + 1), twice(i + 2));
    o[i] += fourfold(i);
}
