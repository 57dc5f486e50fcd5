// SPDX-License-Identifier: MIT
// The child processes of `cldbg check`. Each is a fork that runs one file as `cldbg run` does, with
// a document as its report. A file whose child dies of a signal gets one more child.
#include "cli/cmd.h"
#include "cli/check_files.h"
#include "cli/merge.h"

#include "base/io.h"
#include "base/mem.h"
#include "report/document.h"
#include "report/progress_line.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct child {
    pid_t pid; // 0: none
    struct check_file *file;
    struct rep_totals *totals;
    int totals_fd;
    struct str report, messages; // its files
};

static _Noreturn void become_run(const struct check *c, const struct child *child, pid_t command)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != command) _exit(CMD_FAILED);
    sigprocmask(SIG_SETMASK, &c->mask, NULL);
    const int null = open("/dev/null", O_RDWR),
              messages = open(str_text(&child->messages), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(null, 0);
    dup2(null, 1);
    dup2(messages < 0 ? null : messages, 2);
    setenv("CLDBG_KEEP_TEXT", "1", 1);
    unsetenv("CLDBG_OPTIONS"); // they are in the arguments
    char **const argv = mem_array(NULL, c->args.len + 3, sizeof *argv);
    int argc = 0;
    for (size_t i = 0; i < c->args.len; i++) argv[argc++] = (char *)c->args.data[i];
    struct str report = {0};
    str_printf(&report, "--report=json:%s", str_text(&child->report));
    argv[argc++] = str_take(&report);
    argv[argc++] = (char *)child->file->path;
    argv[argc] = NULL;
    cmd_use_totals(child->totals_fd);
    cmd_reports_forget();
    exit(cmd_run(argc, argv));
}

static struct err *start(struct check *c, struct child *child, struct check_file *f)
{
    const pid_t command = getpid();
    child->file = f;
    child->totals_fd = rep_totals_create();
    child->totals = child->totals_fd < 0 ? NULL : rep_totals_map(child->totals_fd);
    if (!child->totals) return err_new("no shared memory is available: %m");
    f->attempts++;
    child->pid = fork();
    if (child->pid < 0) {
        child->pid = 0;
        return err_new("a process cannot be created: %m");
    }
    if (!child->pid) become_run(c, child, command);
    return NULL;
}

/** What the child said on stderr, without its closing line. */
static char *messages_of(const struct child *child)
{
    struct str s = {0};
    io_read_file(str_text(&child->messages), &s);
    if (s.len && child->totals->launches) { // the closing line is the last one
        size_t n = s.len - 1;
        while (n && s.data[n - 1] != '\n') n--;
        s.data[s.len = n] = 0;
    }
    return str_take(&s);
}

/** Why the file was not checked; NULL: it was. */
static char *reason_for(int status)
{
    struct str s = {0};
    if (WIFSIGNALED(status))
        str_printf(&s, "its process was killed by signal %d (%s)", WTERMSIG(status),
                   strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) > CMD_RUN_ERRORS) str_put(&s, "it cannot be run");
    return s.len ? str_take(&s) : NULL;
}

static struct err *keep_result(struct check *c, const struct child *child, int status)
{
    struct check_file *const f = child->file;
    json_t *const document = json_load_file(str_text(&child->report), 0, NULL);
    char *const messages = messages_of(child), *const reason = reason_for(status);
    json_t *const result = json_pack("{s: o, s: I, s: I, s: I, s: o, s: o, s: o, s: o*}", "file",
                                     rep_json_text(f->path, strlen(f->path)), "size",
                                     (json_int_t)f->size, "mtime", (json_int_t)f->mtime, "attempts",
                                     (json_int_t)f->attempts, "reason",
                                     rep_json_text(reason, reason ? strlen(reason) : 0), "messages",
                                     rep_json_text(messages, messages ? strlen(messages) : 0),
                                     "totals", merge_counters(child->totals), "document", document);
    struct err *e = NULL;
    if (c->ranks && c->ranks->rank) check_ranks_send(c, RANKS_RESULT, result);
    else if (!f->is_done) e = check_journal_add(c, f, result); // (by another rank, late)
    json_decref(result);
    free(messages);
    free(reason);
    return e;
}

static void release(struct child *child)
{
    unlink(str_text(&child->report));
    unlink(str_text(&child->messages));
    if (child->totals) munmap(child->totals, sizeof *child->totals);
    if (child->totals_fd >= 0) close(child->totals_fd);
    child->pid = 0;
    child->totals = NULL;
    child->totals_fd = -1;
}

/** A child has ended. */
static struct err *ended(struct check *c, struct child *child, int status)
{
    struct check_file *const f = child->file;
    const bool again = WIFSIGNALED(status) && f->attempts < 2;
    struct err *e = again ? NULL : keep_result(c, child, status);
    release(child);
    if (!e && again) e = start(c, child, f);
    return e;
}

static void show_progress(const struct check *c)
{
    if (!rep_progress_wanted()) return;
    struct str s = {0};
    str_printf(&s, "%zu of %zu files", c->ndone, c->files.len);
    rep_progress_show(str_text(&s));
    str_deinit(&s);
}

static void end_all(struct child *children, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        if (!children[i].pid) continue;
        kill(children[i].pid, SIGKILL);
        waitpid(children[i].pid, NULL, 0);
        release(&children[i]);
    }
}

/**
 * A rank takes its next file while the present ones run, so that it need not wait for rank 0. Near
 * the end of the queue it does not: another rank may be free earlier.
 */
static void look_ahead(struct check *c)
{
    const uint64_t left = 2 * c->jobs * (uint64_t)c->ranks->size;
    if (!c->ranks->rank || c->has_asked || c->is_empty || c->last + left >= c->files.len) return;
    c->ranks->ask();
    c->has_asked = true;
}

/** The number of the next file in the queue. */
static uint64_t take_number(struct check *c)
{
    if (!c->has_asked) c->ranks->ask();
    while (!c->ranks->answer(&c->last)) nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    c->has_asked = false;
    return c->last;
}

/** The next file for this process; NULL: none is left in the queue. */
static struct check_file *take(struct check *c)
{
    if (!c->ranks || c->sweeps) {
        while (c->next < c->files.len && c->files.data[c->next].is_done) c->next++;
        return c->next < c->files.len ? &c->files.data[c->next++] : NULL;
    }
    while (!c->is_empty) {
        const uint64_t i = take_number(c);
        c->is_empty = i >= c->files.len;
        if (!c->is_empty && !c->files.data[i].is_done) return &c->files.data[i];
    }
    return NULL;
}

/** Starts children for the next files. *any: one is running. */
static struct err *fill(struct check *c, struct child *children, bool *any)
{
    struct err *e = NULL;
    *any = false;
    for (uint64_t i = 0; i < c->jobs && !e; i++) {
        struct check_file *const f = children[i].pid ? NULL : take(c);
        if (f) e = start(c, &children[i], f);
        *any |= children[i].pid != 0;
    }
    if (!e && *any && c->ranks) look_ahead(c);
    return e;
}

static struct err *collect(struct check *c, struct child *children)
{
    int status;
    struct err *e = NULL;
    for (uint64_t i = 0; i < c->jobs && !e; i++)
        if (children[i].pid && waitpid(children[i].pid, &status, WNOHANG) == children[i].pid)
            e = ended(c, &children[i], status);
    return e;
}

/** Nothing runs here, and the queue is empty: may there be more to do? */
static bool goes_on(struct check *c)
{
    if (!c->ranks) return false;
    if (c->ranks->rank && !c->has_finished) check_ranks_send(c, RANKS_FINISHED, NULL);
    c->has_finished = true;
    if (check_ranks_left(c)) return true;
    const bool begins = !c->ranks->rank && !c->sweeps;
    c->sweeps |= begins;
    return begins;
}

/**
 * How long rank 0 does not look at what the others want: at most an eighth of the time that they
 * have wanted nothing. (One-sided operations wait until it looks.)
 */
static struct timespec moment_of(const struct check *c)
{
    enum { LEAST = 100000, MOST = 2000000, OTHERS = 20000000 }; // nanoseconds
    const uint64_t ns = check_ranks_quiet_ms(c) * (1000000 / 8);
    if (c->ranks->rank) return (struct timespec){.tv_nsec = OTHERS};
    return (struct timespec){.tv_nsec = ns < LEAST ? LEAST : ns < MOST ? (long)ns : MOST};
}

/** Waits for a child, a signal, or with other ranks, a moment. */
static struct err *wait_for_news(struct check *c)
{
    sigset_t set;
    check_signals(&set);
    const struct timespec moment = c->ranks ? moment_of(c) : (struct timespec){0};
    const int sig = c->ranks ? sigtimedwait(&set, NULL, &moment) : sigwaitinfo(&set, NULL);
    if (sig > 0 && sig != SIGCHLD) c->signal = sig;
    return c->ranks ? check_ranks_tick(c) : NULL;
}

static struct err *run(struct check *c, struct child *children)
{
    bool any;
    struct err *e = fill(c, children, &any);
    while (!e && !c->signal && (any || goes_on(c))) {
        show_progress(c);
        e = wait_for_news(c);
        if (!e && !c->signal) e = collect(c, children);
        if (!e && !c->signal) e = fill(c, children, &any);
    }
    return e;
}

void check_signals(sigset_t *set)
{
    sigemptyset(set);
    for (const int *sig = (const int[]){SIGCHLD, SIGINT, SIGTERM, SIGHUP, 0}; *sig; sig++)
        sigaddset(set, *sig);
}

struct err *check_run(struct check *c)
{
    signal(SIGCHLD, SIG_DFL);
    struct child *const children = mem_array(NULL, c->jobs, sizeof *children);
    for (uint64_t i = 0; i < c->jobs; i++) {
        children[i] = (struct child){.totals_fd = -1};
        str_printf(&children[i].report, "%s/%llu.json", c->folder.path, (unsigned long long)i);
        str_printf(&children[i].messages, "%s/%llu.txt", c->folder.path, (unsigned long long)i);
    }
    struct err *const e = run(c, children);
    end_all(children, c->jobs);
    rep_progress_clear();
    for (uint64_t i = 0; i < c->jobs; i++) {
        str_deinit(&children[i].report);
        str_deinit(&children[i].messages);
    }
    free(children);
    return e;
}
