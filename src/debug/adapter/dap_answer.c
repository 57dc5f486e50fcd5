// SPDX-License-Identifier: MIT
// Answers of the Debug Adapter Protocol, and fields of requests.
#include "debug/adapter/channel.h"
#include "debug/adapter/dap_request.h"

#include <inttypes.h>

void dbg_dap_answer(const json_t *request, json_t *body)
{
    json_t *m = json_object();
    json_object_set_new(m, "type", json_string("response"));
    json_object_set(m, "request_seq", json_object_get(request, "seq"));
    json_object_set_new(m, "success", json_true());
    json_object_set(m, "command", json_object_get(request, "command"));
    if (body) json_object_set_new(m, "body", body);
    dbg_send(m);
}

void dbg_dap_refuse(const json_t *request, const char *why)
{
    json_t *m = json_object(), *error = json_object(), *body = json_object();
    json_object_set_new(m, "type", json_string("response"));
    json_object_set(m, "request_seq", json_object_get(request, "seq"));
    json_object_set_new(m, "success", json_false());
    json_object_set(m, "command", json_object_get(request, "command"));
    json_object_set_new(m, "message", dbg_json_text(why));
    json_object_set_new(error, "id", json_integer(1));
    json_object_set_new(error, "format", dbg_json_text(why));
    json_object_set_new(body, "error", error);
    json_object_set_new(m, "body", body);
    dbg_send(m);
}

void dbg_dap_refuse_err(const json_t *request, struct err *e)
{
    dbg_dap_refuse(request, err_message(e));
    err_free(e);
}

json_t *dbg_dap_address(uint64_t x)
{
    char s[24];
    snprintf(s, sizeof s, "0x%" PRIx64, x);
    return json_string(s);
}

const char *dbg_dap_string(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}
json_int_t dbg_dap_integer(const json_t *o, const char *key, json_int_t dflt)
{
    const json_t *v = json_object_get(o, key);
    return json_is_integer(v) ? json_integer_value(v) : dflt;
}
