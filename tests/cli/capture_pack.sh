#!/bin/sh
# SPDX-License-Identifier: MIT
# Apps with many launches: the first 20 have files, the others are in one file, under paths that `cldbg run` and
# `cldbg check` accept. Nothing is lost if the app is killed or the disk is full.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
app=$PWD/tests/cli/capture_many
repeats=$PWD/tests/cli/repeats_app
need tests/cli/capture_many tests/cli/repeats_app
mkdir "$tmp/disk"
cd "$tmp" || exit 99
findings() { grep -v -e '^cldbg: ' -e '= kernel launch' -e '= to repeat it' -e ' times in ' | sed 's/ (declared at [^)]*)//; s/ (created at [^()]* ([^()]*))//g'; }

# Launch 32 is wrong and in the pack.
run "$cldbg" --capture=caps "$app" 40 4 2048 256 wrong
check 'the app runs' [ "$status" = 66 ]
check 'files of the first launches, and one of the others' [ "$(ls caps | wc -l) $(ls -A caps | grep -c cldbgs)" = '21 1' ]
run "$cldbg" --capture=single --launches=32-32 "$app" 40 4 2048 256 wrong
check 'alone it has a file' [ "$(ls single)" = step-32.cldbg ]
check 'the finding names the path' has "$err" "cldbg run $PWD/single/step-32.cldbg"
run "$cldbg" run single/step-32.cldbg --dump=a
printf '%s\n' "$out" >single.out
printf '%s\n' "$err" | findings >single.txt
check 'the finding is there' has "$err" "outside global memory 'a'"
run "$cldbg" run caps/step-32.cldbg --dump=a
check 'repeated: status' [ "$status" = 1 ]
printf '%s\n' "$out" >pack.out
printf '%s\n' "$err" | findings >pack.txt
check 'repeated: the same finding' diff single.txt pack.txt
check 'repeated: the same memory' cmp single.out pack.out
"$cldbg" run --native --capture=more caps/step-40.cldbg >/dev/null 2>&1
check 'it can be given a file' [ -s more/step-1.cldbg ]
run "$cldbg" run caps/step-41.cldbg
check 'there is no other' has "$err" 'caps/step-41.cldbg: No such file'
run "$cldbg" run caps/launches.cldbgs
check 'one must be named' has "$err" 'caps/launches.cldbgs has 20 launches: name one, such as caps/step-21.cldbg'
check 'status of that' [ "$status" = 2 ]
run "$cldbg" check caps --report=json:r.json
check 'check has all' has "$err" 'in 40 kernel launches'
check 'check: one finding, in two launches' has "$err" '1 error in 40 kernel launches (1 out-of-bounds); 1 repetition in later launches; 40 files'
check 'the report names the path' grep -q '"caps/step-32.cldbg"' r.json
run "$cldbg" check caps/launches.cldbgs
check 'the file alone' has "$err" '; 20 files'
run "$cldbg" check caps/step-32.cldbg caps/step-33.cldbg
check 'launches by name' has "$err" '1 error in 2 kernel launches (1 out-of-bounds); 2 files'
mv caps elsewhere
run "$cldbg" --source-dir=. run elsewhere/step-32.cldbg
check 'the folder can be moved' has "$err" "outside global memory 'a'"

# Equal launches are stored once.
run "$cldbg" --capture=equal "$repeats" 60
run "$cldbg" check equal
check 'equal launches are checked once' has "$err" 'in 3 kernel launches; 3 files'
run "$cldbg" run equal/twice-45.cldbg --dump=out
check 'each can be repeated' [ "$status" = 0 ]
check 'with its data' has "$out" 'out[63] = 0'
check 'they take no room' [ "$(stat -c %s equal/launches.cldbgs)" -lt 80000 ]

run "$cldbg" --native --capture=index "$app" 2200 4 1024 64
run "$cldbg" run index/step-2150.cldbg
check 'an index of several blocks' [ "$status" = 0 ]

# Another run replaces the file; a file of another kind stays.
run "$cldbg" --native --capture=equal "$app" 30 4 4096 256
check 'a later run replaces it' [ "$("$cldbg" check equal/launches.cldbgs 2>&1 | grep -c '; 10 files')" = 1 ]
mkdir mine
echo mine >mine/launches.cldbgs
run "$cldbg" --native --capture=mine "$app" 30 4 4096 256
check 'a file of another kind stays' [ "$(cat mine/launches.cldbgs)" = mine ]
check 'that is reported, once' [ "$(printf '%s\n' "$err" | grep -c 'kernel launch 21 is not captured.*was not written by cldbg')" = 1 ]
check 'the app runs all the same' [ "$status" = 0 ]

# Killed: what was captured is complete.
setsid "$cldbg" --native --capture=killed "$app" 10000000 4 65536 256 >/dev/null 2>&1 &
group=$!
for _ in $(seq 600); do
    [ "$(stat -c %s killed/launches.cldbgs 2>/dev/null || echo 0)" -gt 4000000 ] && break
    sleep 0.05
done
kill -9 -"$group"
wait "$group" 2>/dev/null
run "$cldbg" check killed -j2 --native
check 'killed: all launches can be repeated' [ "$status" = 0 ]
check 'killed: there are many' [ "$(printf '%s\n' "$err" | sed -n 's/.* in \([0-9]*\) kernel launches.*/\1/p')" -gt 100 ]

# Disk full.
if unshare -rm true 2>/dev/null || unshare -m true 2>/dev/null; then
    if [ "$(id -u)" = 0 ]; then how=-m; else how=-rm; fi
    run unshare $how sh -c "mount -t tmpfs -o size=3m none '$tmp/disk' && cd '$tmp' &&
        '$cldbg' --native --capture=disk/caps '$app' 400 4 65536 4096; echo status \$?; '$cldbg' check --native disk/caps"
    check 'disk full: the message' has "$err" "is not captured, and perhaps later ones: $tmp/disk/caps/launches.cldbgs cannot be written: No space left"
    check 'disk full: once' [ "$(printf '%s\n' "$err" | grep -c 'No space')" = 1 ]
    check 'disk full: the app goes on' has "$out" 'status 0'
    check 'disk full: the others can be repeated' [ "$status" = 0 ]
fi

# Nothing in the file is believed.
"$cldbg" --native --capture=small "$app" 24 4 4096 64 >/dev/null 2>&1
"$cldbg" run small/step-22.cldbg --dump=a >good.out 2>good.err
python3 - small/launches.cldbgs <<'END2' || exit 99
import os, random, sys
whole = open(sys.argv[1], 'rb').read()
random.seed(7)
first = 32 + 32 + 1023 * 32
for n in range(60):
    data = bytearray(whole)
    if n < 12:
        del data[(n * len(whole)) // 12:]
    else:
        at = random.choice((random.randrange(16), random.randrange(64, 64 + 4 * 32), random.randrange(first, len(data)), random.randrange(first, len(data))))
        data[at] ^= 1 << random.randrange(8)
    os.makedirs('bad%d' % n)
    open('bad%d/launches.cldbgs' % n, 'wb').write(data)
END2
bad=0
for n in $(seq 0 59); do
    "$cldbg" run "bad$n/step-22.cldbg" --dump=a >"$tmp/out" 2>"$tmp/err" </dev/null
    case $? in 2) ;; 0) cmp -s "$tmp/out" good.out || { bad=$((bad + 1)); echo "bad$n: not refused"; } ;; *) bad=$((bad + 1)); echo "bad$n"; cat "$tmp/err" ;; esac
done
check 'damaged files are refused' [ "$bad" = 0 ]
run "$cldbg" check bad8
check 'check, too' [ "$status" = 2 ]
finish
