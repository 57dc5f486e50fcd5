# SPDX-License-Identifier: MIT
# Settings are apart: the `cldbg` command needs them, too, and nothing else of the driver.
noinst_LTLIBRARIES += src/devices/libsettings.la
src_devices_libsettings_la_SOURCES = \
	src/devices/options.c src/devices/options.h src/devices/options.def \
	src/devices/settings.c
