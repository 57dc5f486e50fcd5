// SPDX-License-Identifier: MIT
// Accesses: in bounds up to the last byte before an unmapped page, outside in every way, and what
// is reported for them.
#include "interp/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/** `size` bytes that end where a page begins that cannot be touched, and begin after another. */
static char *fenced(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), body = (size + page - 1) / page * page;
    char *p =
        mmap(NULL, body + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p, page, PROT_NONE);
    mprotect(p + page + body, page, PROT_NONE);
    return p + page + body - size;
}

// out[id] = in[id * m + k], for indices of three kinds; only where id < n
#define COPY(kind, wi, mul, add, conv)                                                             \
    "file \"a.cl\"\nloc file 0 line 4 col 2 fn \"k\"\nloc file 0 line 5 col 3 fn \"k\"\n"          \
    "site read elem 4 space global index " kind " scale 4 align 4 loc 1\n"                         \
    "site write elem 4 space global index s32 scale 4 align 4 loc 2\n"                             \
    "fn \"k\"\n uniform 8 const 0\n varying 4 8 4 1 4\n block\n v0 = WI_I32 global_id 0\n v3 = "   \
    "ULT_I32 v0 u5\n CBR v3 -> 1 2\n"                                                              \
    " block\n" conv " v2 = LOAD u1 " wi                                                            \
    " site 1 @1\n STORE u2 v0 v2 site 2 @2\n BR -> 2\n block\n RET\n"                              \
    "kernel \"k\" fn 0\n arg buffer \"in\" \"int*\" space global read\n piece 0 8 1\n"             \
    " arg buffer \"out\" \"int*\" space global write\n piece 0 8 2\n"                              \
    " arg value \"m\" \"int\" size 8\n piece 0 8 3\n arg value \"k\" \"int\" size 8\n piece 0 8 "  \
    "4\n"                                                                                          \
    " arg value \"n\" \"uint\" size 4\n piece 0 4 5\n"
static const char *const copies[] = {
    COPY("s32", "v4", , , " v4 = MUL_I32 v0 u3\n v4 = ADD_I32 v4 u4\n"),
    COPY("u32", "v4", , , " v4 = MUL_I32 v0 u3\n v4 = ADD_I32 v4 u4\n"),
    COPY("i64", "v1", , , " v1 = SEXT_I64_I32 v0\n v1 = MUL_I64 v1 u3\n v1 = ADD_I64 v1 u4\n"),
};

static void run_copy(unsigned which, unsigned gang, int64_t m, int64_t k, uint32_t n,
                     uint32_t items)
{
    const uint32_t size = 100;
    int32_t *in = (int32_t *)fenced(4 * size), *out = (int32_t *)fenced(4 * items);
    for (uint32_t i = 0; i < size; i++) in[i] = (int32_t)(1000 + i);
    memset(out, 0x11, 4 * items);
    struct engine e;
    engine_open(&e, copies[which], items, items);
    e.l.gang = gang;
    engine_buffer(&e, 0, in, 4 * size);
    engine_buffer(&e, 1, out, 4 * items);
    engine_value(&e, 2, &m);
    engine_value(&e, 3, &k);
    engine_value(&e, 4, &n);
    engine_run(&e);
    unsigned bad = 0;
    for (uint32_t i = 0; i < items; i++) {
        const int64_t at = (int64_t)(i * (uint64_t)m + (uint64_t)k); // as the kernel does
        const bool inside = at >= 0 && at < size;
        if (i < n) bad += !inside;
        const int32_t want = i >= n ? 0x11111111 : inside ? in[at] : 0;
        if (out[i] != want)
            fail_msg("%u gang %u m %d k %d n %u: item %u gives %d, not %d", which, gang, (int)m,
                     (int)k, n, i, out[i], want);
    }
    assert_int_equal(engine_count(), bad != 0);
    if (bad) {
        char times[32];
        snprintf(times, sizeof times, "|x%u\n", bad);
        assert_non_null(strstr(engine_findings(), times));
        assert_non_null(strstr(
            engine_findings(),
            "out-of-bounds|read of 4 bytes outside global memory 'in'|a.cl:4 read of 4 bytes by"));
    }
    engine_close(&e);
}

static void test_bounds(void **state)
{
    static const unsigned gangs[] = {1, 8, 37, 64, 0};
    for (unsigned w = 0; w < 3; w++)
        for (unsigned g = 0; g < 5; g++) {
            run_copy(w, gangs[g], 1, 0, 100, 100);
            run_copy(w, gangs[g], 1, 1, 100, 100); // one past the end
            run_copy(w, gangs[g], 1, 0, 100, 101); // the inactive lane is the one that would
            run_copy(w, gangs[g], 0, 99, 64, 64);  // all at the last
            run_copy(w, gangs[g], 0, 100, 64, 64); // all after it
            run_copy(w, gangs[g], 2, 0, 50, 64);
            run_copy(w, gangs[g], 1000000, 0, 1, 64);
            if (w == 1) continue; // unsigned
            run_copy(w, gangs[g], -1, 63, 64, 64);
            run_copy(w, gangs[g], 1, -1, 64, 64);
            run_copy(w, gangs[g], 3, -20, 48, 48);
        }
    run_copy(2, 0, 1ll << 40, 0, 64, 64);
    run_copy(2, 0, 1ll << 62, 0, 64, 64); // the product with 4 would wrap to 0
}

#define HEAD "file \"a.cl\"\nloc file 0 line 7 col 2 fn \"k\"\nloc file 0 line 1 col 1 fn \"k\"\n"
#define TAIL                                                                                       \
    "kernel \"k\" fn 0\n arg buffer \"p\" \"int*\" space global read write loc 2\n piece 0 8 8\n"  \
    " arg value \"v\" \"long\" size 8\n piece 0 8 9\n"

struct wrong {
    const char *site, *access, *want;
    int64_t v;
};
// p is 64 bytes; u8 is p, u9 is v, v0 the id, v1 and v2 8-byte registers
static const struct wrong wrongs[] = {
    {"site read elem 4 space global index none align 4 loc 1", "u7 = LOAD u9 _ site 1",
     "null-dereference|read of 4 bytes through a null pointer|a.cl:7", 0},
    {"site write elem 4 space global index s32 scale 4 align 4 loc 1", "STORE u9 v0 v0 site 1",
     "null-dereference|write of 4 bytes through a null pointer|a.cl:7", 0},
    {"site read elem 4 space global index none align 4 loc 1", "u7 = LOAD u9 _ site 1",
     "address-space|read of 4 bytes through a pointer to no memory object", 77ll << 48},
    {"site read elem 4 space local index none align 4 loc 1", "u7 = LOAD u8 _ site 1",
     "address-space|read of 4 bytes through a pointer into another address space, to global memory "
     "'p'",
     0},
    {"site read elem 4 space global index none disp 2 align 4 loc 1", "u7 = LOAD u8 _ site 1",
     "misaligned-access|misaligned read of 4 bytes in global memory 'p'", 0},
    {"site read elem 4 space global index i64 scale 1 align 4 loc 1", "v3 = LOAD u8 u9 site 1",
     "misaligned-access|misaligned read of 4 bytes in global memory 'p'", 6},
    {"site write elem 4 ncomp 4 space global index none disp 52 align 4 loc 1",
     "STORE u8 _ [ v0 v0 u0 u1 ] site 1",
     "out-of-bounds|write of 16 bytes outside global memory 'p'|a.cl:7 write of 16 bytes by "
     "0,0,0/0|'p' is 64 bytes of global memory (declared at a.cl:1)|the access begins inside at "
     "offset 52 and ends 4 bytes past its end",
     0},
    {"site read elem 4 space global index i64 scale 4 align 4 loc 1", "u7 = LOAD u8 u9 site 1",
     "the access begins 4 bytes before its beginning", -1},
    {"site read elem 4 space global index i64 scale 4 align 4 loc 1", "u7 = LOAD u8 u9 site 1",
     "far outside", INT64_MAX},
    {"site rmw elem 4 space global index i64 scale 4 align 4 op add loc 1",
     "ATOMIC u8 u9 u1 site 1", "out-of-bounds|atomic update of 4 bytes outside", 16},
    {"site lea space global index i64 scale 4 loc 1\nsite read elem 4 space global index none "
     "align 4 loc 1",
     "u6 = LEA u8 u9 site 1\n u7 = LOAD u6 _ site 2", "out-of-bounds", 1ll << 60},
    {"site lea space global index i64 scale 4 loc 1\nsite read elem 4 space global index s32 scale "
     "4 align 4 loc 1",
     "v1 = LEA u8 u9 site 1\n v3 = LOAD v1 v0 site 2", "out-of-bounds", -(1ll << 60)},
};

static void test_wrong(void **state)
{
    for (unsigned i = 0; i < sizeof wrongs / sizeof *wrongs; i++)
        for (unsigned gang = 1; gang <= 8; gang += 7) {
            const struct wrong *w = &wrongs[i];
            struct str text = {0};
            str_printf(&text,
                       HEAD "%s\nfn \"k\"\n uniform 10 const 0 1\n varying 4 8 8 4\n block\n v0 = "
                            "WI_I32 global_id 0\n %s @1\n RET\n" TAIL,
                       w->site, w->access);
            char *p = fenced(64);
            struct engine e;
            engine_open(&e, str_text(&text), 8, 8);
            e.l.gang = gang;
            engine_buffer(&e, 0, p, 64);
            engine_value(&e, 1, &w->v);
            engine_run(&e);
            if (!strstr(engine_findings(), w->want))
                fail_msg("%u: %s lacks %s", i, engine_findings(), w->want);
            assert_int_equal(engine_count(), 1);
            for (int k = 0; k < 64; k++) assert_int_equal(p[k], 0);
            engine_close(&e);
            str_deinit(&text);
        }
}

static void test_null_and_read_only(void **state)
{
    static const char *const text = HEAD
        "site write elem 4 space global index s32 scale 4 align 4 loc 1\nfn \"k\"\n uniform 10 "
        "const 0 1\n varying 4\n block\n"
        " v0 = WI_I32 global_id 0\n STORE u8 v0 v0 site 1 @1\n RET\n" TAIL;
    int32_t p[40] = {0};
    const int64_t v = 0;
    struct engine e;
    engine_open(&e, text, 32, 32);
    engine_buffer(&e, 0, NULL, 0);
    engine_value(&e, 1, &v);
    engine_run(&e);
    assert_non_null(strstr(engine_findings(), "null-dereference"));
    engine_buffer(&e, 0, p, sizeof p);
    e.args[0].buffer.read_only = e.args[0].buffer.is_foreign =
        true; // the app's memory: never written
    engine_run(&e);
    assert_non_null(strstr(engine_findings(),
                           "read-only-write|write of 4 bytes to read-only global memory 'p'"));
    assert_int_equal(p[3], 0);
    e.args[0].buffer.is_foreign = false; // ours: reported and written, as devices do
    engine_run(&e);
    assert_non_null(strstr(engine_findings(),
                           "read-only-write|write of 4 bytes to read-only global memory 'p'"));
    assert_int_equal(p[3], 3);
    memset(p, 0, sizeof p);
    e.args[0].buffer.read_only = false;
    e.args[0].buffer.offset = 16; // a sub-buffer
    e.args[0].buffer.size = 64;
    engine_run(&e);
    assert_non_null(strstr(engine_findings(), "|'p' is 64 bytes"));
    assert_non_null(strstr(engine_findings(), "|x16\n"));
    assert_int_equal(p[3], 0);
    assert_int_equal(p[19], 15);
    assert_int_equal(p[20], 0);
    engine_close(&e);
}

// a private array of 16 ints, 8 longs and 32 chars, written and read at uniform and varying indices
static void test_private(void **state)
{
    static const char *const text = HEAD
        "object private \"a\" \"int[16]\" size 64 align 4 fn 0\nobject private \"b\" \"long[8]\" "
        "size 64 align 8 fn 0\n"
        "object private \"c\" \"char[32]\" size 32 align 1 fn 0\n"
        "site write elem 4 space private index s32 scale 4 align 4 loc 1\nsite read elem 4 space "
        "private index s32 scale 4 align 4 loc 1\n"
        "site write elem 8 space private index s32 scale 8 align 8 loc 1\nsite read elem 8 space "
        "private index s32 scale 8 align 8 loc 1\n"
        "site write elem 1 space private index s32 scale 1 align 1 loc 1\nsite read elem 1 space "
        "private index s32 scale 1 align 1 loc 1\n"
        "site write elem 4 space global index s32 scale 4 align 4 loc 1\n"
        "fn \"k\"\n uniform 10 const 0x1800000000000 0x2800000000000 0x3800000000000 3 7 15 2\n "
        "varying 4 4 4 8 8 1 1 4\n block\n"
        " v0 = WI_I32 global_id 0\n"
        " v1 = AND_I32 v0 u5\n STORE u0 v1 v0 site 1\n STORE u0 u6 v0 site 1\n v2 = LOAD u0 v1 "
        "site 2\n" // a[id & 15] = id; a[2] = id
        " v1 = AND_I32 v0 u4\n v3 = SEXT_I64_I32 v0\n STORE u1 v1 v3 site 3\n STORE u1 u3 u4 site "
        "3\n v4 = LOAD u1 v1 site 4\n"
        " v5 = TRUNC_I8_I32 v0\n v1 = AND_I32 v0 u5\n STORE u2 v1 v5 site 5\n v6 = LOAD u2 v1 site "
        "6\n"
        " v1 = TRUNC_I32_I64 v4\n v2 = ADD_I32 v2 v1\n v1 = ZEXT_I32_I8 v6\n v2 = ADD_I32 v2 v1\n "
        "STORE u8 v0 v2 site 7\n"
        " v1 = LOAD u0 v0 site 2 @1\n RET\n" TAIL;
    for (unsigned gang = 1; gang < 300; gang = gang * 2 + 5) {
        int32_t out[100] = {0};
        const int64_t v = 0;
        struct engine e;
        engine_open(&e, text, 100, 100);
        e.l.gang = gang;
        engine_buffer(&e, 0, out, sizeof out);
        engine_value(&e, 1, &v);
        engine_run(&e);
        for (int i = 0; i < 100; i++)
            assert_int_equal(out[i], i + ((i & 7) == 3 ? 7 : i) + (i & 0xff));
        assert_non_null(
            strstr(engine_findings(), "out-of-bounds|read of 4 bytes outside private memory 'a'"));
        assert_non_null(strstr(engine_findings(), "|x84\n"));
        assert_int_equal(engine_count(), 1);
        engine_close(&e);
    }
}

// Pointers that differ between lanes, into two buffers and nowhere
static void test_many_objects(void **state)
{
    static const char *const text = HEAD
        "site read elem 4 space global index s32 scale 4 align 4 loc 1\nsite write elem 4 space "
        "global index s32 scale 4 align 4 loc 1\n"
        "fn \"k\"\n uniform 10 const 0 1 2\n varying 4 4 1 8 4 1\n block\n v0 = WI_I32 global_id "
        "0\n v1 = AND_I32 v0 u1\n"
        " v2 = EQ_I32 v1 u1\n v3 = SEL_I64 v2 u7 u8\n v5 = EQ_I32 v0 u2\n v3 = SEL_I64 v5 u0 v3\n "
        "v4 = LOAD v3 v0 site 1 @1\n"
        " v4 = ADD_I32 v4 u1\n STORE v3 v0 v4 site 2 @1\n RET\n"
        "kernel \"k\" fn 0\n arg buffer \"p\" \"int*\" space global read write\n piece 0 8 8\n"
        " arg buffer \"q\" \"int*\" space global read write\n piece 0 8 7\n";
    int32_t p[64], q[64];
    for (int i = 0; i < 64; i++) p[i] = i, q[i] = 100 + i;
    struct engine e;
    engine_open(&e, text, 64, 64);
    engine_buffer(&e, 0, p, sizeof p);
    engine_buffer(&e, 1, q, sizeof q);
    engine_run(&e);
    for (int i = 0; i < 64; i++) {
        assert_int_equal(p[i], i % 2 || i == 2 ? i : i + 1);
        assert_int_equal(q[i], i % 2 ? 101 + i : 100 + i);
    }
    assert_int_equal(engine_count(), 2); // the read and the write of work-item 2
    assert_non_null(strstr(engine_findings(), "null-dereference|read of 4 bytes through a null "
                                              "pointer|a.cl:7 read of 4 bytes by 2,0,0/0"));
    engine_close(&e);
}

// Vectors, whose first destination is the register of the index; private memory has its own way
static void test_vectors(void **state)
{
    static const char *const text = HEAD
        "object private \"a\" \"int[64]\" size 256 align 8 fn 0\n"
        "site read elem 4 ncomp 3 space global index s32 scale 16 align 16 loc 1\n"
        "site write elem 4 ncomp 2 space private index s32 scale 8 align 8 loc 1\n"
        "site read elem 4 ncomp 2 space private index s32 scale 8 align 8 loc 1\n"
        "site write elem 4 ncomp 3 space global index s32 scale 16 align 16 loc 1\n"
        "fn \"k\"\n uniform 10 const 0x1800000000000 31\n varying 4 4 4 4\n block\n v0 = WI_I32 "
        "global_id 0\n v1 = MOV_I32 v0\n"
        " [ v1 v2 v3 ] = LOAD u8 v1 site 1\n v0 = AND_I32 v0 u1\n STORE u0 v0 [ v2 v1 ] site 2\n"
        " [ v0 v1 ] = LOAD u0 v0 site 3\n v2 = WI_I32 global_id 0\n STORE u8 v2 [ v0 v1 v3 ] site "
        "4\n RET\n" TAIL;
    for (unsigned gang = 1; gang < 300; gang = gang * 2 + 5) {
        int32_t p[4 * 50] __attribute__((aligned(16)));
        for (int i = 0; i < 200; i++) p[i] = i;
        const int64_t v = 0;
        struct engine e;
        engine_open(&e, text, 50, 50);
        e.l.gang = gang;
        engine_buffer(&e, 0, p, sizeof p);
        engine_value(&e, 1, &v);
        engine_run(&e);
        assert_string_equal(engine_findings(), "");
        for (int i = 0; i < 50; i++) {
            const int32_t want[4] = {4 * i + 1, 4 * i, 4 * i + 2, 4 * i + 3};
            assert_memory_equal(p + 4 * i, want, 16);
        }
        engine_close(&e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_null_and_read_only),
        cmocka_unit_test(test_private),
        cmocka_unit_test(test_many_objects),
        cmocka_unit_test(test_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
