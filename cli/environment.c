// SPDX-License-Identifier: MIT
// What the app's process finds in its environment, so that whichever way it looks for OpenCL it
// finds us: a libOpenCL.so.1 loaded before all others but those that the user preloads, which may
// want to see the calls first (LD_PRELOAD), the same one in the folders where dlopen looks
// (LD_LIBRARY_PATH), and for ICD loaders of its own the vendor's entry (OCL_ICD_VENDORS).
#include "cli/cmd.h"

#include "report/document.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cmd_is_debugged(void)
{
    const char *client = getenv("CLDBG_DEBUG");
    return client && *client;
}

static struct err *refuse_native(const struct dev_option_set *s)
{
    return cmd_is_debugged() && s->v[DEV_OPT_NATIVE].given
               ? err_new("--native cannot be combined with the debugger: machine code cannot be "
                         "stepped")
               : NULL;
}

struct err *cmd_env_options(struct dev_option_set *s)
{
    const char *text = getenv("CLDBG_OPTIONS");
    struct err *e = text ? dev_option_parse_text(s, text) : NULL;
    if (!e) e = refuse_native(s);
    return err_wrap(e, "CLDBG_OPTIONS");
}

/** Makes the path absolute, because the app may change its folder; NULL: it is absolute. */
static char *absolute(const char *path)
{
    char cwd[PATH_MAX];
    if (path[0] == '/' || !getcwd(cwd, sizeof cwd)) return NULL;
    struct str s = {0};
    str_printf(&s, "%s/%s", cwd, path);
    return str_take(&s);
}

static const char *keep_absolute(struct dev_option_set *s, const char *path)
{
    char *full = absolute(path);
    const char *kept = full ? arena_strdup(&s->arena, full) : path;
    free(full);
    return kept;
}

/** Replaces the value of --report by all reports that are wanted, including those of --ci. */
static struct err *prepare_reports(struct dev_option_set *s)
{
    struct dev_reports reports = {0};
    struct err *e = NULL;
    struct dev_option_value *const coverage = &s->v[DEV_OPT_COVERAGE];
    if (coverage->text) coverage->text = keep_absolute(s, coverage->text);
    struct dev_option_value *const profile = &s->v[DEV_OPT_PROFILE],
                                   *const model = &s->v[DEV_OPT_DEVICE_MODEL];
    struct dev_option_value *const trace = &s->v[DEV_OPT_TRACE];
    if (trace->text) trace->text = keep_absolute(s, trace->text);
    if (profile->text) profile->text = keep_absolute(s, profile->text);
    if (model->text && !access(model->text, F_OK)) model->text = keep_absolute(s, model->text);
    dev_option_reports(s, &reports);
    vec_free(&s->v[DEV_OPT_REPORT].list);
    s->v[DEV_OPT_REPORT] = (struct dev_option_value){0};
    for (size_t i = 0; i < reports.len && !e; i++) {
        const struct rep_report *r = &reports.data[i];
        bool file = strcmp(r->path, "-");
        struct str value = {0};
        str_printf(&value, "%s:%s", r->format, file ? keep_absolute(s, r->path) : r->path);
        e = dev_option_put(s, DEV_OPT_REPORT, str_text(&value));
        str_deinit(&value);
    }
    vec_free(&reports);
    return e;
}

static const enum dev_option read_files[] = {DEV_OPT_SUPPRESSIONS, DEV_OPT_BASELINE};

static struct err *check_filter(const struct dev_option_set *s)
{
    struct rep_filter *filter;
    struct err *e = dev_option_filter(s, &filter);
    rep_filter_destroy(filter);
    return e;
}

static struct err *check_folder(const char *path, int mode)
{
    struct stat st;
    if (stat(path, &st)) return err_new("%m");
    if (!S_ISDIR(st.st_mode)) return err_new("it is not a folder");
    return access(path, mode) ? err_new("%m") : NULL;
}

/** --log-file with %p, a file for each process, which makes it: here only whether it can. */
static struct err *check_log_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct str folder = {0};
    str_put_n(&folder, path, slash ? (size_t)(slash - path) + 1 : 0);
    struct err *e = strstr(str_text(&folder), "%p")
                        ? NULL
                        : check_folder(slash ? str_text(&folder) : ".", W_OK | X_OK);
    str_deinit(&folder);
    return err_wrap(e, "--log-file=%s", path);
}

/** Captures can be written there; the folder is made with the first one. */
static struct err *check_capture(const char *path)
{
    const bool made = !mkdir(path, 0777);
    struct err *e = made || errno == EEXIST ? check_folder(path, W_OK | X_OK)
                                            : err_new("it cannot be created: %m");
    if (made) rmdir(path);
    return err_wrap(e, "--capture=%s", path);
}

struct err *cmd_prepare_options(struct dev_option_set *s)
{
    const char *log;
    struct err *e = refuse_native(s);
    if (!e) e = dev_option_log(s, &log);
    if (e) return e;
    if (log && strstr(log, "%p")) {
        e = check_log_folder(log);
        if (e) return e;
    } else if (log) {
        char *own = rep_path_for(log, 0);
        e = rep_replace_file(own, "", 0, s->v[DEV_OPT_OVERWRITE].given);
        free(own);
        if (e) return e;
    }
    if (log) {
        char *path = absolute(log);
        e = dev_option_put(s, DEV_OPT_LOG_FILE, path ? path : log);
        free(path);
    }
    if (!e) e = prepare_reports(s);
    if (!e && dev_option_capture(s)) e = check_capture(dev_option_capture(s));
    if (!e && dev_option_capture(s))
        e = dev_option_put(s, DEV_OPT_CAPTURE, keep_absolute(s, dev_option_capture(s)));
    for (size_t i = 0; !e && i < sizeof read_files / sizeof *read_files; i++) {
        struct dev_option_value *v = &s->v[read_files[i]];
        if (v->text) v->text = keep_absolute(s, v->text);
        for (size_t k = 0; k < v->list.len; k++)
            v->list.data[k] = keep_absolute(s, v->list.data[k]);
    }
    if (!e) e = check_filter(s);
    struct dev_option_value *dirs = &s->v[DEV_OPT_SOURCE_DIR];
    for (size_t i = 0; i < dirs->list.len && !e; i++) {
        e = err_wrap(check_folder(dirs->list.data[i], X_OK), "--source-dir=%s", dirs->list.data[i]);
        char *path = absolute(dirs->list.data[i]);
        if (path) dirs->list.data[i] = arena_strdup(&s->arena, path);
        free(path);
    }
    return e;
}

/** Sets the variable to two lists, joined by a colon; either may be NULL or empty. */
static void set_list(const char *name, const char *first, const char *second)
{
    struct str s = {0};
    str_put(&s, first ? first : "");
    if (first && *first && second && *second) str_put(&s, ":");
    str_put(&s, second ? second : "");
    setenv(name, str_text(&s), 1);
    str_deinit(&s);
}

static void set_in_front(const char *name, const char *value)
{
    set_list(name, value, getenv(name));
}

void cmd_set_own_environment(const struct cmd_home *h, const struct dev_option_set *s,
                             int status_fd)
{
    setenv("CLDBG_CC", h->helper, 0);
    struct str options = {0};
    dev_option_print(s, DEV_FOR_APP, &options);
    setenv("CLDBG_OPTIONS", str_text(&options), 1);
    str_deinit(&options);
    char page[32];
    snprintf(page, sizeof page, "%d,%d", status_fd, (int)getpid());
    setenv("CLDBG_STATUS_FD", page, 1);
}

void cmd_set_environment(const struct cmd_home *h, const struct dev_option_set *s, int status_fd)
{
    char *front = cmd_folder(h->front), *driver = cmd_folder(h->driver);
    set_in_front("LD_LIBRARY_PATH", driver);
    set_in_front("LD_LIBRARY_PATH", front);
    set_list("LD_PRELOAD", getenv("LD_PRELOAD"), h->front);
    set_in_front("ASAN_OPTIONS",
                 "verify_asan_link_order=0"); // (an app built with it wants its library to be the
                                              // first; ours has none of its functions)
    setenv("OCL_ICD_VENDORS", h->vendors, 1);
    unsetenv("OCL_ICD_FILENAMES"); // drivers beside the vendors' folder (Khronos' loader)
    cmd_set_own_environment(h, s, status_fd);
    free(front);
    free(driver);
}
