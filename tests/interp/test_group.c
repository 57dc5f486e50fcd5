// SPDX-License-Identifier: MIT
// Work-items of a group together: barriers right and wrong, races reported, atomics, waiting for
// one another, printf in the order of groups.
#include "interp/engine.h"

#include <stdlib.h>

static const unsigned gangs[] = {1, 8, 20, 64, 0};
#define FOR_GANGS(g)                                                                               \
    for (unsigned k_ = 0, g; k_ < sizeof gangs / sizeof *gangs && (g = gangs[k_], true); k_++)

#define LOCS                                                                                       \
    "file \"b.cl\"\nloc file 0 line 3 col 2\nloc file 0 line 5 col 2\nloc file 0 line 7 col "      \
    "2\nloc file 0 line 9 col 2\n"
#define SITES                                                                                      \
    "object local \"tmp\" \"int[64]\" size 256 align 4 fn 0 loc 1\n"                               \
    "site write elem 4 space local index s32 scale 4 align 4 loc 2\nsite read elem 4 space local " \
    "index s32 scale 4 align 4 loc 3\n"                                                            \
    "site write elem 4 space global index s32 scale 4 align 4 loc 4\n"
#define KERNEL                                                                                     \
    "kernel \"k\" fn 0 barrier\n arg buffer \"out\" \"int*\" space global write\n piece 0 8 9\n"

// tmp[lid] = lid * 3; barrier(flags); out[gid] = tmp[63 - lid], three times around
static const char *const reverse = LOCS SITES
    "fn \"k\" barrier\n uniform 12 const 0x1800000000000 1 63 3 %u 0\n varying 4 4 4 4 1\n loop "
    "header 1 last 4 parent -1 barrier\n"
    " block\n v0 = WI_I32 local_id 0\n u10 = MOV_I32 u5\n BR -> 1\n"
    " block loop 0\n u11 = ULT_I32 u10 u3\n CBR u11 -> 2 5\n"
    " block loop 0\n v1 = MUL_I32 v0 u3\n v1 = ADD_I32 v1 u10\n STORE u0 v0 v1 site 1 @2\n BARRIER "
    "0 u4 2 -> 3 @1\n"
    " block loop 0\n v2 = SUB_I32 u2 v0\n v3 = LOAD u0 v2 site 2 @3\n v1 = WI_I32 global_id 0\n "
    "STORE u9 v1 v3 site 3 @4\n"
    " u10 = ADD_I32 u10 u1\n %s\n"
    " block loop 0\n BR -> 1\n block\n RET\n" KERNEL;

static void run_reverse(unsigned gang, unsigned flags, const char *end, unsigned threads)
{
    char text[4096];
    snprintf(text, sizeof text, reverse, flags, end);
    int32_t out[640];
    struct engine e;
    engine_open(&e, text, 640, 64);
    e.l.gang = gang;
    e.l.threads = threads;
    engine_buffer(&e, 0, out, sizeof out);
    engine_run(&e);
    for (int i = 0; i < 640; i++)
        if (flags & 1) assert_int_equal(out[i], (63 - i % 64) * 3 + 2);
    engine_close(&e);
}

static void test_barrier(void **state)
{
    FOR_GANGS(g) {
        run_reverse(g, 1, "BARRIER 0 u4 2 -> 4 @1", 1);
        assert_string_equal(engine_findings(), "");
        run_reverse(g, 1, "BARRIER 0 u4 2 -> 4 @1", 2);
        assert_string_equal(engine_findings(), "");
        // the wrong flags, and none
        run_reverse(g, 2, "BARRIER 0 u4 2 -> 4 @1", 2);
        assert_non_null(
            strstr(engine_findings(),
                   "missing-fence|missing fence on local memory 'tmp'|b.cl:5 write of 4 bytes by"));
        run_reverse(g, 1, "BR -> 4", 1);
        assert_non_null(
            strstr(engine_findings(),
                   "data-race|data race on local memory 'tmp'|b.cl:5 write of 4 bytes by"));
        assert_non_null(
            strstr(engine_findings(),
                   "|'tmp' is 256 bytes of local memory (declared at b.cl:3); the bytes are "));
    }
}

static void test_divergence(void **state)
{
    // if (lid < 8) barrier; else if (lid == 20) return; then barrier of all
    static const char *const text = LOCS
        "fn \"k\" barrier\n uniform 12 const 1 8 20\n varying 4 1\n"
        " block\n v0 = WI_I32 local_id 0\n v1 = ULT_I32 v0 u1\n CBR v1 -> 1 2\n"
        " block\n BARRIER 0 u0 2 -> 4 @2\n"
        " block\n v1 = EQ_I32 v0 u2\n CBR v1 -> 3 4\n"
        " block\n RET\n"
        " block\n BARRIER 0 u0 2 -> 5 @3\n"
        " block\n RET\n" KERNEL;
    FOR_GANGS(g) {
        int32_t out[4];
        struct engine e;
        engine_open(&e, text, 32, 32);
        e.l.gang = g;
        engine_buffer(&e, 0, out, sizeof out);
        engine_run(&e);
        const char *f = engine_findings();
        assert_non_null(strstr(f, "barrier-divergence|barrier not reached by all work-items of the "
                                  "group|b.cl:7 reached by 8,0,0/0|b.cl:5 reached by 0,0,0/0"));
        assert_non_null(
            strstr(f, "23 work-items of 32 (local 8..19, 21..31) are at the barrier at b.cl:7"));
        assert_non_null(strstr(f, "8 work-items of 32 (local 0..7) are at the barrier at b.cl:5"));
        assert_non_null(strstr(f, "1 work-item of 32 (local 20) has returned"));
        // the eight come to the second barrier when the others have passed it
        assert_int_equal(engine_count(), 1); // follow-on errors are not reported
        engine_close(&e);
    }
}

static void test_iterations(void **state)
{
    // for (i = 1; i <= 3; i++) { if (i == 1 && lid == 5) continue; barrier; }
    static const char *const text = LOCS
        "fn \"k\" barrier\n uniform 12 const 0 1 3 5\n varying 4 4 4 1 1\n loop header 1 last 4 "
        "parent -1 counter v1 barrier\n"
        " block\n v0 = WI_I32 local_id 0\n v1 = MOV_I32 u1 masked\n v2 = EQ_I32 v0 u3\n v2 = "
        "MOV_I32 u0 masked\n BR -> 1\n"
        " block loop 0\n v3 = ULE_I32 v1 u2\n CBR v3 -> 2 5\n"
        " block loop 0\n v3 = EQ_I32 v1 u1\n v4 = EQ_I32 v0 u3\n v3 = AND_I8 v3 v4\n CBR v3 -> 4 "
        "3\n"
        " block loop 0\n BARRIER 0 u1 2 -> 4 @2\n"
        " block loop 0\n v1 = ADD_I32 v1 u1 masked\n BR -> 1\n"
        " block\n RET\n" KERNEL;
    char fixed[4096];
    snprintf(fixed, sizeof fixed, "%s", text);
    char *odd = strstr(fixed, "v2 = EQ_I32 v0 u3\n ");
    memmove(odd, odd + strlen("v2 = EQ_I32 v0 u3\n "),
            strlen(odd + strlen("v2 = EQ_I32 v0 u3\n ")) + 1);
    FOR_GANGS(g) {
        int32_t out[4];
        struct engine e;
        engine_open(&e, fixed, 16, 16);
        e.l.gang = g;
        engine_buffer(&e, 0, out, sizeof out);
        engine_run(&e);
        assert_non_null(strstr(engine_findings(),
                               "work-items of a group reach this barrier in different iterations"));
        assert_non_null(strstr(
            engine_findings(),
            "1 work-item of 16 (local 5) is at the barrier at b.cl:5, in iteration 2 of the loop"));
        engine_close(&e);
    }
}

#define ATOMIC(op, order)                                                                          \
    "site rmw elem 4 space global index none align 4 op " op " order " order " scope device loc "  \
    "2\n"

static void test_atomics(void **state)
{
    // out[1 + gid] = atomic_add(&out[0], lid); local sum likewise by a float
    static const char *const text = LOCS ATOMIC(
        "add", "relaxed") "site write elem 4 space global index s32 scale 4 disp 4 align 4 loc 4\n"
                          "fn \"k\"\n uniform 12 const 0\n varying 4 4 4\n block\n v0 = WI_I32 "
                          "local_id 0\n v1 = ATOMIC u9 _ v0 site 1 @2\n"
                          " v2 = WI_I32 global_id 0\n STORE u9 v2 v1 site 2 @4\n RET\n" KERNEL;
    FOR_GANGS(g) {
        static uint32_t out[1 + 4096];
        memset(out, 0, sizeof out);
        struct engine e;
        engine_open(&e, text, 4096, 128);
        e.l.gang = g;
        e.l.threads = 2;
        engine_buffer(&e, 0, out, sizeof out);
        engine_run(&e);
        assert_string_equal(engine_findings(), "");
        assert_int_equal(out[0], 4096 / 128 * (127 * 64));
        uint64_t sum = 0;
        for (int i = 1; i <= 4096; i++) sum += out[i] < out[0];
        assert_int_equal(sum, 4096);
        engine_close(&e);
    }
}

/** What `op` makes of all items' values, a value of each place that item i * 4097 leads to. */
static uint32_t combine(const char *op, uint32_t was, uint32_t x)
{
    if (!strcmp(op, "add")) return was + x;
    if (!strcmp(op, "sub")) return was - x;
    if (!strcmp(op, "and")) return was & x;
    if (!strcmp(op, "or")) return was | x;
    if (!strcmp(op, "xor")) return was ^ x;
    if (!strcmp(op, "smin")) return (int32_t)x < (int32_t)was ? x : was;
    if (!strcmp(op, "smax")) return (int32_t)x > (int32_t)was ? x : was;
    if (!strcmp(op, "umin")) return x < was ? x : was;
    return x > was ? x : was;
}

/** Atomics whose results are unused, at few places and at many: in the end all is there. */
static void test_sums_unseen(void **state)
{
    static const char *const ops[] = {"add",  "sub",  "and",  "or",  "xor",
                                      "smin", "smax", "umin", "umax"};
    enum { PLACES = 32768, ITEMS = 4096 };
    static uint32_t out[PLACES], want[PLACES];
    for (unsigned k = 0; k < 2 * sizeof ops / sizeof *ops; k++) {
        const char *const op = ops[k / 2];
        const uint32_t mask = k % 2 ? 7 : PLACES - 1, factor = 0x9e3779b1;
        char text[4096];
        snprintf(text, sizeof text,
                 LOCS "site rmw elem 4 space global index s32 scale 4 align 4 op %s order relaxed "
                      "scope device loc 2\n"
                      "fn \"k\"\n uniform 12 const 0 4097 %u %u\n varying 4 4 4\n block\n v0 = "
                      "WI_I32 global_id 0\n v1 = MUL_I32 v0 u1\n"
                      " v1 = AND_I32 v1 u2\n v2 = MUL_I32 v0 u3\n ATOMIC u9 v1 v2 site 1 @2\n RET\n"
                      "kernel \"k\" fn 0 atomics\n arg buffer \"out\" \"int*\" space global read "
                      "write atomics\n piece 0 8 9\n",
                 op, mask, factor);
        FOR_GANGS(g) {
            for (uint32_t i = 0; i < PLACES; i++) out[i] = want[i] = i * 0x85ebca6b;
            for (uint32_t i = 0; i < ITEMS; i++)
                want[i * 4097 & mask] = combine(op, want[i * 4097 & mask], i * factor);
            struct engine e;
            engine_open(&e, text, ITEMS, 128);
            e.l.gang = g;
            e.l.threads = 2;
            engine_buffer(&e, 0, out, sizeof out);
            engine_run(&e);
            assert_string_equal(engine_findings(), "");
            if (memcmp(out, want, sizeof out))
                fail_msg("%s at %u places, gangs of %u", op, mask + 1, g);
            engine_close(&e);
        }
    }
}

/** The same, seen by another name of the memory, or by the result of another atomic. */
static void test_sums_seen(void **state)
{
    static const char *const looks[] = {
        "site read elem 4 space global index none align 4 loc 3\n",
        " v1 = LOAD u10 _ site 2 @3\n",
        "site rmw elem 4 space global index none align 4 op add order relaxed scope device loc 3\n",
        " v1 = ATOMIC u9 _ u0 site 2 @3\n",
        "site atomic_load elem 4 space global index none align 4 order relaxed scope device loc "
        "3\n",
        " v1 = ATOMIC u9 _ u0 site 2 @3\n",
    };
    enum { ITEMS = 600 };
    for (unsigned k = 0; k < 3; k++)
        FOR_GANGS(g) {
            char text[4096];
            static uint32_t sum, seen[ITEMS];
            snprintf(text, sizeof text,
                     LOCS "site rmw elem 4 space global index none align 4 op add order relaxed "
                          "scope device loc 2\n%s"
                          "site write elem 4 space global index s32 scale 4 align 4 loc 4\n"
                          "fn \"k\" barrier\n uniform 12 const 0 1 2\n varying 4 4\n block\n v0 = "
                          "WI_I32 local_id 0\n ATOMIC u9 _ u1 site 1 @2\n"
                          " BARRIER 0 u2 2 -> 1 @2\n block\n%s STORE u11 v0 v1 site 3 @4\n RET\n"
                          "kernel \"k\" fn 0 barrier atomics\n arg buffer \"sum\" \"int*\" space "
                          "global read write atomics\n piece 0 8 9\n"
                          " arg buffer \"same\" \"int*\" space global read\n piece 0 8 10\n arg "
                          "buffer \"seen\" \"int*\" space global write\n piece 0 8 11\n",
                     looks[2 * k], looks[2 * k + 1]);
            sum = 5;
            struct engine e;
            engine_open(&e, text, ITEMS, ITEMS);
            e.l.gang = g;
            engine_buffer(&e, 0, &sum, sizeof sum);
            engine_buffer(&e, 1, k ? &seen[0] : &sum, sizeof sum);
            engine_buffer(&e, 2, seen, sizeof seen);
            engine_run(&e);
            assert_string_equal(engine_findings(), "");
            assert_int_equal(sum, 5 + ITEMS);
            for (uint32_t i = 0; i < ITEMS; i++) assert_int_equal(seen[i], 5 + ITEMS);
            engine_close(&e);
        }
}

// while (cmpxchg(lock, 0, 1)) ; out[1]++ (atomically: no race reported); lock = 0
static const char *const spin = LOCS
    "site rmw elem 4 space global index none align 4 op cmpxchg order acquire scope device loc 2\n"
    "site rmw elem 4 space global index none disp 4 align 4 op add order relaxed scope device loc "
    "3\n"
    "site atomic_store elem 4 space global index none align 4 order release scope device loc 4\n"
    "fn \"k\" parts\n uniform 12 const 0 1\n varying 4 1\n loop header 1 last 1 parent -1\n "
    "block\n BR -> 1\n"
    " block loop 0\n v0 = ATOMIC u9 _ u1 [ u0 ] site 1 masked @2\n v1 = EQ_I32 v0 u0\n CBR v1 -> 2 "
    "1 @2\n"
    " block\n ATOMIC u9 _ u1 site 2 @3\n %s\n RET\n" KERNEL;

static void test_spin(void **state)
{
    FOR_GANGS(g) {
        char text[4096];
        snprintf(text, sizeof text, spin, "ATOMIC u9 _ u0 site 3 @4");
        uint32_t out[2] = {0, 0};
        struct engine e;
        engine_open(&e, text, 96, 32);
        e.l.gang = g;
        e.l.threads = 2;
        engine_buffer(&e, 0, out, sizeof out);
        engine_run(&e);
        assert_string_equal(engine_findings(), "");
        assert_int_equal(out[1], 96);
        assert_int_equal(out[0], 0);
        engine_close(&e);
        // never unlocked: the first work-item gets through, and that is all
        snprintf(text, sizeof text, spin, "");
        out[1] = 0;
        engine_open(&e, text, 96, 32);
        e.l.gang = g;
        engine_buffer(&e, 0, out, sizeof out);
        engine_run(&e);
        assert_int_equal(out[1], 1);
        assert_non_null(strstr(engine_findings(),
                               "no-progress|work-items wait for one another and none can "
                               "continue|b.cl:5 repeated without end by 1,0,0/0"));
        engine_close(&e);
    }
}

/** Group 0 waits for what the last group writes. */
static void test_groups_wait(void **state)
{
    static const char *const text = LOCS
        "site atomic_load elem 4 space global index none align 4 order acquire scope device loc 2\n"
        "site atomic_store elem 4 space global index none align 4 order release scope device loc "
        "4\n"
        "fn \"k\" parts\n uniform 12 const 0 1 2\n varying 4 1 4\n loop header 2 last 2 parent -1\n"
        " block\n u10 = WI_I32 group_id 0\n u11 = EQ_I32 u10 u2\n CBR u11 -> 1 2\n"
        " block\n ATOMIC u9 _ u1 site 2 @4\n RET\n"
        " block loop 0\n v0 = ATOMIC u9 _ u0 site 1 masked @2\n v1 = EQ_I32 v0 u1\n CBR v1 -> 3 2 "
        "@2\n"
        " block\n RET\n" KERNEL;
    FOR_GANGS(g) {
        uint32_t out[2] = {0, 0};
        struct engine e;
        engine_open(&e, text, 96, 32);
        e.l.gang = g;
        e.l.threads = 2;
        engine_buffer(&e, 0, out, sizeof out);
        engine_run(&e);
        assert_string_equal(engine_findings(), "");
        assert_int_equal(e.st.groups, 3);
        engine_close(&e);
    }
}

static void test_printf(void **state)
{
    static const char *const text =
        "object constant \"s\" \"char[4]\" size 4 align 1 init 61626300\n"
        "fn \"k\"\n uniform 12 const 0x1800000000000 3 0x3ff8000000000000 0x40200000\n varying 4 1 "
        "8\n"
        " block\n v0 = WI_I32 global_id 0\n v2 = WI_I64 local_id 0\n v1 = EQ_I32 v0 u1\n CBR v1 -> "
        "1 2\n"
        " block\n PRINTF \"%5.2f %s %v2hlf|%-4d|%#x|%c|%ld|%%\\n\" F64 [ u2 ] I64 [ u0 ] F32 [ u3 "
        "u3 ] I32 [ v0 ] I32 [ u1 ] I32 [ u1 ] I64 [ v2 ]\n BR -> 2\n"
        " block\n PRINTF \"%d\\n\" I32 [ v0 ]\n RET\n"
        "kernel \"k\" fn 0 printf\n";
    FOR_GANGS(g) {
        struct engine e;
        engine_open(&e, text, 2000, 50);
        e.l.gang = g;
        e.l.threads = 2;
        engine_run(&e);
        struct str want = {0};
        for (int i = 0; i < 2000; i++) {
            if (i == 0)
                str_printf(&want, "%5.2f abc 2.500000,2.500000|%-4d|%#x|%c|%ld|%%\n", 1.5, 3, 3, 3,
                           3l);
            if (i % 50 == 0 && i == 0) str_clear(&want);
            str_printf(&want, "%d\n", i);
        }
        char first[128];
        snprintf(first, sizeof first, "%5.2f abc 2.500000,2.500000|%-4d|%#x|%c|%ld|%%\n", 1.5, 3, 3,
                 3, 3l);
        // lanes print in lane order at each printf: the line of work-item 3 stands before its
        // gang's others
        const char *at = strstr(str_text(&e.out), first);
        assert_non_null(at);
        struct str rest = {0};
        str_put_n(&rest, str_text(&e.out), (size_t)(at - str_text(&e.out)));
        str_put(&rest, at + strlen(first));
        assert_string_equal(str_text(&rest), str_text(&want));
        assert_string_equal(engine_findings(), "");
        str_deinit(&want);
        str_deinit(&rest);
        engine_close(&e);
    }
    static const char *const bad = "fn \"k\"\n uniform 2 const 0\n varying\n block\n PRINTF \"%d "
                                   "%f\\n\" F32 [ u0 ]\n RET\nkernel \"k\" fn 0 printf\n";
    struct engine e;
    engine_open(&e, bad, 1, 1);
    engine_run(&e);
    assert_non_null(strstr(engine_findings(), "printf-mismatch"));
    engine_close(&e);
}

/** async_work_group_copy of 100 elements by 32 work-items, one of them too many for the target. */
static void test_async(void **state)
{
    static const char *const text = LOCS
        "object local \"tmp\" \"int[99]\" size 396 align 4 fn 0 loc 1\nobject private \"e\" "
        "\"event_t\" size 8 align 8 fn 0 loc 1\n"
        "site write elem 4 space local index none align 4 loc 2\nsite read elem 4 space global "
        "index none align 4 loc 2\n"
        "site read elem 4 space local index s32 scale 4 align 4 loc 3\nsite write elem 4 space "
        "global index s32 scale 4 disp 400 align 4 loc 4\n"
        "site write elem 8 space private index none align 8 loc 4\nsite read elem 8 space private "
        "index none align 8 loc 4\n"
        "fn \"k\" barrier\n uniform 14 const 0x1800000000000 %u 3 1 0x2800000000000\n varying 4 4\n"
        " block\n BARRIER 2 u2 2 -> 1 @2\n"
        " block\n u10 = ASYNC_COPY u0 u9 u1 elem 4 read 2 stride _ 0 event _ site 1 @2\n STORE u4 "
        "_ u10 site 5\n v0 = WAIT_EVENTS u4 u3 site 6\n BARRIER 1 v0 2 -> 2 @2\n"
        " block\n v0 = WI_I32 local_id 0\n v1 = MUL_I32 v0 u2\n v1 = LOAD u0 v1 site 3 @3\n STORE "
        "u9 v0 v1 site 4 @4\n RET\n" KERNEL;
    FOR_GANGS(g)
        for (unsigned n = 99; n <= 100; n++) {
            char t[4096];
            snprintf(t, sizeof t, text, n);
            int32_t p[132];
            for (int i = 0; i < 132; i++) p[i] = i * 5;
            struct engine e;
            engine_open(&e, t, 32, 32);
            e.l.gang = g;
            engine_buffer(&e, 0, p, sizeof p);
            engine_run(&e);
            for (int i = 0; i < 32; i++) assert_int_equal(p[100 + i], i * 15);
            assert_int_equal(engine_count(), n - 99);
            engine_close(&e);
        }
}

// out[gid] = group id * 10 + local id; where the group id is uniform, groups run one after the
// other
static void test_packing(void **state)
{
    static const char *const text =
        "file \"b.cl\"\nloc file 0 line 3 col 2\n"
        "site write elem 4 space global index s32 scale 4 align 4 loc 1\n"
        "fn \"k\"\n uniform 4 const 10\n varying 4 4 4\n block\n v0 = WI_I32 local_id 0\n %s = "
        "WI_I32 group_id 0\n"
        " v1 = MUL_I32 %s u0\n v1 = ADD_I32 v1 v0\n v2 = WI_I32 global_id 0\n STORE u1 v2 v1 site "
        "1 @1\n RET\n"
        "kernel \"k\" fn 0\n arg buffer \"out\" \"int*\" space global write\n piece 0 8 1\n";
    static const struct {
        unsigned gang, local, together; // groups that run together
        bool uniform;
    } table[] = {{0, 1, 512, 0}, {0, 8, 64, 0}, {0, 3, 160, 0}, {0, 100, 4, 0}, {0, 257, 1, 0},
                 {0, 8, 1, 1},   {64, 8, 8, 0}, {16, 8, 2, 0},  {8, 8, 1, 0},   {1, 1, 1, 0}};
    for (unsigned k = 0; k < sizeof table / sizeof *table; k++) {
        const unsigned local = table[k].local, groups = 256 * 16 / local, n = groups * local;
        char t[2048];
        snprintf(t, sizeof t, text, table[k].uniform ? "u3" : "v1", table[k].uniform ? "u3" : "v1");
        int32_t *p = calloc(n, sizeof *p);
        struct engine e;
        engine_open(&e, t, n, local);
        e.l.gang = table[k].gang;
        engine_buffer(&e, 0, p, n * sizeof *p);
        engine_run(&e);
        for (unsigned i = 0; i < n; i++) assert_int_equal(p[i], i / local * 10 + i % local);
        const unsigned gangs =
            table[k].gang == 1 ? n : (groups + table[k].together - 1) / table[k].together;
        assert_int_equal(e.st.insns, 7 * gangs);
        assert_int_equal(e.st.groups, groups);
        assert_int_equal(e.st.lane_insns, 7 * n);
        engine_close(&e);
        free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_barrier),    cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_iterations), cmocka_unit_test(test_sums_unseen),
        cmocka_unit_test(test_sums_seen),  cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_spin),       cmocka_unit_test(test_groups_wait),
        cmocka_unit_test(test_printf),     cmocka_unit_test(test_async),
        cmocka_unit_test(test_packing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
