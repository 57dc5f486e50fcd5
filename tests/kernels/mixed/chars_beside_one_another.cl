// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=uchar[64]=0
// DUMP 0: [(i * 3) & 255 for i in range(64)]
kernel void k(global uchar *c)
{
    c[get_global_id(0)] = get_global_id(0) * 3;
}
