# SPDX-License-Identifier: MIT
# Sourced by the scripts here, which run at the top of the build tree. `check WHAT CONDITION…` counts; `finish`
# gives the exit status. run CMD… keeps stdout, stderr and status in $out, $err, $status.
srcdir=${srcdir:-.}
cldbg=$PWD/cli/cldbg
tmp=$(mktemp -d "${TMPDIR:-/tmp}/cldbg-test-XXXXXX")
trap 'rm -rf "$tmp"' EXIT
export CLDBG_CACHE="${CLDBG_CACHE:-$tmp/cache}"
unset CLDBG_OPTIONS CLDBG_STATUS_FD
checks=0
failures=0

own_cache() { CLDBG_CACHE="$tmp/cache"; } # for tests that look into the cache

need() { # need FILE…: parts of the build that the test cannot do without
    for part in "$@"; do
        [ -e "$part" ] || { echo "skipped: $part is not built"; exit 77; }
    done
}
need_driver() { need cli/cldbg src/api/.libs/libcldbg.so src/api/.libs/libOpenCL.so.1 src/cc/cldbg-cc; }

run() {
    "$@" >"$tmp/out" 2>"$tmp/err" </dev/null && status=0 || status=$?
    out=$(cat "$tmp/out")
    err=$(cat "$tmp/err")
}
check() {
    what=$1
    shift
    checks=$((checks + 1))
    "$@" && return
    failures=$((failures + 1))
    printf 'FAILED: %s\n  status %s\n  stdout: %s\n  stderr: %s\n' "$what" "$status" "$out" "$err"
}
has() { # has TEXT WORDS: the words are in the text
    case $1 in *"$2"*) ;; *) printf 'lacks: %s\n' "$2"; return 1 ;; esac
}
hasnt() { ! has "$@" >/dev/null; }
finish() {
    echo "$checks checks, $failures failed"
    [ "$checks" -gt 0 ] && [ "$failures" = 0 ]
    exit
}
