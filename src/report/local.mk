# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/report/libreport.la
src_report_libreport_la_SOURCES = \
	src/report/needless_barriers.c src/report/needless_barriers.h src/report/advice.c src/report/advice.h src/report/coverage.c src/report/coverage.h \
	src/report/cost_lines.c \
	src/report/document.c src/report/document.h src/report/document_shape.c \
	src/report/render.c \
	src/report/excerpt.c src/report/excerpt.h \
	src/report/files.c \
	src/report/filter.c src/report/filter.h \
	src/report/finding.c src/report/finding.h \
	src/report/github.c \
	src/report/ignores.c src/report/ignores.h \
	src/report/keep.c src/report/keep.h \
	src/report/kind.c src/report/kinds.def src/report/fix_hints.def src/report/explain.def \
	src/report/cobertura.c src/report/lcov.c \
	src/report/macro_lines.c src/report/macro_lines.h \
	src/report/operand.c \
	src/report/output.c \
	src/report/page.c \
	src/report/profile.c src/report/profile.h \
	src/report/progress_line.c src/report/progress_line.h \
	src/report/record.c src/report/record.h \
	src/report/sarif.c \
	src/report/sink.h \
	src/report/sink_text.c \
	src/report/sourcefile.c src/report/sourcefile.h \
	src/report/totals.c
src_report_libreport_la_CPPFLAGS = $(AM_CPPFLAGS) -Isrc -DDOCDIR='"$(docdir)"'
src_report_libreport_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
src_report_libreport_la_LIBADD = $(JANSSON_LIBS)

# The style and the program of the HTML report, as string literals.
page_parts = src/report/page/report.css src/report/page/elements.js src/report/page/pictures.js \
	src/report/page/source_view.js src/report/page/timeline.js src/report/page/views.js
page_texts = src/report/page/report.inc src/report/page/elements.inc src/report/page/pictures.inc \
	src/report/page/source_view.inc src/report/page/timeline.inc src/report/page/views.inc
EXTRA_DIST += $(page_parts)
CLEANFILES += $(page_texts)
src/report/src_report_libreport_la-page.lo src/report/libreport_la-page.lo: $(page_texts)
SUFFIXES = .css .js .inc
.css.inc:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n"/' $< > $@.new && mv $@.new $@
.js.inc:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n"/' $< > $@.new && mv $@.new $@
