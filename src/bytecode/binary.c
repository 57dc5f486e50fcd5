// SPDX-License-Identifier: MIT
// The binary form: what goes over the wire from cldbg-cc, into the cache, and into program
// binaries.
//
//   magic, layout, size and checksum of the body, body
//
// The body is the tables of the module one after the other, each as a count and its elements as
// they lie in memory; `layout` is a number made from the sizes of all of them and the number of
// opcodes, so that data of another version or machine is rejected. Decoding never reads outside the
// bytes that it is given; bc_verify checks what they mean.
#include "bytecode/bytecode.h"

#include "base/map.h"

#include <string.h>

static const char magic[8] = "cldbgBC3";

struct head {
    char magic[8];
    uint64_t layout, size, checksum;
};

uint64_t bc_layout(void)
{
    const uint64_t sizes[] = {
        sizeof(struct bc_fn),
        sizeof(struct bc_insn),
        sizeof(struct bc_block),
        sizeof(struct bc_loop),
        sizeof(struct bc_kernel),
        sizeof(struct bc_arg),
        sizeof(struct bc_piece),
        sizeof(struct bc_object),
        sizeof(struct bc_reloc),
        sizeof(struct bc_mem),
        sizeof(struct bc_loc),
        sizeof(struct bc_file),
        sizeof(struct bc_dtype),
        sizeof(struct bc_member),
        sizeof(struct bc_dscope),
        sizeof(struct bc_var),
        BC_OP_COUNT,
        sizeof(void *),
        0x01020305}; // the last: of what the numbers mean; and the order of bytes
    uint64_t h = hash_bytes(sizes, sizeof sizes, 1);
    for (unsigned i = 0; i < BC_OP_COUNT; i++) {
        const struct bc_op_info *o = &bc_ops[i];
        const uint16_t meaning[] = {o->use[0], o->use[1], o->use[2], o->use[3], o->ext};
        h = hash_bytes(o->name, strlen(o->name), h);
        h = hash_bytes(meaning, sizeof meaning, h);
    }
    return h;
}

// ---- writing

static void put_array(struct str *out, const void *items, uint64_t n, size_t size)
{
    str_put_n(out, (const char *)&n, sizeof n);
    str_put_n(out, items, n * size);
}

static void put_text(struct str *out, const char *s)
{
    put_array(out, s, s ? strlen(s) + 1 : 0, 1);
}

#define PUT(items, n) put_array(out, items, n, sizeof *(items))

static void put_fn(struct str *out, const struct bc_fn *f)
{
    struct bc_fn flat;
    memset(&flat, 0, sizeof flat); // with the bytes between its members
    flat.name = f->name, flat.nuniform = f->nuniform, flat.nconst = f->nconst,
    flat.nvarying = f->nvarying;
    flat.ninsns = f->ninsns, flat.nblocks = f->nblocks, flat.nloops = f->nloops,
    flat.next = f->next;
    flat.nparams = f->nparams, flat.nrets = f->nrets;
    flat.has_barrier = f->has_barrier, flat.may_part = f->may_part, flat.loc = f->loc;
    str_put_n(out, (const char *)&flat, sizeof flat);
    PUT(f->consts, f->nconst);
    PUT(f->vsize, f->nvarying);
    PUT(f->insns, f->ninsns);
    PUT(f->blocks, f->nblocks);
    PUT(f->loops, f->nloops);
    PUT(f->ext, f->next);
    PUT(f->params, f->nparams);
    PUT(f->rets, f->nrets);
}

static void put_body(struct str *out, const struct bc_module *m)
{
    uint64_t n = m->nstrings;
    str_put_n(out, (const char *)&n, sizeof n);
    for (uint32_t i = 0; i < m->nstrings; i++) put_text(out, m->strings[i]);
    n = m->nfns;
    str_put_n(out, (const char *)&n, sizeof n);
    for (uint32_t i = 0; i < m->nfns; i++) put_fn(out, &m->fns[i]);
    n = m->nvariants;
    str_put_n(out, (const char *)&n, sizeof n);
    n = m->nkernels + m->nvariants;
    str_put_n(out, (const char *)&n, sizeof n);
    for (uint32_t i = 0; i < m->nkernels + m->nvariants; i++) {
        struct bc_kernel flat = m->kernels[i];
        flat.refused = NULL;
        str_put_n(out, (const char *)&flat, sizeof flat);
        put_text(out, m->kernels[i].refused);
    }
    PUT(m->args, m->nargs);
    PUT(m->pieces, m->npieces);
    n = m->nobjects;
    str_put_n(out, (const char *)&n, sizeof n);
    for (uint32_t i = 0; i < m->nobjects; i++) {
        struct bc_object flat = m->objects[i];
        flat.init = NULL;
        str_put_n(out, (const char *)&flat, sizeof flat);
        put_array(out, m->objects[i].init, m->objects[i].init ? m->objects[i].size : 0, 1);
    }
    PUT(m->relocs, m->nrelocs);
    PUT(m->sites, m->nsites);
    PUT(m->locs, m->nlocs);
    PUT(m->files, m->nfiles);
    PUT(m->dtypes, m->ndtypes);
    PUT(m->members, m->nmembers);
    PUT(m->scopes, m->nscopes);
    PUT(m->vars, m->nvars);
}

void bc_encode(const struct bc_module *m, struct str *out)
{
    struct str body = {0};
    put_body(&body, m);
    struct head h = {
        .layout = bc_layout(), .size = body.len, .checksum = hash_bytes(body.data, body.len, 2)};
    memcpy(h.magic, magic, sizeof magic);
    str_put_n(out, (const char *)&h, sizeof h);
    str_put_n(out, body.data, body.len);
    str_deinit(&body);
}

// ---- reading

struct in {
    const char *at, *end;
    struct arena *arena;
    bool bad;
};

static void get(struct in *in, void *to, size_t size)
{
    if (!size) return; // `to` may be NULL
    if (in->bad || (size_t)(in->end - in->at) < size) {
        in->bad = true;
        memset(to, 0, size);
        return;
    }
    memcpy(to, in->at, size);
    in->at += size;
}

static uint64_t get_count(struct in *in, size_t least)
{
    uint64_t n;
    get(in, &n, sizeof n);
    if (n > (uint64_t)(in->end - in->at) / least || n > UINT32_MAX) in->bad = true;
    return in->bad ? 0 : n;
}

static void *get_array(struct in *in, size_t size, uint64_t *n)
{
    *n = get_count(in, size);
    void *p = arena_alloc(in->arena, *n * size);
    get(in, p, *n * size);
    return p;
}

// An array whose length is known from elsewhere.
static void *get_exactly(struct in *in, size_t size, uint64_t want)
{
    uint64_t n;
    void *p = get_array(in, size, &n);
    if (n != want) in->bad = true;
    return p;
}

static const char *get_text(struct in *in)
{
    uint64_t n;
    const char *s = get_array(in, 1, &n);
    if (n && (s[n - 1] || strlen(s) + 1 != n)) in->bad = true;
    return n && !in->bad ? s : NULL;
}

#define GET_LIST(field, count)                                                                     \
    do {                                                                                           \
        uint64_t n_;                                                                               \
        m->field = get_array(&in, sizeof *m->field, &n_);                                          \
        m->count = (uint32_t)n_;                                                                   \
    } while (0)

static void get_fn(struct in *in, struct bc_fn *f)
{
    get(in, f, sizeof *f);
    f->consts = get_exactly(in, sizeof *f->consts, f->nconst);
    f->vsize = get_exactly(in, sizeof *f->vsize, f->nvarying);
    f->insns = get_exactly(in, sizeof *f->insns, f->ninsns);
    f->blocks = get_exactly(in, sizeof *f->blocks, f->nblocks);
    f->loops = get_exactly(in, sizeof *f->loops, f->nloops);
    f->ext = get_exactly(in, sizeof *f->ext, f->next);
    f->params = get_exactly(in, sizeof *f->params, f->nparams);
    f->rets = get_exactly(in, sizeof *f->rets, f->nrets);
}

static bool get_body(const char *data, size_t size, struct bc_module *m)
{
    struct in in = {data, data + size, &m->arena, false};
    m->nstrings = (uint32_t)get_count(&in, 8);
    m->strings = arena_array(&m->arena, const char *, m->nstrings);
    for (uint32_t i = 0; i < m->nstrings && !in.bad; i++) {
        m->strings[i] = get_text(&in);
        if (!m->strings[i]) in.bad = true;
    }
    m->nfns = (uint32_t)get_count(&in, sizeof(struct bc_fn));
    struct bc_fn *fns = arena_array(&m->arena, struct bc_fn, m->nfns);
    for (uint32_t i = 0; i < m->nfns && !in.bad; i++) get_fn(&in, &fns[i]);
    m->fns = fns;
    m->nvariants = (uint32_t)get_count(&in, sizeof(struct bc_kernel));
    m->nkernels = (uint32_t)get_count(&in, sizeof(struct bc_kernel));
    in.bad |= m->nvariants > m->nkernels;
    struct bc_kernel *kernels = arena_array(&m->arena, struct bc_kernel, m->nkernels);
    for (uint32_t i = 0; i < m->nkernels && !in.bad; i++) {
        get(&in, &kernels[i], sizeof kernels[i]);
        kernels[i].refused = get_text(&in);
    }
    m->kernels = kernels;
    m->nkernels -= in.bad ? 0 : m->nvariants;
    GET_LIST(args, nargs);
    GET_LIST(pieces, npieces);
    m->nobjects = (uint32_t)get_count(&in, sizeof(struct bc_object));
    struct bc_object *objects = arena_array(&m->arena, struct bc_object, m->nobjects);
    for (uint32_t i = 0; i < m->nobjects && !in.bad; i++) {
        get(&in, &objects[i], sizeof objects[i]);
        uint64_t n;
        const uint8_t *init = get_array(&in, 1, &n);
        if (n && n != objects[i].size) in.bad = true;
        objects[i].init = n ? init : NULL;
    }
    m->objects = objects;
    GET_LIST(relocs, nrelocs);
    GET_LIST(sites, nsites);
    GET_LIST(locs, nlocs);
    GET_LIST(files, nfiles);
    GET_LIST(dtypes, ndtypes);
    GET_LIST(members, nmembers);
    GET_LIST(scopes, nscopes);
    GET_LIST(vars, nvars);
    return !in.bad && in.at == in.end;
}

struct err *bc_decode(const void *data, size_t size, bc_lane_types_fn *lane_types,
                      struct bc_module **out)
{
    *out = NULL;
    struct head h;
    if (size < sizeof h) return err_new("too short to be a program of cldbg (%zu bytes)", size);
    memcpy(&h, data, sizeof h);
    const char *body = (const char *)data + sizeof h;
    if (memcmp(h.magic, magic, sizeof magic)) return err_new("not a program of cldbg");
    if (h.layout != bc_layout()) return err_new("a program of another version of cldbg");
    if (h.size != size - sizeof h)
        return err_new("a program of cldbg that is cut off (%zu bytes of %llu)", size - sizeof h,
                       (unsigned long long)h.size);
    if (h.checksum != hash_bytes(body, h.size, 2))
        return err_new("a program of cldbg that is damaged");
    struct bc_module *m = bc_module_create();
    struct err *e = get_body(body, h.size, m)
                        ? bc_verify(m, lane_types)
                        : err_new("a program of cldbg whose tables do not fit together");
    if (e) bc_module_destroy(m);
    else *out = m;
    return e;
}
