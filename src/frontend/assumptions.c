// SPDX-License-Identifier: MIT
// An assumption is `if (!(CONDITION)) { call of FUNCTION; unreachable }` in clang's input. The call
// distinguishes it from __builtin_unreachable() of the program; clang's output loses it.
#include "frontend/assumptions.h"

#include "base/mem.h"
#include "llvm/ir.h"

#include <stdlib.h>
#include <string.h>

#define FUNCTION "__cldbg_assumption"

static const char comment[] = "cldbg-assume:";

/** The comment in a line; NULL: there is none. */
static const char *find_comment(const char *line, size_t n)
{
    const char *const mark = memmem(line, n, comment, sizeof comment - 1);
    const char *slash = mark;
    while (slash && slash > line && (slash[-1] == ' ' || slash[-1] == '\t')) slash--;
    return slash && slash - line >= 2 && slash[-1] == '/' && slash[-2] == '/' ? slash - 2 : NULL;
}

void fe_write_assumptions(struct str *source)
{
    if (!memmem(str_text(source), source->len, comment, sizeof comment - 1)) return;
    struct str out = {0};
    const char *const end = source->data + source->len;
    for (const char *line = source->data, *next; line < end; line = next) {
        const char *eol = memchr(line, '\n', (size_t)(end - line));
        next = eol ? eol + 1 : end;
        const size_t n = (size_t)((eol ? eol : end) - line);
        const char *const at = find_comment(line, n);
        if (!at) {
            str_put_n(&out, line, (size_t)(next - line));
            continue;
        }
        const char *condition = strstr(at, comment) + sizeof comment - 1, *to = line + n;
        const char *const another = memmem(condition, (size_t)(to - condition), "//", 2);
        if (another) to = another;
        while (to > condition && strchr(" \t\r;", to[-1])) to--;
        str_put_n(&out, line, (size_t)(at - line));
        str_put(&out, "if (!(");
        str_put_n(&out, condition, (size_t)(to - condition));
        str_put(&out, ")) { void " FUNCTION "(void); " FUNCTION "(); __builtin_unreachable(); }\n");
    }
    str_deinit(source);
    *source = out;
}

/** Locates the instruction at the comment, given the location of the condition's branch. */
static void locate(LLVMContextRef c, LLVMValueRef insn, LLVMMetadataRef branch)
{
    if (!branch) return;
    const unsigned column = LLVMDILocationGetColumn(branch), before = sizeof "if (" - 1;
    LLVMInstructionSetDebugLoc(
        insn, LLVMDIBuilderCreateDebugLocation(
                  c, LLVMDILocationGetLine(branch), column > before ? column - before : column,
                  LLVMDILocationGetScope(branch), LLVMDILocationGetInlinedAt(branch)));
}

void fe_mark_assumptions(LLVMModuleRef m)
{
    LLVMValueRef f = LLVMGetNamedFunction(m, FUNCTION);
    if (!f) return;
    LLVMContextRef c = LLVMGetModuleContext(m);
    const unsigned kind = LLVMGetMDKindIDInContext(c, L_ASSUMPTION, sizeof L_ASSUMPTION - 1);
    LLVMMetadataRef node = LLVMMDNodeInContext2(c, NULL, 0);
    for (LLVMUseRef use; (use = LLVMGetFirstUse(f));) {
        LLVMValueRef call = LLVMGetUser(use);
        if (!LLVMIsACallInst(call)) return; // its address: not our code
        LLVMValueRef after = LLVMGetNextInstruction(call);
        LLVMUseRef edge = LLVMGetFirstUse(LLVMBasicBlockAsValue(LLVMGetInstructionParent(call)));
        if (after && LLVMGetInstructionOpcode(after) == LLVMUnreachable) {
            LLVMSetMetadata(after, kind, LLVMMetadataAsValue(c, node));
            if (edge) locate(c, after, LLVMInstructionGetDebugLoc(LLVMGetUser(edge)));
        }
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDeleteFunction(f);
}
