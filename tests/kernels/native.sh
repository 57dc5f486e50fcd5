#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels that expect silence, and those with divergent barriers, as machine code: the same results. A sample; all of
# them: make check-long.
here=${srcdir:-.}/tests/kernels
[ -n "${CLDBG_TEST_LONG-}" ] && every=1 || every=5
exec python3 "$here/run.py" --native --every=$every "$here/clean" "$here/divergence" "$here/lang" "$here/order"
