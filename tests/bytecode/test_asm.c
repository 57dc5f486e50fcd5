// SPDX-License-Identifier: MIT
// The text form: what is read is what was printed, and a mistake is reported with its line.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "bytecode/bytecode.h"

#include <cmocka.h>
#include <string.h>

static const char *const everything =
    "file \"a b.cl\" path \"/x/a.cl\" text \"kernel\\n\\\"q\\\"\" first 3\n"
    "loc file 0 line 3 col 4 fn \"f\"\nloc file 0 line 9 col 1 fn \"k\" inlined 1 scope 1\n"
    "object local \"tmp\" \"float[4]\" size 16 align 4 loc 1\n"
    "object constant \"t\" \"int*[1]\" size 8 align 8 nopadding param init 0102030405060708\n  "
    "reloc 0 target 0 addend -4\n"
    "site lea elem 1 ncomp 1 space generic index i64 scale -12 disp -4 align 1\n"
    "site read elem 4 ncomp 2 space global index s32 scale 8 disp 0 align 8 float loc 2\n"
    "site rmw elem 4 ncomp 1 space local index none scale 0 disp 0 align 4 op cmpxchg order "
    "acq_rel scope group failure relaxed volatile\n"
    "site write elem 1 ncomp 1 space global index u32 scale 1 disp 0 align 1 fn 1\n"
    "fn \"k\" loc 1 barrier parts\n  uniform 6 const 0x1 0xffffffffffffffff\n  varying 8 4 4 1 8 "
    "4\n  params u2 v1\n  rets v2\n"
    "  loop header 1 last 2 parent -1 counter v1 barrier\n"
    "  block loop -1 # 0\n"
    "      v0 = WI_I64 local_id 2 stmt @1\n"
    "      v1 = ADD_I32 v2 u1 masked @2\n"
    "      v2 = SEL_I32 v3 u0 v1\n"
    "      v4 = LEA u2 v0 site 1\n"
    "      v4 = SPACE v4 3\n"
    "      v4 = CANONICAL v4\n"
    "      [ v1 v2 ] = LOAD u2 v1 site 2 masked\n"
    "      STORE u2 v1 [ v1 u0 ] site 2\n"
    "      STORE u2 _ v3 site 4\n"
    "      v2 = ATOMIC u2 _ v1 [ u0 ] site 3\n"
    "      COPY v4 u2 u3 site 4 read 2\n"
    "      SET v4 v3 u3 site 4\n"
    "      [ v1 ] = LANEFN 3 [ v2 u0 ]\n"
    "      v2 = PRINTF \"%d\\n\" I32 [ v1 ] F32 [ v1 v2 ]\n"
    "      FENCE 3\n"
    "      v0 = ASYNC_COPY v4 u2 u3 elem 4 read 2 stride _ 0 event u3 site 4\n"
    "      WAIT_EVENTS u2 u0 site 2\n"
    "      INDEX v1 u2 1 10\n"
    "      IMAGE u2 _ 0 [ v1 u0 ] [ v2 v1 v2 v5 ] site 2\n"
    "      v1 = IMAGE_QUERY u2 3\n"
    "      [ v1 v2 ] = CALL 1 [ u0 v1 ]\n"
    "      BR -> 1\n"
    "  block loop 0 # 1\n"
    "      CBR v3 -> 2 3\n"
    "  block loop 0 # 2\n"
    "      BARRIER 0 u0 2 -> 1\n"
    "  block loop -1 # 3\n"
    "      RET [ v1 ]\n"
    "fn \"g\"\n  uniform 0\n  varying\n  params\n  rets\n"
    "  block loop -1 # 0\n      TRAP\n"
    "kernel \"k\" fn 0 reqd 8 1 1 hint 0 0 0 vec \"int4\" attrs \"x\" local 16 private 4 printf "
    "atomics barrier packed 2 specialized 3"
    " requires global_id 1 lt plus -2 wide signed narrow arg 1 bits 32 extended value -7 requires "
    "local_id 0 ge value 9 refused \"why\"\n"
    "  arg buffer \"p\" \"int*\" space global size 8 align 4 loc 1 const restrict volatile write "
    "read atomics\n    piece 0 8 2\n"
    "  arg value \"v\" \"int2\" space private size 8\n    piece 0 4 3\n    piece 4 4 4\n"
    "type void \"\"\ntype int \"int\" size 4\ntype struct \"P\" size 16\n  member \"x\" type 1 "
    "offset 4 bit 1 bits 2\n  member \"next\" type 3 offset 8\n"
    "type pointer \"\" base 2 size 8\ntype array \"\" base 1 size 12 count 3\n"
    "scope parent 0\nscope parent 0 fn \"k\" returns 1\nvar \"i\" type 1 object 1 scope 1 loc 2 "
    "param\n";

static void test_round_trip(void **state)
{
    struct bc_module *m, *again;
    struct str a = {0}, b = {0};
    struct err *e = bc_assemble(everything, &m);
    if (e) fail_msg("%s", err_message(e));
    bc_disassemble(m, &a);
    assert_string_equal(str_text(&a), everything);
    assert_null(bc_assemble(str_text(&a), &again));
    bc_disassemble(again, &b);
    assert_string_equal(str_text(&a), str_text(&b));
    assert_int_equal(m->nlocs, 3);
    assert_int_equal(m->fns[0].blocks[2].first, 23);
    assert_int_equal(m->fns[0].insns[10].ext, 2);
    bc_module_destroy(m);
    bc_module_destroy(again);
    str_deinit(&a);
    str_deinit(&b);
}

static void test_mistakes(void **state)
{
    static const struct {
        const char *text, *want;
    } wrong[] = {
        {"fn \"k\"\n block\n v0 = ADD_I31 v0 v1\n", "line 3: 'ADD_I31' is not an opcode"},
        {"fn \"k\"\n block\n v0 = ADD_I32 v0\n", "line 3: an operand is wanted, not ''"},
        {"fn \"k\"\n block\n\n v0 = ADD_I32 v0 v1 v2\n", "line 4: 'v2' is not expected here"},
        {"fn k\n", "line 1: a quoted string is wanted, not 'k'"},
        {"v0 = ADD_I32 v0 v0", "line 1: 'v0' outside a function"},
        {"file \"a", "line 1: a quoted string has no end"},
        {"file \"a\\x1", "line 1: a quoted string has no end"},
        {"site read elem x", "line 1: a number is wanted, not 'x'"},
        {"reloc 0 target 0 addend 0", "line 1: a reloc before any object"},
        {"object constant \"t\" \"\" size 2 init 01",
         "line 1: an object of 2 bytes has 2 hexadecimal digits"},
        {"member \"x\" type 1", "line 1: a member before any type"},
        {"type int \"int\" bits 1", "line 1: 'bits' is not known of a type"},
        {"object constant \"t\" \"\" size 2 init 1g00", "line 1: no hexadecimal digits in '1g'"},
        {"object constant \"t\" \"\" size 0x8000000000000001 init 01",
         "line 1: an object of 9223372036854775809 bytes has 2 hexadecimal digits"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct bc_module *m = NULL;
        struct err *e = bc_assemble(wrong[i].text, &m);
        assert_non_null(e);
        assert_null(m);
        assert_string_equal(err_message(e), wrong[i].want);
        err_free(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
