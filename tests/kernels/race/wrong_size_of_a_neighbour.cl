// SPDX-License-Identifier: MIT
// RUN: --kernel=shorts --global=8 --local=8 --arg=ushort[17]=0
// Pairs of shorts as words at a stride of one short too few.
kernel void shorts(global ushort *a)
{
    int i = get_global_id(0);
    vstore2((ushort2)(1, (ushort)(i + 2)), 0, a + i); // EXPECT data-race 'a'
}
