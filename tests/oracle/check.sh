#!/bin/sh
# SPDX-License-Identifier: MIT
# cldbg beside the oracle, for half a minute: part of the corpus, of its mutants and of generated kernels, all of which
# must be reported in the same way. All of it: make check-oracle.
set -u
here=${srcdir:-.}/tests/oracle
python3 "$here/score.py" corpus mutants generated --corpus-sample=0.1 --sample=0.006 --count=4
