#!/bin/sh
# SPDX-License-Identifier: MIT
# --schedules: other orders show more, and change nothing else; a finding names the order, which can be repeated, also from a capture and in the debugger.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
app=$PWD/tests/cli/capture_app
need tests/cli/capture_app
cd "$tmp" || exit 99
cat >flag.cl <<'KERNEL'
kernel void pass(global int *data, global atomic_int *flag, global int *out)
{
    if (get_global_id(0) == get_global_size(0) - 1) {
        data[0] = 42;
        atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
    } else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)) {
        printf("seen\n");
        out[get_global_id(0)] = data[0];
    }
}
KERNEL
flag="flag.cl --global=4 --local=1 --arg=int[1]=0 --arg=int[1]=0 --arg=int[4]=0 --build-options=-cl-std=CL2.0"
run "$cldbg" run $flag --dump=out
check 'the default order shows nothing' [ "$status" = 0 ]
printf '%s\n' "$out" >usual
run "$cldbg" run $flag --dump=out --schedules=16
check 'another one does' has "$err" "data race on global memory 'data' [data-race]"
check 'with its number' has "$err" '= seen under schedule '
check 'the closing line says how many' has "$err" '1 error in 1 kernel launch under 16 schedules (1 data-race)'
check 'what is computed and printed is of the default order' [ "$out" = "$(cat usual)" ]
number=$(printf '%s\n' "$err" | sed -n 's/.*repeat it with --schedule=\([0-9]*\)$/\1/p')
run "$cldbg" run $flag --schedules=16 --report=json:r.json --report=sarif:r.sarif
json() { # json FILE EXPRESSION: of the document d
    /usr/bin/env python3 -c 'import json, sys
d = json.load(open(sys.argv[1], encoding="utf-8"))
sys.exit(not eval(sys.argv[2]))' "$@"
}
check 'reports for machines have the number, too' json r.json "[f['schedule'] for f in d['findings']] == [$number]"
check 'also SARIF' json r.sarif "[r['properties']['schedule'] for r in d['runs'][0]['results']] == [$number]"
run "$cldbg" run $flag --schedule="$number" --report=json:r.json
check 'where it was asked for, it is not repeated' json r.json "'schedule' not in d['findings'][0]"
run "$cldbg" run $flag --schedule="$number"
check 'that schedule alone shows it' has "$err" '[data-race]'
check 'and needs no note' hasnt "$err" 'seen under'
check 'its output is its own' has "$out" 'seen'
run "$cldbg" run $flag --schedule=0
check '0 is the default order' [ "$status" = 0 ]

# What the default order shows is reported and counted as there.
local=$(echo "$flag" | sed 's/--local=1/--local=4/')
run "$cldbg" run $local
check 'this one finds it in the default order' has "$err" '[data-race]'
printf '%s\n' "$err" | grep -v '^cldbg: ' >first
run "$cldbg" run $local --schedules=12
check 'the report is the same' [ "$(printf '%s\n' "$err" | grep -v '^cldbg: ')" = "$(cat first)" ]

run "$cldbg" run $flag --schedules=16 --capture-on-finding
check 'the launch is captured' [ -s cldbg-captures/pass-1.cldbg ]
run "$cldbg" run cldbg-captures/pass-1.cldbg
check 'the capture repeats the schedules' has "$err" '= seen under schedule '
run "$cldbg" run cldbg-captures/pass-1.cldbg --schedules=1 --schedule="$number"
check 'or one of them' has "$err" '[data-race]'

printf 'run\ncontinue\n' >commands
run "$cldbg" -i --batch -x commands run $flag --schedule="$number"
check 'the debugger stops where it is found' has "$out" 'data race on'
run "$cldbg" -i --batch -x commands run $flag
check 'and in the default order it does not' hasnt "$out" 'data race on'
printf 'break 8\nrun\nprint data[0]\n' >commands
run "$cldbg" -i --batch -x commands run $flag --schedule="$number"
check 'breakpoints are met in that order' has "$out" '= 42'

printf 'struct pair { int a; int b[2]; };\n' >capture_part.h
run "$cldbg" --schedules=4 "$app"
check 'launches without atomics run once' has "$err" 'in 3 kernel launches under one schedule'
finish
