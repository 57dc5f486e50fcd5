# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/builtins/libbuiltins.la
src_builtins_libbuiltins_la_SOURCES = \
	src/builtins/builtins.def src/builtins/builtins.h \
	src/builtins/codes.c \
	src/builtins/composed.c \
	src/builtins/convert.c \
	src/builtins/exact_math.c \
	src/builtins/lane.h \
	src/builtins/lane_table.c \
	src/builtins/lookup.c \
	src/builtins/mangle.c src/builtins/mangle.h \
	src/builtins/patched.c \
	src/builtins/sleef.c
# No errno, no traps, nothing else that -ffast-math would allow: results are those of IEEE 754.
src_builtins_libbuiltins_la_CFLAGS = $(AM_CFLAGS) $(SLEEF_CFLAGS) $(VECTORISE_CFLAGS) -fno-math-errno -fno-trapping-math
src_builtins_libbuiltins_la_LIBADD = $(SLEEF_LIBS) -lm
