// SPDX-License-Identifier: MIT
kernel void k(read_only pipe int from, global int *out)
{
    int v;
    if (read_pipe(from, &v) == 0)
        out[get_global_id(0)] = v;
}
