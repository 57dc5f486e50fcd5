// SPDX-License-Identifier: MIT
kernel void spin(global int *o, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += i ^ (sum >> 3);
    }
    o[get_global_id(0)] = sum;
}
