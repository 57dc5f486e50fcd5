// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=6
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=6
// DUMP 0: by_group(lambda g: [g[(j + 10) % len(g)] + 11 for j in range(len(g))])
// A machine with three states and a barrier in each; the transitions are uniform.
#define EXCHANGE(step) do { t[l] = x; barrier(CLK_LOCAL_MEM_FENCE); x = t[(l + (step)) % n]; barrier(CLK_LOCAL_MEM_FENCE); } while (0)
kernel void k(global int *a, int todo)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), x = a[i], c = 0;
    if (todo % 3 == 1)
        goto two;
    if (todo % 3 == 2)
        goto three;
one:
    EXCHANGE(1);
    x += 1;
    if (++c == todo)
        goto end;
    if (c % 2)
        goto three;
two:
    EXCHANGE(2);
    x += 2;
    if (++c == todo)
        goto end;
    if (c % 2)
        goto one;
three:
    EXCHANGE(3);
    x += 4;
    if (++c == todo)
        goto end;
    if (c == 2)
        goto two;
    goto one;
end:
    a[i] = x;
}
