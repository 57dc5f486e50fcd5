#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The extension in the real Visual Studio Code: code-server (npm) serves it, headless Chromium shows it, and in_vscode.js runs
in its extension host. `in_vscode.py [FOLDER]`: where code-server is installed, or is to be (default: vscode.tmp)."""
import json, os, shutil, socket, subprocess, sys, tempfile, time, urllib.parse, urllib.request

top = os.path.abspath(os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", "..")))
place = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "vscode.tmp")
KERNEL = """kernel void sum(global const float *in, global float *out, local float *tmp)
{
    uint lid = get_local_id(0);
    tmp[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
        if (lid < s)
            tmp[lid] += tmp[lid + s];
    }
    if (lid == 0) out[get_group_id(0)] = tmp[0];
}
"""


def install():
    """code-server without the scripts of its packages, which download; the native modules are built with the headers of the system's node."""
    server = os.path.join(place, "node_modules", "code-server")
    vscode = os.path.join(server, "lib", "vscode")
    if not os.path.exists(os.path.join(place, "ready")):
        os.makedirs(place, exist_ok=True)
        node = os.path.realpath(shutil.which("node"))
        env = dict(os.environ, npm_config_nodedir=os.path.dirname(os.path.dirname(node)))
        gyp = os.path.join(subprocess.run(["npm", "root", "-g"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip(), "npm", "node_modules", "node-gyp", "bin", "node-gyp.js")
        fetch = ["npm", "install", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund"]
        steps = [(["npm", "init", "-y"], place), (fetch + ["code-server"], place), (fetch, vscode), (fetch, os.path.join(vscode, "extensions")), (["npm", "rebuild", "argon2"], place)]
        steps += [(["npm", "rebuild", module], vscode) for module in ("native-watchdog", "@vscode/spdlog", "@parcel/watcher")]
        steps += [(["node", gyp, "rebuild", "--nodedir=" + env["npm_config_nodedir"]], os.path.join(vscode, "node_modules", "node-pty"))]
        for command, cwd in steps:
            subprocess.run(command, cwd=cwd, env=env, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        open(os.path.join(place, "ready"), "w").close()
    return os.path.join(server, "out", "node", "entry.js")


def wait_for(what, seconds):
    end = time.time() + seconds
    while time.time() < end:
        if what():
            return True
        time.sleep(0.5)
    return False


def answers(port):
    try:
        return urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5).status == 200
    except OSError:
        return False


def main():
    missing = [x for x in ("node", "npm", "chromium") if not shutil.which(x)]
    if missing:
        print("skipped: needs", *missing)
        return 77
    entry = install()
    with tempfile.TemporaryDirectory(prefix="cldbg-test-") as tmp, socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
        s.close()
        work, result = os.path.join(tmp, "work"), os.path.join(tmp, "result")
        os.mkdir(work)
        with open(os.path.join(work, "sum.cl"), "w") as f:
            f.write(KERNEL)
        settings = {"security.workspace.trust.enabled": False, "telemetry.telemetryLevel": "off", "workbench.startupEditor": "none", "extensions.autoUpdate": False,
                    "cldbg.path": os.path.join(os.getcwd(), "cli", "cldbg")}
        for kind in ("User", "Machine"):  # cldbg.path is a setting of the machine
            os.makedirs(os.path.join(tmp, "user", kind))
            with open(os.path.join(tmp, "user", kind, "settings.json"), "w") as f:
                json.dump(settings, f)
        env = dict(os.environ, CLDBG_TEST_RESULT=result, CLDBG_CACHE=os.path.join(tmp, "cache"))
        with open(os.path.join(tmp, "log"), "w") as log:
            server = subprocess.Popen(["node", entry, "--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--user-data-dir", tmp + "/user", "--extensions-dir", tmp + "/extensions",
                                       "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust", work], env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            uri = lambda *p: f"vscode-remote://127.0.0.1:{port}" + os.path.join(top, *p)
            payload = json.dumps([["extensionDevelopmentPath", uri("editors", "vscode")], ["extensionTestsPath", uri("tests", "editors", "in_vscode.js")]])
            browser = None
            try:
                if not wait_for(lambda: answers(port), 60):
                    print("FAILED: code-server does not answer:", open(tmp + "/log").read()[-2000:])
                    return 1
                url = f"http://127.0.0.1:{port}/?" + urllib.parse.urlencode({"folder": work, "payload": payload})
                browser = subprocess.Popen(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,900", f"--user-data-dir={tmp}/browser",
                                            "--remote-debugging-port=0", url], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
                text = lambda: open(result).read() if os.path.exists(result) else ""
                done = wait_for(lambda: text().endswith("done\n"), 150)
                print(text() if done else f"FAILED: the tests do not end\n{text()}\n{open(tmp + '/log').read()[-3000:]}")
                return 0 if done and "FAILED" not in text() else 1
            finally:
                for p in (browser, server):
                    if p:
                        p.terminate()
                        p.wait(20)


if __name__ == "__main__":
    sys.exit(main())
