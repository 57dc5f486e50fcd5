// SPDX-License-Identifier: MIT
// Report files: paths, atomic replacement, and recognition.
#include "report/document.h"

#include "base/launcher.h"
#include "base/mem.h"
#include "base/out.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** "FILE:LINE:COL: error: … [id]", the first line of a finding as text. */
static bool is_first_line(const char *line, size_t n)
{
    bool found = false;
    for (int k = 0; k < REP_KIND_COUNT && !found; k++) {
        struct str id = {0};
        str_printf(&id, " [%s]", rep_kinds[k].id);
        found = n > id.len && !memcmp(line + n - id.len, id.data, id.len);
        str_deinit(&id);
    }
    return found && (memmem(line, n, ": error: ", 9) || memmem(line, n, ": warning: ", 11) ||
                     memmem(line, n, ": possible ", 11));
}

bool rep_is_report(const char *text, size_t n)
{
    static const struct {
        const char *begin, *mark;
    } forms[] = {{"{", "\"format\": \"cldbg-report\""},
                 {"{", "\"name\": \"cldbg\""},
                 {"{", "\"format\": \"cldbg-profile\""},
                 {"{", "\"format\": \"cldbg-trace\""},
                 {"<?xml ", "<testsuites name=\"cldbg\""},
                 {"<?xml ", " version=\"cldbg "},
                 {"<!doctype html>", "<meta name=\"generator\" content=\"cldbg\">"},
                 {"::", "title=cldbg%3A "},
                 {"cldbg: ", "cldbg: "}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const size_t k = strlen(forms[i].begin);
        if (n > k && !memcmp(text, forms[i].begin, k) &&
            memmem(text, n, forms[i].mark, strlen(forms[i].mark)))
            return true;
    }
    const char *end = memchr(text, '\n', n);
    return end && is_first_line(text, (size_t)(end - text));
}

struct err *rep_replace_file(const char *path, const char *text, size_t len, bool overwrite)
{
    return out_write(path, OUT_REPORT, overwrite ? NULL : rep_is_report, text, len);
}

char *rep_path_for(const char *path, long pid)
{
    struct str s = {0};
    for (; *path; path++) {
        if (path[0] == '%' && path[1] == 'p') str_printf(&s, "%ld", pid);
        else if (path[0] == '%' && path[1] == 'r') str_printf(&s, "%d", launcher_rank());
        else str_put_char(&s, *path);
        if (path[0] == '%' && path[1] && strchr("pr%", path[1])) path++;
    }
    str_put(&s, "");
    return str_take(&s);
}

char *rep_repository(const char *path)
{
    char *at = realpath(path, NULL);
    for (char *slash = at; slash;) {
        struct str git = {0};
        str_printf(&git, "%s/.git", at);
        bool found = !access(str_text(&git), F_OK);
        str_deinit(&git);
        if (found) return at;
        slash = strrchr(at, '/');
        if (slash == at) break;
        if (slash) *slash = 0;
    }
    free(at);
    return realpath(path, NULL);
}

char *rep_below(const char *root, const char *path)
{
    size_t n = root ? strlen(root) : 0;
    if (!n || path[0] != '/') return NULL;
    char *real = realpath(path, NULL), *below = NULL;
    const char *tries[] = {path, real};
    for (int i = 0; i < 2 && !below; i++)
        if (tries[i] && !strncmp(tries[i], root, n) && tries[i][n] == '/')
            below = mem_strdup(tries[i] + n + 1);
    free(real);
    return below;
}
