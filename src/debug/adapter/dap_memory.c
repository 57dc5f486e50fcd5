// SPDX-License-Identifier: MIT
// Memory for the Debug Adapter Protocol. A memory reference is an address as print shows it.
#include "debug/adapter/channel.h"
#include "debug/adapter/dap_request.h"
#include "debug/expressions/kernel_value.h"
#include "debug/session/focus.h"

#include <stdlib.h>
#include <string.h>

bool dbg_dap_pointer(struct vm_gang *g, const struct dbg_value *v, uint64_t *p)
{
    const struct dbg_type *t = dbg_strip(v->type);
    if (t->kind != BC_T_POINTER) return false;
    struct dbg_value loaded = *v;
    struct arena a = {0};
    struct err *e = dbg_value_load(g, &loaded, &a);
    if (!e) *p = (uint64_t)dbg_as_int(t, loaded.bytes);
    arena_deinit(&a);
    const bool known = !e;
    err_free(e);
    return known;
}

void dbg_dap_put_memory_reference(json_t *variable, struct vm_gang *g, const struct dbg_value *v)
{
    uint64_t p = v->address;
    if (dbg_dap_pointer(g, v, &p) || (v->in_memory && dbg_strip(v->type)->kind != BC_T_POINTER))
        json_object_set_new(variable, "memoryReference", dbg_dap_address(p));
}

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *base64(const uint8_t *p, size_t n)
{
    struct str s = {0};
    for (size_t i = 0; i < n; i += 3) {
        const uint32_t v = (uint32_t)p[i] << 16 | (i + 1 < n ? (uint32_t)p[i + 1] << 8 : 0) |
                           (i + 2 < n ? p[i + 2] : 0);
        for (unsigned k = 0; k < 4; k++)
            str_put_char(&s, i + k > n ? '=' : base64_digits[v >> (18 - 6 * k) & 63]);
    }
    return str_take(&s);
}

/** The bytes from "memoryReference" + "offset" to the end of their object. */
static uint64_t bytes_at(struct vm_gang *g, const json_t *args, uint64_t *address)
{
    const char *text = dbg_dap_string(args, "memoryReference");
    *address = strtoull(text, NULL, 0) + (uint64_t)dbg_dap_integer(args, "offset", 0);
    const struct vm_object *o = vm_object_of(g, *address);
    const int64_t off = vm_offset_of(*address);
    return off >= 0 && (uint64_t)off < o->size ? o->size - (uint64_t)off : 0;
}

void dbg_dap_read_memory(const json_t *r, const json_t *args)
{
    enum { MOST = 1 << 20 };
    struct vm_gang *g = dbg_dap_gang_of(dbg_focus.item);
    const json_int_t count = dbg_dap_integer(args, "count", 0);
    if (!g || !dbg_dap_string(args, "memoryReference") || count < 0) {
        dbg_dap_refuse(r,
                       g ? "A memoryReference and a count are expected." : "No kernel is stopped.");
        return;
    }
    uint64_t address, n = bytes_at(g, args, &address);
    if (n > (uint64_t)count) n = (uint64_t)count;
    if (n > MOST) n = MOST;
    uint8_t *bytes = malloc(n + 1);
    struct err *e = bytes && n ? dbg_read(g, address, bytes, n) : NULL;
    if (e || !bytes) n = 0;
    err_free(e);
    json_t *body = json_pack("{s:o}", "address", dbg_dap_address(address));
    if (n < (uint64_t)count)
        json_object_set_new(body, "unreadableBytes", json_integer(count - (json_int_t)n));
    if (n) {
        char *data = base64(bytes, n);
        json_object_set_new(body, "data", json_string(data));
        free(data);
    }
    free(bytes);
    dbg_dap_answer(r, body);
}

void dbg_dap_write_memory(const json_t *r, const json_t *args)
{
    struct vm_gang *g = dbg_dap_gang_of(dbg_focus.item);
    const char *data = dbg_dap_string(args, "data");
    VEC(uint8_t) bytes = {0};
    if (!g || !dbg_dap_string(args, "memoryReference") || !data) {
        dbg_dap_refuse(r, g ? "A memoryReference and data are expected." : "No kernel is stopped.");
        return;
    }
    uint32_t bits = 0;
    for (size_t i = 0, n = 0; data[i] && data[i] != '='; i++) {
        const char *digit = strchr(base64_digits, data[i]);
        if (!digit) {
            dbg_dap_refuse(r, "The data are not base64.");
            vec_free(&bytes);
            return;
        }
        bits = bits << 6 | (uint32_t)(digit - base64_digits);
        n += 6;
        if (n < 8) continue;
        n -= 8;
        vec_push(&bytes, (uint8_t)(bits >> n));
    }
    uint64_t address, n = bytes_at(g, args, &address);
    if (n > bytes.len || !json_is_true(json_object_get(args, "allowPartial"))) n = bytes.len;
    struct err *e = n ? dbg_write(g, address, bytes.data, n) : NULL;
    vec_free(&bytes);
    if (e) dbg_dap_refuse_err(r, e);
    else dbg_dap_answer(r, json_pack("{s:i, s:I}", "offset", 0, "bytesWritten", (json_int_t)n));
}
