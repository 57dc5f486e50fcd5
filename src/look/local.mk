# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/look/liblook.la
src_look_liblook_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
src_look_liblook_la_SOURCES = \
	src/look/look.h \
	src/look/module_lines.c src/look/module_lines.h \
	src/look/group_uniform.c src/look/group_uniform.h \
	src/look/occupancy.c src/look/barrier_lines.c \
	src/look/counted_programs.c
