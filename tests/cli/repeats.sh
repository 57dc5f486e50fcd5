#!/bin/sh
# SPDX-License-Identifier: MIT
# Equal launches are captured once: their files are links to one, and `cldbg check` runs it once.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
app=$PWD/tests/cli/repeats_app
need tests/cli/repeats_app
cd "$tmp" || exit 99
inodes() { stat -c %i "$1"/*.cldbg | sort -u | wc -l; }
files() { set -- "$1"/*.cldbg; echo $#; }

run "$cldbg" --capture=caps "$app" 9
check 'the app runs' [ "$status" = 0 ]
check 'each launch has a file' [ "$(files caps)" = 9 ]
check 'equal ones are stored once' [ "$(inodes caps)" = 3 ] # the first, the others, the last
check 'a later one is a link to the second' [ caps/twice-2.cldbg -ef caps/twice-8.cldbg ]
check 'the first is another' [ ! caps/twice-1.cldbg -ef caps/twice-2.cldbg ]
check 'so is the last' [ ! caps/twice-9.cldbg -ef caps/twice-2.cldbg ]
check 'no temporary file is left' [ "$(find caps -type f | wc -l)" = 9 ]
run "$cldbg" run caps/twice-8.cldbg --dump=out
check 'a link is repeated' [ "$status" = 0 ]
check 'with its data' has "$out" 'out[63] = 0'
run "$cldbg" check caps
check 'check runs a file once' has "$err" 'in 3 kernel launches; 3 files'
run "$cldbg" check caps/twice-8.cldbg
check 'and a link alone' has "$err" 'in 1 kernel launch; 1 file'

# Files of an earlier run are replaced, and nothing but captures is.
run "$cldbg" --native --capture=caps "$app" 5
check 'again: equal ones are stored once' [ "$(stat -c %i caps/twice-[2-4].cldbg | sort -u | wc -l)" = 1 ]
check 'again: those of the earlier run stay' [ caps/twice-7.cldbg -ef caps/twice-8.cldbg ]
check 'again: they are others' [ ! caps/twice-2.cldbg -ef caps/twice-8.cldbg ]
mkdir more
echo mine >more/twice-3.cldbg
run "$cldbg" --capture=more "$app" 5
check "another's file stays" [ "$(cat more/twice-3.cldbg)" = mine ]
check 'and is reported' has "$err" 'twice-3.cldbg'
check 'the next is a link all the same' [ more/twice-2.cldbg -ef more/twice-4.cldbg ]

# Only launches with findings: there is none.
run "$cldbg" --capture-on-finding --capture=none "$app" 5
check 'no finding, no file' [ -z "$(ls none)" ]
finish
