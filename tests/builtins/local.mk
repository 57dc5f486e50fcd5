# SPDX-License-Identifier: MIT
check_PROGRAMS += tests/builtins/test_lanes tests/builtins/lookup_names
TESTS += tests/builtins/test_lanes tests/builtins/lookup.sh tests/builtins/sample.sh
dist_check_SCRIPTS += tests/builtins/lookup.sh tests/builtins/overloads.sh tests/builtins/sample.sh tests/builtins/values.py
EXTRA_DIST += tests/builtins/calls.awk tests/builtins/values_componentwise.py tests/builtins/values_memory.py tests/builtins/values_groups.py
tests_builtins_test_lanes_SOURCES = tests/builtins/test_lanes.c
tests_builtins_test_lanes_LDADD = src/builtins/libbuiltins.la src/bytecode/libbytecode.la src/base/libbase.la $(CMOCKA_LIBS) -lm
tests_builtins_lookup_names_SOURCES = tests/builtins/lookup_names.c
tests_builtins_lookup_names_LDADD = src/builtins/libbuiltins.la src/base/libbase.la

# Every builtin in every overload, its values compared; `make check` has a twentieth of it. As machine code: VALUES=--native
.PHONY: check-builtins
check-builtins: all
	CLDBG=cli/cldbg $(srcdir)/tests/builtins/values.py $(VALUES)
