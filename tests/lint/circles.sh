#!/bin/sh
# SPDX-License-Identifier: MIT
# At most five files of a folder call each other in a circle. `circles.sh FOLDER…` looks only at these folders.
set -u
found=$(/usr/bin/python3 "${srcdir:-.}/tests/lint/calls.py" circles) || exit 99
if [ $# -gt 0 ]; then
    found=$(for f in "$@"; do echo "$found" | grep "^$f/"; done)
fi
[ -z "$found" ] || { echo "$found" >&2; exit 1; }
