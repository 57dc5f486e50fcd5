#!/bin/sh
# SPDX-License-Identifier: MIT
# Errors in the commands of command buffers are found as those of enqueued commands, and name both
# lines: the one that records and the one that enqueues.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
app=tests/api/command_buffer

run "$cldbg" --check-api $app right
check 'nothing is wrong' [ "$status" = 0 ] && has "$out" 1 && has "$err" 'no findings in 2 kernel launches'
run "$cldbg" $app outside
check 'past the end' has "$err" '[out-of-bounds]'
check 'both places' grep -Eq 'recorded at .*, enqueued at ' "$tmp/err"
run "$cldbg" $app unordered
check 'a missing sync point' has "$err" '[host-race]'
check 'of these commands' has "$err" 'clCommandFillBufferKHR and kernel '"'"'add'"'"' (launch 1) use the same bytes'
check 'says what is missing' has "$err" 'Give the later command the sync point of the earlier one'
run "$cldbg" $app simultaneous
check 'two executions at once' has "$err" '[host-race]'
run "$cldbg" $app unwritten
check 'nothing wrote the buffer' has "$err" '[uninitialized-read]'
run "$cldbg" $app released
check 'an argument that was released' has "$err" '[use-after-release]'
run "$cldbg" --check-api $app unfinished
check 'not finalized' has "$err" 'the command buffer is not finalized'
run "$cldbg" --check-api $app leaked
check 'never released' has "$err" 'a command buffer is never released'
run "$cldbg" --capture="$tmp/captures" $app outside
check 'captured' ls "$tmp/captures/add-1.cldbg"
run "$cldbg" run "$tmp/captures/add-1.cldbg"
check 'and repeated' has "$err" '[out-of-bounds]'
finish
