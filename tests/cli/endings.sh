#!/bin/sh
# SPDX-License-Identifier: MIT
# However an app ends, or goes on, after a launch: findings are reported, reports are whole files, the cache is as good as before.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
need tests/cli/host_app tests/cli/host_app_loads
app=tests/cli/host_app
loads=tests/cli/host_app_loads
limit='timeout -k 5 120'

# ending WORD STATUS LAUNCHES: with a finding, which stands in every report
ending() {
    rm -f "$tmp"/r.*
    run $limit "$cldbg" --report=json:"$tmp/r.json" --report=sarif:"$tmp/r.sarif" --report=junit:"$tmp/r.xml" $app racy "$1"
    check "$1: the app's status" [ "$status" = "$2" ]
    check "$1: the finding" has "$err" 'data race on global memory'
    check "$1: the closing line" has "$err" "cldbg: 1 error in $3 (1 data-race)"
    check "$1: it is in the report" grep -q '"data-race"' "$tmp/r.json"
    check "$1: the report is whole" python3 -m json.tool "$tmp/r.json" /dev/null
    check "$1: sarif" "$srcdir/tests/report/sarif.py" "$tmp/r.sarif"
    check "$1: junit" has "$(tail -n 1 "$tmp/r.xml")" '</testsuites>'
    check "$1: nothing is left beside them" [ "$(ls "$tmp" | grep -c '^r\.')" = 3 ]
}
ending crash 139 '1 kernel launch'
ending kill 137 '1 kernel launch'
ending abort 134 '1 kernel launch'
ending _exit 7 '1 kernel launch'
ending exec 8 '1 kernel launch'
check 'exec: the other program' has "$out" 'another program'

# A child that goes on with what its parent made: worker threads are not in it.
for threads in 1 4; do
    run $limit "$cldbg" --compute-units=$threads $app clean again
    check "fork, $threads threads: both end" [ "$status" = 0 ]
    check "fork, $threads threads: the parent's launch" has "$out" 'parent: 0, out[5] = 5'
    check "fork, $threads threads: the child's launch" has "$out" 'child: 0, out[5] = 5'
    check "fork, $threads threads: counted" has "$err" 'no findings in 3 kernel launches; 1 launch was in a child process'
done

# Unloaded and loaded again, by a program whose loader is its own.
system=$(ldconfig -p 2>/dev/null | sed -n 's/.*libOpenCL\.so\.1 .*=> //p' | head -n 1)
run $limit "$cldbg" $loads libOpenCL.so.1 clean closed
check 'dlclose: ends' [ "$status" = 0 ]
check 'dlclose: counted' has "$err" 'no findings in 21 kernel launches'
if [ -n "$system" ]; then
    cp "$system" "$tmp/libOwnLoader.so"
    run $limit env LD_PRELOAD= "$cldbg" env LD_PRELOAD= $loads "$tmp/libOwnLoader.so" clean closed
    check 'dlclose, a loader of its own: ends' [ "$status" = 0 ]
    check 'dlclose, a loader of its own: counted' has "$err" 'no findings in 21 kernel launches'
fi

# Ending the program in the debugger keeps the findings; a program that was never started prints nothing.
summing="$srcdir/tests/debug/kernels/reduce.cl --global=128 --local=64 --arg=float[128]=1 --arg=float[2]=0 --arg=local:float[64]"
debugged() {
    printf "$1" >"$tmp/commands"
    shift
    run $limit "$cldbg" -i -x "$tmp/commands" --batch "$@"
}
debugged 'run\n' --report=json:"$tmp/r.json" $app racy
check 'a script ends while a kernel is stopped: the closing line' has "$err" 'cldbg: 1 error in 1 kernel launch (1 data-race); 1 launch was interrupted'
check 'a script ends while a kernel is stopped: its status' [ "$status" = 66 ]
check 'a script ends while a kernel is stopped: the report' grep -q '"data-race"' "$tmp/r.json"
debugged 'run\nkill\nquit\n' run $summing --report=json:"$tmp/r.json"
check 'killed: the closing line' has "$err" 'cldbg: 1 error in 1 kernel launch (1 data-race); 1 launch was interrupted'
check 'killed: the report' grep -q '"data-race"' "$tmp/r.json"
debugged 'quit\n' $app racy
check 'never begun: no closing line' [ -z "$err" ]
check 'never begun: its status' [ "$status" = 0 ]

# What all these left in the cache is used, and right.
run $limit "$cldbg" --verbose $app racy
check 'the cache: the same finding' has "$err" 'cldbg: 1 error in 1 kernel launch (1 data-race)'
finish
