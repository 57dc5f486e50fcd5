#!/bin/sh
# SPDX-License-Identifier: MIT
# A sample of the kernels under both engines, which must agree. All: make check-engine.
exec python3 "${srcdir:-.}/tests/kernels/run.py" --engine=check --every="${CLDBG_TEST_EVERY:-12}"
