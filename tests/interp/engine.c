// SPDX-License-Identifier: MIT
#include "builtins/builtins.h"
#include "interp/engine.h"

#include "base/str.h"
#include "report/progress_line.h"
#include "report/sink.h"

#include <pthread.h>
#include <stdlib.h>

static struct str findings;
static unsigned nfindings;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rep_totals totals;

const struct rep_kind_info rep_kinds[REP_KIND_COUNT] = {
#define ERROR                               REP_ERROR
#define WARNING                             REP_WARNING
#define KIND(name, id, severity, what, fix) [REP_##name] = {id, severity, what, fix},
#include "report/kinds.def"
};
bool rep_wants(const struct rep_session *s, enum rep_kind k) { return true; }
struct rep_totals *rep_totals(struct rep_session *s) { return &totals; }
bool rep_has_found(struct rep_session *s, uint64_t launch) { return nfindings != 0; }
bool rep_progress_wanted(void) { return false; }
void rep_progress_show(const char *line) { (void)line; }
void rep_progress_clear(void) {}
bool rep_write(FILE *out, const char *text, size_t len) { return fwrite(text, 1, len, out) == len; }
void rep_checked_lines(struct rep_session *s, const struct rep_place *first, uint32_t last)
{
    (void)s, (void)first, (void)last;
}
void rep_add(struct rep_session *s, const struct rep_finding *f)
{
    pthread_mutex_lock(&lock);
    nfindings++;
    str_printf(&findings, "%s|%s", rep_kinds[f->kind].id, f->title);
    for (unsigned i = 0; i < f->nsides; i++) {
        const struct rep_side *d = &f->sides[i];
        str_printf(&findings, "|%s:%u %s", d->place.file ? d->place.file : "?", d->place.line,
                   d->what);
        if (d->item.known)
            str_printf(&findings, " by %d,%d,%d/%d", (int)d->item.local[0], (int)d->item.local[1],
                       (int)d->item.local[2], (int)d->item.group[0]);
        for (const struct rep_place *p = d->place.called_from; p; p = p->called_from)
            str_printf(&findings, " from %d", (int)p->line);
    }
    for (unsigned i = 0; i < f->nnotes; i++) str_printf(&findings, "|%s", f->notes[i]);
    str_printf(&findings, "|x%d\n", (int)f->count);
    pthread_mutex_unlock(&lock);
}

const char *engine_findings(void) { return str_text(&findings); }
unsigned engine_count(void) { return nfindings; }

void engine_open(struct engine *e, const char *text, uint64_t global, uint64_t local)
{
    memset(e, 0, sizeof *e);
    struct err *err = bc_assemble(text, &e->m);
    if (err) fail_msg("%s", err_message(err));
    if ((err = bc_verify(e->m, bi_lane_types))) fail_msg("%s", err_message(err));
    e->p = vm_program_create(e->m, NULL);
    e->l = (struct vm_launch){.program = e->p,
                              .kernel = &e->m->kernels[0],
                              .dims = 1,
                              .global = {global, 1, 1},
                              .local = {local, 1, 1},
                              .args = e->args,
                              .checks = VM_CHECK_ALL,
                              .threads = 1,
                              .rep = (struct rep_session *)&totals,
                              .number = 1};
}

void engine_buffer(struct engine *e, unsigned arg, void *p, size_t size)
{
    e->args[arg].buffer = (struct vm_buffer){.host = p, .root_size = size, .size = size, .root = p};
}
void engine_value(struct engine *e, unsigned arg, const void *value) { e->args[arg].value = value; }

void engine_run(struct engine *e)
{
    str_clear(&findings);
    nfindings = 0;
    char *text = NULL;
    size_t size = 0;
    e->l.out = open_memstream(&text, &size);
    struct err *err = vm_run(&e->l, &e->st);
    fclose(e->l.out);
    str_clear(&e->out);
    str_put_n(&e->out, text, size);
    free(text);
    if (err) fail_msg("%s", err_message(err));
}

void engine_close(struct engine *e)
{
    vm_program_destroy(e->p);
    bc_module_destroy(e->m);
    str_deinit(&e->out);
}
