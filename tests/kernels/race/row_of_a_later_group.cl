// SPDX-License-Identifier: MIT
// RUN: --compute-units=1 --global=2048 --local=16 --arg='int[1]=100' --arg='float[32768]=0'
// All groups do the same between two barriers, but in one a work-item reads another row than the pivot's, which its owner changes.
kernel void k(global const int *odd, global float *out) {
    local float t[16][17];
    const int l = get_local_id(0), g = get_group_id(0), more = g == odd[0];
    for (int x = 0; x < 16; x++) t[l][x] = l + x + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 15; k++) {
        if (l > k) t[l][k] /= t[k][k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l > k)
            for (int x = k + 1; x < 16; x++)
                t[l][x] -= t[l][k] * t[l == 15 ? k + more : k][x]; // EXPECT data-race 't'
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int x = 0; x < 16; x++) out[g * 256 + l * 16 + x] = t[l][x];
}
