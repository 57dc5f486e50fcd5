# SPDX-License-Identifier: MIT
check_PROGRAMS += tests/report/test_report
TESTS += tests/report/test_report
tests_report_test_report_SOURCES = tests/report/test_report.c
tests_report_test_report_LDADD = src/report/libreport.la src/base/libbase.la $(CMOCKA_LIBS)
