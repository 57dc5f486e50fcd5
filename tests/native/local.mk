# SPDX-License-Identifier: MIT
dist_check_SCRIPTS += tests/native/passes.py
TESTS += tests/native/passes.py
EXTRA_DIST += tests/native/passes.cl
check_PROGRAMS += tests/native/test_object
TESTS += tests/native/test_object
check_LTLIBRARIES += tests/native/libsample.la
tests_native_libsample_la_SOURCES = tests/native/sample.c
tests_native_libsample_la_CFLAGS = -O1 # and nothing that calls a sanitizer
tests_native_test_object_SOURCES = tests/native/test_object.c
tests_native_test_object_LDADD = src/devices/libdevices.la src/base/libbase.la $(CMOCKA_LIBS)
tests_native_test_object_DEPENDENCIES = tests/native/libsample.la src/devices/libdevices.la src/base/libbase.la
