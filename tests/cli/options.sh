#!/bin/sh
# SPDX-License-Identifier: MIT
# The command line's own errors, --help and --version.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

refuse() { # refuse WORDS OPTION…
    words=$1
    shift
    run "$cldbg" "$@" true
    check "$* ends with 125" [ "$status" = 125 ]
    check "$* is explained" has "$err" "$words"
    check "$* runs nothing" hasnt "$err" "kernel launches"
}
refuse 'unknown option --colr; did you mean --color?' --colr=always
refuse 'did you mean --compute-units?' --compute=2
refuse 'unknown option --zzzzzzzzzz' --zzzzzzzzzz
refuse '--color=sometimes: it is auto, always or never' --color=sometimes
refuse '--strict takes no value' --strict=1
refuse '--compute-units needs a value' --compute-units
refuse 'must be from 1 to' --compute-units=0
refuse 'a number is expected' --compute-units=two
refuse 'a size in bytes' --local-mem-size=64Q
refuse 'must be from' --local-mem-size=1
refuse "there is no check 'data-rac'; did you mean data-race?" --check=data-rac
refuse 'an empty word' --check=,
refuse "the format 'xml' is not known" --report=xml:out
refuse 'FORMAT:PATH is expected' --report=text
refuse 'cannot be written' --log-file=/nonexistent/log
refuse '--source-dir=/nonexistent' --source-dir=/nonexistent
refuse '--source-dir=/dev/null: it is no folder' --source-dir=/dev/null
refuse '--baseline: /nonexistent: No such file' --baseline=/nonexistent
refuse '--global is an option of `cldbg run`' --global=4
refuse 'options begin with two dashes' -v

run "$cldbg"
check 'nothing at all ends with 125' [ "$status" = 125 ]
run "$cldbg" --strict
check 'no app' has "$err" 'no app is named'
check 'no app ends with 125' [ "$status" = 125 ]
run timeout 20 "$cldbg" --dap-port=4711 --strict
check 'no app for an editor' has "$err" 'no app is named'
check 'no editor is waited for' [ "$status" = 125 ]
run env CLDBG_OPTIONS='--colour=red' "$cldbg" true
check 'CLDBG_OPTIONS is checked' has "$err" 'CLDBG_OPTIONS: unknown option --colour; did you mean --color?'
check 'CLDBG_OPTIONS ends with 125' [ "$status" = 125 ]
run env CLDBG_OPTIONS='--log-file="a' "$cldbg" true
check 'an open quote' has "$err" 'is not closed'

run "$cldbg" --help
check '--help ends with 0' [ "$status" = 0 ]
for name in $(sed -n 's/^OPTION([A-Z_]*, "\([a-z-]*\)".*APP.*/\1/p' "$srcdir/src/devices/options.def"); do
    check "--help has --$name" has "$out" "--$name"
done
run "$cldbg" run --help
for name in $(sed -n 's/^OPTION([A-Z_]*, "\([a-z-]*\)".*RUN.*/\1/p' "$srcdir/src/devices/options.def"); do
    check "run --help has --$name" has "$out" "--$name"
done
run "$cldbg" --version
check '--version' has "$out" 'cldbg '
finish
