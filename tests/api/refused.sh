#!/bin/sh
# SPDX-License-Identifier: MIT
# Allocations of the driver refused, some of them in turn; all: STEP=1 tests/api/refused.sh
set -u
CLDBG_OPTIONS='--log-file=/dev/null' exec tests/api/refused "${STEP:-7}"
