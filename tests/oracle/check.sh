#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares cldbg with the oracle on a fixed sample of the corpus, of its mutants and of generated kernels. The reports
# must agree. `make check-long` has a larger sample; all of it: make check-oracle.
set -u
here=${srcdir:-.}/tests/oracle
[ -n "${CLDBG_TEST_LONG-}" ] && sample='--corpus-sample=0.06 --sample=0.003 --count=4' || sample='--corpus-sample=0.01 --sample=0.0005 --count=1'
python3 "$here/score.py" corpus mutants generated $sample
