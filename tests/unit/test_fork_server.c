// SPDX-License-Identifier: MIT
// Runs of a program that waits (base/fork_server.h): here a shell with waiting.so in front of its
// main.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/proc.h"
#include "base/fork_server.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int control;
static pid_t fork_server;

static struct proc_result sh(const char *script, const char *input, struct proc_limits l)
{
    struct proc_result r;
    l.fork_server = control;
    assert_null(proc_run((const char *[]){"/bin/sh", "-c", script, "name", "word", NULL}, input,
                         strlen(input), &l, &r, NULL));
    return r;
}

static void streams_status_and_surroundings(void **state)
{
    struct proc_result r = sh("read a; echo $1 $a; echo bad >&2; echo more >&3; exit 3", "line\n",
                              (struct proc_limits){0});
    assert_string_equal(str_text(&r.out), "word line\n");
    assert_string_equal(str_text(&r.err), "bad\n");
    assert_string_equal(str_text(&r.extra), "more\n");
    assert_int_equal(r.exit_status, 3);
    proc_result_deinit(&r);
    char here[PATH_MAX], script[PATH_MAX + 100];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir("/usr"), 0);
    setenv("CLDBG_COMPILE_TEST", "set since", 1);
    r = sh("pwd; echo $CLDBG_COMPILE_TEST; echo ${LD_PRELOAD-none}; ls /proc/self/fd", "",
           (struct proc_limits){0});
    assert_string_equal(str_text(&r.out),
                        "/usr\nset since\nnone\n0\n1\n2\n3\n4\n"); // (4 is ls's own)
    proc_result_deinit(&r);
    snprintf(script, sizeof script, "kill -9 $$");
    assert_int_equal(chdir(here), 0);
    r = sh(script, "", (struct proc_limits){0});
    assert_int_equal(r.signal, SIGKILL);
    proc_result_deinit(&r);
}

static void limits(void **state)
{
    struct proc_result r =
        sh("sleep 100 & echo $!; sleep 100", "", (struct proc_limits){.seconds = 1});
    assert_true(r.timed_out);
    const pid_t left = atoi(str_text(&r.out));
    assert_true(left > 1);
    for (int i = 0; i < 500 && !kill(left, 0); i++) usleep(10000); // its children go with it
    assert_int_equal(kill(left, 0), -1);
    proc_result_deinit(&r);
    r = sh("while :; do echo 0123456789012345678901234567890123456789; done", "",
           (struct proc_limits){.max_output = 1000});
    assert_true(r.too_much);
    proc_result_deinit(&r);
    const int real = control;
    for (int plain = 0; plain < 2; plain++) { // both ways
        control = plain ? -1 : real;
        r = sh("ulimit -v; ulimit -t; ulimit -c", "",
               (struct proc_limits){.memory = 1ull << 31, .seconds = 5});
        assert_string_equal(str_text(&r.out), "2097152\n7\n0\n");
        proc_result_deinit(&r);
    }
    control = real;
}

/** A run that a child of ours asked for: its process, which has sent its id. */
static pid_t run_of_another(pid_t *asker)
{
    int p[2];
    char script[100], pid[20] = "";
    assert_int_equal(pipe(p), 0);
    *asker = fork();
    if (!*asker) {
        snprintf(script, sizeof script, "echo $$ >/proc/%d/fd/%d; exec sleep 100", (int)getpid(),
                 p[1]);
        sh(script, "", (struct proc_limits){0});
        _exit(0);
    }
    assert_true(read(p[0], pid, sizeof pid - 1) > 0);
    close(p[0]);
    close(p[1]);
    assert_true(atoi(pid) > 1 && !kill(atoi(pid), 0));
    return atoi(pid);
}

static void assert_ends(pid_t pid)
{
    for (int i = 0; i < 500 && !kill(pid, 0); i++) usleep(10000);
    assert_int_equal(kill(pid, 0), -1);
}

static void a_run_ends_with_the_process_that_asked(void **state)
{
    const int real = control;
    for (int plain = 0; plain < 2; plain++) {
        control = plain ? -1 : real;
        pid_t asker;
        const pid_t left = run_of_another(&asker);
        kill(asker, SIGKILL);
        waitpid(asker, NULL, 0);
        assert_ends(left);
    }
    control = real;
}

static void runs_are_no_children(void **state)
{
    struct rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before);
    struct proc_result r = sh("exit 0", "", (struct proc_limits){0});
    getrusage(RUSAGE_CHILDREN, &after);
    assert_int_equal(before.ru_minflt, after.ru_minflt);
    assert_int_equal(r.exit_status, 0);
    proc_result_deinit(&r);
}

// What only looks like a fork server, and one that has exited: the program is started in the plain
// way.
static void no_fork_server(void **state)
{
    const int real = control;
    pid_t pid;
    control = fork_server_start((const char *[]){"/bin/true", NULL}, (char *[]){NULL}, &pid);
    for (int i = 0; i < 3; i++) {
        struct proc_result r = sh("echo plain", "", (struct proc_limits){0});
        assert_string_equal(str_text(&r.out), "plain\n");
        proc_result_deinit(&r);
        usleep(20000);
    }
    close(control);
    waitpid(pid, NULL, 0);
    control = real;
}

static int setup(void **state);

static void a_run_ends_with_its_fork_server(void **state)
{
    pid_t asker;
    const pid_t left = run_of_another(&asker);
    kill(fork_server, SIGKILL);
    waitpid(fork_server, NULL, 0);
    kill(asker, SIGKILL); // (it would start the program in the plain way)
    waitpid(asker, NULL, 0);
    assert_ends(left);
    close(control);
    assert_int_equal(setup(NULL), 0);
}

static void ends_with_its_line(void **state)
{
    close(control);
    int status;
    assert_int_equal(waitpid(fork_server, &status, 0), fork_server);
    assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
}

static int setup(void **state)
{
    char preload[PATH_MAX + 100], here[PATH_MAX];
    if (!getcwd(here, sizeof here)) return 1;
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s/src/base/.libs/waiting.so", here);
    control = fork_server_start((const char *[]){"/bin/sh", "-c", "exit 1", NULL},
                                (char *[]){preload, NULL}, &fork_server);
    return control < 0;
}

int main(void)
{
#ifdef SANITIZED
    printf("no fork servers with this sanitizer\n");
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_status_and_surroundings),
        cmocka_unit_test(limits),
        cmocka_unit_test(runs_are_no_children),
        cmocka_unit_test(no_fork_server),
        cmocka_unit_test(a_run_ends_with_the_process_that_asked),
        cmocka_unit_test(a_run_ends_with_its_fork_server),
        cmocka_unit_test(ends_with_its_line),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
