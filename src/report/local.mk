# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/report/libreport.la
src_report_libreport_la_SOURCES = \
	src/report/excerpt.c src/report/excerpt.h \
	src/report/finding.c src/report/finding.h \
	src/report/kind.c src/report/kinds.def \
	src/report/operand.c \
	src/report/output.c \
	src/report/record.c src/report/record.h \
	src/report/sink.h \
	src/report/sink_text.c \
	src/report/sourcefile.c src/report/sourcefile.h \
	src/report/totals.c
