#!/bin/sh
# SPDX-License-Identifier: MIT
# `mpirun -n N cldbg ./app`: one report of all ranks, whatever becomes of one. The first part needs no MPI.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
need tests/cli/capture_app
unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMI_RANK PMI_SIZE PMIX_RANK SLURM_PROCID
mkdir "$tmp/tmp"
export TMPDIR="$tmp/tmp"
capture_app=$PWD/tests/cli/capture_app
mpi_app=$PWD/tests/cli/mpi_app
here=$(cd "$srcdir" && pwd)
cd "$tmp" || exit 99
printf 'struct pair { int a; int b[2]; };\n' >capture_part.h

count() { printf '%s\n' "$1" | grep -c -- "$2"; }
closing() { printf '%s\n' "$1" | grep '^cldbg: .*kernel launch'; }
clean() { # nothing is left; a collector may need a moment
    for _ in $(seq 100); do
        [ -z "$(ls "$TMPDIR")" ] && return
        sleep 0.1
    done
    ls "$TMPDIR"
    return 1
}
# ranks N JOB CMD…: as srun starts them. $statuses has their exit statuses, $err what they said.
ranks() {
    n=$1 job=$2
    shift 2
    : >err.ranks
    for r in $(seq 0 $((n - 1))); do
        (
            SLURM_PROCID=$r SLURM_STEP_NUM_TASKS=${size:-$n} SLURM_LOCALID=$r SLURM_STEP_TASKS_PER_NODE=${tasks:-$n} SLURM_NODEID=0 \
                SLURM_JOB_ID=$job SLURM_STEP_ID=0 "$@" >/dev/null 2>>err.ranks
            echo $? >status.$r
        ) &
    done
    wait
    statuses=$(cat status.? | tr '\n' ' ')
    err=$(cat err.ranks)
    status=$statuses
}

run "$cldbg" "$capture_app"
one=$(count "$err" ': error: ')
launches=$(closing "$err" | sed 's/.* in \([0-9]*\) kernel.*/\1/')
ranks 2 1 "$cldbg" --report=json:all.json --report=json:of.%r.json "$capture_app"
check 'equal findings are shown once' [ "$(count "$err" ': error: ')" = "$one" ]
check 'with their ranks' [ "$(count "$err" '= on all 2 ranks')" -ge "$one" ]
check 'there is one closing line' [ "$(closing "$err" | wc -l)" = 1 ]
check 'which counts all launches and ranks' has "$(closing "$err")" "in $((2 * launches)) kernel launches"
check 'the number of ranks is in it' has "$(closing "$err")" '; 2 ranks'
check 'every rank has the exit status of the whole' [ "$statuses" = '66 66 ' ]
check 'the report has the ranks' grep -q '"ranks": \[' all.json
check 'a report of each rank' [ -s of.0.json ]
check 'of each one' [ -s of.1.json ]
check 'these are of one rank' [ "$(grep -c '"pid"' of.1.json)" = 1 ]
check 'nothing is left' clean

ranks 2 2 "$cldbg" --error-exitcode=9 "$capture_app"
check 'another exit status' [ "$statuses" = '9 9 ' ]
ranks 2 3 "$cldbg" sh -c 'exit $SLURM_PROCID'
check 'a failed app keeps its status' [ "$(cat status.1)" = 1 ]
check 'and is named' has "$err" 'rank 1: the app exited with status 1'
ranks 2 4 "$cldbg" sh -c 'kill -KILL $$'
check 'killed ones are named, too' has "$err" 'ranks 0, 1: the app was killed by signal 9 (Killed)'
check 'they end by the signal' [ "$statuses" = '137 137 ' ]

# two jobs at once
(ranks 2 5 "$cldbg" "$capture_app" >/dev/null; printf '%s\n' "$err" >first.err) &
mkdir other && cd other || exit 99
cp ../capture_part.h .
ranks 2 6 "$cldbg" sh -c 'sleep 0.3'
cd ..
wait
check 'two jobs are two reports' [ "$(count "$err" '^cldbg: .*; 2 ranks')" = 1 ]
check 'each with its own' [ "$(closing "$(cat first.err)" | wc -l)" = 1 ]

# cldbg twice in each rank, and cldbg in an app of cldbg
ranks 2 7 sh -c "'$cldbg' '$capture_app'; '$cldbg' '$capture_app'"
check 'cldbg twice: two reports' [ "$(count "$err" '; 2 ranks')" = 2 ]
ranks 2 8 "$cldbg" sh -c "'$cldbg' '$capture_app'"
check 'nested: the inner ones report for themselves' [ "$(closing "$err" | wc -l)" = 2 ]
check 'with their findings' [ "$(count "$err" ': error: ')" = $((2 * one)) ]

# several machines: those ranks that are here, the machine's name in line and file
size=4 tasks='2(x2)' ranks 2 9 "$cldbg" --report=json:some.json "$capture_app"
check 'several machines: the line names this one' has "$(closing "$err")" "; 2 of 4 ranks, on $(hostname)"
check 'so does the file' [ -s "some.$(hostname).json" ]
# a rank without cldbg
tasks=3 size=3 ranks 2 10 "$cldbg" "$capture_app"
check 'a rank that is missing' has "$(closing "$err")" '; 2 of 3 ranks; 1 did not start cldbg'
check 'nothing is left of all these' clean

# the variables of Hydra, which has no job id: its proxy is the parent
: >err.ranks
for r in 0 1; do
    PMI_RANK=$r PMI_SIZE=2 MPI_LOCALRANKID=$r MPI_LOCALNRANKS=2 "$cldbg" "$capture_app" >/dev/null 2>>err.ranks &
done
wait
check 'MPICH' has "$(closing "$(cat err.ranks)")" "in $((2 * launches)) kernel launches"

TMPDIR=$tmp/none ranks 2 11 "$cldbg" "$capture_app"
check 'no folder: a note' [ "$(count "$err" 'each rank reports for itself, because the reports cannot be merged')" = 1 ]
check 'and a report of each' [ "$(closing "$err" | wc -l)" = 2 ]
check 'and their statuses' [ "$statuses" = '66 66 ' ]

# ---- with MPI
finish_without() { echo "the rest is skipped: $1"; finish; }
command -v mpirun >/dev/null || finish_without 'mpirun is missing; on Debian: apt-get install openmpi-bin'
[ -e "$mpi_app" ] || finish_without 'cldbg was built without MPI'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,vader
export OMPI_MCA_mpi_yield_when_idle=1
mpirun -n 2 true >log 2>&1 || finish_without "mpirun does not work here: $(head -c 300 log)"
mpi() { # mpi N WHAT OPTION…
    n=$1 do=$2
    shift 2
    run timeout 100 mpirun -n "$n" "$cldbg" "$@" "$mpi_app" "$do"
}
for n in 2 8; do
    mpi $n all
    check "$n ranks: one finding" [ "$(count "$err" ': error: ')" = 1 ]
    check "$n ranks: on all" has "$err" "= on all $n ranks"
    check "$n ranks: one closing line" [ "$(closing "$err")" = "cldbg: 1 error in $n kernel launches (1 data-race); $n ranks" ]
    check "$n ranks: the launcher's exit status" [ "$status" = 66 ]
done
mpi 4 one
check 'one of four' has "$err" '= on rank 1'
check 'the exit status of the whole' [ "$status" = 66 ]
mpi 3 clean
check 'no findings' has "$err" 'cldbg: no findings in 3 kernel launches; 3 ranks'
check 'status 0' [ "$status" = 0 ]
for mode in abort kill-app kill-cldbg unfinished exit; do
    mpi 4 $mode
    check "$mode: ends" [ "$status" != 124 ]
    check "$mode: the launcher fails" [ "$status" != 0 ]
    check "$mode: the finding is reported" [ "$(count "$err" ': error: ')" = 1 ]
    check "$mode: one closing line" [ "$(closing "$err" | wc -l)" = 1 ]
    check "$mode: of all ranks" has "$(closing "$err")" '; 4 ranks'
    case $mode in
    abort) reason=': the app ' ;; # it exits, or is killed first
    kill-app) reason='rank 1: the app was killed by signal 9 (Killed)' ;;
    kill-cldbg) reason=': killed before the app ended' ;; # others may be, too
    unfinished) reason='rank 1: the app exited without MPI_Finalize' ;;
    exit) reason='rank 1: the app exited with status 3' ;;
    esac
    check "$mode: the rank is named" has "$err" "$reason"
done
# MPI_Abort under Hydra, which ends before the report is there
if command -v mpirun.mpich >/dev/null && command -v mpicc.mpich >/dev/null; then
    mpicc.mpich -w -g -o mpich_app "$here/tests/cli/mpi_app.c" -lOpenCL >log 2>&1
    timeout -k 2 60 mpirun.mpich -n 2 "$cldbg" ./mpich_app abort >out.mpich 2>err.mpich </dev/null
    status=$?
    for _ in $(seq 100); do
        grep -q '^cldbg: .*; 2 ranks' err.mpich && break
        sleep 0.1
    done
    err=$(cat err.mpich)
    check 'Hydra, abort: status' [ "$status" = 7 ]
    check 'Hydra, abort: the finding is reported' [ "$(count "$err" ': error: ')" = 1 ]
    check 'Hydra, abort: one closing line' has "$(closing "$err")" '1 error in '
fi
check 'MPI: nothing is left' clean
finish
