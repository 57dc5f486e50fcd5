// SPDX-License-Identifier: MIT
// Everything that reads bytes of somebody else's, one target each; a target may refuse, and must
// not crash, hang or leak. It says whether it took what it was given: a corpus of which nothing is
// taken shows nothing.
//
//   readers NAME [--all] FILE|FOLDER...    each file (of the folder) once: how `make check` replays
//                                          tests/fuzz/corpus/NAME;
//                                          one must be taken, or all
//   readers --names
// Linked with clang's libFuzzer (-DLIBFUZZER; `make fuzz`) the target is that of the variable FUZZ.
#include "base/map.h"
#include "base/mem.h"
#include "builtins/builtins.h"
#include "bytecode/bytecode.h"
#include "bytecode/wire.h"
#include "cli/host.h"
#include "debug/expressions/expr.h"
#include "debug/expressions/type.h"
#include "devices/capture.h"
#include "devices/capture_form.h"
#include "devices/option_table.h"
#include "fuzz/execute.h"
#include "fuzz/packs.h"
#include "frontend/options.h"
#include "frontend/spirv_lowering.h"
#include "report/filter.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

/** The input as a file, for those that read one. */
static const char *as_file(const uint8_t *data, size_t size)
{
    static char path[64];
    static int fd = -1;
    if (fd < 0) fd = memfd_create("input", 0);
    if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size) abort();
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), fd);
    return path;
}

static char *as_text(const uint8_t *data, size_t size)
{
    char *s = mem_alloc(size + 1);
    if (size) memcpy(s, data, size);
    return s;
}

/** Types as a debugger names them, and a value of each. */
static void name_types(const struct bc_module *m)
{
    struct arena a = {0};
    struct str s = {0};
    const struct dbg_type *t = dbg_types_of(m, &a);
    for (uint32_t i = 0; i < m->ndtypes && s.len < 1 << 20; i++) {
        struct dbg_value v = {.type = &t[i]};
        dbg_type_put(&s, &t[i]);
        dbg_type_put_whole(&s, &t[i]);
        if (t[i].size > sizeof v.bytes && t[i].size < 1 << 16) v.big = arena_alloc(&a, t[i].size);
        if (v.big || t[i].size <= sizeof v.bytes) dbg_value_put(&s, NULL, &v, NULL);
    }
    str_deinit(&s);
    arena_deinit(&a);
}

/** What is accepted can be written and read again. */
static void again(struct bc_module *m)
{
    name_types(m);
    struct str s = {0};
    struct bc_module *n = NULL;
    bc_encode(m, &s);
    struct err *e = bc_decode(s.data, s.len, bi_lane_types, &n);
    if (e) abort();
    bc_module_destroy(n);
    s.len = 0;
    bc_disassemble(m, &s);
    bc_module_destroy(m);
    str_deinit(&s);
}

static bool taken(struct err *e)
{
#ifndef LIBFUZZER
    if (e) printf("refused: %s\n", err_message(e));
#endif
    const bool is = !e;
    err_free(e);
    return is;
}

/** The text before the first zero, as a module; after it come `more` bytes of damage. */
static struct bc_module *assembled(const uint8_t *data, size_t size, const uint8_t **damage,
                                   size_t *more)
{
    const size_t len = strnlen((const char *)data, size);
    char *text = as_text(data, len);
    struct bc_module *m = NULL;
    taken(bc_assemble(text, &m));
    free(text);
    *damage = data + len + (len < size);
    *more = size - len - (len < size);
    return m;
}

/**
 * In our own form, for that has numbers of this build in it, and changed there. The checksum is
 * made right: damage must be found by what is read.
 */
static struct err *edited(struct bc_module *m, const uint8_t *data, size_t size,
                          struct bc_module **out)
{
    enum { HEAD = 32, SUM = 24 };
    struct str s = {0};
    bc_encode(m, &s);
    bc_module_destroy(m);
    edit_bytes((uint8_t *)s.data + HEAD, s.len - HEAD, data, size);
    const uint64_t sum = hash_bytes(s.data + HEAD, s.len - HEAD, 2);
    memcpy(s.data + SUM, &sum, sizeof sum);
    struct err *e = bc_decode(s.data, s.len, bi_lane_types, out);
    str_deinit(&s);
    return e;
}

// Assembly, a zero, and changes to the program that it is.
static bool program(const uint8_t *data, size_t size)
{
    struct bc_module *m = assembled(data, size, &data, &size);
    if (!m) return false;
    struct err *e = edited(m, data, size, &m);
    if (m) again(m);
    return taken(e);
}

static bool assembly(const uint8_t *data, size_t size)
{
    char *text = as_text(data, size);
    struct bc_module *m = NULL;
    struct err *e = bc_assemble(text, &m);
    if (!e && !(e = bc_verify(m, bi_lane_types))) {
        again(m);
        m = NULL;
    }
    bc_module_destroy(m);
    free(text);
    return taken(e);
}

// Assembly, a zero, and changes to what it gives, or after a `b` to the program that it is: what
// passes the verifier is executed.
static bool run(const uint8_t *data, size_t size)
{
    struct bc_module *m = assembled(data, size, &data, &size);
    if (!m) return false;
    struct err *e;
    if (size && *data == 'b') {
        e = edited(m, data + 1, size - 1, &m);
    } else {
        edit(m, data, size);
        e = bc_verify(m, bi_lane_types);
    }
    if (!e) execute(m);
    bc_module_destroy(m);
    return taken(e);
}

// What the compiler's process says, or is asked; LLVM may have crashed there. First letter: `q`,
// a question. The head is made right.
static bool wire(const uint8_t *data, size_t size)
{
    enum { SUM = 8, SIZE = 16, HEAD = 24 };
    if (!size) return false;
    const bool is_question = *data == 'q';
    const uint64_t len = size - 1, sum = hash_bytes(data + 1, len, 3);
    struct str s = {0};
    struct arena a = {0};
    wire_put_answer(&s, &(struct wire_answer){0});
    s.len = HEAD;
    str_put_n(&s, (const char *)data + 1, len);
    memcpy(s.data + SUM, &sum, sizeof sum);
    memcpy(s.data + SIZE, &len, sizeof len);
    struct err *e;
    if (is_question) {
        struct wire_request r;
        if (!(e = wire_get_request(s.data, s.len, &a, &r))) wire_put_request(&s, &r);
    } else {
        struct wire_answer r;
        if (!(e = wire_get_answer(s.data, s.len, &a, &r))) wire_put_answer(&s, &r);
    }
    str_deinit(&s);
    arena_deinit(&a);
    return taken(e);
}

// A captured launch, or what is in one: after a checksum and compressed no damage would come far.
static bool capture(const uint8_t *data, size_t size)
{
    struct capture_head head = {.version = CAPTURE_VERSION};
    const size_t room = ZSTD_compressBound(size);
    uint8_t *whole = NULL;
    memcpy(head.magic, CAPTURE_MAGIC, sizeof head.magic);
    if (size < sizeof head.magic || memcmp(data, head.magic, sizeof head.magic)) {
        whole = mem_alloc(sizeof head + room);
        memcpy(whole, &head, sizeof head);
        size = sizeof head + ZSTD_compress(whole + sizeof head, room, data, size, 1);
        data = whole;
    }
    struct dev_capture c;
    struct err *e = dev_capture_read(as_file(data, size), &c);
    dev_capture_deinit(&c);
    free(whole);
    return taken(e);
}

/** A simulation file for a kernel with arguments of every kind. */
static bool sim(const uint8_t *data, size_t size)
{
    struct cmd_param params[] = {{"a", "int*", CL_KERNEL_ARG_ADDRESS_GLOBAL, false},
                                 {"b", "float4", CL_KERNEL_ARG_ADDRESS_PRIVATE, false},
                                 {"c", "uchar*", CL_KERNEL_ARG_ADDRESS_LOCAL, false},
                                 {"d", "struct s*", CL_KERNEL_ARG_ADDRESS_CONSTANT, false},
                                 {"e", "short4", CL_KERNEL_ARG_ADDRESS_GLOBAL, true}};
    struct cmd_kernel k = {.params = params, .nparams = 5, .name = "k"};
    struct cmd_arg args[5] = {0};
    struct cmd_sim s;
    struct arena a = {0};
    struct err *e = cmd_sim_open(&s, &a, as_file(data, size));
    if (!e) e = cmd_sim_args(&s, &k, &a, args);
    for (unsigned i = 0; i < 5; i++) free(args[i].data);
    arena_deinit(&a);
    return taken(e);
}

static bool spec(const uint8_t *data, size_t size)
{
    char *text = as_text(data, size);
    struct arena a = {0};
    struct cmd_arg arg = {0};
    struct err *e = strstr(text, "=@") ? err_new("files are not the input's to choose")
                                       : cmd_spec_parse(&a, text, 1, &arg);
    free(arg.data);
    arena_deinit(&a);
    free(text);
    return taken(e);
}

static bool suppressions(const uint8_t *data, size_t size)
{
    struct rep_filter *f = rep_filter_create();
    struct err *e = rep_filter_add_suppressions(f, as_file(data, size));
    rep_filter_destroy(f);
    return taken(e);
}

static bool baseline(const uint8_t *data, size_t size)
{
    struct rep_filter *f = rep_filter_create();
    struct err *e = rep_filter_add_baseline(f, as_file(data, size));
    rep_filter_destroy(f);
    return taken(e);
}

/**
 * Nothing else may reach clang: no plug-in, no file that is written, nothing that is read but by
 * -I.
 */
static bool is_for_clang(const char *o)
{
    static const char *const known[] = {"-cl-single-precision-constant",
                                        "-cl-uniform-work-group-size",
                                        "-D__FAST_RELAXED_MATH__=1",
                                        "-w",
                                        "-W",
                                        "-pedantic",
                                        "-pedantic-errors"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(o, known[i])) return true;
    return (!strncmp(o, "-W", 2) && islower((unsigned char)o[2]) && islower((unsigned char)o[3]) &&
            !strchr(o, ',')) ||
           (*o == '-' && o[1] && strchr("DIU", o[1]) && o[2]);
}

static bool spirv(const uint8_t *data, size_t size)
{
    struct str lowered = {0}, names = {0};
    fe_spirv_lower(data, size, &lowered);
    fe_spirv_new_instructions(data, size, &names);
    str_deinit(&lowered);
    str_deinit(&names);
    return true;
}

static bool build_options(const uint8_t *data, size_t size)
{
    char *text = as_text(data, size);
    bool all = true;
    for (int kind = FE_BUILD; kind <= FE_LINK; kind++) {
        struct fe_options o = {0};
        struct str log = {0};
        const bool ok = fe_options_parse((enum fe_kind)kind, text, &o, &log);
        if (!ok && !log.len) abort(); // refused without a word
        all &= ok;
        for (unsigned i = 0; i < o.nclang; i++)
            if (!is_for_clang(o.clang[i]))
                fprintf(stderr, "clang is given %s\n", o.clang[i]), abort();
        fe_options_deinit(&o);
        str_deinit(&log);
    }
    free(text);
    return all;
}

static bool own_options(const uint8_t *data, size_t size)
{
    char *text = as_text(data, size);
    struct dev_option_set s = {0}, t = {0};
    struct str out = {0};
    struct err *e = dev_option_parse_text(&s, text);
    if (!e) {
        dev_option_print(&s, DEV_FOR_APP, &out);
        struct err *f = out.data ? dev_option_parse_text(&t, out.data) : NULL;
        if (f)
            fprintf(stderr, "%s: %s\n", out.data, err_message(f)), abort(); // what we print we read
        e = dev_option_check(&s);
    }
    dev_option_set_deinit(&s);
    dev_option_set_deinit(&t);
    str_deinit(&out);
    free(text);
    return taken(e);
}

static bool expression(const uint8_t *data, size_t size)
{
    char *text = as_text(data, size);
    struct dbg_expr *x = NULL;
    struct arena a = {0};
    struct err *e = dbg_expr_parse(text, NULL, NULL, 0, &x);
    if (!e) {
        struct dbg_value v;
        e = dbg_expr_eval(x, NULL, &a, &v);
        dbg_expr_free(x);
    }
    arena_deinit(&a);
    free(text);
    return taken(e);
}

static const struct {
    const char *name;
    bool (*f)(const uint8_t *data, size_t size);
} targets[] = {
    {"program", program},
    {"assembly", assembly},
    {"run", run},
    {"wire", wire},
    {"capture", capture},
    {"pack", fuzz_pack},
    {"sim", sim},
    {"spec", spec},
    {"suppressions", suppressions},
    {"baseline", baseline},
    {"build-options", build_options},
    {"spirv", spirv},
    {"own-options", own_options},
    {"expression", expression},
};
enum { NTARGETS = sizeof targets / sizeof *targets };

static unsigned find(const char *name)
{
    for (unsigned i = 0; i < NTARGETS; i++)
        if (name && !strcmp(targets[i].name, name)) return i;
    fprintf(stderr, "no target '%s'; there are:", name ? name : "");
    for (unsigned i = 0; i < NTARGETS; i++) fprintf(stderr, " %s", targets[i].name);
    fprintf(stderr, "\n");
    exit(2);
}

#ifdef LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned target = NTARGETS;
    if (target == NTARGETS) target = find(getenv("FUZZ"));
    targets[target].f(data, size);
    return 0;
}
#else
static bool replay(unsigned target, const char *path)
{
    struct arena a = {0};
    char *data;
    size_t size;
    struct err *e = cmd_read_file(&a, path, &data, &size);
    if (e) {
        fprintf(stderr, "%s\n", err_message(e));
        exit(2);
    }
    const bool ok = targets[target].f((const uint8_t *)data, size);
    arena_deinit(&a);
    return ok;
}

static void write_sample(const char *folder, const char *name, const struct str *message)
{
    enum { HEAD = 24 };
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f || fputc(*name, f) < 0 || !fwrite(message->data + HEAD, message->len - HEAD, 1, f) ||
        fclose(f)) {
        fprintf(stderr, "%s: %m\n", path);
        exit(2);
    }
}

/** One message of each kind for `wire`, in which every member has a value. */
static void write_samples(const char *folder)
{
    static const char text[] = "kernel void k() {}";
    const struct wire_blob blob = {text, sizeof text};
    const struct wire_segment segment = {7, "a.cl", "/tmp/a.cl", 3, 2};
    const struct wire_header header = {"a.h", "#define Y"};
    struct str question = {0}, answer = {0};
    wire_put_request(&question, &(struct wire_request){
                                    .for_debugger = true,
                                    .source = blob,
                                    .options = "-cl-std=CL2.0 -DX=1",
                                    .segments = &segment,
                                    .nsegments = 1,
                                    .headers = &header,
                                    .nheaders = 1,
                                    .objects = &blob,
                                    .nobjects = 1,
                                    .native = true,
                                    .question = blob,
                                    .code = {.kernel = "k", .symbol = "k_64", .local = {64, 1, 1}},
                                });
    wire_put_answer(&answer, &(struct wire_answer){
                                 .log = "a.cl:3:1: warning: none",
                                 .module = blob,
                                 .object = blob,
                                 .native = blob,
                                 .proof = blob,
                                 .depends = blob,
                                 .code_info = blob,
                             });
    write_sample(folder, "question", &question);
    write_sample(folder, "answer", &answer);
    str_deinit(&question);
    str_deinit(&answer);
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "--samples")) {
        write_samples(argv[2]);
        return 0;
    }
    if (argc == 2 && !strcmp(argv[1], "--names")) {
        for (unsigned i = 0; i < NTARGETS; i++) printf("%s\n", targets[i].name);
        return 0;
    }
    const unsigned target = find(argc > 1 ? argv[1] : NULL);
    const bool all = argc > 2 && !strcmp(argv[2], "--all");
    unsigned n = 0, took = 0;
    for (int i = 2 + all; i < argc; i++) {
        DIR *d = opendir(argv[i]);
        if (!d) {
            took += replay(target, argv[i]);
            n++;
            continue;
        }
        for (struct dirent *f; (f = readdir(d));) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], f->d_name);
            if (f->d_name[0] == '.') continue;
            took += replay(target, path);
            n++;
        }
        closedir(d);
    }
    printf("%s: %u inputs, %u of them taken\n", targets[target].name, n, took);
    return took && (took == n || !all) ? 0 : 1;
}
#endif
