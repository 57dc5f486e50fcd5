#!/bin/sh
# SPDX-License-Identifier: MIT
# The world fails: cache directories that cannot be used, a full disk while reports are written, many processes at once,
# Ctrl-C in a launch that takes long. (clang that fails is in tests/frontend/test_build, apps that crash in reports.sh.)
set -u
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
cat >"$tmp/k.cl" <<'EOF'
kernel void k(global int *out, int n)
{
    out[get_global_id(0) + n] = 1;
}
EOF
cat >"$tmp/long.cl" <<'EOF'
kernel void k(global int *out)
{
    if (get_global_id(0) == 3) out[8] = 1;
    for (ulong i = 0; i < 1000000000000UL; i++) out[get_global_id(0)] += i;
}
EOF
good="run $tmp/k.cl --global=8 --local=4 --arg=int[8]=0 --arg=int=0"
bad="run $tmp/k.cl --global=8 --local=4 --arg=int[8]=0 --arg=int=1"

# the cache
for dir in /dev/null/cache /proc/nowhere "$tmp/a file"; do
    : >"$tmp/a file"
    run env CLDBG_CACHE="$dir" "$cldbg" $good
    check "cache that cannot be: $dir" [ "$status" = 0 ]
done
run env CLDBG_CACHE="$tmp/c" "$cldbg" $good
find "$tmp/c" -type f | while read -r f; do printf 'rubbish' >"$f"; done
run env CLDBG_CACHE="$tmp/c" "$cldbg" $bad
check 'a cache of rubbish' [ "$status" = 1 ]
check 'the finding all the same' has "$err" '[out-of-bounds]'
find "$tmp/c" -type f | while read -r f; do : >"$f"; done
run env CLDBG_CACHE="$tmp/c" "$cldbg" $bad
check 'a cache of empty files' [ "$status" = 1 ]
rm -rf "$tmp/c"
i=0 n=${PROCESSES:-24}
while [ $i -lt "$n" ]; do
    { CLDBG_CACHE="$tmp/c" "$cldbg" $bad >/dev/null 2>"$tmp/p$i"; echo $? >"$tmp/s$i"; } &
    i=$((i + 1))
done
wait
check 'many processes, one empty cache' [ "$(cat "$tmp"/s* | sort | uniq -c | tr -d ' \n')" = "${n}1" ]
check 'each has its finding' [ "$(grep -l 'out-of-bounds' "$tmp"/p* | wc -l)" = "$n" ]

# a compiler that does not end, itself or what it started, and one that says more than anybody reads
compiler() { # compiler NAME SCRIPT WORDS [SECONDS]
    printf '#!/bin/sh\n%s\n' "$2" >"$tmp/$1"
    chmod +x "$tmp/$1"
    run timeout 30 env CLDBG_CACHE=off CLDBG_COMPILE_SECONDS=${4-1} CLDBG_CLANG="$tmp/$1" "$cldbg" $good
    check "a compiler that $1: no build" [ "$status" = 2 ]
    check "a compiler that $1: and why" has "$err" "$3"
}
compiler hangs 'sleep 4321' 'did not end within 1 seconds'
compiler closes 'exec >&- 2>&- 3>&-; sleep 4321' 'did not end within 1 seconds'
compiler leaves 'sleep 4321 & echo some words >&2; exit 1' 'some words' 3 # asked for its headers, and to compile
compiler floods 'cat /dev/zero' 'error: the compiler'
printf '#!/bin/sh\nexec sleep 1234\n' >"$tmp/cc"
chmod +x "$tmp/cc"
run timeout 30 env CLDBG_CACHE=off CLDBG_COMPILE_SECONDS=1 CLDBG_CC="$tmp/cc" "$cldbg" $good
check 'a cldbg-cc that hangs: no build' [ "$status" = 2 ]
check 'a cldbg-cc that hangs: and why' has "$err" 'the compilation did not end within 1 seconds; CLDBG_COMPILE_SECONDS=N allows N'

# ended in the middle of a build, the command takes the compiler along
printf '#!/bin/sh\n: >"%s/begun"\nexec sleep 4321\n' "$tmp" >"$tmp/slow"
chmod +x "$tmp/slow"
for sig in KILL TERM; do
    rm -f "$tmp/begun"
    CLDBG_CACHE=off CLDBG_CLANG="$tmp/slow" "$cldbg" $good >/dev/null 2>&1 &
    for i in $(seq 300); do
        [ -e "$tmp/begun" ] && break
        sleep 0.1
    done
    kill -$sig $!
    wait $! || status=$?
    for i in $(seq 50); do
        LD_PRELOAD= pgrep -f '^sleep 4321$' >/dev/null || break
        sleep 0.1
    done
    check "SIG$sig in a build: it ends" [ "$status" -gt 128 ]
    check "SIG$sig in a build: the compiler ends, too" [ -z "$(LD_PRELOAD= pgrep -f '^sleep 4321$')" ]
done
check 'nothing of them is left' [ -z "$(LD_PRELOAD= pgrep -f '^sleep 4321$')" ]

# a full disk: a report that cannot be written is named, and no partial file is left
for format in json sarif junit; do
    run "$cldbg" $bad --report=$format:/dev/full
    check "$format to a full disk: said" has "$err" 'cannot be written'
done
{
    echo 'kernel void k(global int *out, int n) {'
    for i in 1 2 3 4 5 6; do echo "out[get_global_id(0) + $i * n] = 1;"; done
    echo '}'
} >"$tmp/six.cl"
six="run $tmp/six.cl --global=8 --local=4 --arg=int[8]=0 --arg=int=8"
printf 'cldbg: older' >"$tmp/report"
run sh -c '(ulimit -f 40; exec "$@") 2>&1 | cat' sh "$cldbg" $six --report=sarif:"$tmp/report" # 20 KiB; it has 50
check 'a file that may not grow: words' has "$out" "$tmp/report cannot be written: File too large"
check 'a file that may not grow: no half report' [ "$(cat "$tmp/report")" = 'cldbg: older' ]
check 'a file that may not grow: nothing left beside it' [ "$(ls "$tmp" | grep -c '^report')" = 1 ]
if [ -z "${CLDBG_TEST_TSAN-}" ]; then # which itself ends where files may grow so little
run sh -c '(ulimit -f 4; exec "$@") 2>&1 | cat' sh "$cldbg" $six --report=json:"$tmp/report"
check 'findings that may not be kept: words' has "$out" '6 findings could not be written'
run sh -c '"$@" 2>&1 | cat' sh "$cldbg" --report=sarif:"$tmp/unkept.sarif" --report=junit:"$tmp/unkept.xml" sh -c "ulimit -f 1; exec ./examples/reduction --bug"
check 'an app may not keep its findings: words' has "$out" '1 finding could not be written'
check 'an app may not keep its findings: sarif' "$srcdir/tests/report/sarif.py" "$tmp/unkept.sarif"
check 'an app may not keep its findings: sarif says so' grep -q '"executionSuccessful": false' "$tmp/unkept.sarif"
check 'an app may not keep its findings: junit says so' grep -q '<error message="1 kernel launch could not be kept.*; 1 finding could not be kept' "$tmp/unkept.xml"

# where no file may grow at all, not even in memory, words; where the cache cannot, the kernel runs
run sh -c '(ulimit -f 0; exec "$@") 2>&1 | cat' sh "$cldbg" $bad
check 'no file may grow: words' has "$out" 'no shared memory is available: File too large'
run sh -c '(ulimit -f 1; exec "$@") 2>&1 | cat' sh env XDG_CACHE_HOME="$tmp/no-room" "$cldbg" $bad
check 'the cache may not grow: the finding' has "$out" 'out-of-bounds'
fi

# Ctrl-C (python, since a shell's background jobs ignore it)
cat >"$tmp/interrupt.py" <<'EOF'
import signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.SIG_DFL)  # it is ignored where the tests run in the background
p = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL)
time.sleep(2)
for _ in range(int(sys.argv[1])):
    start = time.time()
    p.send_signal(signal.SIGINT)
    time.sleep(0.5)
try:
    p.wait(100)
    print(f"{time.time() - start:.1f} seconds")
except subprocess.TimeoutExpired:
    p.kill()
    print("it goes on")
EOF
run "$cldbg" --instruction-limit=1000 run "$tmp/long.cl" --global=8 --local=8 '--arg=int[8]=0' # so that compiling takes none of the two seconds
run python3 "$tmp/interrupt.py" 1 "$cldbg" run "$tmp/long.cl" --global=8 --local=8 '--arg=int[8]=0'
check 'Ctrl-C ends it at once' hasnt "$out" 'goes on'
check 'Ctrl-C: a closing line' has "$err" 'cldbg: 1 error in 1 kernel launch (1 out-of-bounds); 1 launch was interrupted'
run python3 "$tmp/interrupt.py" 2 "$cldbg" tests/api/patient
check 'an app with a handler: the first Ctrl-C says what it waits for' has "$err" 'press it again to end the kernel now'
check 'an app with a handler: the second cuts the kernel short' has "$out" 'the kernel ended with -5, the next with 0; 2 signals'
cat >"$tmp/part.cl" <<'EOF'
kernel void part(global int *o) // the first group ends soon, the others do not
{
    o[get_local_id(0) / 2] = get_local_id(0);
    if (get_group_id(0) == 0) return;
    for (volatile int k = 0; k >= 0;) o[8 + get_global_id(0)] = k = (k + 1) & 0xffff;
}
EOF
run python3 "$tmp/interrupt.py" 1 "$cldbg" run --report="json:$tmp/part.json" "$tmp/part.cl" --global=32 --local=8 '--arg=int[64]=0'
check 'Ctrl-C: what was found is told' has "$err" 'data race on global memory'
check 'Ctrl-C: and stands in the report' grep -q '"data-race"' "$tmp/part.json"
finish
