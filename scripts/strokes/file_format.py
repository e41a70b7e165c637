"""The file of a font's strokes, `fonts/strokes/SLUG.strokes`. `src/catalogue/strokes.rs` reads it and documents it.

    5 bytes    "LHSTR"
    1 byte     version of the format, 2
    64 bytes   SHA-256 of the font file, lower-case hexadecimal
    varint     pen width in 1/10,000 em
    varint     number of glyphs with strokes; for each, by rising index:
      varint     glyph index less that of the glyph before (0 before the first)
      varint     number of strokes, at least 1; for each, in the order of writing:
        varint     what it is of its letter: 0 body, 1 body to which the pen stays down, 2 bar, 3 dot or other mark
        varint     number of cubics, at least 1
        signed     x, y of the start, less the point before (0, 0 before the glyph's first)
        signed     for each cubic x, y of both control points and of its end, each less the point before

Points are in font units, y up. A varint has 7 bits a byte, the lowest first, and the highest bit set in all bytes but
the last (LEB128). A signed number n is the varint of 2n where n >= 0, else of -2n - 1.
"""

import numpy as np

from glyph_strokes import Stroke
from lines import Part

MAGIC = b"LHSTR"
VERSION = 2
WIDTH_UNITS = 10_000


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def signed(number: int) -> bytes:
    return varint(2 * number if number >= 0 else -2 * number - 1)


def encode(sha256: str, pen_em: float, glyphs: dict[int, list[Stroke]]) -> bytes:
    """The file of the glyphs that have strokes."""
    drawn = {glyph: strokes for glyph, strokes in sorted(glyphs.items()) if strokes}
    out = bytearray(MAGIC + bytes([VERSION]) + sha256.encode())
    out += varint(round(pen_em * WIDTH_UNITS)) + varint(len(drawn))
    before = 0
    for glyph, strokes in drawn.items():
        out += varint(glyph - before) + varint(len(strokes))
        before = glyph
        point = np.zeros(2, dtype=int)
        for stroke in strokes:
            out += varint(stroke.part) + varint(len(stroke.cubics))
            for following in [stroke.cubics[0, 0], *stroke.cubics[:, 1:].reshape(-1, 2)]:
                for step in following - point:
                    out += signed(int(step))
                point = following
    return bytes(out)


def decode(data: bytes) -> tuple[str, float, dict[int, list[Stroke]]]:
    """SHA-256 of the font, pen width in em, and strokes by glyph."""
    if data[:6] != MAGIC + bytes([VERSION]):
        raise ValueError("not a file of strokes, version 2")
    place = 70

    def number() -> int:
        nonlocal place
        value = shift = 0
        while True:
            byte = data[place]
            place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def step() -> int:
        value = number()
        return value >> 1 if value % 2 == 0 else -(value + 1 >> 1)

    pen_em = number() / WIDTH_UNITS
    glyphs, glyph = {}, 0
    for _ in range(number()):
        glyph += number()
        strokes, point = [], np.zeros(2, dtype=int)
        for _ in range(number()):
            part, points = Part(number()), []
            for _ in range(3 * number() + 1):
                point = point + [step(), step()]
                points.append(point)
            strokes.append(Stroke(np.array([points[i : i + 4] for i in range(0, len(points) - 1, 3)]), part))
        glyphs[glyph] = strokes
    return data[6:70].decode(), pen_em, glyphs
