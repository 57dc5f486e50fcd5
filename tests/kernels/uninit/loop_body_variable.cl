// SPDX-License-Identifier: MIT
// The variable's value of the previous iteration is lost: each iteration declares it again.
// RUN: --global=4 --local=4 --arg=int=2 --arg=int[4]=0
// SAYS: variable 'x' declared at loop_body_variable.cl:13 has no value on this path
// RUN: --global=4 --local=4 --arg=int=5 --arg=int[4]=0
// SAYS: 4 times in 1 work-group
kernel void k(int n, global int *out)
{
    int i = get_global_id(0), sum = 0;
    for (int j = 0; j < n; j++) {
        // set in the first round only

        int x;
        if (j == 0)
            x = 5;
        sum += x;
    }
    out[i] = sum; // EXPECT uninitialized-read 'x'
}
