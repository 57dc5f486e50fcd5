#!/bin/sh
# SPDX-License-Identifier: MIT
# Errors with unified shared memory are found as those with buffers, and name the calls.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

run "$cldbg" --check-api tests/api/usm right
check 'nothing is wrong' [ "$status" = 0 ] && has "$out" 1 && has "$err" 'no findings in 1 kernel launch'
run "$cldbg" tests/api/usm outside
check 'past the end' has "$err" '[out-of-bounds]'
check 'of the allocation' has "$err" 'p'"'"' is 256 bytes'
run "$cldbg" tests/api/usm freed
check 'after its release' has "$err" '[use-after-release]'
check 'which is named' has "$err" 'clMemFreeINTEL was called at'
run "$cldbg" tests/api/usm unordered
check 'two queues' has "$err" '[host-race]'
check 'the fill is named' has "$err" 'clEnqueueMemFillINTEL'
run "$cldbg" --check-api tests/api/usm twice
check 'freed twice' has "$err" 'is not the beginning of an allocation, or was freed before'
for which in unwritten; do
    run "$cldbg" tests/api/usm $which
    check "nothing wrote it: $which" has "$err" '[uninitialized-read]'
    check "the memory is named: $which" has "$err" "'p' is 256 bytes"
done
for which in copied svm-unwritten svm-mapped svm-unmapped; do
    run "$cldbg" tests/api/usm $which
    check "written: $which" has "$err" 'no findings in 1 kernel launch'
done
run "$cldbg" --capture="$tmp/captures" tests/api/usm unwritten
run "$cldbg" run "$tmp/captures/add-1.cldbg"
check 'captured as never written' has "$err" '[uninitialized-read]'
run "$cldbg" --capture="$tmp/captures2" tests/api/usm copied
run "$cldbg" run "$tmp/captures2/add-1.cldbg"
check 'captured as written' has "$err" 'no findings in 1 kernel launch'
run "$cldbg" --check-api tests/api/usm leaked
check 'never freed' has "$err" '[api-leak]'
finish
