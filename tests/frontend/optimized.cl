// SPDX-License-Identifier: MIT
// What clang -O2 makes integers of odd widths of: sums in closed form, sets of values.
kernel void k(global int *p, global long *q)
{
    int i = get_global_id(0), n = p[i], sum = 0;
    long m = q[i], more = 0;
    for (int j = 0; j < n; j++) sum += j * j;
    for (long j = 0; j < m; j++) more += j * 3;
    bool known;
    switch (n & 31) {
    case 1: case 3: case 4: case 9: known = true; break;
    case 2: case 5: case 11: known = false; break;
    default: known = n > 20;
    }
    p[i] = sum + known;
    q[i] = more;
}
