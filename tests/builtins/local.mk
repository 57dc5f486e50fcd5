# SPDX-License-Identifier: MIT
check_PROGRAMS += tests/builtins/test_lanes tests/builtins/lookup_names
TESTS += tests/builtins/test_lanes tests/builtins/lookup.sh
dist_check_SCRIPTS += tests/builtins/lookup.sh tests/builtins/overloads.sh
EXTRA_DIST += tests/builtins/calls.awk
tests_builtins_test_lanes_SOURCES = tests/builtins/test_lanes.c
tests_builtins_test_lanes_LDADD = src/builtins/libbuiltins.la src/bytecode/libbytecode.la src/base/libbase.la $(CMOCKA_LIBS) -lm
tests_builtins_lookup_names_SOURCES = tests/builtins/lookup_names.c
tests_builtins_lookup_names_LDADD = src/builtins/libbuiltins.la src/base/libbase.la
