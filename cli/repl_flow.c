// SPDX-License-Identifier: MIT
// `if` and `while` of the debugger's scripts. A block is one text: its first line, and the lines
// after it up to `end`. The chosen commands are put before the waiting commands; a loop puts itself
// after its body, with a mark that loop_break and loop_continue look for.
#include "cli/repl.h"

#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

static bool begins(const char *p, const char *word)
{
    const size_t n = strlen(word);
    p += strspn(p, " \t");
    return !strncmp(p, word, n) && (!p[n] || strchr(" \t\n(", p[n]));
}

/** The lines of a block without the first; blocks inside are one element each. */
typedef VEC(char *) lines;

static const char *next_line(const char *p)
{
    p += strcspn(p, "\n");
    return *p ? p + 1 : p;
}

/** By itself: a documentation's text may begin with the word. */
static bool is_end(const char *p)
{
    p += strspn(p, " \t");
    return !strncmp(p, "end", 3) && (p += 3 + strspn(p + 3, " \t\r"), !*p || *p == '\n');
}

bool repl_opens_block(const char *p)
{
    return begins(p, "if") || begins(p, "while") || begins(p, "commands") || begins(p, "define") ||
           begins(p, "document");
}

void repl_depth_line(struct repl_depth *d, const char *line)
{
    if (d->blocks && is_end(line)) d->blocks--, d->text = false;
    if (d->text || !repl_opens_block(line)) return;
    d->blocks++;
    d->text = begins(line, "document");
}

/** The element that begins at p: a line, or a block up to its `end`. */
static const char *element_end(const char *p)
{
    struct repl_depth d = {0};
    do {
        repl_depth_line(&d, p);
        p = next_line(p);
    } while (*p && d.blocks);
    return p;
}

static void put(lines *to, const char *p, size_t n)
{
    char *own = mem_strdup(p);
    own[n && p[n - 1] == '\n' ? n - 1 : n] = 0;
    vec_push(to, own);
}

/** The lines before `else` (then) and after it, or before `end`. */
static void cut(const char *block, lines *then, lines *otherwise)
{
    lines *to = then;
    for (const char *p = next_line(block); *p && !is_end(p);) {
        const char *end = element_end(p);
        if (begins(p, "else")) to = otherwise;
        else put(to, p, (size_t)(end - p));
        p = end;
    }
}

static void forget(lines *l)
{
    for (size_t i = 0; i < l->len; i++) free(l->data[i]);
    vec_free(l);
}

void repl_flow(const char *block, bool holds)
{
    lines then = {0}, otherwise = {0};
    cut(block, &then, &otherwise);
    const lines *chosen = holds ? &then : &otherwise;
    if (holds && begins(block, "while")) repl_do_first(block); // again, after its body
    for (size_t i = chosen->len; i-- > 0;) repl_do_first(chosen->data[i]);
    forget(&then);
    forget(&otherwise);
}

bool repl_flow_word(const char *line)
{
    const bool ends = begins(line, "loop_break"), next = begins(line, "loop_continue");
    if (!ends && !next) return false;
    size_t i = 0;
    while (i < repl.pending.len &&
           !(begins(repl.pending.data[i], "while") && strchr(repl.pending.data[i], '\n')))
        i++;
    if (i == repl.pending.len) {
        repl_say("%s is for use inside of `while`.\n", ends ? "loop_break" : "loop_continue");
        repl.failed = true;
        return true;
    }
    const size_t gone = i + ends; // the rest of the body, and with loop_break the loop
    for (size_t k = 0; k < gone; k++) free(repl.pending.data[k]);
    memmove(repl.pending.data, repl.pending.data + gone,
            (repl.pending.len - gone) * sizeof *repl.pending.data);
    repl.pending.len -= gone;
    return true;
}
