// SPDX-License-Identifier: MIT
// Nothing of an app's options reaches clang that is not in the table below: an app must not load
// plug-ins into the compiler or make it write files.
#include "frontend/options.h"

#include "base/vec.h"

#include <ctype.h>
#include <string.h>

enum action {
    PASS,     // goes to clang as it is
    DROP,     // right, but changes nothing here
    DEFINE,   // stands for -D`arg`
    VALUE,    // -D -I -U: its value follows, attached or as the next word; both go to clang
    STD,      // -cl-std=
    LIBRARY,  // -create-library
    LANGUAGE, // -x
    STRICT,   // -Werror: goes to clang, and what it keeps a warning for old programs' sake is an
              // error, too
    LENIENT,  // -Wno-error: goes to clang, and takes that back
    NOTE,     // of another vendor: left out, with a note
    NONE,     // none, though a later row would fit
};
enum phase { COMPILING = 1, LINKING = 2, BOTH = 3 };

struct row {
    const char *name; // glob
    enum action action;
    unsigned phases;
    const char *arg;
};

// The first row that fits counts. Options that let the optimizer change results are accepted and do
// nothing: the checks look at the program as it was written.
static const struct row rows[] = {
    {"-D*", VALUE, COMPILING, "-D"},
    {"-I*", VALUE, COMPILING, "-I"},
    {"-U*", VALUE, COMPILING, "-U"},
    {"-cl-std=*", STD, BOTH, NULL},
    {"-cl-single-precision-constant", PASS, COMPILING, NULL},
    {"-cl-denorms-are-zero", DROP, BOTH, NULL},
    {"-cl-fp32-correctly-rounded-divide-sqrt", DROP, COMPILING, NULL},
    {"-cl-opt-disable", DROP, BOTH, NULL},
    {"-cl-strict-aliasing", DROP, COMPILING, NULL},
    {"-cl-mad-enable", DROP, BOTH, NULL},
    {"-cl-no-signed-zeros", DROP, BOTH, NULL},
    {"-cl-unsafe-math-optimizations", DROP, BOTH, NULL},
    {"-cl-finite-math-only", DROP, BOTH, NULL},
    {"-cl-fast-relaxed-math", DEFINE, BOTH, "-D__FAST_RELAXED_MATH__=1"},
    {"-cl-uniform-work-group-size", PASS, BOTH, NULL},
    {"-cl-no-subgroup-ifp", DROP, BOTH, NULL},
    {"-cl-kernel-arg-info", DROP, BOTH, NULL},
    {"-w", PASS, COMPILING, NULL},
    {"-Werror", STRICT, COMPILING, NULL},
    {"-Wno-error", LENIENT, COMPILING, NULL},
    {"-W", PASS, COMPILING, NULL},
    {"-W*,*", NONE, BOTH, NULL}, // (-Wa, -Wl and -Wp speak to other programs)
    {"-W[a-z][a-z]*", PASS, COMPILING, NULL},
    {"-pedantic", PASS, COMPILING, NULL},
    {"-pedantic-errors", PASS, COMPILING, NULL},
    {"-g", DROP, BOTH, NULL},
    {"-g[0-3]", DROP, BOTH, NULL},
    {"-O[0-5]", DROP, BOTH, NULL},
    {"-create-library", LIBRARY, LINKING, NULL},
    {"-enable-link-options", DROP, LINKING, NULL},
    {"-x", LANGUAGE, BOTH, NULL},
    {"-spir-std=*", DROP, BOTH, NULL},
    {"-cl-ext=*", NOTE, BOTH, NULL},
    {"-cl-nv-*", NOTE, BOTH, NULL},
    {"-cl-amd-*", NOTE, BOTH, NULL},
    {"-cl-intel-*", NOTE, BOTH, NULL},
    {"-cl-arm-*", NOTE, BOTH, NULL},
    {"-cl-poclu-*", NOTE, BOTH, NULL},
    {"-cl-match-sincospi", NOTE, BOTH, NULL},
    {"-cl-no-*", NOTE, BOTH, NULL},
    {"-qcom-*", NOTE, BOTH, NULL},
    {"-nv-*", NOTE, BOTH, NULL},
    {"-fno-bin-*", NOTE, BOTH, NULL},
    {"-fbin-*", NOTE, BOTH, NULL},
    {"-fno-unroll-loops", NOTE, BOTH, NULL},
    {"-save-temps", NOTE, BOTH, NULL},
    {"-save-temps=*", NOTE, BOTH, NULL},
};

// Splits like a shell would: blanks part words, quotes of both kinds keep them together, a
// backslash protects a quote, a blank or a backslash (and stands for itself before anything else).
static bool next_word(const char **text, struct str *word, bool *unbalanced)
{
    const char *p = *text;
    while (isspace((unsigned char)*p)) p++;
    if (!*p) return false;
    str_clear(word);
    str_put(word, "");
    char quote = 0;
    for (; *p && (quote || !isspace((unsigned char)*p)); p++) {
        if (*p == '\\' && p[1] && strchr(quote ? "\"'\\" : "\"'\\ \t", p[1]) && quote != '\'')
            str_put_char(word, *++p);
        else if (quote ? *p == quote : *p == '"' || *p == '\'') quote = quote ? 0 : *p;
        else str_put_char(word, *p);
    }
    *unbalanced = quote != 0;
    *text = p;
    return true;
}

struct parser {
    enum fe_kind kind;
    struct fe_options *o;
    struct str *log;
    const char *text;
    struct str word;
    VEC(const char *) clang;
};

static bool refuse(struct parser *p, const char *why)
{
    str_printf(p->log, "error: build option '%s' %s\n", str_text(&p->word), why);
    return false;
}

static void put(struct parser *p, const char *option)
{
    vec_push(&p->clang, arena_strdup(&p->o->arena, option));
}

static bool take_std(struct parser *p, const char *std)
{
    static const char *const known[] = {"CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(std, known[i])) continue;
        p->o->std = known[i];
        return true;
    }
    if (str_starts(std, "CLC++"))
        return refuse(p, "asks for C++ for OpenCL, which cldbg does not support");
    return refuse(p, "names no version of OpenCL C; there are CL1.1, CL1.2, CL2.0 and CL3.0");
}

static bool take_value(struct parser *p, const char *flag)
{
    bool unbalanced = false;
    const char *value = str_text(&p->word) + strlen(flag);
    char *whole;
    if (*value) {
        whole = arena_strdup(&p->o->arena, str_text(&p->word));
    } else {
        struct str next = {0};
        bool got = next_word(&p->text, &next, &unbalanced);
        whole = arena_printf(&p->o->arena, "%s%s", flag, str_text(&next));
        bool empty = !got || !next.len;
        str_deinit(&next);
        if (empty || unbalanced) return refuse(p, "needs a value after it");
    }
    if (flag[1] == 'I') p->o->reads_files = true;
    else if (!isalpha((unsigned char)whole[2]) && whole[2] != '_')
        return refuse(p, "needs the name of a macro");
    put(p, whole);
    return true;
}

static bool take_language(struct parser *p)
{
    bool unbalanced = false;
    struct str next = {0};
    bool ok = next_word(&p->text, &next, &unbalanced);
    bool known = ok && (!strcmp(str_text(&next), "cl") || !strcmp(str_text(&next), "spir"));
    bool cxx = ok && str_starts(str_text(&next), "clc++");
    str_printf(&p->word, " %s", str_text(&next));
    str_deinit(&next);
    if (known) return true;
    return refuse(p, cxx ? "asks for AMD's static C++ kernel language, which cldbg does not support"
                         : "names a language that cldbg does not know");
}

static bool take(struct parser *p)
{
    const char *w = str_text(&p->word);
    unsigned phase = p->kind == FE_LINK ? LINKING : p->kind == FE_BUILD ? BOTH : COMPILING;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        if (!str_glob(r->name, w)) continue;
        if (!(r->phases & phase))
            return refuse(p, phase == LINKING ? "is not an option of linking"
                                              : "is only an option of linking");
        switch (r->action) {
        case PASS: put(p, w); return true;
        case DROP: p->o->wants_error_codes |= !strcmp(str_text(&p->word), "-g"); return true;
        case DEFINE: put(p, r->arg); return true;
        case VALUE: return take_value(p, r->arg);
        case STD: return take_std(p, w + strlen("-cl-std="));
        case LIBRARY: p->o->create_library = true; return true;
        case STRICT:
        case LENIENT:
            put(p, w);
            p->o->werror = r->action == STRICT;
            return true;
        case LANGUAGE: return take_language(p);
        case NOTE:
            str_printf(p->log, "note: build option '%s' of another vendor is ignored\n", w);
            return true;
        case NONE: return refuse(p, "is not known");
        }
    }
    return refuse(p, *w == '-' ? "is not known" : "is not an option");
}

bool fe_options_parse(enum fe_kind kind, const char *text, struct fe_options *o, struct str *log)
{
    *o = (struct fe_options){.std = "CL1.2"};
    struct parser p = {.kind = kind, .o = o, .log = log, .text = text ? text : ""};
    bool ok = true, unbalanced = false;
    while (ok && next_word(&p.text, &p.word, &unbalanced))
        ok = unbalanced ? refuse(&p, "has a quote that is not closed") : take(&p);
    o->nclang = (unsigned)p.clang.len;
    o->clang = arena_dup(&o->arena, p.clang.data, p.clang.len * sizeof *p.clang.data);
    vec_free(&p.clang);
    str_deinit(&p.word);
    return ok;
}

void fe_options_deinit(struct fe_options *o) { arena_deinit(&o->arena); }
