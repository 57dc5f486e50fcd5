# SPDX-License-Identifier: MIT
EXTRA_PROGRAMS += bench/measure bench/libm
bench_libm_SOURCES = bench/libm.c
bench_libm_LDADD = -lm
bench_measure_SOURCES = bench/measure.c
bench_measure_LDADD = -lOpenCL
CLEANFILES += bench/measure bench/libm
EXTRA_DIST += bench/kernels.cl bench/gpu_kernels.cl bench/compare.py bench/native.py bench/cold.py bench/counting.py bench/captures.py bench/opcodes.py bench/README.md bench/wider.cl bench/wider.py bench/debugger.cl bench/debugger.py

.PHONY: bench
bench: all bench/measure tests/fuzz/launches
	/usr/bin/python3 $(srcdir)/bench/compare.py bench/measure cli/cldbg $(srcdir)/bench/kernels.cl $(BENCH); status=$$?; \
	test -n "$(filter-out --%,$(BENCH))" || /usr/bin/python3 $(srcdir)/bench/opcodes.py tests/fuzz/launches cli/cldbg; \
	exit $$status

.PHONY: bench-native
bench-native: all bench/measure bench/libm
	/usr/bin/python3 $(srcdir)/bench/native.py bench/measure cli/cldbg $(srcdir)/bench/kernels.cl $(BENCH)

.PHONY: bench-wider
bench-wider: all
	/usr/bin/python3 $(srcdir)/bench/wider.py cli/cldbg $(srcdir)/bench/wider.cl $(BENCH)

.PHONY: bench-counting
bench-counting: all bench/measure
	/usr/bin/python3 $(srcdir)/bench/counting.py bench/measure cli/cldbg $(srcdir)/bench/kernels.cl $(BENCH)

.PHONY: bench-debugger
bench-debugger: all
	/usr/bin/python3 $(srcdir)/bench/debugger.py cli/cldbg $(srcdir)/bench/debugger.cl $(BENCH)

# Ranks of mpirun: speed-up, and the model of doc/SCALE.md.
EXTRA_PROGRAMS += bench/ranks_cost
bench_ranks_cost_SOURCES = bench/ranks_cost.c
bench_ranks_cost_LDADD = src/devices/libdevices.la src/race/librace.la src/base/libbase.la -ldl
CLEANFILES += bench/ranks_cost
EXTRA_DIST += bench/ranks.py bench/ranks_model.py
.PHONY: bench-ranks
bench-ranks: all bench/ranks_cost
	/usr/bin/python3 $(srcdir)/bench/ranks.py cli/cldbg bench/ranks_cost $(BENCH)

.PHONY: bench-captures
bench-captures: all tests/cli/capture_many
	/usr/bin/python3 $(srcdir)/bench/captures.py cli/cldbg tests/cli/capture_many $(BENCH)
