#!/bin/sh
# SPDX-License-Identifier: MIT
# A twentieth of `make check-builtins`.
exec "${srcdir:-.}/tests/builtins/values.py" --sample
