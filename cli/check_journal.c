// SPDX-License-Identifier: MIT
// The journal of `cldbg check`: a header, then one line of JSON for each file that is done. A line
// counts if it is complete: the last one may lack its end where the run was killed.
#include "cli/cmd.h"
#include "cli/check_files.h"

#include "base/io.h"
#include "base/out.h"
#include "report/document.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/** With other options or another version of cldbg, the results would differ. */
static json_t *header(const struct check *c)
{
    json_t *const options = json_array();
    for (size_t i = 0; i < c->args.len; i++)
        json_array_append_new(options, rep_json_text(c->args.data[i], strlen(c->args.data[i])));
    return json_pack("{s: s, s: s, s: o}", "format", "cldbg-journal", "tool", PACKAGE_VERSION,
                     "options", options);
}

static int compare_path(const void *path, const void *file)
{
    return strverscmp(path, ((const struct check_file *)file)->path);
}

struct check_file *check_find(const struct check *c, const char *path)
{
    if (!c->files.len) return NULL;
    return bsearch(path, c->files.data, c->files.len, sizeof *c->files.data, compare_path);
}

/** A line of an earlier run. It is ignored if it is damaged, or if the file has changed since. */
static void take_line(struct check *c, const char *line, size_t len, uint64_t at)
{
    json_t *const result = json_loadb(line, len, 0, NULL);
    struct check_file *const f = check_find(c, rep_json_get(result, "file"));
    const json_t *const document = json_object_get(result, "document");
    struct err *const bad = document ? rep_document_check(document) : NULL;
    if (f && !bad && !f->is_done && json_is_object(json_object_get(result, "totals")) &&
        (uint64_t)json_integer_value(json_object_get(result, "size")) == f->size &&
        (uint64_t)json_integer_value(json_object_get(result, "mtime")) == f->mtime) {
        f->is_done = true;
        f->at = at;
        f->len = len;
        c->ndone++;
    }
    err_free(bad);
    json_decref(result);
}

static struct err *check_header(const struct check *c, const char *line, size_t len)
{
    json_t *const theirs = json_loadb(line, len, 0, NULL), *const ours = header(c);
    const bool is_ours = !strcmp(rep_json_get(theirs, "format"), "cldbg-journal");
    struct err *const e =
        !is_ours ? err_new("%s is not a journal of cldbg check", c->journal_path)
        : !json_equal(theirs, ours)
            ? err_new("%s is of a run with other options or another version of cldbg; without "
                      "--resume, cldbg begins again",
                      c->journal_path)
            : NULL;
    json_decref(ours);
    json_decref(theirs);
    return e;
}

/** Reads the earlier run; *end is after its last complete line. */
static struct err *resume(struct check *c, uint64_t *end)
{
    FILE *const in = fdopen(dup(c->journal), "r");
    if (!in) return err_new("%s: %m", c->journal_path);
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    struct err *e = NULL;
    while (!e && (n = getline(&line, &cap, in)) > 0 && line[n - 1] == '\n') {
        if (!*end) e = check_header(c, line, (size_t)n);
        else take_line(c, line, (size_t)n, *end);
        *end += (uint64_t)n;
    }
    free(line);
    fclose(in);
    return e;
}

static struct err *write_line(struct check *c, const json_t *line)
{
    char *const text = json_dumps(line, JSON_COMPACT);
    struct str s = {0};
    str_printf(&s, "%s\n", text ? text : "{}");
    free(text);
    struct err *const e = io_write_all(c->journal, s.data, s.len)
                              ? NULL
                              : err_new("the journal cannot be written: %m");
    if (!e) c->journal_end += s.len;
    str_deinit(&s);
    return e;
}

/** Is the file empty, or a journal? Others are not overwritten. */
static bool is_journal(int fd)
{
    static const char begin[] = "{\"format\":\"cldbg-journal\"";
    char text[sizeof begin] = "";
    const ssize_t n = pread(fd, text, sizeof begin - 1, 0);
    return !n || (n > 0 && !strncmp(text, begin, (size_t)n));
}

struct err *check_journal_open(struct check *c)
{
    struct str path = {0};
    str_printf(&path, "%s", c->journal_path ? c->journal_path : c->folder.path);
    if (!c->journal_path) str_put(&path, "/journal");
    const bool resumes = c->s->v[DEV_OPT_RESUME].given;
    uint64_t end = 0;
    struct err *e = NULL;
    c->journal = open(str_text(&path), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, OUT_REPORT);
    if (c->journal < 0) e = err_new("%s: %m", str_text(&path));
    else if (flock(c->journal, LOCK_EX | LOCK_NB))
        e = err_new("%s is in use by another cldbg check", str_text(&path));
    else if (!is_journal(c->journal))
        e = err_new("%s is not a journal of cldbg check", str_text(&path));
    if (!e && resumes) e = resume(c, &end);
    struct stat st;
    if (!e && !resumes && c->journal_path && !fstat(c->journal, &st) && st.st_size)
        cmd_say("%s of an interrupted run is replaced; --resume would have continued that run",
                c->journal_path);
    if (!e && ftruncate(c->journal, (off_t)end)) e = err_new("%s: %m", str_text(&path));
    c->journal_end = end;
    str_deinit(&path);
    if (e || end) return e;
    json_t *const first = header(c);
    e = write_line(c, first);
    json_decref(first);
    return e;
}

struct err *check_journal_add(struct check *c, struct check_file *f, const json_t *result)
{
    f->at = c->journal_end;
    struct err *const e = write_line(c, result);
    f->len = c->journal_end - f->at;
    f->is_done = !e;
    c->ndone += !e;
    return e;
}

json_t *check_journal_read(const struct check *c, const struct check_file *f)
{
    char *const text = malloc(f->len);
    json_t *const result = text && pread(c->journal, text, f->len, (off_t)f->at) == (ssize_t)f->len
                               ? json_loadb(text, f->len, 0, NULL)
                               : NULL;
    free(text);
    return result;
}

void check_journal_close(struct check *c)
{
    if (c->journal >= 0 && c->journal_path && c->ndone == c->files.len) unlink(c->journal_path);
    if (c->journal >= 0) close(c->journal);
}
