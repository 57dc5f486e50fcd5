# SPDX-License-Identifier: MIT
check_PROGRAMS += tests/race/test_divided tests/race/test_race tests/race/test_race_memory tests/race/test_race_oracle tests/race/test_race_patterns tests/race/test_order_oracle tests/race/test_order_cost tests/race/test_read_set
TESTS += tests/race/test_divided tests/race/test_race tests/race/test_race_memory tests/race/test_race_oracle tests/race/test_race_patterns tests/race/test_order_oracle tests/race/test_order_cost tests/race/test_read_set tests/race/levels.sh
dist_check_SCRIPTS += tests/race/levels.sh
tests_race_test_divided_SOURCES = tests/race/test_divided.c
tests_race_test_divided_LDADD = src/race/librace.la src/base/libbase.la $(CMOCKA_LIBS)
tests_race_test_race_SOURCES = tests/race/test_race.c
tests_race_test_race_LDADD = src/race/librace.la src/base/libbase.la $(CMOCKA_LIBS)
tests_race_test_race_memory_SOURCES = tests/race/test_race_memory.c
tests_race_test_race_memory_LDADD = src/race/librace.la src/base/libbase.la $(CMOCKA_LIBS)
tests_race_test_race_oracle_SOURCES = tests/race/test_race_oracle.c tests/race/oracle.c tests/race/oracle.h
tests_race_test_race_oracle_LDADD = src/race/librace.la src/base/libbase.la $(CMOCKA_LIBS)
tests_race_test_race_patterns_SOURCES = tests/race/test_race_patterns.c
tests_race_test_race_patterns_LDADD = src/race/librace.la src/base/libbase.la $(CMOCKA_LIBS)
tests_race_test_order_oracle_SOURCES = tests/race/test_order_oracle.c
tests_race_test_order_oracle_LDADD = src/race/librace.la src/base/libbase.la $(CMOCKA_LIBS)
tests_race_test_order_cost_SOURCES = tests/race/test_order_cost.c
tests_race_test_order_cost_LDADD = src/race/librace.la src/base/libbase.la $(CMOCKA_LIBS)
tests_race_test_read_set_SOURCES = tests/race/test_read_set.c
tests_race_test_read_set_LDADD = src/race/librace.la src/base/libbase.la $(CMOCKA_LIBS)

# make bench/race_bench
EXTRA_PROGRAMS += bench/race_bench
bench_race_bench_SOURCES = bench/race_bench.c
bench_race_bench_LDADD = src/race/librace.la src/base/libbase.la
