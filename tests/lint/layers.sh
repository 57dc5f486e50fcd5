#!/bin/sh
# SPDX-License-Identifier: MIT
# A folder's objects use only symbols of folders that tests/lint/includes.sh allows it (a declaration of one's own is no way around).
set -u
found=$(/usr/bin/python3 "${srcdir:-.}/tests/lint/calls.py" layers) || exit 99
# Folders that call upwards still. A folder may leave this list; none may join it.
unfinished=''
for u in $unfinished; do found=$(echo "$found" | grep -v "^$u/"); done
[ -z "$found" ] || { echo "$found" >&2; exit 1; }
