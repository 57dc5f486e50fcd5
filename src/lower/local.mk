# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/lower/liblower.la
src_lower_liblower_la_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
src_lower_liblower_la_SOURCES = \
	src/lower/builtin.c src/lower/builtin.h \
	src/lower/build_errors.c \
	src/lower/builtin_args.c \
	src/lower/builtin_collective.c \
	src/lower/builtin_convert.c \
	src/lower/builtin_image.c \
	src/lower/builtin_intrinsic.c \
	src/lower/builtin_printf.c \
	src/lower/builtin_sync.c \
	src/lower/builtin_vector.c \
	src/lower/builtin_work_item.c \
	src/lower/calls.c \
	src/lower/emit.c src/lower/emit.h \
	src/lower/escape.c \
	src/lower/kernel_variants.c \
	src/lower/function.c \
	src/lower/half_float.c \
	src/lower/insn.c \
	src/lower/kernel_sizes.c \
	src/lower/kernels.c \
	src/lower/lower.h src/lower/lw.h \
	src/lower/memory.c \
	src/lower/lower_module.c \
	src/lower/objects.c \
	src/lower/local_cse.c src/lower/narrowing.inc \
	src/lower/canonical_pointer.c \
	src/lower/scalars.c \
	src/lower/pointer_signing.c \
	src/lower/struct_members.c \
	src/lower/value.c \
	src/lower/variables_table.c
