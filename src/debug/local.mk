# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/debug/libdebug.la
# -Isrc: command_rows.def is made by the build.
src_debug_libdebug_la_CPPFLAGS = $(AM_CPPFLAGS) -Isrc
src_debug_libdebug_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
src_debug_libdebug_la_LIBADD = $(JANSSON_LIBS)
# In the order in which `help` lists their commands within a section.
debug_commands = \
	src/debug/commands/cmd_run.c \
	src/debug/commands/cmd_time.c \
	src/debug/commands/cmd_client.c \
	src/debug/commands/cmd_break.c \
	src/debug/commands/cmd_save.c \
	src/debug/commands/cmd_item.c \
	src/debug/commands/cmd_group.c \
	src/debug/commands/cmd_frame.c \
	src/debug/commands/cmd_print.c \
	src/debug/commands/cmd_help.c \
	src/debug/commands/cmd_text.c \
	src/debug/commands/cmd_settings.c \
	src/debug/commands/cmd_memory.c \
	src/debug/commands/cmd_display.c \
	src/debug/commands/cmd_info.c \
	src/debug/commands/cmd_list.c \
	src/debug/commands/cmd_disassemble.c \
	src/debug/commands/cmd_finding.c \
	src/debug/commands/cmd_why.c
# A sub-folder may include headers only of those above it: tests/lint/includes.sh.
src_debug_libdebug_la_SOURCES = \
	src/debug/session/checkpoints.h \
	src/debug/session/findings.h \
	src/debug/session/focus.c src/debug/session/focus.h \
	src/debug/session/frames.c src/debug/session/frames.h \
	src/debug/session/goal.h \
	src/debug/session/item_order.c src/debug/session/item_order.h \
	src/debug/session/programs.c src/debug/session/programs.h \
	src/debug/session/session.c src/debug/session/session.h \
	src/debug/session/session_settings.c src/debug/session/session_settings.h \
	src/debug/expressions/constants.def \
	src/debug/expressions/expr.c src/debug/expressions/expr.h \
	src/debug/expressions/expr_arith.c \
	src/debug/expressions/expr_builtin.c src/debug/expressions/expr_builtin.h \
	src/debug/expressions/expr_call.c src/debug/expressions/expr_call.h \
	src/debug/expressions/expr_fix.c \
	src/debug/expressions/expr_function.c src/debug/expressions/expr_function.h \
	src/debug/expressions/expr_image.c src/debug/expressions/expr_image.h \
	src/debug/expressions/expr_member.c \
	src/debug/expressions/expr_node.h \
	src/debug/expressions/expr_parse.c \
	src/debug/expressions/frame_text.c src/debug/expressions/frame_text.h \
	src/debug/expressions/kernel_value.c src/debug/expressions/kernel_value.h \
	src/debug/expressions/lvalue_text.c src/debug/expressions/lvalue_text.h \
	src/debug/expressions/macro.c \
	src/debug/expressions/scope.c \
	src/debug/expressions/type.c src/debug/expressions/type.h \
	src/debug/expressions/value_text.c \
	src/debug/breakpoints/breakpoint.c src/debug/breakpoints/breakpoint.h \
	src/debug/breakpoints/breakpoint_hit.c \
	src/debug/breakpoints/item_set.c src/debug/breakpoints/item_set.h \
	src/debug/breakpoints/lane_condition.c src/debug/breakpoints/lane_condition.h \
	src/debug/breakpoints/memory_access.c src/debug/breakpoints/memory_access.h \
	src/debug/breakpoints/watch.c src/debug/breakpoints/watch.h \
	src/debug/breakpoints/watch_expression.c src/debug/breakpoints/watch_expression.h \
	src/debug/history/control_dependence.c src/debug/history/control_dependence.h \
	src/debug/history/earlier_writes.c src/debug/history/earlier_writes.h \
	src/debug/history/dynamic_slice.c src/debug/history/dynamic_slice.h \
	src/debug/history/event_trace.c src/debug/history/event_trace.h \
	src/debug/history/expand_fast_forward.c \
	src/debug/history/fast_forward.c src/debug/history/fast_forward.h \
	src/debug/history/finding_story.c src/debug/history/finding_story.h \
	src/debug/history/history.c src/debug/history/history.h \
	src/debug/history/item_diff.c src/debug/history/item_diff.h \
	src/debug/history/launch_context.c src/debug/history/launch_context.h \
	src/debug/history/repeated_launch.c src/debug/history/repeated_launch.h \
	src/debug/history/reverse.c \
	src/debug/history/rewind.c \
	src/debug/history/timeline.h \
	src/debug/history/unrecorded_launch.c src/debug/history/unrecorded_launch.h \
	src/debug/history/why_tree.c src/debug/history/why_tree.h \
	src/debug/history/writer_table.c src/debug/history/writer_table.h \
	src/debug/execution/execution.c \
	src/debug/execution/finding_stop.c src/debug/execution/finding_stop.h \
	src/debug/execution/finish_value.c src/debug/execution/finish_value.h \
	src/debug/execution/stop.c src/debug/execution/stop.h \
	$(debug_commands) \
	src/debug/commands/command.h \
	src/debug/commands/command_table.c src/debug/commands/command_table.h \
	src/debug/commands/command_text.c src/debug/commands/command_text.h \
	src/debug/commands/commands.c src/debug/commands/commands.h \
	src/debug/commands/completion.c \
	src/debug/commands/group_map.h \
	src/debug/commands/info_source.c \
	src/debug/commands/settings_table.h \
	src/debug/commands/unsupported.def \
	src/debug/adapter/agent.c src/debug/adapter/agent.h \
	src/debug/adapter/capabilities.def \
	src/debug/adapter/channel.c src/debug/adapter/channel.h \
	src/debug/adapter/dap.c src/debug/adapter/dap.h \
	src/debug/adapter/dap_answer.c \
	src/debug/adapter/dap_breakpoints.c \
	src/debug/adapter/dap_code.c \
	src/debug/adapter/dap_evaluate.c \
	src/debug/adapter/dap_memory.c \
	src/debug/adapter/dap_progress.c \
	src/debug/adapter/dap_request.h \
	src/debug/adapter/dap_run.c \
	src/debug/adapter/dap_stack.c \
	src/debug/adapter/dap_variables.c \
	src/debug/adapter/dap_view.c \
	src/debug/adapter/events.c \
	src/debug/adapter/saved_session.c src/debug/adapter/saved_session.h \
	src/debug/adapter/structured.c src/debug/adapter/structured.h \
	src/debug/adapter/structured_past.c \
	src/debug/debug.c src/debug/debug.h

# Each COMMAND(…) that begins a function, and each CLIENT_COMMAND(…).
CLEANFILES += src/debug/commands/command_rows.def
src/debug/commands/command_rows.def: $(debug_commands)
	$(AM_V_GEN)$(MKDIR_P) src/debug/commands && sed -n '/^COMMAND(/,/^{/{/^{/!p}; /^CLIENT_COMMAND(/,/")$$/{s/^CLIENT_COMMAND(/COMMAND(client, /; p}' $^ > $@.tmp && mv $@.tmp $@
src/debug/commands/libdebug_la-command_table.lo src/debug/commands/commands_man-commands_man.$(OBJEXT): src/debug/commands/command_rows.def

# The manual page of the commands comes from their table.
noinst_PROGRAMS += src/debug/commands/commands_man
src_debug_commands_commands_man_CPPFLAGS = $(AM_CPPFLAGS) -Isrc
src_debug_commands_commands_man_SOURCES = src/debug/commands/commands_man.c
man_MANS = man/cldbg-commands.7
CLEANFILES += man/cldbg-commands.7
man/cldbg-commands.7: src/debug/commands/commands_man$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) man && src/debug/commands/commands_man$(EXEEXT) > $@.tmp && mv $@.tmp $@
