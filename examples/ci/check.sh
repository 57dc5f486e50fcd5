#!/bin/sh
# SPDX-License-Identifier: MIT
# A CI job in one script: runs a program under cldbg, writes the reports to cldbg.sarif and cldbg.junit.xml of this
# folder, and fails if there are errors that are not accepted.
#   check.sh ./app args…
# Accepted findings are listed in cldbg.supp (man cldbg-suppressions) or are in cldbg-baseline.sarif, an earlier cldbg.sarif.
# Both files are optional. CLDBG names another cldbg than the one in PATH.
set -eu
[ $# -gt 0 ] || { sed -n 's/^#   /usage: /p' "$0" >&2; exit 2; }
set -- -- "$@"
[ ! -f cldbg.supp ] || set -- --suppressions=cldbg.supp "$@"
[ ! -f cldbg-baseline.sarif ] || set -- --baseline=cldbg-baseline.sarif "$@"
exec "${CLDBG:-cldbg}" --ci "$@"
