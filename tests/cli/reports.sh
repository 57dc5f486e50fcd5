#!/bin/sh
# SPDX-License-Identifier: MIT
# Report files: every format, of one finding and of none, whatever becomes of the app.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
here=$(cd "$srcdir" && pwd)
unset GITHUB_ACTIONS GITHUB_WORKSPACE
export TMPDIR="$tmp/tmp"
mkdir "$TMPDIR"
export XDG_CACHE_HOME="$tmp/xdg"

# A repository with a kernel in it, and one whose text is in no file.
build=$PWD
mkdir -p "$tmp/repo/.git" "$tmp/repo/src dir"
cat >"$tmp/repo/src dir/k.cl" <<'END'
kernel void race(global int *out, local int *tmp)
{
    int l = get_local_id(0); /* é */ tmp[l] = l;
    out[get_global_id(0)] = tmp[l ^ 1];
}
kernel void fine(global int *out) { out[get_global_id(0)] = 1; }
END
cd "$tmp/repo" || exit 99
k='src dir/k.cl'
sim() { run "$cldbg" run "$@" "$k" --global=64 --local=16 --kernel=race '--arg=int[64]=0' '--arg=local:int[16]'; }
json() { # json FILE EXPRESSION: of the document d
    /usr/bin/env python3 -c 'import json, sys
d = json.load(open(sys.argv[1], encoding="utf-8")); r = d["runs"][0] if "runs" in d else None
sys.exit(not eval(sys.argv[2]))' "$@"
}

sim --report=json:r.json --report=sarif:r.sarif --report=junit:r.xml --report=github:r.gh --report=text:r.txt
check 'the status is as ever' [ "$status" = 1 ]
check 'five reports' [ -s r.json -a -s r.sarif -a -s r.xml -a -s r.gh -a -s r.txt ]
check 'text goes to its file' has "$(cat r.txt)" 'k.cl:3:'
check 'sarif is valid' "$here/tests/report/sarif.py" r.sarif
check 'sarif: no baseline, no baselineState' json r.sarif '"baselineState" not in r["results"][0]'
check 'sarif has paths from the repository' json r.sarif \
    'r["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src%20dir/k.cl"'
check 'sentences begin with capitals' json r.sarif '". No barrier separates" in r["results"][0]["message"]["text"]'
check 'the other side is related' json r.sarif 'len(r["results"][0]["relatedLocations"]) == 1'
check 'columns count characters' json r.sarif \
    'r["results"][0]["locations"][0]["physicalLocation"]["region"]["startColumn"] == 38'
check 'json has both sides and their items' json r.json \
    'len(d["findings"][0]["sides"]) == 2 and all("work_item" in s for s in d["findings"][0]["sides"])'
check 'json counts' json r.json 'd["findings"][0]["times"] == 64 and d["findings"][0]["work_groups"] == 4'
check 'an annotation' has "$(cat r.gh)" '::error title=cldbg%3A data-race,file=src dir/k.cl,line=3,col=38'
junit() { xmllint --noout --nonet --schema "$here/tests/report/junit.xsd" "$1" 2>"$tmp/xmllint" || { cat "$tmp/xmllint"; false; }; }
check 'junit has its form' junit r.xml
check 'junit names the work-items' grep -q 'by work-item local (0,0,0) global (0,0,0), group (0,0,0)' r.xml
python3 - r.xml >names <<'END'
import sys, xml.etree.ElementTree as ET
cases = list(ET.parse(sys.argv[1]).iter("testcase"))
names = [(c.get("classname"), c.get("name")) for c in cases]
assert len(set(names)) == len(names), "two cases have one name"
suite = next(ET.parse(sys.argv[1]).iter("testsuite"))
assert int(suite.get("tests")) == len(cases)
assert int(suite.get("failures")) == sum(c.find("failure") is not None for c in cases) == 1
print(*(c.get("name") for c in cases if c.find("failure") is not None))
print("passed", *(c.get("name") for c in cases if len(c) == 0))
END
check 'junit has times and a timestamp' python3 -c 'import xml.etree.ElementTree as E, datetime as d, sys
s = E.parse("r.xml").getroot()[0]
age = d.datetime.now(d.timezone.utc).replace(tzinfo=None) - d.datetime.fromisoformat(s.get("timestamp"))
sys.exit(not (0 <= age.total_seconds() < 600 and 0 < float(s.get("time")) < 600 and
    abs(sum(float(c.get("time")) for c in s) - float(s.get("time"))) < 1e-4))'
check 'junit fails the one check' grep -qx 'data-race' names
check 'junit passes the others' grep -q 'passed.*out-of-bounds' names
check 'no folder is left' [ -z "$(ls "$TMPDIR" | grep '^cldbg-')" ]

# Text from outside: names of functions and files with what XML and terminals do not take.
printf 'kernel void race(global int *out, local int *tmp)\n{\n    // \033\001 \377 <&"\n    tmp[get_local_id(0)] = 1; int a = tmp[get_local_id(0) ^ 1]; /* \001\377<&>]]> */ out[get_global_id(0)] = a;\n}\n' >"$tmp/repo/odd.cl"
k=odd.cl
sim --report=junit:odd.xml --report=sarif:odd.sarif --report=json:odd.json
check 'junit is XML whatever the source has' python3 -c 'import xml.etree.ElementTree as E; E.parse("odd.xml")'
check 'of the form' junit odd.xml
check 'sarif too' "$here/tests/report/sarif.py" odd.sarif
k='src dir/k.cl'

# The report is the same for any number of threads.
sim --compute-units=1 --report=sarif:one.sarif
sim --compute-units=4 --report=sarif:four.sarif
sed 's/compute-units=.//; s/[a-z]*\.sarif//' one.sarif >one
sed 's/compute-units=.//; s/[a-z]*\.sarif//' four.sarif >four
check 'any number of threads' cmp one four

# Fingerprints outlive edits elsewhere; the baseline knows the old finding and reports a new one.
{ echo '// one'; echo '// two'; cat "$k"; } >moved && mv moved "$k"
sim --report=sarif:moved.sarif
check 'fingerprints are stable' python3 -c 'import json
a, b = (json.load(open(p))["runs"][0]["results"][0]["partialFingerprints"] for p in ("r.sarif", "moved.sarif"))
assert a == b'
for old in r.sarif r.json; do
    sim --baseline=$old --report=sarif:known.sarif
    check "$old: what it has is no error" [ "$status" = 0 ]
    check "$old: nor printed" hasnt "$err" '[data-race]'
    check "$old: but told" has "$err" 'no findings in 1 kernel launch; 1 known from the baseline'
    check "$old: and marked" json known.sarif 'r["results"][0]["baselineState"] == "unchanged"'
done
sed 's/tmp\[l ^ 1\]/tmp[l ^ 2]/' "$k" >edited && mv edited "$k"
sim --baseline=r.sarif
check 'another line is another finding' [ "$status" = 1 ]
# What has one cause is one result, with the other places beside it; the baseline that has it knows them all.
also() { run "$cldbg" run "$here/tests/kernels/uninit/one_cause_many_places.cl" --global=8 --local=8 '--arg=int[8]=0' '--arg=int[8]=iota' "$@"; }
also --report=sarif:also.sarif --report=json:also.json
check 'one result' json also.sarif 'len(r["results"]) == 1 and len(r["results"][0]["relatedLocations"]) == 2'
check 'the others are in it' json also.json '[x[0]["place"]["line"] for x in d["findings"][0]["also"]] == [13, 14]'
check 'valid, too' "$here/tests/report/sarif.py" also.sarif
also --baseline=also.sarif
check 'known as a whole' has "$err" 'no findings in 1 kernel launch; 1 known from the baseline'
also --gen-suppressions=all
printf '%s\n' "$err" | sed -n '/^id: /,/^$/p' >also.supp
also --suppressions=also.supp
check 'suppressed as a whole' has "$err" 'no findings in 1 kernel launch'
also --check=-uninitialized-read
check 'nothing of it without the check' [ "$status" = 0 ]
echo '{"a": 1}' >none.json
run "$cldbg" --baseline=none.json true
check 'a file that is not a report is rejected' [ "$status" = 125 ]

run "$cldbg" --report=sarif:/nonexistent/x.sarif true
check 'where nothing can be written: 125' [ "$status" = 125 ]
check 'and why' has "$err" '/nonexistent/x.sarif cannot be written'
run "$cldbg" --report=sarif:n.sarif --report=junit:n.xml true
check 'nothing launched: junit has its form' junit n.xml
check 'nothing launched: sarif is valid' "$here/tests/report/sarif.py" n.sarif
check 'nothing launched: junit says so' grep -q 'no kernel was launched' n.xml

# Apps: crash, _exit, fork, exec, several processes.
if /usr/bin/python3 -c 'import pyopencl, numpy' 2>/dev/null; then
    cat >app.py <<'END'
import os, signal, sys
import numpy as np
import pyopencl as cl

# No file has the text as it is when the program is made.
SOURCE = """KERNEL race(global int *out, local int *tmp)
{
    tmp[HERE_local_id(0)] = HERE_local_id(0);
    out[HERE_global_id(0)] = tmp[HERE_local_id(0) ^ 1];
}
KERNEL beyond(global int *out) { out[HERE_global_id(0) + 1] = 0; }
""".replace("KERNEL", "kernel void").replace("HERE", "get").replace("{", " {")

def launch(*names):
    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    program = cl.Program(context, SOURCE).build()
    out = cl.Buffer(context, cl.mem_flags.READ_WRITE, 64 * 4)
    for name in names:
        args = [cl.LocalMemory(64)] if name == "race" else []
        getattr(program, name)(queue, (64,), (16,), out, *args)
        queue.finish()

what = sys.argv[1]
if what == "fork":
    if os.fork() == 0:
        launch("beyond")
        os._exit(0)
    os.wait()
    launch("race")
elif what == "exec":
    launch("race")
    os.execv(sys.executable, [sys.executable, __file__, "last"])
elif what == "last":
    launch("beyond")
elif what == "daemon":
    import time
    launch("race")
    if os.fork(): sys.exit()
    os.setsid()
    if os.fork(): os._exit(0)
    null = os.open(os.devnull, os.O_RDWR)
    for i in range(3): os.dup2(null, i)
    while not os.path.exists("go-on"): time.sleep(0.05)
    os.execv(sys.executable, [sys.executable, __file__, "last"])
elif what == "headers":
    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    header = cl.Program(context, "inline void put(global int *p, int i) {\n    p[i + 4] = i;\n}\n")
    main = cl.Program(context, '#include "util/put.h"\nkernel void k(global int *p) { put(p, get_global_id(0)); }\n')
    program = cl.link_program(context, [main.compile(headers=[("util/put.h", header)])])
    program.k(queue, (4,), (4,), cl.Buffer(context, cl.mem_flags.READ_WRITE, 16))
    queue.finish()
elif what == "many":
    launch("race", "race", "beyond", "race")
    print("the end", flush=True)
else:
    launch("race")
    if what == "kill": os.kill(os.getpid(), signal.SIGKILL)
    if what == "_exit": os._exit(3)
    if what == "abort": os.abort()
END
    py=/usr/bin/python3
    app() { run "$cldbg" --report=sarif:a.sarif --report=json:a.json --report=junit:a.xml "$@"; }
    for end in kill _exit abort; do
        rm -f a.*
        app "$py" app.py $end
        check "$end: sarif is whole" "$here/tests/report/sarif.py" a.sarif
        check "$end: it has the race" json a.sarif '[x["ruleId"] for x in r["results"]] == ["data-race"]'
        check "$end: the program's text is in it" json a.sarif '"kernel void race" in r["artifacts"][0]["contents"]["text"]'
    done
    for how in fork exec; do
        app "$py" app.py $how
        check "$how: both processes are in one report" json a.json \
            'sorted(f["id"] for f in d["findings"]) == ["data-race", "out-of-bounds"]'
    done
    # What ends a moment after the app does not go on.
    run "$cldbg" sh -c 'sleep 0.1 & exec "$0" app.py once' "$py"
    check 'a moment more' hasnt "$err" 'goes on'
    # A daemon: the app has ended, and so has cldbg; the output of neither is held open.
    rm -f a.*
    app "$py" app.py daemon
    check 'daemon: told that it goes on' has "$err" 'cldbg: 1 process of the app goes on ('
    check 'daemon: what was found before' json a.json '[f["id"] for f in d["findings"]] == ["data-race"]'
    : >go-on
    for i in $(seq 300); do
        ls "$TMPDIR" | grep -q '^cldbg-' || break
        sleep 0.1
    done
    check 'daemon: when it has ended, no folder is left' [ -z "$(ls "$TMPDIR" | grep '^cldbg-')" ]
    check 'daemon: what is found later is in the report, too' json a.json 'sorted(f["id"] for f in d["findings"]) == ["data-race", "out-of-bounds"]'
    check 'daemon: junit, too' grep -q 'out-of-bounds' a.xml
    check 'daemon: sarif is valid' "$here/tests/report/sarif.py" a.sarif

    run "$cldbg" --report=json:p-%p.json "$py" app.py fork
    check '%p: a report for each' [ "$(ls p-*.json | wc -l)" = 2 ]
    run "$cldbg" --report=text:t-%p.txt "$py" app.py fork
    check '%p: the text, too' [ "$(ls t-*.txt | wc -l)" = 2 ]
    app "$py" app.py headers
    check 'a header that the app gave has its name' has "$err" '
util/put.h:2:14: error: write of 4 bytes outside'
    check 'and its text' has "$err" '    2 |     p[i + 4] = i;'
    app "$py" app.py many
    check 'met again' has "$err" '; 2 repetitions in later launches'
    check 'launches are counted' json a.json '[f["launches"] for f in d["findings"] if f["id"] == "data-race"] == [3]'

    # Filters: unchecked kernels run, and the closing line counts them.
    app --only-kernel=nothing "$py" app.py many
    check '--only-kernel fits nothing' has "$err" 'cldbg: nothing was checked in 4 kernel launches: none is of a kernel that --only-kernel names'
    app --launches=70-80 "$py" app.py many
    check '--launches fits nothing' has "$err" 'cldbg: nothing was checked in 4 kernel launches: none is among --launches'
    app --only-kernel='bey*' "$py" app.py many
    check '--only-kernel' has "$err" 'cldbg: 1 error in 4 kernel launches (1 out-of-bounds); 3 launches were left out by a filter, unchecked'
    check '--only-kernel: junit has its form' junit a.xml
    check '--only-kernel: skipped cases' grep -q 'skipped message' a.xml
    app --kernel='bey*' "$py" app.py many
    check '--kernel of an app is the same' has "$err" '3 launches were left out by a filter, unchecked'
    app --launch=3-3 "$py" app.py many
    check '--launch is --launches' has "$err" '3 launches were left out'
    app --launches=3-3 "$py" app.py many
    check '--launches' has "$err" 'cldbg: 1 error in 4 kernel launches (1 out-of-bounds); 3 launches were left out'
    run "$cldbg" --ci --report=sarif:c.sarif --report=junit:c.xml --only-kernel=zzz "$py" app.py many
    check '--ci: all left out is no green' [ "$status" = 125 ]
    app --exit-on-first-error "$py" app.py many
    check '--exit-on-first-error' [ "$status" = 66 ]
    check '--exit-on-first-error: says so' has "$err" '--exit-on-first-error: the app is ended here'
    check '--exit-on-first-error: ends' hasnt "$out" 'the end'
    check '--exit-on-first-error: reports' json a.json 'len(d["findings"]) == 1'

    # --ci
    run "$cldbg" --ci --report=sarif:ci.sarif "$py" app.py many
    check '--ci: names of its own' [ -s cldbg.junit.xml -a -s ci.sarif -a ! -e cldbg.sarif ]
    check 'no annotations outside GitHub' hasnt "$err" '::error'
    run env GITHUB_ACTIONS=true "$cldbg" --ci "$py" app.py many
    check 'annotations in a job' has "$err" '::error title=cldbg%3A data-race'
    check 'only stderr' hasnt "$out" '::error'

    # Without the command, where CLDBG_OPTIONS asks for a report.
    run env CLDBG_OPTIONS='--report=sarif:icd.sarif --report=junit:icd.xml' CLDBG_CC="$build/src/cc/cldbg-cc" \
        LD_LIBRARY_PATH="$build/src/api/.libs" LD_PRELOAD="${LD_PRELOAD-} $build/src/api/.libs/libOpenCL.so.1" "$py" app.py many
    check 'without the command: sarif' "$here/tests/report/sarif.py" icd.sarif
    check 'without the command: both findings' json icd.sarif 'len(r["results"]) == 2'
    check 'without the command: no junit, and it says so' has "$err" 'made by the command'
else
    echo 'python3-pyopencl is missing: apps are left out'
fi

# Suppressions.
cat >s.supp <<'END'
# known
id: data-race
kernel: ra*
file: k.cl
line: 5-6
object: tmp
reason: it is

id: out-of-bounds
kernel: no-such
END
sim --suppressions=s.supp --verbose
check 'suppressed: no error' [ "$status" = 0 ]
check 'suppressed: told' has "$err" 'no findings in 1 kernel launch; 1 suppressed'
check 'an unused one is told' has "$err" 's.supp:9: this suppression was not used'
check 'a used one is not' hasnt "$err" 's.supp:2:'
sim --suppressions=s.supp
check 'one alone is named without --verbose, too' has "$err" 's.supp:9: this suppression was not used'
printf '\nid: read-only-write\nreason: old\n' | cat s.supp - >more.supp
sim --suppressions=more.supp
check 'of several their number is told' has "$err" '2 suppressions were not used; --verbose names them'
sim --check=none
check 'nothing checked is not told as if nothing were wrong' has "$err" 'every check is switched off'
for change in 's/^kernel: ra./kernel: rb*/' 's/k.cl/l.cl/' 's/5-6/7-9/' 's/tmp/tmq/' '/^kernel: ra/s/.*/function: fine/'; do
    sed "$change" s.supp >other.supp
    sim --suppressions=other.supp
    check "$change fits no more" [ "$status" = 1 ]
done
for bad in 'kernel: x' 'id: data-rac' 'id: *
line: 0' 'id: *
hue: red' 'id: *
id: *' 'words' 'id:'; do
    echo "$bad" >bad.supp
    run "$cldbg" --suppressions=bad.supp true
    check "refused: $bad" [ "$status" = 125 ]
    check "its line is named: $bad" has "$err" "bad.supp:"
done
sim --gen-suppressions=all
echo "$err" | grep -E '^(id|kernel|file|line|object|reason): ' >gen.supp
sim --suppressions=gen.supp
check '--gen-suppressions makes what fits' [ "$status" = 0 ]
need "$build/tests/cli/host_app"
run "$cldbg" --gen-suppressions=all "$build/tests/cli/host_app" racy
check 'a name that changes with the text is not in a suppression' has "$err" 'file: program-*.cl'
echo "$err" | grep -E '^(id|kernel|file|line|object|reason): ' >gen.supp
run "$cldbg" --suppressions=gen.supp "$build/tests/cli/host_app" racy
check 'it fits all the same' [ "$status" = 0 ]
cp "$k" keep.cl
sed 's/= l;/= l; \/\/ cldbg-ignore: out-of-bounds, data-race since/' keep.cl >"$k"
sim
check 'ignored in the line' has "$err" 'no findings in 1 kernel launch; 1 suppressed'
sed 's/^    int l/    \/\/ cldbg-ignore: data-race\n&/' keep.cl >"$k"
sim
check 'ignored in the line above' has "$err" '1 suppressed'
sed 's/^    int l/    int m = 0; \/\/ cldbg-ignore: data-race\n&/' keep.cl >"$k"
sim
check 'code in the line above: it is for that line' [ "$status" = 1 ]
sed 's/= l;/= l; \/\/ cldbg-ignore: data-racer/' keep.cl >"$k"
sim
check 'another id' [ "$status" = 1 ]
check 'an id that there is none of is told' has "$err" "cldbg-ignore: there is no kind of finding 'data-racer'"
for bad in '' ' data-race' ':' ' : data-race' ': */'; do
    awk -v bad="$bad" '/^    int l/ { print "    // cldbg-ignore" bad } { print }' keep.cl >"$k"
    sim
    check "no kind is named: cldbg-ignore$bad" has "$err" 'cldbg-ignore: no kind of finding is named'
    check "and nothing ignored: cldbg-ignore$bad" [ "$status" = 1 ]
done
awk '/^    int l/ { print "    // what cldbg-ignore is, the README says; cldbg-ignored" } { print }' keep.cl >"$k"
sim
check 'prose is no such comment' hasnt "$err" 'cldbg-ignore:'
sed 's/= l;/= l; \/\/ cldbg-ignore: data-race,foo x/' keep.cl >"$k"
sim
check 'behind a comma comes an id' has "$err" "cldbg-ignore: there is no kind of finding 'foo'"
check 'the others hold' has "$err" '1 suppressed'
sed 's/= l;/= l; \/\/ cldbg-ignore: data-race it is known, of old/' keep.cl >"$k"
sim
check 'a reason may have commas' hasnt "$err" 'cldbg-ignore:'
sed 's/^    int l/    \/\/ cldbg-ignore: out-of-bounds it is known\n\n&/' keep.cl >"$k"
sim
check 'a comment that fits nothing is told' has "$err" "cldbg-ignore: no out-of-bounds was found there"
sim --check=none,data-race
check 'not so where that check is off' hasnt "$err" 'cldbg-ignore'
sim --only-kernel=other
check 'nor where launches were left out' hasnt "$err" 'cldbg-ignore'

# explain
run "$cldbg" explain data-race
check 'explain: the rule and an example' has "$out" 'barrier(CLK_LOCAL_MEM_FENCE);'
run "$cldbg" explain
check 'explain: the list' has "$out" 'uninitialized-read'
run "$cldbg" explain data-rice
check 'explain: an unknown id' [ "$status" = 125 ]
# Under the debugger the baseline, suppressions, comments and --check hold, too: no stop, and nothing in `info findings`.
accepted="$here/tests/debug/kernels/accepted.cl --global=4 --local=4 --arg=int[4]=0 --arg=int[4]=0"
printf 'run\ninfo findings\ncontinue\n' >commands
run "$cldbg" run $accepted --report=json:accepted.json
check 'two findings, and a comment' has "$err" '2 errors in 1 kernel launch (2 out-of-bounds); 1 suppressed'
run "$cldbg" -i --batch -x commands run $accepted
check 'the debugger stops at the first' has "$out" 'accepted.cl:6: write of 4 bytes'
check 'not where a comment accepts it' hasnt "$out" 'accepted.cl:5: write'
run "$cldbg" -i --batch -x commands run $accepted --baseline=accepted.json
check 'it does not stop for what is known' has "$out" 'Nothing was found so far.'
check 'which is no error' [ "$status" = 0 ]
check 'and is counted as known' has "$err$out" 'no findings in 1 kernel launch; 2 known from the baseline; 1 suppressed'
run "$cldbg" -i --batch -x commands run $accepted --suppressions="$here/tests/debug/kernels/accepted.supp" --baseline=accepted.json
check 'a suppression and a baseline together' has "$out" 'Nothing was found so far.'
run "$cldbg" -i --batch -x commands run $accepted --check=all,-out-of-bounds
check 'nor for a check that is off' has "$out" 'Nothing was found so far.'
check 'whose findings are not counted' has "$err$out" 'cldbg: no findings in 1 kernel launch'
finish
