# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/interp/libinterp.la src/interp/liblanes_v1.la src/interp/libundef.la
src_interp_libinterp_la_SOURCES = \
	src/interp/vm.h \
	src/interp/calls/async_copies.h src/interp/calls/atomic_operation.c src/interp/calls/collective.c \
	src/interp/calls/collective.h src/interp/calls/printf_format.c src/interp/calls/printf_format.h \
	src/interp/calls/sys.h src/interp/calls/sys_async.c src/interp/calls/sys_atomic.c \
	src/interp/calls/sys_collective.c src/interp/calls/sys_image.c src/interp/calls/sys_image_block.c src/interp/calls/image_access.h src/interp/calls/sys_printf.c \
	src/interp/calls/sys_workitem.c src/interp/calls/sys_enqueue.c src/interp/enqueued.h \
	src/interp/launch/device_events.c \
	src/interp/core/access_watch.c src/interp/core/access_watch.h src/interp/core/barrier.c \
	src/interp/core/barrier.h src/interp/core/barrier_instance.c src/interp/core/barrier_instance.h \
	src/interp/core/block_counts.c src/interp/core/block_counts.h \
	src/interp/core/call_paths.c src/interp/core/call_paths.h src/interp/core/collective_args.c \
	src/interp/core/collective_args.h src/interp/core/compaction.c src/interp/core/compaction.h \
	src/interp/core/divergence_point.c src/interp/core/divergence_point.h src/interp/core/divergence_report.c \
	src/interp/core/divergence_report.h src/interp/core/fault.c src/interp/core/fault.h src/interp/core/gang.c \
	src/interp/core/gang.h src/interp/core/group.c src/interp/core/group.h src/interp/core/host_address.c \
	src/interp/core/host_address.h src/interp/core/idle_gangs.c src/interp/core/idle_gangs.h \
	src/interp/core/lane_access.c src/interp/core/lane_access.h \
	src/interp/core/lane_identity.c src/interp/core/lane_identity.h src/interp/core/lane_operand.c \
	src/interp/core/lane_operand.h src/interp/core/last_writers.c src/interp/core/last_writers.h \
	src/interp/core/local_memory.c src/interp/core/local_memory.h \
	src/interp/core/memory_object.h src/interp/core/reconvergence.c \
	src/interp/core/reconvergence.h src/interp/core/schedule.c src/interp/core/schedule.h src/interp/core/signing.c \
	src/interp/core/signing.h \
	src/interp/decode/block_effects.c src/interp/decode/block_effects.h src/interp/decode/code.h \
	src/interp/decode/code_features.c src/interp/decode/code_features.h src/interp/decode/decode.c \
	src/interp/decode/decode.h src/interp/decode/decoder.c src/interp/decode/decoder.h \
	src/interp/decode/inactive_liveness.c src/interp/decode/layout.c src/interp/decode/layout.h \
	src/interp/decode/select.c src/interp/decode/select.h \
	src/interp/definedness/undef.h src/interp/definedness/undef_collective.c \
	src/interp/definedness/undef_decode.c src/interp/definedness/undef_memory.c \
	src/interp/definedness/written_sets.h \
	src/interp/images/image_fences.c src/interp/images/image_fences.h src/interp/images/pixel.h \
	src/interp/images/texel.c src/interp/images/texel.h \
	src/interp/lanes/cost_shapes.c src/interp/lanes/cost_shapes.h src/interp/lanes/isa.c src/interp/lanes/isa.h src/interp/lanes/lane_shapes.c src/interp/lanes/lane_shapes.h \
	src/interp/launch/barrier_uses.c src/interp/launch/barrier_uses.h \
	src/interp/launch/configuration.c src/interp/launch/configuration.h src/interp/launch/contention.c \
	src/interp/launch/contention.h src/interp/launch/counters.c src/interp/launch/counters.h \
	src/interp/launch/division.c src/interp/launch/division.h \
	src/interp/launch/launch.c src/interp/launch/launch_objects.c src/interp/launch/launch_objects.h \
	src/interp/launch/launch_report.c src/interp/launch/launch_report.h src/interp/launch/packing.c \
	src/interp/launch/packing.h src/interp/launch/pool.c src/interp/launch/pool.h \
	src/interp/launch/preconditions.c src/interp/launch/preconditions.h \
	src/interp/launch/privatized_reduction.c src/interp/launch/privatized_reduction.h \
	src/interp/launch/progress.c src/interp/launch/race_setup.c src/interp/launch/race_setup.h \
	src/interp/launch/run.h src/interp/launch/shared_program.c src/interp/launch/shared_program.h \
	src/interp/launch/worker.c src/interp/launch/worker.h \
	src/interp/livelock/fingerprint.c src/interp/livelock/fingerprint.h src/interp/livelock/gang_livelock.c \
	src/interp/livelock/gang_livelock.h src/interp/livelock/group_livelock.c \
	src/interp/livelock/group_livelock.h src/interp/livelock/poll.c src/interp/livelock/poll.h \
	src/interp/stepping/interleave.c src/interp/stepping/interleave.h src/interp/stepping/checkpoint.c \
	src/interp/stepping/checkpoint.h src/interp/stepping/fast_forward_run.c src/interp/stepping/fast_forward_run.h \
	src/interp/stepping/fast_forward_hooks.c \
	src/interp/stepping/store_buffer.c src/interp/stepping/store_buffer.h \
	src/interp/stepping/step.c src/interp/stepping/step.h \
	src/interp/stepping/trial_call.c src/interp/stepping/trial_call.h

# The loops over lanes, compiled for each level of the instruction set; isa.c chooses at run time.
# -ffp-contract=off (AM_CFLAGS) and an exact fma keep their results the same.
lane_sources = \
	src/interp/definedness/undef_rules.c \
	src/interp/lanes/access_costs.c src/interp/lanes/active_lanes.h src/interp/lanes/lane_addresses.h \
	src/interp/lanes/wave_costs.h src/interp/lanes/wave_forms.h \
	src/interp/lanes/access.c src/interp/lanes/access_plan.h src/interp/lanes/access_statistics.c \
	src/interp/lanes/atomics.c src/interp/lanes/copies.c src/interp/lanes/definedness_clean.inc \
	src/interp/lanes/definedness_undef.inc src/interp/lanes/interleaved_access.h src/interp/lanes/lane_loop.h \
	src/interp/lanes/lane_ops.c src/interp/lanes/lane_shapes.inc src/interp/lanes/private_access.h \
	src/interp/lanes/shape_access.h src/interp/lanes/strips.h src/interp/lanes/strips_v3.inc \
	src/interp/lanes/strips_v4.inc
lane_cflags = -Wno-psabi $(AM_CFLAGS) -O3 $(VECTORISE_CFLAGS) $(LOOPS_CFLAGS) -fno-strict-aliasing -fno-math-errno -fno-trapping-math
src_interp_libinterp_la_CPPFLAGS = $(AM_CPPFLAGS)
src_interp_libinterp_la_CFLAGS = $(AM_CFLAGS) -fno-strict-aliasing
src_interp_libinterp_la_LIBADD = src/interp/liblanes_v1.la src/interp/libundef.la
# Loops over lanes' bytes and pixels, worth vectors of any size.
src_interp_libundef_la_SOURCES = \
	src/interp/definedness/undef.c src/interp/images/pixel.c src/interp/images/texel_lanes.c
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
