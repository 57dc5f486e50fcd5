# SPDX-License-Identifier: MIT
dist_check_SCRIPTS += tests/kernels/pocl.py tests/kernels/run.py tests/kernels/native.sh
TESTS += tests/kernels/run.py tests/kernels/native.sh
EXTRA_DIST += tests/kernels/access tests/kernels/arith tests/kernels/async tests/kernels/bounds tests/kernels/clean tests/kernels/divergence tests/kernels/groups \
	tests/kernels/lang tests/kernels/misaligned tests/kernels/mixed tests/kernels/null tests/kernels/order tests/kernels/progress tests/kernels/race tests/kernels/subobject tests/kernels/uninit

# The right kernels with barriers on pocl, where that is installed.
.PHONY: check-pocl
check-pocl: all tests/fuzz/launches
	$(srcdir)/tests/kernels/pocl.py || test $$? = 77
