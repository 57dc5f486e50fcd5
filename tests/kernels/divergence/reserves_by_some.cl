// SPDX-License-Identifier: MIT
// The reservation that is returned is invalid, which is a consequence and not reported.
// RUN: --global=16 --local=8 --arg=pipe:int[32] --build-options=-cl-std=CL2.0
kernel void k(write_only pipe int p)
{
    int l = get_local_id(0);
    if (l >= 4) return;
    reserve_id_t r = work_group_reserve_write_pipe(p, 4); // EXPECT barrier-divergence
    if (is_valid_reserve_id(r)) {
        write_pipe(p, r, l, &l);
        work_group_commit_write_pipe(p, r);
    }
}
