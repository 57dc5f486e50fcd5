# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/base/libbase.la
src_base_libbase_la_SOURCES = \
	src/base/arena.c src/base/arena.h \
	src/base/bits.c src/base/bits.h \
	src/base/cpu.c src/base/cpu.h \
	src/base/cl_features.def \
	src/base/env.c src/base/env.h \
	src/base/err.c src/base/err.h \
	src/base/half.c src/base/half.h src/base/scope.h \
	src/base/io.c src/base/io.h \
	src/base/launcher.c src/base/launcher.h \
	src/base/local_socket.c src/base/local_socket.h \
	src/base/map.c src/base/map.h \
	src/base/mem.c src/base/mem.h \
	src/base/out.c src/base/out.h \
	src/base/own_thread.c src/base/own_thread.h \
	src/base/archive.h src/base/proc.c src/base/proc.h src/base/serialize.h \
	src/base/spirv.c src/base/spirv.h src/base/stack.c src/base/stack.h \
	src/base/str.c src/base/str.h \
	src/base/temp_folder.c src/base/temp_folder.h \
	src/base/vec.h \
	src/base/fork_server.c src/base/fork_server.h

# Preloaded into the clang that waits for work.
pkglib_LTLIBRARIES += src/base/waiting.la
src_base_waiting_la_SOURCES = src/base/waiting.c
src_base_waiting_la_LIBADD = src/base/libbase.la -ldl
src_base_waiting_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared
