# SPDX-License-Identifier: MIT
proof_tests = tests/proof/test_formula
check_PROGRAMS += $(proof_tests)
TESTS += $(proof_tests)
proof_test_libs = src/proof/libproof.la src/regions/libregions.la src/frontend/libfrontend.la src/llvm/libllvmir.la \
	src/bytecode/libbytecode.la src/base/libbase.la $(LLVM_LDFLAGS) $(LLVM_LIBS) $(Z3_LIBS) $(CMOCKA_LIBS)
tests_proof_test_formula_SOURCES = tests/proof/test_formula.c
tests_proof_test_formula_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_proof_test_formula_LDADD = $(proof_test_libs)

EXTRA_DIST += tests/proof/annotated.py tests/proof/mutants.py tests/proof/random_kernels.py tests/proof/verdicts.py tests/proof/verdicts.cl

# What is proved about all annotated kernels, compared with what the interpreter reports: minutes.
.PHONY: check-proofs
check-proofs: all
	$(srcdir)/tests/proof/verdicts.py
	$(srcdir)/tests/proof/annotated.py --runs
	$(srcdir)/tests/proof/random_kernels.py --count=500
	$(srcdir)/tests/proof/mutants.py --count=2000
