#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The pages show what cldbg prints: every command of a ```console block is run, and its output compared with the page's.

  tutorial.py            compare
  tutorial.py --update   write the output of now into the pages

The commands run in a copy of examples/, of which `cd` selects a folder. Source code that a page quotes (a block
after <!-- from FILE -->) must be lines of that file. A page's block ends at the first ```.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(os.environ.get("srcdir", ".")).resolve()
BUILD = pathlib.Path.cwd()
CLDBG = BUILD / "cli" / "cldbg"
PAGES = ["README.md", "doc/TUTORIAL.md", "doc/DEBUGGER.md", "doc/guides/TESTING-YOUR-KERNELS.md"]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.M | re.S)
QUOTE = re.compile(r"<!-- from (\S+) -->\n```[a-z+]*\n(.*?)^```", re.M | re.S)


def missing():
    """What the commands need and this machine lacks, or None."""
    if not CLDBG.exists() or not (BUILD / "src/cc/cldbg-cc").exists():
        return "cldbg is not built"
    for tool in ("cc", "c++", "make"):
        if not shutil.which(tool):
            return f"{tool} is missing"
    if not pathlib.Path("/usr/include/CL/opencl.hpp").exists():
        return "opencl-clhpp-headers is not installed"
    for module in ("pyopencl", "pytest"):
        if subprocess.run(["/usr/bin/python3", "-c", f"import {module}"], stderr=subprocess.DEVNULL).returncode:
            return f"python3-{module} is not installed"
    return None


class Sandbox:
    """A copy of examples/ and a shell environment in which `cldbg` is the one of this build."""

    def __init__(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="cldbg-pages-"))
        shutil.copytree(TOP / "examples", self.dir / "examples")
        examples = self.dir / "examples"
        subprocess.run(["cc", "-g", "-w", "-I..", "-D_GNU_SOURCE", "-DCL_TARGET_OPENCL_VERSION=300", "-o", "reduction", "reduction.c",
                        "example.c", "-lOpenCL", "-lm"], cwd=examples, check=True)
        (self.dir / "bin").mkdir()
        (self.dir / "bin" / "cldbg").symlink_to(CLDBG)
        (self.dir / "bin" / "python3").symlink_to("/usr/bin/python3")
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("CLDBG_", "GITHUB_", "MAKE", "MFLAGS"))}
        self.env.update(PATH=f"{self.dir}/bin:{os.environ['PATH']}", CLDBG_CACHE=str(self.dir / "cache"), LC_ALL="C.UTF-8",
                        XDG_CACHE_HOME=str(self.dir / "cache"), CLDBG_OPTIONS="--compute-units=1",
                        # As if the plug-in were installed.
                        PYTHONPATH=str(TOP / "integrations/pytest"), PYTEST_PLUGINS="pytest_cldbg", PYTHONDONTWRITEBYTECODE="1")
        self.cwd = self.dir

    def run(self, command):
        """Both outputs of a command, and the exit status for a following `echo $?`."""
        if command.startswith("cd "):
            self.cwd = (self.cwd / command[3:]).resolve()
            return ""
        done = subprocess.run(["sh", "-c", f"(exit {getattr(self, 'status', 0)}); {command}"], cwd=self.cwd, env=self.env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        self.status = done.returncode
        return done.stdout.decode()


def commands(block):
    """The block's commands, each with its output; a command goes on after a backslash."""
    found = []
    for line in block.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append([line, ""])
        elif found and found[-1][0].endswith("\\\n"):
            found[-1][0] += line
        elif found:
            found[-1][1] += line
    return found


def check_page(path, update):
    text = path.read_text()
    bad = 0
    sandbox = Sandbox()

    def rerun(match):
        nonlocal bad
        out = ""
        for command, expected in commands(match[1]):
            got = sandbox.run(command[2:].rstrip("\n"))
            if got and not got.endswith("\n"):
                got += "\n"
            if got != expected and not update:
                bad += 1
                print(f"{path.name}: `{command[2:].strip()}` prints\n{got}which is not what the page shows:\n{expected}")
            out += command + got
        return f"```console\n{out}```"

    new = BLOCK.sub(rerun, text)
    shutil.rmtree(sandbox.dir)
    if update and new != text:
        path.write_text(new)
    for name, quoted in QUOTE.findall(text):
        if quoted not in (TOP / name).read_text():
            bad += 1
            print(f"{path.name}: {name} does not have the lines that the page quotes:\n{quoted}")
    return bad, len(BLOCK.findall(text))


def main():
    why = missing()
    if why:
        print(f"skipped: {why}")
        return 77
    bad = blocks = 0
    for page in PAGES:
        if (TOP / page).exists():
            b, n = check_page(TOP / page, "--update" in sys.argv)
            bad += b
            blocks += n
    print(f"{blocks} blocks, {bad} differences")
    return 1 if bad or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
