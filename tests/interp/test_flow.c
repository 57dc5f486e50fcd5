// SPDX-License-Identifier: MIT
// Lanes that go different ways: against plain C, for gangs of one lane up to whole groups.
#include "interp/engine.h"

enum { N = 600, GROUP = 200 };
static const unsigned gangs[] = {1, 8, 16, 37, 64, 200, 256, 0};

static void against(const char *text, uint32_t (*want)(uint32_t id))
{
    for (unsigned k = 0; k < sizeof gangs / sizeof *gangs; k++) {
        static uint32_t out[N];
        memset(out, 0xa5, sizeof out);
        struct engine e;
        engine_open(&e, text, N, GROUP);
        e.l.gang = gangs[k];
        e.l.threads = k % 2 + 1;
        engine_buffer(&e, 0, out, sizeof out);
        engine_run(&e);
        for (uint32_t i = 0; i < N; i++)
            if (out[i] != want(i))
                fail_msg("gang %u: item %u gives %u, not %u", gangs[k], i, out[i], want(i));
        assert_string_equal(engine_findings(), "");
        assert_int_equal(e.st.groups, N / GROUP);
        engine_close(&e);
    }
}

#define SITE   "site write elem 4 space global index s32 scale 4 align 4\n"
#define KERNEL "kernel \"k\" fn 0\n arg buffer \"out\" \"uint*\" space global write\n piece 0 8 9\n"

// while (x != 1) { if (x & 1) { x = 3 * x + 1; if (x > 5000) break; } else x /= 2; n++; }
static const char *const nested = SITE
    "fn \"k\"\n uniform 10 const 0 1 3 5000\n varying 4 4 4 1 4 1\n"
    " loop header 1 last 6 parent -1\n"
    " block\n v0 = WI_I32 global_id 0\n v1 = ADD_I32 v0 u1 masked\n v2 = MOV_I32 u0 masked\n BR -> "
    "1\n"
    " block loop 0\n v3 = EQ_I32 v1 u1\n CBR v3 -> 7 2\n"
    " block loop 0\n v4 = AND_I32 v1 u1\n v5 = EQ_I32 v4 u1\n CBR v5 -> 3 5\n"
    " block loop 0\n v1 = MUL_I32 v1 u2 masked\n v1 = ADD_I32 v1 u1 masked\n v3 = ULT_I32 u3 v1\n "
    "CBR v3 -> 7 4\n"
    " block loop 0\n BR -> 6\n"
    " block loop 0\n v1 = LSHR_I32 v1 u1 masked\n BR -> 6\n"
    " block loop 0\n v2 = ADD_I32 v2 u1 masked\n BR -> 1\n"
    " block\n v4 = MUL_I32 v1 u3\n v4 = ADD_I32 v4 v2\n STORE u9 v0 v4 site 1\n RET\n" KERNEL;
static uint32_t nested_ref(uint32_t id)
{
    uint32_t x = id + 1, n = 0;
    while (x != 1) {
        if (x & 1) {
            x = 3 * x + 1;
            if (x > 5000) break;
        } else {
            x /= 2;
        }
        n++;
    }
    return x * 5000 + n;
}

// for (i = 0; i < id % 7; i++) for (j = 0; ; j++) { if (j == i + id % 3) break; if (s > 40) return
// early; s += j; }
static const char *const loops = SITE
    "fn \"k\"\n uniform 10 const 0 1 3 7 40 77\n varying 4 4 4 4 4 4 1 4\n"
    " loop header 1 last 6 parent -1\n loop header 2 last 5 parent 0\n"
    " block\n v0 = WI_I32 global_id 0\n v1 = UREM_I32 v0 u3 masked\n v2 = UREM_I32 v0 u2 masked\n "
    "v3 = MOV_I32 u0 masked\n"
    " v4 = MOV_I32 u0 masked\n v5 = MOV_I32 u0 masked\n BR -> 1\n"
    " block loop 0\n v6 = ULT_I32 v3 v1\n v5 = MOV_I32 u0 masked\n CBR v6 -> 2 8\n"
    " block loop 1\n v7 = ADD_I32 v3 v2\n v6 = EQ_I32 v5 v7\n CBR v6 -> 6 3\n"
    " block loop 1\n v6 = ULT_I32 u4 v4\n CBR v6 -> 7 4\n"
    " block loop 1\n v4 = ADD_I32 v4 v5 masked\n BR -> 5\n"
    " block loop 1\n v5 = ADD_I32 v5 u1 masked\n BR -> 2\n"
    " block loop 0\n v3 = ADD_I32 v3 u1 masked\n BR -> 1\n"
    " block\n STORE u9 v0 u5 site 1\n RET\n"
    " block\n STORE u9 v0 v4 site 1\n RET\n" KERNEL;
static uint32_t loops_ref(uint32_t id)
{
    uint32_t s = 0;
    for (uint32_t i = 0; i < id % 7; i++)
        for (uint32_t j = 0; j != i + id % 3; j++) {
            if (s > 40) return 77;
            s += j;
        }
    return s;
}

// An irreducible pair of blocks 1 and 2, entered at either: no loop is described.
static const char *const irreducible = SITE
    "fn \"k\"\n uniform 10 const 0 1 3 30\n varying 4 4 4 1\n"
    " block\n v0 = WI_I32 global_id 0\n v1 = MOV_I32 u0 masked\n v2 = AND_I32 v0 u1\n v3 = EQ_I32 "
    "v2 u1\n CBR v3 -> 1 2\n"
    " block\n v1 = ADD_I32 v1 u2 masked\n BR -> 2\n"
    " block\n v1 = ADD_I32 v1 u1 masked\n v2 = ADD_I32 v1 v0\n v3 = ULT_I32 v2 u3\n CBR v3 -> 1 3\n"
    " block\n STORE u9 v0 v1 site 1\n RET\n" KERNEL;
static uint32_t irreducible_ref(uint32_t id)
{
    uint32_t v = id & 1 ? 3 : 0;
    for (;;) {
        v += 1;
        if (v + id >= 30) return v;
        v += 3;
    }
}

// f(x, k): if (x & 1) return x * k; return g(x) + 1; g(x): while (x > 9) x -= 9; return x — called
// twice
static const char *const calls = SITE
    "fn \"k\"\n uniform 10 const 0 1 3 100\n varying 4 4 4 1\n"
    " block\n v0 = WI_I32 global_id 0\n v3 = ULT_I32 v0 u3\n [ v1 ] = CALL 1 [ v0 u2 ] masked\n "
    "CBR v3 -> 1 2\n"
    " block\n [ v1 ] = CALL 1 [ v1 u3 ] masked\n BR -> 2\n"
    " block\n STORE u9 v0 v1 site 1\n RET\n"
    "fn \"f\"\n uniform 4 const 1\n varying 4 4 4 1\n params v0 u2\n rets v1\n"
    " block\n v2 = AND_I32 v0 u0\n v3 = EQ_I32 v2 u0\n CBR v3 -> 1 2\n"
    " block\n v2 = MUL_I32 v0 u2\n RET [ v2 ]\n"
    " block\n [ v2 ] = CALL 2 [ v0 ]\n v2 = ADD_I32 v2 u0\n RET [ v2 ]\n"
    "fn \"g\"\n uniform 4 const 9\n varying 4 1\n params v0\n rets v0\n loop header 1 last 2 "
    "parent -1\n"
    " block\n BR -> 1\n"
    " block loop 0\n v1 = ULT_I32 u0 v0\n CBR v1 -> 2 3\n"
    " block loop 0\n v0 = SUB_I32 v0 u0 masked\n BR -> 1\n"
    " block\n RET [ v0 ]\n" KERNEL;
static uint32_t f(uint32_t x, uint32_t k)
{
    if (x & 1) return x * k;
    while (x > 9) x -= 9;
    return x + 1;
}
static uint32_t calls_ref(uint32_t id) { return id < 100 ? f(f(id, 3), 100) : f(id, 3); }

static void test_nested(void **state) { against(nested, nested_ref); }
static void test_loops(void **state) { against(loops, loops_ref); }
static void test_irreducible(void **state) { against(irreducible, irreducible_ref); }
static void test_calls(void **state) { against(calls, calls_ref); }

/** Ids in three dimensions that the group size does not divide. */
static void test_ids(void **state)
{
    static const char *const text =
        "site write elem 8 space global index i64 scale 8 align 8\n"
        "fn \"k\"\n uniform 10 const 0\n varying 8 8 8 8 8\n block\n v0 = WI_I64 global_linear_id "
        "0\n v1 = WI_I64 global_id 0\n"
        " v2 = WI_I64 global_id 1\n v3 = WI_I64 global_id 2\n v4 = MUL_I64 v2 u1\n v1 = ADD_I64 v1 "
        "v4\n"
        " v3 = MUL_I64 v3 u2\n v1 = ADD_I64 v1 v3\n u3 = WI_I64 local_size 0\n v1 = ADD_I64 v1 "
        "u3\n v2 = WI_I64 local_linear_id 0\n"
        " v1 = ADD_I64 v1 v2\n STORE u9 v0 v1 site 1\n RET\n"
        "kernel \"k\" fn 0\n arg buffer \"out\" \"ulong*\" space global write\n piece 0 8 9\n arg "
        "value \"a\" \"long\" size 8\n piece 0 8 1\n"
        " arg value \"b\" \"long\" size 8\n piece 0 8 2\n";
    enum { X = 10, Y = 7, Z = 5 };
    const uint64_t k1 = 1000, k2 = 1000000;
    for (unsigned k = 0; k < sizeof gangs / sizeof *gangs; k++) {
        uint64_t out[X * Y * Z] = {0};
        struct engine e;
        engine_open(&e, text, X, 4);
        e.l.dims = 3;
        e.l.global[1] = Y, e.l.global[2] = Z;
        e.l.local[1] = 3, e.l.local[2] = 2;
        e.l.offset[0] = 100, e.l.offset[2] = 7;
        e.l.gang = gangs[k];
        engine_buffer(&e, 0, out, sizeof out);
        engine_value(&e, 1, &k1);
        engine_value(&e, 2, &k2);
        engine_run(&e);
        assert_string_equal(engine_findings(), "");
        for (unsigned z = 0; z < Z; z++)
            for (unsigned y = 0; y < Y; y++)
                for (unsigned x = 0; x < X; x++) {
                    const unsigned w = x < 8 ? 4 : 2, h = y < 6 ? 3 : 1;
                    const uint64_t local = x % 4 + w * (y % 3 + h * (z % 2));
                    assert_int_equal(out[(z * Y + y) * X + x],
                                     x + 100 + y * k1 + (z + 7) * k2 + w + local);
                }
        engine_close(&e);
    }
}

static void test_limit(void **state)
{
    static const char *const forever = "fn \"k\"\n uniform 1 const 0\n varying\n loop header 1 "
                                       "last 1 parent -1\n block\n BR -> 1\n"
                                       " block loop 0\n BR -> 1\nkernel \"k\" fn 0\n";
    struct engine e;
    engine_open(&e, forever, 64, 64);
    e.l.instruction_limit = 100000;
    engine_run(&e);
    assert_non_null(strstr(engine_findings(), "instruction-limit"));
    volatile int cancel = 1;
    e.l.instruction_limit = 0;
    e.l.cancel = &cancel;
    engine_run(&e);
    assert_string_equal(engine_findings(), "");
    engine_close(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested),      cmocka_unit_test(test_loops),
        cmocka_unit_test(test_irreducible), cmocka_unit_test(test_calls),
        cmocka_unit_test(test_ids),         cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
