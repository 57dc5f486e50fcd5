// SPDX-License-Identifier: MIT
#include "bytecode/text.h"

const char *const bc_text_spaces[5] = {"private", "global", "constant", "local", "generic"};
const char *const bc_text_access[6] = {"lea", "read",        "write",
                                       "rmw", "atomic_load", "atomic_store"};
const char *const bc_text_index[4] = {"none", "s32", "u32", "i64"};
const char *const bc_text_types[6] = {"I8", "I16", "I32", "I64", "F32", "F64"};
const char *const bc_text_wi[BC_WI_KINDS] = {
    "global_id",           "local_id",      "group_id",      "global_size", "local_size",
    "enqueued_local_size", "num_groups",    "global_offset", "work_dim",    "global_linear_id",
    "local_linear_id",     "sub_group_size"};
const char *const bc_text_objects[4] = {"private", "local", "constant", "program"};
const char *const bc_text_args[6] = {"value", "buffer", "local", "struct", "image", "sampler"};
const char *const bc_text_atomics[14] = {"xchg", "add",  "sub",  "and",     "or",   "xor",  "smin",
                                         "smax", "umin", "umax", "cmpxchg", "fadd", "fmin", "fmax"};
const char *const bc_text_orders[7] = {"relaxed", "acquire", "release",   "acq_rel",
                                       "seq_cst", "cl1",     "cl1_unused"};
const char *const bc_text_dtypes[BC_T_KINDS] = {"void",    "bool",    "int",    "uint",   "float",
                                                "pointer", "array",   "vector", "struct", "union",
                                                "enum",    "typedef", "const",  "opaque"};
const char *const bc_text_guards[4] = {"lt", "le", "gt", "ge"};
const char *const bc_text_scopes[5] = {"item", "sub_group", "group", "device", "all"};

const char *bc_text_form(enum bc_op op)
{
    switch (op) {
    case BC_WI_I64:
    case BC_WI_I32: return "w";
    case BC_LEA: return "abs";
    case BC_SPACE: return "ax";
    case BC_SAME: return "a";
    case BC_LOAD: return "labs";
    case BC_STORE: return "abvs";
    case BC_ATOMIC: return "abcks";
    case BC_COPY: return "abcsr";
    case BC_SET: return "abcs";
    case BC_LANEFN:
    case BC_CALL: return "F";
    case BC_PRINTF: return "P";
    case BC_FENCE: return "x";
    case BC_UNDEF: return "Ax";
    case BC_FORGET: return "x";
    case BC_INDEX: return "abCx";
    case BC_ASYNC_COPY: return "abcYs";
    case BC_WAIT_EVENTS: return "acs";
    case BC_IMAGE: return "abIs";
    case BC_IMAGE_QUERY: return "ax";
    case BC_COLLECT: return "abcx";
    case BC_BR: return "j";
    case BC_CBR: return "aJ";
    case BC_RET: return "R";
    case BC_BARRIER: return "AbCj";
    case BC_MEET: return "Aj";
    case BC_TRAP: return "";
    default: return NULL;
    }
}
