# SPDX-License-Identifier: MIT
check_PROGRAMS += tests/howto/assembled
tests_howto_assembled_SOURCES = tests/howto/assembled.c
tests_howto_assembled_CPPFLAGS = $(engine_cppflags)
tests_howto_assembled_LDADD = tests/interp/libengine.la
EXTRA_DIST += tests/howto/builtin.py tests/howto/check.py tests/howto/command.py tests/howto/howto.py tests/howto/op.py

# What doc/HOWTO-add-*.md say, done in a copy of the tree, built and run: some minutes.
.PHONY: check-howto
check-howto:
	srcdir='$(srcdir)' CC='$(CC)' /usr/bin/python3 $(srcdir)/tests/howto/howto.py
