// SPDX-License-Identifier: MIT
#include "api/checked_form.h"

#include "api/interrupt.h"
#include "base/arena.h"
#include "base/mem.h"
#include "bytecode/dependence.h"
#include "debug/debug.h"
#include "debug/history/unrecorded_launch.h"
#include "report/sink.h"

#include <stdlib.h>
#include <string.h>

struct api_checked_form {
    struct arena arena;
    pthread_mutex_t lock; // guards all below
    struct dev_build build;
    bool was_tried;
    struct bc_module *module; // NULL: it cannot be built
    void *loaded;
};

static struct dev_blob copy_blob(struct arena *a, struct dev_blob b)
{
    return (struct dev_blob){arena_dup(a, b.data, b.size), b.size};
}

struct api_checked_form *api_checked_form_new(const struct dev_build *b)
{
    struct api_checked_form *f = mem_alloc(sizeof *f);
    struct arena *const a = &f->arena;
    pthread_mutex_init(&f->lock, NULL);
    f->build = *b;
    f->build.for_debugger = false;
    if (b->source) f->build.source = arena_strdup(a, b->source);
    if (b->options) f->build.options = arena_strdup(a, b->options);
    struct dev_header *headers = arena_array(a, struct dev_header, b->nheaders + 1);
    for (unsigned i = 0; i < b->nheaders; i++)
        headers[i] = (struct dev_header){arena_strdup(a, b->headers[i].name),
                                         arena_strdup(a, b->headers[i].text)};
    struct dev_blob *objects = arena_array(a, struct dev_blob, b->nobjects + 1);
    for (unsigned i = 0; i < b->nobjects; i++) objects[i] = copy_blob(a, b->objects[i]);
    f->build.headers = headers;
    f->build.objects = objects;
    return f;
}

void api_checked_form_free(struct api_checked_form *f)
{
    if (!f) return;
    if (f->loaded) dev_chosen()->program_unload(f->loaded);
    if (f->module) bc_module_destroy(f->module);
    pthread_mutex_destroy(&f->lock);
    arena_deinit(&f->arena);
    free(f);
}

void api_release_module(struct bc_module *m, void *loaded)
{
    enum { MOST = 32 }; // that the debugger still uses
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct released {
        struct bc_module *m;
        void *loaded;
    } ring[MOST];
    static unsigned at;
    struct released old = {m, loaded};
    if (dbg_module_released(m)) {
        pthread_mutex_lock(&lock);
        old = ring[at % MOST];
        ring[at++ % MOST] = (struct released){m, loaded};
        pthread_mutex_unlock(&lock);
        dbg_module_removed(old.m);
    }
    if (old.loaded) dev_chosen()->program_unload(old.loaded);
    if (old.m) bc_module_destroy(old.m);
}

static void build(struct api_checked_form *f)
{
    struct dev_built out = {0};
    struct err *e = NULL;
    dev_compile(&f->build, &out);
    if (out.status == DEV_BUILD_OK && out.module) {
        f->module = out.module;
        out.module = NULL;
        f->loaded = dev_chosen()->program_load(f->module, out.object, &e);
    }
    err_free(e);
    dev_built_free(&out);
    f->was_tried = true;
}

/** The kernel of that name; NULL: there is none with the same arguments. */
static const struct bc_kernel *kernel_of(struct api_checked_form *f, const struct bc_module *m,
                                         const struct bc_kernel *k)
{
    pthread_mutex_lock(&f->lock);
    if (!f->was_tried) build(f);
    pthread_mutex_unlock(&f->lock);
    for (uint32_t i = 0; f->loaded && i < f->module->nkernels; i++) {
        const struct bc_kernel *const own = &f->module->kernels[i];
        if (!strcmp(bc_str(f->module, own->name), bc_str(m, k->name)) && own->nargs == k->nargs &&
            !own->refused)
            return own;
    }
    return NULL;
}

/** Are the settings those of a run that only checks? */
static bool is_plain(void)
{
    const struct dev_settings *const s = dev_settings();
    return !s->native && !s->both && !s->schedule && s->schedules < 2 && !s->statistics &&
           !s->coverage && !s->profile && !s->advise && !s->verify && !s->instruction_limit &&
           s->engine != DEV_ENGINE_CHECK && dev_chosen()->interpreted;
}

static struct rep_session *trial(void)
{
    static struct rep_session *session; // guarded by dbg_unrecorded_lock
    if (!session) session = rep_create_trial(dev_report());
    return session;
}

/** Runs it; false: it is not done, or something was found. */
static bool run(struct api_checked_form *f, const struct vm_launch *v, struct err **e)
{
    struct rep_session *const rep = trial();
    const uint64_t cut_checks = rep_totals(rep)->cut_checks;
    struct vm_launch l = *v;
    char *text = NULL;
    size_t n = 0;
    l.debugger = NULL;
    l.rep = rep;
    if (bc_atomics_show_order(f->module, l.kernel->fn)) l.threads = 1;
    if (l.kernel->uses_printf && !(l.out = open_memstream(&text, &n))) return false;
    rep_launch_begins(rep);
    *e = dev_chosen()->launch(f->loaded, &l);
    const bool clean = !*e && !rep_has_found(rep, l.number);
    rep_launch_ends(rep, l.number);
    if (l.kernel->uses_printf) {
        fclose(l.out);
        if (clean && !*l.cut) rep_write(v->out ? v->out : stdout, text, n);
        free(text);
    }
    if (clean)
        rep_count(&rep_totals(dev_report())->cut_checks, rep_totals(rep)->cut_checks - cut_checks);
    return clean;
}

bool api_run_checked_form(cl_program p, const struct vm_launch *v, struct err **e)
{
    struct vm_launch l = *v;
    if (!v->debugger || !p->checked_form || !is_plain()) return false;
    l.program = dev_chosen()->interpreted(p->loaded);
    if (!dbg_unrecorded_is_possible(&l)) return false;
    struct vm_launch fast = *v;
    fast.kernel = kernel_of(p->checked_form, p->module, v->kernel);
    if (!fast.kernel || !(fast.cut = dbg_unrecorded_begin(&l))) return false;
    const bool clean = run(p->checked_form, &fast, e);
    const bool is_over = clean || *api_cancel_flag(); // by a signal, or the end of the session
    if (dbg_unrecorded_end(&l, is_over)) return true;
    err_free(*e);
    *e = NULL;
    return false;
}
