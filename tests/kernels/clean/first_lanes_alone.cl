// SPDX-License-Identifier: MIT
// RUN: --global=512 --local=256 --arg=uint[512]=0 --arg=int[512]=0 --arg=double[512]=0 --arg=uint=7
// RUN: --global=600 --local=200 --arg=uint[600]=0 --arg=int[600]=0 --arg=double[600]=0 --arg=uint=7
// RUN: --global=528 --local=33 --arg=uint[528]=0 --arg=int[528]=0 --arg=double[528]=0 --arg=uint=7
// DUMP 0: [(lambda l, L: sum(k * (l // 7) + l % 7 + 3 * ((l + s) % L) + (1000 // (s - l) if l % 3 else 0) for k, s in enumerate((200, 129, 128, 65, 48, 31, 17, 16, 15, 3, 1, 0)) if l < min(s, L - 1)))(g % L, L) for L in [{512: 256, 600: 200, 528: 33}[N]] for g in range(N)]
// DUMP 1: [(lambda l, L: sum(-(l // 7) - (l + 1) % 7 for s in (200, 129, 128, 65, 48, 31, 17, 16, 15, 3, 1, 0) if l < min(s, L - 1)))(g % L, L) for L in [{512: 256, 600: 200, 528: 33}[N]] for g in range(N)]
// DUMP 2: [(lambda l, L: float(sum(s for s in (200, 129, 128, 65, 48, 31, 17, 16, 15, 3, 1, 0) if l < min(s, L - 1)) + l))(g % L, L) for L in [{512: 256, 600: 200, 528: 33}[N]] for g in range(N)]
// Only the first lanes do something, fewer and fewer of them; the other lanes keep their values. If these ran, they would be out of bounds or divide by zero.
constant uint first[12] = {200, 129, 128, 65, 48, 31, 17, 16, 15, 3, 1, 0};

kernel void alone(global uint *out, global int *negative, global double *wide, uint seven)
{
    local uint turned[256];
    local double doubles[256];
    local uchar bytes[3 * 256];
    uint l = get_local_id(0), n = get_local_size(0), sum = 0, own[4] = {0, 0, 0, 0};
    int below = 0, minus = -(int)l;
    turned[n - 1 - l] = 3 * (n - 1 - l);
    doubles[l] = l;
    for (uint k = 0; k < 12; k++) {
        uint s = min(first[k], n - 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s) {
            uint at = (l + first[k]) % n;
            sum += k * (l / seven) + l % seven + turned[at];
            if (l % 3) sum += 1000 / (first[k] - l);
            below += minus / (int)seven;
            doubles[l] += first[k];
            bytes[3 * l + 1] = (uchar)(l + 1);
            own[l & 3] += bytes[3 * l + 1] % seven;
        }
        if (l == 300) out[n * 4 + get_global_id(0)] = 1;
    }
    for (uint k = 0; k < 4; k++) below -= (int)own[k];
    out[get_global_id(0)] = sum;
    negative[get_global_id(0)] = below;
    wide[get_global_id(0)] = doubles[l];
}
