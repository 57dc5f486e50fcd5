# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/llvm/libllvmir.la
src_llvm_libllvmir_la_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
src_llvm_libllvmir_la_SOURCES = \
	src/llvm/constants.c \
	src/llvm/ir.c \
	src/llvm/ir.h \
	src/llvm/metadata.c
