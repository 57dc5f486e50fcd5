# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/race/librace.la
src_race_librace_la_SOURCES = \
	src/race/exact.c \
	src/race/groups.c \
	src/race/pairs.c \
	src/race/race.c src/race/race.h \
	src/race/shadow.c src/race/shadow.h
