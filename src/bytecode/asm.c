// SPDX-License-Identifier: MIT
// The reader of the text form (text.h). Lines are split into words; each kind of line has one function
// that takes its words in turn. The first mistake ends it, with its line.
#include "base/vec.h"
#include "bytecode/text.h"

#include <inttypes.h>
#include <string.h>

struct asm_fn {
    struct bc_fn fn;
    VEC(uint64_t) consts;
    VEC(uint8_t) vsize;
    VEC(uint32_t) params;
    VEC(uint32_t) rets;
    VEC(uint32_t) ext;
    VEC(struct bc_insn) insns;
    VEC(struct bc_block) blocks;
    VEC(struct bc_loop) loops;
};

struct reader {
    const char *s;     // rest of the text
    unsigned line;
    VEC(char *) words; // of the line; in the module's arena
    VEC(bool) quoted;
    size_t at;
    struct err *error;
    struct bc_module *m;
    struct arena *a;
    struct asm_fn *fn; // being read
    VEC(const char *) strings;
    VEC(struct bc_fn) fns;
    VEC(struct bc_kernel) kernels;
    uint32_t nforms; // the last of them
    VEC(struct bc_arg) args;
    VEC(struct bc_piece) pieces;
    VEC(struct bc_object) objects;
    VEC(struct bc_reloc) relocs;
    VEC(struct bc_mem) sites;
    VEC(struct bc_loc) locs;
    VEC(struct bc_file) files;
};

#define FAIL(r, ...)                                                                  \
    do {                                                                              \
        if (!(r)->error) (r)->error = err_wrap(err_new(__VA_ARGS__), "line %u", (r)->line); \
    } while (0)

// ---- words
static void add_word(struct reader *r, struct str *w, bool quoted)
{
    vec_push(&r->words, arena_strdup(r->a, str_text(w)));
    vec_push(&r->quoted, quoted);
    str_clear(w);
}

static void read_quoted(struct reader *r, struct str *w)
{
    for (r->s++; *r->s && *r->s != '"' && *r->s != '\n'; r->s++) {
        if (*r->s != '\\') {
            str_put_char(w, *r->s);
            continue;
        }
        const char c = *++r->s;
        unsigned v;
        if (c == 'n') str_put_char(w, '\n');
        else if (c == 'x' && sscanf(r->s + 1, "%2x", &v) == 1) {
            str_put_char(w, (char)v);
            r->s += 2;
        } else if (c) str_put_char(w, c);
        else return;
    }
    if (*r->s != '"') FAIL(r, "a quoted string has no end");
    else r->s++;
    str_put_n(w, "", 0);
}

/** The words of the next line that has any. */
static bool next_line(struct reader *r)
{
    struct str w = {0};
    vec_clear(&r->words);
    vec_clear(&r->quoted);
    r->at = 0;
    while (*r->s && !r->words.len && !r->error) {
        r->line++;
        while (*r->s && *r->s != '\n' && *r->s != '#') {
            if (*r->s == ' ' || *r->s == '\t' || *r->s == '\r' || *r->s == ',') {
                r->s++;
            } else if (*r->s == '"') {
                read_quoted(r, &w);
                add_word(r, &w, true);
            } else {
                const bool one = strchr("[]=", *r->s);
                do
                    str_put_char(&w, *r->s++);
                while (!one && *r->s && !strchr(" \t\r\n,[]=#\"", *r->s));
                add_word(r, &w, false);
            }
        }
        while (*r->s && *r->s != '\n')
            r->s++;
        if (*r->s) r->s++;
    }
    str_deinit(&w);
    return r->words.len && !r->error;
}

static const char *peek(struct reader *r) { return r->at < r->words.len && !r->quoted.data[r->at] ? r->words.data[r->at] : ""; }
static bool more(struct reader *r) { return r->at < r->words.len && !r->error; }
static bool take(struct reader *r, const char *word)
{
    if (strcmp(peek(r), word)) return false;
    r->at++;
    return true;
}
static void want(struct reader *r, const char *word)
{
    if (!take(r, word)) FAIL(r, "'%s' is wanted, not '%s'", word, peek(r));
}
static uint64_t number(struct reader *r)
{
    char *end;
    const char *w = peek(r);
    const uint64_t v = *w == '-' ? (uint64_t)strtoll(w, &end, 0) : strtoull(w, &end, 0);
    if (!*w || *end) FAIL(r, "a number is wanted, not '%s'", w);
    r->at++;
    return v;
}
static uint32_t string(struct reader *r)
{
    if (r->at >= r->words.len || !r->quoted.data[r->at]) {
        FAIL(r, "a quoted string is wanted, not '%s'", peek(r));
        return 0;
    }
    const char *w = r->words.data[r->at++];
    for (uint32_t i = 0; i < r->strings.len; i++)
        if (!strcmp(r->strings.data[i], w)) return i;
    vec_push(&r->strings, w);
    return (uint32_t)r->strings.len - 1;
}
static unsigned choice(struct reader *r, const char *const *names, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (take(r, names[i])) return i;
    FAIL(r, "'%s' is not known here", peek(r));
    return 0;
}
#define CHOICE(r, names) choice((r), (names), sizeof(names) / sizeof *(names))

static bool is_operand(const char *w)
{
    return !strcmp(w, "_") || ((*w == 'u' || *w == 'v') && w[1] >= '0' && w[1] <= '9' && !w[1 + strspn(w + 1, "0123456789")]);
}
static uint32_t operand(struct reader *r)
{
    const char *w = peek(r);
    if (!is_operand(w)) {
        FAIL(r, "an operand is wanted, not '%s'", w);
        return BC_NONE;
    }
    r->at++;
    if (*w == '_') return BC_NONE;
    return (uint32_t)strtoul(w + 1, NULL, 10) | (*w == 'v' ? BC_V : 0);
}

// ---- instructions
static uint32_t ext_at(const struct asm_fn *f) { return (uint32_t)f->ext.len; }

/** [operands] appended to ext; how many. */
static uint32_t list(struct reader *r)
{
    uint32_t n = 0;
    want(r, "[");
    while (more(r) && !take(r, "]")) {
        const uint32_t o = operand(r);
        vec_push(&r->fn->ext, o);
        n++;
    }
    return n;
}

static void read_function_like(struct reader *r, struct bc_insn *b, const uint32_t *results, uint32_t nresults)
{
    struct asm_fn *f = r->fn;
    b->ext = ext_at(f);
    vec_push(&f->ext, (uint32_t)number(r));
    if (b->op == BC_LANEFN) {
        vec_push(&f->ext, nresults);
        for (uint32_t i = 0; i < nresults; i++)
            vec_push(&f->ext, results[i]);
    }
    const size_t count = f->ext.len;
    vec_push(&f->ext, 0);
    const uint32_t n = list(r);
    f->ext.data[count] = n;
    if (b->op == BC_CALL) {
        vec_push(&f->ext, nresults);
        for (uint32_t i = 0; i < nresults; i++)
            vec_push(&f->ext, results[i]);
    }
}

static void read_printf(struct reader *r, struct bc_insn *b)
{
    struct asm_fn *f = r->fn;
    b->ext = ext_at(f);
    vec_push(&f->ext, string(r));
    const size_t count = f->ext.len;
    vec_push(&f->ext, 0);
    while (more(r) && strchr("IF", *peek(r)) && *peek(r)) {
        vec_push(&f->ext, CHOICE(r, bc_text_types));
        const size_t n = f->ext.len;
        vec_push(&f->ext, 0);
        const uint32_t k = list(r);
        f->ext.data[n] = k;
        f->ext.data[count]++;
    }
}

static void read_field(struct reader *r, struct bc_insn *b, char code, const uint32_t *results, uint32_t nresults)
{
    struct asm_fn *f = r->fn;
    switch (code) {
    case 'a': b->a = operand(r); break;
    case 'b': b->b = operand(r); break;
    case 'c': b->c = operand(r); break;
    case 'A': b->a = (uint32_t)number(r); break;
    case 'C': b->c = (uint32_t)number(r); break;
    case 'x': b->ext = (uint32_t)number(r); break;
    case 'l':
        if (nresults <= 1) break;
        b->ext = ext_at(f);
        for (uint32_t i = 0; i < nresults; i++)
            vec_push(&f->ext, results[i]);
        break;
    case 'v':
        if (strcmp(peek(r), "[")) {
            b->c = operand(r);
            break;
        }
        b->ext = ext_at(f);
        list(r);
        break;
    case 'k':
        if (strcmp(peek(r), "[")) break;
        b->ext = ext_at(f);
        list(r);
        break;
    case 'w':
        b->ext = CHOICE(r, bc_text_wi);
        b->ext |= (uint32_t)number(r) << 8;
        break;
    case 's':
        want(r, "site");
        b->site = (uint32_t)number(r);
        break;
    case 'r':
        want(r, "read");
        b->ext = (uint32_t)number(r);
        break;
    case 'j':
        want(r, "->");
        b->ext = (uint32_t)number(r);
        break;
    case 'J':
        want(r, "->");
        b->b = (uint32_t)number(r);
        b->c = (uint32_t)number(r);
        break;
    case 'R':
        if (strcmp(peek(r), "[")) break;
        b->ext = ext_at(f);
        vec_push(&f->ext, 0);
        const uint32_t n = list(r);
        f->ext.data[b->ext] = n;
        break;
    case 'F': read_function_like(r, b, results, nresults); break;
    case 'P': read_printf(r, b); break;
    case 'I': {
        b->ext = ext_at(f);
        vec_push(&f->ext, (uint32_t)number(r));
        vec_push(&f->ext, 0);
        vec_push(&f->ext, 0);
        const uint32_t ncoord = list(r), nvalue = list(r);
        f->ext.data[b->ext + 1] = ncoord;
        f->ext.data[b->ext + 2] = nvalue;
        break;
    }
    case 'Y':
        b->ext = ext_at(f);
        want(r, "elem");
        vec_push(&f->ext, (uint32_t)number(r));
        want(r, "read");
        vec_push(&f->ext, (uint32_t)number(r));
        want(r, "stride");
        vec_push(&f->ext, operand(r));
        vec_push(&f->ext, (uint32_t)number(r));
        want(r, "event");
        vec_push(&f->ext, operand(r));
        break;
    default: break;
    }
}

static uint16_t opcode(struct reader *r)
{
    for (unsigned op = 0; op < BC_OP_COUNT; op++)
        if (take(r, bc_ops[op].name)) return (uint16_t)op;
    FAIL(r, "'%s' is no opcode", peek(r));
    return 0;
}

static void read_insn(struct reader *r)
{
    struct asm_fn *f = r->fn;
    struct bc_insn b = {.dst = BC_NONE, .a = BC_NONE, .b = BC_NONE, .c = BC_NONE};
    uint32_t results[32], n = 0;
    if (!f || !f->blocks.len) {
        FAIL(r, "an instruction outside a block");
        return;
    }
    if (take(r, "[")) {
        while (more(r) && !take(r, "]")) {
            const uint32_t o = operand(r);
            if (n < 32) results[n++] = o;
        }
        want(r, "=");
    } else if (is_operand(peek(r))) {
        results[n++] = operand(r);
        want(r, "=");
    }
    b.op = opcode(r);
    const char *form = bc_text_form((enum bc_op)b.op);
    if (!form) {
        const enum bc_shape s = bc_ops[b.op].shape;
        form = s == BC_UN || s == BC_CVT ? "a" : s == BC_TER || s == BC_SEL ? "abc" : "ab";
    }
    if (n == 1 && *form != 'F') b.dst = results[0];
    for (; *form && !r->error; form++)
        read_field(r, &b, *form, results, n);
    for (; more(r); r->at++) {
        const char *w = peek(r);
        if (!strcmp(w, "masked")) b.flags |= BC_MASKED;
        else if (!strcmp(w, "stmt")) b.flags |= BC_FIRST_OF_STMT;
        else if (!strcmp(w, "decides")) b.flags |= BC_DECIDES;
        else if (!strcmp(w, "case")) b.flags |= BC_CASE;
        else if (!strcmp(w, "saturates")) b.flags |= BC_SATURATES;
        else if (*w == '@') b.loc = (uint32_t)strtoul(w + 1, NULL, 10);
        else FAIL(r, "'%s' is not expected here", w);
    }
    vec_push(&f->insns, b);
    vec_last(&f->blocks).count++;
}

// ---- functions
static void end_fn(struct reader *r)
{
    struct asm_fn *f = r->fn;
    if (!f) return;
    struct bc_fn *fn = &f->fn;
#define KEEP(to, count, v)                                                        \
    do {                                                                          \
        fn->count = (uint32_t)(v).len;                                            \
        fn->to = arena_dup(r->a, (v).data, (v).len * sizeof *(v).data);           \
        vec_free(&(v));                                                           \
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

static void read_fn(struct reader *r)
{
    end_fn(r);
    struct asm_fn *f = r->fn = mem_alloc(sizeof *f);
    vec_push(&f->ext, 0); // 0 stands for no list
    f->fn.name = string(r);
    while (more(r)) {
        if (take(r, "loc")) f->fn.loc = (uint32_t)number(r);
        else if (take(r, "barrier")) f->fn.has_barrier = 1;
        else if (take(r, "parts")) f->fn.may_part = 1;
        else FAIL(r, "'%s' is not known of a function", peek(r));
    }
}

static void read_uniform(struct reader *r)
{
    r->fn->fn.nuniform = (uint32_t)number(r);
    if (take(r, "const"))
        while (more(r))
            vec_push(&r->fn->consts, number(r));
}

static void read_loop(struct reader *r)
{
    struct bc_loop l = {.parent = -1, .counter = BC_NONE};
    while (more(r)) {
        if (take(r, "header")) l.header = (uint32_t)number(r);
        else if (take(r, "last")) l.last = (uint32_t)number(r);
        else if (take(r, "parent")) l.parent = (int32_t)number(r);
        else if (take(r, "counter")) l.counter = operand(r);
        else if (take(r, "barrier")) l.has_barrier = 1;
        else FAIL(r, "'%s' is not known of a loop", peek(r));
    }
    vec_push(&r->fn->loops, l);
}

static void read_block(struct reader *r)
{
    struct bc_block b = {.first = (uint32_t)r->fn->insns.len, .loop = -1};
    if (take(r, "loop")) b.loop = (int32_t)number(r);
    vec_push(&r->fn->blocks, b);
}

// ---- the rest of a module
static void read_file(struct reader *r)
{
    struct bc_file f = {.name = string(r)};
    while (more(r)) {
        if (take(r, "path")) f.path = string(r);
        else if (take(r, "text")) f.text = string(r);
        else if (take(r, "first")) f.first_line = (uint32_t)number(r);
        else FAIL(r, "'%s' is not known of a file", peek(r));
    }
    vec_push(&r->files, f);
}

static void read_loc(struct reader *r)
{
    struct bc_loc l = {0};
    while (more(r)) {
        if (take(r, "file")) l.file = (uint32_t)number(r);
        else if (take(r, "line")) l.line = (uint32_t)number(r);
        else if (take(r, "col")) l.col = (uint32_t)number(r);
        else if (take(r, "fn")) l.fn_name = string(r);
        else if (take(r, "inlined")) l.inlined_at = (uint32_t)number(r);
        else FAIL(r, "'%s' is not known of a loc", peek(r));
    }
    vec_push(&r->locs, l);
}

static const uint8_t *read_bytes(struct reader *r, uint64_t size)
{
    const char *w = peek(r);
    if (strlen(w) != size * 2) {
        FAIL(r, "an object of %" PRIu64 " bytes has %zu hexadecimal digits", size, strlen(w));
        return NULL;
    }
    uint8_t *p = arena_alloc(r->a, size ? size : 1);
    for (uint64_t i = 0; i < size; i++) {
        unsigned v = 0;
        if (sscanf(w + 2 * i, "%2x", &v) != 1) FAIL(r, "no hexadecimal digits in '%.2s'", w + 2 * i);
        p[i] = (uint8_t)v;
    }
    r->at++;
    return p;
}

static void read_object(struct reader *r)
{
    struct bc_object o = {.kind = (uint8_t)CHOICE(r, bc_text_objects), .align = 1};
    o.name = string(r);
    o.type = string(r);
    o.first_reloc = (uint32_t)r->relocs.len;
    while (more(r)) {
        if (take(r, "size")) o.size = number(r);
        else if (take(r, "align")) o.align = (uint32_t)number(r);
        else if (take(r, "fn")) o.fn = (uint32_t)number(r);
        else if (take(r, "loc")) o.loc = (uint32_t)number(r);
        else if (take(r, "nopadding")) o.is_padding_free = 1;
        else if (take(r, "param")) o.is_param = 1;
        else if (take(r, "init")) o.init = read_bytes(r, o.size);
        else FAIL(r, "'%s' is not known of an object", peek(r));
    }
    vec_push(&r->objects, o);
}

static void read_reloc(struct reader *r)
{
    struct bc_reloc x = {.offset = number(r)};
    want(r, "target");
    x.target = (uint32_t)number(r);
    want(r, "addend");
    x.addend = (int64_t)number(r);
    if (!r->objects.len) {
        FAIL(r, "a reloc before any object");
        return;
    }
    vec_last(&r->objects).nrelocs++;
    vec_push(&r->relocs, x);
}

static void read_site(struct reader *r)
{
    struct bc_mem s = {.kind = (uint8_t)CHOICE(r, bc_text_access), .elem = 4, .ncomp = 1, .align = 1, .space = BC_GLOBAL};
    while (more(r)) {
        if (take(r, "elem")) s.elem = (uint8_t)number(r);
        else if (take(r, "ncomp")) s.ncomp = (uint8_t)number(r);
        else if (take(r, "space")) s.space = (uint8_t)CHOICE(r, bc_text_spaces);
        else if (take(r, "index")) s.index_kind = (uint8_t)CHOICE(r, bc_text_index);
        else if (take(r, "scale")) s.scale = (int64_t)number(r);
        else if (take(r, "disp")) s.disp = (int64_t)number(r);
        else if (take(r, "align")) s.align = (uint32_t)number(r);
        else if (take(r, "op")) s.atomic_op = (uint8_t)CHOICE(r, bc_text_atomics);
        else if (take(r, "order")) s.order = (uint8_t)CHOICE(r, bc_text_orders);
        else if (take(r, "scope")) s.scope = (uint8_t)CHOICE(r, bc_text_scopes);
        else if (take(r, "float")) s.is_float = 1;
        else if (take(r, "volatile")) s.is_volatile = 1;
        else if (take(r, "loc")) s.loc = (uint32_t)number(r);
        else if (take(r, "fn")) s.fn = (uint32_t)number(r);
        else FAIL(r, "'%s' is not known of a site", peek(r));
    }
    vec_push(&r->sites, s);
}

static void read_kernel(struct reader *r)
{
    end_fn(r);
    struct bc_kernel k = {.name = string(r), .first_arg = (uint32_t)r->args.len};
    const uint32_t was = r->nforms;
    while (more(r)) {
        if (take(r, "fn")) k.fn = (uint32_t)number(r);
        else if (take(r, "reqd") || take(r, "hint")) {
            uint32_t *to = !strcmp(r->words.data[r->at - 1], "reqd") ? k.reqd_wg_size : k.wg_size_hint;
            for (int i = 0; i < 3; i++)
                to[i] = (uint32_t)number(r);
        } else if (take(r, "vec")) k.vec_type_hint = string(r);
        else if (take(r, "attrs")) k.attributes = string(r);
        else if (take(r, "local")) k.local_size = number(r);
        else if (take(r, "private")) k.private_size = number(r);
        else if (take(r, "printf")) k.uses_printf = 1;
        else if (take(r, "atomics")) k.uses_atomics = 1;
        else if (take(r, "barrier")) k.has_barrier = 1;
        else if (take(r, "uneven")) k.may_be_uneven = 1;
        else if (take(r, "batch")) k.batch = (uint32_t)number(r);
        else if (take(r, "form")) r->nforms++;
        else if (take(r, "refused")) k.refused = r->strings.data[string(r)];
        else FAIL(r, "'%s' is not known of a kernel", peek(r));
    }
    if (was == r->nforms && was) FAIL(r, "a kernel behind the forms of others");
    vec_push(&r->kernels, k);
}

static void read_arg(struct reader *r)
{
    struct bc_arg a = {.kind = (uint8_t)CHOICE(r, bc_text_args), .size = 8, .first_piece = (uint32_t)r->pieces.len};
    a.name = string(r);
    a.type = string(r);
    while (more(r)) {
        if (take(r, "space")) a.space = (uint8_t)CHOICE(r, bc_text_spaces);
        else if (take(r, "size")) a.size = (uint32_t)number(r);
        else if (take(r, "align")) a.align = (uint32_t)number(r);
        else if (take(r, "access")) a.access = (uint8_t)number(r);
        else if (take(r, "object")) a.object = (uint32_t)number(r);
        else if (take(r, "loc")) a.loc = (uint32_t)number(r);
        else if (take(r, "const")) a.is_const = 1;
        else if (take(r, "restrict")) a.is_restrict = 1;
        else if (take(r, "volatile")) a.is_volatile = 1;
        else if (take(r, "pipe")) a.is_pipe = 1;
        else if (take(r, "write")) a.may_write = 1;
        else if (take(r, "read")) a.may_read = 1;
        else if (take(r, "atomics")) a.only_atomics = 1;
        else FAIL(r, "'%s' is not known of an argument", peek(r));
    }
    if (!r->kernels.len) {
        FAIL(r, "an argument before any kernel");
        return;
    }
    vec_last(&r->kernels).nargs++;
    vec_push(&r->args, a);
}

static void read_piece(struct reader *r)
{
    struct bc_piece p = {.offset = (uint32_t)number(r)};
    p.size = (uint32_t)number(r);
    p.reg = (uint32_t)number(r);
    if (!r->args.len) {
        FAIL(r, "a piece before any argument");
        return;
    }
    vec_last(&r->args).npieces++;
    vec_push(&r->pieces, p);
}

static void read_line(struct reader *r)
{
    static const struct {
        const char *word;
        void (*read)(struct reader *r);
    } top[] = {{"file", read_file}, {"loc", read_loc},   {"object", read_object}, {"reloc", read_reloc}, {"site", read_site},
               {"fn", read_fn},     {"kernel", read_kernel}, {"arg", read_arg},   {"piece", read_piece}};
    for (size_t i = 0; i < sizeof top / sizeof *top; i++)
        if (take(r, top[i].word)) {
            top[i].read(r);
            return;
        }
    struct asm_fn *f = r->fn;
    if (!f) {
        FAIL(r, "'%s' outside a function", peek(r));
    } else if (take(r, "uniform")) {
        read_uniform(r);
    } else if (take(r, "varying")) {
        while (more(r))
            vec_push(&f->vsize, (uint8_t)number(r));
    } else if (take(r, "params")) {
        while (more(r))
            vec_push(&f->params, operand(r));
    } else if (take(r, "rets")) {
        while (more(r))
            vec_push(&f->rets, operand(r));
    } else if (take(r, "loop")) {
        read_loop(r);
    } else if (take(r, "block")) {
        read_block(r);
    } else {
        read_insn(r);
    }
}

struct err *bc_assemble(const char *text, struct bc_module **out)
{
    struct bc_module *m = bc_module_create();
    struct reader r = {.s = text, .m = m, .a = &m->arena};
    vec_push(&r.strings, "");
    (void)vec_add(&r.sites);
    (void)vec_add(&r.locs);
    while (next_line(&r) && !r.error) {
        read_line(&r);
        if (!r.error && more(&r)) FAIL(&r, "'%s' is not expected here", r.words.data[r.at]);
    }
    end_fn(&r);
#define KEEP(to, count, v)                                                         \
    do {                                                                           \
        m->count = (uint32_t)(v).len;                                              \
        m->to = arena_dup(&m->arena, (v).data, (v).len * sizeof *(v).data);        \
        vec_free(&(v));                                                            \
    } while (0)
    KEEP(strings, nstrings, r.strings);
    KEEP(fns, nfns, r.fns);
    KEEP(kernels, nkernels, r.kernels);
    m->nforms = r.nforms;
    m->nkernels -= r.nforms;
    KEEP(args, nargs, r.args);
    KEEP(pieces, npieces, r.pieces);
    KEEP(objects, nobjects, r.objects);
    KEEP(relocs, nrelocs, r.relocs);
    KEEP(sites, nsites, r.sites);
    KEEP(locs, nlocs, r.locs);
    KEEP(files, nfiles, r.files);
#undef KEEP
    vec_free(&r.words);
    vec_free(&r.quoted);
    *out = r.error ? NULL : m;
    if (r.error) bc_module_destroy(m);
    return r.error;
}
