// SPDX-License-Identifier: MIT
// Register pressure, counted by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "bytecode/registers.h"

#include <cmocka.h>

static uint32_t registers_of(const char *text)
{
    struct bc_module *m;
    struct err *const e = bc_assemble(text, &m);
    if (e) fail_msg("%s", err_message(e));
    const uint32_t n = bc_registers(m, 0);
    bc_module_destroy(m);
    return n;
}

static void test_line(void **state)
{
    // Before the last addition of 32 bits: v0 (2 registers), v1, v2. Uniform ones do not count.
    assert_int_equal(
        registers_of("fn \"k\"\n uniform 2 const 0x1\n varying 8 4 4 4\n params\n rets v3 v0\n"
                     " block loop -1\n"
                     "  v0 = WI_I64 local_id 0\n"
                     "  v1 = ADD_I32 u0 u1\n"
                     "  v2 = ADD_I32 v1 u0\n"
                     "  v3 = ADD_I32 v2 v1\n"
                     "  RET [ v3 v0 ]\n"),
        4);
}

static void test_unread(void **state)
{
    // The second value is written while the first one is live, though nothing reads it.
    assert_int_equal(
        registers_of("fn \"k\"\n uniform 1 const 0x1\n varying 4 8\n params\n rets v0\n"
                     " block loop -1\n"
                     "  v0 = ADD_I32 u0 u0\n"
                     "  v1 = WI_I64 local_id 0\n"
                     "  RET [ v0 ]\n"),
        3);
    assert_int_equal(registers_of("fn \"k\"\n uniform 1 const 0x1\n varying\n params\n rets\n"
                                  " block loop -1\n  RET\n"),
                     0);
}

static void test_loop(void **state)
{
    // v0 and v1 go around the loop, which does not use them: 2 + 1, with v2 and the condition v3.
    assert_int_equal(
        registers_of("fn \"k\"\n uniform 1 const 0x1\n varying 8 2 4 1\n params\n rets v0\n"
                     " loop header 1 last 1 parent -1 counter _\n"
                     " block loop -1\n"
                     "  v0 = WI_I64 local_id 0\n"
                     "  v1 = ADD_I16 u0 u0\n"
                     "  v2 = ADD_I32 u0 u0\n"
                     "  BR -> 1\n"
                     " block loop 0\n"
                     "  v2 = ADD_I32 v2 u0\n"
                     "  v3 = EQ_I32 v2 u0\n"
                     "  CBR v3 -> 1 2\n"
                     " block loop -1\n"
                     "  RET [ v0 v1 v2 ]\n"),
        5);
}

static void test_call(void **state)
{
    // v0 outlives the call, v1 ends there: 2 registers and the 4 of the function.
    assert_int_equal(
        registers_of("fn \"k\"\n uniform 1 const 0x1\n varying 8 4 4\n params\n rets v0\n"
                     " block loop -1\n"
                     "  v0 = WI_I64 local_id 0\n"
                     "  v1 = ADD_I32 u0 u0\n"
                     "  [ v2 ] = CALL 1 [ v1 ]\n"
                     "  RET [ v0 v2 ]\n"
                     "fn \"f\"\n uniform 1 const 0x1\n varying 4 4 4 4\n params v0\n rets v0\n"
                     " block loop -1\n"
                     "  v1 = ADD_I32 v0 u0\n"
                     "  v2 = ADD_I32 v0 u0\n"
                     "  v3 = ADD_I32 v0 v1\n"
                     "  v3 = SEL_I32 v3 v1 v2\n"
                     "  v0 = ADD_I32 v3 v0\n"
                     "  RET [ v0 ]\n"),
        6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_line), cmocka_unit_test(test_unread),
                                       cmocka_unit_test(test_loop), cmocka_unit_test(test_call)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
