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
run "$cldbg" --check-api tests/api/usm leaked
check 'never freed' has "$err" '[api-leak]'
finish
