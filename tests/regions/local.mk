# SPDX-License-Identifier: MIT
regions_tests = tests/regions/test_form tests/regions/test_graph tests/regions/test_uniformity
check_PROGRAMS += $(regions_tests)
TESTS += $(regions_tests)
regions_test_libs = src/regions/libregions.la src/base/libbase.la $(LLVM_LDFLAGS) $(LLVM_LIBS) $(CMOCKA_LIBS)
tests_regions_test_graph_SOURCES = tests/regions/test_graph.c
tests_regions_test_graph_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_regions_test_graph_LDADD = $(regions_test_libs)
tests_regions_test_uniformity_SOURCES = tests/regions/test_uniformity.c tests/regions/unit.h
tests_regions_test_uniformity_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_regions_test_uniformity_LDADD = $(regions_test_libs)
tests_regions_test_form_SOURCES = tests/regions/test_form.c tests/regions/unit.h
tests_regions_test_form_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_regions_test_form_LDADD = $(regions_test_libs)
