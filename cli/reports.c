// SPDX-License-Identifier: MIT
// Reports of an app of several processes: each keeps its document in a folder of ours; here they
// are merged and written in the formats that were asked for, while the app runs and at its end. So
// they are whole whatever became of the app. Where a process of the app goes on when the app has
// ended, one of ours goes on beside it.
#include "cli/cmd.h"
#include "cli/junit.h"
#include "cli/merge.h"

#include "base/io.h"
#include "base/mem.h"
#include "base/temp_folder.h"
#include "report/advice.h"
#include "report/coverage.h"
#include "report/document.h"
#include "report/sink.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct {
    struct temp_folder folder; // without a path: no reports
    enum cmd_reports_part part;
    struct timespec seen;
    char *root;
    bool failed, has_lost_all;        // no process could keep its document
    const struct rep_totals *totals;  // NULL until the end
    struct rep_coverage_sum coverage; // at the end
} state;
enum moment { AT_BEGIN, WHILE_RUNNING, AT_END };

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strverscmp((*a)->d_name, (*b)->d_name);
}

static int is_fragment(const struct dirent *d) { return str_ends(d->d_name, ".json"); }

/** The documents of one process (pid 0: of all), merged. */
static json_t *merged(const struct dev_option_set *s, const char *folder, struct dirent **names,
                      int n, long pid)
{
    json_t *doc = merge_empty(s);
    for (int i = 0; i < n; i++) {
        if (pid && strtol(names[i]->d_name, NULL, 10) != pid) continue;
        struct str path = {0};
        str_printf(&path, "%s/%s", folder, names[i]->d_name);
        json_t *part =
            json_load_file(str_text(&path), 0, NULL); // NULL: made this moment, still empty
        if (part) rep_document_merge(doc, part);
        json_decref(part);
        str_deinit(&path);
    }
    if (state.totals)
        json_object_set_new(doc, "unkept", json_integer((json_int_t)state.totals->unkept));
    if (s->v[DEV_OPT_ADVISE].given) json_object_set_new(doc, "advice", rep_advice(doc));
    if (state.has_lost_all)
        json_object_set_new(doc, "lost_launches", json_integer((json_int_t)state.totals->launches));
    return doc;
}

static struct err *add_coverage(const struct dev_option_set *s, const char *path, const json_t *doc,
                                enum moment when)
{
    json_t *all;
    if (when == WHILE_RUNNING) return NULL;
    struct err *const e =
        rep_merge_lcov(path, json_object_get(doc, "coverage"), s->v[DEV_OPT_OVERWRITE].given, &all);
    if (when == AT_END) state.coverage = rep_coverage_sum(all);
    json_decref(all);
    return e;
}

static void write_one(const struct dev_option_set *s, const struct rep_report *r, const json_t *doc,
                      long pid, enum moment when)
{
    bool to_stderr = !strcmp(r->path, "-");
    if (to_stderr && when != AT_END) return;
    char *text = NULL, *path = rep_path_for(r->path, pid);
    struct err *e = NULL;
    if (!strcmp(r->format, "lcov")) e = add_coverage(s, path, doc, when);
    else if (!strcmp(r->format, "junit")) {
        json_t *part = rep_document_shortened(doc);
        e = cmd_junit(part, s->v[DEV_OPT_STRICT].given, &text);
        json_decref(part);
    } else {
        text = rep_render(r->format, doc, state.root);
    }
    if (text && to_stderr) rep_write(stderr, text, strlen(text));
    else if (text) e = rep_replace_file(path, text, strlen(text), s->v[DEV_OPT_OVERWRITE].given);
    if (e && !state.failed) cmd_say("%s", err_message(e));
    state.failed |= e != NULL;
    err_free(e);
    free(path);
    free(text);
}

static void write_all(const struct dev_option_set *s, enum moment when)
{
    struct dirent **names = NULL;
    struct dev_reports reports = {0};
    if (state.part == CMD_REPORTS_NONE) return;
    int n = scandir(state.folder.path, &names, is_fragment, by_name);
    dev_option_reports(s, &reports);
    for (size_t i = 0; i < reports.len; i++) {
        const bool of_rank = strstr(reports.data[i].path, "%r");
        if (state.part != CMD_REPORTS_ALL && of_rank != (state.part == CMD_REPORTS_OF_RANK))
            continue;
        bool by_pid = strstr(reports.data[i].path, "%p");
        for (int k = 0; k < (by_pid ? n : 1); k++) {
            long pid = by_pid ? strtol(names[k]->d_name, NULL, 10) : 0;
            json_t *doc = merged(s, state.folder.path, names, n, pid);
            write_one(s, &reports.data[i], doc, pid, when);
            json_decref(doc);
        }
    }
    if (when == AT_END && s->v[DEV_OPT_ADVISE].given && state.part != CMD_REPORTS_OF_RANK) {
        json_t *doc = merged(s, state.folder.path, names, n, 0);
        struct str text = {0};
        rep_put_advice(&text, doc);
        rep_write_safe(stderr, str_text(&text));
        str_deinit(&text);
        json_decref(doc);
    }
    if (when == AT_END && s->v[DEV_OPT_COVERAGE_FAIL_UNDER].given && !state.coverage.lines) {
        json_t *doc = merged(s, state.folder.path, names, n, 0);
        state.coverage = rep_coverage_sum(json_object_get(doc, "coverage"));
        json_decref(doc);
    }
    for (int k = 0; k < n; k++) free(names[k]);
    free(names);
    vec_free(&reports);
}

const struct rep_coverage_sum *cmd_coverage(void) { return &state.coverage; }

bool cmd_covers_too_little(const struct dev_option_set *s)
{
    const struct dev_option_value *const least = &s->v[DEV_OPT_COVERAGE_FAIL_UNDER];
    const struct rep_coverage_sum *const c = &state.coverage;
    if (!least->number || (c->lines && c->lines_run * 100 >= least->number * c->lines))
        return false;
    struct str text = {0};
    rep_put_coverage(&text, c);
    cmd_say("--coverage-fail-under=%llu: %s ran, which is a failure",
            (unsigned long long)least->number, str_text(&text));
    str_deinit(&text);
    return true;
}

json_t *cmd_reports_merged(const struct dev_option_set *s, const char *folder)
{
    struct dirent **names = NULL;
    const int n = scandir(folder, &names, is_fragment, by_name);
    json_t *const doc = merged(s, folder, names, n, 0);
    for (int k = 0; k < n; k++) free(names[k]);
    free(names);
    return doc;
}

void cmd_reports_split(enum cmd_reports_part part, const char *folder)
{
    state.part = part;
    if (folder) state.folder = (struct temp_folder){.path = mem_strdup(folder), .lock = -1};
}

/** A rank's folder is not its own. */
static void release_folder(void)
{
    if (state.part != CMD_REPORTS_OF_RANK) temp_folder_destroy(&state.folder);
    free(state.folder.path);
    state.folder = (struct temp_folder){0};
}

struct err *cmd_reports_begin(const struct dev_option_set *s)
{
    const char *const keep = getenv("CLDBG_KEEP_TEXT");
    if (state.part != CMD_REPORTS_OF_RANK && keep && !strcmp(keep, "only"))
        unsetenv("CLDBG_KEEP_TEXT"); // it is for the app of a rank that this command runs in
    const bool report_unused = s->v[DEV_OPT_SUPPRESSIONS].given;
    unsetenv("CLDBG_REPORT_DIR");
    const bool of_rank = state.part == CMD_REPORTS_OF_RANK;
    if (!s->v[DEV_OPT_REPORT].given && !report_unused && !dev_option_covers(s) && !of_rank)
        return NULL;
    struct err *e = of_rank ? NULL : temp_folder_create(&state.folder, NULL, "reports");
    if (e) return err_wrap(e, "reports");
    setenv("CLDBG_REPORT_DIR", state.folder.path, 1);
    const char *workspace = getenv("GITHUB_WORKSPACE");
    state.root = rep_repository(workspace && *workspace ? workspace : ".");
    write_all(
        s,
        AT_BEGIN); // empty reports: a path that cannot be written is reported before the app runs
    if (!state.failed) return NULL;
    release_folder();
    return err_new("the requested reports cannot be written");
}

void cmd_reports_forget(void) { memset(&state, 0, sizeof state); }

bool cmd_reports_wanted(void) { return state.folder.path; }

void cmd_reports_update(const struct dev_option_set *s)
{
    struct stat st; // a fragment that is put in place changes its folder
    if (!state.folder.path || stat(state.folder.path, &st)) return;
    if (st.st_mtim.tv_sec == state.seen.tv_sec && st.st_mtim.tv_nsec == state.seen.tv_nsec) return;
    state.seen = st.st_mtim;
    write_all(s, WHILE_RUNNING);
}

void cmd_reports_add(const json_t *doc)
{
    struct str path = {0};
    if (!state.folder.path) return;
    str_printf(&path, "%s/%ld.json", state.folder.path, (long)getpid());
    if (json_dump_file(doc, str_text(&path), 0)) {
        cmd_say("%s: %m", str_text(&path));
        state.failed = true;
    }
    str_deinit(&path);
}

/**
 * Suppressions that fit nothing, of which the user should be rid; where launches were left out they
 * may fit those.
 */
static void report_unused(const struct dev_option_set *s)
{
    struct dirent **names = NULL;
    struct rep_filter *filter;
    int n = scandir(state.folder.path, &names, is_fragment, by_name);
    json_t *doc = merged(s, state.folder.path, names, n, 0),
           *used = json_object_get(doc, "suppressions_used");
    err_free(dev_option_filter(s, &filter));
    unsigned unused = 0, one = 0;
    for (unsigned i = 0; i < rep_filter_count(filter); i++) {
        if (json_object_get(used, rep_filter_name(filter, i))) continue;
        unused++;
        one = i;
        if (s->v[DEV_OPT_VERBOSE].given)
            cmd_say("%s: this suppression was not used", rep_filter_name(filter, i));
    }
    const bool silent = s->v[DEV_OPT_VERBOSE].given || s->v[DEV_OPT_ONLY_KERNEL].given ||
                        s->v[DEV_OPT_LAUNCHES].given;
    if (!silent && unused == 1)
        cmd_say("%s: this suppression was not used", rep_filter_name(filter, one));
    if (!silent && unused > 1)
        cmd_say("%u suppressions were not used; --verbose names them", unused);
    rep_filter_destroy(filter);
    json_decref(doc);
    for (int k = 0; k < n; k++) free(names[k]);
    free(names);
}

/** Continues in the background and adds later findings to the reports, until the last process has
 * ended. */
static void keep_on(const struct dev_option_set *s)
{
    const pid_t pid = fork();
    if (pid < 0) return cmd_say("reports: a process that continues them cannot be created: %m");
    if (pid) {
        state.folder = (struct temp_folder){0}; // it belongs to the child now
        return;
    }
    // A reader that waits for the end of the output must not wait for a daemon.
    setsid();
    const int null = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; i++) dup2(null, i);
    state.folder.lock = dup2(state.folder.lock, 3);
    closefrom(4);
    pid_t one;
    do {
        nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
        cmd_reports_update(s);
    } while (cmd_processes_left(&one));
    write_all(s, WHILE_RUNNING);
    temp_folder_destroy(&state.folder);
    _exit(0);
}

/** Nothing was stored: where there was no room, files are empty. */
static bool is_empty(const char *folder)
{
    struct dirent **names;
    const int n = scandir(folder, &names, is_fragment, NULL);
    bool empty = true;
    for (int i = 0; i < n; i++) {
        struct stat st;
        struct str path = {0};
        str_printf(&path, "%s/%s", folder, names[i]->d_name);
        empty &= stat(str_text(&path), &st) || !st.st_size;
        str_deinit(&path);
        free(names[i]);
    }
    if (n >= 0) free(names);
    return empty;
}

bool cmd_reports_end(const struct dev_option_set *s, const struct rep_totals *t, bool of_app)
{
    if (!state.folder.path) return true;
    state.totals = t;
    if (t && t->launches && is_empty(state.folder.path)) {
        cmd_say("the reports lack all launches: %s could not hold them", state.folder.path);
        state.failed = state.has_lost_all = true;
    }
    write_all(s, AT_END);
    const bool of_rank = state.part == CMD_REPORTS_OF_RANK;
    if (s->v[DEV_OPT_SUPPRESSIONS].given && !of_rank) report_unused(s);
    pid_t one;
    const unsigned left = of_app && !of_rank ? cmd_processes_left(&one) : 0;
    if (left) {
        cmd_say("%u process%s of the app go%s on (%d%s): what %s still find%s is added to the "
                "report files",
                left, left == 1 ? "" : "es", left == 1 ? "es" : "", (int)one,
                left == 1 ? "" : " is one of them", left == 1 ? "it" : "they",
                left == 1 ? "s" : "");
        keep_on(s);
    }
    release_folder();
    free(state.root);
    state.root = NULL;
    return !state.failed;
}
