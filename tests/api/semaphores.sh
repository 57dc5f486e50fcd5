#!/bin/sh
# SPDX-License-Identifier: MIT
# host-race follows semaphores: a wait orders, also one that is enqueued before its signal.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

for which in right early; do
    run "$cldbg" --check-api tests/api/semaphores $which
    check "ordered: $which" [ "$status" = 0 ] && has "$out" 7 && hasnt "$err" '['
done
run "$cldbg" tests/api/semaphores missing
check 'a missing wait' has "$err" '[host-race]'
run "$cldbg" --check-api tests/api/semaphores leaked
check 'never released' has "$err" 'a semaphore is never released'
finish
