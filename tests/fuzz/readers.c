// SPDX-License-Identifier: MIT
// Everything that reads bytes of somebody else's, one target each; a target may refuse, and must not crash, hang or leak.
//
//   readers NAME FILE|FOLDER...    each file (of the folder) once: how `make check` replays tests/fuzz/corpus/NAME
//   readers --names
// Linked with clang's libFuzzer (-DLIBFUZZER; `make fuzz`) the target is that of the variable FUZZ.
#include "base/map.h"
#include "base/mem.h"
#include "bytecode/bytecode.h"
#include "cli/host.h"
#include "debug/expr.h"
#include "devices/capture.h"
#include "devices/capture_form.h"
#include "devices/options.h"
#include "fuzz/execute.h"
#include "frontend/options.h"
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

/** What is accepted can be written and read again. */
static void again(struct bc_module *m)
{
    struct str s = {0};
    struct bc_module *n = NULL;
    bc_encode(m, &s);
    struct err *e = bc_decode(s.data, s.len, &n);
    if (e) abort();
    bc_module_destroy(n);
    s.len = 0;
    bc_disassemble(m, &s);
    bc_module_destroy(m);
    str_deinit(&s);
}

// A program in our own form. The checksum is made right: damage must be found by what is read.
static void program(const uint8_t *data, size_t size)
{
    enum { HEAD = 32 };
    uint8_t *copy = mem_dup(data, size + !size);
    if (size > HEAD) {
        const uint64_t layout = bc_layout(), len = size - HEAD, sum = hash_bytes(copy + HEAD, len, 2);
        struct str empty = {0};
        struct bc_module *m = bc_module_create();
        bc_encode(m, &empty);
        memcpy(copy, empty.data, HEAD); // magic and version
        memcpy(copy + 8, &layout, 8);
        memcpy(copy + 16, &len, 8);
        memcpy(copy + 24, &sum, 8);
        bc_module_destroy(m);
        str_deinit(&empty);
    }
    struct bc_module *m = NULL;
    struct err *e = bc_decode(copy, size, &m);
    err_free(e);
    if (m) again(m);
    free(copy);
}

static void assembly(const uint8_t *data, size_t size)
{
    char *text = as_text(data, size);
    struct bc_module *m = NULL;
    struct err *e = bc_assemble(text, &m);
    if (!e && !(e = bc_verify(m))) {
        again(m);
        m = NULL;
    }
    err_free(e);
    bc_module_destroy(m);
    free(text);
}

// Assembly, a zero, and changes to what it gives: what passes the verifier is executed.
static void run(const uint8_t *data, size_t size)
{
    const size_t len = strnlen((const char *)data, size);
    char *text = as_text(data, len);
    struct bc_module *m = NULL;
    struct err *e = bc_assemble(text, &m);
    if (!e && len < size) edit(m, data + len + 1, size - len - 1);
    if (!e && !(e = bc_verify(m))) execute(m);
    err_free(e);
    bc_module_destroy(m);
    free(text);
}

// A captured launch, or what is in one: behind a checksum and compressed no damage would come far.
static void capture(const uint8_t *data, size_t size)
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
    err_free(dev_capture_read(as_file(data, size), &c));
    dev_capture_deinit(&c);
    free(whole);
}

/** A simulation file for a kernel with arguments of every kind. */
static void sim(const uint8_t *data, size_t size)
{
    struct cmd_param params[] = {{"a", "int*", CL_KERNEL_ARG_ADDRESS_GLOBAL, false}, {"b", "float4", CL_KERNEL_ARG_ADDRESS_PRIVATE, false},
                                 {"c", "uchar*", CL_KERNEL_ARG_ADDRESS_LOCAL, false}, {"d", "struct s*", CL_KERNEL_ARG_ADDRESS_CONSTANT, false},
                                 {"e", "short4", CL_KERNEL_ARG_ADDRESS_GLOBAL, true}};
    struct cmd_kernel k = {.params = params, .nparams = 5, .name = "k"};
    struct cmd_arg args[5] = {0};
    struct cmd_sim s;
    struct arena a = {0};
    struct err *e = cmd_sim_open(&s, &a, as_file(data, size));
    if (!e) e = cmd_sim_args(&s, &k, &a, args);
    err_free(e);
    for (unsigned i = 0; i < 5; i++) free(args[i].data);
    arena_deinit(&a);
}

static void spec(const uint8_t *data, size_t size)
{
    char *text = as_text(data, size);
    struct arena a = {0};
    struct cmd_arg arg = {0};
    if (!strstr(text, "=@")) err_free(cmd_spec_parse(&a, text, 1, &arg)); // files are not the input's to choose
    free(arg.data);
    arena_deinit(&a);
    free(text);
}

static void suppressions(const uint8_t *data, size_t size)
{
    struct rep_filter *f = rep_filter_create();
    err_free(rep_filter_add_suppressions(f, as_file(data, size)));
    rep_filter_destroy(f);
}

static void baseline(const uint8_t *data, size_t size)
{
    struct rep_filter *f = rep_filter_create();
    err_free(rep_filter_add_baseline(f, as_file(data, size)));
    rep_filter_destroy(f);
}

/** Nothing else may reach clang: no plug-in, no file that is written, nothing that is read but by -I. */
static bool is_for_clang(const char *o)
{
    static const char *const known[] = {"-cl-single-precision-constant", "-cl-uniform-work-group-size", "-D__FAST_RELAXED_MATH__=1", "-w", "-W", "-pedantic", "-pedantic-errors"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(o, known[i])) return true;
    return (!strncmp(o, "-W", 2) && islower((unsigned char)o[2]) && islower((unsigned char)o[3]) && !strchr(o, ',')) || (*o == '-' && o[1] && strchr("DIU", o[1]) && o[2]);
}

static void build_options(const uint8_t *data, size_t size)
{
    char *text = as_text(data, size);
    for (int kind = FE_BUILD; kind <= FE_LINK; kind++) {
        struct fe_options o = {0};
        struct str log = {0};
        const bool ok = fe_options_parse((enum fe_kind)kind, text, &o, &log);
        if (!ok && !log.len) abort(); // refused without a word
        for (unsigned i = 0; i < o.nclang; i++)
            if (!is_for_clang(o.clang[i])) fprintf(stderr, "clang is given %s\n", o.clang[i]), abort();
        fe_options_deinit(&o);
        str_deinit(&log);
    }
    free(text);
}

static void own_options(const uint8_t *data, size_t size)
{
    char *text = as_text(data, size);
    struct dev_option_set s = {0}, t = {0};
    struct str out = {0};
    struct err *e = dev_option_parse_text(&s, text);
    if (!e) {
        dev_option_print(&s, &out);
        struct err *f = out.data ? dev_option_parse_text(&t, out.data) : NULL;
        if (f) fprintf(stderr, "%s: %s\n", out.data, err_message(f)), abort(); // what we print we read
        e = dev_option_check(&s);
    }
    err_free(e);
    dev_option_set_deinit(&s);
    dev_option_set_deinit(&t);
    str_deinit(&out);
    free(text);
}

static void expression(const uint8_t *data, size_t size)
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
    err_free(e);
    arena_deinit(&a);
    free(text);
}

static const struct { const char *name; void (*f)(const uint8_t *data, size_t size); } targets[] = {
    {"program", program}, {"assembly", assembly}, {"run", run}, {"capture", capture}, {"sim", sim}, {"spec", spec}, {"suppressions", suppressions},
    {"baseline", baseline}, {"build-options", build_options}, {"own-options", own_options}, {"expression", expression},
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
static void replay(unsigned target, const char *path)
{
    struct arena a = {0};
    char *data;
    size_t size;
    struct err *e = cmd_read_file(&a, path, &data, &size);
    if (e) {
        fprintf(stderr, "%s\n", err_message(e));
        exit(2);
    }
    targets[target].f((const uint8_t *)data, size);
    arena_deinit(&a);
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--names")) {
        for (unsigned i = 0; i < NTARGETS; i++) printf("%s\n", targets[i].name);
        return 0;
    }
    const unsigned target = find(argc > 1 ? argv[1] : NULL);
    unsigned n = 0;
    for (int i = 2; i < argc; i++) {
        DIR *d = opendir(argv[i]);
        if (!d) {
            replay(target, argv[i]);
            n++;
            continue;
        }
        for (struct dirent *f; (f = readdir(d));) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], f->d_name);
            if (f->d_name[0] == '.') continue;
            replay(target, path);
            n++;
        }
        closedir(d);
    }
    printf("%s: %u inputs\n", targets[target].name, n);
    return n ? 0 : 1;
}
#endif
