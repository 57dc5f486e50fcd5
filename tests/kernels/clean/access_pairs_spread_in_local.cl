// SPDX-License-Identifier: MIT
// RUN: --global=128 --local=64 --build-options=-DT=uint --arg=uint[128]=9
// RUN: --global=96 --local=24 --build-options=-DT=uint --arg=uint[96]=9
// RUN: --global=96 --local=16 --build-options=-DT=uint --arg=uint[96]=9
// RUN: --global=100 --local=100 --build-options=-DT=uint --arg=uint[100]=9
// RUN: --global=128 --local=64 --build-options=-DT=uchar --arg=uint[128]=9
// RUN: --global=128 --local=64 --build-options=-DT=ushort --arg=uint[128]=9
// RUN: --global=128 --local=64 --build-options=-DT=ulong --arg=uint[128]=9
// RUN: --global=128 --local=64 --build-options=-DT=float --arg=uint[128]=9
// DUMP 0: [0] * N
// Some lanes store in pairs that are close to each other, in the same way in every iteration, up to the end of the object; the
// elements of the other lanes stay unchanged. Then one lane of four that share an element, and a single one. Result: the number of wrong elements.
kernel void pairs(global uint *out)
{
    local T t[200];
    uint l = get_local_id(0), n = get_local_size(0), wrong = 0;
    for (uint step = 1; step <= 8; step *= 2)
        for (uint r = 0; r < 4; r++) {
            t[l] = 100 + l;
            t[l + n] = 100 + l + n;
            barrier(CLK_LOCAL_MEM_FENCE);
            uint i = 2 * l - (l & (step - 1));
            if ((l + r) % 3 && i + step < 2 * n) {
                t[i] = l + r;
                t[i + step] = 2 * l + step + r;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint j = l; j < 2 * n; j += n) {
                uint lane = j / (2 * step) * step + j % step, low = j / step % 2 == 0;
                bool is_stored = (lane + r) % 3 && lane < n && 2 * lane - (lane & (step - 1)) + step < 2 * n;
                wrong += t[j] != (T)(is_stored ? (low ? lane + r : 2 * lane + step + r) : 100 + j);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            if ((l + r) % 4 == 1) t[l / 4] = l;
            if (l == 5 * r) t[n + l] = 77;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (l < n / 4) wrong += t[l] != (T)(4 * l + (1 - r & 3));
            if (l == 3) wrong += t[n + 5 * r] != (T)77;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    out[get_global_id(0)] = wrong;
}
