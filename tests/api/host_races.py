#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Commands of two queues, out of order, on parts of buffers, on images, mapped: which of them race with one another. Each program
had its verdict before it ran; all are functions of one script, and a finding belongs to the one whose lines it names.
"""
import ctypes
import inspect
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time

try:
    import numpy as np
    import pyopencl as cl
except ImportError:
    print('skipped: python3-pyopencl is missing')
    sys.exit(77)

mf = cl.mem_flags
KERNELS = """
kernel void inc(global int *a) { a[get_global_id(0)] += 1; }
kernel void set(global int *a, int v) { a[get_global_id(0)] = v; }
kernel void add(global const int *a, global int *b) { b[get_global_id(0)] += a[get_global_id(0)]; }
kernel void half_(global int *a, int at) { a[at + get_global_id(0)] = at; }
kernel void slow(global const int *a, global int *b) { int s = 0; for (int i = 0; i < 4000000; i++) s = s * 3 + a[(i + s) & 63]; b[get_global_id(0)] = s; }
kernel void slow_part(global int *a) { int s = 0; for (int i = 0; i < 4000000; i++) s = s * 3 + a[(i + s) & 31]; a[32 + get_global_id(0)] = s; }
kernel void count(volatile global int *a) { atomic_inc(a); }
kernel void img(read_only image2d_t i, global float *o) { o[get_global_id(0)] = read_imagef(i, (int2)(get_global_id(0), 0)).x; }
global int total, table[64], other[64];
kernel void into_table(int by) { table[get_global_id(0)] += by; }
kernel void into_other(int by) { other[get_global_id(0)] += by; }
kernel void half_table(int at) { table[at + get_global_id(0)] = at; }
kernel void of_table(global int *o) { o[get_global_id(0)] = table[get_global_id(0)]; }
kernel void to_total() { atomic_inc(&total); }
kernel void clear_total() { total = 0; }
void through(global int *p) { p[get_global_id(0)]++; }
kernel void by_pointer(int which) { through(which ? table : other); }
kernel void kept_between() { static global int before[64]; before[get_global_id(0)]++; }
kernel void copied(global int *o) { local int t[32]; event_t e = async_work_group_copy(t, o, 32, 0); wait_group_events(1, &e); }
kernel void copied_to(global int *o) { local int t[32]; t[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(o, t, 32, 0); wait_group_events(1, &e); }
kernel void copied_to_table() { local int t[32]; t[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_strided_copy(table, t, 32, 2, 0); wait_group_events(1, &e); }
kernel void odd_of_table() { table[2 * get_global_id(0) + 1] = 1; }
kernel void wimg(write_only image2d_t i) { write_imagef(i, (int2)(get_global_id(0), 0), (float4)(1)); }
"""
PROGRAMS = []  # (function, do its commands race)
EVENTS = []
ALONE = []  # functions without a kernel, for which the report may know no line of theirs


def setup(queues=True):
    global ctx, prg, ooo, q1, q2
    ctx = cl.create_some_context(interactive=False)
    prg = cl.Program(ctx, KERNELS).build(['-cl-std=CL3.0'])
    if not queues:
        return
    ooo = cl.CommandQueue(ctx, properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
    q1, q2 = cl.CommandQueue(ctx), cl.CommandQueue(ctx)


def buf(n=64):
    return cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=np.zeros(n, np.int32))


def finish():
    for q in (ooo, q1, q2):
        q.finish()


def program(races, alone=False, queues=3):
    def take(f):
        f.queues = queues
        (ALONE if alone else PROGRAMS).append((f, races))
        return f
    return take


@program(True)
def ooo_two_kernels():
    a = buf()
    prg.inc(ooo, (64,), None, a)
    prg.inc(ooo, (64,), None, a)
    finish()


@program(False)
def ooo_two_kernels_event():
    a = buf()
    e = prg.inc(ooo, (64,), None, a)
    prg.inc(ooo, (64,), None, a, wait_for=[e])
    finish()


@program(False)
def ooo_chain_of_three():
    a, b = buf(), buf()
    e = prg.inc(ooo, (64,), None, a)
    f = prg.add(ooo, (64,), None, b, b, wait_for=[e])
    prg.inc(ooo, (64,), None, a, wait_for=[f])
    finish()


@program(False)
def ooo_barrier():
    a = buf()
    prg.inc(ooo, (64,), None, a)
    cl.enqueue_barrier(ooo)
    prg.inc(ooo, (64,), None, a)
    finish()


@program(True)
def ooo_marker_is_no_barrier():
    a = buf()
    prg.inc(ooo, (64,), None, a)
    cl.enqueue_marker(ooo)
    prg.inc(ooo, (64,), None, a)
    finish()


@program(False)
def ooo_marker_waited():
    a = buf()
    prg.inc(ooo, (64,), None, a)
    m = cl.enqueue_marker(ooo)
    prg.inc(ooo, (64,), None, a, wait_for=[m])
    finish()


@program(False)
def ooo_halves():
    a = buf()
    prg.half_(ooo, (32,), None, a, np.int32(0))
    prg.half_(ooo, (32,), None, a, np.int32(32))
    finish()


@program(True)
def ooo_halves_overlap():
    a = buf()
    prg.half_(ooo, (33,), None, a, np.int32(0))
    prg.half_(ooo, (32,), None, a, np.int32(32))
    finish()


@program(False)
def ooo_atomics_only():
    a = buf()
    prg.count(ooo, (64,), None, a)
    prg.count(ooo, (64,), None, a)
    finish()


@program(False)
def ooo_both_read():
    a, b, c = buf(), buf(), buf()
    prg.add(ooo, (64,), None, a, b)
    prg.add(ooo, (64,), None, a, c)
    finish()


@program(True)
def two_queues():
    a = buf()
    prg.inc(q1, (64,), None, a)
    prg.inc(q2, (64,), None, a)
    finish()


@program(True)
def two_queues_flush_only():
    a = buf()
    prg.inc(q1, (64,), None, a)
    q1.flush()
    prg.inc(q2, (64,), None, a)
    finish()


@program(False)
def two_queues_finish():
    a = buf()
    prg.inc(q1, (64,), None, a)
    q1.finish()
    prg.inc(q2, (64,), None, a)
    finish()


@program(False)
def two_queues_event():
    a = buf()
    e = prg.inc(q1, (64,), None, a)
    prg.inc(q2, (64,), None, a, wait_for=[e])
    finish()


@program(False)
def two_queues_user_event():
    a = buf()
    u = cl.UserEvent(ctx)
    e = prg.inc(q1, (64,), None, a, wait_for=[u])
    prg.inc(q2, (64,), None, a, wait_for=[e])
    u.set_status(0)
    finish()


@program(True)
def read_while_written():
    a = buf()
    h = np.empty(64, np.int32)
    prg.inc(q1, (64,), None, a)
    cl.enqueue_copy(q2, h, a)
    finish()


@program(False)
def read_blocking_same_queue():
    a = buf()
    h = np.empty(64, np.int32)
    prg.inc(q1, (64,), None, a)
    cl.enqueue_copy(q1, h, a)
    finish()


@program(True)
def fill_ooo():
    a = buf()
    cl.enqueue_fill_buffer(ooo, a, np.int32(3), 0, 256)
    prg.inc(ooo, (64,), None, a)
    finish()


@program(False)
def copy_parts_ooo():
    a, b = buf(), buf()
    cl.enqueue_copy(ooo, b, a, byte_count=128)
    cl.enqueue_copy(ooo, b, a, byte_count=128, src_offset=128, dst_offset=128)
    finish()


@program(True)
def copy_parts_overlap_ooo():
    a, b = buf(), buf()
    cl.enqueue_copy(ooo, b, a, byte_count=132)
    cl.enqueue_copy(ooo, b, a, byte_count=128, src_offset=128, dst_offset=128)
    finish()


@program(False)
def sub_buffers_apart():
    a = cl.Buffer(ctx, mf.READ_WRITE, 512)
    x, y = a[0:256], a[256:512]
    prg.set(ooo, (64,), None, x, np.int32(1))
    prg.set(ooo, (64,), None, y, np.int32(1))
    finish()


@program(True)
def sub_buffer_and_root():
    a = cl.Buffer(ctx, mf.READ_WRITE, 512)
    y = a[256:512]
    prg.set(ooo, (128,), None, a, np.int32(1))
    prg.set(ooo, (64,), None, y, np.int32(2))
    finish()


@program(True)
def mapped_write_kernel():
    a = buf()
    m, _ = cl.enqueue_map_buffer(q1, a, cl.map_flags.WRITE, 0, (64,), np.int32)
    prg.inc(q1, (64,), None, a)
    q1.finish()
    m.base.release(q1)
    finish()


@program(False)
def mapped_read_kernel_reads():
    a, b = buf(), buf()
    m, _ = cl.enqueue_map_buffer(q1, a, cl.map_flags.READ, 0, (64,), np.int32)
    prg.add(q1, (64,), None, a, b)
    q1.finish()
    m.base.release(q1)
    finish()


@program(True)
def mapped_read_kernel_writes():
    a = buf()
    m, _ = cl.enqueue_map_buffer(q1, a, cl.map_flags.READ, 0, (64,), np.int32)
    prg.inc(q1, (64,), None, a)
    q1.finish()
    m.base.release(q1)
    finish()


@program(False)
def mapped_other_half():
    a = buf()
    m, _ = cl.enqueue_map_buffer(q1, a, cl.map_flags.WRITE, 128, (32,), np.int32)
    prg.half_(q1, (32,), None, a, np.int32(0))
    q1.finish()
    m.base.release(q1)
    finish()


@program(False)
def unmapped_before():
    a = buf()
    m, _ = cl.enqueue_map_buffer(q1, a, cl.map_flags.WRITE, 0, (64,), np.int32)
    m.base.release(q1)
    prg.inc(q1, (64,), None, a)
    finish()


@program(True)
def unmap_ooo_no_event():
    a = buf()
    m, _ = cl.enqueue_map_buffer(ooo, a, cl.map_flags.WRITE, 0, (64,), np.int32)
    m.base.release(ooo)
    prg.inc(ooo, (64,), None, a)
    finish()


@program(True)
def image_write_read_ooo():
    i = cl.Image(ctx, mf.READ_WRITE, cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.FLOAT), shape=(64, 1))
    o = buf()
    prg.wimg(ooo, (64,), None, i)
    prg.img(ooo, (64,), None, i, o)
    finish()


@program(False)
def image_write_read_event():
    i = cl.Image(ctx, mf.READ_WRITE, cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.FLOAT), shape=(64, 1))
    o = buf()
    e = prg.wimg(ooo, (64,), None, i)
    prg.img(ooo, (64,), None, i, o, wait_for=[e])
    finish()


@program(False)
def ping_pong_two_queues_events():
    a, b = buf(), buf()
    e = None
    for k in range(4):
        e = prg.add(q1 if k % 2 else q2, (64,), None, a, b, wait_for=[e] if e else None)
        a, b = b, a
    finish()


@program(True)
def ping_pong_one_event_missing():
    a, b = buf(), buf()
    e = None
    for k in range(4):
        e = prg.add(q1 if k % 2 else q2, (64,), None, a, b, wait_for=[e] if e and k != 2 else None)
        a, b = b, a
    finish()


@program(False)
def host_waits_for_event():
    a = buf()
    e = prg.inc(q1, (64,), None, a)
    e.wait()
    prg.inc(q2, (64,), None, a)
    finish()


@program(False)
def host_polls_event():
    a = buf()
    e = prg.inc(q1, (64,), None, a)
    q1.flush()
    while e.command_execution_status != cl.command_execution_status.COMPLETE:
        time.sleep(0.001)
    prg.inc(q2, (64,), None, a)
    finish()


@program(False)
def callback_says_complete():
    a = buf()
    done = threading.Event()
    e = prg.inc(q1, (64,), None, a)
    e.set_callback(cl.command_execution_status.COMPLETE, lambda status: done.set())
    q1.flush()
    done.wait()
    prg.inc(q2, (64,), None, a)
    finish()


@program(False)
def blocking_read_of_another_buffer():
    a, b, h = buf(), buf(), np.zeros(64, np.int32)
    prg.inc(q1, (64,), None, a)
    cl.enqueue_copy(q1, h, b, is_blocking=True)
    prg.inc(q2, (64,), None, a)
    finish()


@program(True)
def blocking_read_of_another_buffer_out_of_order():
    a, b, h = buf(), buf(), np.zeros(64, np.int32)
    prg.inc(ooo, (64,), None, a)
    cl.enqueue_copy(ooo, h, b, is_blocking=True)
    prg.inc(q2, (64,), None, a)
    finish()


@program(True)
def waited_for_the_wrong_event():
    a, b = buf(), buf()
    e = prg.inc(q1, (64,), None, b)
    prg.inc(q1, (64,), None, a)
    prg.inc(q2, (64,), None, a, wait_for=[e])
    finish()


@program(False)
def event_of_a_later_command_in_order():
    a, b = buf(), buf()
    prg.inc(q1, (64,), None, a)
    e = prg.inc(q1, (64,), None, b)
    prg.inc(q2, (64,), None, a, wait_for=[e])
    finish()


@program(True)
def event_of_a_later_command_out_of_order():
    a, b = buf(), buf()
    prg.inc(ooo, (64,), None, a)
    e = prg.inc(ooo, (64,), None, b)
    prg.inc(q2, (64,), None, a, wait_for=[e])
    finish()


@program(False)
def read_into_the_host_memory_afterwards():
    h = np.zeros(64, np.int32)
    a = cl.Buffer(ctx, mf.READ_WRITE | mf.USE_HOST_PTR, hostbuf=h)
    e = prg.inc(q1, (64,), None, a)
    m, _ = cl.enqueue_map_buffer(q1, a, cl.map_flags.READ, 0, (64,), np.int32)
    m.base.release(q1)
    finish()


@program(True)
def svm_mapped_while_kernel_writes():
    s = cl.svm_empty(ctx, cl.svm_mem_flags.READ_WRITE, 64, np.int32)
    with cl.SVM(s).map_rw(q1) as m:
        m.fill(0)
        prg.inc(q2, (64,), None, cl.SVM(s))
        q2.finish()
    finish()


@program(False)
def svm_mapped_between_kernels():
    s = cl.svm_empty(ctx, cl.svm_mem_flags.READ_WRITE, 64, np.int32)
    with cl.SVM(s).map_rw(q1) as m:
        m.fill(0)
    prg.inc(q1, (64,), None, cl.SVM(s))
    with cl.SVM(s).map_rw(q1) as m:
        m.fill(1)
    prg.inc(q1, (64,), None, cl.SVM(s))
    finish()


@program(True)
def svm_two_queues():
    s = cl.svm_empty(ctx, cl.svm_mem_flags.READ_WRITE, 64, np.int32)
    prg.set(q1, (64,), None, cl.SVM(s), np.int32(1))
    prg.set(q2, (64,), None, cl.SVM(s), np.int32(2))
    finish()


@program(False)
def svm_two_queues_event():
    s = cl.svm_empty(ctx, cl.svm_mem_flags.READ_WRITE, 64, np.int32)
    e = prg.set(q1, (64,), None, cl.SVM(s), np.int32(1))
    prg.set(q2, (64,), None, cl.SVM(s), np.int32(2), wait_for=[e])
    finish()


@program(True)
def copied_to_while_read_on_another_queue():
    a, b, c = buf(), buf(), buf()
    cl.enqueue_copy(q1, a, b)
    prg.add(q2, (64,), None, a, c)
    finish()


@program(False)
def copied_from_while_read_on_another_queue():
    a, b, c = buf(), buf(), buf()
    cl.enqueue_copy(q1, b, a)
    prg.add(q2, (64,), None, a, c)
    finish()


@program(False)
def map_waits_for_event_of_other_queue():
    a = buf()
    e = prg.inc(q1, (64,), None, a)
    m, _ = cl.enqueue_map_buffer(q2, a, cl.map_flags.READ, 0, (64,), np.int32, wait_for=[e])
    m.base.release(q2)
    finish()


@program(True)
def map_of_other_queue_without_event():
    a = buf()
    prg.inc(q1, (64,), None, a)
    m, _ = cl.enqueue_map_buffer(q2, a, cl.map_flags.READ, 0, (64,), np.int32)
    m.base.release(q2)
    finish()


@program(True)
def user_event_holds_one_of_two():
    a = buf()
    u = cl.UserEvent(ctx)
    prg.inc(q1, (64,), None, a, wait_for=[u])
    prg.inc(q2, (64,), None, a)
    u.set_status(cl.command_execution_status.COMPLETE)
    finish()


def kept(event):  # it would be waited for where it is dropped
    EVENTS.append(event)
    return event


def over(h):
    return cl.Buffer(ctx, mf.READ_WRITE | mf.USE_HOST_PTR, hostbuf=h)


@program(True)
def two_buffers_over_one_memory():
    h = np.zeros(64, np.int32)
    a, b = over(h), over(h)
    prg.inc(q1, (64,), None, a)
    prg.inc(q2, (64,), None, b)
    finish()


@program(False)
def two_buffers_over_one_memory_event():
    h = np.zeros(64, np.int32)
    a, b = over(h), over(h)
    e = prg.inc(q1, (64,), None, a)
    prg.inc(q2, (64,), None, b, wait_for=[e])
    finish()


@program(True)
def two_buffers_that_overlap():
    h = np.zeros(96, np.int32)
    a, b = over(h[:64]), over(h[63:])
    prg.inc(ooo, (64,), None, a)
    prg.inc(ooo, (33,), None, b)
    finish()


@program(False)
def two_buffers_side_by_side():
    h = np.zeros(96, np.int32)
    a, b = over(h[:64]), over(h[64:])
    prg.inc(ooo, (64,), None, a)
    prg.inc(ooo, (32,), None, b)
    finish()


@program(False)
def two_buffers_that_overlap_where_nobody_writes():
    h = np.zeros(96, np.int32)
    a, b = over(h[:64]), over(h[32:])
    prg.half_(ooo, (32,), None, a, np.int32(0))
    prg.half_(ooo, (32,), None, b, np.int32(32))
    finish()


@program(True)
def read_into_the_memory_of_a_buffer():
    h = np.zeros(64, np.int32)
    a, b = over(h), buf()
    prg.inc(q1, (64,), None, a)
    kept(cl.enqueue_copy(q2, h, b, is_blocking=False))
    finish()


@program(True)
def read_into_the_memory_of_a_buffer_that_is_used_later():
    h = np.zeros(64, np.int32)
    a, b, c = over(h), buf(), buf()
    kept(cl.enqueue_copy(ooo, h, b, is_blocking=False))
    prg.add(ooo, (64,), None, a, c)
    finish()


@program(False)
def read_into_the_memory_of_a_buffer_in_order():
    h = np.zeros(64, np.int32)
    a, b = over(h), buf()
    prg.inc(q1, (64,), None, a)
    kept(cl.enqueue_copy(q1, h, b, is_blocking=False))
    prg.inc(q1, (64,), None, a)
    finish()


@program(False)
def written_from_the_memory_of_a_buffer_that_is_read():
    h = np.zeros(64, np.int32)
    a, b, c = over(h), buf(), buf()
    prg.add(q1, (64,), None, a, b)
    kept(cl.enqueue_copy(q2, c, h, is_blocking=False))
    finish()


@program(True)
def written_from_the_memory_of_a_buffer_that_is_written():
    h = np.zeros(64, np.int32)
    a, c = over(h), buf()
    prg.inc(q1, (64,), None, a)
    kept(cl.enqueue_copy(q2, c, h, is_blocking=False))
    finish()


@program(False)
def read_into_its_own_memory():
    h = np.zeros(64, np.int32)
    a, b = over(h), buf()
    prg.add(q1, (64,), None, a, b)
    kept(cl.enqueue_copy(q2, h, a, is_blocking=False))
    finish()


@program(True, alone=True)
def two_reads_into_one_array():
    h, a, b = np.zeros(64, np.int32), buf(), buf()
    kept(cl.enqueue_copy(q1, h, a, is_blocking=False))
    kept(cl.enqueue_copy(q2, h, b, is_blocking=False))
    finish()


@program(False, alone=True)
def two_reads_into_halves_of_an_array():
    h, a, b = np.zeros(64, np.int32), buf(32), buf(32)
    kept(cl.enqueue_copy(q1, h[:32], a, is_blocking=False))
    kept(cl.enqueue_copy(q2, h[32:], b, is_blocking=False))
    finish()


@program(False, alone=True)
def two_blocking_reads_into_one_array():
    h, a, b = np.zeros(64, np.int32), buf(), buf()
    cl.enqueue_copy(q1, h, a)
    cl.enqueue_copy(q2, h, b)
    finish()


@program(True, alone=True)
def read_and_written_on_without_an_event():
    h, a, b = np.zeros(64, np.int32), buf(), buf()
    kept(cl.enqueue_copy(ooo, h, a, is_blocking=False))
    kept(cl.enqueue_copy(ooo, b, h, is_blocking=False))
    finish()


@program(False, alone=True)
def read_and_written_on_with_an_event():
    h, a, b = np.zeros(64, np.int32), buf(), buf()
    e = kept(cl.enqueue_copy(ooo, h, a, is_blocking=False))
    kept(cl.enqueue_copy(ooo, b, h, is_blocking=False, wait_for=[e]))
    finish()


@program(True)
def mapped_while_a_buffer_over_it_is_written():
    h = np.zeros(64, np.int32)
    a, b = over(h), over(h)
    m, _ = cl.enqueue_map_buffer(q1, a, cl.map_flags.WRITE, 0, (64,), np.int32)
    prg.inc(q1, (64,), None, b)
    q1.finish()
    m.base.release(q1)
    finish()


@program(False)
def read_into_what_is_mapped():
    h = np.zeros(64, np.int32)
    a, b = over(h), buf()
    m, _ = cl.enqueue_map_buffer(q1, a, cl.map_flags.WRITE, 0, (64,), np.int32)
    kept(cl.enqueue_copy(q1, m, b, is_blocking=False))
    m.base.release(q1)
    prg.inc(q1, (64,), None, a)
    finish()


@program(True)
def svm_read_into_while_a_kernel_writes():
    s, b = cl.svm_empty(ctx, cl.svm_mem_flags.READ_WRITE, 64, np.int32), buf()
    prg.inc(q1, (64,), None, cl.SVM(s))
    kept(cl.enqueue_copy(q2, s, b, is_blocking=False))
    finish()


@program(True)
def variable_ooo():
    prg.into_table(ooo, (64,), None, np.int32(1))
    prg.into_table(ooo, (64,), None, np.int32(2))
    finish()


@program(False)
def variable_in_order():
    prg.into_table(q1, (64,), None, np.int32(1))
    prg.into_table(q1, (64,), None, np.int32(2))
    finish()


@program(False)
def variable_event():
    e = prg.into_table(q1, (64,), None, np.int32(1))
    prg.into_table(q2, (64,), None, np.int32(2), wait_for=[e])
    finish()


@program(True)
def variable_two_queues():
    o = buf()
    prg.into_table(q1, (64,), None, np.int32(1))
    prg.of_table(q2, (64,), None, o)
    finish()


@program(False)
def variable_both_read():
    o, p = buf(), buf()
    prg.of_table(q1, (64,), None, o)
    prg.of_table(q2, (64,), None, p)
    finish()


@program(False)
def variable_halves():
    prg.half_table(ooo, (32,), None, np.int32(0))
    prg.half_table(ooo, (32,), None, np.int32(32))
    finish()


@program(True)
def variable_halves_overlap():
    prg.half_table(ooo, (33,), None, np.int32(0))
    prg.half_table(ooo, (32,), None, np.int32(32))
    finish()


@program(False)
def two_variables():
    prg.into_table(ooo, (64,), None, np.int32(1))
    prg.into_other(ooo, (64,), None, np.int32(1))
    finish()


@program(True)
def variable_by_pointer():
    prg.by_pointer(ooo, (64,), None, np.int32(1))
    prg.into_table(ooo, (64,), None, np.int32(1))
    finish()


@program(False)
def variable_by_pointer_another():
    prg.by_pointer(ooo, (64,), None, np.int32(0))
    prg.into_table(ooo, (64,), None, np.int32(1))
    finish()


@program(False)
def variable_atomics_only():
    prg.to_total(ooo, (64,), None)
    prg.to_total(ooo, (64,), None)
    finish()


@program(True)
def variable_atomic_and_plain():
    prg.to_total(q1, (64,), None)
    prg.clear_total(q2, (1,), None)
    finish()


@program(True)
def variable_static_in_a_kernel():
    prg.kept_between(q1, (64,), None)
    prg.kept_between(q2, (64,), None)
    finish()


@program(False)
def variable_of_another_build():
    again = cl.Program(ctx, KERNELS).build(['-cl-std=CL3.0'])
    prg.into_table(q1, (64,), None, np.int32(1))
    again.into_table(q2, (64,), None, np.int32(1))
    finish()


@program(False)
def variable_host_waits():
    prg.into_table(q1, (64,), None, np.int32(1))
    q1.finish()
    prg.into_table(q2, (64,), None, np.int32(1))
    finish()


@program(True)
def async_copies_that_write():
    a = buf()
    prg.copied_to(ooo, (32,), (32,), a)
    prg.copied_to(ooo, (32,), (32,), a)
    finish()


@program(True)
def async_copy_reads_what_is_written():
    a = buf()
    prg.copied(ooo, (32,), (32,), a)
    prg.half_(ooo, (32,), None, a, np.int32(31))
    finish()


@program(False)
def async_copies_that_read():
    a = buf()
    prg.copied(ooo, (32,), (32,), a)
    prg.copied(ooo, (32,), (32,), a)
    prg.half_(ooo, (32,), None, a, np.int32(32))
    finish()


@program(True)
def async_copy_into_a_variable():
    prg.copied_to_table(ooo, (32,), (32,))
    prg.into_table(ooo, (1,), None, np.int32(1))
    finish()


@program(False)
def async_copy_between_what_is_written():
    prg.copied_to_table(ooo, (32,), (32,))
    prg.odd_of_table(ooo, (32,), None)
    finish()


def store_while(e, where, at):
    """From when the command runs on until it has: one store may come after its end on a machine that is busy."""
    while (status := e.command_execution_status) != cl.command_execution_status.COMPLETE:
        if status == cl.command_execution_status.RUNNING:
            where[at] += 1
        time.sleep(0.001)


def store_while_it_runs(where, beside=False, part=False):
    h = np.zeros(128 if beside or part else 64, np.int32)
    a, b = cl.Buffer(ctx, mf.READ_ONLY | mf.USE_HOST_PTR, hostbuf=h), buf()
    if beside: # the kernel has the second half
        a = a.get_sub_region(256, 256)
    if part:
        a = a.get_sub_region(0, 256)
    other = cl.CommandQueue(ctx)
    e = prg.slow(other, (64,), None, a, b)
    other.flush()
    store_while(e, h if where else np.zeros(64, np.int32), 5)
    other.finish()


@program(True, alone=True, queues=0)
def the_host_writes_as_soon_as_it_may_know_that_the_kernel_runs():
    h = np.zeros(4 << 20, np.int32) # so much that looking at it takes its time
    a, b = cl.Buffer(ctx, mf.READ_ONLY | mf.USE_HOST_PTR, hostbuf=h), buf()
    other = cl.CommandQueue(ctx)
    e = prg.slow(other, (64,), None, a, b)
    other.flush()
    while e.command_execution_status > cl.command_execution_status.RUNNING:
        pass
    h[-1] = 7
    other.finish()


def store_into_what_is_written(at, mapped=False):
    """The kernel reads elements 0..31 and writes 32..63."""
    h = np.zeros(96, np.int32)
    other = cl.CommandQueue(ctx)
    a = cl.Buffer(ctx, mf.READ_WRITE, 96 * 4) if mapped else over(h)
    if mapped:
        m, _ = cl.enqueue_map_buffer(other, a, cl.map_flags.WRITE, 0, (96,), np.int32)
        h = np.frombuffer((ctypes.c_int * 96).from_address(m.__array_interface__['data'][0]), np.int32)
        m[:] = 0
        m.base.release(other)
    e = prg.slow_part(other, (32,), None, a)
    other.flush()
    if at is not None:
        store_while(e, h, at)
    other.finish()


@program(True, alone=True, queues=0)
def the_host_writes_what_a_kernel_reads_of_a_buffer_that_it_writes():
    store_into_what_is_written(5)


@program(False, alone=True, queues=0)
def the_host_writes_what_no_kernel_uses_of_a_buffer():
    store_into_what_is_written(70)


@program(False, alone=True, queues=0)
def a_kernel_writes_what_it_reads_elsewhere():
    store_into_what_is_written(None)


@program(True, alone=True, queues=0)
def the_host_writes_through_a_map_that_is_gone():
    store_into_what_is_written(5, mapped=True)


@program(False, alone=True, queues=0)
def the_host_leaves_a_map_that_is_gone():
    store_into_what_is_written(None, mapped=True)


@program(True, alone=True, queues=0)
def the_host_writes_what_a_kernel_reads_of_a_sub_buffer():
    store_while_it_runs(True, part=True)


@program(True, alone=True, queues=0)
def the_host_writes_what_a_kernel_reads():
    store_while_it_runs(True)


@program(False, alone=True, queues=0)
def the_host_writes_beside_a_sub_buffer():
    store_while_it_runs(True, beside=True)


@program(False, alone=True, queues=0)
def the_host_writes_something_else():
    store_while_it_runs(False)


def run(names):
    setup(all(f.queues for f, _ in ALONE if f.__name__ in names))
    for f, _ in ALONE if names else PROGRAMS:
        if not names or f.__name__ in names:
            f()


def findings_of(folder, names):
    cldbg = shlex.split(os.environ.get('CLDBG', 'cli/cldbg'))
    report = os.path.join(folder, 'r.json')
    p = subprocess.run([*cldbg, '--check=host-race', '--report=json:' + report, sys.executable, os.path.abspath(__file__), 'run', *names],
                       capture_output=True, text=True, timeout=120, env={**os.environ, 'PYOPENCL_NO_CACHE': '1', 'CLDBG_CACHE': os.environ.get('CLDBG_CACHE', os.path.join(folder, 'cache'))})
    if p.returncode not in (0, 66):
        sys.exit(p.stdout + p.stderr)
    with open(report) as f:
        return json.load(f)['findings']


def main():
    with tempfile.TemporaryDirectory() as folder:
        findings = findings_of(folder, [])
        alone = [(f, races, bool(findings_of(folder, [f.__name__]))) for f, races in ALONE]
    found = set()
    for x in findings:
        for text in [x.get('host', ''), *x['notes']]:
            found |= {int(n) for n in re.findall(r'(?:called|enqueued) at .*host_races.py:(\d+)', text)}
    bad = 0
    for f, races in PROGRAMS:
        lines, first = inspect.getsourcelines(f)
        alone.append((f, races, any(first <= n < first + len(lines) for n in found)))
    for f, races, told in alone:
        if told != races:
            bad += 1
            print(f'{f.__name__}: {"a race is told of commands that are ordered" if told else "the race is not told"}')
    print(f'{len(alone)} programs, {bad} wrong')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(run(sys.argv[2:]) if sys.argv[1:2] == ['run'] else main())
