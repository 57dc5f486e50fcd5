// SPDX-License-Identifier: MIT
// Retargets the module to the host by substitution in the textual IR. LLVM's C interface cannot
// change the address space of a value, nor make distinct metadata; in text both are replacements of
// tokens:
//
//   addrspace(N)                          nothing: pointers of all kinds are addresses of the
//                                         process
//   addrspacecast                         bitcast, of a pointer to a pointer
//   target("spirv.…")                     ptr
//   spir_func, spir_kernel                nothing
//   = !{!"cldbg.access"}                  = distinct !{}
//   !7 = !{!"cldbg.loop.3", …}            !7 = distinct !{!7, …}
//
// Text in quotation marks stays unchanged (constants, names).
#include "native/native.h"

#include <ctype.h>
#include <string.h>

static bool eat(const char **p, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(*p, word, n)) return false;
    *p += n;
    return true;
}

static void put_metadata(const char *line, const char *end, struct str *out)
{
    const char *eq = memchr(line, '=', (size_t)(end - line));
    const char *loop = eq ? strstr(eq, "!{!\"cldbg.loop.") : NULL,
               *access = eq ? strstr(eq, "!{!\"cldbg.access\"}") : NULL;
    if (access && access < end) {
        str_put_n(out, line, (size_t)(eq - line));
        str_put(out, "= distinct !{}");
    } else if (loop && loop < end) {
        const char *rest = strchr(loop + 4, '"') + 1;
        str_put_n(out, line, (size_t)(eq - line));
        str_put(out, "= distinct !{");
        str_put_n(out, line, (size_t)(eq - 1 - line));
        str_put_n(out, rest, (size_t)(end - rest));
    } else {
        str_put_n(out, line, (size_t)(end - line));
    }
}

static void put_code(const char *line, const char *end, struct str *out)
{
    for (const char *p = line; p < end;) {
        if (*p == '"') {
            const char *q = memchr(p + 1, '"', (size_t)(end - p - 1));
            q = q ? q + 1 : end;
            str_put_n(out, p, (size_t)(q - p));
            p = q;
        } else if (p > line && (isalnum((unsigned char)p[-1]) || p[-1] == '_' || p[-1] == '.' ||
                                p[-1] == '@' || p[-1] == '%')) {
            str_put_char(out, *p++);
        } else if (eat(&p, "addrspacecast")) {
            str_put(out, "bitcast");
        } else if (eat(&p, "addrspace(")) {
            p = strchr(p, ')') + 1;
            if (*p == ' ' && out->len && out->data[out->len - 1] == ' ') p++;
        } else if (eat(&p, "target(\"spirv.")) {
            p = strchr(p, ')') + 1;
            str_put(out, "ptr");
        } else if (!eat(&p, "spir_func ") && !eat(&p, "spir_kernel ")) {
            str_put_char(out, *p++);
        }
    }
}

void nat_flatten(const char *text, struct str *out)
{
    for (const char *p = text; *p;) {
        const char *end = strchr(p, '\n');
        end = end ? end + 1 : p + strlen(p);
        if (str_starts(p, "target ")) p = end; // the plug-in sets the target
        else if (*p == '!') put_metadata(p, end, out);
        else put_code(p, end, out);
        p = end;
    }
}
