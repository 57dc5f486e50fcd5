# SPDX-License-Identifier: MIT
check_PROGRAMS += tests/lower/test_builtins tests/lower/lower_bitcode
TESTS += tests/lower/test_builtins tests/lower/every_overload.sh
dist_check_SCRIPTS += tests/lower/every_overload.sh
EXTRA_DIST += tests/lower/builtins.cl
lower_test_libs = src/lower/liblower.la src/library/liblibrary.la src/regions/libregions.la src/frontend/libfrontend.la \
	src/llvm/libllvmir.la src/interp/libinterp.la src/check/libcheck.la src/race/librace.la src/builtins/libbuiltins.la \
	src/bytecode/libbytecode.la src/report/libreport.la src/base/libbase.la $(LLVM_LDFLAGS) $(LLVM_LIBS) $(CMOCKA_LIBS) -lm -lpthread
tests_lower_test_builtins_SOURCES = tests/lower/test_builtins.c
tests_lower_test_builtins_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_lower_test_builtins_LDADD = $(lower_test_libs)
tests_lower_lower_bitcode_SOURCES = tests/lower/lower_bitcode.c
tests_lower_lower_bitcode_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_lower_lower_bitcode_LDADD = $(lower_test_libs)
