# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/proof/libproof.la
src_proof_libproof_la_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
src_proof_libproof_la_LIBADD = $(Z3_LIBS)
src_proof_libproof_la_SOURCES = \
	src/proof/addresses.c \
	src/proof/async_copies.c \
	src/proof/closed_form.c \
	src/proof/components.c \
	src/proof/contents.c \
	src/proof/decide_divergence.c \
	src/proof/decide_initialized.c src/proof/writers.c \
	src/proof/decide_items.c \
	src/proof/decide_races.c \
	src/proof/dropped_barriers.c \
	src/proof/effects.c \
	src/proof/enumerate.c \
	src/proof/equal_values.c \
	src/proof/evaluate.c \
	src/proof/formula.c src/proof/formula.h \
	src/proof/images.c \
	src/proof/inlining.c \
	src/proof/intervals.c \
	src/proof/invariants.c \
	src/proof/kernel.h \
	src/proof/loop_counters.c \
	src/proof/loop_phi.c \
	src/proof/loops.h \
	src/proof/narrow_vectors.c \
	src/proof/pair.c \
	src/proof/proof.c src/proof/proof.h \
	src/proof/smt.c \
	src/proof/symbols.c \
	src/proof/tables.c \
	src/proof/tighten.c \
	src/proof/undefined_values.c \
	src/proof/unfold.c \
	src/proof/values.c \
	src/proof/verdicts.c \
	src/proof/watchdog.c \
	src/proof/work_item_ids.c
