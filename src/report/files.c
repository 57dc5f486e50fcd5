// SPDX-License-Identifier: MIT
// Report files: where they are, how they are put in place.
#include "report/document.h"

#include "base/io.h"
#include "base/mem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** What is no regular file (/dev/stdout, a pipe) is written to, not replaced. */
static bool is_special(const char *path)
{
    struct stat st;
    return !stat(path, &st) && !S_ISREG(st.st_mode);
}

struct err *rep_replace_file(const char *path, const char *text, size_t len)
{
    bool special = is_special(path);
    struct str name = {0};
    str_put(&name, path);
    if (!special) str_printf(&name, ".%ld.tmp", (long)getpid());
    int fd = open(str_text(&name), O_WRONLY | O_CLOEXEC | (special ? 0 : O_CREAT | O_TRUNC), 0666);
    bool ok = fd >= 0 && io_write_all(fd, text, len);
    if (fd >= 0) ok &= !close(fd);
    if (ok && !special) ok = !rename(str_text(&name), path);
    struct err *e = ok ? NULL : err_new("%s cannot be written: %m", path);
    if (!ok && fd >= 0 && !special) unlink(str_text(&name));
    str_deinit(&name);
    return e;
}

char *rep_path_for(const char *path, long pid)
{
    struct str s = {0};
    for (; *path; path++) {
        if (path[0] == '%' && path[1] == 'p')
            str_printf(&s, "%ld", pid);
        else
            str_put_char(&s, *path);
        if (path[0] == '%' && (path[1] == 'p' || path[1] == '%')) path++;
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
        if (tries[i] && !strncmp(tries[i], root, n) && tries[i][n] == '/') below = mem_strdup(tries[i] + n + 1);
    free(real);
    return below;
}
