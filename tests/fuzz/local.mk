# SPDX-License-Identifier: MIT
check_PROGRAMS += tests/fuzz/launches
tests_fuzz_launches_SOURCES = tests/fuzz/launches.c
tests_fuzz_launches_LDADD = -lOpenCL
dist_check_SCRIPTS += tests/fuzz/barriers.py tests/fuzz/differential.py tests/fuzz/matrix.py tests/fuzz/native.py
TESTS += tests/fuzz/barriers.py tests/fuzz/differential.py tests/fuzz/matrix.py tests/fuzz/native.py
EXTRA_DIST += tests/fuzz/launches.py tests/fuzz/generate.py

# Longer: two thousand seeds, results compared with pocl's where that is installed, and how many kernels run in regions.
.PHONY: check-barriers
check-barriers: all tests/fuzz/launches
	$(srcdir)/tests/regions/share.py
	$(srcdir)/tests/fuzz/barriers.py 0 2000
	$(srcdir)/tests/fuzz/barriers.py --pocl 0 300 || test $$? = 77

# Machine code against checked execution.
.PHONY: check-native
check-native: all
	$(srcdir)/tests/fuzz/native.py 0 200

# Two thousand random kernels, nine ways to run each.
.PHONY: check-matrix
check-matrix: all tests/fuzz/launches
	$(srcdir)/tests/fuzz/matrix.py 0 2000

# Ten thousand random kernels without mistakes, in every way there is to run them. differential.py --reduce shortens one.
.PHONY: check-differential
check-differential: all tests/fuzz/launches tests/oracle/walker
	$(srcdir)/tests/fuzz/differential.py 0 10000 --ways=checked,lanes,threads,native,oracle
	$(srcdir)/tests/fuzz/differential.py 0 500 --ways=checked,pocl,oracle
