// SPDX-License-Identifier: MIT
// Collects the data of a launch for a capture. Root allocations are captured completely, so that
// the memory around a sub-buffer is there in the repetition, too.
#include "api/capture_launch.h"

#include "api/image.h"
#include "base/io.h"
#include "base/mem.h"
#include "devices/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct api_capture {
    char *path;
    uint64_t launch;
    bool on_finding;
};

enum { ACCESS = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY | CL_MEM_READ_WRITE };

/**
 * The program, with the text of files that exist only on this machine, and the bitcode, which a
 * debugger needs.
 */
static void put_binary(const struct _cl_program *p, struct str *out)
{
    struct arena arena = {0}, *const a = &arena;
    struct bc_module m = *p->module;
    struct bc_file *files = arena_dup(a, m.files, m.nfiles * sizeof *files);
    const char **strings = arena_array(a, const char *, m.nstrings + m.nfiles);
    memcpy(strings, m.strings, m.nstrings * sizeof *strings);
    for (uint32_t i = 0; i < m.nfiles; i++) {
        struct str text = {0};
        if (!files[i].text && files[i].path &&
            io_read_file(bc_str(p->module, files[i].path), &text) &&
            !memchr(str_text(&text), 0, text.len)) {
            strings[m.nstrings] = arena_strdup(a, str_text(&text));
            files[i].text = m.nstrings++;
        }
        str_deinit(&text);
    }
    m.files = files;
    m.strings = strings;
    if (api_binary_write(
            &(struct _cl_program){
                .module = &m, .object = p->object, .object_fits = p->object_fits, .type = p->type},
            out))
        api_binary_remember(out);
    arena_deinit(a);
}

/** A program is not built again while it has kernels. */
static const struct api_captured_program *program_of(struct _cl_program *p)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct api_captured_program *const c = &p->captured;
    pthread_mutex_lock(&lock);
    if (!c->hashes) {
        put_binary(p, &c->binary);
        c->hashes = dev_capture_hashes(c->binary.data, c->binary.len);
    }
    pthread_mutex_unlock(&lock);
    return c;
}

void api_captured_program_deinit(struct api_captured_program *c)
{
    str_deinit(&c->binary);
    free(c->hashes);
    c->hashes = NULL;
}

/**
 * All allocations of shared virtual memory, first in the list: kernels may follow pointers into any
 * of them.
 */
static void put_svm(struct dev_capture_memory *list, uint32_t *n, const struct vm_launch *l)
{
    for (; *n < l->nsvm; ++*n) {
        const struct vm_buffer *b = &l->svm[*n];
        list[*n] = (struct dev_capture_memory){.size = b->root_size,
                                               .data = b->host,
                                               .address = b->address,
                                               .written = b->written ? b->written->bytes : NULL};
    }
}

static uint32_t svm_of(const struct vm_launch *l, const struct vm_buffer *b)
{
    uint32_t i = 0;
    while (l->svm[i].host != b->host) i++;
    return i;
}

/** The index of the memory that contains m; added if new. */
static uint32_t memory_of(struct dev_capture_memory *list, cl_mem *roots, uint32_t *n, cl_mem m)
{
    cl_mem root = api_mem_root(m);
    uint32_t i = 0;
    while (i < *n && roots[i] != root) i++;
    if (i < *n) return i;
    const struct vm_written *w = root->written;
    roots[i] = root;
    list[i] = (struct dev_capture_memory){.size = root->size,
                                          .flags = root->flags & ACCESS,
                                          .data = root->data,
                                          .is_private = root->owns_data && !root->was_mapped &&
                                                        !(root->flags & CL_MEM_USE_HOST_PTR),
                                          .written = vm_lacks_bytes(w) ? w->bytes : NULL};
    ++*n;
    return i;
}

static void put_image(struct dev_capture_arg *a, const struct _cl_mem *m)
{
    const struct vm_image *v = &m->image;
    const bool lines = m->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    a->image = (struct dev_capture_image){
        .type = m->type,
        .order = m->format.image_channel_order,
        .channel = m->format.image_channel_data_type,
        .width = v->size[0],
        .height = lines ? 0 : v->size[1],
        .depth = v->ndims > 2 ? v->size[2] : 0,
        .layers = v->is_array ? v->layers : 0,
        .row_pitch = v->row_pitch,
        .slice_pitch = api_image_is_flat(m) ? 0 : v->slice_pitch,
        .on_buffer = m->parent,
    };
}

static void put_sampler(struct dev_capture_arg *a, uint64_t bits) // api_sampler_bits made them
{
    a->normalized = bits & 1;
    a->addressing = CL_ADDRESS_NONE + (uint32_t)(bits >> 1 & 7);
    a->filter = bits & 0x20 ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
}

static enum dev_capture_kind kind_of(const struct bc_arg *decl, cl_mem m)
{
    switch (decl->kind) {
    case BC_ARG_BUFFER: return m ? DEV_CAPTURE_BUFFER : DEV_CAPTURE_NULL;
    case BC_ARG_IMAGE: return DEV_CAPTURE_IMAGE;
    case BC_ARG_LOCAL: return DEV_CAPTURE_LOCAL;
    case BC_ARG_SAMPLER: return DEV_CAPTURE_SAMPLER;
    default: return DEV_CAPTURE_VALUE;
    }
}

/** `pack`: see dev_capture_store; NULL: a file. */
static struct err *write_launch(const char *path, const char *pack, const struct _cl_kernel *k,
                                const cl_mem *mems, const struct vm_launch *l)
{
    const uint32_t n = k->k->nargs;
    struct arena a = {0};
    struct str options = {0};
    struct _cl_program *const p = k->program;
    const struct api_captured_program *const program = program_of(p);
    struct dev_capture_memory *memory = arena_array(&a, struct dev_capture_memory, n + l->nsvm + 1);
    cl_mem *roots = arena_array(&a, cl_mem, n + l->nsvm + 1);
    struct dev_capture_arg *args = arena_array(&a, struct dev_capture_arg, n + 1);
    dev_options_of_launch(&options);
    char *const built_with = api_whole_options(p->options ? p->options : "");
    struct dev_capture c = {
        .kernel = bc_str(p->module, k->k->name),
        .launch = l->number,
        .host_site = l->host_site,
        .options = str_text(&options),
        .source = p->source ? p->source : "",
        .build_options = built_with,
        .binary = program->binary.data,
        .binary_size = program->binary.len,
        .binary_hashes = program->hashes,
        .dims = l->dims,
        .memory = memory,
        .args = args,
        .nargs = n,
        .gone = l->gone,
        .ngone = l->ngone,
    };
    memcpy(c.offset, l->offset, sizeof c.offset);
    memcpy(c.global, l->global, sizeof c.global);
    memcpy(c.local, l->local, sizeof c.local);
    put_svm(memory, &c.nmemory, l);
    for (uint32_t i = 0; i < n; i++) {
        const struct vm_buffer *b = &l->args[i].buffer;
        cl_mem m = mems[i];
        args[i] = (struct dev_capture_arg){.kind = kind_of(&k->decl[i], m),
                                           .name = bc_str(p->module, k->decl[i].name),
                                           .value = l->args[i].value,
                                           .size = k->decl[i].size};
        if (args[i].kind == DEV_CAPTURE_LOCAL) args[i].size = l->args[i].local_size;
        if (args[i].kind == DEV_CAPTURE_IMAGE) put_image(&args[i], m);
        if (args[i].kind == DEV_CAPTURE_SAMPLER)
            put_sampler(&args[i], *(const uint64_t *)l->args[i].value);
        if (!m) continue;
        args[i].released = !api_user_refs(m) && m->released_by;
        if (args[i].kind == DEV_CAPTURE_BUFFER &&
            b->is_svm) { // a pointer, or a buffer on such memory
            if (!(m->flags & CL_MEM_USE_HOST_PTR)) args[i].kind = DEV_CAPTURE_SVM;
            args[i].memory = svm_of(l, b);
            args[i].offset = b->offset;
            args[i].size = b->size;
            args[i].flags = m->flags & ACCESS;
            continue;
        }
        args[i].memory = memory_of(memory, roots, &c.nmemory, m);
        args[i].offset = (uint64_t)(m->data - api_mem_root(m)->data);
        args[i].size = m->size;
        args[i].flags = m->flags & ACCESS;
    }
    struct err *e = pack ? dev_capture_store(path, pack, &c) : dev_capture_write(path, &c);
    str_deinit(&options);
    free(built_with);
    arena_deinit(&a);
    return e;
}

static const char *next_path; // borrowed from the caller of api_capture_next

void api_capture_next(const char *path) { next_path = path; }

static struct err *make_folder(const char *path)
{
    static bool is_there;
    if (__atomic_load_n(&is_there, __ATOMIC_RELAXED)) return NULL;
    if (mkdir(path, 0777) && errno != EEXIST) return err_new("%s cannot be created: %m", path);
    __atomic_store_n(&is_there, true, __ATOMIC_RELAXED);
    return NULL;
}

struct api_capture *api_capture_begin(const struct _cl_kernel *k, const cl_mem *mems,
                                      const struct vm_launch *l)
{
    const struct dev_settings *s = dev_settings();
    const char *once = next_path;
    if ((!s->capture_dir && !once) || !l->rep) return NULL;
    char *path = once ? mem_strdup(once)
                      : rep_capture_path(l->rep, bc_str(k->program->module, k->k->name), l->number);
    struct err *e = once ? NULL : make_folder(s->capture_dir);
    char *const pack = once || s->capture_on_finding ? NULL : rep_capture_pack(l->rep);
    if (!e) e = write_launch(path, pack, k, mems, l);
    free(pack);
    if (e) {
        static bool reported;
        if (!__atomic_exchange_n(&reported, true, __ATOMIC_RELAXED))
            fprintf(stderr,
                    "cldbg: capture: kernel launch %llu is not captured, and perhaps later ones: "
                    "%s\n",
                    (unsigned long long)l->number, err_message(e));
        err_free(e);
        free(path);
        return NULL;
    }
    struct api_capture *c = mem_alloc(sizeof *c);
    *c = (struct api_capture){path, l->number, s->capture_on_finding && !once};
    return c;
}

void api_capture_end(struct api_capture *c, bool child_has_finding)
{
    if (!c) return;
    if (c->on_finding && !child_has_finding && !rep_has_shown(dev_report(), c->launch))
        unlink(c->path);
    else if (c->on_finding)
        fprintf(dev_report_out(),
                "cldbg: kernel launch %llu is captured; to repeat it: cldbg run %s\n",
                (unsigned long long)c->launch, c->path);
    free(c->path);
    free(c);
}
