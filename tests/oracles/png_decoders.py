"""Decodes PNG files with libpng and with Pillow (which has a decoder of its own over zlib).

Reads a JSON array of paths from standard input, prints a JSON array:

    {"libpng": sha256 of the RGBA bytes, "libpng_message": warning or error or "", "pillow": sha256, "pillow_message"}

A decoder that refuses the file gives null and the message.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import hashlib
import json
import sys

from PIL import Image

Image.MAX_IMAGE_PIXELS = None
PNG_IMAGE_VERSION = 1
PNG_FORMAT_RGBA = 3


class PngImage(ctypes.Structure):
    """`png_image` of libpng's simplified API (png.h, 1.6)."""

    _fields_ = [
        ("opaque", ctypes.c_void_p),
        ("version", ctypes.c_uint32),
        ("width", ctypes.c_uint32),
        ("height", ctypes.c_uint32),
        ("format", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("colormap_entries", ctypes.c_uint32),
        ("warning_or_error", ctypes.c_uint32),
        ("message", ctypes.c_char * 64),
    ]


def load_libpng() -> ctypes.CDLL:
    """The system's libpng 1.6."""
    library = ctypes.CDLL(ctypes.util.find_library("png16") or "libpng16.so.16")
    library.png_image_begin_read_from_memory.argtypes = [ctypes.POINTER(PngImage), ctypes.c_char_p, ctypes.c_size_t]
    library.png_image_finish_read.argtypes = [
        ctypes.POINTER(PngImage),
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_int32,
        ctypes.c_void_p,
    ]
    return library


def by_libpng(library: ctypes.CDLL, data: bytes) -> tuple[bytes | None, str]:
    """The RGBA bytes, straight alpha, and what libpng had to remark."""
    image = PngImage(version=PNG_IMAGE_VERSION)
    if not library.png_image_begin_read_from_memory(ctypes.byref(image), data, len(data)):
        return None, image.message.decode()
    image.format = PNG_FORMAT_RGBA
    pixels = ctypes.create_string_buffer(image.width * image.height * 4)
    if not library.png_image_finish_read(ctypes.byref(image), None, pixels, 0, None):
        return None, image.message.decode()
    return pixels.raw, image.message.decode()


def by_pillow(path: str) -> tuple[bytes | None, str]:
    """The RGBA bytes, or why Pillow refuses."""
    try:
        with Image.open(path) as picture:
            picture.load()
            if picture.mode == "P" and "transparency" in picture.info:
                return picture.convert("RGBA").tobytes(), ""
            if picture.mode != "RGBA":
                return None, f"mode {picture.mode}"
            return picture.tobytes(), ""
    except (OSError, SyntaxError, ValueError) as error:
        return None, str(error)


def digest(pixels: bytes | None) -> str | None:
    """SHA-256 of the pixels, if there are any."""
    return None if pixels is None else hashlib.sha256(pixels).hexdigest()


def main() -> None:
    library = load_libpng()
    results = []
    for path in json.load(sys.stdin):
        with open(path, "rb") as file:
            libpng, libpng_message = by_libpng(library, file.read())
        pillow, pillow_message = by_pillow(path)
        results.append({
            "libpng": digest(libpng),
            "libpng_message": libpng_message,
            "pillow": digest(pillow),
            "pillow_message": pillow_message,
        })
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
