#!/bin/sh
# SPDX-License-Identifier: MIT
# Which folder may include headers of which: only of those named in its row, and its own. The table is that of
# doc/ARCHITECTURE.md. Foreign headers too: LLVM, readline, OpenCL and libffi stay where they belong.
set -u
cd "${srcdir:-.}" || exit 99
table='
base:
report: base
bytecode: report base
builtins: bytecode report base
race: bytecode report base
check: race bytecode report base
interp: check race builtins bytecode report base
debug: interp check race builtins bytecode report base
llvm: base
frontend: llvm bytecode base
regions: llvm base
library: llvm builtins bytecode base
lower: regions frontend llvm builtins bytecode base
native: regions llvm builtins bytecode base
proof: regions frontend llvm builtins bytecode base
cc: proof native lower library regions frontend llvm builtins bytecode report base
look: interp check race builtins bytecode report base
devices: look debug interp check race builtins bytecode report cc native base
api: devices debug interp check race builtins bytecode report base
cli: devices debug interp check race builtins bytecode report base
'
# The same inside src/debug; files above the sub-folders may include all of them.
debug_table='
session:
expressions: session
breakpoints: expressions session
history: breakpoints expressions session
execution: history breakpoints expressions session
commands: execution history breakpoints expressions session
adapter: commands execution history breakpoints expressions session
'
bad=0
fail() {
    echo "$*" >&2
    bad=1
}
seen=0
for dir in src/* cli; do
    [ -d "$dir" ] || continue
    folder=${dir#src/}
    row=$(echo "$table" | sed -n "s/^$folder://p")
    echo "$table" | grep -q "^$folder:" || fail "$folder has no row in the table of $0"
    for f in $(find "$dir" -name '*.[ch]' -o -name '*.def' -o -name '*.inc' | sort); do
        seen=$((seen + 1))
        for other in $(sed -n 's,^ *# *include "\([a-z_]*\)/.*,\1,p' "$f" | sort -u); do
            case " $folder $row " in
            *" $other "*) ;;
            *) fail "$f includes a header of $other, which stands above $folder or beside it" ;;
            esac
        done
        case $f in
        src/debug/*/*)
            sub=${f#src/debug/} sub=${sub%%/*}
            own=$(echo "$debug_table" | sed -n "s/^$sub://p")
            echo "$debug_table" | grep -q "^$sub:" || fail "src/debug/$sub has no row in the table of $0"
            for other in $(sed -n 's,^ *# *include "debug/\([a-z_]*\)/.*,\1,p' "$f" | sort -u); do
                case " $sub $own " in
                *" $other "*) ;;
                *) fail "$f includes a header of debug/$other, which stands above debug/$sub" ;;
                esac
            done
            ;;
        esac
        for h in $(sed -n 's,^ *# *include <\([A-Za-z_-]*[/.]\).*,\1,p' "$f" | sort -u); do
            case "$h:$dir/${f##*/}" in
            llvm-c/:src/llvm/* | llvm-c/:src/frontend/* | llvm-c/:src/regions/* | llvm-c/:src/library/* | llvm-c/:src/lower/* | llvm-c/:src/native/* | llvm-c/:src/proof/*) ;;
            llvm-c/:src/cc/* | llvm-c/:src/devices/native*) ;;
            curses.:cli/tui* | term.:cli/tui* | readline/:cli/* | CL/:src/api/* | CL/:src/devices/* | CL/:cli/host.*) ;;
            ffi.:src/devices/* | isl/:src/native/*) ;;
            llvm-c/:* | readline/:* | curses.:* | term.:* | CL/:* | ffi.:* | isl/:*) fail "$f includes <${h}…>, which does not belong there" ;;
            esac
        done
    done
done
[ "$seen" -gt 10 ] || fail "only $seen files were looked at"
exit "$bad"
