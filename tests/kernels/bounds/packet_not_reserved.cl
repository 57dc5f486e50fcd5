// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=pipe:int[16]=iota --arg=int[8]=0 --build-options=-cl-std=CL2.0
// DUMP 1: [0, 1, 2, 3, 4, 5, 6, 0]
// NOTE: 'p' is a pipe of 16 packets of 4 bytes (declared at packet_not_reserved.cl:8)
// NOTE: the index is 7, in a reservation of 7 packets (0 to 6)
// NOTE: the value read is 0
// SAYS: help: Keep the index below the number of packets that were reserved
kernel void k(read_only pipe int p, global int *out)
{
    reserve_id_t r = work_group_reserve_read_pipe(p, 7);
    if (is_valid_reserve_id(r)) {
        int v = 0;
        read_pipe(p, r, get_local_id(0), &v); // EXPECT out-of-bounds 'p'
        out[get_global_id(0)] = v;
        work_group_commit_read_pipe(p, r);
    }
}
