# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/interp/libinterp.la src/interp/liblanes_v1.la src/interp/libundef.la
src_interp_libinterp_la_SOURCES = \
	src/interp/agree.c \
	src/interp/batch.c src/interp/batch.h \
	src/interp/blends.c \
	src/interp/call_paths.c src/interp/call_paths.h \
	src/interp/collect.c src/interp/collect.h \
	src/interp/count.c src/interp/count.h \
	src/interp/decode.c src/interp/decode.h \
	src/interp/dense.c src/interp/dense.h \
	src/interp/endless.c src/interp/endless.h \
	src/interp/fault.c src/interp/fault.h \
	src/interp/format.c src/interp/format.h \
	src/interp/gang.c src/interp/gang.h \
	src/interp/image_fences.c src/interp/image_fences.h \
	src/interp/group.c src/interp/group.h \
	src/interp/holds.c src/interp/holds.h \
	src/interp/round.c src/interp/round.h \
	src/interp/interleave.c src/interp/interleave.h \
	src/interp/isa.c \
	src/interp/launch.c \
	src/interp/meet.c \
	src/interp/memory.c \
	src/interp/parting.c src/interp/parting.h \
	src/interp/pixel.h \
	src/interp/crowd.c src/interp/crowd.h \
	src/interp/pool.c src/interp/pool.h \
	src/interp/program.c \
	src/interp/progress.c \
	src/interp/schedule.c \
	src/interp/saved.c src/interp/saved.h \
	src/interp/scout.c src/interp/scout.h \
	src/interp/serial.c src/interp/serial.h \
	src/interp/layouts.c src/interp/layouts.h src/interp/stages.h \
	src/interp/cycle_state.c src/interp/cycle_state.h \
	src/interp/step.c src/interp/step.h \
	src/interp/host_address.c \
	src/interp/sys.h \
	src/interp/sys_async.c \
	src/interp/sys_atomic.c \
	src/interp/sys_collect.c \
	src/interp/sys_image.c \
	src/interp/texel.c src/interp/texel.h \
	src/interp/sys_printf.c \
	src/interp/sys_workitem.c \
	src/interp/tally.c src/interp/tally.h \
	src/interp/undef.h \
	src/interp/undef_decode.c \
	src/interp/undef_collect.c \
	src/interp/undef_memory.c \
	src/interp/vm.h \
	src/interp/worker.c

# The loops over lanes, compiled for each level of the instruction set; isa.c chooses at run time.
# -ffp-contract=off (AM_CFLAGS) and an exact fma keep their results the same.
lane_sources = src/interp/access.c src/interp/atomics.c src/interp/chunks.h src/interp/chunks_v3.inc src/interp/chunks_v4.inc src/interp/classes.c src/interp/copies.c src/interp/plan.h src/interp/rows.h src/interp/layouts.inc src/interp/units.h src/interp/vectors.h src/interp/lanes.h src/interp/written.inc src/interp/unwritten.inc src/interp/undef_rules.c src/interp/ops.c
lane_cflags = -Wno-psabi $(AM_CFLAGS) -O3 $(VECTORISE_CFLAGS) $(LOOPS_CFLAGS) -fno-strict-aliasing -fno-math-errno -fno-trapping-math
src_interp_libinterp_la_CPPFLAGS = $(AM_CPPFLAGS)
src_interp_libinterp_la_CFLAGS = $(AM_CFLAGS) -fno-strict-aliasing
src_interp_libinterp_la_LIBADD = src/interp/liblanes_v1.la src/interp/libundef.la
# Loops over lanes' bytes and pixels, worth vectors of any size.
src_interp_libundef_la_SOURCES = src/interp/pixel.c src/interp/texel_lanes.c src/interp/undef.c
src_interp_libundef_la_CPPFLAGS = $(AM_CPPFLAGS)
src_interp_libundef_la_CFLAGS = $(AM_CFLAGS) -O3 $(VECTORISE_CFLAGS) -fno-strict-aliasing -fno-math-errno -fno-trapping-math
src_interp_liblanes_v1_la_SOURCES = $(lane_sources)
src_interp_liblanes_v1_la_CPPFLAGS = $(AM_CPPFLAGS) -DVM_ISA=v1 -DVM_ISA_NAME='"v1"'
src_interp_liblanes_v1_la_CFLAGS = $(lane_cflags)
if X86_64
noinst_LTLIBRARIES += src/interp/liblanes_v3.la src/interp/liblanes_v4.la
src_interp_libinterp_la_CPPFLAGS += -DVM_ISA_X86
src_interp_libinterp_la_LIBADD += src/interp/liblanes_v3.la src/interp/liblanes_v4.la
src_interp_liblanes_v3_la_SOURCES = $(lane_sources)
src_interp_liblanes_v3_la_CPPFLAGS = $(AM_CPPFLAGS) -DVM_ISA=v3 -DVM_ISA_NAME='"v3"'
src_interp_liblanes_v3_la_CFLAGS = $(lane_cflags) -march=x86-64-v3
src_interp_liblanes_v4_la_SOURCES = $(lane_sources)
src_interp_liblanes_v4_la_CPPFLAGS = $(AM_CPPFLAGS) -DVM_ISA=v4 -DVM_ISA_NAME='"v4"'
src_interp_liblanes_v4_la_CFLAGS = $(lane_cflags) -march=x86-64-v4 -mprefer-vector-width=512
endif
