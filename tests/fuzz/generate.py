#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random OpenCL C kernels with defined behaviour.

generate(seed) gives the source of kernel `k(global const uint *in, global uint *out, global int *count,
int n)`: every work-item folds what it computes into one hash and stores it in out[global id]. Barriers are
under uniform control only, indices are masked, divisors are odd, shifts are masked by the language; floats
hold small integers, so that every order of evaluation gives the same bits. count[] takes atomic additions,
which commute. Run as a program it prints the kernel of the given seed.
"""
import random
import sys

INTS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"]
BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}


class Gen:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines = []
        self.depth = 0
        self.names = 0
        self.loops = 0
        self.budget = 28
        self.in_kernel = True
        self.arrays = []
        self.uniform_control = True

    def pick(self, *xs):
        return self.r.choice(xs)

    def emit(self, text):
        self.lines.append("    " * (self.depth + 1) + text)

    def fresh(self, prefix):
        self.names += 1
        return "%s%d" % (prefix, self.names)

    # ---- expressions; scope is a list of (type, name)
    def var(self, scope, types):
        fits = [n for t, n in scope if t in types]
        return self.r.choice(fits) if fits else None

    def constant(self, t):
        if t == "float":
            return "%d.0f" % self.r.randint(-8, 8)
        v = self.pick(0, 1, 2, 3, 7, 31, 100, 127, self.r.randrange(1 << 7), self.r.randrange(1 << (BITS[t] - 1)))
        v &= (1 << (BITS[t] - 1)) - 1
        suffix = "u" if t == "uint" else "L" if t == "long" else "UL" if t == "ulong" else ""
        return "(%s)%d%s" % (t, v, suffix)

    def cast(self, t, e):
        return "(%s)(%s)" % (t, e)

    def expr(self, scope, t, depth=0):
        r = self.r
        if t == "float":  # whole numbers, kept small: exact in any order
            v = self.var(scope, ["float"])
            if v and r.random() < 0.5:
                return v
            return "convert_float((int)(%s) & 15)" % self.expr(scope, "int", depth + 1)
        if depth > 3 or r.random() < 0.18:
            v = self.var(scope, [t])
            if v and r.random() < 0.8:
                return v
            v = self.var(scope, INTS)
            if v and r.random() < 0.6:
                return self.cast(t, v)
            return self.constant(t)
        k = r.randrange(20)
        a = lambda: self.expr(scope, t, depth + 1)
        other = self.pick(*INTS)
        if k < 5:
            return "(%s)(%s %s %s)" % (t, self.wrap(t, a()), self.pick("+", "-", "*"), self.wrap(t, a()))
        if k < 7:
            return "(%s)(%s %s %s)" % (t, a(), self.pick("&", "|", "^"), a())
        if k == 7:
            return "(%s)(%s %s (%s & %d))" % (t, "(u%s)%s" % (t.lstrip("u"), a()), self.pick("<<", ">>"), a(), min(BITS[t], 32) - 1)
        if k == 8:
            u = "u" + t.lstrip("u")
            return "(%s)((%s)(%s) %s ((%s)(%s) | 1))" % (t, u, a(), self.pick("/", "%"), u, a())
        if k == 9:
            return "(%s ? %s : %s)" % (self.cond(scope, depth + 1), a(), a())
        if k == 10:
            return self.cast(t, self.cond(scope, depth + 1))
        if k == 11:
            return self.cast(t, self.expr(scope, other, depth + 1))
        if k == 12:
            return "%s((%s)(%s), (%s)(%s))" % (self.pick("min", "max", "add_sat", "sub_sat", "rotate", "hadd", "rhadd", "mul_hi"), t, a(), t, a())
        if k == 13:
            return "(%s)%s((%s)(%s))" % (t, self.pick("clz", "popcount", "abs"), t, a())
        if k == 14 and self.arrays:
            name, at, size = r.choice(self.arrays)
            return "(%s)%s[%s & %d]" % (t, name, self.expr(scope, "uint", depth + 1), size - 1)
        if k == 15 and self.in_kernel:
            return "(%s)in[%s %% (uint)n]" % (t, self.expr(scope, "uint", depth + 1))
        if k == 16:
            v = self.var(scope, ["int4", "uint4", "uchar4", "short2"])
            if v:
                return "(%s)%s.%s" % (t, v, self.pick("x", "y"))
        if k == 17 and self.helpers:
            f = r.choice(self.helpers)
            return "(%s)%s(%s, %s)" % (t, f, self.expr(scope, "int", depth + 1), self.expr(scope, "uint", depth + 1))
        if k == 18:
            return "(%s)convert_%s_sat(%s)" % (t, other, self.expr(scope, self.pick(*INTS), depth + 1))
        return "(%s)(%s)" % (t, self.pick("~", "") + "(" + a() + ")")

    def wrap(self, t, e):
        """Signed overflow is undefined: compute in the unsigned type."""
        return "(u%s)(%s)" % (t.lstrip("u"), e)

    def cond(self, scope, depth=0):
        t = self.pick(*INTS)
        c = "(%s %s %s)" % (self.expr(scope, t, depth + 1), self.pick("<", "<=", ">", ">=", "==", "!="), self.expr(scope, t, depth + 1))
        if depth < 2 and self.r.random() < 0.3:
            c = "(%s %s %s)" % (c, self.pick("&&", "||"), self.cond(scope, depth + 2))
        return c

    # ---- statements
    def assign(self, scope):
        t, name = self.r.choice([v for v in scope if v[1][0] != "c"] or [("int", None)])
        if name is None:
            return
        if t in INTS:
            self.emit("%s = %s;" % (name, self.expr(scope, t)))
        elif t == "float":
            self.emit("%s = fmod(%s %s %s, 64.0f);" % (name, self.expr(scope, t), self.pick("+", "-", "*"), self.expr(scope, t)))
        else:
            base, width = t[:-1], int(t[-1])
            comp = ["x", "y", "z", "w"][:width]
            k = self.r.randrange(4)
            if k == 0:
                self.emit("%s.%s = %s;" % (name, self.r.choice(comp), self.expr(scope, base)))
            elif k == 1:
                self.emit("%s = %s.%s;" % (name, name, "".join(self.r.choice(comp) for _ in range(width))))
            elif k == 2:
                self.emit("%s = %s %s (%s)(%s);" % (name, name, self.pick("&", "|", "^"), t, self.expr(scope, base)))
            else:
                self.emit("%s.%s = (%s2)(%s, %s);" % (name, self.pick("xy", "yx"), base, self.expr(scope, base), self.expr(scope, base)))

    def declare(self, scope):
        t = self.pick("int", "uint", *INTS, "float", "int4", "uint4", "uchar4", "short2")
        name = self.fresh("v")
        if t in INTS or t == "float":
            self.emit("%s %s = %s;" % (t, name, self.expr(scope, t)))
        else:
            self.emit("%s %s = (%s)(%s);" % (t, name, t, self.expr(scope, t[:-1])))
        scope.append((t, name))

    def block(self, scope, statements):
        inner, arrays = list(scope), list(self.arrays)
        self.depth += 1
        for _ in range(statements):
            self.statement(inner)
        self.depth -= 1
        self.arrays = arrays

    def statement(self, scope):
        if self.budget <= 0:
            return self.assign(scope)
        self.budget -= 1
        k = self.r.randrange(16)
        if k < 3:
            self.declare(scope)
        elif k < 6:
            self.assign(scope)
        elif k == 6:
            name, size = self.fresh("a"), self.pick(2, 4, 8, 16)
            t = self.pick("int", "uint", "uchar", "short", "ulong")
            self.emit("%s %s[%d];" % (t, name, size))
            i = self.fresh("c")
            self.emit("for (int %s = 0; %s < %d; %s++) %s[%s] = %s;" % (i, i, size, i, name, i, self.expr(scope + [("int", i)], t)))
            self.arrays.append((name, t, size))
        elif k == 7 and self.arrays:
            name, t, size = self.r.choice(self.arrays)
            self.emit("%s[%s & %d] = %s;" % (name, self.expr(scope, "uint"), size - 1, self.expr(scope, t)))
        elif k < 10:
            was, self.uniform_control = self.uniform_control, False
            self.emit("if (%s) {" % self.cond(scope))
            self.block(scope, self.r.randint(1, 3))
            if self.r.random() < 0.5:
                self.emit("} else {")
                self.block(scope, self.r.randint(1, 3))
            self.emit("}")
            self.uniform_control = was
        elif k < 12 and self.loops < 3:
            i = self.fresh("c")
            self.loops += 1
            was = self.uniform_control
            uniform = self.r.random() < 0.4
            self.uniform_control = was and uniform
            limit = self.pick("3", "5", "(n & 3) + 1" if self.in_kernel else "4") if uniform else "(%s & 7)" % self.expr(scope, "int")
            bound = self.fresh("b")
            self.emit("int %s = %s;" % (bound, limit))
            if self.r.random() < 0.3:
                self.emit("int %s = 0;" % i)
                self.emit("do {")
                close = "} while (++%s < %s);" % (i, bound)
            else:
                self.emit("for (int %s = 0; %s < %s; %s++) {" % (i, i, bound, i))
                close = "}"
            inner = scope + [("int", i)]
            if not uniform and self.r.random() < 0.4:
                self.depth += 1
                self.emit("if (%s) %s;" % (self.cond(inner), self.pick("break", "continue")))
                self.depth -= 1
            self.block(inner, self.r.randint(1, 3))
            self.emit(close)
            self.loops -= 1
            self.uniform_control = was
        elif k == 12:
            was, self.uniform_control = self.uniform_control, False
            self.emit("switch (%s & 7) {" % self.expr(scope, "int"))
            for c in self.r.sample(range(8), self.r.randint(1, 4)):
                self.emit("case %d: {" % c)
                self.block(scope, 1)
                self.emit("}")
                if self.r.random() < 0.7:
                    self.emit("break;")
            if self.r.random() < 0.6:
                self.emit("default: {")
                self.block(scope, 1)
                self.emit("}")
            self.emit("}")
            self.uniform_control = was
        elif k == 13 and self.in_kernel and self.uniform_control:
            # every work-item gives one value, all read another's
            self.emit("tile[lid] = %s;" % self.expr(scope, "uint"))
            self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
            name = self.fresh("v")
            self.emit("uint %s = tile[(lid + %d) %% lsz];" % (name, self.r.randint(0, 9)))
            self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
            scope.append(("uint", name))
        elif k == 14 and self.in_kernel:
            self.emit("atomic_add(&count[%s & 15], %s & 255);" % (self.expr(scope, "uint"), self.expr(scope, "int")))
        else:
            self.assign(scope)

    def fold(self, scope):
        for t, name in scope:
            if t in INTS:
                self.emit("h = h * 31u + (uint)%s;" % name)
            elif t == "float":
                self.emit("h = h * 31u + as_uint(%s);" % name)
            elif t in ("int4", "uint4", "uchar4"):
                self.emit("h = h * 31u + (uint)(%s.x ^ %s.y * 3u ^ %s.z * 5u ^ %s.w * 7u);" % (name, name, name, name))
            elif t == "short2":
                self.emit("h = h * 31u + (uint)(%s.x ^ %s.y);" % (name, name))

    def helper(self, name):
        self.in_kernel, self.budget, self.arrays, self.uniform_control = False, 6, [], False
        self.lines.append("uint %s(int x, uint y)\n{" % name)
        scope = [("int", "x"), ("uint", "y")]
        self.emit("uint h = 7;")
        for _ in range(self.r.randint(1, 3)):
            self.statement(scope)
        if self.r.random() < 0.5:
            self.emit("if (%s) return %s;" % (self.cond(scope), self.expr(scope, "uint")))
        self.fold(scope)
        self.emit("return h;")
        self.lines.append("}\n")

    def kernel(self):
        self.lines.append("#pragma OPENCL FP_CONTRACT OFF")
        self.helpers = []
        for i in range(self.r.randint(0, 2)):
            self.helper("f%d" % i)
            self.helpers.append("f%d" % i)
        self.in_kernel, self.budget, self.arrays, self.uniform_control = True, 28, [], True
        self.lines.append("__kernel void k(__global const uint *in, __global uint *out, __global int *count, int n)\n{")
        self.emit("__local uint tile[256];")
        self.emit("int gid = get_global_id(0), lid = get_local_id(0), lsz = get_local_size(0);")
        self.emit("uint h = 17;")
        self.emit("uint x0 = in[gid % n];")
        scope = [("int", "cgid"), ("int", "clid"), ("uint", "x0")]
        self.emit("int cgid = gid, clid = lid;")
        for _ in range(self.r.randint(4, 9)):
            self.statement(scope)
        self.fold(scope)
        for name, t, size in self.arrays:
            self.emit("for (int q = 0; q < %d; q++) h = h * 31u + (uint)%s[q];" % (size, name))
        self.emit("out[gid] = h;")
        self.lines.append("}")
        return "\n".join(self.lines) + "\n"


def generate(seed):
    return Gen(seed).kernel()


if __name__ == "__main__":
    sys.stdout.write(generate(int(sys.argv[1])))
