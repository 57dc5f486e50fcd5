// SPDX-License-Identifier: MIT
// RUN: --kernel=un --global=2 --local=2 --arg=long[2]=0
union both {
    int i[2];
    long l;
};
kernel void un(global long *o)
{
    union both u;
    u.i[0] = 1;
    o[get_global_id(0)] = u.l; // EXPECT uninitialized-read 'u'
}
