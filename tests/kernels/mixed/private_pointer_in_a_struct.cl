// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
struct job {
    int n;
    private int *data;
};
int sum(struct job j)
{
    int s = 0;
    for (int i = 0; i < j.n; i++)
        s += j.data[i]; // EXPECT address-space 'd'
    return s;
}
kernel void k(global int *o)
{
    local struct job jobs[8];
    int i = get_local_id(0), d[4];
    for (int k = 0; k < 4; k++) d[k] = k + i;
    struct job own = {4, d};
    jobs[i] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = sum(jobs[i ^ 1]);
}
