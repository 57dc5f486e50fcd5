# SPDX-License-Identifier: MIT
check_PROGRAMS += tests/lower/test_builtins
TESTS += tests/lower/test_builtins
EXTRA_DIST += tests/lower/builtins.cl
tests_lower_test_builtins_SOURCES = tests/lower/test_builtins.c
tests_lower_test_builtins_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_lower_test_builtins_LDADD = src/lower/liblower.la src/regions/libregions.la src/frontend/libfrontend.la \
	src/llvm/libllvmir.la src/interp/libinterp.la src/check/libcheck.la src/race/librace.la src/builtins/libbuiltins.la \
	src/bytecode/libbytecode.la src/report/libreport.la src/base/libbase.la $(LLVM_LDFLAGS) $(LLVM_LIBS) $(CMOCKA_LIBS) -lm -lpthread
