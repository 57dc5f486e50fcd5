# SPDX-License-Identifier: MIT
# The oracle shares no code with src/: it links LLVM and Jansson only.
check_PROGRAMS += tests/oracle/walker
tests_oracle_walker_SOURCES = tests/oracle/walker.h tests/oracle/main.c tests/oracle/code.c tests/oracle/objects.c \
	tests/oracle/order.c tests/oracle/calls.c tests/oracle/walk.c tests/oracle/groups.c tests/oracle/sub_groups.c tests/oracle/images.c \
	tests/oracle/verdict.c tests/oracle/each.c
tests_oracle_walker_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CPPFLAGS)
tests_oracle_walker_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_oracle_walker_LDADD = $(LLVM_LDFLAGS) $(LLVM_LIBS) $(JANSSON_LIBS) -lm
dist_check_SCRIPTS += tests/oracle/check.sh tests/oracle/batch.py tests/oracle/judge.py tests/oracle/mutate.py \
	tests/oracle/planted.py tests/oracle/reduce.py tests/oracle/score.py
TESTS += tests/oracle/check.sh
LONG_TESTS += tests/oracle/check.sh

# Everything: the corpus, all its mutants, generated kernels and theirs.
.PHONY: check-oracle
check-oracle: all tests/oracle/walker
	$(srcdir)/tests/oracle/score.py --count=200 --sample=1 --reasons=10
