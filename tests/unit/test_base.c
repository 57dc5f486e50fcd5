// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/half.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

static void arena_gives_zeroed_aligned_memory(void **state)
{
    struct arena a = {0};
    for (size_t n = 1; n < 100000; n = n * 3 + 1) {
        char *p = arena_alloc(&a, n);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < n; i++) assert_int_equal(p[i], 0);
        memset(p, 0xff, n);
    }
    assert_string_equal(arena_printf(&a, "%d-%s", 7, "x"), "7-x");
    arena_deinit(&a);
}

static void map_keeps_what_was_put(void **state)
{
    struct map m = {0};
    assert_null(map_get(&m, 0));
    for (uint64_t k = 0; k < 5000; k++) *map_put(&m, k * 4096, NULL) = k;
    for (uint64_t k = 0; k < 5000; k++) assert_int_equal(*map_get(&m, k * 4096), k);
    assert_null(map_get(&m, 1));
    bool is_new = true;
    map_put(&m, 4096, &is_new);
    assert_false(is_new);
    map_deinit(&m);
}

static void vec_and_str_grow(void **state)
{
    VEC(int) v = {0};
    for (int i = 0; i < 1000; i++) vec_push(&v, i);
    assert_int_equal(v.data[999], 999);
    assert_int_equal(vec_pop(&v), 999);
    vec_free(&v);
    struct str s = {0};
    for (int i = 0; i < 1000; i++) str_printf(&s, "%d,", i);
    assert_true(str_starts(s.data, "0,1,2,"));
    assert_true(str_ends(s.data, ",999,"));
    str_deinit(&s);
}

static void err_wraps_outside_in(void **state)
{
    struct err *e = err_wrap(err_new("no %s", "file"), "loading");
    assert_string_equal(err_message(e), "loading: no file");
    err_free(e);
    assert_null(err_wrap(NULL, "x"));
}

static void halves_go_to_the_nearest(void **state)
{
    assert_true(half_to_double(0x3c00) == 1 && half_to_double(0xc100) == -2.5 && half_to_double(1) == 0x1p-24 && half_to_double(0x7bff) == 65504);
    for (unsigned h = 0; h < 0x7c00; h++) {
        const double x = half_to_double(h), next = h == 0x7bff ? 65536 : half_to_double(h + 1), tie = (x + next) / 2;
        assert_int_equal(half_from_double(x), h);
        assert_int_equal(half_from_double(-x), h | 0x8000);
        assert_int_equal(half_from_double(tie), h % 2 ? h + 1 : h);
        assert_int_equal(half_from_double(tie - tie * 0x1p-40), h);
        assert_int_equal(half_from_double(tie + tie * 0x1p-40), h + 1);
    }
    assert_true(half_to_double(0xfc00) < -1e300 && half_from_double(-1e300) == 0xfc00);
    const double none = half_to_double(0x7e01);
    assert_true(none != none && half_from_double(none) == 0x7e00);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(map_keeps_what_was_put),
        cmocka_unit_test(vec_and_str_grow),
        cmocka_unit_test(err_wraps_outside_in),
        cmocka_unit_test(halves_go_to_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
