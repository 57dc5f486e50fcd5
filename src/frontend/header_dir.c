// SPDX-License-Identifier: MIT
#include "frontend/header_dir.h"

#include "base/io.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool name_is_sane(const char *name)
{
    if (!*name || *name == '/' || str_ends(name, "/")) return false;
    for (const char *p = name; p; p = strchr(p, '/')) {
        if (*p == '/') p++;
        size_t n = strcspn(p, "/");
        if (n == 2 && p[0] == '.' && p[1] == '.') return false;
    }
    return true;
}

static bool write_header(const char *dir, const struct fe_header *h)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", dir, h->name);
    for (char *p = path.data + strlen(dir) + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        if (mkdir(path.data, 0700) && errno != EEXIST) goto failed;
        *p = '/';
    }
    int fd = open(path.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) goto failed;
    bool ok = io_write_all(fd, h->text, strlen(h->text));
    ok = !close(fd) && ok;
    str_deinit(&path);
    return ok;
failed:
    str_deinit(&path);
    return false;
}

struct err *fe_header_dir_create(struct fe_header_dir *d, const struct fe_header *headers,
                                 unsigned n)
{
    *d = (struct fe_header_dir){0};
    if (!n) return NULL;
    for (unsigned i = 0; i < n; i++)
        if (!name_is_sane(headers[i].name))
            return err_new("the header name '%s' is not a relative path", headers[i].name);
    struct err *e = err_wrap(temp_folder_create(&d->folder, NULL, "headers"), "headers");
    if (e) return e;
    for (unsigned i = 0; i < n; i++) {
        if (write_header(d->folder.path, &headers[i])) continue;
        e = err_new("cannot write the header '%s' to %s: %s", headers[i].name, d->folder.path,
                    strerror(errno));
        fe_header_dir_destroy(d);
        return e;
    }
    struct str s = {0};
    str_printf(&s, "-I%s", d->folder.path);
    d->include = str_take(&s);
    str_printf(&s, "-ffile-prefix-map=%s/=", d->folder.path);
    d->rename = str_take(&s);
    return NULL;
}

void fe_header_dir_destroy(struct fe_header_dir *d)
{
    temp_folder_destroy(&d->folder);
    free(d->include);
    free(d->rename);
    *d = (struct fe_header_dir){0};
}

void fe_header_dir_put_log(const struct fe_header_dir *d, const struct str *text, struct str *log)
{
    const char *p = str_text(text), *end = p + text->len;
    const char *path = d->folder.path;
    size_t n = path ? strlen(path) : 0;
    while (n && p < end) {
        const char *hit = memmem(p, (size_t)(end - p), path, n);
        if (!hit) break;
        str_put_n(log, p, (size_t)(hit - p));
        p = hit + n;
        if (p < end && *p == '/') p++;
    }
    str_put_n(log, p, (size_t)(end - p));
}
