// SPDX-License-Identifier: MIT
// Images: reads, writes, queries; samplers of the program.
#include "lower/builtin.h"

#include "base/str.h"

// The number of coordinates of a pixel, including the layer.
static unsigned coordinates(const struct bi_type *t)
{
    return (t->image & BI_IMAGE_DIMS) + !!(t->image & BI_IMAGE_IS_ARRAY);
}

void lw_bi_image(struct lw_bi *b)
{
    const struct bi_type *t = &b->c->arg[0];
    unsigned what = bi_image_code(b->c->id), at = 1; // argument of the coordinates
    const bool write = what & BC_IMAGE_WRITE,
               sampled = !write && b->nargs > 1 && b->c->arg[1].scalar == BI_SAMPLER;
    at += sampled;
    if (b->nargs != at + 1 + write || (t->image & BI_IMAGE_IS_MSAA)) {
        lw_error(b->f, b->inst,
                 "'%s' of an image with mip-maps or several samples is not supported",
                 b->c->row->name);
        return;
    }
    const struct bi_type *coord = &b->c->arg[at];
    const unsigned ncoord = what & BC_IMAGE_BLOCK ? 3 : coordinates(t);
    const bool half = b->c->id == BI_read_imageh; // (what is written is float by now)
    const unsigned nvalue = write ? b->c->arg[at + 1].width : b->n;
    if (coord->width < ncoord || bi_scalar_size(coord->scalar) != 4 ||
        (nvalue != 1 && nvalue != 4) || (!write && b->size != (half ? 2 : 4)) ||
        (write && bi_scalar_size(b->c->arg[at + 1].scalar) != 4)) {
        lw_error(b->f, b->inst, "'%s' does not exist for such arguments", b->c->row->name);
        return;
    }
    if (bi_is_float(coord->scalar)) what |= BC_IMAGE_FLOAT_COORDS;
    if (t->image & BI_IMAGE_IS_ARRAY) what |= BC_IMAGE_ARRAY;
    const lw_reg image = lw_bi_arg(b, 0, 0);
    lw_reg sampler = sampled ? lw_bi_arg(b, 1, 0) : BC_NONE;
    if (sampled && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(b->inst, 1))) == LLVMIntegerTypeKind)
        sampler = lw_zext(b->f, sampler, 4, 8); // SPIR 1.2
    bool varying = lw_is_varying(image) || lw_is_varying(sampler);
    uint32_t list[3 + 3 + 4] = {what, ncoord, nvalue}, *values = list + 3 + ncoord;
    for (unsigned i = 0; i < ncoord; i++) {
        list[3 + i] = lw_bi_arg(b, at, i);
        varying |= lw_is_varying(list[3 + i]);
    }
    for (unsigned i = 0; i < nvalue; i++)
        values[i] = write ? lw_bi_arg(b, at + 1, i) : (b->out[i] = lw_temp(b->f, 4, varying));
    const struct lw_addr addr = {
        .base = image, .index = BC_NONE, .index_kind = BC_IDX_NONE, .space = BC_GLOBAL};
    // the size of a pixel is known at the launch
    const struct lw_access how = {
        .elem = 8, .ncomp = 1, .is_float = (what & BC_IMAGE_KIND) == BC_IMAGE_F, .align = 1};
    lw_emit(b->f, (struct bc_insn){.op = BC_IMAGE,
                                   .dst = BC_NONE,
                                   .a = image,
                                   .b = sampler,
                                   .c = BC_NONE,
                                   .ext = lw_list(b->f, list, 3 + ncoord + nvalue),
                                   .site = lw_site(b->f, addr, how, write ? BC_WRITE : BC_READ)});
    for (unsigned i = 0; half && i < nvalue; i++) b->out[i] = lw_float_to_half(b->f, b->out[i]);
}

static lw_reg query(struct lw_bi *b, enum bc_image_query q)
{
    const lw_reg image = lw_bi_arg(b, 0, 0), d = lw_temp(b->f, 4, lw_is_varying(image));
    lw_emit(b->f,
            (struct bc_insn){
                .op = BC_IMAGE_QUERY, .dst = d, .a = image, .b = BC_NONE, .c = BC_NONE, .ext = q});
    return d;
}

void lw_bi_image_query(struct lw_bi *b)
{
    switch (b->c->id) {
    case BI_get_image_width: b->out[0] = query(b, BC_IMAGE_WIDTH); break;
    case BI_get_image_height: b->out[0] = query(b, BC_IMAGE_HEIGHT); break;
    case BI_get_image_depth: b->out[0] = query(b, BC_IMAGE_DEPTH); break;
    case BI_get_image_array_size: b->out[0] = query(b, BC_IMAGE_LAYERS); break;
    case BI_get_image_channel_data_type: b->out[0] = query(b, BC_IMAGE_TYPE); break;
    case BI_get_image_channel_order: b->out[0] = query(b, BC_IMAGE_ORDER); break;
    default: // get_image_dim: int2, or for 3-D int4 whose last is 0
        b->out[0] = query(b, BC_IMAGE_WIDTH);
        b->out[1] = query(b, BC_IMAGE_HEIGHT);
        if (b->n == 4) b->out[2] = query(b, BC_IMAGE_DEPTH);
        return;
    }
    if (b->size == 8) b->out[0] = lw_zext(b->f, b->out[0], 4, 8); // size_t get_image_array_size
}

// A sampler of the program is its number, which clang passes.
void lw_bi_sampler(struct lw_bi *b) { b->out[0] = lw_zext(b->f, lw_bi_arg(b, 0, 0), 4, 8); }

// Another type for the same 64 bits.
void lw_bi_reinterpret(struct lw_bi *b) { b->out[0] = lw_bi_arg(b, 0, 0); }
