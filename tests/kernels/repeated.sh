#!/bin/sh
# SPDX-License-Identifier: MIT
# A sample of the launches with findings, each id among them, captured and repeated. All: make check-captures.
exec python3 "${srcdir:-.}/tests/kernels/repeated.py" --every=30
