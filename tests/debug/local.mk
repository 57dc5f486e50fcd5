# SPDX-License-Identifier: MIT
debug_scripts = tests/debug/adapter.py tests/debug/backwards.py tests/debug/called.py tests/debug/causes.py tests/debug/compared.py tests/debug/earlier.py tests/debug/editor.py tests/debug/habits.py tests/debug/images.py tests/debug/left.py tests/debug/machine.py tests/debug/messages.py tests/debug/nonsense.py tests/debug/order.py tests/debug/repeated.py tests/debug/quick.py tests/debug/paused.py tests/debug/sessions.py tests/debug/stepped.py tests/debug/visitors.py tests/debug/terminal.py tests/debug/tui.py tests/debug/typed.py tests/debug/unrecorded.py tests/debug/watched.py
dist_check_SCRIPTS += $(debug_scripts)
TESTS += $(debug_scripts)
EXTRA_DIST += tests/debug/kernels tests/debug/sessions tests/debug/protocol.py tests/debug/undebugged.py

.PHONY: check-undebugged
check-undebugged: all
	srcdir=$(srcdir) /usr/bin/python3 $(srcdir)/tests/debug/undebugged.py

check_PROGRAMS += tests/debug/several
tests_debug_several_SOURCES = tests/debug/several.c
tests_debug_several_LDADD = -lOpenCL
