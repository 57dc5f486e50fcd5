# SPDX-License-Identifier: MIT
dist_check_SCRIPTS += tests/kernels/run.py tests/kernels/native.sh
TESTS += tests/kernels/run.py tests/kernels/native.sh
EXTRA_DIST += tests/kernels/access tests/kernels/arith tests/kernels/async tests/kernels/bounds tests/kernels/clean tests/kernels/divergence tests/kernels/groups \
	tests/kernels/lang tests/kernels/misaligned tests/kernels/null tests/kernels/order tests/kernels/race tests/kernels/uninit
