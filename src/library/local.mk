# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/library/liblibrary.la
src_library_liblibrary_la_CPPFLAGS = $(AM_CPPFLAGS) -Isrc $(LLVM_CPPFLAGS)
src_library_liblibrary_la_SOURCES = \
	src/library/expand_conversions.c \
	src/library/expand_calls.c \
	src/library/expansions.h \
	src/library/half_builtins.c \
	src/library/library.h \
	src/library/expand_memory.c

# builtins.cl as bitcode, straight-line code (no branches however much is computed for nothing, no vectors but those that are written),
# as the initializer of an array
EXTRA_DIST += src/library/builtins.cl
$(src_library_liblibrary_la_OBJECTS): src/library/builtins.inc
CLEANFILES += src/library/builtins.inc
LIBRARY_CLFLAGS = -x cl -cl-std=CL3.0 --target=spir64 -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins -O1 \
	-fno-vectorize -fno-slp-vectorize -mllvm -disable-vector-combine -mllvm -phi-node-folding-threshold=100 \
	-mllvm -two-entry-phi-node-folding-threshold=100 -ffp-contract=off -cl-fp32-correctly-rounded-divide-sqrt
src/library/builtins.inc: src/library/builtins.cl
	@mkdir -p src/library
	$(AM_V_GEN)$(CLANG) $(LIBRARY_CLFLAGS) -emit-llvm -c -o $@.bc $< && od -An -v -tu1 $@.bc | sed 's/  */,/g; s/^,//; s/$$/,/' > $@.new && \
		rm $@.bc && mv $@.new $@
