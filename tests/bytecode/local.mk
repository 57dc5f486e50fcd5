# SPDX-License-Identifier: MIT
check_PROGRAMS += tests/bytecode/test_binary
TESTS += tests/bytecode/test_binary
tests_bytecode_test_binary_SOURCES = tests/bytecode/test_binary.c
tests_bytecode_test_binary_LDADD = src/bytecode/libbytecode.la src/builtins/libbuiltins.la src/base/libbase.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/bytecode/test_asm
TESTS += tests/bytecode/test_asm
tests_bytecode_test_asm_SOURCES = tests/bytecode/test_asm.c
tests_bytecode_test_asm_LDADD = src/bytecode/libbytecode.la src/builtins/libbuiltins.la src/base/libbase.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/bytecode/test_registers
TESTS += tests/bytecode/test_registers
tests_bytecode_test_registers_SOURCES = tests/bytecode/test_registers.c
tests_bytecode_test_registers_LDADD = src/bytecode/libbytecode.la src/builtins/libbuiltins.la src/base/libbase.la $(CMOCKA_LIBS)
