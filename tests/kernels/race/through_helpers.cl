// SPDX-License-Identifier: MIT
// Both sides of a race are in functions: the report shows how each was reached, and which barrier came last.
// RUN: --global=64 --local=64 --arg=float[64]=0
// NOTE: in 'put' called from through_helpers.cl:19:52
// NOTE: in 'put_twice' called from through_helpers.cl:27:5
// NOTE: in 'get' called from through_helpers.cl:27:21
// NOTE: 't' is 256 bytes of local memory (declared at through_helpers.cl:23); the bytes are 4..7
// NOTE: no barrier separates the two; the last one before them was at through_helpers.cl:26
// NOTE: 64 times in 1 work-group; shown once
float get(local float *t, int i)
{
    return t[i]; // OTHER data-race
}
void put(local float *t, int i, float v)
{
    t[i] = v; // EXPECT data-race 't'
}
// one of the ways to put() is right, the other is not
void put_twice(local float *t, int i, float v) { { put(t, i, v); } }
kernel void k(global float *o)
{
    const int l = get_local_id(0);
    local float t[64];
    put(t, l, l);
    // between the first put and the others
    barrier(CLK_LOCAL_MEM_FENCE);
    put_twice(t, l, get(t, (l + 1) % 64));
    o[get_global_id(0)] = t[l];
}
