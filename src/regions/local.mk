# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/regions/libregions.la
src_regions_libregions_la_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
src_regions_libregions_la_SOURCES = \
	src/regions/packed_groups.c \
	src/regions/cfg.c \
	src/regions/divergence_provenance.c \
	src/regions/dominators.c \
	src/regions/dot.c \
	src/regions/dump.c \
	src/regions/form.c src/regions/form.h \
	src/regions/graph.c src/regions/graph.h \
	src/regions/specialization.c \
	src/regions/inline.c \
	src/regions/block_merging.c \
	src/regions/loops.c \
	src/regions/node_splitting.c \
	src/regions/passes.c \
	src/regions/pointer_owners.c \
	src/regions/private_memory.c \
	src/regions/regions.h \
	src/regions/no_return.c \
	src/regions/spin.c \
	src/regions/uniformity.c \
	src/regions/validate.c \
	src/regions/variables.c
