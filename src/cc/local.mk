# SPDX-License-Identifier: MIT
pkglibexec_PROGRAMS += src/cc/cldbg-cc
src_cc_cldbg_cc_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
src_cc_cldbg_cc_SOURCES = src/cc/lint.c src/cc/machine_code.c src/cc/main.c src/cc/pipeline.c src/cc/pipeline.h
src_cc_cldbg_cc_LDADD = src/lower/liblower.la src/proof/libproof.la src/native/libnative.la src/native/libworkgroups.la src/library/liblibrary.la src/regions/libregions.la src/frontend/libfrontend.la src/llvm/libllvmir.la \
	src/builtins/libbuiltins.la src/bytecode/libbytecode.la src/report/libreport.la src/base/libbase.la $(LLVM_LDFLAGS) $(LLVM_LIBS) $(ISL_LIBS) $(Z3_LIBS)
