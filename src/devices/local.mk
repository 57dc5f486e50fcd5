# SPDX-License-Identifier: MIT
# Settings are apart: the `cldbg` command needs them, too, and nothing else of the driver.
noinst_LTLIBRARIES += src/devices/libsettings.la src/devices/libhelper.la
src_devices_libsettings_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(ZSTD_CFLAGS)
src_devices_libsettings_la_LIBADD = $(JANSSON_LIBS) $(ZSTD_LIBS)
src_devices_libsettings_la_SOURCES = \
	src/devices/capture.h src/devices/capture_form.h src/devices/capture_read.c \
	src/devices/capture_description.c src/devices/capture_description.h src/devices/capture_pack.c src/devices/capture_pack.h src/devices/capture_pack_read.c src/devices/capture_watch.c src/devices/capture_watch.h \
	src/devices/capture_repeats.c src/devices/capture_repeats.h src/devices/capture_write.c \
	src/devices/device_model.c src/devices/device_models.def \
	src/devices/option_table.c src/devices/option_table.h src/devices/options.def \
	src/devices/proof_report.c src/devices/proof_report.h \
	src/devices/settings.c src/devices/dev.h
src_devices_libhelper_la_CPPFLAGS = $(AM_CPPFLAGS) -DCLDBG_PKGLIBEXECDIR='"$(pkglibexecdir)"'
src_devices_libhelper_la_SOURCES = \
	src/devices/cache.c src/devices/cache.h \
	src/devices/clean_names.c src/devices/clean_names.h \
	src/devices/helper.c \
	src/devices/source_lines.c src/devices/source_lines.h src/devices/source_name.c src/devices/source_name.h

noinst_LTLIBRARIES += src/devices/libdevices.la
src_devices_libdevices_la_CPPFLAGS = $(AM_CPPFLAGS) $(FFI_CFLAGS)
src_devices_libdevices_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
src_devices_libdevices_la_LIBADD = $(FFI_LIBS) src/look/liblook.la
src_devices_libdevices_la_SOURCES = \
	src/devices/device_choice.c \
	src/devices/barrier_proofs.c src/devices/barrier_proofs.h \
	src/devices/both_device.c \
	src/devices/both_variables.c src/devices/both_variables.h \
	src/devices/compiled_check.c \
	src/devices/compiled_effort.c \
	src/devices/compiled_equal.c \
	src/devices/compiled_obligations.c \
	src/devices/compiled_device.c src/devices/compiled_device.h \
	src/devices/compiled_undo.c src/devices/compiled_undo.h \
	src/devices/compiled_takeover.c \
	src/devices/compiled_versions.c \
	src/devices/interp_device.c \
	src/devices/launch_key.c src/devices/launch_key.h \
	src/devices/launch_question.c src/devices/launch_question.h \
	src/devices/shared_launch.c src/devices/shared_launch.h \
	src/devices/schedules.c src/devices/schedules.h \
	src/devices/snapshot.c src/devices/snapshot.h \
	src/devices/verification.c src/devices/verification.h \
	src/devices/mapped_memory.c src/devices/mapped_memory.h \
	src/devices/native_code.c src/devices/native_code.h \
	src/devices/native_device.c src/devices/native_device.h src/devices/native_plugin.h \
	src/devices/native_fault.c src/devices/native_fault.h \
	src/devices/native_local.c src/devices/native_local.h \
	src/devices/native_object.c src/devices/native_object.h \
	src/devices/native_shadow.c src/devices/native_shadow.h \
	src/devices/native_runtime.c src/devices/native_runtime.h \
	src/devices/access_lines.c src/devices/access_lines.h src/devices/statistics.c src/devices/statistics.h

# The only module of an app's process that has LLVM, opened when --native has to make code.
pkglib_LTLIBRARIES += src/devices/libcldbg-native.la
src_devices_libcldbg_native_la_SOURCES = src/devices/native_jit.c src/devices/native_plugin.h
src_devices_libcldbg_native_la_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
src_devices_libcldbg_native_la_LIBADD = src/native/libworkgroups.la src/regions/libregions.la src/llvm/libllvmir.la src/base/libbase.la $(LLVM_LDFLAGS) $(LLVM_LIBS) $(ISL_LIBS) -lpthread
src_devices_libcldbg_native_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared $(z_defs)
