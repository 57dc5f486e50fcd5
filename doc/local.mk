# SPDX-License-Identifier: MIT
# The pages are installed as text and, if configure found python3-markdown, as HTML beside it.
PAGES = README.md \
	doc/ARCHITECTURE.md \
	doc/CAPTURE-FORMAT.md \
	doc/COMPARISON.md \
	doc/CONFORMANCE.md \
	doc/DEBUGGER.md doc/DEVICE-MODEL.md \
	doc/FAQ.md \
	doc/GLOSSARY.md \
	doc/HOWTO-add-a-builtin.md \
	doc/HOWTO-add-a-check.md \
	doc/HOWTO-add-a-command.md \
	doc/HOWTO-add-an-op.md \
	doc/LIMITS.md \
	doc/PERFORMANCE.md \
	doc/REPORT-FORMATS.md \
	doc/SCALE.md \
	doc/SECURITY.md \
	doc/TESTING.md \
	doc/TUTORIAL.md \
	doc/VERIFY.md \
	doc/guides/TESTING-YOUR-KERNELS.md \
	HACKING.md \
	bench/README.md
pagesdir = $(docdir)
nobase_dist_pages_DATA = $(PAGES)
dist_doc_DATA = NEWS
EXTRA_DIST += doc/to_html.py doc/screenshots.py
picturesdir = $(docdir)
nobase_dist_pictures_DATA = doc/report-reduction.png doc/report-histogram.png doc/report-matmul-tiled.png \
	doc/report-scan.png doc/report-nbody.png doc/report-genhtml.png doc/report-sources.png doc/report-timeline.png doc/report-writers.png
if MARKDOWN
html_pages = $(PAGES:.md=.html)
nobase_nodist_pages_DATA = $(html_pages)
CLEANFILES += $(html_pages)
SUFFIXES += .md .html
.md.html:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && /usr/bin/python3 $(srcdir)/doc/to_html.py $< $@.tmp && mv $@.tmp $@
$(html_pages): doc/to_html.py
endif

# `make uninstall` leaves no folder of ours.
uninstall-hook:
	@for d in "$(DESTDIR)$(docdir)" "$(DESTDIR)$(pkgdatadir)" "$(DESTDIR)$(pkglibdir)" "$(DESTDIR)$(pkglibexecdir)"; do \
	test ! -d "$$d" || find "$$d" -depth -type d -exec rmdir {} \; 2>/dev/null; done; true
