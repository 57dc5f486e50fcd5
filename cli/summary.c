// SPDX-License-Identifier: MIT
// The closing line: always printed, and never better than what was checked.
#include "cli/cmd.h"

#include "base/out.h"
#include "report/document.h"
#include "report/sink.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cmd_found_errors(const struct rep_totals *t, const struct dev_option_set *s)
{
    return t->errors || t->internal_errors || (s->v[DEV_OPT_STRICT].given && t->warnings);
}

/** Why no kernel was launched, as far as the totals show. */
static const char *why_no_launches(const struct rep_totals *t, unsigned left)
{
    return !t->processes  ? left ? "the app did not use cldbg's OpenCL before it ended"
                                 : "the app never used cldbg's OpenCL"
           : !t->contexts ? "the app queried cldbg's OpenCL but created no context"
           : !t->programs ? "the app created a context but no program"
           : !t->enqueued ? !t->builds && t->failed_builds
                                ? "the app's programs did not build"
                                : "the app built programs but launched no kernel"
                          : "the app enqueued kernels, but none ran: the app never waited for them "
                            "(clFinish), or an event that they wait for failed or never came";
}

/** The filter that left out all launches. */
static const char *what_fits_none(const struct dev_option_set *s)
{
    const bool kernels = s->v[DEV_OPT_ONLY_KERNEL].given, launches = s->v[DEV_OPT_LAUNCHES].given;
    return kernels && launches ? "none is of those that --only-kernel and --launches name"
           : kernels           ? "none is of a kernel that --only-kernel names"
                               : "none is among --launches, which counts from 1 in each process";
}

void cmd_put_covered(struct str *line, const struct rep_totals *t, const struct dev_option_set *s)
{
    if (!s->v[DEV_OPT_COVERAGE].given && !s->v[DEV_OPT_COVERAGE_FAIL_UNDER].given) return;
    if (!t->launches) return;
    str_put(line, "; coverage: ");
    rep_put_coverage(line, cmd_coverage());
}

/** The color of the closing line on a terminal. */
static const char *color_of(const struct rep_totals *t, int when)
{
    if (when == 0 || (when < 0 && !rep_wants_color(stderr))) return NULL;
    if (t->errors) return "\033[1;31m";
    if (t->warnings || t->possible || !t->launches || t->launches == t->skipped_launches ||
        t->begun > t->launches || t->enqueued > t->begun)
        return "\033[1;35m";
    return "\033[1;32m";
}

void cmd_put_closing(const struct rep_totals *t, const struct dev_option_set *s, const char *line,
                     const char *more)
{
    const char *color = color_of(t, dev_option_color(s));
    struct str said = {0};
    str_printf(&said, "cldbg: %s%s%s\n%s", color ? color : "", line, color ? "\033[0m" : "", more);
    rep_write(stderr, said.data, said.len);
    str_deinit(&said);

    const char *log = NULL;
    err_free(dev_option_log(s, &log)); // checked long ago
    char *path = log && !strstr(log, "%p") ? rep_path_for(log, 0) : NULL;
    const int fd = path ? out_append(path, OUT_REPORT) : -1;
    FILE *f = fd < 0 ? NULL : fdopen(fd, "a");
    free(path);
    if (f) {
        fprintf(f, "cldbg: %s\n%s", line, more);
        fclose(f);
    }
}

void cmd_summary(const struct rep_totals *t, const struct dev_option_set *s, const char *app)
{
    cmd_summary_of(t, s, app, "");
}

void cmd_summary_of(const struct rep_totals *t, const struct dev_option_set *s, const char *app,
                    const char *ranks)
{
    char totals[1024];
    rep_summary(t, totals, sizeof totals);
    struct str line = {0}, more = {0};
    pid_t one;
    const unsigned left = app ? cmd_processes_left(&one) : 0;
    const bool found = t->errors || t->warnings || t->possible;
    if (t->left && !found && !t->launches && !t->begun) return; // the user ended it in the debugger
    if (!found && t->launches && t->skipped_launches == t->launches)
        str_printf(&line, "nothing was checked in %llu kernel launch%s: %s",
                   (unsigned long long)t->launches, t->launches == 1 ? "" : "es",
                   what_fits_none(s));
    else if (found || t->launches || t->begun) str_put(&line, totals);
    else
        str_printf(&line, "no kernel was launched: %s",
                   app ? why_no_launches(t, left) : "it ended before the launch");
    if (left)
        str_printf(
            &line, "; %u process%s of the app go%s on (%d%s), and this line lacks what %s find%s",
            left, left == 1 ? "" : "es", left == 1 ? "es" : "", (int)one,
            left == 1 ? "" : " is one of them", left == 1 ? "it" : "they", left == 1 ? "s" : "");
    bool off[REP_KIND_COUNT], any = false;
    err_free(dev_option_kinds(s, off)); // checked long ago
    for (int k = 0; k < REP_KIND_COUNT; k++) any |= !off[k];
    if (!any) str_put(&line, "; every check is switched off");
    cmd_put_covered(&line, t, s);
    str_put(&line, ranks);
    if (!t->contexts && !found && !t->launches && !t->begun && app) // a killed rank counts none
        str_printf(&more,
                   "cldbg: `cldbg doctor %s` shows which OpenCL implementation it loads, and why\n",
                   app);
    if (app) rep_put_failed_calls(&more, t);
    if (!t->builds && t->failed_builds && app && !s->v[DEV_OPT_VERBOSE].given)
        str_put(&more, "cldbg: --verbose shows all messages of the compiler\n");
    cmd_put_closing(t, s, str_text(&line), str_text(&more));
    str_deinit(&line);
    str_deinit(&more);
}

int cmd_verdict(const struct rep_totals *t, const struct dev_option_set *s)
{
    const struct dev_option_value *error_code = &s->v[DEV_OPT_ERROR_EXITCODE];
    if (cmd_found_errors(t, s)) return error_code->given ? (int)error_code->number : 66;
    if (t->launches == t->skipped_launches + t->native_launches && s->v[DEV_OPT_CI].given) {
        cmd_say("--ci: no kernel was launched and checked, which is a failure");
        return CMD_FAILED;
    }
    return CMD_OK;
}
