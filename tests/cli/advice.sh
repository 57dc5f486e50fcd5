#!/bin/sh
# SPDX-License-Identifier: MIT
# --advise: needless barriers, in annotated kernels, in the report files, and only if wanted.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
kernels=$srcdir/tests/advice
CLDBG=$cldbg python3 "$srcdir/tests/kernels/run.py" "$kernels" >"$tmp/out" || cat "$tmp/out"
check 'kernels as annotated' grep -q '^[0-9]* kernels as annotated, 0 not' "$tmp/out"
run "$cldbg" run "$kernels/double.cl" --global=64 --local=16 --arg='int[256]=iota' --arg='int[256]=0' --advise \
    --report=json:"$tmp/a.json" --report=sarif:"$tmp/a.sarif"
check 'advice is no finding' [ "$status" = 0 ] && has "$err" 'no findings in 1 kernel launch'
check 'it says what was seen' has "$err" 'double.cl:11: advice: in no checked launch of this run'
check 'without a share of the cost' hasnt "$err" 'of the cost [needless-barrier]'
check 'in json' grep -q '"id": "needless-barrier"' "$tmp/a.json"
check 'in sarif' python3 "$srcdir/tests/report/sarif.py" "$tmp/a.sarif"
run "$cldbg" run "$kernels/double.cl" --global=64 --local=16 --arg='int[256]=iota' --arg='int[256]=0' --profile="$tmp/p.json"
check 'not without --advise' hasnt "$err" needless && ! grep -q needless "$tmp/p.json"
# An argument decides whether the barrier is needed.
cat >"$tmp/k.cl" <<'END'
kernel void k(global int *y, int step) { local int t[16]; int l = get_local_id(0); t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    y[get_global_id(0)] = t[(l + step) % 16]; }
END
for step in 0 1; do
    run "$cldbg" run "$tmp/k.cl" --global=64 --local=16 --arg='int[64]=0' --arg=int=$step --advise
    [ $step = 0 ] && check 'this size does not need it' has "$err" 'needless-barrier'
    [ $step = 1 ] && check 'this one does' hasnt "$err" 'needless-barrier'
done
finish
