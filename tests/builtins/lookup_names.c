// SPDX-License-Identifier: MIT
// Reads mangled names, a line each, and prints those that bi_lookup does not know. For lookup.sh.
#include "builtins/builtins.h"

#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[1024];
    unsigned n = 0, unknown = 0;
    struct bi_call c;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        n++;
        if (bi_lookup(line, &c)) continue;
        unknown++;
        puts(line);
    }
    fprintf(stderr, "%u names, %u unknown\n", n, unknown);
    return unknown || !n;
}
