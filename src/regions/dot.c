// SPDX-License-Identifier: MIT
#include "regions/form.h"

static unsigned line_of(LLVMValueRef i)
{
    return i && LLVMIsAInstruction(i) ? LLVMGetDebugLocLine(i) : 0;
}

static void bar(const struct rg_workgroup *w, unsigned b, struct str *out)
{
    static const char *const text[] = {"entry",        "exit",          "barrier",
                                       "b-loop entry", "b-loop header", "b-loop latch"};
    const struct rg_bar *x = &w->bars[b];
    unsigned line = x->mark == RG_SOURCE ? line_of(w->fn->blocks[x->block].stop) : 0;
    str_printf(out, "  B%u [shape=box, style=\"%s\", label=\"B%u %s", b,
               x->mark >= RG_LOOP_ENTRY ? "dashed"
               : x->varying             ? "filled"
                                        : "bold",
               b, text[x->mark]);
    if (line) str_printf(out, "\\nline %u", line);
    str_printf(out, "\"%s];\n", x->varying ? ", fillcolor=orange" : "");
}

// Blocks of a region with the edges inside it, and those to the barriers.
static void region(const struct rg_workgroup *w, unsigned r, struct str *out)
{
    const struct rg_region *x = &w->regions[r];
    str_printf(out, "  subgraph cluster_%u {\n    label=\"R%u%s\"; style=rounded;\n", r, r,
               x->peeled ? " (peeled)" : "");
    for (unsigned k = 0; k < x->nblocks; k++)
        str_printf(out, "    R%ub%u [shape=ellipse, label=\"%u\"];\n", r, x->blocks[k],
                   x->blocks[k]);
    for (unsigned k = 0; k < x->nblocks; k++)
        for (unsigned s = 0; s < w->fn->blocks[x->blocks[k]].nsucc; s++)
            for (unsigned j = 0; j < x->nblocks; j++)
                if (x->blocks[j] == w->fn->blocks[x->blocks[k]].succ[s])
                    str_printf(out, "    R%ub%u -> R%ub%u;\n", r, x->blocks[k], r, x->blocks[j]);
    str_put(out, "  }\n");
    if (x->nblocks)
        str_printf(out, "  B%u -> R%ub%u [lhead=cluster_%u];\n", x->from, r, x->blocks[0], r);
    for (unsigned k = 0; k < x->nto; k++) {
        if (x->nblocks)
            str_printf(out, "  R%ub%u -> B%u [ltail=cluster_%u];\n", r, x->blocks[x->nblocks - 1],
                       x->to[k], r);
        else str_printf(out, "  B%u -> B%u;\n", x->from, x->to[k]);
    }
}

void rg_dot(const struct rg_workgroup *w, const char *name, struct str *out)
{
    str_printf(out,
               "digraph \"%s\" {\n  compound=true;\n  node [fontname=\"sans-serif\"];\n  "
               "label=\"%s: %s\";\n",
               name, name, w->is_regions ? "regions" : "continuations");
    for (unsigned b = 0; b < w->nbars; b++) bar(w, b, out);
    for (unsigned r = 0; r < w->nregions; r++)
        if (w->bars[r].mark != RG_EXIT) region(w, r, out);
    str_put(out, "}\n");
}
