// SPDX-License-Identifier: MIT
#include "frontend/debug_metadata.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "frontend/reach.h"
#include "frontend/type_text.h"
#include "llvm/ir.h"

#include <string.h>

struct note {
    LLVMMetadataRef variable, loc;
};

struct fe_debug {
    const struct fe_module *m;
    struct arena arena;
    VEC(struct fe_file) files;
    VEC(struct fe_loc) locs;
    struct map loc_of;   // DILocation → loc
    struct map place_of; // hash of (file, line, col, function, inlined_at) → first loc with it
    struct map file_of;  // DIFile → file + 1
    struct map notes;    // address → index in noted + 1
    VEC(struct note) noted;
    bool follows_scopes;
    VEC(struct fe_scope) scopes;
    struct map scope_of; // DISubprogram, DILexicalBlock → scope
};

static const char *text_of(struct fe_debug *d, LLVMValueRef v)
{
    unsigned n;
    const char *s = l_md_string(v, &n);
    return s ? arena_printf(&d->arena, "%.*s", (int)n, s) : "";
}

static LLVMValueRef value(struct fe_debug *d, LLVMMetadataRef md)
{
    return l_md_value(d->m->llvm, md);
}

/** Where a file may be read whose name comes from the program: NULL if it is out of reach. */
static const char *allowed_path(const struct fe_debug *d, const char *path)
{
    return *path && fe_reach_has(&d->m->reach, path) ? path : NULL;
}

// The files that front_end.c noted come first, so that their names find them.
static void read_noted_files(struct fe_debug *d)
{
    unsigned n = LLVMGetNamedMetadataNumOperands(d->m->llvm, FE_FILES_METADATA);
    LLVMValueRef *all = mem_array(NULL, n ? n : 1, sizeof *all);
    LLVMGetNamedMetadataOperands(d->m->llvm, FE_FILES_METADATA, all);
    for (unsigned i = 0; i < n; i++) {
        const char *path = text_of(d, l_md_operand(all[i], 1)),
                   *text = text_of(d, l_md_operand(all[i], 2));
        struct fe_file f = {.name = text_of(d, l_md_operand(all[i], 0)),
                            .path = allowed_path(d, path),
                            .text = *path ? NULL : text,
                            .first_line = 1};
        vec_push(&d->files, f);
    }
    free(all);
}

static uint32_t file_by_name(struct fe_debug *d, const char *dir, const char *name)
{
    for (uint32_t i = 0; i < d->files.len; i++)
        if (!strcmp(d->files.data[i].name, name)) return i;
    struct fe_file f = {.name = arena_strdup(&d->arena, name), .first_line = 1};
    f.path = allowed_path(d, *name == '/' || !*dir ? f.name
                                                   : arena_printf(&d->arena, "%s/%s", dir, name));
    vec_push(&d->files, f);
    return (uint32_t)d->files.len - 1;
}

static uint32_t file_id(struct fe_debug *d, LLVMMetadataRef file)
{
    bool is_new;
    uint64_t *slot = map_put_ptr(&d->file_of, file, &is_new);
    if (!is_new) return (uint32_t)*slot - 1;
    unsigned n, k;
    const char *name = LLVMDIFileGetFilename(file, &n), *dir = LLVMDIFileGetDirectory(file, &k);
    uint32_t id = file_by_name(d, arena_printf(&d->arena, "%.*s", (int)k, dir ? dir : ""),
                               arena_printf(&d->arena, "%.*s", (int)n, name ? name : ""));
    *slot = id + 1;
    return id;
}

// The function that a scope (lexical blocks inside one another) lies in.
static const char *function_of(struct fe_debug *d, LLVMMetadataRef scope)
{
    for (int depth = 0; scope && depth < 1000; depth++) {
        LLVMValueRef v = value(d, scope);
        switch (LLVMGetMetadataKind(scope)) {
        case LLVMDISubprogramMetadataKind: return text_of(d, l_md_operand(v, l_di.subprogram_name));
        case LLVMDILexicalBlockMetadataKind:
        case LLVMDILexicalBlockFileMetadataKind: break;
        default: return "";
        }
        LLVMValueRef up = l_md_operand(v, l_di.scope);
        scope = up ? l_md(up) : NULL;
    }
    return "";
}

// The number of a function or block; any other scope (the compile unit, a file) is 0.
static uint32_t scope_id(struct fe_debug *d, LLVMMetadataRef scope)
{
    if (!d->follows_scopes || !scope) return 0;
    uint64_t *known = map_get_ptr(&d->scope_of, scope);
    if (known) return (uint32_t)*known;
    uint32_t id = 0;
    const LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
    if (kind == LLVMDISubprogramMetadataKind) {
        LLVMValueRef type = l_md_operand(value(d, scope), l_di.subprogram_type);
        LLVMValueRef list = type ? l_md_operand(type, l_di.base_type)
                                 : NULL; // what it returns, and takes
        vec_push(&d->scopes, ((struct fe_scope){0, function_of(d, scope),
                                                list ? l_md_operand(list, 0) : NULL}));
        id = (uint32_t)d->scopes.len - 1;
    } else if (kind == LLVMDILexicalBlockMetadataKind ||
               kind == LLVMDILexicalBlockFileMetadataKind) {
        LLVMValueRef up = l_md_operand(value(d, scope), l_di.scope);
        const uint32_t parent = up ? scope_id(d, l_md(up)) : 0;
        vec_push(&d->scopes, ((struct fe_scope){parent, function_of(d, scope), NULL}));
        id = (uint32_t)d->scopes.len - 1;
    }
    *map_put_ptr(&d->scope_of, scope, NULL) = id;
    return id;
}

static uint32_t add_loc(struct fe_debug *d, const struct fe_loc *loc)
{
    const uint32_t key[] = {loc->file, loc->line, loc->col, loc->inlined_at, loc->scope};
    uint64_t h = hash_bytes(loc->function, strlen(loc->function), hash_bytes(key, sizeof key, 1));
    bool is_new;
    uint64_t *slot = map_put(&d->place_of, h, &is_new);
    if (is_new) {
        vec_push(&d->locs, *loc);
        *slot = d->locs.len - 1;
    }
    return (uint32_t)*slot;
}

static uint32_t loc_id(struct fe_debug *d, LLVMMetadataRef md)
{
    if (!md || LLVMGetMetadataKind(md) != LLVMDILocationMetadataKind) return 0;
    uint64_t *known = map_get_ptr(&d->loc_of, md);
    if (known) return (uint32_t)*known;
    LLVMMetadataRef scope = LLVMDILocationGetScope(md), file = LLVMDIScopeGetFile(scope);
    struct fe_loc loc = {
        .file = file ? file_id(d, file) : 0,
        .line = LLVMDILocationGetLine(md),
        .col = LLVMDILocationGetColumn(md),
        .function = function_of(d, scope),
        .inlined_at = loc_id(d, LLVMDILocationGetInlinedAt(md)),
        .scope = scope_id(d, scope),
    };
    uint32_t id = loc.line ? add_loc(d, &loc) : loc.inlined_at; // line 0: made by the compiler
    *map_put_ptr(&d->loc_of, md, NULL) = id;
    return id;
}

static void take_note(void *context, LLVMValueRef address, LLVMMetadataRef variable,
                      LLVMMetadataRef loc)
{
    struct fe_debug *d = context;
    vec_push(&d->noted, (struct note){variable, loc});
    *map_put_ptr(&d->notes, address, NULL) = d->noted.len;
}

static void note_global(struct fe_debug *d, LLVMValueRef g)
{
    size_t n;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(g, &n);
    for (unsigned i = 0; i < n; i++) {
        LLVMMetadataRef md = LLVMValueMetadataEntriesGetMetadata(all, i);
        if (LLVMGetMetadataKind(md) != LLVMDIGlobalVariableExpressionMetadataKind) continue;
        take_note(d, g, LLVMDIGlobalVariableExpressionGetVariable(md), NULL);
        break;
    }
    LLVMDisposeValueMetadataEntries(all);
}

struct fe_debug *fe_debug_create(const struct fe_module *m)
{
    struct fe_debug *d = mem_alloc(sizeof *d);
    d->m = m;
    vec_push(&d->locs, (struct fe_loc){.function = ""});
    read_noted_files(d);
    l_debug_prepare(m->llvm);
    l_each_function(m->llvm, f) fe_debug_rescan(d, f);
    l_each_global(m->llvm, g) note_global(d, g);
    return d;
}

void fe_debug_follow_scopes(struct fe_debug *d)
{
    d->follows_scopes = true;
    vec_push(&d->scopes, (struct fe_scope){.function = ""});
}

const struct fe_scope *fe_debug_scopes(const struct fe_debug *d, uint32_t *count)
{
    *count = (uint32_t)d->scopes.len;
    return d->scopes.data;
}

void fe_debug_destroy(struct fe_debug *d)
{
    if (!d) return;
    vec_free(&d->scopes);
    map_deinit(&d->scope_of);
    vec_free(&d->files);
    vec_free(&d->locs);
    vec_free(&d->noted);
    map_deinit(&d->loc_of);
    map_deinit(&d->place_of);
    map_deinit(&d->file_of);
    map_deinit(&d->notes);
    arena_deinit(&d->arena);
    free(d);
}

uint32_t fe_debug_insn(struct fe_debug *d, LLVMValueRef insn)
{
    return loc_id(d, LLVMInstructionGetDebugLoc(insn));
}

uint32_t fe_debug_loop(struct fe_debug *d, LLVMValueRef branch)
{
    LLVMValueRef loop = LLVMGetMetadata(
        branch, LLVMGetMDKindIDInContext(LLVMGetModuleContext(d->m->llvm), "llvm.loop", 9));
    LLVMValueRef begin = loop && LLVMGetMDNodeNumOperands(loop) > 1 ? l_md_operand(loop, 1)
                                                                    : NULL; // [0] is itself
    return begin ? loc_id(d, l_md(begin)) : 0;
}

static uint32_t place_of_subprogram(struct fe_debug *d, LLVMMetadataRef sp)
{
    if (!sp) return 0;
    LLVMMetadataRef file = LLVMDIScopeGetFile(sp);
    struct fe_loc loc = {.file = file ? file_id(d, file) : 0,
                         .line = LLVMDISubprogramGetLine(sp),
                         .function = function_of(d, sp)};
    return add_loc(d, &loc);
}

uint32_t fe_debug_function(struct fe_debug *d, LLVMValueRef function)
{
    return place_of_subprogram(d, LLVMGetSubprogram(function));
}

bool fe_debug_returned(struct fe_debug *d, LLVMValueRef variable, struct fe_variable *out)
{
    LLVMValueRef symbol;
    LLVMMetadataRef sp;
    if (!l_returned_by(variable, &symbol, &sp)) return false;
    const char *name = sp ? function_of(d, sp) : "";
    *out = (struct fe_variable){
        .name = arena_printf(&d->arena, "%s()", *name ? name : text_of(d, symbol)),
        .type = "",
        .loc = place_of_subprogram(d, sp)};
    return true;
}

const char *fe_debug_function_name(struct fe_debug *d, LLVMValueRef function)
{
    LLVMMetadataRef sp = LLVMGetSubprogram(function);
    const char *name = sp ? text_of(d, l_md_operand(value(d, sp), l_di.subprogram_name)) : "";
    return *name ? name : arena_strdup(&d->arena, l_name(function));
}

const struct fe_loc *fe_debug_locs(const struct fe_debug *d, uint32_t *count)
{
    *count = (uint32_t)d->locs.len;
    return d->locs.data;
}

const struct fe_file *fe_debug_files(const struct fe_debug *d, uint32_t *count)
{
    *count = (uint32_t)d->files.len;
    return d->files.data;
}

const char *fe_debug_variable_name(struct fe_debug *d, LLVMValueRef address)
{
    const uint64_t *slot = map_get_ptr(&d->notes, address);
    const char *name =
        slot ? text_of(d, l_md_operand(value(d, d->noted.data[*slot - 1].variable), l_di.var_name))
             : "";
    return *name ? name : NULL;
}

bool fe_debug_variable(struct fe_debug *d, LLVMValueRef address, struct fe_variable *out)
{
    uint64_t *slot = map_get_ptr(&d->notes, address);
    if (!slot) return false;
    struct note n = d->noted.data[*slot - 1];
    LLVMValueRef v = value(d, n.variable);
    *out = (struct fe_variable){.name = text_of(d, l_md_operand(v, l_di.var_name))};
    if (!*out->name) return false;
    struct str type = {0};
    fe_type_text(d->m->llvm, l_md_operand(v, l_di.var_type), &type);
    out->type = arena_strdup(&d->arena, str_text(&type));
    str_deinit(&type);
    out->di_type = l_md_operand(v, l_di.var_type);
    out->scope = scope_id(d, LLVMDIVariableGetScope(n.variable));
    out->loc = loc_id(d, n.loc);
    if (!out->loc) {
        LLVMMetadataRef file = LLVMDIVariableGetFile(n.variable),
                        scope = LLVMDIVariableGetScope(n.variable);
        struct fe_loc loc = {.file = file ? file_id(d, file) : 0,
                             .line = LLVMDIVariableGetLine(n.variable),
                             .function = function_of(d, scope)};
        if (loc.line) out->loc = add_loc(d, &loc);
    }
    return true;
}

void fe_debug_rescan(struct fe_debug *d, LLVMValueRef function)
{
    l_each_declare(function, take_note, d);
}
