// SPDX-License-Identifier: MIT
#include "cli/host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_TYPED = 16 << 20 }; // what comes from a terminal; /dev/zero has no end

struct err *cmd_open_file(const char *path, FILE **out)
{
    FILE *f = fopen(path, "re");
    struct stat st;
    if (!f) return err_new("%s: %s", path, strerror(errno));
    if (fstat(fileno(f), &st) || S_ISDIR(st.st_mode)) {
        fclose(f);
        return err_new("%s: it is a folder", path);
    }
    *out = f;
    return NULL;
}

struct err *cmd_read_file(struct arena *a, const char *path, char **data, size_t *size)
{
    FILE *f;
    struct stat st;
    struct err *e = cmd_open_file(path, &f);
    if (e) return e;
    if (fstat(fileno(f), &st)) st.st_mode = 0;
    struct str s = {0};
    char buf[1 << 16];
    size_t n;
    const size_t most = S_ISCHR(st.st_mode) ? MAX_TYPED : SIZE_MAX;
    while (s.len <= most && (n = fread(buf, 1, sizeof buf, f))) str_put_n(&s, buf, n);
    e = ferror(f)      ? err_new("%s: %s", path, strerror(errno))
        : s.len > most ? err_new("%s: it has no end", path)
                       : NULL;
    fclose(f);
    if (!e) {
        *data = arena_dup(a, str_text(&s), s.len + 1);
        if (size) *size = s.len;
    }
    str_deinit(&s);
    return e;
}
