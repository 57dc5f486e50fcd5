#!/bin/sh
# SPDX-License-Identifier: MIT
# `mpirun -n N cldbg check`: the report is that of one process, also if a rank is killed.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
app=$PWD/tests/cli/capture_app
need tests/cli/capture_app
command -v mpirun >/dev/null || { echo 'skipped: mpirun is missing; on Debian: apt-get install openmpi-bin'; exit 77; }
[ -e cli/.libs/libcldbg-mpi.so ] || { echo 'skipped: cldbg was built without MPI'; exit 77; }
export TMPDIR="$tmp"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,vader
mpirun -n 2 true >"$tmp/log" 2>&1 || { echo "skipped: mpirun does not work here: $(head -c 300 "$tmp/log")"; exit 77; }
cd "$tmp" || exit 99
printf 'struct pair { int a; int b[2]; };\n' >capture_part.h
"$cldbg" --capture=caps "$app" >log 2>&1
mkdir caps/more
for i in 1 2 3; do cp caps/all-1.cldbg caps/more/again$i.cldbg; done

report() { # the json report without times, process ids and command lines
    /usr/bin/env python3 -c 'import json, sys
d = json.load(open(sys.argv[1], encoding="utf-8"))
d["processes"] = len(d["processes"])
for k in d["kernels"]: k["time_ns"] = 0
json.dump(d, sys.stdout, indent=1)' "$1"
}
text() { sed -e '/^----/,$d' -e 's/ on [0-9]* ranks//' "$1"; }

"$cldbg" check caps --report=json:one.json >/dev/null 2>one.txt
report one.json >one
for n in 2 3 8; do
    run mpirun -n $n "$cldbg" check caps --report=json:many.json
    check "$n ranks: the exit status is that of the whole" [ "$status" = 1 ]
    printf '%s\n' "$err" >many.txt
    text many.txt >many.out
    check "$n ranks: the text is that of one process" diff one.txt many.out
    report many.json >many
    check "$n ranks: so is the report" diff one many
    check "$n ranks: no journal is left" [ ! -e many.json.journal ]
done
run mpirun -n 2 "$cldbg" check caps/clean-3.cldbg
check 'a clean file' [ "$status" = 0 ]
run mpirun -n 3 "$cldbg" check nowhere.cldbg
check 'a wrong name is an error' [ "$status" = 2 ]
check 'which one rank reports' [ "$(printf '%s\n' "$err" | grep -c 'nowhere.cldbg')" = 1 ]

# A killed rank: pipes hold the children of two ranks, of which at least one is not rank 0.
cat >k.cl <<'END'
kernel void k(global int *out) { out[get_global_id(0) & ~1] = get_global_id(0); }
END
printf 'k.cl\nk\n4 1 1\n2 1 1\n<size=16 fill=0 int>\n' >sim
mkfifo y.sim z.sim
timeout 120 mpirun -n 3 --mca orte_abort_on_non_zero_status 0 "$cldbg" check -j1 caps y.sim z.sim --report=json:killed.json >out 2>err &
launcher=$!
done_lines() { wc -l 2>/dev/null <killed.json.journal || echo 0; }
for _ in $(seq 400); do [ "$(done_lines)" -ge 7 ] && break; sleep 0.05; done
sleep 0.3
for p in $(pgrep -P "$(pgrep -P "$launcher")"); do
    grep -qz '^OMPI_COMM_WORLD_RANK=0$' "/proc/$p/environ" && continue
    child=$(pgrep -P "$p" cldbg) || continue
    kill -KILL "$p"
    # Its child would take what is meant for the one that checks the file again.
    for _ in $(seq 200); do kill -0 "$child" 2>/dev/null || break; sleep 0.05; done
    kill -KILL "$child" 2>/dev/null
    break
done
cat sim >y.sim &
cat sim >z.sim &
wait "$launcher" && status=0 || status=$?
out=$(cat out) err=$(cat err)
check 'a killed rank is named' has "$err" 'shows no sign of life; other ranks check its files'
check 'the launcher fails' [ "$status" != 0 ]
check 'its file is checked by another' has "$err" 'cldbg: 4 errors in 8 kernel launches'
check 'all of them' [ "$(report killed.json | grep -c '"attempts"')" = 8 ]
finish
