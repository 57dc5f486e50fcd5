# SPDX-License-Identifier: MIT
include tests/again.mk
# make starts tests in this order: folders with long tests first, so that none of them runs alone at the end.
include tests/kernels/local.mk
include tests/builtins/local.mk
include tests/oracle/local.mk
include tests/proof/local.mk
include tests/debug/local.mk
include tests/fuzz/local.mk
include tests/interp/local.mk
include tests/native/local.mk
include tests/cli/local.mk
include tests/api/local.mk
include tests/examples/local.mk
include tests/editors/local.mk
include tests/lower/local.mk
include tests/regions/local.mk
include tests/race/local.mk
include tests/frontend/local.mk
include tests/report/local.mk
include tests/unit/local.mk
include tests/bytecode/local.mk
include tests/howto/local.mk
include tests/differential/local.mk
include tests/lint/local.mk
EXTRA_DIST += tests/fresh-debian.sh tests/interp/engine.c tests/interp/engine.h

# What takes minutes of processor time, and larger samples of what has one in make check. CI runs both.
.PHONY: check-long
check-long: all
	CLDBG_TEST_LONG=1 $(MAKE) check TESTS='$(LONG_TESTS)'

# Programs of others, where they are installed: a table with times against pocl.
.PHONY: check-apps
check-apps: all
	$(srcdir)/tests/real_apps.py --with cli/cldbg
