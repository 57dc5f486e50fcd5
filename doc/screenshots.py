#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the pictures of the HTML report that the documentation shows, doc/report-*.png, from the examples.
Run it in the folder of the build after `make check`; it needs chromium and genhtml (lcov)."""
import collections
import glob
import os
import struct
import subprocess
import sys
import tempfile
import zlib

TO = os.path.dirname(os.path.abspath(sys.argv[0]))
PICTURES = [(example, "finding/1", 1000, example) for example in ("reduction", "histogram", "matmul-tiled", "scan", "nbody")]
PICTURES += [("nbody", "timeline", 560, "timeline"), ("scan", "source", 700, "sources")]
WIDTH = 1200
MEAN = """kernel void mean(global const float *x, global float *y)
{
    local float part[16];
    int l = get_local_id(0);
    if (l % 4 != 3)
        part[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i < 16; i++)
        sum += part[i];
    y[get_global_id(0)] = sum / 16;
}
"""


def unfiltered(data, width, height):
    """The rows of a PNG of RGB pixels (PNG specification, clause 9)."""
    rows, above, stride = [], bytes(3 * width), 3 * width
    for y in range(height):
        kind, row = data[y * (stride + 1)], bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride if kind else 0):
            left, up, corner = (row[i - 3], above[i], above[i - 3]) if i >= 3 else (0, above[i], 0)
            if kind == 4:
                p = left + up - corner
                add = min((abs(p - left), 0, left), (abs(p - up), 1, up), (abs(p - corner), 2, corner))[2]
            else:
                add = (left, up, (left + up) // 2)[kind - 1]
            row[i] = (row[i] + add) & 255
        rows.append(bytes(row))
        above = row
    return rows


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def shrink(name):
    """Writes an RGB picture again with the 256 most frequent colors, which is enough for a page."""
    with open(name, "rb") as f:
        text = f.read()
    at, pixels = 8, b""
    while at < len(text):
        size, kind = struct.unpack(">I4s", text[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", text[at + 8:at + 18])
            assert (depth, color) == (8, 2), "chromium writes RGB"
        elif kind == b"IDAT":
            pixels += text[at + 8:at + 8 + size]
        at += size + 12
    rows = unfiltered(zlib.decompress(pixels), width, height)
    colors = collections.Counter(row[i:i + 3] for row in rows for i in range(0, len(row), 3))
    palette = [c for c, _ in colors.most_common(256)]
    nearest = {c: min(range(len(palette)), key=lambda k: sum((a - b) ** 2 for a, b in zip(palette[k], c))) for c in colors}
    lines = b"".join(b"\0" + bytes(nearest[row[i:i + 3]] for i in range(0, len(row), 3)) for row in rows)
    with open(name, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) +
                chunk(b"PLTE", b"".join(palette)) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


def shoot(url, picture, height, tmp):
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--run-all-compositor-stages-before-draw", f"--user-data-dir={tmp}/profile",
                    f"--window-size={WIDTH},{height}", "--virtual-time-budget=3000", f"--screenshot={picture}", url], stderr=subprocess.DEVNULL, check=True)
    shrink(picture)


def main():
    with tempfile.TemporaryDirectory() as tmp:
        for example, view, height, name in PICTURES:
            report, picture = f"{tmp}/{example}.html", f"{TO}/report-{name}.png"
            subprocess.run(["./cli/cldbg", f"--report=html:{report}", f"--trace={tmp}/{example}.trace", f"--profile={tmp}/p.json", f"./examples/{example}", "--bug"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            shoot(f"file://{report}#{view}", picture, height, tmp)
        with open(f"{tmp}/mean.cl", "w", encoding="utf-8") as f:
            f.write(MEAN)
        subprocess.run(["cldbg", "run", "mean.cl", "--global=32", "--local=16", "--arg=float[32]=iota", "--arg=float[32]=0", "--report=html:mean.html"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp, executable=os.path.abspath("cli/cldbg"), check=False)
        shoot(f"file://{tmp}/mean.html#finding/1", f"{TO}/report-writers.png", 700, tmp)
        subprocess.run(["./cli/cldbg", f"--coverage={tmp}/c.info", "./examples/reduction"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        subprocess.run(["genhtml", "--branch-coverage", "--quiet", "--title", "cldbg --coverage, examples/reduction", "-o", f"{tmp}/lcov", f"{tmp}/c.info"], check=True)
        (page,) = glob.glob(f"{tmp}/lcov/**/*.gcov.html", recursive=True)
        shoot(f"file://{page}", f"{TO}/report-genhtml.png", 700, tmp)


main()
