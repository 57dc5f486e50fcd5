# SPDX-License-Identifier: MIT
engine_tests = tests/interp/corruptions tests/interp/test_corruption tests/interp/test_contention tests/interp/test_flow tests/interp/test_group tests/interp/test_memory tests/interp/test_ops
check_PROGRAMS += $(engine_tests)
TESTS += $(engine_tests)
check_LTLIBRARIES += tests/interp/libengine.la
tests_interp_libengine_la_SOURCES = tests/interp/engine.c tests/interp/engine.h src/report/operand.c
tests_interp_libengine_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
# without libreport: the tests have a rep_add of their own; but for the reading of source lines
tests_interp_libengine_la_LIBADD = src/interp/libinterp.la src/check/libcheck.la src/race/librace.la \
	src/builtins/libbuiltins.la src/bytecode/libbytecode.la src/base/libbase.la $(CMOCKA_LIBS) -lpthread
engine_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
if X86_64
engine_cppflags += -DVM_ISA_X86
endif
tests_interp_test_ops_SOURCES = tests/interp/test_ops.c
tests_interp_test_ops_CPPFLAGS = $(engine_cppflags)
tests_interp_test_ops_LDADD = tests/interp/libengine.la -lm
tests_interp_test_flow_SOURCES = tests/interp/test_flow.c
tests_interp_test_flow_CPPFLAGS = $(engine_cppflags)
tests_interp_test_flow_LDADD = tests/interp/libengine.la
tests_interp_test_memory_SOURCES = tests/interp/test_memory.c
tests_interp_test_memory_CPPFLAGS = $(engine_cppflags)
tests_interp_test_memory_LDADD = tests/interp/libengine.la
tests_interp_test_group_SOURCES = tests/interp/test_group.c
tests_interp_test_group_CPPFLAGS = $(engine_cppflags)
tests_interp_test_group_LDADD = tests/interp/libengine.la
tests_interp_test_corruption_SOURCES = tests/interp/test_corruption.c
tests_interp_test_corruption_CPPFLAGS = $(engine_cppflags)
tests_interp_test_corruption_LDADD = tests/interp/libengine.la
tests_interp_test_contention_SOURCES = tests/interp/test_contention.c
tests_interp_test_contention_CPPFLAGS = $(engine_cppflags)
tests_interp_test_contention_LDADD = $(CMOCKA_LIBS) -lpthread
tests_interp_corruptions_SOURCES = tests/interp/corruptions.c
tests_interp_corruptions_CPPFLAGS = $(engine_cppflags)
tests_interp_corruptions_LDADD = tests/interp/libengine.la

# All kernels, two hundred corruptions of each; and as machine code some of many.
.PHONY: check-corruptions
check-corruptions: all tests/interp/corruptions
	VERBOSE=1 tests/interp/corruptions 200
	$(srcdir)/tests/regions/corruption.py -v 60 8
