# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/check/libcheck.la
src_check_libcheck_la_SOURCES = \
	src/check/branch.c \
	src/check/check.h \
	src/check/condition.c \
	src/check/divergence.c src/check/divergence.h \
	src/check/fault_details.c \
	src/check/fault_report.c src/check/fault_report.h src/check/faults.def \
	src/check/layout_note.c \
	src/check/native_report.c \
	src/check/place.c src/check/place.h \
	src/check/program_order.c src/check/program_order.h \
	src/check/progress_report.c \
	src/check/race_report.c \
	src/check/struct_layout.c src/check/struct_layout.h \
	src/check/undefined_report.c \
	src/check/element_writers.c
