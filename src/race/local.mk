# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/race/librace.la src/race/liblanes1.la
src_race_librace_la_SOURCES = \
	src/race/interval_trace.c src/race/call.h \
	src/race/group_spill.c \
	src/race/barrier_intervals.c src/race/barrier_intervals.h \
	src/race/cells.c src/race/cells.h \
	src/race/clocks.c src/race/clocks.h \
	src/race/exact.c \
	src/race/compressed_readers.c \
	src/race/granularity.c \
	src/race/groups.c \
	src/race/last_writer.c \
	src/race/epochs.c \
	src/race/read_set.c src/race/read_set.h \
	src/race/order.c src/race/order.h \
	src/race/pair_report.c \
	src/race/pairs.c \
	src/race/pattern.c \
	src/race/race.c src/race/race.h \
	src/race/access_memo.c \
	src/race/shadow.c src/race/shadow.h \
	src/race/tree.c src/race/tree.h \
	src/race/copies_in_flight.c \
	src/race/divided.c
src_race_librace_la_LIBADD = src/race/liblanes1.la

# One source, three levels of x86-64; race.c takes the one for the processor.
# Named one by one: the -O2 of CFLAGS comes later and would take back an -O3. No function that takes vectors is called
# from elsewhere, so their ABI does not matter.
LANES_CFLAGS = -Wno-psabi $(VECTORISE_CFLAGS) $(LOOPS_CFLAGS) $(COMMONING_CFLAGS)
lanes_sources = src/race/lanes.c src/race/lanes.h src/race/end_comparison.c src/race/end_comparison.h src/race/find.inc src/race/interval.inc src/race/ownership.inc src/race/lanes.inc src/race/pattern.inc src/race/rows.inc
src_race_liblanes1_la_SOURCES = $(lanes_sources)
src_race_liblanes1_la_CPPFLAGS = $(AM_CPPFLAGS) -DLANES_LEVEL=1
src_race_liblanes1_la_CFLAGS = $(AM_CFLAGS) $(LANES_CFLAGS)
if X86_64
noinst_LTLIBRARIES += src/race/liblanes3.la src/race/liblanes4.la
src_race_librace_la_LIBADD += src/race/liblanes3.la src/race/liblanes4.la
src_race_liblanes3_la_SOURCES = $(lanes_sources)
src_race_liblanes3_la_CPPFLAGS = $(AM_CPPFLAGS) -DLANES_LEVEL=3
src_race_liblanes3_la_CFLAGS = $(AM_CFLAGS) $(LANES_CFLAGS) -march=x86-64-v3
src_race_liblanes4_la_SOURCES = $(lanes_sources)
src_race_liblanes4_la_CPPFLAGS = $(AM_CPPFLAGS) -DLANES_LEVEL=4
src_race_liblanes4_la_CFLAGS = $(AM_CFLAGS) $(LANES_CFLAGS) -march=x86-64-v4 -mprefer-vector-width=512
endif
