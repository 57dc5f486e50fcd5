// SPDX-License-Identifier: MIT
// Machine code of programs: from the cache, or from the plug-in with LLVM (native_jit.c). Objects
// are cached on disk by the hash of bitcode, kernel, shape, processor and plug-in. native_object.c
// links them, so a run with a warm cache does not load LLVM. On machines that native_object.c does
// not support, and with CLDBG_NATIVE_LLJIT in the environment (for tests), LLVM's LLJIT links.
#include "devices/native_code.h"

#include "devices/cache.h"
#include "devices/dev.h"
#include "devices/native_object.h"
#include "devices/native_runtime.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"

#include <assert.h>
#include <dlfcn.h>
#include <ffi.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

enum { FORMAT = 7 }; // version of the format on disk

struct native_code {
    char *kernel;
    struct nat_shape shape;
    char *symbol; // derived from these
    void (*entry)(void);
    struct dev_object *object; // NULL: LLJIT has it
    struct nat_code_info info;
    unsigned nargs;
    ffi_cif cif;
    ffi_type **types;
};

typedef struct err *make_fn(const struct nat_request *r, struct nat_code_info *info,
                            struct str *remarks, struct str *object);

struct native_program {
    void *bitcode;
    size_t size;
    make_fn *make;
    uint64_t hash[2];
    bool has_variables;
    pthread_mutex_t lock; // guards all below
    bool linked;          // the following members are set
    void *jit;
    struct dev_object *variables;
    VEC(struct native_code *) codes;
};

// ---- the plug-in

static struct {
    pthread_once_t found, opened;
    char path[PATH_MAX + 64];
    struct stat file;
    const struct native_plugin *plugin;
    char *why;
} plugin = {.found = PTHREAD_ONCE_INIT, .opened = PTHREAD_ONCE_INIT};

// Beside this library: installed, or in the build tree.
static void find_plugin(void)
{
    static const char *const near[] = {"libcldbg-native.so",
                                       "../../devices/.libs/libcldbg-native.so",
                                       "../devices/.libs/libcldbg-native.so"};
    Dl_info info;
    if (!dladdr((void *)find_plugin, &info) || !info.dli_fname) return;
    const char *slash = strrchr(info.dli_fname, '/');
    for (size_t i = 0; slash && i < sizeof near / sizeof *near; i++) {
        snprintf(plugin.path, sizeof plugin.path, "%.*s/%s", (int)(slash - info.dli_fname),
                 info.dli_fname, near[i]);
        if (!stat(plugin.path, &plugin.file)) return;
    }
}

static void open_plugin(void)
{
    void *h = dlopen(plugin.path, RTLD_NOW | RTLD_LOCAL);
    plugin.plugin = h ? dlsym(h, NATIVE_PLUGIN) : NULL;
    if (!plugin.plugin) plugin.why = mem_strdup(dlerror());
}

static struct err *need_plugin(void)
{
    pthread_once(&plugin.opened, open_plugin);
    return plugin.plugin ? NULL
                         : err_new("the part of cldbg that makes machine code cannot be loaded: %s",
                                   plugin.why);
}

static struct err *make_by_plugin(const struct nat_request *r, struct nat_code_info *info,
                                  struct str *remarks, struct str *object)
{
    struct err *e = need_plugin();
    return e ? e : plugin.plugin->compile(r, info, remarks, object);
}

// ---- what code depends on

static void put_machine(struct str *s)
{
#ifdef __x86_64__
    static const struct {
        unsigned leaf, sub;
    } asked[] = {{0, 0}, {1, 0}, {7, 0}, {7, 1}, {0xd, 0}, {0x14, 0}, {0x80000001, 0}};
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        unsigned r[4] = {0};
        __get_cpuid_count(asked[k].leaf, asked[k].sub, &r[0], &r[1], &r[2], &r[3]);
        if (asked[k].leaf == 1) r[1] = 0;   // number of the processor
        if (asked[k].leaf == 0xd) r[1] = 0; // depends on the current state
        str_put_n(s, (const char *)r, sizeof r);
    }
#else
    FILE *f = fopen("/proc/cpuinfo", "r"); // of the first processor
    char line[1024];
    while (f && fgets(line, sizeof line, f) && *line != '\n')
        if (!strstr(line, "MHz") && !strstr(line, "BogoMIPS")) str_put(s, line);
    if (f) fclose(f);
#endif
}

/** maker: the file of the program or library that makes the code. */
static void hash_program(struct native_program *p, const struct stat *maker)
{
    struct str s = {0};
    str_printf(&s, "%d %lld %lld.%ld ", FORMAT, (long long)maker->st_size,
               (long long)maker->st_mtim.tv_sec, maker->st_mtim.tv_nsec);
    put_machine(&s);
    for (unsigned k = 0; k < 2; k++)
        p->hash[k] = hash_bytes(p->bitcode, p->size, hash_bytes(s.data, s.len, 21 + k));
    str_deinit(&s);
}

// ---- objects

/** What is kept: info, remarks with their closing 0, object. */
static const char *parts(const struct str *kept, struct nat_code_info *info, const char **remarks,
                         size_t *size)
{
    const char *text = kept->data + sizeof *info,
               *end = kept->len > sizeof *info ? memchr(text, 0, kept->len - sizeof *info) : NULL;
    if (!end) return NULL;
    memcpy(info, kept->data, sizeof *info);
    *remarks = text;
    *size = (size_t)(kept->data + kept->len - (end + 1));
    return end + 1;
}

static void remark(const char *kernel, const struct nat_shape *s, const char *text)
{
    if (!dev_settings()->remarks) return;
    FILE *f = dev_report_out();
    for (const char *p = text, *end; (end = strchr(p, '\n')); p = end + 1)
        fprintf(f, "cldbg: remark: kernel '%s', groups of %llux%llux%llu: %.*s\n", kernel,
                (unsigned long long)s->local[0], (unsigned long long)s->local[1],
                (unsigned long long)s->local[2], (int)(end - p), p);
}

struct object { // an object file, from the cache or made
    struct nat_code_info info;
    struct str kept;
    const char *data; // in kept
    size_t size;
};

/** The object of kernel `name` for groups of that shape, or (NULL) of the variables. */
static struct err *get_object(struct native_program *p, const char *name, const struct nat_shape *s,
                              const char *symbol, struct object *o)
{
    const char *key = symbol ? symbol : "variables", *remarks = NULL;
    const struct dev_cache_key k = {hash_bytes(key, strlen(key), p->hash[0]),
                                    hash_bytes(key, strlen(key), p->hash[1])};
    if (!dev_cache_get(k, &o->kept) || !(o->data = parts(&o->kept, &o->info, &remarks, &o->size))) {
        const struct nat_request r = {p->bitcode, p->size, name, s, symbol};
        struct str text = {0}, made = {0};
        str_clear(&o->kept);
        o->info = (struct nat_code_info){0};
        struct err *e = p->make(&r, &o->info, &text, &made);
        if (!e) {
            str_put_n(&o->kept, (const char *)&o->info, sizeof o->info);
            str_put_n(&o->kept, str_text(&text), text.len + 1);
            str_put_n(&o->kept, made.data, made.len);
            dev_cache_put(k, &o->kept, (struct wire_blob){0});
            o->data = parts(&o->kept, &o->info, &remarks, &o->size);
        }
        str_deinit(&text);
        str_deinit(&made);
        if (e) return e;
    }
    if (name) remark(name, s, remarks);
    return NULL;
}

// ---- linking

static void *find_symbol(void *program, const char *name)
{
    const struct native_program *p = program;
    void *at = p->variables ? dev_object_symbol(p->variables, name) : NULL;
    return at ? at : native_symbol_at(name);
}

// Links the program's variables, before its first code.
static struct err *link_program(struct native_program *p)
{
    struct err *e = NULL;
    if (p->linked) return NULL;
    if (p->make == make_by_plugin && (!dev_object_can() || getenv("CLDBG_NATIVE_LLJIT"))) {
        size_t n;
        const struct native_symbol *all = native_symbols(&n);
        e = need_plugin();
        if (!e && !p->jit) p->jit = plugin.plugin->jit_create(all, n, &e);
    }
    if (!e && p->has_variables) {
        struct object o = {0};
        e = get_object(p, NULL, NULL, NULL, &o);
        if (!e && p->jit) e = plugin.plugin->jit_add(p->jit, o.data, o.size);
        else if (!e) e = dev_object_load(o.data, o.size, find_symbol, p, &p->variables);
        str_deinit(&o.kept);
    }
    p->linked = !e;
    return e;
}

static struct err *link_code(struct native_program *p, struct native_code *c, const char *object,
                             size_t size)
{
    void *at = NULL;
    struct err *e;
    if (p->jit) {
        e = plugin.plugin->jit_add(p->jit, object, size);
        if (!e) e = plugin.plugin->jit_find(p->jit, c->symbol, &at);
    } else {
        e = dev_object_load(object, size, find_symbol, p, &c->object);
        if (!e && !(at = dev_object_symbol(c->object, c->symbol)))
            e = err_new("an object without the kernel");
    }
    c->entry = (void (*)(void))(uintptr_t)at;
    return e;
}

// ---- programs

static struct native_program *program_new(const void *bitcode, size_t size, make_fn *make,
                                          const struct stat *maker)
{
    struct native_program *p = mem_alloc(sizeof *p);
    *p = (struct native_program){.bitcode = mem_dup(bitcode, size), .size = size, .make = make};
    pthread_mutex_init(&p->lock, NULL);
    hash_program(p, maker);
    return p;
}

struct native_program *native_program_load(const void *bitcode, size_t size, struct err **e)
{
    pthread_once(&plugin.found, find_plugin);
    if (!plugin.file.st_size) {
        *e = err_new("--native: the part of cldbg that makes machine code is missing: %s",
                     plugin.path);
        return NULL;
    }
    struct native_program *p = program_new(bitcode, size, make_by_plugin, &plugin.file);
    p->has_variables = memmem(bitcode, size, NAT_VARIABLES,
                              strlen(NAT_VARIABLES)); // names stand in bitcode as they are
    return p;
}

struct native_program *native_program_load_strict(const void *bitcode, size_t size, struct err **e)
{
    struct stat maker;
    if (!dev_object_can()) *e = err_new("cldbg cannot link machine code on this machine");
    else if (stat(dev_compiler_path(), &maker)) *e = err_new("there is no %s", dev_compiler_path());
    return *e ? NULL : program_new(bitcode, size, dev_make_code, &maker);
}

char *native_program_variable(struct native_program *p, const char *name)
{
    struct str full = {0};
    void *at = NULL;
    str_printf(&full, NAT_VARIABLES "%s", name);
    pthread_mutex_lock(&p->lock);
    struct err *e = link_program(p);
    if (!e && p->jit) e = plugin.plugin->jit_find(p->jit, full.data, &at);
    else if (!e && p->variables) at = dev_object_symbol(p->variables, full.data);
    pthread_mutex_unlock(&p->lock);
    err_free(e);
    str_deinit(&full);
    return at;
}

static void free_code(struct native_code *c)
{
    dev_object_free(c->object);
    free(c->kernel);
    free(c->symbol);
    free(c->types);
    free(c);
}

void native_program_unload(struct native_program *p)
{
    for (size_t i = 0; i < p->codes.len; i++) free_code(p->codes.data[i]);
    vec_free(&p->codes);
    dev_object_free(p->variables);
    if (p->jit) plugin.plugin->jit_dispose(p->jit);
    pthread_mutex_destroy(&p->lock);
    free(p->bitcode);
    free(p);
}

static void prepare_call(struct native_code *c, unsigned nargs)
{
    c->nargs = nargs;
    c->types = mem_alloc((nargs + 4) * sizeof *c->types);
    for (unsigned i = 0; i < nargs + 2; i++) c->types[i] = &ffi_type_pointer;
    c->types[nargs + 2] = c->types[nargs + 3] = &ffi_type_uint64;
    ffi_status ok = ffi_prep_cif(&c->cif, FFI_DEFAULT_ABI, nargs + 4, &ffi_type_void, c->types);
    assert(ok == FFI_OK);
    (void)ok;
}

bool native_same_form(const struct nat_shape *a, const struct nat_shape *b)
{
    return !memcmp(a->local, b->local, sizeof a->local) && a->uneven == b->uneven &&
           a->apart == b->apart && a->small == b->small && a->passes == b->passes &&
           a->sub_group == b->sub_group && a->marks == b->marks && a->checks == b->checks;
}

static bool same_shape(const struct nat_shape *a, const struct nat_shape *b)
{
    return native_same_form(a, b) && !memcmp(a->id_bits, b->id_bits, sizeof a->id_bits) &&
           !memcmp(a->argument_bits, b->argument_bits, sizeof a->argument_bits);
}

static void put_limits(struct str *symbol, const struct nat_shape *s)
{
    if (!s->id_bits[0]) return;
    str_printf(symbol, ".n%u_%u_%u", s->id_bits[0], s->id_bits[1], s->id_bits[2]);
    for (unsigned i = 0; i < NAT_MARKS; i++)
        if (s->argument_bits[i]) str_printf(symbol, ".%u_%u", i, s->argument_bits[i]);
}

static struct err *make(struct native_program *p, const char *name, unsigned nargs,
                        const struct nat_shape *s, struct native_code *c)
{
    struct object o = {0};
    struct str symbol = {0};
    str_printf(&symbol, "%s.%llu.%llu.%llu.%u%s%s%s%x", name, (unsigned long long)s->local[0],
               (unsigned long long)s->local[1], (unsigned long long)s->local[2], s->sub_group,
               s->uneven ? "u" : "", s->apart ? "a" : "", s->small ? "s" : "", s->passes);
    if (s->marks || s->checks) str_printf(&symbol, ".%x.%x", s->marks, s->checks);
    put_limits(&symbol, s);
    c->kernel = mem_strdup(name);
    c->shape = *s;
    c->symbol = str_take(&symbol);
    struct err *e = link_program(p);
    if (!e) e = get_object(p, name, s, c->symbol, &o);
    c->info = o.info;
    if (!e) e = link_code(p, c, o.data, o.size);
    if (!e) prepare_call(c, nargs);
    str_deinit(&o.kept);
    return e;
}

const struct native_code *native_code_get(struct native_program *p, const char *name,
                                          unsigned nargs, const struct nat_shape *s,
                                          struct nat_code_info *info, struct err **e)
{
    struct native_code *c = NULL;
    *e = NULL;
    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < p->codes.len && !c; i++)
        if (same_shape(&p->codes.data[i]->shape, s) && !strcmp(p->codes.data[i]->kernel, name))
            c = p->codes.data[i];
    if (!c) {
        c = mem_alloc(sizeof *c);
        *e = make(p, name, nargs, s, c);
        if (*e) {
            free_code(c);
            c = NULL;
        } else {
            vec_push(&p->codes, c);
        }
    }
    pthread_mutex_unlock(&p->lock);
    if (c) *info = c->info;
    return c;
}

void native_code_call(const struct native_code *c, void *const *args, void *locals,
                      const struct nat_launch *l, uint64_t first, uint64_t last)
{
    void **values = alloca((c->nargs + 4) * sizeof *values);
    for (unsigned i = 0; i < c->nargs; i++) values[i] = (void *)&args[i];
    values[c->nargs] = &locals;
    values[c->nargs + 1] = &l;
    values[c->nargs + 2] = &first;
    values[c->nargs + 3] = &last;
    ffi_call((ffi_cif *)&c->cif, c->entry, NULL, values);
}
