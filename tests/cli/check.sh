#!/bin/sh
# SPDX-License-Identifier: MIT
# `cldbg check`: many captures, one report; children that die, interruptions, --resume.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
app=$PWD/tests/cli/capture_app
need tests/cli/capture_app
here=$(cd "$srcdir" && pwd)
export TMPDIR="$tmp/tmp"
mkdir "$TMPDIR"
cd "$tmp" || exit 99
printf 'struct pair { int a; int b[2]; };\n' >capture_part.h
"$cldbg" --capture=caps "$app" >log 2>&1
rm capture_part.h
mkdir caps/more
cp caps/all-1.cldbg caps/more/again.cldbg
echo 'not a capture' >caps/notes.txt

json() { # json FILE EXPRESSION: of the document d
    /usr/bin/env python3 -c 'import json, sys
d = json.load(open(sys.argv[1], encoding="utf-8"))
sys.exit(not eval(sys.argv[2]))' "$@"
}
comparable() { # a json report without times and process ids
    /usr/bin/env python3 - "$1" <<'END'
import json, sys
d = json.load(open(sys.argv[1], encoding="utf-8"))
for p in d["processes"]: p["pid"] = p["started"] = p["command"] = 0
for k in d["kernels"]: k["time_ns"] = 0
for c in d["captures"]: c["attempts"] = 0
json.dump(d, open(sys.argv[1] + ".plain", "w"), indent=1)
END
    cat "$1.plain"
}

run "$cldbg" check caps -j1 --report=json:one.json --report=sarif:r.sarif --report=junit:r.xml --report=html:r.html
check 'errors were found' [ "$status" = 1 ]
check 'the closing line counts all launches, and equal findings once' has "$err" \
    'cldbg: 3 errors in 4 kernel launches (1 data-race, 1 out-of-bounds, 1 uninitialized-read); 2 repetitions in later launches; 4 files'
check 'one closing line' [ "$(printf '%s\n' "$err" | grep -c '^cldbg: ')" = 1 ]
check 'a finding names the captures that have it' has "$err" '= in 2 files: caps/all-1.cldbg, caps/more/again.cldbg'
check 'help for a kind is shown once' [ "$(printf '%s\n' "$err" | grep -c '= help:')" = 3 ]
check 'json: captures of a finding' json one.json \
    '[f["captures"] for f in d["findings"]] == [["caps/all-1.cldbg", "caps/more/again.cldbg"]] * 2 + [["caps/half_written-2.cldbg"]]'
check 'json: counts are sums' json one.json 'd["findings"][0]["times"] == 16 and d["findings"][0]["launches"] == 2'
check 'json: all captures' json one.json 'len(d["captures"]) == 4 and not any("reason" in c for c in d["captures"])'
check 'no texts of ours in it' json one.json 'not any("text" in f or "found_in" in f for f in d["findings"])'
check 'sarif is valid' "$here/tests/report/sarif.py" r.sarif
check 'sarif names them' grep -q 'caps/more/again.cldbg' r.sarif
check 'junit is valid' xmllint --noout --nonet --schema "$here/tests/report/junit.xsd" r.xml
check 'html has them' grep -q 'caps/more/again.cldbg' r.html
check 'no journal is left' [ ! -e one.json.journal ]
run "$cldbg" check caps/more caps caps/all-1.cldbg -j 3 --report=json:three.json --report=html:r3.html
comparable one.json >one
comparable three.json >three
check 'the report does not depend on the number of children' diff one three

# The text is that of `cldbg run`.
findings() { printf '%s\n' "$err" | grep -v -e '^cldbg: ' -e ' to repeat it: '; }
for color in never always; do
    run "$cldbg" run --color=$color --gen-suppressions=all caps/all-1.cldbg
    findings >run.txt
    run "$cldbg" check --color=$color --gen-suppressions=all caps/all-1.cldbg
    findings >check.txt
    check "the text is that of cldbg run, color $color" cmp run.txt check.txt
done
run "$cldbg" check --log-file=log.txt caps/all-1.cldbg
check '--log-file has text and closing line' has "$(cat log.txt)" 'cldbg: 2 errors in 1 kernel launch'
check 'stderr has the closing line only' hasnt "$err" '[data-race]'
run "$cldbg" check --max-findings=1 caps
check '--max-findings' has "$err" 'cldbg: further findings are only counted, 1 is shown'
run "$cldbg" check caps/clean-3.cldbg
check 'a clean file' [ "$status" = 0 ]
run "$cldbg" check --baseline=one.json caps
check 'a baseline' [ "$status" = 0 ]
check 'what it knows is counted once' has "$err" '3 known from the baseline'
run "$cldbg" check --error-exitcode=0 caps
check '--error-exitcode' [ "$status" = 0 ]
run "$cldbg" check --coverage=c.info --coverage-fail-under=99 caps
check 'coverage of all files' grep -q '^DA:' c.info
check 'and in the closing line' has "$err" '; 4 files; coverage: 100.0 % of lines (11 of 11)' 

# Kernel files, with options for each.
cat >k.cl <<'END'
kernel void k(global int *out) { out[get_global_id(0) & ~1] = get_global_id(0); }
END
run "$cldbg" check k.cl --global=4 '--arg=int[4]=0'
check 'a kernel file' has "$err" '[data-race]'

# What cannot be checked is named, and is not success.
head -c 100 caps/all-1.cldbg >bad.cldbg
run "$cldbg" check caps/clean-3.cldbg bad.cldbg --report=json:bad.json --report=junit:bad.xml
check 'a damaged file: status' [ "$status" = 2 ]
check 'it is named' has "$err" 'cldbg: bad.cldbg: it cannot be run; it was not checked'
check 'with the reason' has "$err" 'cldbg: bad.cldbg: '
check 'in the closing line' has "$err" '2 files, 1 of them not checked'
check 'in the report' json bad.json 'd["captures"][0]["reason"] == "it cannot be run"'
check 'in JUnit' grep -q '1 capture could not be checked' bad.xml
run "$cldbg" check caps nowhere.cldbg
check 'a file that does not exist' has "$err" 'nowhere.cldbg: No such file'
run "$cldbg" check
check 'no file' [ "$status" = 2 ]
mkdir empty
run "$cldbg" check empty
check 'an empty folder' has "$err" 'empty: this folder has no captured launches'
run "$cldbg" check --dump=0 caps
check 'options of one run' has "$err" '--dump is an option of `cldbg run`'

# A child that dies: a pipe holds it until it is killed.
await() { # await COMMAND…: until it succeeds, for 20 s
    for _ in $(seq 400); do "$@" && return; sleep 0.05; done
    echo "waited in vain: $*"
    return 1
}
cat >z.sim.text <<'END'
k.cl
k
4 1 1
2 1 1
<size=16 fill=0 int>
END
mkfifo z.sim
start() { "$cldbg" check -j1 caps z.sim "$@" >out 2>err & parent=$!; }
finished() { wait "$parent" && status=0 || status=$?; err=$(cat err); out=$(cat out); }
lines() { [ "$(wc -l 2>/dev/null <"$1" || echo 0)" -ge "$2" ]; }
new_child() { child=$(pgrep -P "$parent") && [ "$child" != "$1" ]; }

start --report=json:died.json
await lines died.json.journal 5
await new_child 0
kill -KILL "$child"
await new_child "$child"
kill -KILL "$child"
finished
check 'a child that dies twice is named' has "$err" 'cldbg: z.sim: its process was killed by signal 9 (Killed), twice; it was not checked'
check 'the others are reported' has "$err" '3 errors in 4 kernel launches'
check 'and in the report' json died.json 'd["captures"][-1] == {"file": "z.sim", "attempts": 2, "reason": "its process was killed by signal 9 (Killed)"}'

start --report=json:second.json
await lines second.json.journal 5
await new_child 0
kill -KILL "$child"
await new_child "$child"
cat z.sim.text >z.sim
finished
check 'a second child checks it' has "$err" 'cldbg: z.sim: its process was killed, and a second one checked it'
check 'with its finding' has "$err" '4 errors in 5 kernel launches'

# Interrupted, then resumed: nothing that is done runs again.
rm z.sim
mkfifo z.sim
start --report=json:whole.json
await lines whole.json.journal 5
kill -TERM "$parent"
finished
check 'a signal ends it' [ "$status" = 143 ]
check 'what is done is reported' has "$err" '5 files, interrupted after 4; --resume continues'
check 'also in the file' json whole.json 'len(d["captures"]) == 4'
check 'its children are gone' [ -z "$(pgrep -P "$parent")" ]
start --report=json:whole.json --resume --strict
await new_child 0
kill -KILL "$parent" "$child"
wait "$parent" 2>/dev/null
check 'resumed, killed: the journal is as it was' lines whole.json.journal 5
printf '{"file": "caps/all-1.cl' >>whole.json.journal
for f in caps/all-1.cldbg caps/more/again.cldbg; do # their contents are not needed again
    touch -r "$f" stamp
    dd if=/dev/zero of="$f" bs=100 count=50 seek=10 conv=notrunc 2>/dev/null
    touch -r stamp "$f"
done
rm z.sim
cp z.sim.text z.sim
run "$cldbg" check -j2 caps z.sim --report=json:whole.json --resume --check=all
check 'other options are refused' has "$err" 'is of a run with other options'
run "$cldbg" check -j2 caps z.sim --report=json:whole.json --resume
check 'resumed to the end' has "$err" 'cldbg: 4 errors in 5 kernel launches'
check 'the report is whole' json whole.json 'len(d["captures"]) == 5 and len(d["findings"]) == 4'
check 'the journal is gone' [ ! -e whole.json.journal ]
run "$cldbg" check caps --resume
check '--resume needs a report' has "$err" '--resume needs the --report=FORMAT:PATH'
echo mine >other.json.journal
run "$cldbg" check caps --report=json:other.json
check 'files of others are kept' [ "$(cat other.json.journal)" = mine ]
check 'nothing is left in the folder for temporary files' [ -z "$(ls "$TMPDIR" | grep -v '^cldbg-cache')" ]
finish
