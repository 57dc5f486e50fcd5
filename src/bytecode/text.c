// SPDX-License-Identifier: MIT
#include "bytecode/text.h"

const char *const bc_text_spaces[5] = {"private", "global", "constant", "local", "generic"};
const char *const bc_text_access[6] = {"lea", "read",        "write",
                                       "rmw", "atomic_load", "atomic_store"};
const char *const bc_text_index[4] = {"none", "s32", "u32", "i64"};
const char *const bc_text_types[6] = {"I8", "I16", "I32", "I64", "F32", "F64"};
const char *const bc_text_wi[BC_WI_KINDS] = {
    "global_id",           "local_id",       "group_id",          "global_size", "local_size",
    "enqueued_local_size", "num_groups",     "global_offset",     "work_dim",    "global_linear_id",
    "local_linear_id",     "sub_group_size", "max_sub_group_size"};
const char *const bc_text_objects[4] = {"private", "local", "constant", "program"};
const char *const bc_text_args[6] = {"value", "buffer", "local", "struct", "image", "sampler"};
const char *const bc_text_atomics[14] = {"xchg", "add",  "sub",  "and",     "or",   "xor",  "smin",
                                         "smax", "umin", "umax", "cmpxchg", "fadd", "fmin", "fmax"};
const char *const bc_text_orders[7] = {"relaxed", "acquire", "release",   "acq_rel",
                                       "seq_cst", "cl1",     "cl1_unused"};
const char *const bc_text_dtypes[BC_T_KINDS] = {"void",    "bool",    "int",    "uint",   "float",
                                                "pointer", "array",   "vector", "struct", "union",
                                                "enum",    "typedef", "const",  "opaque"};
const char *const bc_text_preconditions[4] = {"lt", "le", "gt", "ge"};
const char *const bc_text_scopes[5] = {"item", "sub_group", "group", "device", "all"};
const struct bc_text_flag bc_text_flags[BC_TEXT_FLAGS] = {
    {"masked", BC_MASKED},   {"stmt", BC_FIRST_OF_STMT}, {"once", BC_ONCE},
    {"decides", BC_DECIDES}, {"case", BC_CASE},          {"saturates", BC_SATURATES}};
