# SPDX-License-Identifier: MIT
check_PROGRAMS += tests/fuzz/launches
tests_fuzz_launches_SOURCES = tests/fuzz/launches.c
tests_fuzz_launches_LDADD = -lOpenCL

check_PROGRAMS += tests/fuzz/walk
tests_fuzz_walk_SOURCES = tests/fuzz/walk.c
tests_fuzz_walk_LDADD = src/api/libcldbg.la -lpthread
TESTS += tests/fuzz/walk.sh
dist_check_SCRIPTS += tests/fuzz/walk.sh

# Programs that others made, damaged.
check_PROGRAMS += tests/fuzz/binaries
tests_fuzz_binaries_SOURCES = tests/fuzz/binaries.c
tests_fuzz_binaries_LDADD = -lOpenCL
TESTS += tests/fuzz/bitcode.py tests/fuzz/ir.py tests/fuzz/reports.py
dist_check_SCRIPTS += tests/fuzz/bitcode.py tests/fuzz/ir.py tests/fuzz/reports.py
EXTRA_DIST += tests/fuzz/ir

# Everything that reads what others wrote, over the corpus; with libFuzzer: `make fuzz FUZZ=name SECONDS=n`.
check_LTLIBRARIES += tests/fuzz/libread.la
tests_fuzz_libread_la_SOURCES = cli/image_arg.c cli/pipe_arg.c cli/parameter.c cli/read_file.c cli/scalar.c cli/sim.c cli/spec.c
tests_fuzz_libread_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_fuzz_libread_la_LIBADD = src/devices/libsettings.la src/debug/libdebug.la src/check/libcheck.la src/interp/libinterp.la \
	src/race/librace.la src/builtins/libbuiltins.la src/bytecode/libbytecode.la src/frontend/libfrontend.la \
	src/llvm/libllvmir.la src/report/libreport.la src/base/libbase.la \
	$(LLVM_LDFLAGS) $(LLVM_LIBS) $(JANSSON_LIBS) $(ZSTD_LIBS) -lpthread -ldl -lm
check_PROGRAMS += tests/fuzz/readers
tests_fuzz_readers_SOURCES = tests/fuzz/readers.c tests/fuzz/execute.c tests/fuzz/execute.h tests/fuzz/packs.c tests/fuzz/packs.h
tests_fuzz_readers_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests $(LLVM_CPPFLAGS)
tests_fuzz_readers_LDADD = tests/fuzz/libread.la
EXTRA_PROGRAMS += tests/fuzz/fuzzer
tests_fuzz_fuzzer_SOURCES = tests/fuzz/readers.c tests/fuzz/execute.c tests/fuzz/execute.h tests/fuzz/packs.c tests/fuzz/packs.h
tests_fuzz_fuzzer_CPPFLAGS = $(tests_fuzz_readers_CPPFLAGS) -DLIBFUZZER
tests_fuzz_fuzzer_LDADD = tests/fuzz/libread.la
tests_fuzz_fuzzer_LDFLAGS = -fsanitize=fuzzer
# The debugger's agent with a kernel stopped: what is typed, what an editor sends.
check_PROGRAMS += tests/fuzz/debugger
tests_fuzz_debugger_SOURCES = tests/fuzz/debugger.c cli/dap_client.c
tests_fuzz_debugger_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_fuzz_debugger_LDADD = src/api/libcldbg.la src/base/libbase.la $(JANSSON_LIBS) -lpthread
EXTRA_PROGRAMS += tests/fuzz/debugger-fuzzer
tests_fuzz_debugger_fuzzer_SOURCES = $(tests_fuzz_debugger_SOURCES)
tests_fuzz_debugger_fuzzer_CPPFLAGS = $(tests_fuzz_debugger_CPPFLAGS) -DLIBFUZZER
tests_fuzz_debugger_fuzzer_LDADD = $(tests_fuzz_debugger_LDADD)
tests_fuzz_debugger_fuzzer_LDFLAGS = -fsanitize=fuzzer
TESTS += tests/fuzz/readers.sh
EXTRA_DIST += tests/fuzz/corpus tests/fuzz/words
dist_check_SCRIPTS += tests/fuzz/readers.sh tests/fuzz/seeds.sh tests/fuzz/barriers.py tests/fuzz/differential.py tests/fuzz/engine.py tests/fuzz/engine_data.py tests/fuzz/engine_stores.py tests/fuzz/matrix.py tests/fuzz/native.py tests/fuzz/no_wrap.py
TESTS += tests/fuzz/barriers.py tests/fuzz/differential.py tests/fuzz/engine.py tests/fuzz/engine_data.py tests/fuzz/engine_stores.py tests/fuzz/matrix.py tests/fuzz/native.py tests/fuzz/no_wrap.py
EXTRA_DIST += tests/fuzz/launches.py tests/fuzz/generate.py tests/fuzz/regressions

# Longer: two thousand seeds, results compared with pocl's where that is installed, and how many kernels run in regions.
.PHONY: check-barriers
check-barriers: all tests/fuzz/launches
	$(srcdir)/tests/regions/share.py
	$(srcdir)/tests/fuzz/barriers.py 0 2000
	$(srcdir)/tests/fuzz/barriers.py --pocl 0 300 || test $$? = 77

# Machine code against checked execution.
.PHONY: check-native
check-native: all
	$(srcdir)/tests/fuzz/native.py 0 200

# Two thousand random kernels, nine ways to run each.
.PHONY: check-matrix
check-matrix: all tests/fuzz/launches
	$(srcdir)/tests/fuzz/matrix.py 0 2000

# Ten thousand random kernels without mistakes, in every way there is to run them. differential.py --reduce shortens one.
.PHONY: check-differential
check-differential: all tests/fuzz/launches tests/oracle/walker
	$(srcdir)/tests/fuzz/differential.py 0 10000

# Silent kernels in other launches and builds.
.PHONY: check-variations
dist_check_SCRIPTS += tests/fuzz/variations.py
check-variations: all
	$(srcdir)/tests/fuzz/variations.py

# libFuzzer on one of the targets of readers.c (tests/fuzz/readers --names) or debugger.c (lines, messages), with AddressSanitizer and
# UndefinedBehaviorSanitizer, in a build of its own below this one; new inputs that are worth keeping go to the corpus of the build.
FUZZ = program
SECONDS = 60
.PHONY: fuzz
fuzz: src/cc/cldbg-cc tests/fuzz/readers
	$(MKDIR_P) fuzz.dir && cd fuzz.dir && { test -f Makefile || $(abs_top_srcdir)/configure CC='$(FUZZ_CC)' \
	    --enable-asan --enable-ubsan CFLAGS='-O1 -g -fsanitize=fuzzer-no-link'; } && \
	leaks=1 && case $(FUZZ) in lines | messages) leaks=0 made='tests/fuzz/debugger-fuzzer src/cc/cldbg-cc' ;; *) made=tests/fuzz/fuzzer ;; esac && $(MAKE) z_defs= $$made && \
	$(MKDIR_P) corpus/$(FUZZ) && seeds= && case $(FUZZ) in assembly | program | run) seeds=../fuzz.seeds; \
	    test -d ../fuzz.seeds || (cd .. && srcdir=$(srcdir) $(srcdir)/tests/fuzz/seeds.sh fuzz.seeds 2) ;; \
	    wire) seeds=../fuzz.wire; $(MKDIR_P) $$seeds && ../tests/fuzz/readers --samples $$seeds ;; esac && FUZZ=$(FUZZ) CLDBG_OPTIONS=--global-mem-size=256m ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=$$leaks $${made%% *} -max_total_time=$(SECONDS) -rss_limit_mb=4096 -malloc_limit_mb=0 -timeout=20 -detect_leaks=$$leaks \
	    -max_len=$$(test $(FUZZ) = pack && echo 40000 || echo 20000) -artifact_prefix=$(FUZZ)- $$(words=$(abs_top_srcdir)/tests/fuzz/words/$(FUZZ); test ! -f $$words || echo -dict=$$words) \
	    corpus/$(FUZZ) $$(c=$(abs_top_srcdir)/tests/fuzz/corpus/$(FUZZ); test ! -d $$c || echo $$c) $$seeds
FUZZ_CC = clang-19
