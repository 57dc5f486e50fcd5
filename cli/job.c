// SPDX-License-Identifier: MIT
// A rank's part of the report of several ranks: job.h.
#include "cli/job.h"
#include "cli/cmd.h"
#include "cli/merge.h"

#include "base/io.h"
#include "base/mem.h"
#include "base/out.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum outcome { JOINED, ABSENT, TAKEN, CLOSED };

char *job_file(const struct job *j, const char *name, int rank)
{
    struct str s = {0};
    str_printf(&s, "%s/%s-%d", j->path, name, rank);
    return str_take(&s);
}

static int is_rank(const struct dirent *d) { return str_starts(d->d_name, "rank-"); }

static int by_number(const struct dirent **a, const struct dirent **b)
{
    return strverscmp((*a)->d_name, (*b)->d_name);
}

int *job_ranks(const struct job *j, int *n)
{
    struct dirent **names = NULL;
    *n = scandir(j->path, &names, is_rank, by_number);
    if (*n < 0) *n = 0;
    int *const ranks = mem_array(NULL, (size_t)*n + 1, sizeof *ranks);
    for (int i = 0; i < *n; i++) {
        ranks[i] = atoi(names[i]->d_name + strlen("rank-"));
        free(names[i]);
    }
    free(names);
    return ranks;
}

/** Its app has not ended, and its command lives. */
static bool runs(const struct job *j, int rank)
{
    char *const result = job_file(j, "result", rank), *const slot = job_file(j, "rank", rank);
    const bool has_ended = !access(result, F_OK);
    const int fd = has_ended ? -1 : open(slot, O_RDONLY | O_CLOEXEC);
    const bool lives = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
    if (fd >= 0) close(fd);
    free(result);
    free(slot);
    return lives;
}

struct job_standing job_look(const struct job *j)
{
    struct job_standing st = {0};
    int *const ranks = job_ranks(j, &st.joined);
    for (int i = 0; i < st.joined; i++) st.running += runs(j, ranks[i]);
    free(ranks);
    return st;
}

static int lock_file(int folder, const char *name, int flags)
{
    const int fd = openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
    while (fd >= 0 && flock(fd, LOCK_EX) && errno == EINTR) {}
    return fd;
}

/** A finding takes a few KB: is there room for some? */
static bool has_room(int fd)
{
    enum { ROOM = 1 << 20 };
    struct io_held h;
    io_hold(&h);
    const int error = posix_fallocate(fd, 0, ROOM);
    const bool is_cut = !ftruncate(fd, 0);
    io_let_go(&h);
    errno = error;
    return is_cut && (!error || error == EOPNOTSUPP || error == EINVAL);
}

static struct err *take_slot(struct job *j, int folder, enum outcome *o)
{
    struct str temp = {0}, name = {0}, documents = {0};
    struct err *e = NULL;
    str_printf(&temp, "new-%d", (int)getpid());
    str_printf(&name, "rank-%d", j->launcher.rank);
    str_printf(&documents, "documents-%d", j->launcher.rank);
    j->slot = lock_file(folder, str_text(&temp), O_RDWR | O_CREAT | O_EXCL);
    j->verdict = openat(folder, "verdict", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (j->slot < 0 || j->verdict < 0 || !has_room(j->slot)) e = err_new("%s: %m", j->path);
    else if (!linkat(folder, str_text(&temp), folder, str_text(&name), 0)) *o = JOINED;
    else if (errno == EEXIST) *o = TAKEN;
    else e = err_new("%s: %m", j->path);
    unlinkat(folder, str_text(&temp), 0);
    if (!e && *o == JOINED && mkdirat(folder, str_text(&documents), 0700))
        e = err_new("%s: %m", j->path);
    if (e || *o != JOINED) {
        if (j->slot >= 0) close(j->slot);
        if (j->verdict >= 0) close(j->verdict);
    }
    str_deinit(&temp);
    str_deinit(&name);
    str_deinit(&documents);
    return e;
}

/** Through the gate: the collector does not end meanwhile. */
static struct err *pass_gate(struct job *j, int folder, enum outcome *o)
{
    struct stat st;
    const int gate = lock_file(folder, "gate", O_RDWR);
    struct err *e = NULL;
    *o = CLOSED;
    if (gate < 0 && errno != ENOENT) e = err_new("%s/gate: %m", j->path);
    if (gate >= 0 && !fstat(gate, &st) && st.st_nlink) e = take_slot(j, folder, o);
    if (gate >= 0) close(gate);
    return e;
}

/** Joins the folder at j->path. */
static struct err *enter(struct job *j, enum outcome *o)
{
    struct stat st;
    const int folder = open(j->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    *o = ABSENT;
    if (folder < 0 && errno == ENOENT) return NULL;
    struct err *e = NULL;
    if (folder < 0 || fstat(folder, &st)) e = err_new("%s: %m", j->path);
    else if (st.st_uid != geteuid() || st.st_mode & 077)
        e = err_new("%s: other users can access this folder", j->path);
    else if (!flock(folder, LOCK_EX | LOCK_NB)) { // a killed collector left it
        struct temp_folder left = {mem_strdup(j->path), folder};
        temp_folder_destroy(&left);
        return NULL;
    } else {
        e = pass_gate(j, folder, o);
    }
    if (folder >= 0) close(folder);
    return e;
}

static struct err *furnish(const struct temp_folder *f, int *verdict)
{
    const int folder = open(f->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const int gate = folder < 0 ? -1 : lock_file(folder, "gate", O_RDWR | O_CREAT | O_EXCL);
    *verdict = gate < 0 ? -1 : lock_file(folder, "verdict", O_RDWR | O_CREAT | O_EXCL);
    struct err *const e = *verdict < 0 ? err_new("%s: %m", f->path) : NULL;
    if (gate >= 0) close(gate);
    if (folder >= 0) close(folder);
    return e;
}

/** Makes the folder at j->path and its collector, unless another rank is faster. */
static struct err *make(struct job *j, struct dev_option_set *s, const char *app)
{
    struct temp_folder f;
    int verdict;
    struct err *e = temp_folder_create(&f, NULL, "job");
    if (e) return e;
    e = furnish(&f, &verdict);
    if (e || rename(f.path, j->path)) {
        if (!e && errno != ENOTEMPTY && errno != EEXIST) e = err_new("%s: %m", j->path);
        temp_folder_destroy(&f);
        if (verdict >= 0) close(verdict);
        return e;
    }
    free(f.path);
    f.path = mem_strdup(j->path);
    fflush(NULL);
    const pid_t pid = fork();
    if (!pid) {
        j->verdict = verdict;
        job_collect(j, &f, s, app);
    }
    if (pid < 0) {
        e = err_new("a process cannot be created: %m");
        temp_folder_destroy(&f);
    } else {
        close(f.lock);
        free(f.path);
    }
    close(verdict);
    return e;
}

static struct err *join(struct job *j, struct dev_option_set *s, const char *app)
{
    enum { PATIENCE = 3000, PAUSE = 10 }; // times, milliseconds: until a collector has ended
    enum outcome o = ABSENT;
    struct err *e = NULL;
    // A rank may run cldbg several times, the next time while others still run the first one.
    for (int use = 0, closed = 0; o != JOINED && !e; use += o == TAKEN) {
        struct str path = {0};
        str_printf(&path, "%s/cldbg-job-%u-%016llx-%d", temp_folder_place(), (unsigned)geteuid(),
                   (unsigned long long)j->launcher.job, use);
        free(j->path);
        j->path = str_take(&path);
        e = enter(j, &o);
        if (!e && o == ABSENT) e = make(j, s, app);
        if (!e && o == CLOSED) {
            nanosleep(&(struct timespec){.tv_nsec = PAUSE * 1000000}, NULL);
            if (closed++ > PATIENCE) e = err_new("%s is still in use", j->path);
        }
    }
    return e;
}

struct job *job_join(struct dev_option_set *s, const char *app)
{
    struct launcher l;
    const bool is_nested = getenv("CLDBG_STATUS_FD"); // in the app of a rank
    if (is_nested || cmd_is_debugged() || !launcher_find(&l) || l.size < 2) return NULL;
    struct job *const j = mem_alloc(sizeof *j);
    *j = (struct job){.launcher = l, .slot = -1, .verdict = -1};
    struct err *const e = join(j, s, app);
    if (e) {
        if (l.local_rank <= 0)
            cmd_say("each rank reports for itself, because the reports cannot be merged: %s",
                    err_message(e));
        err_free(e);
        free(j->path);
        free(j);
        return NULL;
    }
    char *const documents = job_file(j, "documents", l.rank);
    cmd_reports_split(CMD_REPORTS_OF_RANK, documents);
    setenv("CLDBG_KEEP_TEXT", "only", 1);
    free(documents);
    const char *log = NULL;
    err_free(dev_option_log(s, &log)); // checked long ago
    if (log && !strstr(log, "%r")) s->v[DEV_OPT_LOG_FILE] = (struct dev_option_value){0};
    return j;
}

static bool keep_result(const struct job *j, const struct rep_totals *t, int wait_status)
{
    json_t *const result = json_pack("{s: i, s: b, s: o}", "status", wait_status, "unfinished",
                                     t && t->unfinished > 0, "totals",
                                     t ? merge_counters(t) : json_object());
    char *const text = json_dumps(result, JSON_COMPACT), *const path = job_file(j, "result",
                                                                                j->launcher.rank);
    struct err *const e = out_write(path, OUT_PRIVATE, NULL, text, strlen(text));
    if (e) cmd_say("rank %d: %s", j->launcher.rank, err_message(e));
    const bool ok = !e;
    err_free(e);
    json_decref(result);
    free(text);
    free(path);
    return ok;
}

int job_end(struct job *j, const struct rep_totals *t, int wait_status)
{
    char text[16] = "";
    // Without MPI_Finalize others may wait for this rank; launchers notice when it ends.
    const bool has_failed = wait_status || (t && t->unfinished);
    if (!keep_result(j, t, wait_status)) return wait_status ? -1 : CMD_FAILED;
    const struct job_standing st = job_look(j);
    if (has_failed && (st.running || st.joined < j->launcher.local_size)) return -1;
    while (flock(j->verdict, LOCK_SH))
        if (errno != EINTR || io_is_ending()) return -1;
    const ssize_t n = pread(j->verdict, text, sizeof text - 1, 0);
    if (n <= 0)
        cmd_say("rank %d: the process that merges the reports was killed", j->launcher.rank);
    if (wait_status) return -1;
    return n > 0 ? atoi(text) : CMD_FAILED;
}
