#!/bin/sh
# SPDX-License-Identifier: MIT
# A job of CI in one script: runs a program under cldbg, leaves the reports in cldbg.sarif and cldbg.junit.xml of this
# folder, and fails when there are errors that nobody has accepted.
#   check.sh ./app args…
# What is accepted stands in cldbg.supp (man cldbg-suppressions), or is in cldbg-baseline.sarif, an older cldbg.sarif;
# both may be absent. CLDBG names another cldbg than the one in PATH.
set -eu
[ $# -gt 0 ] || { sed -n 's/^#   /usage: /p' "$0" >&2; exit 2; }
set -- -- "$@"
[ ! -f cldbg.supp ] || set -- --suppressions=cldbg.supp "$@"
[ ! -f cldbg-baseline.sarif ] || set -- --baseline=cldbg-baseline.sarif "$@"
exec "${CLDBG:-cldbg}" --ci "$@"
