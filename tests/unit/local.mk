# SPDX-License-Identifier: MIT
check_PROGRAMS += tests/unit/test_base
TESTS += tests/unit/test_base
tests_unit_test_base_SOURCES = tests/unit/test_base.c
tests_unit_test_base_LDADD = src/base/libbase.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test_fork_server
TESTS += tests/unit/test_fork_server
tests_unit_test_fork_server_SOURCES = tests/unit/test_fork_server.c
tests_unit_test_fork_server_LDADD = src/base/libbase.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test_cache
TESTS += tests/unit/test_cache
tests_unit_test_cache_SOURCES = tests/unit/test_cache.c src/devices/cache.c
tests_unit_test_cache_LDADD = src/base/libbase.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test_out
TESTS += tests/unit/test_out
tests_unit_test_out_SOURCES = tests/unit/test_out.c
tests_unit_test_out_LDADD = src/base/libbase.la $(CMOCKA_LIBS)
