#!/bin/sh
# SPDX-License-Identifier: MIT
# With --check-api refused calls and a buffer that is never released are findings; without it, silence.
set -u
bad=0
out=$(CLDBG_OPTIONS=--check-api ./tests/api/leaky 2>&1) || { echo "leaky failed"; bad=1; }
for want in 'clCreateBuffer fails with CL_INVALID_BUFFER_SIZE \[api-misuse\]' 'the size is 0' \
    'image_height is 16385; from 1 to CL_DEVICE_IMAGE2D_MAX_HEIGHT, 16384, are allowed' \
    'a memory object is never released \[api-leak\]'; do
    [ "$(echo "$out" | grep -c "$want")" = 1 ] || { echo "not once: $want"; bad=1; }
done
[ "$(echo "$out" | grep -c 'warning:')" = 3 ] || { echo "not three warnings"; bad=1; }
[ "$bad" = 0 ] || echo "$out"
out=$(CLDBG_OPTIONS= ./tests/api/leaky 2>&1)
[ -z "$out" ] || { echo "not silent without --check-api: $out"; bad=1; }
exit "$bad"
