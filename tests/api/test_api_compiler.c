// SPDX-License-Identifier: MIT
// An app that builds several programs has a compiler that waits for them (devices/helper.c); it
// must not see it.
#include "tests/api/fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[] = "/tmp/cldbg-test-XXXXXX";
static int number;

static cl_int build(const char *text, const char *options, cl_program *p)
{
    char source[1000];
    const char *s = source;
    snprintf(source, sizeof source, "%s\n// %d", text, number++); // (never from the cache)
    *p = cl->clCreateProgramWithSource(context, 1, &s, NULL, NULL);
    return cl->clBuildProgram(*p, 1, &device, options, NULL, NULL);
}

static void builds(const char *text)
{
    cl_program p;
    assert_int_equal(build(text, "", &p), CL_SUCCESS);
    cl->clReleaseProgram(p);
}

#define PLAIN "kernel void k(global int *p) { *p = 1; }"

static void is_no_child(void **state)
{
    builds(PLAIN);
    builds(PLAIN);
    struct rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before);
    builds(PLAIN);
    getrusage(RUSAGE_CHILDREN, &after);
#ifndef SANITIZED
    assert_int_equal(before.ru_minflt, after.ru_minflt);
#endif
    assert_int_equal(wait(NULL), -1); // and does not wait forever
    assert_int_equal(errno, ECHILD);
}

static void errors_are_the_same(void **state)
{
    cl_program p;
    char log[4000] = "";
    for (int i = 0; i < 2; i++) {
        assert_int_equal(build("kernel void k() { nothing(); }", "", &p), CL_BUILD_PROGRAM_FAILURE);
        cl->clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        assert_non_null(strstr(log, "'nothing'"));
        cl->clReleaseProgram(p);
    }
}

static void includes_are_of_the_directory_at_that_time(void **state)
{
    char here[1000];
    assert_non_null(getcwd(here, sizeof here));
    for (int i = 1; i < 4; i++) {
        char path[100];
        snprintf(path, sizeof path, "%s/%d", dir, i);
        assert_int_equal(mkdir(path, 0700), 0);
        assert_int_equal(chdir(path), 0);
        FILE *f = fopen("value.h", "w");
        fprintf(f, "#define VALUE %d\n", i);
        fclose(f);
        cl_program p;
        char source[200];
        snprintf(source, sizeof source,
                 "#include \"value.h\"\n#if VALUE != %d\n#error the other\n#endif\n" PLAIN, i);
        assert_int_equal(build(source, "-I .", &p), CL_SUCCESS);
        cl->clReleaseProgram(p);
    }
    assert_int_equal(chdir(here), 0);
}

static void in_a_child_of_the_app(void **state)
{
    fflush(NULL);
    pid_t pid = fork();
    if (!pid) {
        const char *s = "kernel void in_the_child(global int *p) { *p = 2; }";
        cl_program p = cl->clCreateProgramWithSource(context, 1, &s, NULL, NULL);
        _exit(cl->clBuildProgram(p, 1, &device, "", NULL, NULL) != CL_SUCCESS);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    builds(PLAIN);
}

// As a daemon does it, and then the numbers are of connections of its own.
static void descriptors_closed_by_the_app(void **state)
{
    int pairs[40][2];
    for (int i = 3; i < 200; i++) close(i);
    for (int i = 0; i < 40; i++)
        assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pairs[i]), 0);
    builds(PLAIN);
    builds(PLAIN);
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 2; k++) {
            char byte;
            assert_int_equal(recv(pairs[i][k], &byte, 1, MSG_DONTWAIT), -1);
            assert_int_equal(errno, EAGAIN);
        }
    for (int i = 0; i < 40; i++) {
        close(pairs[i][0]);
        close(pairs[i][1]);
    }
}

int main(void)
{
    if (!mkdtemp(dir)) return 99;
    setenv("XDG_CACHE_HOME", dir, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_no_child),
        cmocka_unit_test(errors_are_the_same),
        cmocka_unit_test(includes_are_of_the_directory_at_that_time),
        cmocka_unit_test(in_a_child_of_the_app),
        cmocka_unit_test(descriptors_closed_by_the_app),
    };
    const int failed = cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command) ? 99 : failed;
}
