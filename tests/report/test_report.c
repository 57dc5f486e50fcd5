// SPDX-License-Identifier: MIT
// The text of findings, to the letter, and what is merged, counted and shown in which order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "report/document.h"
#include "report/excerpt.h"
#include "report/finding.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct rep_place at(const char *text, uint32_t line, uint32_t col)
{
    return (struct rep_place){
        .file = "k.cl", .text = text, .text_first_line = 1, .line = line, .col = col, .fn = "k"};
}

static struct rep_item item(uint64_t lid, uint64_t group)
{
    uint64_t gid = group * 16 + lid;
    return (struct rep_item){true, {lid}, {group}, {gid}, gid};
}

static struct rep_finding simple(const char *text, uint32_t line, uint32_t col)
{
    return (struct rep_finding){.kind = REP_API_LEAK,
                                .title = "t",
                                .nsides = 1,
                                .sides = {{at(text, line, col), {0}, "x"}}};
}

struct run {
    struct rep_session *s;
    char *text;
    size_t len;
    FILE *f;
};

static void begin(struct run *r, struct rep_options o)
{
    o.out = r->f = open_memstream(&r->text, &r->len);
    r->s = rep_create(&o);
}

static void end(struct run *r, const char *expected)
{
    rep_destroy(r->s);
    fclose(r->f);
    assert_string_equal(r->text, expected);
    free(r->text);
}

#define HELP_LEAK                                                                                  \
    "   = help: Call the clRelease… function of the object once for each clCreate… and "           \
    "clRetain….\n"

static void shows(struct rep_finding f, const char *expected)
{
    struct run r;
    begin(&r, (struct rep_options){0});
    rep_add(r.s, &f);
    end(&r, expected);
}

static void a_race_is_shown_from_both_sides(void **state)
{
    const char *src = "kernel void k(global float *a)\n{\n  tmp[lid] += tmp[lid + s];\n}\n";
    struct rep_finding f = {.kind = REP_DATA_RACE,
                            .title = "data race on local memory 'tmp'",
                            .sides = {{at(src, 3, 12), item(5, 3), "write of 4 bytes"},
                                      {at(src, 3, 15), item(1, 3), "read of the same bytes"}},
                            .nsides = 2,
                            .notes = {"'tmp' is 1024 bytes"},
                            .nnotes = 1,
                            .kernel = "reduce",
                            .launch = 1,
                            .count = 2040};
    shows(f, "k.cl:3:12: error: data race on local memory 'tmp' [data-race]\n"
             "    3 |   tmp[lid] += tmp[lid + s];\n"
             "      |   ~~~~~~~~~^~ write of 4 bytes by work-item local (5,0,0) global (53,0,0), "
             "group (3,0,0), kernel 'reduce'\n"
             "    3 |   tmp[lid] += tmp[lid + s];\n"
             "      |               ^~~~~~~~~~~~ read of the same bytes by work-item local (1,0,0) "
             "global (49,0,0)\n"
             "   = 'tmp' is 1024 bytes\n"
             "   = 2040 times in 1 work-group; shown once\n"
             "   = help: Put a barrier between the two accesses that all work-items of the group "
             "reach and whose flags name the memory.\n");
}

static void another_file_another_group_and_calls_are_named(void **state)
{
    struct rep_place call = at("\n\n  helper(p);\n", 3, 3);
    struct rep_finding f = simple("  a[i] = 1;", 1, 8);
    f.sides[0].item = item(1, 2);
    f.sides[0].what = "write";
    f.sides[0].place.fn = "helper";
    f.sides[0].place.called_from = &call;
    f.sides[1] = (struct rep_side){
        {.file = "util.h", .text = "x = b[2];", .line = 1, .col = 5}, item(2, 7), "read"};
    f.nsides = 2;
    f.kernel = "k";
    f.launch = 4;
    f.host_site = "enqueued at main.c:42 (run)";
    shows(f, "k.cl:1:8: warning: t [api-leak]\n"
             "    1 |   a[i] = 1;\n"
             "      |   ~~~~~^ write by work-item local (1,0,0) global (33,0,0), group (2,0,0), "
             "kernel 'k'\n"
             "   = in 'helper' called from k.cl:3:3\n"
             "  --> util.h:1:5\n"
             "    1 | x = b[2];\n"
             "      |     ^~~~ read by work-item local (2,0,0) global (114,0,0), group (7,0,0)\n"
             "   = kernel launch 4, enqueued at main.c:42 (run)\n" HELP_LEAK);
}

static void what_is_not_known_is_left_out(void **state)
{
    struct rep_finding f = simple(NULL, 3, 4);
    shows(f, "k.cl:3:4: warning: t [api-leak]\n   = k.cl:3:4: x\n" HELP_LEAK);
    f.sides[0].place.path = "/nonexistent/k.cl";
    shows(f, "k.cl:3:4: warning: t [api-leak]\n   = k.cl:3:4: x\n" HELP_LEAK);
    f.sides[0].place = at("a\n", 9, 1); // no such line
    shows(f, "k.cl:9:1: warning: t [api-leak]\n   = k.cl:9:1: x\n" HELP_LEAK);
    f.sides[0].place = at("  abc\r\n", 1, 0);
    shows(f, "k.cl:1: warning: t [api-leak]\n    1 |   abc\n      | x\n" HELP_LEAK);
    f.sides[0].place = (struct rep_place){0};
    shows(f, "cldbg: warning: t [api-leak]\n   = x\n" HELP_LEAK);
    f.nsides = 0;
    f.kernel = "k";
    shows(f, "cldbg: warning: t [api-leak]\n   = in kernel 'k'\n" HELP_LEAK);
}

static void doubt_and_mildness_are_warnings(void **state)
{
    struct rep_finding f = {.kind = REP_DATA_RACE, .title = "a data race on 'x'", .possible = true};
    struct run r;
    begin(&r, (struct rep_options){0});
    rep_add(r.s, &f); // sure ones stand first
    f.possible = false;
    f.mild = true;
    rep_add(r.s, &f);
    const struct rep_totals *t = rep_totals(r.s);
    assert_int_equal(t->possible, 1);
    assert_int_equal(t->errors, 0);
    assert_int_equal(t->warnings, 1);
    end(&r, "cldbg: warning: a data race on 'x' [data-race]\n"
            "   = help: Put a barrier between the two accesses that all work-items of the group "
            "reach and whose flags name the memory.\n"
            "cldbg: warning: possible data race on 'x' [data-race]\n");
}

static void text_from_outside_is_harmless(void **state)
{
    struct rep_finding f = simple("\ta[\xc3\xa4] = \xff\x1b;", 1, 2);
    f.title = "bad \x1b[2J\nname";
    shows(f, "k.cl:1:2: warning: bad <1b>[2J name [api-leak]\n"
             "    1 |         a[\xc3\xa4] = <ff><1b>;\n"
             "      |         ^~~~ x\n" HELP_LEAK);
}

static void lines_are_numbered_from_where_the_text_begins(void **state)
{
    struct rep_finding f = simple("one\ntwo\n", 101, 1);
    f.sides[0].place.text_first_line = 100;
    shows(f, "k.cl:101:1: warning: t [api-leak]\n  101 | two\n      | ^~~ x\n" HELP_LEAK);
}

static void a_path_is_read(void **state)
{
    char path[] = "/tmp/cldbg-report-XXXXXX";
    int fd = mkstemp(path);
    assert_int_equal(write(fd, "one\r\ntwo", 8), 8);
    close(fd);
    struct rep_finding f = simple(NULL, 2, 1);
    f.sides[0].place.path = path;
    shows(f, "k.cl:2:1: warning: t [api-leak]\n    2 | two\n      | ^~~ x\n" HELP_LEAK);
    unlink(path);
}

static void operands_are_found_around_the_point(void **state)
{
    static const struct {
        const char *line, *point, *range;
    } cases[] = {
        {"x = a[b[i] + f(2)] + 1;", "a[", "a[b[i] + f(2)]"},
        {"x = r->b[3] + 1;", "r", "r->b[3]"},
        {"x = r[1].b[3].y + 1;", "r", "r[1].b[3]"},
        {"x = r->y + 1;", "r", "r"},
        {"m[i][j] = 0;", "= 0", "m[i][j] ="},
        {"p[i].x = 1;", "x = 1", "p[i].x"},
        {"y = q->r.s[3] + 1;", "s[3]", "q->r.s[3]"},
        {"  *p = 4;", "=", "*p ="},
        {"if (c) *p = 4;", "=", "*p ="},
        {"float *p = q;", "=", "p ="},
        {"x = *p + 1;", "*p", "*p"},
        {"x = (int)*p + 1;", "*p", "*p"},
        {"x = a * b;", "* b", "*"}, // a product: the point is not an access
        {"x = a * *p[2];", "*p", "*p[2]"},
        {"a[i]++;", "++", "a[i]++"},
        {"++a[i];", "++", "++a[i]"},
        {"x = n / (d - 1) + 2;", "/", "/ (d - 1)"},
        {"x = n % -(int)d[0] + 2;", "%", "% -(int)d[0]"},
        {"barrier(CLK_LOCAL_MEM_FENCE);", "barrier", "barrier(CLK_LOCAL_MEM_FENCE)"},
        {"if (get_local_id(0) < 4) {", "if", "if (get_local_id(0) < 4)"},
        {"x = AT(a, i) + 1;", "AT", "AT(a, i)"},
        {"x = a[i +", "a[", "a"}, // the bracket closes on another line
        {"x = i] + 1; y += 2", "+=", "y +="},
        {"  ] = 2;", "=", "="},
        {"x = \"]\" /* ] */ + s[']'];", "s[", "s[']']"},
        {"x = a[i]; // a[", "a[i]", "a[i]"},
        {"(*t)[i] = 2;", "(*t)", "(*t)[i]"},
        {"f(a, b)[2] = 1;", "=", "f(a, b)[2] ="},
        {"if (x == 0) y = a / b;", "= a", "y ="},
        {"x = v.s01 + 1.5e+3f;", "s01", "v.s01"},
        {"x = 1.5e+3f + t[0];", "1.5", "1.5e+3f"},
        {"\"  t[i + 1] = 2;\\n\"", "=",
         "t[i + 1] ="}, // a program's line in a literal of the host's
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *line = cases[i].line, *point = strstr(line, cases[i].point);
        struct rep_range r = rep_operand_range(line, strlen(line), (uint32_t)(point - line + 1));
        char got[80];
        snprintf(got, sizeof got, "%.*s", (int)(r.to - r.from), line + r.from);
        assert_string_equal(got, cases[i].range);
        assert_int_equal(r.caret, point - line);
    }
    struct rep_range r = rep_operand_range("abc", 3, 40);
    assert_int_equal(r.caret, 3);
}

/** The place of the caret of a line in `marks` is that of `c` in `shown`. */
static void excerpt_points_at(const char *line, size_t len, const char *point)
{
    struct str shown = {0}, marks = {0};
    struct rep_range r = rep_operand_range(line, len, (uint32_t)(point - line + 1));
    rep_excerpt(line, len, &r, &shown, &marks);
    assert_true(shown.len <= 110);
    size_t caret = strcspn(str_text(&marks), "^");
    assert_true(caret < shown.len);
    assert_int_equal(shown.data[caret], *point);
    str_deinit(&shown);
    str_deinit(&marks);
}

static void long_lines_are_shown_in_part(void **state)
{
    enum { N = 20000 };
    char *line = malloc(N + 1);
    for (int i = 0; i < N; i++) line[i] = "abc + "[i % 6];
    line[N] = 0;
    for (int i = 0; i < N; i += 1777) {
        line[i] = '@';
        excerpt_points_at(line, N, line + i);
    }
    line[N - 1] = '@';
    excerpt_points_at(line, N, line + N - 1);
    free(line);
}

static void wide_characters_keep_the_caret_in_place(void **state)
{
    struct str shown = {0}, marks = {0};
    const char *line = "/*\xe6\xbc\xa2\xcc\x81*/a";
    struct rep_range r = rep_operand_range(line, strlen(line), (uint32_t)strlen(line));
    rep_excerpt(line, strlen(line), &r, &shown, &marks);
    assert_string_equal(str_text(&marks), "      ^"); // /* two columns, none, */
    str_deinit(&shown);
    str_deinit(&marks);
}

static void no_commands_for_terminals_and_services(void **state)
{
    static const struct {
        const char *text, *line, *lines; // as it is shown on one line, and on several
    } cases[] = {
        {"k\033[31m\r\b\x7f", "k<1b>[31m<0d><08><7f>", "k<1b>[31m<0d><08><7f>"},
        {"\xc2\x9b", "<U+009b>", "<U+009b>"},
        {"::error::x", "<3a>:error::x", "<3a>:error::x"},
        {"a::b\n \t::set-env::", "a::b   ::set-env::", "a::b\n \t<3a>:set-env::"},
        {"##[error]x", "<23>#[error]x", "<23>#[error]x"},
        {"/* ##vso[task.complete] */", "/* <23>#vso[task.complete] */",
         "/* <23>#vso[task.complete] */"},
        {"a ## b [1]", "a ## b [1]", "a ## b [1]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str line = {0}, lines = {0};
        rep_put_safe(&line, cases[i].text);
        rep_put_safe_lines(&lines, cases[i].text, strlen(cases[i].text));
        assert_string_equal(str_text(&line), cases[i].line);
        assert_string_equal(str_text(&lines), cases[i].lines);
        str_deinit(&line);
        str_deinit(&lines);
    }
}

static void the_same_is_merged_and_counted(void **state)
{
    struct run r;
    begin(&r, (struct rep_options){0});
    struct rep_finding f = simple("a b", 1, 1);
    f.launch = 1;
    for (int i = 0; i < 1000000; i++) {
        f.group_linear = (uint64_t)i / 1000;
        f.sides[0].item = item(15 - i % 16, 1000 - (uint64_t)i / 1000);
        rep_add(r.s, &f);
    }
    rep_flush(r.s);
    f.launch = 2;
    rep_add(r.s, &f);
    rep_flush(r.s);
    assert_int_equal(rep_totals(r.s)->findings[REP_API_LEAK], 1);
    end(&r, "k.cl:1:1: warning: t [api-leak]\n    1 | a b\n"
            "      | ^ x by work-item local (0,0,0) global (16,0,0), group (1,0,0)\n"
            "   = 1000000 times in 1000 work-groups; shown once\n" HELP_LEAK);
}

/**
 * Workers, and the two pairs of a race, bring sets of groups, which are united. Another launch has
 * groups of its own.
 */
static void groups_are_counted_once(void **state)
{
    struct run r;
    begin(&r, (struct rep_options){0});
    struct rep_finding f = simple("a b", 1, 1);
    struct bits even = {0}, low = {0};
    for (unsigned i = 0; i < 200; i++) {
        bits_add(&even, 2 * i);
        bits_add(&low, i);
    }
    for (uint64_t launch = 1; launch <= 2; launch++) {
        f.launch = launch;
        f.groups = &even;
        rep_add(r.s, &f);
        rep_add(r.s, &f);
        f.groups = &low;
        rep_add(r.s, &f);
    }
    f.launch = 1; // which runs at the same time
    rep_add(r.s, &f);
    rep_launch_ends(r.s, 1);
    f.groups = NULL;
    f.launch = 2;
    f.group_linear = 401;
    rep_add(r.s, &f);
    bits_deinit(&even);
    bits_deinit(&low);
    end(&r, "k.cl:1:1: warning: t [api-leak]\n    1 | a b\n"
            "      | ^ x\n"
            "   = 8 times in 601 work-groups; shown once\n" HELP_LEAK);
}

static void a_source_ends_whatever_a_program_says_of_its_lines(void **state)
{
    const char *const text = "a\nb // cldbg-ignore: data-race\nc // cldbg-ignore: no-such\n";
    for (uint32_t first = 1; first;
         first += 0x7ffffffc) { // and text that begins at one of the last lines there are
        struct run r;
        struct rep_place p = at(text, 1, 1);
        char want[200];
        begin(&r, (struct rep_options){0});
        p.text_first_line = first;
        rep_checked_lines(r.s, &p, UINT32_MAX);
        rep_finish(r.s);
        snprintf(want, sizeof want,
                 "cldbg: k.cl:%u: cldbg-ignore: no data-race was found there\n"
                 "cldbg: k.cl:%u: cldbg-ignore: there is no kind of finding 'no-such'\n",
                 first + 1, first + 2);
        end(&r, want);
        if (first > 0x80000000u) break;
    }
}

static void what_differs_is_kept_apart(void **state)
{
    struct run r;
    begin(&r, (struct rep_options){0});
    struct rep_finding f = simple("a b", 1, 1), g = f;
    rep_add(r.s, &f);
    g.object = "other";
    rep_add(r.s, &g);
    g = f;
    g.sides[0].place.col = 3;
    rep_add(r.s, &g);
    struct rep_place call = at("", 7, 7);
    g.sides[0].place.called_from = &call;
    rep_add(r.s, &g);
    g.kind = REP_HOST_RACE;
    rep_add(r.s, &g);
    f.sides[1] = g.sides[0];
    f.nsides = 2;
    rep_add(r.s, &f);
    struct rep_side swap = f.sides[0]; // the sides' order is chance
    f.sides[0] = f.sides[1];
    f.sides[1] = swap;
    rep_add(r.s, &f);
    assert_int_equal(rep_totals(r.s)->warnings, 5);
    assert_int_equal(rep_totals(r.s)->errors, 1);
    rep_destroy(r.s);
    fclose(r.f);
    free(r.text);
}

static void switched_off_and_limited(void **state)
{
    struct run r;
    struct rep_options o = {.max_findings = 1};
    o.kinds_off[REP_DATA_RACE] = true;
    begin(&r, o);
    assert_false(rep_wants(r.s, REP_DATA_RACE));
    assert_true(rep_wants(r.s, REP_API_LEAK));
    struct rep_finding f = simple("a b", 1, 3);
    f.kind = REP_DATA_RACE;
    rep_add(r.s, &f);
    f.kind = REP_API_LEAK;
    rep_add(r.s, &f);
    f.sides[0].place.col = 1;
    rep_add(r.s, &f);
    f.object = "o";
    rep_add(r.s, &f);
    assert_int_equal(rep_totals(r.s)->findings[REP_DATA_RACE], 0);
    assert_int_equal(rep_totals(r.s)->findings[REP_API_LEAK], 3);
    end(&r, "k.cl:1:1: warning: t [api-leak]\n    1 | a b\n      | ^ x\n" HELP_LEAK
            "cldbg: further findings are only counted, 1 is shown; --all shows them all\n");
}

static struct rep_session *shared;
static void *add_from_thread(void *arg)
{
    unsigned seed = (unsigned)(uintptr_t)arg;
    for (int i = 0; i < 20000; i++) {
        unsigned k = (unsigned)i * 7919 +
                     seed * 5; // every thread in another order, all the same set
        struct rep_finding f = simple("abcdefgh", 1, 1 + k % 5);
        f.sides[1] = (struct rep_side){at("abcdefgh", 1, 1 + k % 3), item(k % 16, k % 37), "y"};
        f.sides[0].item = item(k % 11, k % 37);
        f.nsides = 2;
        f.launch = 1;
        f.group_linear = k % 37;
        rep_add(shared, &f);
    }
    return NULL;
}

static char *from_threads(unsigned nthreads)
{
    struct run r;
    begin(&r, (struct rep_options){0});
    shared = r.s;
    pthread_t th[4];
    for (unsigned t = 0; t < 4; t++) {
        if (nthreads == 1) add_from_thread((void *)(uintptr_t)(3 - t));
        else pthread_create(&th[t], NULL, add_from_thread, (void *)(uintptr_t)t);
    }
    for (unsigned t = 0; nthreads > 1 && t < 4; t++) pthread_join(th[t], NULL);
    rep_destroy(r.s);
    fclose(r.f);
    return r.text;
}

static void threads_do_not_show(void **state)
{
    char *one = from_threads(1);
    assert_non_null(strstr(one, "times in 37 work-groups"));
    for (int i = 0; i < 5; i++) {
        char *four = from_threads(4);
        assert_string_equal(one, four);
        free(four);
    }
    free(one);
}

static void totals_are_shared_by_processes(void **state)
{
    int fd = rep_totals_create();
    assert_true(fd >= 0);
    char number[16];
    snprintf(number, sizeof number, "%d", fd);
    setenv("CLDBG_STATUS_FD", number, 1);
    struct rep_totals *t = rep_totals_map(fd);
    enum { CHILDREN = 3, EACH = 1000 };
    for (int c = 0; c < CHILDREN; c++)
        if (!fork()) {
            struct rep_session *s =
                rep_create(&(struct rep_options){.out = fopen("/dev/null", "w")});
            for (int i = 0; i < EACH; i++) {
                struct rep_finding f = simple("a", (uint32_t)i, 1);
                rep_add(s, &f);
            }
            _exit(0); // as after a crash: what was found counts, flushed or not
        }
    for (int c = 0; c < CHILDREN; c++) wait(NULL);
    unsetenv("CLDBG_STATUS_FD");
    assert_int_equal(t->warnings, CHILDREN * EACH);
    assert_int_equal(t->processes, CHILDREN);
    int other = open("/dev/zero", O_RDONLY); // a number that now means something else
    assert_null(rep_totals_map(other));
    close(other);
    assert_null(rep_totals_map(-1));
    close(fd);
}

static void trouble_with_the_output_is_survived(void **state)
{
    int p[2];
    assert_int_equal(pipe(p), 0);
    close(p[0]);
    FILE *gone = fdopen(p[1], "w"), *full = fopen("/dev/full", "w");
    FILE *const outs[] = {gone, full};
    for (int i = 0; i < 2; i++) {
        struct rep_session *s = rep_create(&(struct rep_options){.out = outs[i]});
        struct rep_finding f = simple("a", 1, 1);
        rep_add(s, &f);
        errno = 1234;
        rep_flush(s);
        assert_int_equal(errno, 1234);
        assert_int_equal(rep_totals(s)->unwritten, 1);
        rep_destroy(s);
        fclose(outs[i]);
    }
}

static void colors_are_the_compilers(void **state)
{
    struct run r;
    begin(&r, (struct rep_options){.color = 1});
    struct rep_finding f = simple("a", 1, 1);
    f.kind = REP_HOST_RACE;
    f.title = "t";
    rep_add(r.s, &f);
    end(&r, "\33[1mk.cl:1:1:\33[0m \33[1;31merror:\33[0m \33[1mt\33[0m [host-race]\n"
            "    1 | a\n      | \33[1;32m^\33[0m x\n"
            "   \33[1;36m=\33[0m \33[1;36mhelp: \33[0mGive the later command the event of the "
            "earlier one, put a barrier between them (clEnqueueBarrierWithWaitList), or wait.\n");
}

static void sums_up(const struct rep_totals *t, const char *expected)
{
    char buf[400];
    rep_summary(t, buf, sizeof buf);
    assert_string_equal(buf, expected);
}

static void the_closing_line_counts_right(void **state)
{
    struct rep_totals t = {0};
    sums_up(&t, "no findings in 0 kernel launches");
    t.launches = 1;
    sums_up(&t, "no findings in 1 kernel launch");
    t.findings[REP_DATA_RACE] = t.errors = 1;
    sums_up(&t, "1 error in 1 kernel launch (1 data-race)");
    t.findings[REP_DATA_RACE] = 2;
    t.findings[REP_OUT_OF_BOUNDS] = 1;
    t.errors = 3;
    t.launches = 41;
    sums_up(&t, "3 errors in 41 kernel launches (2 data-race, 1 out-of-bounds)");
    t.findings[REP_DIVISION_BY_ZERO] = t.warnings = 1;
    t.possible = 2;
    sums_up(&t, "3 errors, 1 warning, 2 possible errors in 41 kernel launches (2 data-race, 1 "
                "out-of-bounds, "
                "1 division-by-zero)");
    t = (struct rep_totals){.launches = 7,
                            .child_launches = 2,
                            .cut_checks = 1,
                            .native_launches = 3,
                            .suppressed = 4,
                            .unwritten = 5,
                            .possible = 1};
    sums_up(
        &t,
        "1 possible error in 7 kernel launches; 2 launches were in child processes; 4 suppressed; "
        "3 launches ran as machine code, unchecked; 1 check was not completed; 5 findings "
        "could not be written");
    char tiny[8];
    rep_summary(&t, tiny, sizeof tiny);
    assert_string_equal(tiny, "1 possi");
}

static struct rep_finding pair(enum rep_kind kind, uint64_t launch)
{
    const char *src = "a = 1;\nb = 2;\n";
    return (struct rep_finding){
        .kind = kind,
        .title = "t",
        .object = "o",
        .nsides = 2,
        .launch = launch,
        .kernel = "k",
        .sides = {{at(src, 1, 1), item(0, 0), "write"}, {at(src, 2, 1), item(1, 0), "write"}}};
}

static void equal_writes_are_part_of_the_race(void **state)
{
    struct run r;
    begin(&r, (struct rep_options){0});
    struct rep_finding same = pair(REP_SAME_VALUE_RACE, 1), race = pair(REP_DATA_RACE, 1),
                       other = same;
    other.object = "p";
    rep_add(r.s, &same);
    rep_add(r.s, &race);
    rep_add(r.s, &other);
    rep_flush(r.s);
    const struct rep_totals *t = rep_totals(r.s);
    assert_int_equal(t->findings[REP_DATA_RACE], 1);
    assert_int_equal(t->findings[REP_SAME_VALUE_RACE], 1); // that of the other object
    assert_int_equal(t->errors, 1);
    assert_int_equal(t->warnings, 1);
    rep_destroy(r.s);
    fclose(r.f);
    assert_non_null(strstr(r.text, "[data-race]"));
    const char *first = strstr(r.text, "[same-value-race]");
    assert_non_null(first);
    assert_null(strstr(first + 1, "[same-value-race]"));
    free(r.text);
}

/** A finding at line `line` of function k, in a program of this name that is in no file. */
static void add_generated(struct run *r, const char *file, const char *text, uint32_t line,
                          uint64_t launch)
{
    struct rep_finding f = {
        .kind = REP_OUT_OF_BOUNDS,
        .title = "t",
        .object = "o",
        .nsides = 1,
        .launch = launch,
        .kernel = "k",
        .sides = {{{.file = file, .text = text, .line = line, .col = 3, .fn = "k"},
                   item(0, 0),
                   "write"}}};
    rep_add(r->s, &f);
}

static void variants_of_one_program_are_one_finding(void **state)
{
    struct run r;
    begin(&r, (struct rep_options){0});
    add_generated(&r, "program-1.cl", "kernel void k()\n{\n  o[1] = 2;\n  o[1] = 2;\n}\n", 3, 1);
    add_generated(&r, "program-2.cl",
                  "#define N 3\n\nkernel void k ()\n{\n  o[1] = 2;\n  o[1] = 2;\n}\n", 5, 2);
    assert_int_equal(rep_totals(r.s)->errors, 1);
    add_generated(&r, "program-2.cl",
                  "#define N 3\n\nkernel void k ()\n{\n  o[1] = 2;\n  o[1] = 2;\n}\n", 6,
                  2); // the next line
    assert_int_equal(rep_totals(r.s)->errors, 2);
    add_generated(&r, "program-3.cl", "kernel void k()\n{\n  o[1] = 3;\n}\n", 3, 3); // another text
    assert_int_equal(rep_totals(r.s)->errors, 3);
    add_generated(&r, "program-4.cl", "K()\n{\n  o[1] = 2;\n}\n", 3,
                  4); // a macro writes the definition
    add_generated(&r, "program-5.cl", "K()\n{\n  o[1] = 2;\n}\n", 3, 5);
    assert_int_equal(rep_totals(r.s)->errors, 5);
    rep_destroy(r.s);
    fclose(r.f);
    free(r.text);
}

static void later_launches_are_counted_once_each(void **state)
{
    struct run r;
    begin(&r, (struct rep_options){0});
    for (uint64_t launch = 1; launch <= 4; launch++) {
        struct rep_finding f = pair(REP_DATA_RACE, launch);
        rep_add(r.s, &f);
        rep_add(r.s, &f);
        rep_launched(r.s, "k", REP_CHECKED, 5);
        rep_flush(r.s);
    }
    rep_launched(r.s, "other", REP_LEFT_OUT, 5);
    char buf[200];
    rep_summary(rep_totals(r.s), buf, sizeof buf);
    assert_string_equal(
        buf, "1 error in 5 kernel launches (1 data-race); 3 repetitions in later launches; "
             "1 launch was left out by a filter, unchecked");
    rep_destroy(r.s);
    fclose(r.f);
    free(r.text);
}

static void fingerprints_follow_words_not_lines(void **state)
{
    struct rep_sources *sources = rep_sources_create();
    const char *texts[] = {"x[i] = 1;\n", "\n\n\n    x[i]  =\t1;\n", "x[j] = 1;\n"};
    uint64_t print[3];
    for (int i = 0; i < 3; i++) {
        const char *kept = rep_sources_keep(sources, "k.cl", texts[i], 1);
        struct rep_finding f = {.kind = REP_OUT_OF_BOUNDS,
                                .kernel = "k",
                                .nsides = 1,
                                .sides = {{.place = at(kept, i == 1 ? 4 : 1, 1)}}};
        print[i] = rep_fingerprint(&f, sources);
    }
    assert_true(print[0] == print[1]);
    assert_true(print[0] != print[2]);
    rep_sources_destroy(sources);
}

static void ids_are_found(void **state)
{
    for (int k = 0; k < REP_KIND_COUNT; k++) assert_int_equal(rep_kind_find(rep_kinds[k].id), k);
    assert_int_equal(rep_kind_find("no-such"), -1);
}

static void all_findings_of_all_processes_are_in_the_document(void **state)
{
    enum { EACH = 6000, PROCESSES = 3 };
    const bool off[REP_KIND_COUNT] = {0};
    json_t *all = rep_document_create(off, "");
    for (int p = 0; p < PROCESSES; p++) {
        json_t *part = rep_document_create(off, ""), *list = json_object_get(part, "findings");
        for (int i = 0; i < EACH; i++) { // half of them were found by the process before, too
            char id[32];
            snprintf(id, sizeof id, "%d", p * EACH / 2 + i);
            json_array_append_new(list, json_pack("{s:s, s:i}", "identity", id, "times", 1));
        }
        rep_document_merge(all, part);
        json_decref(part);
    }
    const json_t *list = json_object_get(all, "findings");
    assert_int_equal(json_array_size(list), EACH * (PROCESSES + 1) / 2);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(list, 0), "times")), 1);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(list, EACH - 1), "times")),
                     2);
    json_t *part = rep_document_shortened(all);
    assert_int_equal(json_array_size(json_object_get(part, "findings")), 5000);
    assert_int_equal(json_integer_value(json_object_get(part, "left_out")), 7000);
    json_decref(part);
    json_decref(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_race_is_shown_from_both_sides),
        cmocka_unit_test(another_file_another_group_and_calls_are_named),
        cmocka_unit_test(what_is_not_known_is_left_out),
        cmocka_unit_test(doubt_and_mildness_are_warnings),
        cmocka_unit_test(text_from_outside_is_harmless),
        cmocka_unit_test(lines_are_numbered_from_where_the_text_begins),
        cmocka_unit_test(a_path_is_read),
        cmocka_unit_test(operands_are_found_around_the_point),
        cmocka_unit_test(long_lines_are_shown_in_part),
        cmocka_unit_test(wide_characters_keep_the_caret_in_place),
        cmocka_unit_test(no_commands_for_terminals_and_services),
        cmocka_unit_test(the_same_is_merged_and_counted),
        cmocka_unit_test(groups_are_counted_once),
        cmocka_unit_test(a_source_ends_whatever_a_program_says_of_its_lines),
        cmocka_unit_test(what_differs_is_kept_apart),
        cmocka_unit_test(switched_off_and_limited),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(totals_are_shared_by_processes),
        cmocka_unit_test(trouble_with_the_output_is_survived),
        cmocka_unit_test(colors_are_the_compilers),
        cmocka_unit_test(the_closing_line_counts_right),
        cmocka_unit_test(equal_writes_are_part_of_the_race),
        cmocka_unit_test(variants_of_one_program_are_one_finding),
        cmocka_unit_test(later_launches_are_counted_once_each),
        cmocka_unit_test(fingerprints_follow_words_not_lines),
        cmocka_unit_test(all_findings_of_all_processes_are_in_the_document),
        cmocka_unit_test(ids_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
