# SPDX-License-Identifier: MIT
dist_check_SCRIPTS += tests/native/passes.py
TESTS += tests/native/passes.py
EXTRA_DIST += tests/native/passes.cl
