# SPDX-License-Identifier: MIT
noinst_LTLIBRARIES += src/bytecode/libbytecode.la
src_bytecode_libbytecode_la_SOURCES = \
	src/bytecode/asm.c src/bytecode/asm.h \
	src/bytecode/asm_debug.c \
	src/bytecode/asm_insn.c \
	src/bytecode/asm_words.c \
	src/bytecode/binary.c \
	src/bytecode/bytecode.h \
	src/bytecode/dependence.c src/bytecode/dependence.h \
	src/bytecode/disasm.c \
	src/bytecode/bytecode.c \
	src/bytecode/opcodes.h \
	src/bytecode/operands.c src/bytecode/operands.h \
	src/bytecode/ops.c \
	src/bytecode/ops.def \
	src/bytecode/pipe_head.h \
	src/bytecode/properties.def \
	src/bytecode/question.c src/bytecode/question.h \
	src/bytecode/registers.c src/bytecode/registers.h \
	src/bytecode/text.c src/bytecode/text.h \
	src/bytecode/verify.c \
	src/bytecode/wire.c src/bytecode/wire.h
