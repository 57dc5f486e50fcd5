# SPDX-License-Identifier: MIT
# Work-group functions as LLVM code: part of cldbg-cc.
noinst_LTLIBRARIES += src/native/libnative.la
src_native_libnative_la_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
src_native_libnative_la_SOURCES = \
	src/native/abi.h \
	src/native/body.h \
	src/native/builtin_shared.c \
	src/native/builtin_value.c \
	src/native/builtins.c \
	src/native/cuts.c \
	src/native/demote.c \
	src/native/flatten.c \
	src/native/module.c \
	src/native/native.h \
	src/native/prepare.c \
	src/native/workgroup.c
