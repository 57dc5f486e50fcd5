# SPDX-License-Identifier: MIT
api_tests = tests/api/test_api_refusals tests/api/test_api_graph tests/api/test_api_buffers tests/api/test_api_programs \
	tests/api/test_api_images tests/api/test_api_threads tests/api/test_api_svm tests/api/test_api_usm tests/api/test_api_command_buffers tests/api/test_api_sub_devices tests/api/test_api_il tests/api/test_api_intel_sub_groups tests/api/test_api_dot_product tests/api/test_api_printf tests/api/test_api_compiler \
	tests/api/test_api_codes tests/api/test_api_table
check_PROGRAMS += $(api_tests)
TESTS += $(api_tests) tests/api/clinfo.sh
dist_check_SCRIPTS += tests/api/clinfo.sh
EXTRA_DIST += tests/api/fixture.h
tests_api_test_api_refusals_SOURCES = tests/api/test_api_refusals.c
tests_api_test_api_refusals_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS)
tests_api_test_api_graph_SOURCES = tests/api/test_api_graph.c
tests_api_test_api_graph_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS) -lpthread
tests_api_test_api_buffers_SOURCES = tests/api/test_api_buffers.c
tests_api_test_api_buffers_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS)
tests_api_test_api_programs_SOURCES = tests/api/test_api_programs.c
tests_api_test_api_programs_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS) -lpthread
check_PROGRAMS += tests/api/leaky
tests_api_leaky_SOURCES = tests/api/leaky.c
tests_api_leaky_LDADD = src/api/libcldbg.la
TESTS += tests/api/check_api.sh
dist_check_SCRIPTS += tests/api/check_api.sh
check_PROGRAMS += tests/api/written
tests_api_written_SOURCES = tests/api/written.c
tests_api_written_LDADD = src/api/libcldbg.la
TESTS += tests/api/written.sh
dist_check_SCRIPTS += tests/api/written.sh
check_PROGRAMS += tests/api/mixed_binary
tests_api_mixed_binary_SOURCES = tests/api/mixed_binary.c
tests_api_mixed_binary_LDADD = src/base/libbase.la -lOpenCL
tests_api_test_api_images_SOURCES = tests/api/test_api_images.c
tests_api_test_api_images_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS) -lm
tests_api_test_api_threads_SOURCES = tests/api/test_api_threads.c
tests_api_test_api_threads_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS) -lpthread
check_PROGRAMS += tests/api/together
tests_api_together_SOURCES = tests/api/together.c
tests_api_together_LDADD = src/api/libcldbg.la
TESTS += tests/api/together.sh
dist_check_SCRIPTS += tests/api/together.sh
tests_api_test_api_sub_devices_SOURCES = tests/api/test_api_sub_devices.c
tests_api_test_api_sub_devices_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS)
tests_api_test_api_printf_SOURCES = tests/api/test_api_printf.c
tests_api_test_api_printf_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS)
tests_api_test_api_dot_product_SOURCES = tests/api/test_api_dot_product.c
tests_api_test_api_dot_product_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS)
tests_api_test_api_intel_sub_groups_SOURCES = tests/api/test_api_intel_sub_groups.c
tests_api_test_api_intel_sub_groups_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS)
tests_api_test_api_il_SOURCES = tests/api/test_api_il.c
tests_api_test_api_il_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS)
tests_api_test_api_codes_SOURCES = tests/api/test_api_codes.c
tests_api_test_api_codes_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS)
tests_api_test_api_table_SOURCES = tests/api/test_api_table.c
tests_api_test_api_table_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS)
tests_api_test_api_compiler_SOURCES = tests/api/test_api_compiler.c
tests_api_test_api_compiler_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS)
tests_api_test_api_command_buffers_SOURCES = tests/api/test_api_command_buffers.c
tests_api_test_api_command_buffers_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS)
tests_api_test_api_usm_SOURCES = tests/api/test_api_usm.c
tests_api_test_api_usm_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS)
tests_api_test_api_svm_SOURCES = tests/api/test_api_svm.c
tests_api_test_api_svm_LDADD = src/api/libcldbg.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/api/hostile
tests_api_hostile_SOURCES = tests/api/hostile.c
tests_api_hostile_LDADD = -lOpenCL
TESTS += tests/api/hostile.py
EXTRA_DIST += tests/api/attacks
dist_check_SCRIPTS += tests/api/hostile.py
# has malloc and related functions of its own
if !SANITIZED
check_PROGRAMS += tests/api/refused
tests_api_refused_SOURCES = tests/api/refused.c
tests_api_refused_LDADD = src/api/libcldbg.la
check_LTLIBRARIES += tests/api/refusing.la
tests_api_refusing_la_SOURCES = tests/api/refusing.c
tests_api_refusing_la_LDFLAGS = -module -avoid-version -shared -rpath /none
TESTS += tests/api/refused.py
endif
dist_check_SCRIPTS += tests/api/refused.py
check_PROGRAMS += tests/api/patient
tests_api_patient_SOURCES = tests/api/patient.c
tests_api_patient_LDADD = -lOpenCL
check_PROGRAMS += tests/api/many
tests_api_many_SOURCES = tests/api/many.c
tests_api_many_LDADD = -lOpenCL
TESTS += tests/api/many.sh
dist_check_SCRIPTS += tests/api/many.sh

# Time and memory under load, each at three sizes: half an hour.
check_PROGRAMS += tests/api/load
tests_api_load_SOURCES = tests/api/load.c
tests_api_load_LDADD = -lOpenCL -lpthread
dist_check_SCRIPTS += tests/api/load.py
.PHONY: check-load
check-load: all tests/api/load
	$(srcdir)/tests/api/load.py $(LOAD)

check_PROGRAMS += tests/api/newer
tests_api_newer_SOURCES = tests/api/newer.c
tests_api_newer_LDADD = -lOpenCL
TESTS += tests/api/newer.sh
dist_check_SCRIPTS += tests/api/newer.sh
check_PROGRAMS += tests/api/usm
tests_api_usm_SOURCES = tests/api/usm.c
tests_api_usm_LDADD = -lOpenCL
TESTS += tests/api/usm.sh
dist_check_SCRIPTS += tests/api/usm.sh
check_PROGRAMS += tests/api/command_buffer
tests_api_command_buffer_SOURCES = tests/api/command_buffer.c
tests_api_command_buffer_LDADD = -lOpenCL
TESTS += tests/api/command_buffer.sh
dist_check_SCRIPTS += tests/api/command_buffer.sh
check_PROGRAMS += tests/api/piped
tests_api_piped_SOURCES = tests/api/piped.c
tests_api_piped_LDADD = -lOpenCL
TESTS += tests/api/piped.sh
dist_check_SCRIPTS += tests/api/piped.sh
TESTS += tests/api/spir.py tests/api/host_races.py
dist_check_SCRIPTS += tests/api/spir.py tests/api/host_races.py
EXTRA_DIST += tests/api/spir.ll
check_PROGRAMS += tests/api/test_happens_before
TESTS += tests/api/test_happens_before
tests_api_test_happens_before_SOURCES = tests/api/test_happens_before.c
tests_api_test_happens_before_LDADD = src/api/libordering.la src/base/libbase.la
check_PROGRAMS += tests/api/beginner
tests_api_beginner_SOURCES = tests/api/beginner.c
tests_api_beginner_LDADD = -lOpenCL
TESTS += tests/api/beginner.sh
dist_check_SCRIPTS += tests/api/beginner.sh
