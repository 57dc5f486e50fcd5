// SPDX-License-Identifier: MIT
// `cldbg report FILE.json… --to=FORMAT[:PATH]`: the reports, merged, in another format.
#include "cli/cmd.h"
#include "cli/junit.h"

#include "base/io.h"
#include "base/mem.h"
#include "report/coverage.h"
#include "report/document.h"
#include "report/sink.h"

#include <stdlib.h>
#include <string.h>

static struct err *add_file(json_t **doc, const char *path)
{
    json_error_t where;
    struct str text = {0};
    if (!io_read_file(path, &text)) {
        str_deinit(&text);
        return err_new("%s cannot be read: %m", path);
    }
    json_t *const part = json_loadb(str_text(&text), text.len, 0, &where);
    str_deinit(&text);
    if (!part) return err_new("%s:%d: it is not JSON: %s", path, where.line, where.text);
    struct err *const e = err_wrap(rep_document_check(part), "%s", path);
    if (e || !*doc) {
        if (e) json_decref(part);
        else *doc = part;
        return e;
    }
    rep_document_merge(*doc, part);
    json_decref(part);
    return NULL;
}

static struct err *render(const json_t *doc, const char *format, bool strict, char **text)
{
    char *const root = rep_repository(".");
    struct err *e = NULL;
    if (!strcmp(format, "lcov")) *text = rep_render_lcov(json_object_get(doc, "coverage"));
    else if (strcmp(format, "junit")) *text = rep_render(format, doc, root);
    else {
        json_t *const part = rep_document_shortened(doc);
        e = cmd_junit(part, strict, text);
        json_decref(part);
    }
    free(root);
    if (!e && !*text)
        e = err_new("--to=%s: this format is not known; html, json, sarif, junit, github, lcov and "
                    "cobertura are",
                    format);
    return e;
}

static struct err *convert(const json_t *doc, const char *to, const struct dev_option_set *s)
{
    const char *const colon = strchr(to, ':');
    char *const format = colon ? strndup(to, (size_t)(colon - to)) : mem_strdup(to), *text = NULL;
    struct err *e = render(doc, format, s->v[DEV_OPT_STRICT].given, &text);
    if (!e && colon)
        e = rep_replace_file(colon + 1, text, strlen(text), s->v[DEV_OPT_OVERWRITE].given);
    else if (!e) rep_write(stdout, text, strlen(text));
    free(text);
    free(format);
    return e;
}

int cmd_report(int argc, char **argv)
{
    struct dev_option_set s = {0};
    json_t *doc = NULL;
    struct err *e = NULL;
    for (int i = 0; i < argc && !e; i++)
        if (argv[i][0] == '-' && argv[i][1]) e = dev_option_parse(&s, argv[i], DEV_FOR_REPORT);
    if (!e && cmd_help_asked(&s)) return cmd_help(&s, DEV_FOR_REPORT);
    if (!e && s.v[DEV_OPT_VERSION].given) return cmd_version();
    for (int i = 0; i < argc && !e; i++)
        if (argv[i][0] != '-' || !argv[i][1]) e = add_file(&doc, argv[i]);
    const struct dev_option_value *const to = &s.v[DEV_OPT_TO];
    if (!e && !doc) e = err_new("no json report was given; `cldbg report --help` shows how");
    if (!e && !to->list.len)
        e = err_new("--to=FORMAT is missing, for instance --to=html:report.html");
    for (size_t i = 0; i < to->list.len && !e; i++) e = convert(doc, to->list.data[i], &s);
    json_decref(doc);
    const int status = e ? cmd_fail(CMD_RUN_FAILED, e) : CMD_OK;
    dev_option_set_deinit(&s);
    return status;
}
