# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/frontend/libfrontend.la
src_frontend_libfrontend_la_CPPFLAGS = $(AM_CPPFLAGS) -Isrc $(LLVM_CPPFLAGS) -DCLDBG_PKGLIBDIR='"$(pkglibdir)"'
src_frontend_libfrontend_la_SOURCES = \
	src/frontend/assumptions.c src/frontend/assumptions.h \
	src/frontend/clang.c src/frontend/clang.h \
	src/frontend/spirv_child.c src/frontend/spirv_child.h src/frontend/spirv_lowering.c src/frontend/spirv_lowering.h \
	src/frontend/spirv_composite.c src/frontend/spirv_dot.c src/frontend/spirv_rewriting.h \
	src/frontend/debug_metadata.c src/frontend/debug_metadata.h \
	src/frontend/debug_types.c src/frontend/debug_types.h src/frontend/dwarf.h \
	src/frontend/header_dir.c src/frontend/header_dir.h \
	src/frontend/kernel_meta.c src/frontend/kernel_meta.h \
	src/frontend/kernel_stubs.c src/frontend/kernel_stubs.h \
	src/frontend/front_end.c src/frontend/front_end.h \
	src/frontend/function_linking.c src/frontend/function_linking.h \
	src/frontend/libraries.c src/frontend/libraries.h \
	src/frontend/odd_integers.c src/frontend/odd_integers.h \
	src/frontend/options.c src/frontend/options.h \
	src/frontend/reach.c src/frontend/reach.h \
	src/frontend/spir_metadata.c src/frontend/spir_metadata.h \
	src/frontend/spir_variables.c src/frontend/spir_variables.h \
	src/frontend/type_text.c src/frontend/type_text.h

# these files as strings of C; needed first, also by `make src/cc/cldbg-cc` in a new build
FRONTEND_TEXTS = src/frontend/device_enqueue.inc src/frontend/intel_sub_groups.inc src/frontend/pipes.inc
EXTRA_DIST += src/frontend/device_enqueue.cl src/frontend/intel_sub_groups.cl src/frontend/pipes.cl
$(src_frontend_libfrontend_la_OBJECTS): $(FRONTEND_TEXTS)
CLEANFILES += $(FRONTEND_TEXTS)
src/frontend/intel_sub_groups.inc: src/frontend/intel_sub_groups.cl
	@mkdir -p src/frontend
	$(AM_V_GEN)sed 's/\\/&&/g; s/"/\\"/g; s/.*/"&\\n"/' $< > $@.new && mv $@.new $@
src/frontend/pipes.inc: src/frontend/pipes.cl
	@mkdir -p src/frontend
	$(AM_V_GEN)sed 's/\\/&&/g; s/"/\\"/g; s/.*/"&\\n"/' $< > $@.new && mv $@.new $@
src/frontend/device_enqueue.inc: src/frontend/device_enqueue.cl
	@mkdir -p src/frontend
	$(AM_V_GEN)sed 's/\\/&&/g; s/"/\\"/g; s/.*/"&\\n"/' $< > $@.new && mv $@.new $@
