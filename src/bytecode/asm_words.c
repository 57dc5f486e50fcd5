// SPDX-License-Identifier: MIT
// The tokens of the text form: blanks and commas separate them, [ ] and = stand alone, # begins a
// comment.
#include "bytecode/asm.h"

#include "base/str.h"

#include <string.h>

static void add_word(struct bc_reader *r, struct str *w, bool quoted)
{
    vec_push(&r->words, arena_strdup(r->a, str_text(w)));
    vec_push(&r->quoted, quoted);
    str_clear(w);
}

static void read_quoted(struct bc_reader *r, struct str *w)
{
    for (r->s++; *r->s && *r->s != '"' && *r->s != '\n'; r->s++) {
        if (*r->s != '\\') {
            str_put_char(w, *r->s);
            continue;
        }
        const char c = *++r->s;
        uint8_t v;
        if (c == 'n') str_put_char(w, '\n');
        else if (c == 'x' && str_hex_byte(r->s + 1, &v)) { // as disasm.c writes it
            str_put_char(w, (char)v);
            r->s += 2;
        } else if (c) str_put_char(w, c);
        else return;
    }
    if (*r->s != '"') FAIL(r, "a quoted string has no end");
    else r->s++;
    str_put_n(w, "", 0);
}

bool bc_asm_next_line(struct bc_reader *r)
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
                do str_put_char(&w, *r->s++);
                while (!one && *r->s && !strchr(" \t\r\n,[]=#\"", *r->s));
                add_word(r, &w, false);
            }
        }
        while (*r->s && *r->s != '\n') r->s++;
        if (*r->s) r->s++;
    }
    str_deinit(&w);
    return r->words.len && !r->error;
}

const char *bc_asm_peek(struct bc_reader *r)
{
    return r->at < r->words.len && !r->quoted.data[r->at] ? r->words.data[r->at] : "";
}
bool bc_asm_more(struct bc_reader *r) { return r->at < r->words.len && !r->error; }
bool bc_asm_take(struct bc_reader *r, const char *word)
{
    if (strcmp(bc_asm_peek(r), word)) return false;
    r->at++;
    return true;
}
void bc_asm_want(struct bc_reader *r, const char *word)
{
    if (!bc_asm_take(r, word)) FAIL(r, "'%s' is wanted, not '%s'", word, bc_asm_peek(r));
}
uint64_t bc_asm_number(struct bc_reader *r)
{
    char *end;
    const char *w = bc_asm_peek(r);
    const uint64_t v = *w == '-' ? (uint64_t)strtoll(w, &end, 0) : strtoull(w, &end, 0);
    if (!*w || *end) FAIL(r, "a number is wanted, not '%s'", w);
    r->at++;
    return v;
}
uint32_t bc_asm_string(struct bc_reader *r)
{
    if (r->at >= r->words.len || !r->quoted.data[r->at]) {
        FAIL(r, "a quoted string is wanted, not '%s'", bc_asm_peek(r));
        return 0;
    }
    const char *w = r->words.data[r->at++];
    for (uint32_t i = 0; i < r->strings.len; i++)
        if (!strcmp(r->strings.data[i], w)) return i;
    vec_push(&r->strings, w);
    return (uint32_t)r->strings.len - 1;
}
unsigned bc_asm_choice(struct bc_reader *r, const char *const *names, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (bc_asm_take(r, names[i])) return i;
    FAIL(r, "'%s' is not known here", bc_asm_peek(r));
    return 0;
}

bool bc_asm_is_operand(const char *w)
{
    return !strcmp(w, "_") || ((*w == 'u' || *w == 'v') && w[1] >= '0' && w[1] <= '9' &&
                               !w[1 + strspn(w + 1, "0123456789")]);
}
uint32_t bc_asm_operand(struct bc_reader *r)
{
    const char *w = bc_asm_peek(r);
    if (!bc_asm_is_operand(w)) {
        FAIL(r, "an operand is wanted, not '%s'", w);
        return BC_NONE;
    }
    r->at++;
    if (*w == '_') return BC_NONE;
    return (uint32_t)strtoul(w + 1, NULL, 10) | (*w == 'v' ? BC_V : 0);
}
