#!/bin/sh
# SPDX-License-Identifier: MIT
# The oracle's traces once more with the loops for older processors.
for level in 1 3; do
    CLDBG_CPU_LEVEL=$level CLDBG_TEST_TRACES=6000 tests/race/test_race_oracle || exit 1
    CLDBG_CPU_LEVEL=$level CLDBG_TEST_TRACES=3000 tests/race/test_race_patterns || exit 1
done
