"""Makes fonts whose outlines have many points, as traces of scans have, each with the TOML file of a good one.

Asked {"folder": where to write}, it answers the list of their names.
"""

import json
import math
import sys
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables._g_l_y_f import Glyph

EM = 1000
LETTERS = [chr(point) for point in range(33, 127)]


def polygon(contours: list[list[tuple[float, float]]]) -> Glyph:
    pen = TTGlyphPen(None)
    for contour in contours:
        pen.moveTo(tuple(map(round, contour[0])))
        for point in contour[1:]:
            pen.lineTo(tuple(map(round, point)))
        pen.closePath()
    return pen.glyph()


def ring(points: int, noise: float) -> Glyph:
    """Two circles, whose points are up to `noise` units off."""
    contours = []
    for radius, turn in ((250, -1), (190, 1)):
        contour = []
        for number in range(points // 2):
            angle = turn * number * 4 * math.pi / points
            off = radius + noise * ((number * 7919 % 101) / 50 - 1)
            contour.append((280 + off * math.cos(angle), 250 + off * math.sin(angle)))
        contours.append(contour)
    return polygon(contours)


def star(points: int, step: int) -> Glyph:
    """A star whose sides join each point of a circle with the one `step` points on: large steps cross often."""
    angles = [number * step * 2 * math.pi / points for number in range(points)]
    return polygon([[(280 + 8000 * math.cos(angle), 250 + 8000 * math.sin(angle)) for angle in angles]])


def comb(points: int) -> Glyph:
    """Teeth side by side."""
    teeth = [(8 * number, 700 if number % 2 else 100) for number in range(points)]
    return polygon([teeth + [(8 * points, 0), (0, 0)]])


def save(folder: Path, number: int, name: str, letter: Glyph, sign: Glyph) -> str:
    order = [".notdef", "space", *LETTERS, "currency"]
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder(order)
    cmap = {ord(letter): letter for letter in LETTERS} | {32: "space", 0xA4: "currency"}
    builder.setupCharacterMap(cmap)
    glyphs = dict.fromkeys(LETTERS, letter) | {".notdef": letter, "space": Glyph(), "currency": sign}
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({glyph: (560, getattr(builder.font["glyf"][glyph], "xMin", 0)) for glyph in order})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": name, "styleName": "Regular"})
    builder.setupOS2(fsType=0)
    builder.setupPost()
    builder.save(folder / name)
    description = f'id = {1001 + number}\nname = "{name}"\nstyle = "print"\nlicence = "none"\n'
    (folder / name).with_suffix(".toml").write_text(description, encoding="utf-8")
    return name


def main() -> None:
    folder = Path(json.load(sys.stdin)["folder"])
    plain = ring(40, 0)
    fonts = {
        "traced.ttf": (ring(900, 1), plain),
        "jagged.ttf": (ring(1200, 12), plain),
        "comb.ttf": (plain, comb(3000)),
        "star.ttf": (plain, star(1501, 700)),
        "long.ttf": (plain, ring(12_000, 1)),
    }
    names = [save(folder, number, name, *glyphs) for number, (name, glyphs) in enumerate(fonts.items())]
    json.dump(names, sys.stdout)


if __name__ == "__main__":
    main()
