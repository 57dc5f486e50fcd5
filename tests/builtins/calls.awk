# SPDX-License-Identifier: MIT
# From clang's preprocessed opencl-c.h: for every builtin declared, a kernel that calls it. Names that
# match `skip` are left out. Images and samplers are arguments of the kernel, what else is handed over are variables.
/^#/ { next }
{
    text = text " " $0
    if (text !~ /;/) next
    if (text ~ /__attribute__\(\(overloadable\)\)/) wrap()
    text = ""
}
function wrap(   p, head, name, n, i, a, opaque, variables, args) {
    gsub(/__attribute__\(\([^()]*(\([^()]*\))?[^()]*\)\)/, "", text)
    p = index(text, "(")
    head = substr(text, 1, p - 1)
    match(head, /[A-Za-z_0-9]+ *$/)
    name = substr(head, RSTART)
    if (name ~ skip) return
    sub(/\) *;.*/, "", text)
    n = split(substr(text, p + 1), a, ",")
    for (i = 1; i <= n; i++) {
        if (a[i] ~ /^ *(void)? *$/) { n = 0; break }
        if (a[i] ~ /[ *][a-z_A-Z0-9]+ *$/ && a[i] !~ /[ *](unsigned|void|u?(char|short|int|long)|half|float|double|size_t|ptrdiff_t|u?intptr_t|event_t|sampler_t|image[1-3a-z_]*_t|cl_mem_fence_flags|memory_(order|scope)|atomic_[a-z_0-9]+|[a-z]+(2|3|4|8|16)) *$/)
            sub(/[a-z_A-Z0-9]+ *$/, "", a[i])
        if (a[i] ~ /image[1-3a-z_]*_t|sampler_t/) opaque = opaque (opaque ? ", " : "") a[i] " a" i
        else variables = variables a[i] " a" i "; "
        args = args (i > 1 ? ", " : "") "a" i
    }
    print "kernel void k" ++count "(" (opaque ? opaque : "void") ") { " variables name "(" args "); }"
}
