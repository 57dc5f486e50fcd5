# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/debug/libdebug.la
src_debug_libdebug_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
src_debug_libdebug_la_LIBADD = $(JANSSON_LIBS)
src_debug_libdebug_la_SOURCES = \
	src/debug/agent.c \
	src/debug/backwards.c \
	src/debug/breakpoint.c \
	src/debug/capabilities.def \
	src/debug/carry.c \
	src/debug/cmd_break.c \
	src/debug/cmd_data.c \
	src/debug/cmd_finding.c \
	src/debug/cmd_info.c \
	src/debug/cmd_item.c \
	src/debug/cmd_run.c \
	src/debug/cmd_source.c \
	src/debug/cmd_text.c \
	src/debug/commands.c src/debug/command.h src/debug/commands.def \
	src/debug/constants.def \
	src/debug/dap.c src/debug/dap.h src/debug/dap_request.h \
	src/debug/dap_breakpoints.c \
	src/debug/dap_memory.c \
	src/debug/dap_variables.c \
	src/debug/debug.h \
	src/debug/accessed.c \
	src/debug/elsewhere.def \
	src/debug/exec.c \
	src/debug/expr.c src/debug/expr.h src/debug/expr_node.h \
	src/debug/expr_arith.c \
	src/debug/expr_builtin.c src/debug/expr_builtin.h \
	src/debug/expr_image.c src/debug/expr_image.h \
	src/debug/expr_parse.c \
	src/debug/found.c \
	src/debug/history.c src/debug/history.h \
	src/debug/whereabouts.c \
	src/debug/lane_condition.c src/debug/lane_condition.h \
	src/debug/returned.c \
	src/debug/scope.c \
	src/debug/together.c \
	src/debug/settings_table.c \
	src/debug/travel.c \
	src/debug/unfold.c \
	src/debug/value_text.c \
	src/debug/watch.c \
	src/debug/macro.c \
	src/debug/session.h \
	src/debug/type.c src/debug/type.h \
	src/debug/kernel_value.c src/debug/kernel_value.h

# The manual page of the commands comes from their table.
noinst_PROGRAMS += src/debug/commands_man
src_debug_commands_man_SOURCES = src/debug/commands_man.c src/debug/commands.def
man_MANS = man/cldbg-commands.7
CLEANFILES += man/cldbg-commands.7
man/cldbg-commands.7: src/debug/commands_man$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) man && src/debug/commands_man$(EXEEXT) > $@.tmp && mv $@.tmp $@
