// SPDX-License-Identifier: MIT
// RUN: --kernel=call --global=4 --local=4 --arg=null --arg=int[4]=iota
// NOTE: in 'first' called from parameter_of_one_name.cl:13:30
// NOTE: argument 'table' was given no memory object
// NOTE: the value read is 0
// NOTE: 4 times in 1 work-group; shown once
int first(global int *out)
{
    return out[0]; // EXPECT null-dereference 'out'
}
kernel void call(global int *table, global int *out)
{
    out[get_global_id(0)] += first(table);
}
