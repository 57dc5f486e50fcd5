#!/bin/sh
# SPDX-License-Identifier: MIT
# The completions of bash, zsh and fish: what they offer at some points of a command line, for the shells that are there.
. "${srcdir:-.}/tests/cli/lib.sh"
need cli/completions cli/bash/cldbg

# Every option of the table is in each file.
for name in $(sed -n 's/^OPTION([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$srcdir/src/devices/options.def"); do
    for file in cli/bash/cldbg cli/zsh/_cldbg cli/fish/cldbg.fish; do
        check "$file has --$name" grep -qE -e "(--| -l )$name\b" "$file"
    done
done
run cli/completions csh
check 'another shell is rejected' [ "$status" = 2 ]

cat >"$tmp/try.bash" <<'END'
. cli/bash/cldbg
compopt() { :; }
COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
_cldbg
printf '%s\n' "${COMPREPLY[@]}"
END
offers() { # SHELL LINE WORD: the word is offered
    case $1 in
    bash) run bash "$tmp/try.bash" "$2" ;;
    fish) run env HOME="$tmp" fish -c "source cli/fish/cldbg.fish; complete -C '$2'" ;;
    esac
    printf '%s\n' "$out" | sed 's/\t.*//' | grep -qxF -e "$3"
}
not_offered() { ! offers "$@"; }
for shell in bash fish; do
    command -v $shell >/dev/null || { echo "$shell is not installed: its completions were not tried"; continue; }
    check "$shell: a subcommand" offers $shell 'cldbg expl' explain
    check "$shell: an id" offers $shell 'cldbg explain data-' data-race
    check "$shell: --strict" offers $shell 'cldbg --stri' --strict
    check "$shell: an option of run" offers $shell 'cldbg run --glob' "--global$([ $shell = bash ] && echo =)"
    check "$shell: no option of another subcommand" not_offered $shell 'cldbg lint --glob' --global
done
if command -v bash >/dev/null; then
    check 'bash: a value' offers bash 'cldbg --check=data' data-race
    check 'bash: a value of run' offers bash 'cldbg run --color=al' always
    check 'bash: an option before run' offers bash 'cldbg --strict ru' run
fi
if command -v zsh >/dev/null; then
    run zsh -n cli/zsh/_cldbg
    check 'zsh: the syntax' [ "$status" = 0 ]
fi
finish
