// SPDX-License-Identifier: MIT
// The process that reports for the ranks of a machine: job.h. It outlives the rank that made it,
// and a launcher that ends the ranks, so that what they found is reported in any case.
//
// When a rank fails, Open MPI ends the others and discards what comes through their pipes from then
// on. So the report of a job with a failed rank goes to the stderr of the launcher itself, if that
// is a process of the same user. (srun is not: it passes on what its tasks write.) The last rank
// waits for it, and the launcher for the last rank.
#include "cli/cmd.h"
#include "cli/job.h"
#include "cli/merge.h"

#include "base/io.h"
#include "base/mem.h"
#include "report/document.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct collector {
    struct job *job;
    struct dev_option_set *s;
    const char *app;
    char host[256];
    int launcher;       // its stderr, or -1
    int *ranks, nranks; // that joined
    json_t *reasons;    // why ranks did not end well, each with a list of ranks
};

static bool is_spread(const struct launcher *l) { return l->local_size && l->local_size < l->size; }

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static pid_t parent_of(pid_t pid)
{
    struct str path = {0}, stat = {0};
    str_printf(&path, "/proc/%d/stat", (int)pid);
    const char *const at = io_read_file(str_text(&path), &stat) ? strrchr(str_text(&stat), ')')
                                                                : NULL;
    const pid_t parent = at && strlen(at) > 4 ? atoi(at + 4) : 0; // ") S PARENT"
    str_deinit(&path);
    str_deinit(&stat);
    return parent;
}

/**
 * The stderr of another process. If that is a file, the two must share its position, or one would
 * overwrite what the other writes; where that is not permitted (Yama), it is opened anew.
 */
static int open_stderr(pid_t pid)
{
    const int process = (int)syscall(SYS_pidfd_open, pid, 0),
              shared = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, 2, 0);
    if (process >= 0) close(process);
    if (shared >= 0) return shared;
    struct str path = {0};
    str_printf(&path, "/proc/%d/fd/2", (int)pid);
    const int fd = open(str_text(&path), O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
    str_deinit(&path);
    return fd;
}

/** Hydra's process between mpiexec and the ranks, whose stderr is a pipe to mpiexec. */
static bool is_proxy(pid_t pid)
{
    static const char name[] = "hydra_pmi";
    struct str path = {0}, comm = {0};
    str_printf(&path, "/proc/%d/comm", (int)pid);
    const bool is = io_read_file(str_text(&path), &comm) && str_starts(str_text(&comm), name);
    str_deinit(&path);
    str_deinit(&comm);
    return is;
}

/**
 * The stderr of Open MPI's mpirun, or of Hydra's mpiexec: the nearest ancestor with another one
 * than ours, since wrappers have the same. -1: another launcher.
 */
static int open_launcher(bool is_known)
{
    enum { MOST = 16 }; // wrappers
    struct stat own, null, st;
    pid_t pid = parent_of(getppid());
    if (fstat(2, &own) || stat("/dev/null", &null)) return -1;
    for (int i = 0; i < MOST && pid > 1; i++, pid = parent_of(pid)) {
        const bool skips = is_proxy(pid);
        is_known |= skips;
        if (skips || !is_known) continue;
        const int fd = open_stderr(pid);
        if (fd < 0 || fstat(fd, &st)) return -1;
        if (st.st_rdev == null.st_rdev && S_ISCHR(st.st_mode)) return close(fd), -1;
        if (!is_same_file(&st, &own)) return fd;
        close(fd);
    }
    return -1;
}

/** Only stderr is left of the rank's descriptors. */
static void detach(struct collector *c, struct job *j, struct temp_folder *folder)
{
    enum { LOCK = 3, VERDICT, LAUNCHER, FIRST_OTHER };
    setsid();
    for (const int *sig =
             (const int[]){SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGUSR1, SIGUSR2, 0};
         *sig; sig++)
        signal(*sig, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    const int null = open("/dev/null", O_RDWR), lock = fcntl(folder->lock, F_DUPFD, FIRST_OTHER),
              verdict = fcntl(j->verdict, F_DUPFD, FIRST_OTHER);
    const int launcher = open_launcher(j->launcher.is_open_mpi),
              high = launcher < 0 ? -1 : fcntl(launcher, F_DUPFD, FIRST_OTHER);
    dup2(null, 0);
    dup2(null, 1);
    c->launcher = high < 0 ? -1 : dup2(high, LAUNCHER);
    folder->lock = dup2(lock, LOCK);
    j->verdict = dup2(verdict, VERDICT);
    closefrom(c->launcher < 0 ? LAUNCHER : FIRST_OTHER);
}

/** No rank runs: no other may join from here on. False: one has just joined. */
static bool close_gate(const struct job *j)
{
    struct str path = {0};
    str_printf(&path, "%s/gate", j->path);
    const int gate = open(str_text(&path), O_RDWR | O_CLOEXEC);
    if (gate >= 0) flock(gate, LOCK_EX);
    const bool is_quiet = !job_look(j).running;
    if (is_quiet) unlink(str_text(&path));
    if (gate >= 0) close(gate);
    str_deinit(&path);
    return is_quiet;
}

/** Until all ranks have ended. Ranks that have not joined are waited for as long as one runs. */
static void wait_for_ranks(const struct job *j)
{
    enum { PAUSE = 20, PATIENCE = 5000 }; // milliseconds
    const int expected = j->launcher.local_size ? j->launcher.local_size : j->launcher.size;
    for (int quiet = 0;; quiet += PAUSE) {
        const struct job_standing st = job_look(j);
        if (st.running) quiet = 0;
        const bool is_over = !st.running && (st.joined >= expected || quiet > PATIENCE);
        if (is_over && close_gate(j)) return;
        nanosleep(&(struct timespec){.tv_nsec = PAUSE * 1000000}, NULL);
    }
}

static void put_reason(struct collector *c, int rank, const char *reason)
{
    json_t *list = json_object_get(c->reasons, reason);
    if (!list) json_object_set_new(c->reasons, reason, list = json_array());
    json_array_append_new(list, json_integer(rank));
}

static void judge(struct collector *c, int rank, const json_t *result)
{
    struct str s = {0};
    const int status = (int)json_integer_value(json_object_get(result, "status"));
    if (!result)
        str_put(&s, "killed before the app ended; the report has what was found until then");
    else if (WIFSIGNALED(status))
        str_printf(&s, "the app was killed by signal %d (%s)", WTERMSIG(status),
                   strsignal(WTERMSIG(status)));
    else if (status) str_printf(&s, "the app exited with status %d", WEXITSTATUS(status));
    else if (json_is_true(json_object_get(result, "unfinished")))
        str_put(&s, "the app exited without MPI_Finalize");
    if (s.len) put_reason(c, rank, str_text(&s));
    str_deinit(&s);
}

/** The launches of a rank that could not say what it counted. */
static void count_launches(struct rep_totals *t, const json_t *document)
{
    size_t i;
    json_t *k;
    json_array_foreach(json_object_get(document, "kernels"), i, k) {
        const uint64_t n = rep_json_count(k, "launches");
        t->launches += n;
        t->begun += n;
        t->enqueued += n;
    }
    t->processes += json_array_size(json_object_get(document, "processes"));
}

static void add_rank(struct collector *c, int rank, json_t *doc, struct rep_totals *t)
{
    char *const folder = job_file(c->job, "documents", rank), *const path =
                                                                  job_file(c->job, "result", rank);
    json_t *const part = cmd_reports_merged(c->s, folder), *const result =
                                                               json_load_file(path, 0, NULL);
    json_t *o;
    size_t i;
    json_array_foreach(json_object_get(part, "findings"), i, o)
        json_object_set_new(o, "ranks", json_pack("[i]", rank));
    json_array_foreach(json_object_get(part, "processes"), i, o)
        json_object_set_new(o, "rank", json_integer(rank));
    if (result) merge_add_counters(t, json_object_get(result, "totals"));
    else count_launches(t, part);
    judge(c, rank, result);
    rep_document_merge(doc, part);
    json_decref(result);
    json_decref(part);
    free(folder);
    free(path);
}

/** "0-3, 5" */
static void put_ranks(struct str *s, const json_t *list)
{
    const size_t n = json_array_size(list);
    for (size_t i = 0, last; i < n; i = last + 1) {
        const json_int_t first = json_integer_value(json_array_get(list, i));
        for (last = i; last + 1 < n && json_integer_value(json_array_get(list, last + 1)) ==
                                           first + (json_int_t)(last + 1 - i);)
            last++;
        str_printf(s, "%s%lld", i ? ", " : "", (long long)first);
        if (last > i)
            str_printf(s, "%s%lld", last == i + 1 ? ", " : "-",
                       (long long)json_integer_value(json_array_get(list, last)));
    }
}

static void note_ranks(const struct collector *c, json_t *f)
{
    const json_t *const list = json_object_get(f, "ranks");
    const size_t n = json_array_size(list);
    struct str s = {0};
    if ((int)n == c->nranks && n > 1) str_printf(&s, "on all %zu ranks", n);
    else if (n == 1) str_put(&s, "on rank ");
    else str_printf(&s, "on %zu of %d ranks: ", n, c->nranks);
    if ((int)n != c->nranks || n == 1) put_ranks(&s, list);
    if (is_spread(&c->job->launcher)) str_printf(&s, " (%s)", c->host);
    merge_note(f, str_text(&s));
    str_deinit(&s);
}

static json_t *merge(struct collector *c, struct rep_totals *t)
{
    json_t *const doc = merge_empty(c->s), *f;
    for (int i = 0; i < c->nranks; i++) add_rank(c, c->ranks[i], doc, t);
    if (c->s->v[DEV_OPT_SCHEDULES].given) t->schedules = c->s->v[DEV_OPT_SCHEDULES].number;
    size_t i;
    json_array_foreach(json_object_get(doc, "findings"), i, f) note_ranks(c, f);
    merge_count_findings(t, doc);
    return doc;
}

static void say_reasons(const struct collector *c, json_t *doc)
{
    const char *reason;
    json_t *ranks, *const list = json_array();
    json_object_foreach(c->reasons, reason, ranks) {
        struct str s = {0};
        put_ranks(&s, ranks);
        cmd_say("rank%s %s: %s", json_array_size(ranks) == 1 ? "" : "s", str_text(&s), reason);
        json_array_append_new(list, json_pack("{s: O, s: s}", "ranks", ranks, "reason", reason));
        str_deinit(&s);
    }
    json_object_set_new(doc, "failed_ranks", list);
}

/** "; 3 of 4 ranks": those of other machines have reports of their own. */
static void put_number(const struct collector *c, struct str *s)
{
    const struct launcher *const l = &c->job->launcher;
    const int expected = l->local_size ? l->local_size : l->size;
    str_printf(s, "; %d", c->nranks);
    if (is_spread(l)) str_printf(s, " of %d ranks, on %s", l->size, c->host);
    else if (c->nranks < expected) str_printf(s, " of %d ranks", expected);
    else str_put(s, " ranks");
    if (c->nranks < expected) str_printf(s, "; %d did not start cldbg", expected - c->nranks);
}

/** PATH.HOST.EXTENSION: machines can share the folder. */
static const char *with_host(const struct collector *c, const char *path)
{
    struct str s = {0};
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path,
                      *const dot = strrchr(name, '.');
    const size_t n = dot && dot > name ? (size_t)(dot - path) : strlen(path);
    if (strstr(path, "%r") || str_ends(path, ":-")) return path;
    str_put_n(&s, path, n);
    str_printf(&s, ".%s%s", c->host, path + n);
    const char *const kept = arena_strdup(&c->s->arena, str_text(&s));
    str_deinit(&s);
    return kept;
}

static void name_reports_by_host(const struct collector *c)
{
    struct dev_option_value *const reports = &c->s->v[DEV_OPT_REPORT];
    for (size_t i = 0; i < reports->list.len; i++)
        reports->list.data[i] = with_host(c, reports->list.data[i]);
    for (const enum dev_option *o = (const enum dev_option[]){DEV_OPT_LOG_FILE, DEV_OPT_PROFILE,
                                                              DEV_OPT_TRACE, DEV_OPT_COUNT};
         *o != DEV_OPT_COUNT; o++)
        if (c->s->v[*o].text) c->s->v[*o].text = with_host(c, c->s->v[*o].text);
}

static int report(struct collector *c)
{
    struct rep_totals t = {0};
    struct str number = {0};
    if (is_spread(&c->job->launcher)) name_reports_by_host(c);
    json_t *const doc = merge(c, &t);
    if (json_object_size(c->reasons) && c->launcher >= 0) dup2(c->launcher, 2);
    const char *log = NULL;
    err_free(dev_option_log(c->s, &log)); // checked long ago
    if (!log || !strstr(log, "%r")) merge_show(c->s, doc);
    merge_strip(doc);
    say_reasons(c, doc);
    cmd_reports_split(CMD_REPORTS_OF_JOB, NULL);
    struct err *const e = cmd_reports_begin(c->s);
    if (e) cmd_say("%s", err_message(e));
    cmd_reports_add(doc);
    const bool is_written = cmd_reports_end(c->s, &t, false) && !e;
    err_free(e);
    put_number(c, &number);
    cmd_summary_of(&t, c->s, c->app, str_text(&number));
    str_deinit(&number);
    json_decref(doc);
    const struct dev_option_value *const error_code = &c->s->v[DEV_OPT_ERROR_EXITCODE];
    int code = cmd_verdict(&t, c->s);
    if (cmd_covers_too_little(c->s) && !code)
        code = error_code->given ? (int)error_code->number : 66;
    return code || is_written ? code : CMD_FAILED;
}

_Noreturn void job_collect(struct job *j, struct temp_folder *folder, struct dev_option_set *s,
                           const char *app)
{
    struct collector c = {.job = j, .s = s, .app = app, .reasons = json_object()};
    gethostname(c.host, sizeof c.host - 1);
    detach(&c, j, folder);
    wait_for_ranks(j);
    c.ranks = job_ranks(j, &c.nranks);
    const int code = c.nranks ? report(&c) : 0;
    free(c.ranks);
    json_decref(c.reasons);
    dprintf(j->verdict, "%d\n", code);
    // A rank may run cldbg again when it has the verdict.
    temp_folder_destroy(folder);
    close(j->verdict);
    _exit(0);
}
