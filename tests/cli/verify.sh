#!/bin/sh
# SPDX-License-Identifier: MIT
# cldbg verify: what it proves, what it refutes with a run, what it does not know; open arguments; errors.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

cat >"$tmp/sum.cl" <<'END'
kernel void sum(global const int *x, global int *out, int n)
{
    local int t[64];
    int l = get_local_id(0), g = get_global_id(0);
    t[l] = g < n ? x[g] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1) {
        if (l < s) t[l] += t[l + s];
        BARRIER
    }
    if (l == 0) out[get_group_id(0)] = t[0];
}
END
sizes='--global=256 --local=64'
run "$cldbg" verify "$tmp/sum.cl" --build-options='-DBARRIER=barrier(CLK_LOCAL_MEM_FENCE);' $sizes \
    --arg='int[256]=1' --arg='int[4]=0' --arg=int=any
if ! grep -q 'define HAVE_Z3' config.h; then # closed forms prove only a part
    check 'without a solver nothing is refuted' [ "$status" = 3 ] || [ "$status" = 0 ]
    finish
fi
for property in barrier-divergence local-races group-races global-races in-bounds divisions other-checks; do
    check "$property is proved" has "$out" "proved   $property"
done
run "$cldbg" verify "$tmp/sum.cl" --build-options=-DBARRIER= $sizes --arg='int[256]=1' --arg='int[4]=0' --arg=int=any
check 'without its barrier it is refuted' [ "$status" = 1 ]
check 'by a race' has "$out" 'refuted  local-races: data race on local memory'
check 'in the run that is shown' has "$out" "repeat: cldbg run $tmp/sum.cl --kernel=sum --global=256 --local=64"
check 'the rest is still proved' has "$out" 'proved   in-bounds'

cat >"$tmp/index.cl" <<'END'
kernel void index(global int *x, int n)
{
    if (get_global_id(0) < n) x[get_global_id(0)] = n / (n + 1);
}
END
run "$cldbg" verify "$tmp/index.cl" $sizes --arg='int[200]=0' --arg=int=0..200
check 'a range that fits' [ "$status" = 0 ]
run "$cldbg" verify "$tmp/index.cl" $sizes --arg='int[200]=0' --arg=int=0..201
check 'a range that does not' has "$out" 'refuted  in-bounds'
check 'by its largest value' has "$out" '--arg=int=201'
run "$cldbg" verify "$tmp/index.cl" $sizes --arg='int[200]=0' --arg=int=-5..200
check 'a division by zero' has "$out" 'refuted  divisions: integer division by zero'
check 'for -1' has "$out" '--arg=int=-1'
run "$cldbg" verify "$tmp/index.cl" $sizes --arg='int[200]=0' --arg=int=-5..200 --runs=0
check 'without runs nothing is refuted' [ "$status" = 3 ]
check 'but unknown' has "$out" 'unknown  divisions: this may divide by zero, or overflow, but no run showed it'
check 'at its place' has "$out" "at $tmp/index.cl:3:55"

run "$cldbg" verify "$tmp/index.cl" --global=64 --arg='int[200]=0' --arg=int=1
check 'no --local' [ "$status" = 2 ]
check 'the message names it' has "$err" '--local=X[,Y[,Z]] is missing'
run "$cldbg" verify "$tmp/index.cl" $sizes --arg='int[200]=0' --arg=int=9..1
check 'an empty range' has "$err" '--arg=int=9..1: a range such as int=1..4096 is expected'
run "$cldbg" verify "$tmp/index.cl" $sizes --arg='int[200]=0' --arg=uchar=1..5
check 'a range of another size' has "$err" "argument 1 is 'int n'"
run "$cldbg" verify "$tmp/index.cl" $sizes --arg=int=1
check 'too few arguments' has "$err" "kernel 'index' takes 2 arguments, 1 given"
run "$cldbg" verify --help
check 'help' has "$out" '--runs=N'
finish
