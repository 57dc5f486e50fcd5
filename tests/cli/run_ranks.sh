#!/bin/sh
# SPDX-License-Identifier: MIT
# `mpirun -n N cldbg run`: ranks share the work-groups of a launch; all that it prints and writes is that of one process.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
command -v mpirun >/dev/null || { echo 'skipped: mpirun is missing; on Debian: apt-get install openmpi-bin'; exit 77; }
[ -e cli/.libs/libcldbg-mpi.so ] || { echo 'skipped: cldbg was built without MPI'; exit 77; }
here=$(cd "$srcdir" && pwd)
build=$PWD
export TMPDIR="$tmp"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,vader
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_pml=ob1 OMPI_MCA_osc=rdma,sm,pt2pt # the start takes half the time
mpirun -n 2 true >"$tmp/log" 2>&1 || { echo "skipped: mpirun does not work here: $(head -c 300 "$tmp/log")"; exit 77; }
cd "$tmp" || exit 99

without_launcher() { sed -e '/^----/,$d' "$1"; } # what mpirun says about an exit status
why() { printf '%s\n' "$err" | sed -n 's/^cldbg: rank 0 runs all work-groups[^:]*: //p'; }
report() { # the json report without times, process ids, and command lines
    /usr/bin/env python3 -c 'import json, sys
d = json.load(open(sys.argv[1], encoding="utf-8"))
d["processes"] = len(d["processes"])
for k in d["kernels"]: k["time_ns"] = 0
json.dump(d, sys.stdout, indent=1)' "$1"
}

# Work-items that race, divide by 0, read what was never written, leave their buffer, and use a forged pointer: in each group.
cat >bad.cl <<'END'
kernel void bad(global const int *in, global int *out, global const int *unset, int n)
{
    local int tile[16];
    const int i = get_global_id(0), l = get_local_id(0);
    tile[l] = in[i];
    if (i % 5 == 0) tile[l] += n / (i % 10);
    const int next = tile[(l + 1) % 16];
    out[i] = next + (i % 7 ? 0 : unset[i]);
    if (i % 33 == 32) out[i] += in[i + 300];
    if (i % 33 == 31) out[i] += *(global int *)(77ul << 48 | i * 4);
}
END
cat >histogram.cl <<'END'
kernel void histogram(global const uint *in, global uint *bins)
{
    atomic_inc(&bins[in[get_global_id(0)] % 10]);
}
END
cat >beyond.cl <<'END'
kernel void beyond(global int *a) { size_t i = get_global_id(0); a[i] = 1; if (i % 16 == 15) a[i + 64] = 2; }
END
cat >ticket.cl <<'END'
kernel void ticket(global uint *next, global uint *out) { out[atomic_inc(next)] = get_global_id(0); }
END
cat >neighbor.cl <<'END'
kernel void neighbor(global int *a) { a[get_global_id(0)] = a[get_global_id(0) + 1] + 1; }
END
cat >say.cl <<'END'
kernel void say(global int *a) { a[get_global_id(0)] = 1; printf("%d\n", (int)get_group_id(0)); }
END
bad="bad.cl --global=320 --local=16 --arg=int[320]=iota --arg=int[320]=0 --arg=int[320]=undef --arg=int=3 --dump=out"

run_one() { # run_one NAME ARGS…: by one process
    name=$1
    shift
    "$cldbg" run "$@" --compute-units=1 --report=json:"$name".json --report=lcov:"$name".lcov --report=profile:"$name".profile >"$name".out 2>"$name".err && one=0 || one=$?
    report "$name".json >"$name".report
}
run_many() { # run_many N NAME ARGS…: by N ranks, and compares
    n=$1 name=$2
    shift 2
    rm -rf many.*
    run mpirun -n "$n" "$cldbg" run "$@" --compute-units=1 --report=json:many.json --report=lcov:many.lcov --report=profile:many.profile
    cp err many.raw
    without_launcher many.raw | sed '/^cldbg: rank 0 runs all/d' >many.err
    report many.json >many.report
    check "$name, $n ranks: the exit status" [ "$status" = "$one" ]
    check "$name, $n ranks: the text" cmp many.err "$name".err
    check "$name, $n ranks: the buffers" cmp out "$name".out
    check "$name, $n ranks: the report" diff many.report "$name".report
    sed -i "s/many.lcov.sources/$name.lcov.sources/" many.lcov
    check "$name, $n ranks: the coverage" cmp many.lcov "$name".lcov
    check "$name, $n ranks: the profile" [ "$(grep -v _ns many.profile)" = "$(grep -v _ns "$name".profile)" ]
}

# shellcheck disable=SC2086
{
    run_one bad $bad
    for n in 2 3 8; do
        run_many $n bad $bad
        check "errors, $n ranks: they shared the work-groups" [ -z "$(why)" ]
    done
}
check 'there are errors of several kinds' [ "$(grep -c '^bad.cl:.* error: ' bad.err)" -ge 3 ]

# A capture
# shellcheck disable=SC2086
"$cldbg" run $bad --capture=caps >/dev/null 2>&1
capture=$(echo caps/*.cldbg)
run_one capture "$capture" --dump=out
run_many 3 capture "$capture" --dump=out
check 'a capture: the ranks shared its work-groups' [ -z "$(why)" ]

set -- histogram.cl --global=4096 --local=32 --arg='uint[4096]=rand' --arg='uint[10]=7' --dump=bins
run_one histogram "$@"
run_many 3 histogram "$@"
check 'sums of atomics add up' [ -z "$(why)" ]

# What one process has to run
set -- neighbor.cl --global=64 --local=8 --arg='int[65]=0' --dump=a
run_one neighbor "$@"
run_many 2 neighbor "$@"
check 'a race between ranks is found' [ "$(why)" = "work-groups of different ranks access the same bytes of 'a'" ]
set -- beyond.cl --global=64 --local=8 --arg='int[64]=0' --dump=a
run_one beyond "$@"
check 'the writers of elements are reported' grep -q '"writers"' beyond.report
run_many 2 beyond "$@"
check 'the writers can be on other ranks' [ "$(why)" = 'the report shows the last writers of global memory around errors' ]
run mpirun -n 2 "$cldbg" run "$@"
check 'which no text shows' [ -z "$(why)" ]
set -- ticket.cl --global=64 --local=8 --arg='uint[1]=0' --arg='uint[64]=0' --dump=out
run_one ticket "$@"
run_many 2 ticket "$@"
check 'results of atomics' has "$(why)" 'it uses results of atomics'
set -- say.cl --global=64 --local=8 --arg='int[64]=0'
run_one say "$@"
run_many 2 say "$@"
check 'printf' [ "$(why)" = 'printf writes in the order of the work-groups' ]
set -- "$here/tests/kernels/order/last_block_mem_fence.cl" --global=64 --local=16 --arg='int[64]=iota' --arg='int[4]=0' --arg='uint[1]=0' --arg='int[1]=0'
run_one order "$@"
run_many 2 order "$@"
check 'work-groups that synchronize' [ "$(why)" = 'its work-groups can synchronize through atomics' ]
run mpirun -n 2 "$cldbg" run "$@" --native
check 'machine code' [ "$(why)" = '--native needs one process' ]

# Ranks that differ
run mpirun -n 1 "$cldbg" run histogram.cl --global=64 --local=8 --arg='uint[64]=iota' --arg='uint[10]=0' --dump=bins : \
    -n 1 "$cldbg" run histogram.cl --global=64 --local=8 --arg='uint[64]=1' --arg='uint[10]=0'
check 'other data' [ "$(why)" = 'rank 1 has another program, other options or other data' ]
check 'other data: the result is that of rank 0' has "$out" 'bins[3] = 7'
run mpirun -n 1 "$cldbg" run histogram.cl --global=64 --local=8 --arg='uint[64]=iota' --arg='uint[10]=0' --dump=bins : \
    -n 1 "$cldbg" run nowhere.cl --global=64
check 'a rank that fails: why' has "$err" 'rank 1: nowhere.cl: No such file or directory'
check 'a rank that fails: the others do without it' [ "$(why)" = 'rank 1 is lost' ]
check 'a rank that fails: the result' has "$out" 'bins[3] = 7'
# Results meet in a tree: rank 2 takes that of rank 3, and gives the sum to rank 0.
run mpirun -n 3 "$cldbg" run histogram.cl --global=64 --local=8 --arg='uint[64]=iota' --arg='uint[10]=0' --dump=bins : \
    -n 1 "$cldbg" run histogram.cl --global=64 --local=8 --arg='uint[64]=1' --arg='uint[10]=0'
check 'other data on a leaf of the tree' [ "$(why)" = 'rank 3 has another program, other options or other data' ]
check 'other data on a leaf of the tree: the result is that of rank 0' has "$out" 'bins[3] = 7'
run mpirun -n 2 "$cldbg" run histogram.cl --global=64 --local=8 --arg='uint[64]=iota' --arg='uint[10]=0' --dump=bins : \
    -n 1 "$cldbg" run histogram.cl --global=64 --local=8 --arg='uint[64]=1' --arg='uint[10]=0' : \
    -n 1 "$cldbg" run histogram.cl --global=64 --local=8 --arg='uint[64]=iota' --arg='uint[10]=0'
check 'other data inside the tree' [ "$(why)" = 'rank 2 has another program, other options or other data' ]
run mpirun -n 3 "$cldbg" run histogram.cl --global=64 --local=8 --arg='uint[64]=iota' --arg='uint[10]=0' --dump=bins : \
    -n 1 "$cldbg" run nowhere.cl --global=64
check 'a leaf that fails: why' has "$err" 'rank 3: nowhere.cl: No such file or directory'
check 'a leaf that fails: the others do without it' [ "$(why)" = 'rank 3 is lost' ]
run mpirun -n 8 "$cldbg" run histogram.cl --global=4096 --local=32 --arg='uint[4096]=rand' --arg='uint[10]=7' --verbose
check 'one result for each rank' has "$err" 'results of ranks: 7 messages'
largest=$(printf '%s\n' "$err" | sed -n 's/.* the largest \([0-9]*\);.*/\1/p')
check 'results do not grow on their way' [ "${largest:-99999}" -lt 1000 ]
run mpirun -n 2 "$cldbg" run nowhere.cl --global=64
check 'an error of all is an error' [ "$status" = 2 ]
check 'an error of all is printed once' [ "$(printf '%s\n' "$err" | grep -c 'nowhere.cl')" = 1 ]

# A killed rank
cat >long.cl <<'END'
kernel void spin(global uint *a)
{
    uint x = a[get_global_id(0)];
    for (int i = 0; i < 600000; i++) x = x * 1664525 + (x >> 3);
    a[get_global_id(0)] = x;
}
END
kill_rank() { # kill_rank N FLAGS…: kills rank N when it runs the launch
    victim=$1
    shift
    timeout 300 mpirun -n 4 "$@" "$cldbg" run long.cl --global=16384 --local=64 --arg='uint[16384]=iota' --compute-units=1 --engine=interpret >out 2>err &
    launcher=$!
    for _ in $(seq 600); do
        sleep 0.05
        parent=$(pgrep -P "$launcher") || continue
        for p in $(pgrep -P "$parent"); do
            grep -qz "^OMPI_COMM_WORLD_RANK=$victim\$" "/proc/$p/environ" 2>/dev/null || continue
            grep -q libcldbg.so "/proc/$p/maps" 2>/dev/null || continue
            sleep 0.3
            kill -KILL "$p"
            break 2
        done
    done
    wait "$launcher" && status=0 || status=$?
    out=$(cat out) err=$(cat err)
}
kill_rank 2
check 'a killed rank: the launcher fails' [ "$status" != 0 ]
check 'a killed rank: the launcher names it' has "$err" 'rank 2'
for victim in 2 3; do
    kill_rank $victim --mca orte_abort_on_non_zero_status 0
    check "killed rank $victim is named" has "$err" "rank $victim shows no sign of life"
    check "rank 0 goes on without rank $victim" [ "$(why)" = "rank $victim is lost" ]
    check "and has the result, without rank $victim" has "$err" 'no findings in 1 kernel launch'
done

# A sample of the kernels; by hand: all of them
cd "$build" && "$here/tests/kernels/ranks.py" --every=200 --ranks=2,8 >"$tmp/kernels" 2>&1 && status=0 || status=$?
out=$(cat "$tmp/kernels") err=
check 'kernels' [ "$status" = 0 ]
finish
