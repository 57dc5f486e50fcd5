// SPDX-License-Identifier: MIT
// `cldbg ./app args…`: the app runs as our child, in our process group and on our terminal, with
// its streams untouched. We wait, pass signals on, stop when it stops, say the closing line, and
// end as it did. A signal that asks for an end lets what we write then give up on a reader that
// does not read.
#include "cli/cmd.h"
#include "cli/job.h"

#include "base/io.h"
#include "devices/capture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/** The child restores this state before exec: the app starts in the state that cldbg inherited. */
struct inherited {
    sigset_t mask;
    struct sigaction chld;
};

/**
 * From here on signals wait until follow() takes them. SIGCHLD must not be ignored, or there would
 * be no exit status to wait for.
 */
static void hold_signals(struct inherited *old)
{
    sigset_t all;
    sigfillset(&all);
    for (const int *s =
             (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGTTIN, SIGTTOU, 0};
         *s; s++)
        sigdelset(&all, *s);
    sigprocmask(SIG_SETMASK, &all, &old->mask);
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, &old->chld);
}

/** Under `cldbg -i`, the terminal, which our own output does not go to (tui_app.c). */
static void take_terminal(void)
{
    int out, err;
    const char *fds = getenv(CMD_APP_OUTPUT);
    if (!fds || sscanf(fds, "%d,%d", &out, &err) != 2) return;
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close(out);
    close(err);
    unsetenv(CMD_APP_OUTPUT);
}

static _Noreturn void become_app(char **argv, const struct inherited *old, int report_fd,
                                 pid_t command)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); // the app ends if the command is killed
    if (getppid() != command) _exit(CMD_FAILED);
    sigaction(SIGCHLD, &old->chld, NULL);
    sigprocmask(SIG_SETMASK, &old->mask, NULL);
    take_terminal();
    execvp(argv[0], argv);
    int error = errno;
    while (write(report_fd, &error, sizeof error) < 0 && errno == EINTR) {}
    _exit(CMD_FAILED);
}

static bool is_kernel_file(const char *path)
{
    return str_ends(path, ".cl") || str_ends(path, ".sim") || str_ends(path, ".spv") ||
           str_ends(path, ".bc") || dev_capture_is(path);
}

/** 126 or 127, with an error message. */
static int refuse_app(const char *app, int error)
{
    struct stat st;
    const bool found = !stat(app, &st), there = found && strchr(app, '/');
    if (found && S_ISDIR(st.st_mode)) {
        cmd_say("%s: it is a folder", app);
        return CMD_NOT_EXECUTABLE;
    }
    if (found && is_kernel_file(app)) {
        cmd_say("%s: it is not a program; `cldbg run %s%s` runs a kernel of it", app, app,
                str_ends(app, ".cl") ? " …" : "");
        return CMD_NOT_EXECUTABLE;
    }
    if (error == ENOENT && there) {
        cmd_say("%s: its interpreter does not exist", app);
        return CMD_NOT_FOUND;
    }
    if (error == ENOENT && !strchr(app, '/')) {
        cmd_say("%s: not found in PATH%s", app,
                access(app, X_OK) ? "" : "; to run the one in this folder, write ./ before it");
        return CMD_NOT_FOUND;
    }
    bool not_found = error == ENOENT || error == ENOTDIR;
    if (error == EACCES && there) cmd_say("%s: it is not executable", app);
    else cmd_say("%s: %s", app, strerror(error));
    return not_found ? CMD_NOT_FOUND : CMD_NOT_EXECUTABLE;
}

static const int end_signals[] = {SIGINT, SIGTERM, SIGHUP, 0};

static void on_end(int sig) { io_set_ending(true); }

/**
 * The app has ended: signals now end cldbg, after the closing line and the reports.
 */
static void let_signals_end_writing(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (const int *s = end_signals; *s; s++) {
        sigaction(*s, &(struct sigaction){.sa_handler = on_end}, NULL);
        sigaddset(&set, *s);
    }
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/**
 * Waits for the app and returns its wait status. Signals from the terminal reach the whole process
 * group, so the app has received them; signals that were sent to the command alone are passed on.
 */
static int follow(pid_t app, const struct dev_option_set *s)
{
    sigset_t all;
    sigfillset(&all);
    for (;;) {
        siginfo_t info;
        // While reports are asked for we look now and then whether there is something new for them.
        int sig = cmd_reports_wanted()
                      ? sigtimedwait(&all, &info, &(struct timespec){.tv_nsec = 300000000})
                      : sigwaitinfo(&all, &info);
        if (sig < 0) {
            cmd_reports_update(s);
            continue;
        }
        if (sig != SIGCHLD) {
            bool for_group = info.si_code == SI_KERNEL,
                 own = info.si_pid == getpid() && info.si_code == SI_USER;
            if ((!for_group && !own) || sig == SIGCONT) kill(app, sig);
            for (const int *e = end_signals; *e; e++)
                if (sig == *e) io_set_ending(true);
            continue;
        }
        int status;
        pid_t pid;
        while ((pid = waitpid(app, &status, WNOHANG | WUNTRACED)) == app) {
            if (!WIFSTOPPED(status)) return status;
            kill(getpid(), SIGSTOP); // the shell's job is both of us
        }
        if (pid < 0 && errno != EINTR) return 0;
    }
}

/** Ends as the app did: by the same signal, without a core of our own. */
static int die_of(int sig)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(sig, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, sig);
    raise(sig);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    return 128 + sig;
}

int cmd_app_execute(char **argv, const struct dev_option_set *s, struct rep_totals **totals,
                    int *wait_status)
{
    struct cmd_home home = {0};
    struct err *e = cmd_home_find(&home);
    if (e) return cmd_fail(CMD_FAILED, e);
    int status_fd = rep_totals_create();
    *totals = status_fd < 0 ? NULL : rep_totals_map(status_fd);
    int report[2];
    if (!*totals || pipe2(report, O_CLOEXEC))
        return cmd_fail(CMD_FAILED, err_new("no shared memory or pipe is available: %m"));
    e = cmd_reports_begin(s);
    if (e) return cmd_fail(CMD_FAILED, e);
    cmd_set_environment(&home, s, status_fd);
    if (s->v[DEV_OPT_VERBOSE].given) {
        cmd_say("driver %s", home.driver);
        cmd_say("libOpenCL for the app: %s", home.front);
        cmd_say("options %s", getenv("CLDBG_OPTIONS"));
    }
    cmd_home_free(&home);

    struct inherited old;
    hold_signals(&old);
    const pid_t command = getpid(), app = fork();
    if (app < 0) return cmd_fail(CMD_FAILED, err_new("a process cannot be created: %m"));
    if (!app) become_app(argv, &old, report[1], command);
    (*totals)->first_pid = app;
    close(report[1]);
    int error;
    ssize_t n;
    while ((n = read(report[0], &error, sizeof error)) < 0 && errno == EINTR) {}
    close(report[0]);
    if (n == sizeof error) {
        waitpid(app, wait_status, 0);
        return refuse_app(argv[0], error);
    }
    *wait_status = follow(app, s);
    let_signals_end_writing();
    return CMD_OK;
}

unsigned cmd_processes_left(pid_t *one)
{
    unsigned n = 0;
    struct str with = {0};
    const char *const page = getenv("CLDBG_STATUS_FD"); // which names us
    if (!page) return 0;
    str_printf(&with, "CLDBG_STATUS_FD=%s", page);
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d));) {
        const pid_t pid = atoi(e->d_name);
        if (pid <= 0 || pid == getpid()) continue;
        struct str path = {0}, env = {0};
        str_printf(&path, "/proc/%d/environ", pid);
        // (it cannot be read: another user's, or it has just ended)
        if (io_read_file(str_text(&path), &env) && env.len &&
            memmem(env.data, env.len, str_text(&with), with.len + 1))
            *one = pid, n++;
        str_deinit(&env);
        str_deinit(&path);
    }
    if (d) closedir(d);
    str_deinit(&with);
    return n;
}

// Helpers that end with their app end a moment after it, as those of Python's multiprocessing do:
// they do not go on.
static void wait_for_stragglers(void)
{
    enum { ROUNDS = 25, PAUSE = 20 }; // milliseconds
    pid_t one;
    for (int i = 0; i < ROUNDS && cmd_processes_left(&one); i++)
        nanosleep(&(struct timespec){.tv_nsec = PAUSE * 1000000}, NULL);
}

static int exit_status(int status, const struct rep_totals *t, const struct dev_option_set *s)
{
    if (WIFSIGNALED(status)) return die_of(WTERMSIG(status));
    return WEXITSTATUS(status) ? WEXITSTATUS(status) : cmd_verdict(t, s);
}

static int run_app(char **argv, const struct dev_option_set *s, struct job *job)
{
    struct rep_totals *totals;
    int status, refused = cmd_app_execute(argv, s, &totals, &status);
    if (!refused) wait_for_stragglers();
    bool reported = cmd_reports_end(s, totals, true);
    if (job) {
        const int verdict = job_end(job, totals, refused ? refused << 8 : status);
        if (verdict >= 0) return verdict || reported ? verdict : CMD_FAILED;
        return refused ? refused : exit_status(status, totals, s);
    }
    if (refused) return refused;
    if (WIFSIGNALED(status))
        cmd_say("the app was killed by signal %d (%s)", WTERMSIG(status),
                strsignal(WTERMSIG(status)));
    cmd_summary(totals, s, argv[0]);
    int code = exit_status(status, totals, s);
    const struct dev_option_value *const error_code = &s->v[DEV_OPT_ERROR_EXITCODE];
    if (cmd_covers_too_little(s) && !code) code = error_code->given ? (int)error_code->number : 66;
    return code || reported ? code : CMD_FAILED;
}

int cmd_app(int argc, char **argv)
{
    struct dev_option_set s = {0};
    struct err *e = cmd_env_options(&s);
    int i = 0;
    for (; !e && i < argc && argv[i][0] == '-'; i++) {
        if (!strcmp(argv[i], "--")) {
            i++;
            break;
        }
        if (!strcmp(argv[i], "-h")) return cmd_help(NULL, DEV_FOR_APP);
        e = dev_option_parse(&s, argv[i], DEV_FOR_APP);
    }
    if (!e && cmd_help_asked(&s)) return cmd_help(&s, DEV_FOR_APP);
    if (!e && s.v[DEV_OPT_VERSION].given) return cmd_version();
    if (!e) e = dev_option_check(&s);
    if (!e && i == argc) e = err_new("no app is named; `cldbg --help` shows how");
    if (!e) e = cmd_prepare_options(&s);
    struct job *const job = e ? NULL : job_join(&s, argv[i]);
    int status = e ? cmd_fail(CMD_FAILED, e) : run_app(argv + i, &s, job);
    dev_option_set_deinit(&s);
    return status;
}
