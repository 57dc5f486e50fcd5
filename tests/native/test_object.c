// SPDX-License-Identifier: MIT
// The loader of finished machine code: sample.c's object computes what it should; cut short or
// damaged, it is refused or at least does no harm until it is called.
#include "devices/native_object.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *object;
static size_t size;
static int far_away = 1000;

static int outside(int x) { return 10 * x; }

static void *find(void *context, const char *name)
{
    ++*(unsigned *)context;
    if (!strcmp(name, "outside")) return (void *)outside;
    return strcmp(name, "far_away") ? NULL : &far_away;
}

static void *nobody(void *context, const char *name)
{
    (void)context, (void)name;
    return NULL;
}

static int read_object(void **state)
{
    (void)state;
    static const char *const paths[] = {"tests/native/.libs/libsample_la-sample.o",
                                        "tests/native/libsample_la-sample.o"};
    FILE *f = NULL;
    for (unsigned k = 0; k < 2 && !f; k++) f = fopen(paths[k], "rb");
    if (!f) return 1;
    object = malloc(1 << 20);
    size = fread(object, 1, 1 << 20, f);
    fclose(f);
    return size == 0;
}

static void test_runs(void **state)
{
    (void)state;
    unsigned asked = 0;
    struct dev_object *o = NULL;
    struct err *e = dev_object_load(object, size, find, &asked, &o);
    if (e) fail_msg("%s", err_message(e));
    assert_true(asked >= 2);
    int (*sample)(int) = (int (*)(int))(uintptr_t)dev_object_symbol(o, "sample");
    assert_non_null(sample);
    assert_null(dev_object_symbol(o, "look_up")); // it is not seen from outside
    assert_null(dev_object_symbol(o, "outside"));
    assert_int_equal(sample(3), 9 + 30 + 101 + 1000 + 1);
    assert_int_equal(sample(7), 49 + 70 + 102 + 1000 + 2);
    far_away = 2000;
    assert_int_equal(sample(2), 4 + 20 + 103 + 2000 + 1);
    dev_object_free(o);
}

static void test_nobody_has_it(void **state)
{
    (void)state;
    struct dev_object *o = NULL;
    struct err *e = dev_object_load(object, size, nobody, NULL, &o);
    assert_non_null(e);
    assert_null(o);
    assert_non_null(strstr(err_message(e), "which does not exist"));
    err_free(e);
}

static bool loads(const char *data, size_t n)
{
    unsigned asked = 0;
    struct dev_object *o = NULL;
    struct err *e = dev_object_load(data, n, find, &asked, &o);
    if (o) dev_object_symbol(o, "sample");
    dev_object_free(o);
    err_free(e);
    return !e;
}

// A file's sections stand at its end, so no part of it is an object.
static void test_cut_short(void **state)
{
    (void)state;
    assert_true(loads(object, size));
    for (size_t n = 0; n < size; n++) {
        char *part = malloc(n + 1); // its end is the end
        memcpy(part, object, n);
        if (loads(part, n)) fail_msg("%zu bytes of %zu load", n, size);
        free(part);
    }
}

static void test_damaged(void **state)
{
    (void)state;
    static const uint8_t values[] = {0, 1, 7, 0x7f, 0x80, 0xff};
    unsigned refused = 0;
    char *bad = malloc(size);
    for (size_t at = 0; at < size; at++) {
        memcpy(bad, object, size);
        bad[at] = (char)values[at % sizeof values];
        if (at % 3 == 0 && at + 8 <= size) memset(bad + at, at % 2 ? 0xff : 0x7f, 8);
        refused += !loads(bad, size);
    }
    assert_true(refused > 50);
    free(bad);
}

int main(void)
{
    if (!dev_object_can()) {
        puts("skipped: this machine's objects are linked by LLVM");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_nobody_has_it),
        cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, read_object, NULL);
}
