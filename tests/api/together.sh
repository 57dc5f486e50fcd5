#!/bin/sh
# SPDX-License-Identifier: MIT
# host-race: commands on the same memory that nothing orders are reported in any order of execution; those that are ordered, or that
# touch other bytes, or only atomically, are not.
set -u
bad=0
run() { CLDBG_OPTIONS= ./tests/api/together "$1" 2>&1 || { echo "$1 failed"; bad=1; }; }
wrong() {
    out=$(run "$1")
    shift
    for want in "$@" '\[host-race\]'; do
        [ "$(echo "$out" | grep -c -- "$want")" = 1 ] || { echo "not once: $want: $out"; bad=1; }
    done
    [ "$(echo "$out" | grep -c 'error:')" = 1 ] || { echo "not one error: $out"; bad=1; }
}
wrong kernels-in-two-queues "kernel 'fills' (launch 1) and kernel 'fills' (launch 2) use the same bytes" 'they are in two queues' \
    'they overlap at bytes 256..511' 'the buffer has 1024 bytes (created at .*together.c'
wrong kernels-out-of-order "kernel 'sums' (launch 2), enqueued at .*together.c:.*, reads them" 'runs commands out of order'
wrong read-out-of-order 'clEnqueueReadBuffer, called at .*together.c:.*, reads them' 'they overlap at bytes 0..511'
wrong read-in-other-queue "kernel 'fills' (launch 1) and clEnqueueReadBuffer use the same bytes"
wrong writes-out-of-order 'clEnqueueWriteBuffer and clEnqueueFillBuffer use' 'they overlap at bytes 32..63'
wrong mapped-for-writing "kernel 'sums' (launch 1) reads a buffer while it is mapped" 'mapped them for the host to write'
wrong mapped-for-reading "kernel 'fills' (launch 1) writes a buffer while it is mapped" 'they overlap at bytes 256..511'
wrong unmapped-in-other-queue 'clEnqueueUnmapMemObject and kernel .sums. (launch 1) use'
gone() { # CASE TITLE CALL: it is the only finding
    out=$(run "$1")
    for want in "$2 \[use-after-release\]" "it has 1024 bytes (created at .*together.c:.*); $3 was called at .*together.c" 'error:'; do
        [ "$(echo "$out" | grep -c -- "$want")" = 1 ] || { echo "$1: not once: $want: $out"; bad=1; }
    done
}
gone released-argument "argument 'a' of kernel 'fills' is a memory object that was released" clReleaseMemObject
for name in shared-freed-argument shared-freed-behind; do
    gone "$name" "argument 'a' of kernel 'sums' is shared virtual memory that was freed" clSVMFree
done
gone shared-freed-by-command "argument 'a' of kernel 'sums' is shared virtual memory that was freed" clEnqueueSVMFree
out=$(run shared-freed-kept)
for want in 'read of 4 bytes through a pointer to shared virtual memory, which was freed \[use-after-release\]' 'clSVMFree was called at .*together.c' \
    '1024 bytes of shared virtual memory (created at .*together.c' 'error:'; do
    [ "$(echo "$out" | grep -c -- "$want")" = 1 ] || { echo "shared-freed-kept: not once: $want: $out"; bad=1; }
done
wrong image-in-two-queues "kernel 'paints' (launch 1) and clEnqueueReadImage use the same bytes" 'they overlap at bytes 80..87'
wrong image-out-of-order "kernel 'looks' (launch 2), enqueued at .*together.c:.*, reads them"
wrong image-mapped "kernel 'looks' (launch 1) reads an image while it is mapped"
wrong shared-in-two-queues "clEnqueueSVMMemcpy and kernel 'sums' (launch 1) use"
wrong shared-filled-out-of-order "kernel 'sums' (launch 1) and clEnqueueSVMMemFill use" 'they overlap at bytes 400..407'
wrong shared-mapped "kernel 'sums' (launch 1) reads a shared allocation while it is mapped" 'mapped them for the host to write'
wrong shared-freed "kernel 'sums' (launch 1) and clEnqueueSVMFree use"
wrong migrated-in-other-queue "kernel 'fills' (launch 1) and clEnqueueMigrateMemObjects use" 'they overlap at bytes 0..511'
wrong migrated-undefined "kernel 'sums' (launch 1) and clEnqueueMigrateMemObjects use"
wrong shared-migrated "clEnqueueSVMMemFill and clEnqueueSVMMigrateMem use"
wrong parts-overlap "kernel 'fills' (launch 1) and kernel 'fills' (launch 2) use" 'they overlap at bytes 256..511'
out=$(run possible-unmap)
case $out in *'possible race: clEnqueueUnmapMemObject and kernel'*) ;; *) echo "not told as possible: $out"; bad=1 ;; esac
released() { # CASE LAUNCH: possible only, if the first launch ran before anything could know that another queue would come
    out=$(run "$1")
    [ "$(echo "$out" | grep -c "kernel 'fills' (launch 1) and kernel 'fills' (launch $2) \(may \)*use the same bytes .*\[host-race\]")" = 1 ] || { echo "$1: $out"; bad=1; }
}
released queue-released 2
released queue-released-finished 3
wrong many-pending "clEnqueueFillBuffer and kernel 'fills' (launch 1) use the same bytes" 'they overlap at bytes 256..511'
wrong many-unordered "kernel 'fills' (launch 1) and clEnqueueFillBuffer use the same bytes" 'they overlap at bytes 0..3'
out=$(run possible-unrecorded)
for want in "possible race: kernel 'fills' (launch 1) and kernel 'fills' (launch 2) may use the same bytes" 'which bytes it used was not recorded'; do
    case $out in *"$want"*) ;; *) echo "not there: $want: $out"; bad=1 ;; esac
done
wrong source-changed 'clEnqueueWriteBuffer copies memory that the host changed meanwhile'
out=$(run two-names)
for want in "error: data race on global memory 'a'" 'atomic update of 4 bytes' 'read of' '\[data-race\]'; do
    [ "$(echo "$out" | grep -c -- "$want")" = 1 ] || { echo "not once: $want: $out"; bad=1; }
done
for name in $(sed -n 's/.*IS("\(clean-[a-z-]*\)").*/\1/p' "$srcdir/tests/api/together.c"); do
    n=$((${n:-0} + 1))
    out=$(run "$name")
    [ -z "$out" ] || { echo "$name: not silent: $out"; bad=1; }
done
[ "${n:-0}" -gt 8 ] || { echo 'no clean cases were found'; bad=1; }
out=$(CLDBG_OPTIONS=--check=-host-race ./tests/api/together kernels-in-two-queues 2>&1)
[ -z "$out" ] || { echo "not silent when it is switched off: $out"; bad=1; }
exit "$bad"
