// SPDX-License-Identifier: MIT
// The reader of the text form (text.h): each kind of line has one function that takes its words in
// turn.
#include "bytecode/asm.h"

#include "base/str.h"

#include <inttypes.h>
#include <string.h>

// ---- functions
static void end_fn(struct bc_reader *r)
{
    struct bc_asm_fn *f = r->fn;
    if (!f) return;
    struct bc_fn *fn = &f->fn;
#define KEEP(to, count, v)                                                                         \
    do {                                                                                           \
        fn->count = (uint32_t)(v).len;                                                             \
        fn->to = arena_dup(r->a, (v).data, (v).len * sizeof *(v).data);                            \
        vec_free(&(v));                                                                            \
    } while (0)
    KEEP(consts, nconst, f->consts);
    KEEP(vsize, nvarying, f->vsize);
    KEEP(params, nparams, f->params);
    KEEP(rets, nrets, f->rets);
    KEEP(ext, next, f->ext);
    KEEP(insns, ninsns, f->insns);
    KEEP(blocks, nblocks, f->blocks);
    KEEP(loops, nloops, f->loops);
#undef KEEP
    vec_push(&r->fns, *fn);
    free(f);
    r->fn = NULL;
}

static void read_fn(struct bc_reader *r)
{
    end_fn(r);
    struct bc_asm_fn *f = r->fn = mem_alloc(sizeof *f);
    vec_push(&f->ext, 0); // 0 stands for no list
    f->fn.name = bc_asm_string(r);
    while (bc_asm_more(r)) {
        if (bc_asm_take(r, "loc")) f->fn.loc = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "barrier")) f->fn.has_barrier = 1;
        else if (bc_asm_take(r, "parts")) f->fn.may_part = 1;
        else FAIL(r, "'%s' is not known of a function", bc_asm_peek(r));
    }
}

static void read_uniform(struct bc_reader *r)
{
    r->fn->fn.nuniform = (uint32_t)bc_asm_number(r);
    if (bc_asm_take(r, "const"))
        while (bc_asm_more(r)) vec_push(&r->fn->consts, bc_asm_number(r));
}

static void read_loop(struct bc_reader *r)
{
    struct bc_loop l = {.parent = -1, .counter = BC_NONE};
    while (bc_asm_more(r)) {
        if (bc_asm_take(r, "header")) l.header = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "last")) l.last = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "parent")) l.parent = (int32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "counter")) l.counter = bc_asm_operand(r);
        else if (bc_asm_take(r, "loc")) l.loc = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "barrier")) l.has_barrier = 1;
        else FAIL(r, "'%s' is not known of a loop", bc_asm_peek(r));
    }
    vec_push(&r->fn->loops, l);
}

static void read_block(struct bc_reader *r)
{
    struct bc_block b = {.first = (uint32_t)r->fn->insns.len, .loop = -1};
    if (bc_asm_take(r, "loop")) b.loop = (int32_t)bc_asm_number(r);
    vec_push(&r->fn->blocks, b);
}

// ---- the rest of a module
static void read_file(struct bc_reader *r)
{
    struct bc_file f = {.name = bc_asm_string(r)};
    while (bc_asm_more(r)) {
        if (bc_asm_take(r, "path")) f.path = bc_asm_string(r);
        else if (bc_asm_take(r, "text")) f.text = bc_asm_string(r);
        else if (bc_asm_take(r, "first")) f.first_line = (uint32_t)bc_asm_number(r);
        else FAIL(r, "'%s' is not known of a file", bc_asm_peek(r));
    }
    vec_push(&r->files, f);
}

static void read_loc(struct bc_reader *r)
{
    struct bc_loc l = {0};
    while (bc_asm_more(r)) {
        if (bc_asm_take(r, "file")) l.file = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "line")) l.line = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "col")) l.col = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "fn")) l.fn_name = bc_asm_string(r);
        else if (bc_asm_take(r, "inlined")) l.inlined_at = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "scope")) l.scope = (uint32_t)bc_asm_number(r);
        else FAIL(r, "'%s' is not known of a loc", bc_asm_peek(r));
    }
    vec_push(&r->locs, l);
}

static const uint8_t *read_bytes(struct bc_reader *r, uint64_t size)
{
    const char *w = bc_asm_peek(r);
    const size_t digits = strlen(w);
    if (digits % 2 || digits / 2 != size) {
        FAIL(r, "an object of %" PRIu64 " bytes has %zu hexadecimal digits", size, digits);
        return NULL;
    }
    uint8_t *p = arena_alloc(r->a, size ? size : 1);
    for (uint64_t i = 0; i < size; i++)
        if (!str_hex_byte(w + 2 * i, &p[i])) FAIL(r, "no hexadecimal digits in '%.2s'", w + 2 * i);
    r->at++;
    return p;
}

static void read_object(struct bc_reader *r)
{
    struct bc_object o = {.kind = (uint8_t)CHOICE(r, bc_text_objects), .align = 1};
    o.name = bc_asm_string(r);
    o.type = bc_asm_string(r);
    o.first_reloc = (uint32_t)r->relocs.len;
    while (bc_asm_more(r)) {
        if (bc_asm_take(r, "size")) o.size = bc_asm_number(r);
        else if (bc_asm_take(r, "align")) o.align = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "fn")) o.fn = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "loc")) o.loc = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "nopadding")) o.is_padding_free = 1;
        else if (bc_asm_take(r, "param")) o.is_param = 1;
        else if (bc_asm_take(r, "init")) o.init = read_bytes(r, o.size);
        else FAIL(r, "'%s' is not known of an object", bc_asm_peek(r));
    }
    vec_push(&r->objects, o);
}

static void read_reloc(struct bc_reader *r)
{
    struct bc_reloc x = {.offset = bc_asm_number(r)};
    bc_asm_want(r, "target");
    x.target = (uint32_t)bc_asm_number(r);
    bc_asm_want(r, "addend");
    x.addend = (int64_t)bc_asm_number(r);
    if (!r->objects.len) {
        FAIL(r, "a reloc before any object");
        return;
    }
    vec_last(&r->objects).nrelocs++;
    vec_push(&r->relocs, x);
}

static void read_site(struct bc_reader *r)
{
    struct bc_mem s = {.kind = (uint8_t)CHOICE(r, bc_text_access),
                       .elem = 4,
                       .ncomp = 1,
                       .align = 1,
                       .space = BC_GLOBAL};
    while (bc_asm_more(r)) {
        if (bc_asm_take(r, "elem")) s.elem = (uint8_t)bc_asm_number(r);
        else if (bc_asm_take(r, "ncomp")) s.ncomp = (uint8_t)bc_asm_number(r);
        else if (bc_asm_take(r, "space")) s.space = (uint8_t)CHOICE(r, bc_text_spaces);
        else if (bc_asm_take(r, "index")) s.index_kind = (uint8_t)CHOICE(r, bc_text_index);
        else if (bc_asm_take(r, "scale")) s.scale = (int64_t)bc_asm_number(r);
        else if (bc_asm_take(r, "disp")) s.disp = (int64_t)bc_asm_number(r);
        else if (bc_asm_take(r, "align")) s.align = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "op")) s.atomic_op = (uint8_t)CHOICE(r, bc_text_atomics);
        else if (bc_asm_take(r, "order")) s.order = (uint8_t)CHOICE(r, bc_text_orders);
        else if (bc_asm_take(r, "failure")) s.failure = (uint8_t)CHOICE(r, bc_text_orders);
        else if (bc_asm_take(r, "scope")) s.scope = (uint8_t)CHOICE(r, bc_text_scopes);
        else if (bc_asm_take(r, "float")) s.is_float = 1;
        else if (bc_asm_take(r, "volatile")) s.is_volatile = 1;
        else if (bc_asm_take(r, "loc")) s.loc = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "fn")) s.fn = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "pointer")) s.pointer = bc_asm_string(r);
        else if (bc_asm_take(r, "members")) s.members = bc_asm_string(r);
        else FAIL(r, "'%s' is not known of a site", bc_asm_peek(r));
    }
    vec_push(&r->sites, s);
}

/** global_id 0 plus 0 lt wide signed narrow arg 3 bits 32 extended value 0 */
static void read_precondition(struct bc_reader *r, struct bc_kernel *k)
{
    struct bc_precondition g = {.id = (uint8_t)CHOICE(r, bc_text_wi)};
    g.dim = (uint8_t)bc_asm_number(r);
    g.test = (uint8_t)CHOICE(r, bc_text_preconditions);
    while (bc_asm_more(r)) {
        if (bc_asm_take(r, "plus")) g.plus = (int32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "wide")) g.is_wide = 1;
        else if (bc_asm_take(r, "signed")) g.is_signed = 1;
        else if (bc_asm_take(r, "narrow")) g.is_narrow = 1;
        else if (bc_asm_take(r, "arg")) g.arg = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "bits")) g.arg_bits = (uint8_t)bc_asm_number(r);
        else if (bc_asm_take(r, "extended")) g.arg_signed = 1;
        else if (bc_asm_take(r, "value")) g.value = (int64_t)bc_asm_number(r);
        else break;
    }
    if (k->npreconditions == BC_MAX_PRECONDITIONS)
        FAIL(r, "more than %d preconditions", BC_MAX_PRECONDITIONS);
    else k->preconditions[k->npreconditions++] = g;
}

static void read_kernel(struct bc_reader *r)
{
    end_fn(r);
    struct bc_kernel k = {.name = bc_asm_string(r), .first_arg = (uint32_t)r->args.len};
    const uint32_t was = r->nvariants;
    while (bc_asm_more(r)) {
        if (bc_asm_take(r, "fn")) k.fn = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "reqd") || bc_asm_take(r, "hint")) {
            uint32_t *to = !strcmp(r->words.data[r->at - 1], "reqd") ? k.reqd_wg_size
                                                                     : k.wg_size_hint;
            for (int i = 0; i < 3; i++) to[i] = (uint32_t)bc_asm_number(r);
        } else if (bc_asm_take(r, "subgroup")) k.sub_group = (uint16_t)bc_asm_number(r);
        else if (bc_asm_take(r, "vec")) k.vec_type_hint = bc_asm_string(r);
        else if (bc_asm_take(r, "attrs")) k.attributes = bc_asm_string(r);
        else if (bc_asm_take(r, "local")) k.local_size = bc_asm_number(r);
        else if (bc_asm_take(r, "private")) k.private_size = bc_asm_number(r);
        else if (bc_asm_take(r, "printf")) k.uses_printf = 1;
        else if (bc_asm_take(r, "atomics")) k.uses_atomics = 1;
        else if (bc_asm_take(r, "barrier")) k.has_barrier = 1;
        else if (bc_asm_take(r, "uneven")) k.may_be_uneven = 1;
        else if (bc_asm_take(r, "enqueues")) k.enqueues = 1;
        else if (bc_asm_take(r, "block")) k.is_block = 1;
        else if (bc_asm_take(r, "packed")) k.packed = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "specialized")) k.specialized = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "requires")) read_precondition(r, &k);
        else if (bc_asm_take(r, "variant")) r->nvariants++;
        else if (bc_asm_take(r, "refused")) k.refused = r->strings.data[bc_asm_string(r)];
        else FAIL(r, "'%s' is not known of a kernel", bc_asm_peek(r));
    }
    if (was == r->nvariants && was) FAIL(r, "a kernel after the variants of others");
    vec_push(&r->kernels, k);
}

static void read_arg(struct bc_reader *r)
{
    struct bc_arg a = {.kind = (uint8_t)CHOICE(r, bc_text_args),
                       .size = 8,
                       .first_piece = (uint32_t)r->pieces.len};
    a.name = bc_asm_string(r);
    a.type = bc_asm_string(r);
    while (bc_asm_more(r)) {
        if (bc_asm_take(r, "space")) a.space = (uint8_t)CHOICE(r, bc_text_spaces);
        else if (bc_asm_take(r, "size")) a.size = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "align")) a.align = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "access")) a.access = (uint8_t)bc_asm_number(r);
        else if (bc_asm_take(r, "object")) a.object = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "loc")) a.loc = (uint32_t)bc_asm_number(r);
        else if (bc_asm_take(r, "const")) a.is_const = 1;
        else if (bc_asm_take(r, "restrict")) a.is_restrict = 1;
        else if (bc_asm_take(r, "volatile")) a.is_volatile = 1;
        else if (bc_asm_take(r, "pipe")) a.is_pipe = 1;
        else if (bc_asm_take(r, "write")) a.may_write = 1;
        else if (bc_asm_take(r, "read")) a.may_read = 1;
        else if (bc_asm_take(r, "atomics")) a.only_atomics = 1;
        else if (bc_asm_take(r, "unit")) a.unit = (uint8_t)bc_asm_number(r);
        else FAIL(r, "'%s' is not known of an argument", bc_asm_peek(r));
    }
    if (!r->kernels.len) {
        FAIL(r, "an argument before any kernel");
        return;
    }
    vec_last(&r->kernels).nargs++;
    vec_push(&r->args, a);
}

static void read_piece(struct bc_reader *r)
{
    struct bc_piece p = {.offset = (uint32_t)bc_asm_number(r)};
    p.size = (uint32_t)bc_asm_number(r);
    p.reg = (uint32_t)bc_asm_number(r);
    if (!r->args.len) {
        FAIL(r, "a piece before any argument");
        return;
    }
    vec_last(&r->args).npieces++;
    vec_push(&r->pieces, p);
}

static void read_line(struct bc_reader *r)
{
    static const struct {
        const char *word;
        void (*read)(struct bc_reader *r);
    } top[] = {{"file", read_file},     {"loc", read_loc},         {"object", read_object},
               {"reloc", read_reloc},   {"site", read_site},       {"fn", read_fn},
               {"kernel", read_kernel}, {"arg", read_arg},         {"piece", read_piece},
               {"type", bc_asm_type},   {"member", bc_asm_member}, {"scope", bc_asm_scope},
               {"var", bc_asm_var}};
    for (size_t i = 0; i < sizeof top / sizeof *top; i++)
        if (bc_asm_take(r, top[i].word)) {
            top[i].read(r);
            return;
        }
    struct bc_asm_fn *f = r->fn;
    if (!f) {
        FAIL(r, "'%s' outside a function", bc_asm_peek(r));
    } else if (bc_asm_take(r, "uniform")) {
        read_uniform(r);
    } else if (bc_asm_take(r, "varying")) {
        while (bc_asm_more(r)) vec_push(&f->vsize, (uint8_t)bc_asm_number(r));
    } else if (bc_asm_take(r, "params")) {
        while (bc_asm_more(r)) vec_push(&f->params, bc_asm_operand(r));
    } else if (bc_asm_take(r, "rets")) {
        while (bc_asm_more(r)) vec_push(&f->rets, bc_asm_operand(r));
    } else if (bc_asm_take(r, "loop")) {
        read_loop(r);
    } else if (bc_asm_take(r, "block")) {
        read_block(r);
    } else {
        bc_asm_insn(r);
    }
}

struct err *bc_assemble(const char *text, struct bc_module **out)
{
    struct bc_module *m = bc_module_create();
    struct bc_reader r = {.s = text, .m = m, .a = &m->arena};
    vec_push(&r.strings, "");
    (void)vec_add(&r.sites);
    (void)vec_add(&r.locs);
    while (bc_asm_next_line(&r) && !r.error) {
        read_line(&r);
        if (!r.error && bc_asm_more(&r)) FAIL(&r, "'%s' is not expected here", r.words.data[r.at]);
    }
    end_fn(&r);
#define KEEP(to, count, v)                                                                         \
    do {                                                                                           \
        m->count = (uint32_t)(v).len;                                                              \
        m->to = arena_dup(&m->arena, (v).data, (v).len * sizeof *(v).data);                        \
        vec_free(&(v));                                                                            \
    } while (0)
    KEEP(strings, nstrings, r.strings);
    KEEP(fns, nfns, r.fns);
    KEEP(kernels, nkernels, r.kernels);
    m->nvariants = r.nvariants;
    m->nkernels -= r.nvariants;
    KEEP(args, nargs, r.args);
    KEEP(pieces, npieces, r.pieces);
    KEEP(objects, nobjects, r.objects);
    KEEP(relocs, nrelocs, r.relocs);
    KEEP(sites, nsites, r.sites);
    KEEP(locs, nlocs, r.locs);
    KEEP(files, nfiles, r.files);
    KEEP(dtypes, ndtypes, r.dtypes);
    KEEP(members, nmembers, r.members);
    KEEP(scopes, nscopes, r.scopes);
    KEEP(vars, nvars, r.vars);
#undef KEEP
    vec_free(&r.words);
    vec_free(&r.quoted);
    *out = r.error ? NULL : m;
    if (r.error) bc_module_destroy(m);
    return r.error;
}
