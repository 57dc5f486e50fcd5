// SPDX-License-Identifier: MIT
// A kernel of a program as machine code, for launches that were proved free of errors: from the
// program's bitcode, by the same steps as its bytecode, to an object file. The kernel is rejected
// if machine code could behave otherwise than the interpreter (native/strict.c).
#include "cc/pipeline.h"

#include "library/library.h"
#include "llvm/ir.h"
#include "native/native.h"
#include "regions/form.h"

#include <string.h>

static struct err *check_strict(LLVMModuleRef m, const char *kernel)
{
    LLVMValueRef fn = LLVMGetNamedFunction(m, kernel);
    const char *why = fn && l_is_kernel(fn) ? nat_why_not_strict(fn)
                                            : "there is no kernel of that name";
    return why ? err_new("%s", why) : NULL;
}

static struct err *make(LLVMModuleRef m, const struct wire_code *c, struct cc_output *out,
                        struct nat_code_info *info)
{
    struct nat_shape shape = {.local = {c->local[0], c->local[1], c->local[2]},
                              .uneven = c->uneven,
                              .apart = c->apart,
                              .small = c->small,
                              .passes = c->passes,
                              .sub_group = c->sub_group,
                              .marks = c->marks,
                              .checks = c->checks};
    _Static_assert(sizeof shape.argument_bits == sizeof c->argument_bits, "one for each");
    memcpy(shape.id_bits, c->id_bits, sizeof shape.id_bits);
    memcpy(shape.argument_bits, c->argument_bits, sizeof shape.argument_bits);
    struct err *e = lib_expand(m);
    if (!e) e = rg_normalize(m);
    if (!e) nat_make_strict(m);
    if (!e && c->checks) e = nat_add_checks(m, c->kernel, c->checks, info);
    if (!e) e = nat_module(m, &out->native);
    if (!e) e = check_strict(m, c->kernel);
    if (!e && c->marks)
        e = nat_mark_stores(m, LLVMGetNamedFunction(m, c->kernel), c->marks, &out->native);
    const struct nat_request r = {out->native.data, out->native.len, c->kernel, &shape, c->symbol};
    if (!e) e = nat_object(&r, info, &out->log, &out->object);
    return e;
}

void cc_machine_code(const struct wire_request *r, struct arena *arena, struct cc_output *out,
                     struct wire_answer *a)
{
    struct wire_request build = *r;
    struct fe_module m = {0};
    struct nat_code_info info = {0};
    build.kind = WIRE_BUILD;
    *a = (struct wire_answer){.status = (enum wire_status)cc_compile(&build, arena, &m, &out->log)};
    str_clear(&out->log);
    if (a->status == WIRE_OK) {
        struct err *e = make(m.llvm, &r->code, out, &info);
        if (e) {
            a->status = WIRE_FAILED;
            str_clear(&out->log);
            str_put(&out->log, err_message(e));
            err_free(e);
        }
        fe_module_deinit(&m);
    }
    a->log = str_text(&out->log);
    a->object = (struct wire_blob){out->object.data, out->object.len};
    a->code_info = (struct wire_blob){arena_dup(arena, &info, sizeof info), sizeof info};
}
