#!/bin/sh
# SPDX-License-Identifier: MIT
# Random walks over the API: one thread, and eight that share their objects. Longer: walk.sh FIRST COUNT [STEPS]
set -u
bad=0 i=${1:-1} last=$((${1:-1} + ${2:-2})) steps=${3:-1200}
while [ "$i" -lt "$last" ]; do
    for walk in "$i $steps" "$i $((steps / 4)) 8"; do
        CLDBG_OPTIONS='--log-file=/dev/null --instruction-limit=100000' timeout 300 tests/fuzz/walk $walk || { echo "walk $walk: status $?"; bad=1; }
    done
    i=$((i + 1))
done
exit "$bad"
