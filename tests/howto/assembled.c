// SPDX-License-Identifier: MIT
// assembled FILE N: runs the first kernel of a file in the bytecode's text form for N work-items in
// one group, with one buffer of N zeros as argument, and prints the buffer.
#include "interp/engine.h"

#include <stdio.h>
#include <stdlib.h>

static int nargs;
static char **args;

static void run(void **state)
{
    (void)state;
    struct str text = {0};
    FILE *f = fopen(args[1], "r");
    const unsigned n = (unsigned)strtoul(args[2], NULL, 10);
    uint32_t *out = calloc(n, sizeof *out);
    assert_non_null(f);
    for (int c; (c = getc(f)) != EOF;) str_put_char(&text, (char)c);
    fclose(f);
    struct engine e;
    engine_open(&e, str_text(&text), n, n);
    engine_buffer(&e, 0, out, n * sizeof *out);
    engine_run(&e);
    engine_close(&e);
    for (unsigned i = 0; i < n; i++) printf("%u%c", out[i], i + 1 < n ? ' ' : '\n');
    free(out);
    str_deinit(&text);
}

int main(int argc, char **argv)
{
    nargs = argc;
    args = argv;
    if (nargs != 3) return 2;
    return cmocka_run_group_tests((struct CMUnitTest[]){cmocka_unit_test(run)}, NULL, NULL);
}
