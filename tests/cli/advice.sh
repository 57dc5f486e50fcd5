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
check 'it says what was seen' has "$err" 'double.cl:11: advice: no two accesses need this barrier'
check 'without a share of the cost' hasnt "$err" 'of the cost [needless-barrier]'
check 'in json' grep -q '"id": "needless-barrier"' "$tmp/a.json"
check 'in sarif' python3 "$srcdir/tests/report/sarif.py" "$tmp/a.sarif"
run "$cldbg" run "$kernels/double.cl" --global=64 --local=16 --arg='int[256]=iota' --arg='int[256]=0' --profile="$tmp/p.json"
check 'not without --advise' hasnt "$err" needless && ! grep -q needless "$tmp/p.json"
# What is proved for any data, and what only this run did not need.
advise() { run "$cldbg" run "$tmp/p.cl" "$@" --advise --report=json:"$tmp/p.json"; }
proved() { # NAME WHETHER: the barriers of the kernel are reported, as proved or not
    check "$1: reported" has "$err" needless-barrier
    if [ "$2" = yes ]; then
        check "$1: for any data" has "$err" 'no two accesses need this barrier, for any contents of the buffers'
    else
        check "$1: only of this run" has "$err" 'in no checked launch of this run'
        check "$1: not for any data" hasnt "$err" 'for any contents'
    fi
}
cat >"$tmp/p.cl" <<'END'
kernel void k(global int *y, global const int *x) { local int t[16]; int l = get_local_id(0); t[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[get_global_id(0)] = t[l]; }
END
advise --global=64 --local=16 --arg='int[64]=0' --arg='int[64]=iota'
proved 'own data' yes
check 'with the sizes' has "$err" '(global 64, local 16; other arguments as in this run)'
check 'proved in json' grep -q '"proved": true' "$tmp/p.json"
# The data decides: x holds the index of the element that is read.
cat >"$tmp/p.cl" <<'END'
kernel void k(global int *y, global const int *x) { local int t[16]; int l = get_local_id(0); t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    y[get_global_id(0)] = t[x[l] & 15]; }
END
advise --global=64 --local=16 --arg='int[64]=0' --arg='int[64]=iota'
proved 'an index from memory' no
check 'not proved in json' grep -q '"proved": false' "$tmp/p.json"
advise --global=64 --local=16 --arg='int[64]=0' --arg='int[64]=1'
check 'other data needs it' hasnt "$err" needless
# Two barriers in a row: one of them is proved to be needless, not both.
cat >"$tmp/p.cl" <<'END'
kernel void k(global int *y) { local int t[16]; int l = get_local_id(0); t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    y[get_global_id(0)] = t[15 - l]; }
END
advise --global=64 --local=16 --arg='int[64]=0'
proved 'one of two' yes
check 'only one' [ "$(printf '%s\n' "$err" | grep -c needless-barrier)" = 1 ]
# The run does not take the branch that needs the barrier.
cat >"$tmp/p.cl" <<'END'
kernel void k(global int *y, global const int *x) { local int t[16]; int l = get_local_id(0); t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x[l] > 99) y[get_global_id(0)] = t[15 - l]; else y[get_global_id(0)] = t[l]; }
END
advise --global=64 --local=16 --arg='int[64]=0' --arg='int[64]=iota'
proved 'a branch that was not taken' no
# A barrier of a function that the kernel calls twice, also in a loop.
cat >"$tmp/p.cl" <<'END'
void wait(void) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }
kernel void k(global int *y) { local int t[16]; int l = get_local_id(0); t[l] = l; wait();
    for (int i = 0; i < 4; i++) { t[l] += i; wait(); }
    y[get_global_id(0)] = t[l]; }
END
advise --global=64 --local=16 --arg='int[64]=0'
proved 'in a function' yes
sed 's/= t\[l\]; }/= t[l ^ 1]; }/' "$tmp/p.cl" >"$tmp/q.cl" && mv "$tmp/q.cl" "$tmp/p.cl"
advise --global=64 --local=16 --arg='int[64]=0'
check 'one of its calls needs it' hasnt "$err" needless
# Atomics have no races, but a barrier may decide what they return.
cat >"$tmp/p.cl" <<'END'
kernel void k(global int *y) { local int t[2]; int l = get_local_id(0); if (l < 2) t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&t[l / 8]);
    barrier(CLK_GLOBAL_MEM_FENCE); y[get_global_id(0)] = l; }
END
advise --global=64 --local=16 --arg='int[64]=0'
proved 'atomics' no
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
