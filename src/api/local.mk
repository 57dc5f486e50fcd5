# SPDX-License-Identifier: MIT
# The driver. Its exports are those of libcldbg.map; everything else stays inside (-Bsymbolic is for what a
# loader exports under the same names); it is never unloaded, since its threads run in it.
pkglib_LTLIBRARIES += src/api/libcldbg.la
# apart, for tests/api/test_happens_before
noinst_LTLIBRARIES += src/api/libordering.la
src_api_libordering_la_SOURCES = src/api/access_set.c src/api/access_set.h src/api/access_log.c src/api/access_log.h src/api/ordering.c
src_api_libcldbg_la_SOURCES = \
	src/api/stubs.c \
	src/api/binary_form.c \
	src/api/buffer.c \
	src/api/build.c \
	src/api/caller.c src/api/caller.h \
	src/api/capture_launch.c src/api/capture_launch.h \
	src/api/cmdgraph.c src/api/cmdgraph.h \
	src/api/checked_form.c src/api/checked_form.h \
	src/api/context.c \
	src/api/conflict.c src/api/host_visibility.c \
	src/api/device.c src/api/device_info.def \
	src/api/dispatch.c src/api/dispatch.h src/api/entry.def \
	src/api/error.def \
	src/api/event.c \
	src/api/enqueue_image.c \
	src/api/il.c \
	src/api/interrupt.c src/api/interrupt.h \
	src/api/image.c src/api/image.h \
	src/api/kernel_object.c \
	src/api/enqueue_kernel.c src/api/enqueue_native.c src/api/child_launch.c src/api/child_launch.h src/api/device_queue.c src/api/device_queue.h src/api/kernel_command.c src/api/kernel_command.h \
	src/api/command_buffer.c src/api/command_buffer.h src/api/mutable_dispatch.c src/api/new_names.h \
	src/api/leaks.c \
	src/api/limits.h \
	src/api/enqueue_map.c \
	src/api/object.c src/api/object.h \
	src/api/pipe.c src/api/platform.c src/api/platform.h \
	src/api/program_object.c src/api/program.h \
	src/api/queue.c \
	src/api/fail.c \
	src/api/sampler.c src/api/semaphore.c src/api/semaphore.h \
	src/api/sub_device.c src/api/sub_group.c \
	src/api/usm.c src/api/usm.h \
	src/api/svm.c src/api/svm_registry.c src/api/svm.h src/api/pipe.h \
	src/api/call_site.c \
	src/api/test_scope.c \
	src/api/trace.c src/api/trace.h \
	src/api/trace_document.c src/api/trace_record.h \
	src/api/test_scope.h \
	src/api/transfer.h \
	src/api/enqueue_transfer.c
src_api_libcldbg_la_LIBADD = src/api/libordering.la src/devices/libdevices.la src/devices/libhelper.la src/devices/libsettings.la \
	src/debug/libdebug.la src/check/libcheck.la src/interp/libinterp.la src/race/librace.la src/builtins/libbuiltins.la \
	src/bytecode/libbytecode.la src/report/libreport.la src/base/libbase.la $(ZSTD_LIBS) -lpthread -ldl -lm
src_api_libcldbg_la_LDFLAGS = $(AM_LDFLAGS) -avoid-version -no-undefined $(z_defs) -Wl,-z,nodelete -Wl,-Bsymbolic \
	-Wl,--version-script=$(top_srcdir)/src/api/libcldbg.map
EXTRA_src_api_libcldbg_la_DEPENDENCIES = src/api/libcldbg.map
EXTRA_DIST += src/api/libcldbg.map

# The library that `cldbg` puts in front of apps. libtool gives it its names libOpenCL.so.1 and libOpenCL.so; it has a
# folder of its own so that only programs that cldbg starts find it.
frontdir = $(pkglibdir)/front
front_LTLIBRARIES = src/api/libOpenCL.la
src_api_libOpenCL_la_SOURCES = src/api/libopencl.c src/api/layers.c src/api/layers.h
# Not libcldbg.la: libtool would write the configured folder into it, and an installed tree can be moved.
src_api_libOpenCL_la_LIBADD = -lpthread -ldl
src_api_libOpenCL_la_LDFLAGS = $(AM_LDFLAGS) -version-info 1:0:0 $(z_defs) \
	-Wl,--no-as-needed,src/api/.libs/libcldbg.so \
	-Wl,--version-script=$(top_srcdir)/src/api/libopencl.map '-Wl,-rpath,$$ORIGIN/..:$$ORIGIN'
EXTRA_src_api_libOpenCL_la_DEPENDENCIES = src/api/libopencl.map src/api/libcldbg.la
EXTRA_DIST += src/api/libopencl.map
