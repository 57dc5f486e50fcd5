// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=uchar[64]=iota
// DUMP 0: [255 - i for i in range(64)]
// Single bytes of one word, each by its own work-item.
kernel void invert(global uchar *a)
{
    size_t i = get_global_id(0);
    a[i] = ~a[i];
}
