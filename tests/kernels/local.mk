# SPDX-License-Identifier: MIT
dist_check_SCRIPTS += tests/kernels/engine.sh tests/kernels/pocl.py tests/kernels/ranks.py tests/kernels/ranks_check.py tests/kernels/run.py tests/kernels/native.sh tests/kernels/repeated.py tests/kernels/repeated.sh
TESTS += tests/kernels/engine.sh tests/kernels/run.py tests/kernels/native.sh tests/kernels/repeated.sh
LONG_TESTS += tests/kernels/native.sh
EXTRA_DIST += tests/advice tests/kernels/access tests/kernels/arith tests/kernels/async tests/kernels/bounds tests/kernels/clean tests/kernels/divergence tests/kernels/enqueue tests/kernels/groups \
	tests/kernels/lang tests/kernels/misaligned tests/kernels/mixed tests/kernels/null tests/kernels/order tests/kernels/progress tests/kernels/race tests/kernels/schedules tests/kernels/subobject tests/kernels/uninit

check_PROGRAMS += tests/kernels/prefill
tests_kernels_prefill_SOURCES = tests/kernels/prefill.c
tests_kernels_prefill_LDADD = -lOpenCL

# Sanitizers have fences of their own.
if !SANITIZED
check_LTLIBRARIES += tests/kernels/guard.la
endif
tests_kernels_guard_la_SOURCES = tests/kernels/guard.c
tests_kernels_guard_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere

# All launches in which something is found, captured and repeated; make check has a sample.
.PHONY: check-captures
check-captures: all
	$(srcdir)/tests/kernels/repeated.py

# Every kernel, and 500 captures, on 1, 2, 3 and 8 ranks of mpirun; make check has a sample. RANKS=--jobs=N for machines with more cores.
.PHONY: check-ranks
check-ranks: all
	$(srcdir)/tests/kernels/ranks.py --ranks=1,2,3,8 --jobs=2 $(RANKS)
	$(srcdir)/tests/kernels/ranks_check.py --ranks=1,2,3,8 --captures=500

# Every kernel, and random ones, under both engines, which must agree.
.PHONY: check-engine
check-engine: all tests/fuzz/launches
	$(srcdir)/tests/kernels/run.py --engine=check
	$(srcdir)/tests/fuzz/engine.py 0 4000
	$(srcdir)/tests/fuzz/engine_data.py 0 2000
	$(srcdir)/tests/fuzz/engine_stores.py 0 1000

# The right kernels with barriers on pocl, where that is installed.
.PHONY: check-pocl
check-pocl: all tests/fuzz/launches
	$(srcdir)/tests/kernels/pocl.py || test $$? = 77
