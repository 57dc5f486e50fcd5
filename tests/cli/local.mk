# SPDX-License-Identifier: MIT
check_PROGRAMS += tests/cli/host_app tests/cli/host_app_loads tests/cli/capture_app tests/cli/capture_svm tests/cli/capture_many tests/cli/repeats_app tests/cli/unusual
tests_cli_host_app_SOURCES = tests/cli/host_app.c
tests_cli_host_app_LDADD = -lOpenCL
if MPI
check_PROGRAMS += tests/cli/mpi_app
endif
tests_cli_mpi_app_SOURCES = tests/cli/mpi_app.c
tests_cli_mpi_app_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_cli_mpi_app_LDADD = $(MPI_LIBS) -lOpenCL
tests_cli_unusual_SOURCES = tests/cli/unusual.c
tests_cli_unusual_LDADD = -lOpenCL -lpthread
tests_cli_capture_app_SOURCES = tests/cli/capture_app.c
tests_cli_capture_app_LDADD = -lOpenCL
tests_cli_capture_many_SOURCES = tests/cli/capture_many.c
tests_cli_capture_many_LDADD = -lOpenCL
tests_cli_repeats_app_SOURCES = tests/cli/repeats_app.c
tests_cli_repeats_app_LDADD = -lOpenCL
tests_cli_capture_svm_SOURCES = tests/cli/capture_svm.c
tests_cli_capture_svm_LDADD = -lOpenCL
tests_cli_host_app_loads_SOURCES = tests/cli/host_app.c
tests_cli_host_app_loads_CPPFLAGS = $(AM_CPPFLAGS) -DLOADS
tests_cli_host_app_loads_LDADD = -ldl

long_cli_scripts = tests/cli/fuzz.sh tests/cli/verify_local.sh tests/cli/verify_values.sh
cli_scripts = \
	tests/cli/advice.sh \
	tests/cli/capture.sh \
	tests/cli/capture_pack.sh \
	tests/cli/check.sh \
	tests/cli/completions.sh \
	tests/cli/counts.py \
	tests/cli/coverage.sh \
	tests/cli/coverage_by_hand.sh \
	tests/cli/schedules.sh \
	tests/cli/disk_full.sh \
	tests/cli/doctor.sh \
	tests/cli/verify.sh \
	tests/cli/verify_invariants.sh \
	tests/cli/endings.sh \
	tests/cli/engine.sh \
	tests/cli/faults.sh \
	tests/cli/html_page.py \
	tests/cli/model_costs.py \
	tests/cli/installed.sh \
	tests/cli/lint.sh \
	tests/cli/loaders.sh \
	tests/cli/long_kernels.py \
	tests/cli/man.sh \
	tests/cli/mpi.sh \
	tests/cli/native.sh \
	tests/cli/options.sh \
	tests/cli/process.sh \
	tests/cli/profile.sh \
	tests/cli/textbook.sh \
	tests/cli/progress.py \
	tests/cli/ranks.sh \
	tests/cli/repeats.sh \
	tests/cli/run_ranks.sh \
	tests/cli/regions.sh \
	tests/cli/reports.sh \
	tests/cli/run.sh \
	tests/cli/signals.py \
	tests/cli/sim.sh \
	tests/cli/sites.sh \
	tests/cli/stats.sh \
	tests/cli/strangers.sh \
	tests/cli/terminal.py \
	tests/cli/trace.py \
	tests/cli/two_errors.py \
	tests/cli/unusual.sh \
	tests/cli/writers.py \
	tests/cli/written.sh
dist_check_SCRIPTS += $(cli_scripts)
LONG_TESTS += $(long_cli_scripts)
dist_check_SCRIPTS += $(long_cli_scripts)
TESTS += $(cli_scripts)
EXTRA_DIST += tests/cli/accessibility.js tests/cli/devtools.py tests/cli/forge.py tests/cli/cobertura.py tests/cli/gutters.py tests/cli/lib.sh tests/cli/trace_event.py tests/report/sarif.py tests/report/junit.xsd
# what the user of an app puts between it and OpenCL (loaders.sh)
check_LTLIBRARIES += tests/cli/layer_a.la tests/cli/layer_b.la tests/cli/preloaded.la
tests_cli_layer_a_la_SOURCES = tests/cli/layer.c
tests_cli_layer_a_la_CPPFLAGS = $(AM_CPPFLAGS) -DLAYER_NAME='"a"'
tests_cli_layer_a_la_LDFLAGS = -module -avoid-version -shared -rpath /none
tests_cli_layer_b_la_SOURCES = tests/cli/layer.c
tests_cli_layer_b_la_CPPFLAGS = $(AM_CPPFLAGS) -DLAYER_NAME='"b"'
tests_cli_layer_b_la_LDFLAGS = -module -avoid-version -shared -rpath /none
tests_cli_preloaded_la_SOURCES = tests/cli/layer.c
tests_cli_preloaded_la_CPPFLAGS = $(AM_CPPFLAGS) -DPRELOADED
tests_cli_preloaded_la_LIBADD = -ldl
tests_cli_preloaded_la_LDFLAGS = -module -avoid-version -shared -rpath /none
