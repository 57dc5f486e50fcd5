// SPDX-License-Identifier: MIT
// Objects that the app never releases, reported at the end of the process with --check-api. Events
// are left out: a leak is only a few bytes, and many apps release none.
#include "api/platform.h"

#include "base/str.h"
#include "devices/dev.h"

static void report_object(const struct api_object *o, void *arg)
{
    if (o->user_refs == 0 || o->type == API_EVENT) return;
    struct str title = {0};
    str_printf(&title, "a %s is never released", api_type_name(o->type));
    struct str left = {0};
    if (o->type == API_MEM) str_printf(&left, "%zu bytes", ((const struct _cl_mem *)o)->size);
    if (o->user_refs > 1)
        str_printf(&left, "%s%u references are left: released less often than created and retained",
                   left.len ? "; " : "", (unsigned)o->user_refs);
    struct rep_finding f = {
        .kind = REP_API_LEAK, .title = str_text(&title), .object = api_call_site_created(o->site)};
    if (o->site) f.notes[f.nnotes++] = api_call_site_created(o->site);
    if (left.len) f.notes[f.nnotes++] = str_text(&left);
    rep_add(dev_report(), &f);
    str_deinit(&title);
    str_deinit(&left);
}

static void report_all(void)
{
    api_each_object(report_object, NULL);
    rep_flush(dev_report());
}

static void watch(void)
{
    dev_report(); // opened first, so that it closes later
    if (dev_settings()->check_api) atexit(report_all);
}

void api_watch_leaks(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch);
}
