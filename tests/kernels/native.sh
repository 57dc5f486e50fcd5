#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels that expect silence, and those with divergent barriers, as machine code: the same results.
here=${srcdir:-.}/tests/kernels
exec python3 "$here/run.py" --native "$here/clean" "$here/divergence" "$here/lang" "$here/order"
