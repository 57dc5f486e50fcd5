#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares cldbg with the oracle on a fixed sample of the corpus, of its mutants and of generated kernels. The reports
# must agree. All of it: make check-oracle.
set -u
here=${srcdir:-.}/tests/oracle
python3 "$here/score.py" corpus mutants generated --corpus-sample=0.06 --sample=0.003 --count=4
