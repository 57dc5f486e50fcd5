#!/bin/sh
# SPDX-License-Identifier: MIT
# User text, comments and documentation are written in plain American English: the words of tests/lint/words.py do not
# occur, and codespell finds no misspelling. `words.sh FOLDER…` checks only these folders.
set -u
cd "${srcdir:-.}" || exit 99
# Folders that are not rewritten yet. A folder may leave this list; none may join it.
unfinished='
'
# Names that codespell takes for misspellings: of functions, variables and people; "cancelled" is a message of the Debug
# Adapter Protocol.
spelled='alo,ans,cancelled,fo,fro,hasnt,mattern,nd,nin,ot,sav,te,upto,whe'
files=$(find ./*.md NEWS quickstart configure.ac Makefile.am src cli doc man examples bench tests -type f \
    ! -path '*/corpus/*' ! -path 'tests/debug/sessions/*' ! -path '*/__pycache__/*' | sed 's,^\./,,' | sort)
in_folders() { grep "$@" "$(printf '^%s\\(/\\|$\\)\n' $folders)"; }
if [ $# -gt 0 ]; then
    folders=$*
    files=$(echo "$files" | in_folders -e)
elif [ -n "$(echo $unfinished)" ]; then
    folders=$unfinished
    files=$(echo "$files" | in_folders -v -e)
fi
[ -n "$files" ] || exit 0
bad=0
found=$(echo "$files" | /usr/bin/python3 tests/lint/words.py) || exit 99
[ -z "$found" ] || { echo "$found" >&2; bad=1; }
if command -v codespell >/dev/null; then
    # words.py lists British spellings.
    echo "$files" | grep -vx tests/lint/words.py |
        xargs -r codespell --builtin clear,rare,en-GB_to_en-US -L "$spelled" >&2 || bad=1
elif [ -n "${CI-}" ]; then
    echo "codespell is missing; on Debian: apt-get install codespell" >&2
    bad=1
elif [ "$bad" = 0 ]; then
    echo "skipped: codespell is missing; on Debian: apt-get install codespell"
    exit 77
fi
exit "$bad"
