// SPDX-License-Identifier: MIT
// One step of n bodies that attract one another. A work-group passes over all bodies, a tile at a time in
// local memory; n is not a multiple of the tile size, so the last tile is short. position.w is the mass.
#define TILE 64

kernel void move(global const float4 *position, global float4 *velocity, global float4 *moved, uint n, float dt)
{
    local float4 tile[TILE];
    uint i = get_global_id(0), lid = get_local_id(0);
    float4 self = i < n ? position[i] : (float4)(0);
    float3 pull = 0;

    for (uint first = 0; first < n; first += TILE) {
        uint count = min((uint)TILE, n - first);
#ifdef BUG
        count = TILE;
#endif
        if (lid < count) tile[lid] = position[first + lid]; // bug 1: out-of-bounds
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = 0; j < count; j++) {
            float3 d = tile[j].xyz - self.xyz;
            float r = rsqrt(dot(d, d) + 0.01f);
            pull += d * (tile[j].w * r * r * r);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i >= n) return;
    float3 v = velocity[i].xyz + pull * dt;
    velocity[i] = (float4)(v, 0);
    moved[i] = (float4)(self.xyz + v * dt, self.w);
}
