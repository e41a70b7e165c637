"""Makes broken and hostile fonts, each with the TOML file that a good one would have.

Asked {"font": path of a good TrueType font, "folder": where to write}, it answers the list of their names.
"""

import json
import sys
from copy import deepcopy
from pathlib import Path

from fontTools.cffLib import SubrsIndex
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.psCharStrings import T2CharString
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import Glyph, GlyphComponent


def composite(*names: str) -> Glyph:
    glyph = Glyph()
    glyph.numberOfContours = -1
    glyph.xMin = glyph.yMin = glyph.xMax = glyph.yMax = 0
    glyph.components = []
    for name in names:
        part = GlyphComponent()
        part.glyphName, part.x, part.y, part.flags = name, 0, 0, 0x0002
        glyph.components.append(part)
    return glyph


def polygon(points: int) -> Glyph:
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for number in range(1, points):
        pen.lineTo((number % 997, number * 7 % 991 + 1))
    pen.closePath()
    glyph = pen.glyph()
    glyph.recalcBounds(None)
    return glyph


class Maker:
    """Writes variants of one good font."""

    def __init__(self, font: str, folder: str):
        self.font, self.folder, self.names = font, Path(folder), []
        self.folder.mkdir(parents=True, exist_ok=True)

    def good(self) -> TTFont:
        return TTFont(self.font, recalcBBoxes=False, recalcTimestamp=False)

    def write(self, name: str, content: bytes) -> None:
        (self.folder / name).write_bytes(content)
        identity = 1001 + len(self.names)
        (self.folder / name).with_suffix(".toml").write_text(
            f'id = {identity}\nname = "{name}"\nstyle = "print"\nlicence = "none"\n', encoding="utf-8"
        )
        self.names.append(name)

    def save(self, name: str, font: TTFont) -> None:
        path = self.folder / "unfinished"
        font.save(path, reorderTables=None)
        content = path.read_bytes()
        path.unlink()
        self.write(name, content)

    def with_glyphs(self, name: str, glyphs: dict[str, Glyph]) -> None:
        """The good font with more glyphs, the last of which "a" becomes."""
        font = self.good()
        order = font.getGlyphOrder() + list(glyphs)
        for glyph, shape in glyphs.items():
            font["glyf"].glyphs[glyph] = shape
            font["hmtx"].metrics[glyph] = (500, 0)
        font.setGlyphOrder(order)
        font["glyf"].glyphOrder = order
        for table in font["cmap"].tables:
            if 97 in table.cmap:
                table.cmap[97] = list(glyphs)[-1]
        self.save(name, font)

    def all(self) -> None:
        good = Path(self.font).read_bytes()
        self.write("truncated.ttf", good[: len(good) // 3])
        self.write("random.ttf", bytes((number * 7919 + number // 251) % 256 for number in range(20_000)))
        self.write("empty.ttf", b"")
        self.write("huge.ttf", good + bytes(11 << 20))
        self.with_glyphs("cyclic.ttf", {"first": composite("second"), "second": composite("first")})
        self.with_glyphs("deep.ttf", {"d0": polygon(4)} | {f"d{n}": composite(f"d{n - 1}") for n in range(1, 40)})
        # 30^6 polygons, by six levels of thirty components each.
        levels = {f"w{level}": composite(*[f"w{level - 1}"] * 30) for level in range(1, 7)}
        self.with_glyphs("exponential.ttf", {"w0": polygon(30)} | levels)
        # A million points, as glyphs of 50,000 that are put together: a glyph itself has at most 65,535.
        self.with_glyphs("million.ttf", {"m0": polygon(50_000), "m1": composite(*["m0"] * 20)})

        font = self.good()
        del font["cmap"]
        self.save("no_cmap.ttf", font)
        font = self.good()
        for table in font["cmap"].tables:
            table.cmap = {point: glyph for point, glyph in table.cmap.items() if point > 127}
        self.save("no_ascii.ttf", font)
        font = self.good()
        font["head"].unitsPerEm = 0
        self.save("no_em.ttf", font)
        font = self.good()
        font["OS/2"].fsType = 2
        self.save("restricted.ttf", font)
        font = self.good()
        del font["glyf"], font["loca"]
        self.save("no_outlines.ttf", font)
        self.unwritten()
        self.growing()
        self.subroutines()

    def unwritten(self) -> None:
        """A font that can be used, whose É is blank, whose Ö has no dots and whose À is the sign of missing characters."""
        font = self.good()
        font.setGlyphOrder(font.getGlyphOrder() + ["blank", "missing"])
        font["glyf"].glyphOrder = font.getGlyphOrder()
        for name, glyph in {"blank": Glyph(), "missing": deepcopy(font["glyf"][".notdef"])}.items():
            font["glyf"].glyphs[name] = glyph
            font["hmtx"].metrics[name] = (500, 0)
        for table in font["cmap"].tables:
            if 0xC9 in table.cmap:
                table.cmap |= {0xC9: "blank", 0xD6: table.cmap[ord("O")], 0xC0: "missing"}
        self.save("unwritten.ttf", font)

    def growing(self) -> None:
        """Nine rules that each make eight letters of one."""
        font = self.good()
        rules = "".join(f"lookup l{n} {{ sub a by a a a a a a a a; }} l{n};\n" for n in range(9))
        uses = "".join(f"lookup l{n};\n" for n in range(9))
        addOpenTypeFeaturesFromString(font, f"languagesystem DFLT dflt;\n{rules}feature ccmp {{\n{uses}}} ccmp;\n")
        self.save("growing.ttf", font)

    def subroutines(self) -> None:
        """CFF subroutines of which each calls the next many times."""
        names = [".notdef"] + [chr(point) for point in range(33, 127)]
        cmap = {ord(name): name for name in names[1:]}
        builder = FontBuilder(1000, isTTF=False)
        builder.setupGlyphOrder(names)
        builder.setupCharacterMap(cmap)
        shapes = {}
        for name in names:
            pen = T2CharStringPen(500, None)
            pen.moveTo((10, 0))
            pen.lineTo((400, 0))
            pen.lineTo((200, 500))
            pen.closePath()
            shapes[name] = pen.getCharString()
        builder.setupCFF("Bomb", {}, shapes, {})
        builder.setupHorizontalMetrics({name: (500, 0) for name in names})
        builder.setupHorizontalHeader(ascent=800, descent=-200)
        builder.setupNameTable({"familyName": "Bomb", "styleName": "Regular"})
        builder.setupOS2(fsType=0)
        builder.setupPost()
        font = builder.font
        # Else it would draw the bomb itself.
        font.recalcBBoxes = False
        top = font["CFF "].cff.topDictIndex[0]
        private = top.Private
        private.Subrs = SubrsIndex()
        # Index 0 is called by -107: each but the last calls the next 200 times.
        for number in range(8):
            program = [number + 1 - 107, "callsubr"] * 200 + ["return"]
            private.Subrs.append(T2CharString(program=program, private=private, globalSubrs=top.GlobalSubrs))
        last = [1, 1, "rlineto", "return"]
        private.Subrs.append(T2CharString(program=last, private=private, globalSubrs=top.GlobalSubrs))
        top.CharStrings["a"].program = [10, 10, "rmoveto", -107, "callsubr", "endchar"]
        self.save("subroutines.otf", font)


if __name__ == "__main__":
    job = json.load(sys.stdin)
    maker = Maker(job["font"], job["folder"])
    maker.all()
    json.dump(maker.names, sys.stdout)
