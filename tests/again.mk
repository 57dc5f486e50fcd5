# SPDX-License-Identifier: MIT
# The tests once more, under instruments; each in a build of its own below this one (the source must not be configured
# in place). TESTS=… chooses as with `make check`. doc/TESTING.md says what they gave.
.PHONY: check-asan check-tsan check-valgrind coverage
AGAIN = $(MKDIR_P) $@.dir && cd $@.dir && { test -f Makefile || $(abs_top_srcdir)/configure CC='$(CC)'

# AddressSanitizer and UndefinedBehaviorSanitizer. Apps that are not built with them load the driver, so the sanitizer comes late there;
# leaks are left to check-valgrind: LeakSanitizer does not survive the race shadow's mappings.
check-asan:
	$(AGAIN) --enable-asan --enable-ubsan CFLAGS='-O1 -g'; } && $(MAKE) && \
	ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0:handle_segv=0:quarantine_size_mb=4 $(MAKE) check

# ThreadSanitizer. Apps that crash, or fork with threads, are not judged.
check-tsan:
	$(AGAIN) --enable-tsan CFLAGS='-O1 -g'; } && $(MAKE) && \
	$(CC) -shared -fPIC -fsanitize=thread -o tsan.so '$(abs_top_srcdir)/tests/tsan.c' && \
	library=$$(ldd ./tsan.so | sed -n 's/.*libtsan.* => \(.*\) (.*/\1/p') && \
	CLDBG_TEST_TSAN=1 TSAN_OPTIONS=handle_segv=0:die_after_fork=0:atexit_sleep_ms=20 $(MAKE) check TESTS_ENVIRONMENT="LD_PRELOAD='$$library $$PWD/tsan.so'"

# Those tests that are programs of their own; scripts would only check the shell.
check-valgrind: all
	CLDBG_TEST_VALGRIND=1 $(MAKE) check TESTS="$$(for t in $(TESTS); do case $$t in *.sh | *.py | *.tap) ;; *) echo $$t ;; esac; done | tr '\n' ' ')" \
	    LOG_COMPILER='$(LIBTOOL) --mode=execute valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite'

# What programs that end by _exit or a signal ran is not counted.
coverage:
	$(AGAIN) CFLAGS='-O1 -g --coverage -fprofile-update=atomic'; } && $(MAKE) && { $(MAKE) check || echo 'coverage: some tests failed'; } && \
	rm -f *conftest.gc* && gcovr --root '$(abs_top_srcdir)' --filter '.*/src/.*' --gcov-ignore-parse-errors -j 2 --sort-percentage \
	    --txt ../coverage.txt --print-summary . && echo "line by line: $$(cd .. && pwd)/coverage.txt"

# What tests/aarch64.sh builds and runs: the engine and what is below it.
aarch64_tests = tests/unit/test_base tests/bytecode/test_asm tests/bytecode/test_binary tests/interp/test_flow tests/interp/test_group tests/interp/test_memory tests/interp/test_ops tests/race/test_race tests/race/test_race_oracle tests/race/test_order_oracle tests/builtins/test_lanes
EXTRA_DIST += tests/aarch64.sh tests/again.mk tests/tsan.c
