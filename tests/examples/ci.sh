#!/bin/sh
# SPDX-License-Identifier: MIT
# The script of examples/ci at work: red for a bug, green without, green when the bug is accepted either way.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
need examples/reduction
top=$(cd "$srcdir" && pwd)
app=$PWD/examples/reduction
export CLDBG="$cldbg"
unset GITHUB_ACTIONS GITHUB_WORKSPACE
mkdir "$tmp/job"
cd "$tmp/job" || exit 99

run sh "$top/examples/ci/check.sh"
check 'no program: usage' [ "$status" = 2 ]
run env GITHUB_ACTIONS=true sh "$top/examples/ci/check.sh" "$app" --bug
check 'a bug fails the job' [ "$status" = 66 ]
check 'and is annotated' has "$err" '::error title=cldbg%3A data-race'
check 'the SARIF is valid' "$top/tests/report/sarif.py" cldbg.sarif
check 'the JUnit names it' grep -q '<failure message="data race on local memory' cldbg.junit.xml
cp cldbg.sarif cldbg-baseline.sarif
run sh "$top/examples/ci/check.sh" "$app" --bug
check 'a known bug does not' [ "$status" = 0 ]
check 'but is told' has "$err" 'known from the baseline'
rm cldbg-baseline.sarif
printf 'id: data-race\nobject: tmp\nreason: a test\n' >cldbg.supp
run sh "$top/examples/ci/check.sh" "$app" --bug
check 'nor does a suppressed one' [ "$status" = 0 ]
run sh "$top/examples/ci/check.sh" "$app"
check 'no bug' [ "$status" = 0 ]
check 'all passed' sh -c '! grep -q "<failure" cldbg.junit.xml'
run sh "$top/examples/ci/check.sh" true
check 'a program without OpenCL is no green' [ "$status" = 125 ]
finish
