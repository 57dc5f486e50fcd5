// SPDX-License-Identifier: MIT
#include "report/macro_lines.h"

#include "report/excerpt.h"

#include <ctype.h>
#include <string.h>

static size_t name_length(const char *s, const char *end)
{
    size_t n = 0;
    if (s < end && isdigit((unsigned char)*s)) return 0;
    while (s + n < end && rep_is_name_char(s[n])) n++;
    return n;
}

static const char *behind_blanks(const char *s, const char *end)
{
    while (s < end && (*s == ' ' || *s == '\t')) s++;
    return s;
}

/** Is this line `# define NAME`? */
static bool defines(const char *s, const char *end, const char *name, size_t n)
{
    static const char word[] = "define";
    s = behind_blanks(s, end);
    if (s == end || *s != '#') return false;
    s = behind_blanks(s + 1, end);
    if ((size_t)(end - s) < sizeof word || strncmp(s, word, sizeof word - 1)) return false;
    s = behind_blanks(s + sizeof word - 1, end);
    return name_length(s, end) == n && !memcmp(s, name, n);
}

uint32_t rep_macro_at(struct rep_sources *s, const struct rep_place *p,
                      struct rep_place *definition, const char **name, size_t *name_len)
{
    size_t len;
    const char *line = rep_sources_line(s, p, &len);
    if (!line || !p->col || p->col > len) return 0;
    *name = line + p->col - 1;
    *name_len = name_length(*name, line + len);
    if (!*name_len) return 0;
    *definition = *p;
    definition->col = 0;
    while (--definition->line) {
        line = rep_sources_line(s, definition, &len);
        if (!line) return 0;
        if (!defines(line, line + len, *name, *name_len)) continue;
        struct rep_place last = *definition;
        while (line && len && line[len - 1] == '\\') {
            last.line++;
            line = rep_sources_line(s, &last, &len);
        }
        return last.line - definition->line + 1;
    }
    return 0;
}
