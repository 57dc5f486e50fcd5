# SPDX-License-Identifier: MIT
bin_PROGRAMS += cli/cldbg
cli_cldbg_SOURCES = cli/command.c cli/say.c cli/cmd.h cli/subcommands.def \
	cli/app.c \
	cli/check_files.h cli/check_children.c cli/check_command.c cli/check_journal.c cli/check_merge.c cli/check_ranks.c cli/ranks.c cli/ranks.h \
	cli/job.c cli/job.h cli/job_collector.c cli/merge.c cli/merge.h \
	cli/conversion.c cli/cost_table.c \
	cli/repeat.c \
	cli/adapter.c \
	cli/dap_capabilities.c cli/dap_client.c cli/dap_client.h \
	cli/doctor.c \
	cli/explain.c \
	cli/elf.c cli/elf.h \
	cli/environment.c \
	cli/help.c \
	cli/home.c \
	cli/host.c cli/host.h \
	cli/json_lines.c cli/json_lines.h \
	cli/junit.c cli/junit.h \
	cli/login.c cli/login.h \
	cli/loads.c cli/loads.h \
	cli/look.c \
	cli/repl.c cli/repl.h \
	cli/repl_flow.c \
	cli/repl_json.c cli/repl_json.h \
	cli/repl_lines.c \
	cli/repl_options.c \
	cli/repl_state.c \
	cli/repl_user.c \
	cli/tui.h cli/tui.c cli/tui_app.c cli/tui_draw.c cli/tui_keys.c cli/tui_layout.c cli/tui_text.c cli/tui_text.h \
	cli/parameter.c \
	cli/read_file.c \
	cli/reports.c \
	cli/run.c \
	cli/run_ranks.c cli/run_ranks.h \
	cli/sim.c \
	cli/image_arg.c cli/pipe_arg.c \
	cli/spec.c \
	cli/summary.c \
	cli/fuzz.h cli/fuzz_command.c cli/fuzz_input.c cli/fuzz_search.c \
	cli/verify.h cli/verify_args.c cli/verify_command.c cli/verify_runs.c cli/verify_sizes.c \
	cli/scalar.c cli/scalar.h
# Where the parts are in a build tree (seen from its top), and where they are installed.
cli_cldbg_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(NCURSES_CFLAGS) $(LIBXML_CFLAGS)
cli_cldbg_CPPFLAGS = $(AM_CPPFLAGS) -DBINDIR='"$(bindir)"' -DPKGLIBDIR='"$(pkglibdir)"' \
	-DPKGLIBEXECDIR='"$(pkglibexecdir)"' -DBUILD_DRIVER='"src/api/.libs/libcldbg.so"' \
	-DBUILD_FRONT='"src/api/.libs/libOpenCL.so.1"' -DBUILD_HELPER='"src/cc/cldbg-cc"' \
	-DBUILD_RANKS='"cli/.libs/libcldbg-mpi.so"'
cli_cldbg_LDADD = src/devices/libsettings.la src/bytecode/libbytecode.la src/report/libreport.la src/base/libbase.la $(JANSSON_LIBS) $(ZSTD_LIBS) $(READLINE_LIBS) $(NCURSES_LIBS) -lm

# The only module with MPI, opened by processes that mpirun or srun starts.
if MPI
pkglib_LTLIBRARIES += cli/libcldbg-mpi.la
endif
cli_libcldbg_mpi_la_SOURCES = cli/ranks_mpi.c cli/ranks.h
cli_libcldbg_mpi_la_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
cli_libcldbg_mpi_la_LIBADD = $(MPI_LIBS)
cli_libcldbg_mpi_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared $(z_defs)

# What an ICD loader reads. The name alone: the driver is in LD_LIBRARY_PATH, or loaded already.
vendorsdir = $(pkglibdir)/vendors
nodist_vendors_DATA = cli/vendors/cldbg.icd
CLEANFILES += cli/vendors/cldbg.icd
cli/vendors/cldbg.icd: Makefile
	$(AM_V_GEN)$(MKDIR_P) cli/vendors && echo libcldbg.so > $@

# Completions of the shells, from the tables of options and subcommands.
noinst_PROGRAMS += cli/completions
cli_completions_SOURCES = cli/completions.c cli/subcommands.def
bashcompletionsdir = $(datadir)/bash-completion/completions
nodist_bashcompletions_DATA = cli/bash/cldbg
zshcompletionsdir = $(datadir)/zsh/site-functions
nodist_zshcompletions_DATA = cli/zsh/_cldbg
fishcompletionsdir = $(datadir)/fish/vendor_completions.d
nodist_fishcompletions_DATA = cli/fish/cldbg.fish
completion_files = $(nodist_bashcompletions_DATA) $(nodist_zshcompletions_DATA) $(nodist_fishcompletions_DATA)
CLEANFILES += $(completion_files)
$(completion_files): cli/completions$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cli/completions$(EXEEXT) `basename $(@D)` > $@.tmp && mv $@.tmp $@
