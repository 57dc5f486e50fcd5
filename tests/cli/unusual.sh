#!/bin/sh
# SPDX-License-Identifier: MIT
# Apps that do unusual things run, and their errors are found; or cldbg reports at the start why not.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
need tests/cli/unusual
app=tests/cli/unusual
limit='timeout -k 5 60'

# found WHAT: it ends well, and its finding is there
found() {
    run $limit "$cldbg" $2 $app "$1"
    [ "$status" = 77 ] && { echo "skipped: $1"; return; }
    check "$1: its status" [ "$status" = 66 ]
    check "$1: the closing line" has "$err" 'cldbg: 1 error in'
}
export CLDBG_CACHE=off # (so that they build)
for what in plain atexit-before atexit-after destructor small-stack main-leaves main-leaves-last clearenv mlockall address-space closed-all closed-all-later fork-before exec seccomp; do
    found $what
    case $what in
    atexit-*|destructor) check "$what: it ran" has "$out" 'at the end: 0, 0' ;;
    mlockall) check 'mlockall: what is only reserved is not resident' [ "$(echo "$out" | tr -cd 0-9)" -lt 2000000 ] ;;
    esac
done
run $limit "$cldbg" $app fork-after
check 'fork-after: parent and child' has "$err" '2 errors in 2 kernel launches'
run $limit "$cldbg" --report=json:"$tmp/streams.json" $app closed-streams
check 'closed-streams: its status' [ "$status" = 66 ]
check 'closed-streams: the report' grep -q out-of-bounds "$tmp/streams.json"
if unshare -m true 2>/dev/null; then
    run $limit unshare -m sh -c "umount -l /proc && exec $cldbg $app plain"
    check 'without /proc: why it does not start' has "$err" 'cldbg needs /proc to be mounted'
    run $limit "$cldbg" --verbose unshare -m sh -c "umount -l /proc && exec $app plain"
    check 'an app without /proc: why it does not build' has "$err" 'the compiler needs /proc to be mounted'
fi
run $limit "$cldbg" $app failed-event
check 'failed-event: why nothing ran' has "$err" 'an event that they wait for failed'

# A program with rights of its own (set-user-ID) takes no program, option or path from the environment of who starts it.
if [ "$(id -u)" = 0 ] && ! findmnt -no OPTIONS -T "$tmp" | grep -q nosuid; then
    front=$PWD/src/api/.libs own=$tmp/own/app
    mkdir "$tmp/own" "$tmp/all"
    chmod 755 "$tmp" "$tmp/own"
    chmod 777 "$tmp/all"
    printf '#!/bin/sh\n: >"%s/all/ran"\n' "$tmp" >"$tmp/own/compiler"
    ${CC:-cc} -w -DCL_TARGET_OPENCL_VERSION=300 -D_GNU_SOURCE "$srcdir/tests/cli/unusual.c" -o "$own" "$front/libOpenCL.so.1" "-Wl,-rpath,$front"
    for mode in 755 4755; do
        chown 12345 "$own"
        chmod $mode "$own" "$tmp/own/compiler"
        chmod 755 "$tmp/own/compiler"
        run $limit env CLDBG_CLANG="$tmp/own/compiler" CLDBG_OPTIONS="--log-file=$tmp/all/log --capture=$tmp/all/captures" CLDBG_DEBUG=@nobody "$own" plain
        [ $mode = 755 ] && check 'an ordinary app: the environment says what compiles' [ -e "$tmp/all/ran" ]
        [ $mode = 4755 ] && check 'a program with rights of its own: nothing of the environment is run or written' [ "$(ls "$tmp/all")" = '' ]
        rm -rf "$tmp"/all/*
    done
fi

# a daemon, whose parent has ended: what it finds later comes into the report files
run $limit "$cldbg" --report=json:"$tmp/daemon.json" $app daemon
check 'daemon: said' has "$err" 'of the app goes on'
for i in $(seq 150); do
    grep -q out-of-bounds "$tmp/daemon.json" && break
    sleep 0.2
done
check 'daemon: its finding' grep -q out-of-bounds "$tmp/daemon.json"

# built with a sanitizer, whose library wants to be the first
if [ -z "${CLDBG_TEST_TSAN-}" ]; then
    export ASAN_OPTIONS=detect_leaks=0 # (the program releases nothing)
    for sanitizer in address thread undefined; do
        ${CC:-cc} -fsanitize=$sanitizer -DCL_TARGET_OPENCL_VERSION=300 -D_GNU_SOURCE "$srcdir/tests/cli/unusual.c" -o "$tmp/$sanitizer" -lOpenCL 2>"$tmp/err" || { echo "skipped: -fsanitize=$sanitizer"; continue; }
        app=$tmp/$sanitizer
        for what in plain fork-after; do
            run $limit "$cldbg" $app $what
            check "-fsanitize=$sanitizer, $what: its status" [ "$status" = 66 ]
            check "-fsanitize=$sanitizer, $what: the finding" has "$err" 'error: write of 4 bytes outside'
        done
        app=tests/cli/unusual
    done
fi

# no home to keep a cache in
run $limit env -u CLDBG_CACHE HOME=/proc XDG_CACHE_HOME= "$cldbg" $app plain
check 'a home that cannot be written: the finding' has "$err" 'cldbg: 1 error in'
finish
