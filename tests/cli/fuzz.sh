#!/bin/sh
# SPDX-License-Identifier: MIT
# cldbg fuzz: finds errors that depend on data, minimizes and captures them; ranges; nothing false; verify --search; errors.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

cat >"$tmp/deep.cl" <<'END'
kernel void k(global const int *idx, global float *out, int n, int mode)
{
    int i = get_global_id(0);
    if (i >= n) return;
    int j = idx[i];
    if (mode == 4711) {
        out[i + (j == 12) * 100] = i;
        return;
    }
    if (j == 12345) out[i] = 1 / (mode - 3);
    printf("%d\n", j);
}
END
args="--arg=int[64]=any --arg=float[64]=0 --arg=int=0..64 --arg=int=any --compute-units=1"
run "$cldbg" fuzz "$tmp/deep.cl" --global=64 --local=16 $args --runs=20000 --capture="$tmp/caps" --report=json:"$tmp/f.json" --report=sarif:"$tmp/f.sarif"
check 'errors give 1' [ "$status" = 1 ]
check 'what the kernel prints is not shown' [ -z "$out" ]
check 'an access behind two conditions' has "$err" "deep.cl:7:34: error: write of 4 bytes outside global memory 'out' [out-of-bounds]"
check 'a division behind two conditions' has "$err" '[division-by-zero]'
check 'each is shown once' [ "$(echo "$err" | grep -c '^/.*\]$')" = 2 ]
check 'the closing line' has "$err" "2 findings in 20000 launches of kernel 'k', which ran 100.0 % of lines"
check 'reports have both' [ "$(grep -c '"id":' "$tmp/f.json")" = 2 ]
check 'sarif, too' grep -q division-by-zero "$tmp/f.sarif"
check 'two captures' [ "$(ls "$tmp/caps" | wc -l)" = 2 ]
check 'values are shown' has "$err" "'mode' = 4711"
first=$err
run "$cldbg" fuzz "$tmp/deep.cl" --global=64 --local=16 $args --runs=20000 --capture="$tmp/caps"
check 'the same seed finds the same' [ "$err" = "$first" ]
for capture in "$tmp"/caps/*; do
    run "$cldbg" run --dump=idx "$capture"
    check 'a capture repeats the finding' has "$err" ' in 1 kernel launch (1 '
    check 'it is minimal: one element of the data is not 0' [ "$(echo "$out" | grep -c '= [1-9-]')" = 1 ]
done

# Data and sizes in the ranges only.
cat >"$tmp/range.cl" <<'END'
kernel void k(global const int *idx, global int *out, local int *tile)
{
    int l = get_local_id(0), i = get_global_id(0);
    tile[l] = idx[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[idx[i] * get_local_size(0) / 64];
}
END
ranged="--global=1..64 --local=1..16 --arg=int[64]=0..63 --arg=int[64]=0 --arg=local:int[16]"
run "$cldbg" fuzz "$tmp/range.cl" $ranged --runs=3000 --capture="$tmp/none"
check 'right for all data of the range' [ "$status" = 0 ]
check 'and says so' has "$err" '0 findings in 3000 launches'
check 'no capture' [ ! -e "$tmp/none" ]
run "$cldbg" fuzz "$tmp/range.cl" --global=1..64 --local=1..16 --arg='int[64]=0..64' --arg='int[64]=0' --arg='local:int[16]' --runs=3000 --capture="$tmp/none"
check 'wrong for one more number' [ "$status" = 1 ]
check 'which is found with its sizes' has "$err" 'work-groups of (16,1,1)'

run "$cldbg" fuzz "$tmp/range.cl" --global=1..64 --local=1..16 --arg='int[global]=0..63' --arg='int[global]=0' --arg='local:int[16]' --runs=2000 --capture="$tmp/none2"
check 'buffers of the size of the launch' [ "$status" = 0 ]

# verify: what boundary values do not show, a search does.
cat >"$tmp/rare.cl" <<'END'
kernel void k(global const int *x, global int *out)
{
    int i = get_global_id(0);
    if (x[i] == 777 && x[i ^ 1] == 778) out[0] = i;
    else out[i] = 0;
}
END
if grep -q 'define HAVE_Z3' config.h; then
    rare="--global=64 --local=16 --arg=int[64]=0 --arg=int[64]=0"
    run "$cldbg" verify --capture="$tmp/caps" "$tmp/rare.cl" $rare --runs=0
    check 'unknown without runs' [ "$status" = 3 ]
    run "$cldbg" verify --capture="$tmp/caps" "$tmp/rare.cl" $rare --search=30 --capture="$tmp/verified"
    check 'refuted with one' [ "$status" = 1 ]
    check 'by a capture' has "$out" "cldbg run $tmp/verified/k-verify-1.cldbg"
fi

run "$cldbg" fuzz "$tmp/rare.cl" --global=64 --local=16 --arg='int[64]=0' --arg='int[64]=0'
check 'something must vary' [ "$status" = 2 ] && has "$err" 'nothing is to be varied'
run "$cldbg" fuzz "$tmp/rare.cl" --global=64..1 --local=16 --arg='int[64]=any' --arg='int[64]=0'
check 'a range goes up' has "$err" '--global=64..1: sizes such as 64, 64,8 or 16..256 are expected'
run "$cldbg" fuzz "$tmp/rare.cl" --global=64 --arg='int[64]=any' --arg='int[64]=0'
check 'sizes are needed' has "$err" '--local=X[,Y[,Z]] is missing'
run "$cldbg" fuzz "$tmp/rare.cl" --global=64 --local=16 --arg='int[64]=any' --arg='int[64]=0' --capture=/proc/none --runs=20000
check 'a folder that cannot be' has "$err" '--capture=/proc/none: it cannot be created'
timeout -s INT 3 "$cldbg" fuzz "$tmp/range.cl" $ranged >/dev/null 2>"$tmp/err"
check 'Ctrl-C ends it with the closing line' grep -q "0 findings in [0-9]* launches of kernel 'k'" "$tmp/err"
finish
