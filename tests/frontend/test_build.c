// SPDX-License-Identifier: MIT
// dev_compile as the API uses it: the helper process, its deaths, names of sources, the cache.
// Runs in a folder of its own with a cache of its own.
#include "devices/cache.h"
#include "devices/dev.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/cldbg-test-build-XXXXXX", cache[200];

static struct dev_built build(const char *source, const char *options)
{
    struct dev_build b = {
        .kind = DEV_BUILD, .source = source, .source_len = strlen(source), .options = options};
    struct dev_built out;
    dev_compile(&b, &out);
    assert_non_null(out.log);
    return out;
}

static void assert_status(struct dev_built *b, int status, const char *said)
{
    if (b->status != status || (said && !strstr(b->log, said)))
        fail_msg("status %d, not %d with '%s':\n%s", b->status, status, said ? said : "", b->log);
    assert_int_equal(b->module != NULL, status == DEV_BUILD_OK);
    dev_built_free(b);
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void write_script(const char *name, const char *text)
{
    struct str all = {0};
    str_printf(&all, "#!/bin/sh\n%s\n", text);
    write_file(name, str_text(&all));
    str_deinit(&all);
    assert_int_equal(chmod(name, 0755), 0);
}

#define KERNEL "kernel void k(global int *p) { p[get_global_id(0)] = 1; }\n"

static void a_program_is_built(void **state)
{
    struct dev_built b = build(KERNEL, "-DX");
    if (b.status) fail_msg("%s", b.log);
    assert_int_equal(b.module->nkernels, 1);
    assert_string_equal(bc_str(b.module, b.module->kernels[0].name), "k");
    dev_built_free(&b);
    b = build("kernel void k(global int *p) { p[0] = q; }", NULL);
    assert_status(&b, DEV_BUILD_FAILED, "error: use of undeclared identifier 'q'");
    b = build(KERNEL, "-fplugin=x");
    assert_status(&b, DEV_BUILD_BAD_OPTIONS, "'-fplugin=x' is not known");
    setenv("CLDBG_CLANG", "/nonexistent/clang", 1);
    b = build(KERNEL, NULL);
    assert_status(&b, DEV_BUILD_NO_COMPILER, "apt-get install clang-");
    unsetenv("CLDBG_CLANG");
}

static void the_helpers_death_is_a_build_error(void **state)
{
    static const struct {
        const char *script, *said;
        int status;
    } rows[] = {
        {"kill -SEGV $$", "killed by signal 11", DEV_BUILD_FAILED},
        {"cat > /dev/null; echo rubbish", "gave no answer", DEV_BUILD_FAILED},
        {"echo help me >&2; exit 9", "help me", DEV_BUILD_FAILED},
        {"exit 0", "gave no answer", DEV_BUILD_FAILED},
    };
    setenv("CLDBG_CC", "./helper", 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_script("helper", rows[i].script);
        struct dev_built b = build(KERNEL "// death", NULL);
        assert_status(&b, rows[i].status, rows[i].said);
    }
    setenv("CLDBG_CC", "./missing", 1);
    struct dev_built b = build(KERNEL "// missing", NULL);
    if (getenv("CLDBG_TEST_VALGRIND"))
        assert_status(&b, DEV_BUILD_FAILED, "status 127"); // there it starts
    else assert_status(&b, DEV_BUILD_NO_COMPILER, "./missing");
    unsetenv("CLDBG_CC");
    unlink("helper");
}

static void a_crash_of_clang_is_said_shortly(void **state)
{
    write_script("clang", "cat > /dev/null; echo \"k.cl:1:1: warning: first\" >&2\n"
                          "echo \"PLEASE submit a bug report to x\" >&2; echo \"Stack dump:\" >&2\n"
                          "printf '0.\\tProgram arguments: clang -x\\n1.\\t<eof> "
                          "parser\\n2.\\tk.cl:4:9: Generating code\\n #0 0x1 llvm\\n' >&2\n"
                          "kill -SEGV $$");
    setenv("CLDBG_CLANG", "./clang", 1);
    struct dev_built b = build(KERNEL "// crash", NULL);
    assert_null(strstr(b.log, "Program arguments"));
    assert_null(strstr(b.log, "0x1"));
    assert_non_null(strstr(b.log, "k.cl:1:1: warning: first"));
    assert_status(&b, DEV_BUILD_FAILED, "crashed at k.cl:4:9: Generating code");
    unsetenv("CLDBG_CLANG");
    unlink("clang");
}

// ---- names

static const struct bc_loc *place_of(const struct bc_module *m, const char *fn)
{
    for (uint32_t i = 0; i < m->nfns; i++)
        if (!strcmp(bc_str(m, m->fns[i].name), fn)) return &m->locs[m->fns[i].loc];
    fail_msg("no function %s", fn);
    return NULL;
}

static void assert_place(const char *source, const char *fn, const char *file, unsigned line)
{
    struct dev_built b = build(source, NULL);
    if (b.status) fail_msg("%s", b.log);
    const struct bc_loc *l = place_of(b.module, fn);
    const char *name = bc_str(b.module, b.module->files[l->file].name);
    if (!*file) assert_true(str_glob("program-????????.cl", name));
    else assert_string_equal(name, file);
    assert_int_equal(l->line, line);
    dev_built_free(&b);
}

static void texts_are_found_in_files(void **state)
{
    const char *text = "\n// adds one to all elements\nkernel void add(global int *p)\n{\n    "
                       "p[get_global_id(0)] += 1;\n}\n";
    const char *other = "// a helper that doubles\nint twice(int a) { return 2 * a; }\nkernel void "
                        "other(global int *p) { p[0] = twice(p[0]); }\n";
    struct str s = {0};
    assert_place(text, "add", "", 3); // no such file yet
    mkdir("kernels", 0755);
    write_file("kernels/add.cl", text);
    write_file("other.cl", other);
    assert_place(text, "add", "kernels/add.cl", 3);
    str_printf(&s, "#define A 1\n#define B 2\n%s", text); // the app puts its own lines in front
    assert_place(str_text(&s), "add", "kernels/add.cl", 3);
    str_clear(&s);
    str_printf(&s, "%s%s", text, other); // two files in a row
    assert_place(str_text(&s), "add", "kernels/add.cl", 3);
    assert_place(str_text(&s), "other", "other.cl", 3);
    str_clear(&s);
    str_printf(&s, "%skernel void mine(global int *p) { p[0] = 1; }\n", text); // and lines after
    assert_place(str_text(&s), "add", "kernels/add.cl", 3);
    assert_place(str_text(&s), "mine", "", 7);
    const char *inside = "kernel void in_host(global int *p)\n{\n    p[0] = 7;\n}\n";
    str_clear(&s);
    str_printf(&s, "#include <stdio.h>\n\nconst char *source = R\"(\n%s)\";\nint main() {}\n",
               inside);
    write_file("host.cpp", str_text(&s));
    assert_place(inside, "in_host", "host.cpp", 4);
    struct dev_built b =
        build("// adds one to all elements\nkernel void add(global int *p) { wrong; }\n", NULL);
    assert_status(&b, DEV_BUILD_FAILED, ".cl:2:34: error");
    str_deinit(&s);
}

static void assert_error_at(const char *source, const char *place)
{
    struct dev_built b = build(source, NULL);
    assert_status(&b, DEV_BUILD_FAILED, place);
}

static void lines_are_found_in_files(void **state)
{
    // The literals of a C program: what they escape does not matter, columns are the file's.
    write_file("host.c", "#include <stdio.h>\nstatic const char *source =\n"
                         "    \"// a kernel in a \\\"literal\\\"\\n\"\n"
                         "    \"#define TWO(x) \\\\\\n\"\n"
                         "    \"    (2 * (x))\\n\"\n"
                         "    \"kernel void literal(global int *p,\\n\"\n"
                         "        \"    global int *q)\\n\"\n"
                         "    \"{\\n\"\n"
                         "    \"#if 1\\n\"\n"
                         "    \"    p[get_global_id(0)] = TWO(q[get_global_id(0)]) + wrong;\\n\"\n"
                         "    \"#endif\\n\"\n"
                         "    \"}\\n\";\n");
    const char *literal =
        "// a kernel in a \"literal\"\n#define TWO(x) \\\n    (2 * (x))\nkernel void "
        "literal(global int *p,\n    global int *q)\n{\n"
        "#if 1\n    p[get_global_id(0)] = TWO(q[get_global_id(0)]) + wrong;\n#endif\n}\n";
    assert_error_at(literal, "host.c:10:59: error");
    // A template: both programs made of it have one name.
    const char *rest = " * x; }\nkernel void filled(global int *p, global const int *q)\n{\n"
                       "    const int i = get_global_id(0);\n    p[i] = scaled(q[i]);\n}\n";
    struct str s = {0};
    str_printf(&s, "text = '''\nint scaled(int x) { return %%d%s'''\n", rest);
    write_file("template.py", str_text(&s));
    for (int k = 2; k < 4; k++) {
        str_clear(&s);
        str_printf(&s, "\nint scaled(int x) { return %d%s", k, rest);
        assert_place(str_text(&s), "filled", "template.py", 3);
        assert_place(str_text(&s), "scaled", "template.py", 2);
    }
    // One line that another program has, too, names nothing.
    assert_place("kernel void another(global float *x, float f)\n{\n    const int i = "
                 "get_global_id(0);\n    x[i] = f * sqrt(x[i]);\n}\n",
                 "another", "", 1);
    str_deinit(&s);
}

// ---- cache

static unsigned entries(char *last, size_t size)
{
    unsigned n = 0;
    DIR *d = opendir(cache);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (*e->d_name == '.') continue;
        n++;
        if (last) snprintf(last, size, "%s/%s", cache, e->d_name);
    }
    if (d) closedir(d);
    return n;
}

static void clear_cache(void)
{
    char path[500];
    while (entries(path, sizeof path)) assert_int_equal(unlink(path), 0);
}

static bool compiler_ran(const char *source, const char *options)
{
    struct dev_built b = build(source, options);
    if (b.status) fail_msg("%s", b.log);
    dev_built_free(&b);
    bool ran = access("ran", F_OK) == 0;
    unlink("ran");
    return ran;
}

static void the_cache_spares_the_compiler(void **state)
{
    char helper[4200], path[500];
    clear_cache();
    snprintf(helper, sizeof helper, "touch ran; exec %s", dev_compiler_path());
    write_script("helper", helper);
    setenv("CLDBG_CC", "./helper", 1);
    assert_true(compiler_ran(KERNEL, NULL));
    assert_int_equal(entries(NULL, 0), 1);
    assert_false(compiler_ran(KERNEL, NULL));
    assert_true(compiler_ran(KERNEL, "-DX"));
    assert_true(compiler_ran(KERNEL " ", NULL));

    // headers: found again by their content
    write_file("answer.h", "#define ANSWER 42\n");
    const char *user = "#include \"answer.h\"\nkernel void k(global int *p) { p[0] = ANSWER; }\n";
    assert_true(compiler_ran(user, "-I."));
    assert_false(compiler_ran(user, "-I."));
    write_file("answer.h", "#define ANSWER 43\n");
    assert_true(compiler_ran(user, "-I."));
    assert_false(compiler_ran(user, "-I."));

    // damage of any byte: built again, and replaced
    clear_cache();
    assert_true(compiler_ran(KERNEL, NULL));
    assert_int_equal(entries(path, sizeof path), 1);
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    for (long at = 0; at < st.st_size; at += 1 + st.st_size / 7) {
        FILE *f = fopen(path, "r+");
        fseek(f, at, SEEK_SET);
        int c = getc(f);
        fseek(f, at, SEEK_SET);
        putc(c ^ 0x10, f);
        fclose(f);
        assert_true(compiler_ran(KERNEL, NULL));
        assert_false(compiler_ran(KERNEL, NULL));
    }
    assert_int_equal(truncate(path, st.st_size / 2), 0);
    assert_true(compiler_ran(KERNEL, NULL));
    assert_int_equal(truncate(path, 0), 0);
    assert_true(compiler_ran(KERNEL, NULL));

    // a failed build is not kept; no cache at all is fine
    struct dev_built b = build("nonsense", NULL);
    assert_status(&b, DEV_BUILD_FAILED, NULL);
    unlink("ran");
    assert_int_equal(entries(NULL, 0), 1);
    setenv("CLDBG_CACHE", "off", 1);
    assert_true(compiler_ran(KERNEL, NULL));
    setenv("CLDBG_CACHE", "/proc/no/such/place", 1);
    assert_true(compiler_ran(KERNEL, NULL));
    setenv("CLDBG_CACHE", cache, 1);
    unsetenv("CLDBG_CC");
    unlink("helper");
}

static void many_processes_share_the_cache(void **state)
{
    enum { PROCESSES = 50, PROGRAMS = 3 };
    clear_cache();
    pid_t pid[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        pid[i] = fork();
        if (pid[i]) continue;
        char text[200];
        int bad = 0;
        for (int k = 0; k < PROGRAMS; k++) {
            snprintf(text, sizeof text, "kernel void k%d(global int *p) { p[0] = %d; }", k, k);
            struct dev_built b = build(text, NULL);
            bad |= b.status || !b.module ||
                   bc_str(b.module, b.module->kernels[0].name)[1] != '0' + k;
            dev_built_free(&b);
        }
        _exit(bad);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(entries(NULL, 0), PROGRAMS); // and nothing half-written
}

static void compiled_objects_are_linked(void **state)
{
    struct dev_header h = {"sum.h", "int sum(int a, int b);\n"};
    const char *one = "#include \"sum.h\"\nkernel void k(global int *p) { p[0] = sum(p[0], 1); }",
               *two = "int sum(int a, int b) { return a + b; }";
    struct dev_built x, y, z;
    dev_compile(&(struct dev_build){.kind = DEV_COMPILE,
                                    .source = one,
                                    .source_len = strlen(one),
                                    .headers = &h,
                                    .nheaders = 1},
                &x);
    dev_compile(&(struct dev_build){.kind = DEV_COMPILE, .source = two, .source_len = strlen(two)},
                &y);
    assert_int_equal(x.status, 0);
    assert_int_equal(y.status, 0);
    assert_null(x.module);
    struct dev_blob both[] = {x.object, y.object};
    dev_compile(&(struct dev_build){.kind = DEV_LINK, .objects = both, .nobjects = 2}, &z);
    assert_status(&z, DEV_BUILD_OK, NULL);
    dev_compile(
        &(struct dev_build){
            .kind = DEV_LINK, .objects = both, .nobjects = 2, .options = "-create-library"},
        &z);
    assert_int_equal(z.status, 0);
    assert_true(z.is_library && z.object.size);
    dev_built_free(&z);
    dev_compile(&(struct dev_build){.kind = DEV_LINK, .objects = both, .nobjects = 1}, &z);
    assert_status(&z, DEV_BUILD_FAILED, "sum");
    dev_built_free(&x);
    dev_built_free(&y);
}

// Bitcode with damaged bytes kills LLVM's reader now and then: never the caller.
static void damaged_bitcode_is_survived(void **state)
{
    struct dev_built x, z;
    dev_compile(
        &(struct dev_build){.kind = DEV_COMPILE, .source = KERNEL, .source_len = strlen(KERNEL)},
        &x);
    assert_int_equal(x.status, 0);
    unsigned seed = 12345, refused = 0;
    enum { TRIES = 40 };
    setenv("CLDBG_CACHE", "off", 1);
    for (int i = 0; i < TRIES; i++) {
        uint8_t *bytes = malloc(x.object.size);
        memcpy(bytes, x.object.data, x.object.size);
        for (int k = 0; k < 4; k++)
            bytes[rand_r(&seed) % x.object.size] ^= (uint8_t)(1 + rand_r(&seed) % 255);
        struct dev_blob o = {bytes, x.object.size};
        dev_compile(&(struct dev_build){.kind = DEV_BUILD, .objects = &o, .nobjects = 1}, &z);
        if (z.status) assert_true(*z.log);
        refused += z.status != 0;
        dev_built_free(&z);
        free(bytes);
    }
    assert_true(refused > TRIES / 4);
    setenv("CLDBG_CACHE", cache, 1);
    dev_built_free(&x);
}

static int enter(void **state)
{
    if (access(dev_compiler_path(), X_OK) || !mkdtemp(folder)) return -1;
    snprintf(cache, sizeof cache, "%s/cache", folder);
    setenv("CLDBG_CACHE", cache, 1);
    return chdir(folder);
}

static int leave(void **state)
{
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") || system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_is_built),
        cmocka_unit_test(the_helpers_death_is_a_build_error),
        cmocka_unit_test(a_crash_of_clang_is_said_shortly),
        cmocka_unit_test(texts_are_found_in_files),
        cmocka_unit_test(lines_are_found_in_files),
        cmocka_unit_test(the_cache_spares_the_compiler),
        cmocka_unit_test(many_processes_share_the_cache),
        cmocka_unit_test(compiled_objects_are_linked),
        cmocka_unit_test(damaged_bitcode_is_survived),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
