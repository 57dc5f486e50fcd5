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
refuse '--livelock-limit needs a value' --quiet-limit # its old name
refuse 'a size in bytes' --local-mem-size=64Q
refuse 'must be from' --local-mem-size=1
refuse "there is no check 'data-rac'; did you mean data-race?" --check=data-rac
refuse 'an empty word' --check=,
refuse "the format 'xml' is not known" --report=xml:out
refuse 'FORMAT:PATH is expected' --report=text
refuse 'cannot be written' --log-file=/nonexistent/log
refuse '--source-dir=/nonexistent' --source-dir=/nonexistent
refuse '--source-dir=/dev/null: it is not a folder' --source-dir=/dev/null
refuse '--baseline: /nonexistent: No such file' --baseline=/nonexistent
refuse '--global is an option of `cldbg run`' --global=4
refuse 'options begin with two dashes' -v
refuse '--batch is an option of `cldbg -i`, where -i stands before' --batch
refuse '--interpreter is an option of `cldbg -i`' --interpreter=json
refuse '-x goes with `cldbg -i`' -x
refuse '--seed is an option of `cldbg run`, `cldbg check` and `cldbg -i`' --seed=3

run "$cldbg"
check 'nothing at all ends with 125' [ "$status" = 125 ]
run "$cldbg" --strict
check 'no app' has "$err" 'no app is named'
check 'no app ends with 125' [ "$status" = 125 ]
run timeout 20 "$cldbg" --dap-port=4711 --strict
check 'no app for an editor' has "$err" 'no app is named'
check 'no editor is waited for' [ "$status" = 125 ]
run timeout 20 "$cldbg" --dap-port=65536 true
check 'no such port' has "$err" 'a port from 0 (any free port) to 65535'
run timeout 20 "$cldbg" --dap-port=0 --dap-socket=s true
check 'a socket and a port' has "$err" '--dap-socket and --dap-port cannot be combined'
run timeout 20 "$cldbg" --dap-allow-files true
check 'files of no editor' has "$err" '--dap-allow-files is an option of'
run timeout 20 "$cldbg" dap --dap-port=0
check 'cldbg dap takes one option' has "$err" 'cldbg dap takes no arguments except --dap-allow-files'
run env CLDBG_OPTIONS='--colr=red' "$cldbg" true
check 'CLDBG_OPTIONS is checked' has "$err" 'CLDBG_OPTIONS: unknown option --colr; did you mean --color?'
check 'CLDBG_OPTIONS ends with 125' [ "$status" = 125 ]
run env CLDBG_OPTIONS='--log-file="a' "$cldbg" true
check 'an open quote' has "$err" 'is not closed'

refuse_debugger() { # STATUS WORDS ARGUMENT…
    expected=$1 words=$2
    shift 2
    run "$cldbg" -i "$@"
    check "-i $* ends with $expected" [ "$status" = "$expected" ]
    check "-i $* is explained" has "$err" "$words"
    check "-i $* shows no prompt" hasnt "$out" '(cldbg)'
}
refuse_debugger 125 'unknown option --colr; did you mean --color?' --colr=always true
refuse_debugger 127 'not found in PATH' no-such-app
refuse_debugger 127 'No such file' "$tmp/no-such-app"
refuse_debugger 126 'it is a folder' "$tmp"
refuse_debugger 2 'no kernel file is named' run
refuse_debugger 125 'it is a folder' -x . true
refuse_debugger 125 'runs no kernel' lint v.cl
refuse_debugger 125 '--native cannot be combined with the debugger' --native true
export CLDBG_OPTIONS=--native
refuse_debugger 125 'CLDBG_OPTIONS: --native cannot be combined with the debugger' true
refuse_debugger 2 'CLDBG_OPTIONS: --native cannot be combined with the debugger' run "$srcdir/tests/debug/kernels/loop.cl"
unset CLDBG_OPTIONS
run "$cldbg" -i --version
check '-i --version shows no prompt' [ "$status" = 0 -a "$out" = "$("$cldbg" --version)" ]
run "$cldbg" -i true
check '-i of an app without OpenCL has a prompt' has "$out" '(cldbg)'

# --help is short and has the common options; --help-all has every one.
rows() { tr '\n' ' ' <"$srcdir/src/devices/options.def" | sed 's/OPTION(/\nOPTION(/g; s/GROUP(/\nGROUP(/g'; }
lines() { printf '%s\n' "$1" | wc -l; }
run "$cldbg" --help
check '--help ends with 0' [ "$status" = 0 ]
check '--help fits on two screens' [ "$(lines "$out")" -le 71 ]
for name in $(rows | sed -n 's/^OPTION([A-Z_]*, "\([a-z-]*\)".*[^_]APP.*COMMON.*/\1/p'); do
    check "--help has --$name" has "$out" "  --$name"
done
check '--help leaves out the others' hasnt "$out" '--gang'
check '--help has groups' has "$out" 'Reports:'
run "$cldbg" --help-all
for name in $(rows | sed -n 's/^OPTION([A-Z_]*, "\([a-z-]*\)".*[^_]APP.*/\1/p'); do
    check "--help-all has --$name" has "$out" "  --$name"
done
run "$cldbg" run --help-all
check 'options of run were found' [ "$(rows | grep -c ' RUN ')" -gt 20 ]
for name in $(rows | sed -n 's/^OPTION([A-Z_]*, "\([a-z-]*\)".* RUN .*/\1/p'); do
    check "run --help-all has --$name" has "$out" "  --$name"
done
run "$cldbg"
check 'cldbg alone prints ten lines' [ "$(lines "$out")" -le 10 ]
check 'cldbg alone says how to start' has "$out" 'cldbg ./app'
for words in '--dap-port=N' '-x FILE' '--batch' '--seed=N' 'cldbg --dap [options] ./app'; do
    run "$cldbg" --help-all
    check "--help-all has $words" has "$out" "$words"
done
# The --help of each command lists its options, and no others.
for command in lint disasm regions doctor report stats; do
    run "$cldbg" $command --help
    check "$command --help: its usage" has "$out" "usage: cldbg $command ["
    for name in $(sed -n 's/^OPTION([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$srcdir/src/devices/options.def"); do
        run "$cldbg" $command --help
        listed=$(printf '%s\n' "$out" | grep -c "^  --$name[= ]")
        run "$cldbg" $command --$name=1
        check "$command --help and --$name" [ "$listed" = 0 -a "$err" != "${err#*is an option of}" -o "$listed" = 1 -a "$err" = "${err#*is an option of}" ]
    done
done
run "$cldbg" --version
check '--version' has "$out" 'cldbg '

run "$cldbg" run -i k.cl
check '-i behind run' has "$err" '-i stands before the app or `run`'
run "$cldbg" run --dap-port=4711 k.cl
check '--dap-port behind run' has "$err" '--dap-port is an option of `cldbg` itself'

# Files that are not programs.
echo 'kernel void k(global int *o) { *o = get_local_id(0); }' >"$tmp/k.cl"
cd "$tmp" || exit 99
mkdir folder
for file in k.cl ./k.cl "$tmp/k.cl"; do
    run "$cldbg" $file
    check "$file: what to do with it" has "$err" "$file: it is not a program; \`cldbg run $file …\` runs a kernel of it"
    check "$file: ends with 126" [ "$status" = 126 ]
done
for file in . .. folder ./folder; do
    run "$cldbg" $file
    check "$file: a folder" has "$err" "$file: it is a folder"
done

# The debugger's options, and those of `run` on either side of it.
echo run >cmds
for seeds in '--seed=3 run' 'run --seed=3' '--seed=3 --check=none run --verbose'; do
    run "$cldbg" -i --batch --error-exitcode=7 -x cmds $seeds k.cl --global=4 --local=4 --arg='int[1]=0'
    check "cldbg -i $seeds" has "$out$err" '(cldbg) run'
    check "cldbg -i $seeds: it runs" hasnt "$err" 'cldbg: options'
done
run "$cldbg" -i --batch --check=none -x cmds run k.cl --global=4 --local=4 --arg='int[1]=0'
check 'an option before run is heeded' has "$err" 'every check is switched off'
for seed in x -1 '' 99999999999999999999; do
    run "$cldbg" -i --batch --seed=$seed run k.cl --global=1 --arg='int[1]=0'
    check "--seed=$seed is refused" has "$err" "--seed=$seed: a number of 0 or more is expected"
done
finish
