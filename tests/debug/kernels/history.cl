// SPDX-License-Identifier: MIT
typedef struct { int n; float last[3]; } trail;

float mix_in(trail *p, float x, int k)
{
    float y = x * 0.75f + k;
    p->last[k % 3] = y;
    p->n++;
    return y;
}

kernel void history(global float *o, global int *count, local float *t, int rounds)
{
    int lid = get_local_id(0), n = get_local_size(0);
    trail mine = {0, {0, 0, 0}};
    float unset;
    t[lid] = lid;
    for (int r = 0; r < rounds; r++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        float x = t[(lid + r) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 200 + lid % 7; k++) {
            x = mix_in(&mine, x, k) * 0.25f;
            if (k == lid) unset = x;
        }
        t[lid] = x;
        o[get_global_id(0)] += x;
#ifdef ATOMIC
        if (lid % 16 == 0) atomic_inc(count);
#else
        if (lid == n - 1) count[get_group_id(0)]++;
#endif
    }
    if (lid < 200) o[get_global_id(0)] += unset;
}
