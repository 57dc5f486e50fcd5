// SPDX-License-Identifier: MIT
// Errors of the lowering: the first one ends the build, in clang's form with file, line and column.
#include "lower/lw.h"

#include <stdarg.h>

static void put_error(struct lw_module *m, uint32_t loc, LLVMValueRef fn, const char *fmt,
                      va_list ap)
{
    if (m->error) return;
    struct str message = {0};
    str_vprintf(&message, fmt, ap);
    const char *text = str_text(&message);
    if (loc) {
        uint32_t n;
        const struct fe_loc *l = &fe_debug_locs(m->debug, &n)[loc];
        m->error = err_new("%s:%u:%u: error: %s", fe_debug_files(m->debug, &n)[l->file].name,
                           l->line, l->col, text);
    } else if (fn) {
        m->error =
            err_new("in function '%s': error: %s", fe_debug_function_name(m->debug, fn), text);
    } else {
        m->error = err_new("error: %s", text);
    }
    str_deinit(&message);
}

void lw_error_at(struct lw_module *m, uint32_t loc, LLVMValueRef fn, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    put_error(m, loc, fn, fmt, ap);
    va_end(ap);
}

void lw_error(struct lw_fn *f, LLVMValueRef inst, const char *fmt, ...)
{
    uint32_t loc = inst && LLVMIsAInstruction(inst) ? fe_debug_insn(f->m->debug, inst) : f->loc;
    va_list ap;
    va_start(ap, fmt);
    put_error(f->m, loc, f->rg->fn, fmt, ap);
    va_end(ap);
}

void lw_unsupported(struct lw_fn *f, LLVMValueRef inst)
{
    char *text = LLVMPrintValueToString(inst);
    lw_error(f, inst, "this instruction is not supported: %s", text);
    LLVMDisposeMessage(text);
}
