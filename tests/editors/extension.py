#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The extension of Visual Studio Code: its manifest names files that exist and attributes that the adapter reads, the problem
matcher reads a report, the grammar has a scope for every builtin and the words of a kernel. If node is installed, extension.js
runs with a stub of the editor (extension.js beside this file)."""
import json, os, re, shutil, struct, subprocess, sys, tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, result

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
folder = os.path.join(top, "editors", "vscode")
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")


def text_of(*path):
    with open(os.path.join(top, *path), encoding="utf-8") as f:
        return f.read()


def manifest():
    package = json.loads(text_of("editors", "vscode", "package.json"))
    contributes = package["contributes"]
    for key in ("name", "displayName", "description", "version", "publisher", "license", "icon", "engines", "categories", "main"):
        check("the manifest has " + key, package.get(key))
    version = re.search(r"AC_INIT\(\[cldbg\], \[(.*?)\]", text_of("configure.ac"))[1]
    check("its version is that of cldbg", package["version"] == version, package["version"])
    files = [package["icon"], package["main"], "README.md", contributes["languages"][0]["configuration"], contributes["grammars"][0]["path"], contributes["snippets"][0]["path"]]
    for name in files:
        check(name + " exists", os.path.isfile(os.path.join(folder, name)))
        if name.endswith(".json"):
            json.loads(text_of("editors", "vscode", name))
    with open(os.path.join(folder, package["icon"]), "rb") as f:
        check("the icon has 128 x 128 pixels", struct.unpack(">II", f.read(24)[16:]) == (128, 128))
    code = text_of("editors", "vscode", "extension.js")
    for command in contributes["commands"]:
        check(command["command"] + " is registered", f"registerCommand('{command['command']}'" in code)
    check("the view is registered", all(f"'{v['id']}'" in code for v in contributes["views"]["debug"]))
    for setting in contributes["configuration"]["properties"]:
        check(setting + " is read", f"get('{setting.split('.')[1]}')" in code and f"`{setting}`" in text_of("editors", "vscode", "README.md"))
    debugger = contributes["debuggers"][0]
    adapter = text_of("cli", "adapter.c") + text_of("cli", "login.c") + text_of("src", "debug", "adapter", "dap.c")
    for request in debugger["configurationAttributes"].values():
        for name in request["properties"]:
            check("the adapter reads " + name, f'"{name}"' in adapter)
    bodies = debugger["initialConfigurations"] + [x["body"] for x in debugger["configurationSnippets"]]
    for text in re.findall(r"```json\n(.*?)```", text_of("editors", "vscode", "README.md") + text_of("doc", "DEBUGGER.md"), re.S):
        example = json.loads(text)
        bodies += [x for x in example.get("configurations", [example]) if "request" in x]
    for body in bodies:
        known = set(debugger["configurationAttributes"][body["request"]]["properties"]) | {"type", "request", "name", "debugServer"}
        check("the attributes are declared", set(body) <= known, set(body) - known)
    check("there are snippets for both requests", {b["request"] for b in bodies} == {"launch", "attach"})


def report(tmp, kernel, *args, cwd):
    env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"))
    p = subprocess.run([cldbg, "run", kernel, *args], cwd=cwd, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    return p.stderr.decode().splitlines()


def matcher():
    package = json.loads(text_of("editors", "vscode", "package.json"))
    pattern = package["contributes"]["problemMatchers"][0]["pattern"]
    with tempfile.TemporaryDirectory(prefix="cldbg-test-") as tmp:
        with open(os.path.join(tmp, "wrong.cl"), "w", encoding="utf-8") as f:
            f.write("kernel void k(global int *o) { o[0] = nosuch; }\n")
        race = report(tmp, "reduce.cl", "--global=128", "--local=64", "--arg=float[128]=1", "--arg=float[2]=0", "--arg=local:float[64]", cwd=os.path.join(top, "tests", "debug", "kernels"))
        wrong = report(tmp, "wrong.cl", "--global=1", "--arg=int[1]=0", cwd=tmp)

    def parts(lines):
        return [{k: m[pattern[k]] for k in ("file", "line", "column", "severity", "code")} for line in lines if (m := re.match(pattern["regexp"], line))]

    check("a finding", parts(race) == [{"file": "reduce.cl", "line": "8", "column": "31", "severity": "error", "code": "data-race"}], race)
    check("an error of the compiler", [(x["line"], x["severity"], x["code"]) for x in parts(wrong)] == [("1", "error", None)], wrong)


class Grammar:
    """The rules that match a word without a state, in their order."""
    def __init__(self):
        self.grammar = json.loads(text_of("editors", "vscode", "syntaxes", "opencl.tmLanguage.json"))
        self.rules = []
        for include in self.grammar["repository"]["code"]["patterns"]:
            self.rules += [r for r in self.grammar["repository"][include["include"][1:]]["patterns"] if "match" in r]

    def expressions(self, node):
        if isinstance(node, dict):
            for key in ("match", "begin", "end"):
                if isinstance(node.get(key), str):
                    yield node[key]
            for x in node.values():
                yield from self.expressions(x)
        elif isinstance(node, list):
            for x in node:
                yield from self.expressions(x)

    def scope(self, text):
        """The scope of the first word."""
        for rule in self.rules:
            m = re.compile(rule["match"]).match(text)
            if m and m.end():
                return rule.get("name") or rule["captures"]["1"]["name"]
        return None


def grammar():
    g = Grammar()
    for x in g.expressions(g.grammar):
        re.compile(x)
    names = re.findall(r"^(?:OP|MATHP?|ALIAS|LIBRARY|EXPAND|FAMILY|LIBRARY_FAMILY|FLOW)\((\w+)", text_of("src", "builtins", "builtins.def"), re.M)
    check("the table of builtins is read", len(names) > 250)
    tails = {"convert_": "int4_sat_rte", "vload": "4", "vstore": "16", "vload_half": "8", "vloada_half": "4", "vstore_half": "4_rte", "vstorea_half": "2"}
    for name in names:
        if name.startswith("__"):
            continue
        call = name + tails.get(name, "add" if name.endswith("_") else "")
        scope = g.scope(call + "(x)")
        check("a builtin: " + call, scope in ("support.function.opencl", "keyword.other.barrier.opencl"), scope)
    for word, scope in (("global", "storage.modifier.address-space"), ("__local", "storage.modifier.address-space"), ("float4", "storage.type.vector"), ("kernel", "storage.modifier.kernel"),
                        ("image2d_array_depth_t", "support.type"), ("atomic_uint", "support.type"), ("for", "keyword.control"), ("CLK_LOCAL_MEM_FENCE", "constant.language"), ("0x1fUL", "constant.numeric.integer"),
                        ("1.5e-3f", "constant.numeric.float"), ("barrier(", "keyword.other.barrier"), ("twice(3)", "entity.name.function"), ("read_only", "storage.modifier.access"), ("memory_scope_device", "constant.language"),
                        ("size_t", "storage.type"), ("uchar16", "storage.type.vector"), ("'a'", "string.quoted.single"), ("float5", None), ("myglobal", None), ("as_uint4(x)", "support.function")):
        got = g.scope(word)
        check("the scope of " + word, got == (scope and scope + ".opencl"), got)


def behavior():
    if not shutil.which("node"):
        print("node is not installed: extension.js was not run")
        return
    p = subprocess.run(["node", os.path.join(top, "tests", "editors", "extension.js"), os.path.abspath(os.path.join(folder, "extension.js"))], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100)
    check("extension.js", p.returncode == 0, p.stdout.decode())


for f in (manifest, matcher, grammar, behavior):
    f()
sys.exit(result())
