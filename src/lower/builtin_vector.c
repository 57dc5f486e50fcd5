// SPDX-License-Identifier: MIT
// shuffle and shuffle2: constant masks rename registers, others are lane functions.
#include "lower/builtin.h"

static unsigned lg(unsigned x) { return (unsigned)__builtin_ctz(x); }

// Element `index`, modulo m, of m registers. Lane functions are ordered by m (2, 4, 8, 16), then by
// size.
static lw_reg pick(struct lw_bi *b, lw_reg index, const lw_reg *from, unsigned m)
{
    lw_reg src[BI_MAX_LANE_SRC] = {index};
    for (unsigned i = 0; i < m; i++) src[1 + i] = from[i];
    return lw_bi_lane(b, BI_FN_pick2_I8 + 4 * (lg(m) - 1) + lg(b->size), src);
}

// shuffle(x, mask) and shuffle2(x, y, mask): m and 2 m elements to choose from.
void lw_bi_shuffle(struct lw_bi *b)
{
    const unsigned sources = b->nargs - 1, m = b->c->arg[0].width, total = sources * m;
    lw_reg from[32];
    if (m == 1 || m == 3 || b->c->arg[sources].width != b->n ||
        bi_scalar_size(b->c->arg[sources].scalar) != b->size) {
        lw_error(b->f, b->inst, "'%s' of such vectors does not exist", b->c->row->name);
        return;
    }
    for (unsigned k = 0; k < total; k++) from[k] = lw_bi_arg(b, k / m, k % m);
    for (unsigned i = 0; i < b->n; i++) {
        lw_reg index = lw_bi_arg(b, sources, i);
        uint64_t known;
        if (lw_is_const(b->f, index, &known)) {
            b->out[i] = from[known & (total - 1)];
        } else if (total <= 16) {
            b->out[i] = pick(b, index, from, total);
        } else {
            lw_reg second = lw_2(b, LW_INT(AND, b->size), index, lw_const(b->f, 16));
            second = lw_2(b, LW_INT(NE, b->size), second, lw_const(b->f, 0));
            b->out[i] = lw_3(b, LW_INT(SEL, b->size), second, pick(b, index, from + 16, 16),
                             pick(b, index, from, 16));
        }
    }
}
