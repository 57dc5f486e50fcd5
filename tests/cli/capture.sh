#!/bin/sh
# SPDX-License-Identifier: MIT
# Captured launches: repeated, they compute and find the same; damaged ones are rejected with an error message.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
app=$PWD/tests/cli/capture_app
need tests/cli/capture_app
svm_app=$PWD/tests/cli/capture_svm
need tests/cli/capture_svm
cd "$tmp" || exit 99
printf 'struct pair { int a; int b[2]; };\n' >capture_part.h

findings() { # what was found, without what only the first run can know
    grep -v -e '^cldbg: ' -e '= kernel launch' -e '= to repeat it' | sed 's/ (declared at [^)]*)//; s/ (created at [^()]* ([^()]*))//g'
}

run "$cldbg" --error-exitcode=9 --capture=caps "$app"
check 'the app runs' [ "$status" = 9 ]
check 'it found what is planted' has "$err" '[data-race]'
check 'and this' has "$err" '[out-of-bounds]'
check 'and that' has "$err" '[uninitialized-read]'
check 'each finding says how to repeat it' has "$err" "= to repeat it: cldbg run $PWD/caps/all-1.cldbg"
check 'each launch has its file' [ "$(ls caps | tr '\n' ' ')" = 'all-1.cldbg clean-3.cldbg half_written-2.cldbg ' ]
printf '%s\n' "$out" >first.out
printf '%s\n' "$err" | findings >first.txt

# On a machine without the sources.
rm capture_part.h
mkdir elsewhere
mv caps elsewhere
cd elsewhere || exit 99
run "$cldbg" run caps/all-1.cldbg --dump=out
check 'the repetition finds errors' [ "$status" = 1 ]
check 'it computes the same' [ "$(printf '%s\n' "$out" | grep '\[')" = "$(grep '\[' ../first.out)" ]
{ printf '%s\n' "$err"; "$cldbg" run caps/half_written-2.cldbg 2>&1; } | findings >second.txt
check 'it finds the same' diff ../first.txt second.txt
run "$cldbg" run caps/clean-3.cldbg
check 'a clean one is clean' [ "$status" = 0 ]
run "$cldbg" run --check=none caps/all-1.cldbg
check 'the options of the command win' [ "$status" = 0 ]
run "$cldbg" run --check=out-of-bounds --capture-on-finding caps/all-1.cldbg
check 'a repetition can be captured' [ -s cldbg-captures/all-1.cldbg ]
run "$cldbg" run cldbg-captures/all-1.cldbg
check 'everything is checked in it' has "$err" '[data-race]'
check 'also what was' has "$err" '[out-of-bounds]'

printf 'break 11\nrun\ninfo args\nlist 11,12\nprint t[l]\n' >x
run "$cldbg" -i --batch -x x run caps/all-1.cldbg
check 'the debugger sees the variables' has "$out" 'p = {a = 100, b = {200, 300}}'
run "$cldbg" run --native --capture=native caps/all-1.cldbg
run "$cldbg" -i --batch -x x run native/all-1.cldbg
check 'the debugger steps what ran as machine code' has "$out" 'p = {a = 100, b = {200, 300}}'
check 'and the source, which is nowhere here' has "$out" 'out[i] = v.x + r.x'

# Pointers in shared virtual memory lead where they led.
run "$cldbg" --capture=shared "$svm_app"
check 'the app is as ever' has "$out" 'out = {605, 607, 609, 603}'
run "$cldbg" run shared/walk-1.cldbg --dump=out
check 'a list is walked again' has "$out" 'out[2] = 609'
check 'the finding comes again' has "$err" "read of 4 bytes outside shared virtual memory [out-of-bounds]"
# Objects that the app had released are released again.
"$cldbg" --capture=freed "$svm_app" 2>&1 | sed -n '/\[use-after-release\]/p' | sort >freed.first
check 'four findings of what was let go of' [ "$(wc -l <freed.first)" = 4 ]
run "$cldbg" run freed/walk-2.cldbg
printf '%s\n' "$err" | sed -n '/\[use-after-release\]/p' | sort >freed.second
check 'all of them come again' diff freed.first freed.second
check 'with the calls of then' has "$err" 'clSVMFree was called at capture_svm.c'
printf 'break walk\nrun\nprint first->next->next->value\n' >x
run "$cldbg" -i --batch -x x run shared/walk-1.cldbg
check 'the debugger follows it' has "$out" ' = 100'
run "$cldbg" run --native shared/walk-1.cldbg
check 'not as machine code' has "$err" 'cannot be repeated as machine code'

# Of a program that another cldbg built there is still the source.
cd "$tmp" || exit 99
cat >k.cl <<'END'
kernel void k(global int *o) { o[0] = get_global_id(0); }
END
run "$cldbg" run --capture=c k.cl --global=4 --arg='int[4]=0'
cp c/k-1.cldbg whole
check 'the status of a run is as ever' [ "$status" = 1 ]
"$cldbg" run whole 2>whole.err
printf 'struct pair { int a; int b[2]; };\n' >capture_part.h
run "$cldbg" --capture-on-finding --only-kernel=nothing "$app"
check 'what is not checked is not captured' [ ! -e cldbg-captures ]

# Nothing in a file is believed. (zstd leaves a bit or two without a meaning.)
python3 - whole <<'END' >made || exit 99
import random, sys
whole = open(sys.argv[1], "rb").read()
random.seed(5)
for n in list(range(0, 40)) + [random.randrange(40, len(whole)) for _ in range(30)]:
    open("bad-cut-%d" % n, "wb").write(whole[:n])
for n in range(60):
    at = random.randrange(16, len(whole))
    data = bytearray(whole)
    data[at] ^= 1 << random.randrange(8)
    open("bad-bit-%d" % n, "wb").write(data)
END
bad=0
for f in bad-*; do
    "$cldbg" run "$f" >"$tmp/out" 2>"$tmp/err" </dev/null
    case $? in 2) ;; 1) cmp -s "$tmp/err" whole.err || bad=$((bad + 1)) ;; *) bad=$((bad + 1)); echo "$f: not refused"; cat "$tmp/err" ;; esac
    rm "$f"
done
check 'damaged files are refused' [ "$bad" = 0 ]
printf 'cldbgcap\003\0\0\0\0\0\0\0' >newer
run "$cldbg" run newer
check 'a newer form is named' has "$err" 'newer: its format is version 3; this cldbg reads version 1'
check 'and ends with 2' [ "$status" = 2 ]
for option in --global=4 --kernel=k --arg=int=1 --build-options=-DX; do
    run "$cldbg" run whole "$option"
    check "$option is refused" has "$err" "${option%%=*} cannot be combined with a capture"
done
run "$cldbg" run whole --dump=nothing
check 'what is dumped must be there' has "$err" 'there is no such argument'
touch plain
for folder in plain plain/x nowhere/x; do
    run "$cldbg" --capture=$folder "$app"
    check "$folder: refused" has "$err" "cldbg: --capture=$folder: "
    check "$folder: before anything runs" [ "$status:$(printf '%s\n' "$err" | wc -l)" = 125:1 ]
    run "$cldbg" run whole --capture=$folder
    check "$folder: not by cldbg run either" [ "$status" = 2 ]
done
run "$cldbg" --capture="$tmp/unused" true
check 'no folder for no capture' [ ! -e "$tmp/unused" ]
mkdir gone
run "$cldbg" --capture="$tmp/gone/x" sh -c 'rmdir gone; exec "$0"' "$app"
check 'a folder that cannot be is told once' [ "$(printf '%s\n' "$err" | grep -c 'cldbg: capture: ')" = 1 ]
finish
