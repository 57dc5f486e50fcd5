# SPDX-License-Identifier: MIT
regions_tests = tests/regions/test_cfg tests/regions/test_figures tests/regions/test_form tests/regions/test_graph \
	tests/regions/test_node_splitting tests/regions/test_uniformity
check_PROGRAMS += $(regions_tests)
TESTS += $(regions_tests)
dist_check_SCRIPTS += tests/regions/share.py tests/regions/corruption.py
TESTS += tests/regions/corruption.py
regions_test_libs = src/regions/libregions.la src/llvm/libllvmir.la src/base/libbase.la $(LLVM_LDFLAGS) $(LLVM_LIBS) $(CMOCKA_LIBS)
tests_regions_test_graph_SOURCES = tests/regions/test_graph.c
tests_regions_test_graph_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_regions_test_graph_LDADD = $(regions_test_libs)
tests_regions_test_node_splitting_SOURCES = tests/regions/test_node_splitting.c tests/regions/unit.h
tests_regions_test_node_splitting_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_regions_test_node_splitting_LDADD = $(regions_test_libs)
tests_regions_test_uniformity_SOURCES = tests/regions/test_uniformity.c tests/regions/unit.h
tests_regions_test_uniformity_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_regions_test_uniformity_LDADD = $(regions_test_libs)
tests_regions_test_form_SOURCES = tests/regions/test_form.c tests/regions/unit.h
tests_regions_test_form_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_regions_test_form_LDADD = $(regions_test_libs)
tests_regions_test_figures_SOURCES = tests/regions/test_figures.c tests/regions/unit.h
tests_regions_test_figures_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_regions_test_figures_LDADD = $(regions_test_libs)
tests_regions_test_cfg_SOURCES = tests/regions/test_cfg.c tests/regions/unit.h
tests_regions_test_cfg_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_regions_test_cfg_LDADD = $(regions_test_libs)
