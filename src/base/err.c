// SPDX-License-Identifier: MIT
#include "base/err.h"

#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>

struct err {
    struct str text;
};

struct err *err_new(const char *fmt, ...)
{
    struct err *e = mem_alloc(sizeof *e);
    va_list ap;
    va_start(ap, fmt);
    str_vprintf(&e->text, fmt, ap);
    va_end(ap);
    return e;
}

struct err *err_wrap(struct err *e, const char *fmt, ...)
{
    if (!e) return NULL;
    struct str text = {0};
    va_list ap;
    va_start(ap, fmt);
    str_vprintf(&text, fmt, ap);
    va_end(ap);
    str_printf(&text, ": %s", str_text(&e->text));
    str_deinit(&e->text);
    e->text = text;
    return e;
}

const char *err_message(const struct err *e) { return str_text(&e->text); }

void err_free(struct err *e)
{
    if (!e) return;
    str_deinit(&e->text);
    free(e);
}
