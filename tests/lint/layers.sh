#!/bin/sh
# SPDX-License-Identifier: MIT
# A folder's objects use only symbols of folders that tests/lint/includes.sh allows it.
set -u
found=$(/usr/bin/python3 "${srcdir:-.}/tests/lint/calls.py" layers) || exit 99
[ -z "$found" ] || { echo "$found" >&2; exit 1; }
