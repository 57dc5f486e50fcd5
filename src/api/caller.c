// SPDX-License-Identifier: MIT
// The line of the app that led to a call. If a library (OpenCV, PyOpenCL) makes the call, its
// address is useless to the user, whose own line is further out, in the program or in a Python
// script. Finding it requires unwinding the stack, so this is done only for calls from a library,
// and only if the location is stored.
//
// A place is a code address of the program, or a record made here; records are interned by content
// and never freed.
#include "api/caller.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { MAX_FRAMES = 48, MAX_SCRIPT_FRAMES = 32 };

static struct {
    uintptr_t begin, end; // code of the program
    // CPython's functions; script is false if it is missing
    bool script;
    bool is_cxx; // it may use OpenCL's C++ bindings
    int (*is_initialized)(void);
    int (*has_gil)(void);
    void *(*this_thread)(void);
    void *(*frame)(void);
    void *(*back)(void *frame);
    void *(*code)(void *frame);
    int (*line)(void *frame);
    void *(*attribute)(void *object, const char *name);
    const char *(*utf8)(void *text);
    void (*drop)(void *object);
    void (*clear)(void);
    int (*take)(void);
    void (*give)(int);
} app;

static int note_program(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size, (void)arg;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X)) continue;
        app.begin = info->dlpi_addr + p->p_vaddr;
        app.end = app.begin + p->p_memsz;
    }
    return 1; // the program comes first
}

static void look_at_app(void)
{
    static const struct {
        const char *name;
        void *to;
    } names[] = {
        {"Py_IsInitialized", &app.is_initialized},
        {"PyGILState_Check", &app.has_gil},
        {"PyGILState_GetThisThreadState", &app.this_thread},
        {"PyEval_GetFrame", &app.frame},
        {"PyFrame_GetBack", &app.back},
        {"PyFrame_GetCode", &app.code},
        {"PyFrame_GetLineNumber", &app.line},
        {"PyObject_GetAttrString", &app.attribute},
        {"PyUnicode_AsUTF8", &app.utf8},
        {"Py_DecRef", &app.drop},
        {"PyErr_Clear", &app.clear},
        {"PyGILState_Ensure", &app.take},
        {"PyGILState_Release", &app.give},
    };
    dl_iterate_phdr(note_program, NULL);
    app.is_cxx = dlsym(RTLD_DEFAULT, "__cxa_throw");
    app.script = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *fn = dlsym(RTLD_DEFAULT, names[i].name);
        if (!fn) app.script = false;
        memcpy(names[i].to, &fn, sizeof fn);
    }
}

static bool in_program(const void *code)
{
    return (uintptr_t)code >= app.begin && (uintptr_t)code < app.end;
}

// ---- a Python script's frames

static bool put_attribute(void *object, const char *name, struct str *s)
{
    void *text = app.attribute(object, name);
    const char *utf8 = text ? app.utf8(text) : NULL;
    if (utf8) str_put(s, utf8);
    else app.clear();
    if (text) app.drop(text);
    return utf8;
}

static bool is_library(const char *file)
{
    return *file == '<' || strstr(file, "/site-packages/") || strstr(file, "/dist-packages/") ||
           strstr(file, "/lib/python");
}

// Was the call made by ctypes or cffi, which released the interpreter's lock for it? For calls from
// another library (OpenCV), taking the interpreter's lock could deadlock, because the library may
// hold locks that the owner of the interpreter's lock waits for.
static bool by_foreign_functions(const void *site)
{
    static const void *_Atomic known; // the most common site
    if (site == known) return true;
    Dl_info info;
    if (!dladdr(site, &info) || !info.dli_fname) return false;
    const char *slash = strrchr(info.dli_fname, '/');
    if (strncmp(slash ? slash + 1 : info.dli_fname, "libffi", 6)) return false;
    known = site;
    return true;
}

// "smooth.py:17 (work)" of the innermost frame of the user's code. The caller holds the
// interpreter's lock.
static bool put_frames(struct str *s)
{
    bool found = false;
    void *frame = app.frame(), *held = NULL;
    for (int i = 0; frame && i < MAX_SCRIPT_FRAMES && !found; i++) {
        void *code = app.code(frame);
        struct str file = {0};
        if (code && put_attribute(code, "co_filename", &file) && !is_library(str_text(&file))) {
            const char *slash = strrchr(str_text(&file), '/');
            str_printf(s, "%s:%d (", slash ? slash + 1 : str_text(&file), app.line(frame));
            put_attribute(code, "co_name", s);
            str_put(s, ")");
            found = true;
        }
        str_deinit(&file);
        if (code) app.drop(code);
        void *next = app.back(frame);
        if (held) app.drop(held);
        frame = held = next;
    }
    if (held) app.drop(held);
    return found;
}

static bool put_script_line(const void *site, struct str *s)
{
    if (!app.script || !app.is_initialized() || !app.this_thread()) return false;
    if (app.has_gil()) return put_frames(s);
    if (!by_foreign_functions(site)) return false;
    const int before = app.take();
    const bool found = put_frames(s);
    app.give(before);
    return found;
}

// ---- records

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the maps
static struct map by_content, by_address; // hash → first record of a chain; a record → itself

static const void *intern(struct api_caller c)
{
    uint64_t hash = hash_bytes(&c.site, sizeof c.site, (uintptr_t)c.outer ^ (uintptr_t)c.recorded);
    if (c.script) hash = hash_bytes(c.script, strlen(c.script), hash);
    bool is_new;
    pthread_mutex_lock(&lock);
    uint64_t *slot = map_put(&by_content, hash, &is_new);
    struct api_caller *r = is_new ? NULL : (struct api_caller *)(uintptr_t)*slot;
    while (r && (r->site != c.site || r->outer != c.outer || r->recorded != c.recorded ||
                 (c.script && strcmp(r->script, c.script))))
        r = r->next;
    if (!r) {
        r = mem_alloc(sizeof *r);
        *r = c;
        if (c.script) r->script = mem_strdup(c.script);
        r->next = is_new ? NULL : (struct api_caller *)(uintptr_t)*slot;
        *slot = (uintptr_t)r;
        map_put_ptr(&by_address, r, &is_new);
    }
    pthread_mutex_unlock(&lock);
    return r;
}

const void *api_caller_replayed(const void *recorded, const void *enqueued)
{
    if (!recorded || !enqueued) return enqueued;
    return intern((struct api_caller){.site = enqueued, .recorded = recorded});
}

const struct api_caller *api_caller_record(const void *place)
{
    pthread_mutex_lock(&lock);
    bool is_record = map_get_ptr(&by_address, place);
    pthread_mutex_unlock(&lock);
    return is_record ? place : NULL;
}

/**
 * The innermost frame outside the C++ bindings. Their functions, unless inlined, are code of the
 * program.
 */
static const void *outside_bindings(const void *site)
{
    void *frames[MAX_FRAMES];
    int n = backtrace(frames, MAX_FRAMES), i = 0;
    while (i < n && frames[i] != site) i++;
    while (i < n && (!in_program(frames[i]) || api_call_site_is_library(frames[i]))) i++;
    return i < n ? frames[i] : site;
}

const void *api_caller_place(const void *site)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_at_app);
    if (in_program(site))
        return app.is_cxx && api_call_site_is_library(site) ? outside_bindings(site) : site;
    struct str line = {0};
    const void *place = site;
    if (put_script_line(site, &line)) {
        place = intern((struct api_caller){.site = site, .script = str_text(&line)});
    } else if (!app.script) { // (frames of the interpreter itself are useless)
        void *frames[MAX_FRAMES];
        int n = backtrace(frames, MAX_FRAMES), i = 0;
        while (i < n && frames[i] != site) i++;
        while (i < n && !in_program(frames[i])) i++;
        if (i < n) place = intern((struct api_caller){.site = site, .outer = frames[i]});
    }
    str_deinit(&line);
    return place;
}
