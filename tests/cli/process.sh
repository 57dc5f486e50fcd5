#!/bin/sh
# SPDX-License-Identifier: MIT
# What the app's process is to the outside: exit status, signals, streams, environment; the closing line always.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

run "$cldbg" sh -c 'exit 7'
check "the app's exit status" [ "$status" = 7 ]
check 'the closing line' has "$err" 'cldbg: no kernel was launched: '
check 'advice' has "$err" 'cldbg doctor sh'
run "$cldbg" -- true
check 'success' [ "$status" = 0 ]
ci="--ci --report=sarif:$tmp/ci.sarif --report=junit:$tmp/ci.xml"
run "$cldbg" $ci true
check '--ci without launches is 125' [ "$status" = 125 ]
run "$cldbg" $ci sh -c 'exit 3'
check "--ci leaves the app's own failure" [ "$status" = 3 ]

run "$cldbg" "$tmp/nothing"
check 'not there: 127' [ "$status" = 127 ]
check 'not there: words' has "$err" 'No such file'
run "$cldbg" no-such-program-anywhere
check 'not in PATH: 127' [ "$status" = 127 ]
check 'not in PATH: words' has "$err" 'not found in PATH'
run "$cldbg" "$tmp"
check 'a folder: 126' [ "$status" = 126 ]
echo 'true' >"$tmp/plain"
run "$cldbg" "$tmp/plain"
check 'not executable: 126' [ "$status" = 126 ]
printf '#!/no/such/shell\n' >"$tmp/script"
chmod +x "$tmp/script"
run "$cldbg" "$tmp/script"
check 'no interpreter: 127' [ "$status" = 127 ]
check 'no interpreter: words' has "$err" 'interpreter'

need tests/cli/host_app
run "$cldbg" $ci tests/cli/host_app left
check 'never waited for: --ci is 125' [ "$status" = 125 ]
check 'never waited for: words' has "$err" 'enqueued kernels, but none ran: the app never waited for them'
run "$cldbg" tests/cli/host_app thin
check 'a thread with 64 KiB of stack' [ "$status" = 66 ]
check 'a thread with 64 KiB of stack: where' has "$err" 'enqueued at host_app.c'
run "$cldbg" tests/cli/host_app apart
check 'a stack of the app'"'"'s own, 64 KiB' [ "$status" = 66 ]
run "$cldbg" tests/cli/host_app cut
check 'the app ends while a kernel runs' has "$err" 'cldbg: no findings in 1 kernel launch; 1 launch was interrupted'

for sig in TERM:15 SEGV:11 KILL:9; do
    run "$cldbg" sh -c "kill -${sig%:*} \$\$"
    check "dies of SIG$sig as the app" [ "$status" = $((128 + ${sig#*:})) ]
    check "SIG$sig: the closing line" has "$err" 'no kernel was launched'
done

# A signal sent to the command reaches the app, which handles it.
"$cldbg" sh -c 'trap "echo got it; exit 9" USR1; echo ready; while :; do sleep 0.1; done' >"$tmp/out" 2>"$tmp/err" &
pid=$!
for i in $(seq 300); do
    grep -q ready "$tmp/out" && break
    sleep 0.2
done
kill -USR1 "$pid"
wait "$pid" && status=0 || status=$?
out=$(cat "$tmp/out") err=$(cat "$tmp/err")
check 'a signal is passed on' has "$out" 'got it'
check "and the app's answer is its status" [ "$status" = 9 ]

printf 'a\0b\n' | "$cldbg" cat 2>/dev/null >"$tmp/copy"
printf 'a\0b\n' >"$tmp/want"
check 'stdin and stdout are the app'"'"'s' cmp -s "$tmp/copy" "$tmp/want"
run "$cldbg" sh -c 'echo to stderr >&2'
check 'stderr too' has "$err" 'to stderr'

run env LD_PRELOAD= OCL_ICD_FILENAMES=/x "$cldbg" --compute-units=3 --source-dir=. --check=data-race env
check 'preloaded' has "$out" 'LD_PRELOAD=/'
check 'the vendors of ICD loaders' has "$out" 'OCL_ICD_VENDORS=/'
check 'options' has "$out" 'CLDBG_OPTIONS=--check=data-race --source-dir=/'
check 'options' has "$out" '--compute-units=3'
check 'no other drivers' hasnt "$out" 'OCL_ICD_FILENAMES'
run env CLDBG_OPTIONS='--strict --gang=64' "$cldbg" --gang=8 env
check 'CLDBG_OPTIONS and the command line' has "$out" 'CLDBG_OPTIONS=--strict --gang=8'

run "$cldbg" --log-file="$tmp/log" true
check 'the closing line is in the log, too' has "$(cat "$tmp/log")" 'cldbg: no kernel was launched'
run "$cldbg" --color=always true
check 'colors' has "$err" "$(printf '\033[')"
run "$cldbg" --color=never true
check 'no colors' hasnt "$err" "$(printf '\033[')"
finish
