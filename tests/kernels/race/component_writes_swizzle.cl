// SPDX-License-Identifier: MIT
// RUN: --global=2 --local=2 --arg=float4[1]=0
// DUMP 0: [1.0, 1.0, 2.0, 2.0]
// Components of one vector by two work-items.
kernel void k(global float4 *v) { if (get_local_id(0) == 0) v->xy = (float2)(1.0f); else v->zw = (float2)(2.0f); }
