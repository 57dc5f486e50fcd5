# SPDX-License-Identifier: MIT
"""forge.py CAPTURE OUT KEY VALUE…: a copy of the capture with other texts (options, source, build_options, binary) or global sizes
(range.global 1,1,1) or a member of an image argument (image.row_pitch 4096). forge.py CAPTURE: its contents, unpacked."""
import ctypes, ctypes.util, json, struct, sys

z = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
z.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
z.ZSTD_decompress.restype = z.ZSTD_compress.restype = z.ZSTD_compressBound.restype = ctypes.c_size_t
size_t = ctypes.c_size_t
BLOBS = ["options", "host_site", "source", "build_options", "binary"]


def unpack(data):
    frame = data[16:]
    n = z.ZSTD_getFrameContentSize(frame, size_t(len(frame)))
    out = ctypes.create_string_buffer(n)
    z.ZSTD_decompress(out, size_t(n), frame, size_t(len(frame)))
    return out.raw


def pack(raw):
    room = z.ZSTD_compressBound(size_t(len(raw)))
    out = ctypes.create_string_buffer(room)
    n = z.ZSTD_compress(out, size_t(room), raw, size_t(len(raw)), 1)
    return out.raw[:n]


def main(path, out=None, *changes):
    data = open(path, "rb").read()
    raw = unpack(data)
    if not out:
        sys.stdout.buffer.write(raw)
        return
    size, = struct.unpack("<Q", raw[:8])
    doc, rest, texts = json.loads(raw[8:8 + size]), raw[8 + size:], {}
    for key in BLOBS:
        texts[key], rest = rest[:doc[key]], rest[doc[key]:]
    for key, value in zip(changes[::2], changes[1::2]):
        if key == "range.global":
            doc["range"]["global"] = [int(x) for x in value.split(",")]
        elif key.startswith("image."):
            image = next(a for a in doc["arguments"] if a["kind"] == "image")["image"]
            image[key[6:]] = int(value)
        elif key in BLOBS:
            texts[key] = value.encode()
        else:
            sys.exit(f"{key}?")
    doc.update((key, len(texts[key])) for key in BLOBS)
    text = json.dumps(doc).encode()
    with open(out, "wb") as f:
        f.write(data[:16] + pack(struct.pack("<Q", len(text)) + text + b"".join(texts[key] for key in BLOBS) + rest))


main(*sys.argv[1:])
