// SPDX-License-Identifier: MIT
// `cldbg check FILE… | DIR…`: its files, options, closing line and exit status.
#include "cli/cmd.h"
#include "cli/check_files.h"
#include "cli/merge.h"

#include "base/map.h"
#include "devices/capture.h"
#include "report/document.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_path(struct check *c, const char *path, const struct stat *st)
{
    const bool has_links = st->st_nlink > 1;
    vec_push(&c->files, (struct check_file){.path = arena_strdup(&c->s->arena, path),
                                            .dev = has_links ? (uint64_t)st->st_dev : 0,
                                            .ino = has_links ? (uint64_t)st->st_ino : 0,
                                            .size = (uint64_t)st->st_size,
                                            .mtime = (uint64_t)st->st_mtim.tv_sec * 1000000000u +
                                                     (uint64_t)st->st_mtim.tv_nsec});
}

/** A launch in a file of several, under the path that `cldbg run` accepts. */
static void add_item(struct check *c, const struct dev_capture_item *item)
{
    vec_push(&c->files, (struct check_file){.path = arena_strdup(&c->s->arena, item->path),
                                            .dev = UINT64_MAX,
                                            .ino = item->key,
                                            .size = item->size,
                                            .mtime = item->key});
}

/** A path that a file has is that file; a launch that a file has is checked there. */
static void visit_item(void *check, const struct dev_capture_item *item)
{
    struct stat st;
    if (!item->is_file && stat(item->path, &st)) add_item(check, item);
}

static struct check *walker; // nftw passes no context
static struct err *walk_error;

static int visit(const char *path, const struct stat *st, int type, struct FTW *where)
{
    if (type != FTW_F || !S_ISREG(st->st_mode)) return 0;
    if (dev_capture_is_pack(path)) walk_error = dev_capture_each(path, visit_item, walker);
    else if (dev_capture_is(path)) add_path(walker, path, st);
    return walk_error != NULL;
}

static struct err *add(struct check *c, const char *path)
{
    enum { DESCRIPTORS = 32 };
    struct stat st;
    struct dev_capture_item item;
    if (stat(path, &st)) {
        const int why = errno;
        if (!dev_capture_item(path, &item)) return err_new("%s: %s", path, strerror(why));
        add_item(c, &item);
        return NULL;
    }
    if (!S_ISDIR(st.st_mode)) {
        if (dev_capture_is_pack(path)) return dev_capture_each(path, visit_item, c);
        add_path(c, path, &st);
        return NULL;
    }
    const size_t before = c->files.len;
    walker = c;
    if (nftw(path, visit, DESCRIPTORS, FTW_PHYS))
        return walk_error ? walk_error : err_new("%s: %m", path);
    return c->files.len > before ? NULL : err_new("%s: this folder has no captured launches", path);
}

static int by_path(const void *a, const void *b)
{
    return strverscmp(((const struct check_file *)a)->path, ((const struct check_file *)b)->path);
}

/** A link to a file that is in the list: equal launches of an app are stored once. */
static bool is_repeated(struct map *seen, const struct check_file *f)
{
    bool is_new = true;
    if (f->ino) map_put(seen, hash_bytes((uint64_t[]){f->dev, f->ino}, 16, 0), &is_new);
    return !is_new;
}

/** Orders the files, so that a report does not depend on the order of the arguments; each once. */
static void order(struct check *c)
{
    size_t n = 0;
    struct map seen = {0};
    if (c->files.len) qsort(c->files.data, c->files.len, sizeof *c->files.data, by_path);
    for (size_t i = 0; i < c->files.len; i++)
        if ((!n || strcmp(c->files.data[n - 1].path, c->files.data[i].path)) &&
            !is_repeated(&seen, &c->files.data[i]))
            c->files.data[n++] = c->files.data[i];
    c->files.len = n;
    map_deinit(&seen);
}

static void add_arg(struct check *c, const char *name, const char *value)
{
    struct str s = {0};
    str_printf(&s, "--%s%s%s", name, value ? "=" : "", value ? value : "");
    vec_push(&c->args, arena_strdup(&c->s->arena, str_text(&s)));
    str_deinit(&s);
}

/** The options of the children: all, without those that shape the report. */
static void make_args(struct check *c)
{
    static const enum dev_option ours[] = {
        DEV_OPT_REPORT,       DEV_OPT_LOG_FILE,       DEV_OPT_CI,
        DEV_OPT_OVERWRITE,    DEV_OPT_COLOR,          DEV_OPT_ALL,
        DEV_OPT_MAX_FINDINGS, DEV_OPT_STRICT,         DEV_OPT_COVERAGE,
        DEV_OPT_VERBOSE,      DEV_OPT_ERROR_EXITCODE, DEV_OPT_COVERAGE_FAIL_UNDER};
    struct dev_option_set *const s = c->s;
    for (int i = 0; i < DEV_OPT_COUNT; i++) {
        const unsigned use = dev_option_infos[i].applies;
        bool is_ours = !(use & DEV_FOR_RUN) || !(use & DEV_FOR_CHECK);
        for (size_t k = 0; k < sizeof ours / sizeof *ours; k++) is_ours |= (int)ours[k] == i;
        const struct dev_option_value *const v = &s->v[i];
        if (!v->given || is_ours) continue;
        if (dev_option_infos[i].type != DEV_OPT_LIST) add_arg(c, dev_option_infos[i].name, v->text);
        for (size_t k = 0; k < v->list.len; k++)
            add_arg(c, dev_option_infos[i].name, v->list.data[k]);
    }
    if (dev_option_covers(s)) add_arg(c, "coverage-fail-under", "0"); // counts coverage
    add_arg(c, "log-file", "/dev/null");                              // texts are in the documents
}

/** Each child gets its part of the cores. */
static void share_cores(struct check *c)
{
    const int sharing = c->ranks ? c->ranks->on_node : 1;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN) / sharing;
    c->jobs = c->s->v[DEV_OPT_JOBS].given ? c->s->v[DEV_OPT_JOBS].number
                                          : (uint64_t)(cores > 0 ? cores : 1);
    if (c->jobs > c->files.len) c->jobs = c->files.len;
    char units[24];
    const uint64_t each = cores > 0 && c->jobs ? (uint64_t)cores / c->jobs : 1;
    snprintf(units, sizeof units, "%llu", (unsigned long long)(each ? each : 1));
    if (!c->s->v[DEV_OPT_COMPUTE_UNITS].given) add_arg(c, "compute-units", units);
}

/** The journal is beside the first report that is a file. */
static struct err *name_journal(struct check *c)
{
    struct dev_reports reports = {0};
    dev_option_reports(c->s, &reports);
    struct str path = {0};
    struct err *e = NULL;
    for (size_t i = 0; i < reports.len && !e; i++) {
        const char *const format = reports.data[i].format;
        if (!strcmp(format, "profile") || !strcmp(format, "trace"))
            e = err_new("--report=%s:…: this format is not available with cldbg check", format);
        if (path.len || !strcmp(reports.data[i].path, "-")) continue;
        char *const report = rep_path_for(reports.data[i].path, 0);
        str_printf(&path, "%s.journal", report);
        free(report);
    }
    vec_free(&reports);
    if (path.len) c->journal_path = str_take(&path);
    if (!e && !c->journal_path && c->s->v[DEV_OPT_RESUME].given)
        e = err_new("--resume needs the --report=FORMAT:PATH of the interrupted run: its journal "
                    "is PATH.journal");
    return e;
}

static void say_closing(const struct check *c, const struct rep_totals *t, const json_t *doc)
{
    struct str s = {0};
    const size_t failed = rep_document_failed_captures(doc);
    char totals[1024];
    rep_summary(t, totals, sizeof totals);
    str_printf(&s, "%s; %zu file%s", totals, c->files.len, c->files.len == 1 ? "" : "s");
    if (c->ranks) str_printf(&s, " on %d ranks", c->ranks->size);
    if (failed) str_printf(&s, ", %zu of them not checked", failed);
    if (c->ndone < c->files.len) {
        str_printf(&s, ", interrupted after %zu", c->ndone);
        if (c->journal_path) str_put(&s, "; --resume continues");
    }
    cmd_put_covered(&s, t, c->s);
    cmd_put_closing(t, c->s, str_text(&s), "");
    str_deinit(&s);
}

static int status_of(const struct check *c, const struct rep_totals *t, const json_t *doc)
{
    const struct dev_option_value *const code = &c->s->v[DEV_OPT_ERROR_EXITCODE];
    if (c->signal) return 128 + c->signal;
    if (cmd_found_errors(t, c->s)) return code->given ? (int)code->number : CMD_RUN_ERRORS;
    if (rep_document_failed_captures(doc)) return CMD_RUN_FAILED;
    return cmd_covers_too_little(c->s) ? CMD_RUN_ERRORS : CMD_OK;
}

/** The reports of what is done, and the exit status. */
static struct err *finish(struct check *c, int *status)
{
    struct rep_totals t = {0};
    json_t *const doc = check_merge(c, &t);
    check_show(c, doc);
    merge_strip(doc);
    cmd_reports_add(doc);
    struct err *const e =
        cmd_reports_end(c->s, &t, false) ? NULL : err_new("a report could not be written");
    say_closing(c, &t, doc);
    *status = status_of(c, &t, doc);
    json_decref(doc);
    return e;
}

/** Journal and reports: only one rank has them. */
static struct err *begin(struct check *c)
{
    order(c);
    struct err *e = c->bad_file;
    c->bad_file = NULL;
    if (!e && !c->files.len) e = err_new("no file is named; `cldbg check --help` shows how");
    if (!e) e = name_journal(c);
    if (!e) e = check_journal_open(c);
    return e ? e : cmd_reports_begin(c->s);
}

static struct err *check(struct check *c, int *status)
{
    sigset_t set;
    check_signals(&set);
    sigprocmask(SIG_BLOCK, &set, &c->mask); // before threads of MPI begin
    struct err *e = ranks_open(&c->ranks);
    if (e) return e;
    const bool leads = !c->ranks || !c->ranks->rank;
    make_args(c);
    e = temp_folder_create(&c->folder, NULL, "check");
    if (!e && leads) e = begin(c);
    if (c->ranks) e = check_ranks_begin(c, e);
    share_cores(c);
    if (!e) e = check_run(c);
    if (c->ranks) check_ranks_release(c);
    if (!e && leads) e = finish(c, status);
    if (!e && !leads && c->signal) *status = 128 + c->signal;
    if (!e && leads) check_journal_close(c);
    temp_folder_destroy(&c->folder);
    return e;
}

/** One argument, or two for "-j N". */
static struct err *parse(struct check *c, int argc, char **argv, int *i, bool only_options)
{
    const char *const arg = argv[*i];
    if (str_starts(arg, "-j")) {
        const char *const n = arg[2] ? arg + 2 : *i + 1 < argc ? argv[++*i] : "";
        return only_options ? dev_option_put(c->s, DEV_OPT_JOBS, n) : NULL;
    }
    if (arg[0] == '-' && arg[1])
        return only_options ? dev_option_parse(c->s, arg, DEV_FOR_CHECK) : NULL;
    if (!only_options && !ranks_number() && !c->bad_file) c->bad_file = add(c, arg);
    return NULL;
}

/** What concerns all ranks, rank 0 says. */
static int fail(const struct check *c, struct err *e)
{
    const int rank = ranks_number();
    if (!rank) return cmd_fail(CMD_RUN_FAILED, e);
    if (c->ranks) cmd_say("rank %d: %s", rank, err_message(e));
    err_free(e);
    return CMD_RUN_FAILED;
}

int cmd_check(int argc, char **argv)
{
    struct dev_option_set s = {0};
    struct check c = {.s = &s, .journal = -1};
    int status = CMD_OK;
    struct err *e = cmd_env_options(&s);
    for (int i = 0; i < argc && !e; i++) e = parse(&c, argc, argv, &i, true);
    if (!e && cmd_help_asked(&s)) return cmd_help(&s, DEV_FOR_CHECK);
    if (!e && s.v[DEV_OPT_VERSION].given) return cmd_version();
    for (int i = 0; i < argc && !e; i++) e = parse(&c, argc, argv, &i, false);
    if (!e) e = dev_option_check(&s);
    if (!e) e = cmd_prepare_options(&s);
    if (!e) e = check(&c, &status);
    const int failed = e ? fail(&c, e) : CMD_OK;
    if (!status) status = failed; // errors of kernels come before unwritten reports
    if (c.ranks) check_ranks_end(&c, status);
    err_free(c.bad_file);
    free(c.others);
    free(c.journal_path);
    vec_free(&c.files);
    vec_free(&c.args);
    dev_option_set_deinit(&s);
    return status;
}
