// SPDX-License-Identifier: MIT
// Errors of API calls: passes the reason, as text, to the context's callback and to the report.
#include "api/caller.h"
#include "api/new_names.h"
#include "api/interrupt.h"
#include "api/object.h"
#include "api/trace.h"

#include "base/map.h"
#include "base/str.h"
#include "devices/dev.h"

static __thread struct {
    const char *function;
    const void *site, *place; // place: computed on demand
} call;

void api_enter(const char *function, const void *site)
{
    call.function = function;
    call.site = site;
    call.place = NULL;
    if (__builtin_expect(api_timeline_on, 0)) api_timeline_call(function);
}

void api_enter_later(const char *function, const void *place)
{
    call.function = function;
    call.site = call.place = place;
}

const void *api_call_site(void)
{
    if (!call.place && call.site) call.place = api_caller_place(call.site);
    return call.place;
}

const char *api_function(void) { return call.function ? call.function : "a command"; }

const char *api_error_name(cl_int code)
{
    switch (code) {
#define CODE(name)                                                                                 \
    case name: return #name;
#include "api/error.def"
    }
    return "an unknown error";
}

// Queries and failed builds, which apps use as probes, are not misuse.
static bool is_probe(const char *function, cl_int code)
{
    return strncmp(function, "clGet", 5) == 0 || strncmp(function, "clCreateContext", 15) == 0 ||
           code == CL_BUILD_PROGRAM_FAILURE || code == CL_COMPILE_PROGRAM_FAILURE ||
           code == CL_LINK_PROGRAM_FAILURE || code == CL_DEVICE_NOT_FOUND;
}

/**
 * Notes for the closing line: why no kernel was launched, or why a command is missing.
 */
static void note(const char *function, cl_int code, const char *why)
{
    struct rep_totals *t = rep_totals(dev_report());
    const bool probe = is_probe(function, code);
    struct rep_failed_calls *c = probe ? &t->probes : &t->failed;
    if (dev_settings()->check_api || *api_cancel_flag() || api_interrupted()) return;
    if (!strncmp(function, "clEnqueue", 9) || !strncmp(function, "clCommand", 9) ||
        !strncmp(function, "clSetKernelArg", 14))
        rep_count(&t->failed_commands, 1);
    const void *place = probe ? NULL : api_call_site();
    const uint64_t identity =
        hash_bytes(function, strlen(function), (uintptr_t)place ^ (uint64_t)code) | 1;
    if (!rep_wants_failed_call(c, identity)) return;
    struct str s = {0};
    const char *called = api_call_site_called(
        place); // (not for probes: many programs have them, and finding a place takes time)
    str_printf(&s, "%s failed with %s%s%s: %s", function, api_error_name(code), called ? ", " : "",
               called ? called : "", why);
    rep_note_failed_call(t, c, identity, str_text(&s));
    str_deinit(&s);
}

void api_note_missing_function(const char *name)
{
    struct rep_totals *t = rep_totals(dev_report());
    const uint64_t identity = hash_bytes(name, strlen(name), 5) | 1;
    if (!strncmp(name, "clIcd", 5) || !strncmp(name, "cldbg", 5)) return; // asked by loaders, or us
    if (!rep_wants_failed_call(&t->probes, identity)) return;
    struct str s = {0};
    str_printf(&s, "%s: there is no function '%s': cldbg does not have its extension",
               api_function(), name);
    rep_note_failed_call(t, &t->probes, identity, str_text(&s));
    str_deinit(&s);
}

cl_int api_fail(cl_context ctx, cl_int code, const char *fmt, ...)
{
    const char *function = call.function ? call.function : "cldbg";
    struct str why = {0};
    va_list ap;
    va_start(ap, fmt);
    str_vprintf(&why, fmt, ap);
    va_end(ap);
    struct str text = {0};
    str_printf(&text, "%s: %s: %s", function, api_error_name(code), str_text(&why));
    if (ctx && ctx->notify) ctx->notify(str_text(&text), NULL, 0, ctx->notify_data);
    note(function, code, str_text(&why));
    if (dev_settings()->check_api && !is_probe(function, code)) {
        // One finding for each call site and code; the text contains values that may differ between
        // runs.
        struct str title = {0}, identity = {0};
        str_printf(&title, "%s fails with %s", function, api_error_name(code));
        str_printf(&identity, "%s %s", str_text(&title),
                   api_call_site() ? api_call_site_called(api_call_site()) : "");
        struct rep_finding f = {.kind = REP_API_MISUSE,
                                .title = str_text(&title),
                                .host_site = api_call_site_called(api_call_site()),
                                .object = str_text(&identity),
                                .nnotes = 1,
                                .notes = {str_text(&why)}};
        rep_add(dev_report(), &f);
        rep_flush(dev_report());
        str_deinit(&title);
        str_deinit(&identity);
    }
    str_deinit(&text);
    str_deinit(&why);
    return code;
}

cl_int api_bad_handle(cl_context ctx, const void *handle, enum api_type type)
{
    static const cl_int codes[API_TYPE_COUNT] = {
        [API_PLATFORM] = CL_INVALID_PLATFORM,
        [API_DEVICE] = CL_INVALID_DEVICE,
        [API_CONTEXT] = CL_INVALID_CONTEXT,
        [API_QUEUE] = CL_INVALID_COMMAND_QUEUE,
        [API_MEM] = CL_INVALID_MEM_OBJECT,
        [API_PROGRAM] = CL_INVALID_PROGRAM,
        [API_KERNEL] = CL_INVALID_KERNEL,
        [API_EVENT] = CL_INVALID_EVENT,
        [API_SAMPLER] = CL_INVALID_SAMPLER,
        [API_COMMAND_BUFFER] = CL_INVALID_COMMAND_BUFFER_KHR,
        [API_COMMAND] = CL_INVALID_MUTABLE_COMMAND_KHR,
        [API_SEMAPHORE] = CL_INVALID_SEMAPHORE_KHR,
    };
    const char *name = api_type_name(type);
    if (!handle) return api_fail(ctx, codes[type], "the %s is NULL", name);
    if (api_was_released(handle, type))
        return api_fail(ctx, codes[type], "the %s %p was released", name, handle);
    for (unsigned t = 0; t < API_TYPE_COUNT; t++)
        if (t != type && api_is(handle, t))
            return api_fail(ctx, codes[type], "%p is a %s, not a %s", handle, api_type_name(t),
                            name);
    return api_fail(ctx, codes[type], "%p is not a %s", handle, name);
}
