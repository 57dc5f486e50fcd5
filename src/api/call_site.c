// SPDX-License-Identifier: MIT
// The location of a call in the app: file, line and function from its debug information, read by
// libdw of elfutils if that is installed; otherwise the nearest exported symbol, demangled if the
// app has the C++ library loaded. libdw is loaded at the first call site with RTLD_LOCAL, so its
// symbols do not affect the app; the few functions that are used are declared here.
#include "api/caller.h"
#include "api/object.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/stack.h"
#include "base/str.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

struct die { // Dwarf_Die
    void *addr, *cu, *abbrev;
    long pad;
};
enum {
    TAG_INLINED = 0x1d,
    TAG_SUBPROGRAM = 0x2e,
    AT_CALL_FILE = 0x58,
    AT_CALL_LINE = 0x59
}; // DW_TAG_…, DW_AT_…
struct attribute { // Dwarf_Attribute
    unsigned code, form;
    void *value, *cu;
};

static struct {
    unsigned (*elf_version)(unsigned);
    void *(*begin)(int fd, int cmd);
    int (*end)(void *);
    struct die *(*addrdie)(void *, uint64_t, struct die *);
    int (*nextcu)(void *, uint64_t, uint64_t *, size_t *, uint64_t *, uint8_t *, uint8_t *);
    struct die *(*offdie)(void *, uint64_t, struct die *);
    int (*haspc)(struct die *, uint64_t);
    void *(*getsrc_die)(struct die *, uint64_t);
    int (*lineno)(void *, int *);
    const char *(*linesrc)(void *, uint64_t *, uint64_t *);
    int (*getscopes)(struct die *, uint64_t, struct die **);
    int (*getscopes_die)(struct die *, struct die **);
    int (*tag)(struct die *);
    const char *(*diename)(struct die *);
    struct attribute *(*attr)(struct die *, unsigned, struct attribute *);
    int (*formudata)(struct attribute *, uint64_t *);
    int (*getsrcfiles)(struct die *, void **, size_t *);
    const char *(*filesrc)(void *, size_t, uint64_t *, uint64_t *);
} dw;

static const struct {
    const char *name;
    void *to;
} dw_names[] = {
    {"elf_version", &dw.elf_version},
    {"dwarf_begin", &dw.begin},
    {"dwarf_end", &dw.end},
    {"dwarf_addrdie", &dw.addrdie},
    {"dwarf_nextcu", &dw.nextcu},
    {"dwarf_offdie", &dw.offdie},
    {"dwarf_haspc", &dw.haspc},
    {"dwarf_getsrc_die", &dw.getsrc_die},
    {"dwarf_lineno", &dw.lineno},
    {"dwarf_linesrc", &dw.linesrc},
    {"dwarf_getscopes", &dw.getscopes},
    {"dwarf_tag", &dw.tag},
    {"dwarf_diename", &dw.diename},
    {"dwarf_getscopes_die", &dw.getscopes_die},
    {"dwarf_attr", &dw.attr},
    {"dwarf_formudata", &dw.formudata},
    {"dwarf_getsrcfiles", &dw.getsrcfiles},
    {"dwarf_filesrc", &dw.filesrc},
};

static bool dw_is_there(void)
{
    static int state; // 0 not tried, 1 loaded, -1 not available; guarded by the lock
    if (state) return state > 0;
    state = -1;
    void *lib = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!lib) return false;
    for (size_t i = 0; i < sizeof dw_names / sizeof *dw_names; i++) {
        void *fn = dlsym(lib, dw_names[i].name);
        if (!fn) return false;
        memcpy(dw_names[i].to, &fn, sizeof fn);
    }
    if (!dw.elf_version(1)) return false;
    state = 1;
    return true;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/** The unit at *at, which moves on to the one after it; false: there are no more. */
static bool next_unit(void *d, uint64_t *at, struct die *cu)
{
    uint64_t here, next, abbrev;
    size_t head;
    while (here = *at, dw.nextcu(d, here, &next, &head, &abbrev, NULL, NULL) == 0) {
        *at = next;
        if (dw.offdie(d, here + head, cu)) return true;
    }
    return false;
}

// The compile unit of an address. Not every compiler writes the table that dwarf_addrdie uses.
static bool find_unit(void *d, uint64_t pc, struct die *cu)
{
    if (dw.addrdie(d, pc, cu)) return true;
    uint64_t at = 0;
    while (next_unit(d, &at, cu))
        if (dw.haspc(cu, pc) > 0) return true;
    return false;
}

/**
 * Is it a system header, or a header of OpenCL's C++ bindings? These never contain a user's line.
 */
static bool is_library(const char *file)
{
    static const char *const folders[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/"},
                             *const bindings[] = {"opencl.hpp", "cl2.hpp", "cl.hpp"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!strncmp(file, folders[i], strlen(folders[i]))) return true;
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++)
        if (!strcmp(base_name(file), bindings[i])) return true;
    return false;
}

static uint64_t number_of(struct die *d, unsigned code)
{
    struct attribute a;
    uint64_t n;
    return dw.attr(d, code, &a) && !dw.formudata(&a, &n) ? n : 0;
}

/**
 * The line of an address, or the innermost call of a function inlined there whose line is not in a
 * library. Sets *library if there is none; then the line is the library's.
 */
static bool put_line(void *d, uint64_t pc, struct str *s, bool *library)
{
    struct die cu, *scopes = NULL, *chain = NULL;
    if (!find_unit(d, pc, &cu)) return false;
    void *line = dw.getsrc_die(&cu, pc), *files = NULL;
    const char *file = line ? dw.linesrc(line, NULL, NULL) : NULL, *found = file, *function = NULL;
    int number = 0;
    if (!file || dw.lineno(line, &number) || number <= 0) return false;
    int at = number;
    const int n = dw.getscopes(&cu, pc, &scopes),
              m = n > 0 ? dw.getscopes_die(&scopes[0], &chain) : 0;
    *library = is_library(file);
    for (int i = 0; i < m && file; i++) { // outward
        const int tag = dw.tag(&chain[i]);
        if (tag != TAG_SUBPROGRAM && tag != TAG_INLINED) continue;
        function = dw.diename(&chain[i]);
        if (!*library || tag == TAG_SUBPROGRAM) break;
        const uint64_t call_file = number_of(&chain[i], AT_CALL_FILE),
                       call_line = number_of(&chain[i], AT_CALL_LINE);
        file = call_line && (files || !dw.getsrcfiles(&cu, &files, NULL))
                   ? dw.filesrc(files, call_file, NULL, NULL)
                   : NULL;
        if (!file || is_library(file)) continue;
        *library = false;
        found = file;
        at = (int)call_line;
    }
    str_printf(s, "%s:%d", base_name(found), at);
    if (function) str_printf(s, " (%s)", function);
    free(scopes);
    free(chain);
    return true;
}

struct wanted {
    const char *object; // file
    uint64_t pc;
    struct str *out;
    bool is_done;
    bool library; // no line of the user was found
};

static void read_source(void *context)
{
    struct wanted *w = context;
    int fd = dw_is_there() ? open(w->object, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *d = dw.begin(fd, 0);
    w->is_done = d && put_line(d, w->pc, w->out, &w->library);
    if (d) dw.end(d);
    close(fd);
}

enum {
    DW_STACK = 512 << 10
}; // bytes; libdw reads line tables onto the stack, and some threads have small stacks

static const char *file_of(const struct link_map *object)
{
    return object->l_name[0] ? object->l_name : "/proc/self/exe";
}

// "main.c:42 (run)". A return address belongs to the line after the call: the call itself ends one
// byte before.
static bool put_source(const void *site, const struct link_map *object, struct str *s,
                       bool *library)
{
    struct wanted w = {file_of(object), (uint64_t)(uintptr_t)site - 1 - object->l_addr, s, false,
                       false};
    stack_call(DW_STACK, read_source, &w);
    *library = w.library;
    return w.is_done;
}

/** A source file, looked for in the debug information of an object. */
struct sought {
    const char *object, *path;
    bool is_there;
};

/** Is `name`, a path of the compiler, the file at `path`? The path may be that of another machine.
 */
static bool is_same_file(const char *name, const char *path)
{
    struct stat a, b;
    if (!name || strcmp(base_name(name), base_name(path)) != 0) return false;
    return stat(name, &a) || (!stat(path, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

static bool unit_has(struct die *cu, const char *path)
{
    void *files = NULL;
    size_t n = 0;
    if (dw.getsrcfiles(cu, &files, &n)) return false;
    for (size_t i = 0; i < n; i++)
        if (is_same_file(dw.filesrc(files, i, NULL, NULL), path)) return true;
    return false;
}

static void seek_source(void *context)
{
    struct sought *w = context;
    int fd = dw_is_there() ? open(w->object, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *d = dw.begin(fd, 0);
    uint64_t at = 0;
    struct die cu;
    while (d && !w->is_there && next_unit(d, &at, &cu)) w->is_there = unit_has(&cu, w->path);
    if (d) dw.end(d);
    close(fd);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the cache of sites, and libdw

bool api_call_site_has_source(const void *place, const char *path)
{
    const struct api_caller *by = api_caller_record(place);
    Dl_info info;
    struct link_map *object = NULL;
    if (by && by->script) return false;
    if (!dladdr1(by ? by->outer : place, &info, (void **)&object, RTLD_DL_LINKMAP) || !object)
        return false;
    struct sought w = {file_of(object), path, false};
    pthread_mutex_lock(&lock);
    stack_call(DW_STACK, seek_source, &w);
    pthread_mutex_unlock(&lock);
    return w.is_there;
}

bool api_call_site_is_library(const void *site)
{
    static struct map known;
    pthread_mutex_lock(&lock);
    bool is_new;
    uint64_t *slot = map_put_ptr(&known, site, &is_new);
    if (is_new) {
        Dl_info info;
        struct link_map *object = NULL;
        struct str s = {0};
        bool library = false;
        if (dladdr1(site, &info, (void **)&object, RTLD_DL_LINKMAP) && object)
            put_source(site, object, &s, &library);
        str_deinit(&s);
        *slot = library;
    }
    const bool is = *slot;
    pthread_mutex_unlock(&lock);
    return is;
}

struct site_words {
    char *enqueued, *created,
        *called; // "enqueued at main.c:42 (main)" and so on; NULL: unknown
};

/**
 * Skips the return type, which only names of templates have: "void cl::fill<int>".
 */
static const char *without_result(const char *name)
{
    const char *from = name;
    int depth = 0;
    for (const char *c = name; *c; c++) {
        depth += (*c == '<' || *c == '(') - (*c == '>' || *c == ')');
        if (*c != ' ' || depth) continue;
        if (c - name >= 8 && !strncmp(c - 8, "operator", 8)) break; // "operator bool"
        from = c + 1;
    }
    return *from ? from : name;
}

// Demangles without parameters, which are too long: "cv::ocl::Kernel::run" for
// "_ZN2cv3ocl6Kernel3runE…".
static void put_symbol(const char *symbol, struct str *s)
{
    char *(*demangle)(const char *, char *, size_t *, int *);
    void *lib = !strncmp(symbol, "_Z", 2) ? dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD)
                                          : NULL;
    void *fn = lib ? dlsym(lib, "__cxa_demangle") : NULL;
    memcpy(&demangle, &fn, sizeof fn);
    char *plain = fn ? demangle(symbol, NULL, NULL, NULL) : NULL;
    if (lib) dlclose(lib);
    if (plain) {
        char *list = strchr(plain, '(');
        if (list && list > plain && list[1] != 'a') *list = 0; // not "(anonymous namespace)"
        str_put(s, without_result(plain));
    } else {
        str_put(s, symbol);
    }
    free(plain);
}

static bool is_cldbg(const void *code) // `cldbg run`, not a program of the user
{
    Dl_info info;
    return dladdr(code, &info) && info.dli_fname && !strcmp(base_name(info.dli_fname), "cldbg");
}

static void put_code(const void *code, struct str *s)
{
    Dl_info info;
    struct link_map *object = NULL;
    bool library;
    if (!dladdr1(code, &info, (void **)&object, RTLD_DL_LINKMAP) || !info.dli_fname) {
        str_printf(s, "%p", code);
    } else if (object && put_source(code, object, s, &library)) {
        return;
    } else if (info.dli_sname) {
        put_symbol(info.dli_sname, s);
        str_printf(s, "+0x%zx (%s)", (size_t)((char *)code - (char *)info.dli_saddr),
                   base_name(info.dli_fname));
    } else {
        str_printf(s, "%s+0x%zx", base_name(info.dli_fname),
                   (size_t)((char *)code - (char *)info.dli_fbase));
    }
}

// "main.c:42 (main)"; "main.cpp:7 (main), through cv::ocl::Kernel::run+0x41 (libopencv_core.so)";
// NULL: unknown.
static char *describe(const void *place)
{
    const struct api_caller *by = api_caller_record(place);
    if (!by && is_cldbg(place)) return NULL;
    struct str s = {0};
    if (by && by->script) {
        str_put(&s, by->script);
    } else if (by) {
        put_code(by->outer, &s);
        str_put(&s, ", through ");
        put_code(by->site, &s);
    } else {
        put_code(place, &s);
    }
    return str_take(&s);
}

static char *words(const char *done, const char *where)
{
    struct str s = {0};
    str_printf(&s, "%s at %s", done, where);
    return str_take(&s);
}

/** "recorded at a.c:7 (record), enqueued at a.c:20 (main)": a command of a command buffer. */
static char *replay_words(const struct api_caller *by)
{
    struct str s = {0};
    char *recorded = describe(by->recorded), *enqueued = describe(by->site);
    if (recorded) str_printf(&s, "recorded at %s", recorded);
    if (enqueued) str_printf(&s, "%senqueued at %s", recorded ? ", " : "", enqueued);
    free(recorded);
    free(enqueued);
    return s.len ? str_take(&s) : NULL;
}

static struct site_words *new_words(const void *site)
{
    struct site_words *w = mem_alloc(sizeof *w);
    const struct api_caller *by = api_caller_record(site);
    if (by && by->recorded) {
        w->enqueued = w->created = w->called = replay_words(by);
        return w;
    }
    char *where = describe(site);
    if (where)
        *w = (struct site_words){words("enqueued", where), words("created", where),
                                 words("called", where)};
    free(where);
    return w;
}

static const struct site_words *words_of(const void *site)
{
    static struct map known;
    pthread_mutex_lock(&lock);
    bool is_new;
    uint64_t *slot = map_put_ptr(&known, site, &is_new);
    if (is_new) *slot = (uintptr_t)new_words(site);
    const struct site_words *w = (const struct site_words *)(uintptr_t)*slot;
    pthread_mutex_unlock(&lock);
    return w;
}

const char *api_call_site_enqueued(const void *site)
{
    return site ? words_of(site)->enqueued : NULL;
}
const char *api_call_site_created(const void *site)
{
    return site ? words_of(site)->created : NULL;
}
const char *api_call_site_called(const void *site) { return site ? words_of(site)->called : NULL; }
