# SPDX-License-Identifier: MIT
# Ordinary OpenCL programs, linked with the ICD loader; the .cl files they read are linked beside them (configure.ac).
EXAMPLES = examples/vector-add examples/matmul-tiled examples/reduction examples/scan examples/nbody \
	examples/mandelbrot examples/histogram
check_PROGRAMS += $(EXAMPLES)
check_LIBRARIES += examples/libexample.a
examples_libexample_a_SOURCES = examples/example.c examples/example.h
examples_vector_add_SOURCES = examples/vector_add.c
examples_matmul_tiled_SOURCES = examples/matmul_tiled.c
examples_reduction_SOURCES = examples/reduction.c
examples_scan_SOURCES = examples/scan.c
examples_nbody_SOURCES = examples/nbody.c
examples_mandelbrot_SOURCES = examples/mandelbrot.c
examples_histogram_SOURCES = examples/histogram.c
EXAMPLES_LIBS = examples/libexample.a -lOpenCL -lm
examples_vector_add_LDADD = $(EXAMPLES_LIBS)
examples_matmul_tiled_LDADD = $(EXAMPLES_LIBS)
examples_reduction_LDADD = $(EXAMPLES_LIBS)
examples_scan_LDADD = $(EXAMPLES_LIBS)
examples_nbody_LDADD = $(EXAMPLES_LIBS)
examples_mandelbrot_LDADD = $(EXAMPLES_LIBS)
examples_histogram_LDADD = $(EXAMPLES_LIBS)
examplesdir = $(docdir)
nobase_examples_DATA = examples/example.c examples/example.h examples/vector_add.c examples/matmul_tiled.c \
	examples/reduction.c examples/scan.c examples/nbody.c examples/mandelbrot.c examples/histogram.c
nobase_dist_examples_DATA = examples/matmul_tiled.cl examples/reduction.cl examples/scan.cl examples/nbody.cl \
	examples/histogram.cl examples/debug_client.py examples/smooth.py examples/ci/check.sh examples/ci/github.yml examples/ci/gitlab-ci.yml \
	examples/tutorial/Makefile examples/tutorial/sum.c examples/tutorial/sum.cl examples/tutorial/sum_fixed.cl \
	examples/tutorial/smooth.cpp examples/tutorial/group_sum.cl examples/tutorial/histogram.py examples/testing/pytest/conftest.py \
	examples/testing/pytest/test_scale.py examples/testing/googletest/CMakeLists.txt \
	examples/testing/googletest/scale_test.cpp \
	examples/testing/catch2/CMakeLists.txt examples/testing/catch2/scale_test.cpp

.PHONY: examples
examples: $(EXAMPLES)
