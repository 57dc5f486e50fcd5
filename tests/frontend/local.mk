# SPDX-License-Identifier: MIT
frontend_tests = tests/frontend/test_options tests/frontend/test_front_end
check_PROGRAMS += $(frontend_tests)
TESTS += $(frontend_tests)
frontend_test_libs = src/frontend/libfrontend.la src/llvm/libllvmir.la src/base/libbase.la $(LLVM_LDFLAGS) $(LLVM_LIBS) $(CMOCKA_LIBS)
tests_frontend_test_options_SOURCES = tests/frontend/test_options.c
tests_frontend_test_options_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_frontend_test_options_LDADD = $(frontend_test_libs)
tests_frontend_test_front_end_SOURCES = tests/frontend/test_front_end.c
tests_frontend_test_front_end_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_frontend_test_front_end_LDADD = $(frontend_test_libs)

TESTS += tests/frontend/odd_integers.py
dist_check_SCRIPTS += tests/frontend/odd_integers.py
EXTRA_DIST += tests/frontend/optimized.cl

check_PROGRAMS += tests/frontend/test_build
TESTS += tests/frontend/test_build
tests_frontend_test_build_SOURCES = tests/frontend/test_build.c
tests_frontend_test_build_LDADD = src/devices/libhelper.la src/devices/libsettings.la src/report/libreport.la src/bytecode/libbytecode.la \
	src/builtins/libbuiltins.la src/base/libbase.la $(CMOCKA_LIBS)
