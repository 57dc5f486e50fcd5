# SPDX-License-Identifier: MIT
# Work-group functions as LLVM code: libnative runs in cldbg-cc, libworkgroups in the plug-in.
noinst_LTLIBRARIES += src/native/libnative.la src/native/libworkgroups.la
src_native_libnative_la_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
src_native_libnative_la_SOURCES = \
	src/native/abi.h \
	src/native/body.h \
	src/native/builtin_group.c \
	src/native/builtin_opaque.c \
	src/native/builtin_shared.c \
	src/native/builtin_value.c \
	src/native/builtins.c \
	src/native/checks.c src/native/checks.h \
	src/native/check_calls.c \
	src/native/check_offsets.c \
	src/native/check_private.c \
	src/native/check_races.c \
	src/native/check_stamps.c \
	src/native/check_stores.c \
	src/native/check_values.c \
	src/native/guard.c \
	src/native/native_module.c \
	src/native/native.h \
	src/native/prepare.c \
	src/native/strict.c
src_native_libworkgroups_la_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS) $(ISL_CFLAGS)
src_native_libworkgroups_la_SOURCES = \
	src/native/accesses.c \
	src/native/loop_versioning.c \
	src/native/barriers.c \
	src/native/buffer.h src/native/buffer_address.c \
	src/native/buffers.c \
	src/native/continuations.c \
	src/native/corrupt.c \
	src/native/region_boundaries.c \
	src/native/demote.c \
	src/native/descriptor.c src/native/descriptor.h \
	src/native/divisions.c \
	src/native/finish.c \
	src/native/flatten.c \
	src/native/guard.c \
	src/native/hazards.c \
	src/native/indices.c \
	src/native/instances.c \
	src/native/marks.c src/native/masked_loops.c \
	src/native/no_wrap.c \
	src/native/object_code.c \
	src/native/passes.def \
	src/native/spill_slots.c \
	src/native/polynomial.c src/native/polynomial.h \
	src/native/profit.c \
	src/native/range_counters.c \
	src/native/ranges.c src/native/ranges.h \
	src/native/region_loops.c \
	src/native/spins.c \
	src/native/term.c src/native/term.h \
	src/native/transform.h \
	src/native/work_item.c \
	src/native/values_now.c \
	src/native/workgroup.c \
	src/native/workgroup.h
