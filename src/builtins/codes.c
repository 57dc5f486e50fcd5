// SPDX-License-Identifier: MIT
// What work-group, sub-group and image functions are in bytecode's numbers, which machine code
// gives to the same routines.
#include "builtins/builtins.h"

#include "base/str.h"

#include <string.h>

enum bc_combine bi_combine(const struct bi_call *c)
{
    const bool is_unsigned = !bi_is_float(c->gen.scalar) && !bi_is_signed(c->gen.scalar);
    if (is_unsigned && c->combine == BC_COM_MIN) return BC_COM_UMIN;
    if (is_unsigned && c->combine == BC_COM_MAX) return BC_COM_UMAX;
    return c->combine;
}

enum bc_collect bi_collect(const struct bi_row *row)
{
    static const struct {
        const char *name;
        enum bc_collect what;
    } table[] = {
        {"all", BC_COL_ALL},
        {"any", BC_COL_ANY},
        {"all_equal", BC_COL_ALL_EQUAL},
        {"elect", BC_COL_ELECT},
        {"ballot", BC_COL_BALLOT},
        {"broadcast", BC_COL_BROADCAST},
        {"broadcast_first", BC_COL_FIRST},
        {"reduce_", BC_COL_REDUCE},
        {"scan_inclusive_", BC_COL_INCLUSIVE},
        {"scan_exclusive_", BC_COL_EXCLUSIVE},
        {"shuffle", BC_COL_SHUFFLE},
        {"shuffle_xor", BC_COL_SHUFFLE_XOR},
        {"shuffle_up", BC_COL_SHUFFLE_UP},
        {"shuffle_down", BC_COL_SHUFFLE_DOWN},
        {"rotate", BC_COL_ROTATE},
        {"barrier", BC_COL_BARRIER},
        {"block_pointer", BC_COL_BLOCK_POINTER},
        {"block_coordinates", BC_COL_BLOCK_COORDINATES},
    };
    const char *name = strstr(row->name, "_group_") + strlen("_group_");
    if (str_starts(name, "non_uniform_")) name += strlen("non_uniform_");
    if (str_starts(name, "clustered_")) name += strlen("clustered_");
    unsigned k = 0;
    while (strcmp(table[k].name, name)) k++;
    return table[k].what;
}

unsigned bi_image_code(enum bi_id id)
{
    enum {
        BLOCK_1 = BC_IMAGE_U | BC_IMAGE_BLOCK,
        BLOCK_2 = BLOCK_1 | 1 << BC_IMAGE_BLOCK_LOG,
        BLOCK_4 = BLOCK_1 | 2 << BC_IMAGE_BLOCK_LOG
    };
    switch (id) {
    case BI___cldbg_image_block_read1: return BLOCK_1;
    case BI___cldbg_image_block_read2: return BLOCK_2;
    case BI___cldbg_image_block_read4: return BLOCK_4;
    case BI___cldbg_image_block_write1: return BLOCK_1 | BC_IMAGE_WRITE;
    case BI___cldbg_image_block_write2: return BLOCK_2 | BC_IMAGE_WRITE;
    case BI___cldbg_image_block_write4: return BLOCK_4 | BC_IMAGE_WRITE;
    case BI_read_imagei: return BC_IMAGE_S;
    case BI_read_imageui: return BC_IMAGE_U;
    case BI_write_imagef:
    case BI_write_imageh: return BC_IMAGE_F | BC_IMAGE_WRITE;
    case BI_write_imagei: return BC_IMAGE_S | BC_IMAGE_WRITE;
    case BI_write_imageui: return BC_IMAGE_U | BC_IMAGE_WRITE;
    default: return BC_IMAGE_F;
    }
}

enum bi_fn bi_convert_lane(const struct bi_call *c)
{
    const enum bi_scalar from = c->arg[0].scalar;
    const bool is_signed = bi_is_signed(from), wide = bi_scalar_size(from) == 8;
    const unsigned mode = c->round == BI_ROUND_NONE ? 0
                                                    : c->round - BI_RTE; // in the order of modes
    if (c->to.scalar == BI_HALF)
        return (from == BI_DOUBLE ? BI_FN_half_of_F64_rte : BI_FN_half_of_F32_rte) + mode;
    const enum bi_fn rtz = from == BI_DOUBLE ? BI_FN_ftrunc_F32_F64_rtz
                           : c->to.scalar == BI_DOUBLE
                               ? is_signed ? BI_FN_s2f_F64_I64_rtz : BI_FN_u2f_F64_I64_rtz
                           : wide      ? is_signed ? BI_FN_s2f_F32_I64_rtz : BI_FN_u2f_F32_I64_rtz
                           : is_signed ? BI_FN_s2f_F32_I32_rtz
                                       : BI_FN_u2f_F32_I32_rtz;
    return rtz + mode - 1;
}
