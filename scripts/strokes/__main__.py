"""Makes the strokes of the fonts for pen plotters: `fonts/strokes/SLUG.strokes` of each font that passes.

    python scripts/strokes [--only SLUG[,SLUG]] [--jobs N] [--dry-run] > table.tsv
    python scripts/strokes --font FILE.ttf

The second makes the strokes of an own font, with its TOML file beside it: `FILE.strokes` in the same folder.

Needs Python 3.11 and the packages of `scripts/strokes/requirements.txt`. The same versions write the same bytes.

Each glyph's outline is reduced to its medial axis (`medial_axis`), whose branches are joined into lines (`junctions`,
`chains`). Letters and figures are put in the order of writing by models of how a hand writes each (`writing_order`,
`ductus.txt`), other glyphs by rules (`plain_order`). The strokes are fitted with cubics (`curves`). The pen is as wide
as the font's lines: the median of twice the distance from the axis to the outline, over the ASCII letters. The strokes
are then drawn with that pen, and the overlap with the glyph is intersection over union (`score`). A font passes with a
mean of at least 0.8 over the ASCII letters and at least 0.6 for each, unless its strokes are `MISREAD`. Of such a font
each glyph gets strokes, except those whose overlap is below 0.3, such as solid shapes, and except the East Asian
letters of fonts that have thousands. The table has one row a font: its scores over ASCII and Latin-1, verdict, bytes.
"""

import argparse
import csv
import hashlib
import os
import re
import sys
import tomllib
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path

import file_format
import numpy as np
from fontTools.ttLib import TTFont
from glyph_strokes import Stroke, strokes_of
from letters import letters_of
from lines import Part
from medial_axis import medial_axis
from outlines import Font
from score import ASCII, LATIN_1, LEAST_LETTER, LEAST_MEAN, overlap

ROOT = Path(__file__).resolve().parents[2]
STROKES = ROOT / "fonts/strokes"
# Fonts that pass the overlap, but whose strokes people read as other letters: `a` as `o`, and `e` as `c`.
MISREAD = {"schoolbell", "zeyada"}
# Fonts in which a contour of one point is a dot.
DOTS_OF_ONE_POINT = {"dawning-of-a-new-day"}
# Least overlap of a glyph that gets strokes.
LEAST_GLYPH = 0.3
# Fonts with more glyphs get strokes for the characters below the East Asian blocks and Hangul only.
MANY_GLYPHS = 5000
FIRST_EAST_ASIAN = 0x1100
# Glyphs that one process works on at a time.
CHUNK = 32


@dataclass
class Verdict:
    """What became of one font."""

    number: int
    slug: str
    pen_em: float
    x_height_em: float
    # In degrees, to the right.
    slant: float
    # Overlap of each letter that the font has.
    ascii: dict[str, float]
    latin_1: dict[str, float]

    @property
    def passes(self) -> bool:
        covers = mean(self.ascii) >= LEAST_MEAN and min(self.ascii.values()) >= LEAST_LETTER
        return covers and self.slug not in MISREAD

    def row(self, size: int | None) -> str:
        worst = min(self.ascii, key=self.ascii.get)
        cells = [self.number, self.slug, f"{self.pen_em:.4f}", f"{mean(self.ascii):.3f}", f"{self.ascii[worst]:.2f}"]
        cells += [worst, f"{mean(self.latin_1):.3f}", "pass" if self.passes else "fail", size or 0]
        return "\t".join(map(str, cells))


HEADER = "id\tslug\tpen_em\tascii_mean\tascii_worst\tworst_letter\tlatin1_mean\tverdict\tbytes"


def mean(scores: dict[str, float]) -> float:
    return sum(scores.values()) / len(scores) if scores else 0.0


def font_file(slug: str) -> Path:
    """The file of a font of the program, by its slug, or of an own font, by its path."""
    return Path(slug) if slug.endswith((".ttf", ".otf")) else ROOT / f"fonts/ttf/{slug}.ttf"


def strokes_file(slug: str) -> Path:
    return font_file(slug).with_suffix(".strokes") if slug.endswith((".ttf", ".otf")) else STROKES / f"{slug}.strokes"


def own_font(path: str) -> dict[str, str]:
    """What the tables tell of a font of the program, of an own font."""
    told = tomllib.loads(Path(path).with_suffix(".toml").read_text(encoding="utf-8"))
    font = TTFont(path)
    x_height = font["OS/2"].sxHeight / font["head"].unitsPerEm
    slant = round(told.get("slant", -font["post"].italicAngle))
    return {"id": told["id"], "slug": path, "stroke_em": "0.05", "x_height_em": str(x_height), "slant": f"{slant:+d}"}


def measured_pen(slug: str, about_em: float) -> float:
    """Median width of a font's lines, in em, to 1/10,000."""
    font = Font(font_file(slug), about_em)
    cmap = font.cmap()
    widths, lengths = [], []
    for letter in ASCII:
        shape = font.shape(cmap[ord(letter)])
        if shape is not None:
            for branch in medial_axis(shape, font.pen_px).branches:
                widths.append(2 * branch.radii[1:])
                lengths.append(np.diff(branch.along))
    width, length = np.concatenate(widths), np.concatenate(lengths)
    order = np.argsort(width, kind="stable")
    total = np.cumsum(length[order])
    median = width[order][np.searchsorted(total, total[-1] / 2)] / font.em_px
    return round(float(median), 4)


def judge(row: dict[str, str]) -> Verdict:
    """Scores a font by its letters."""
    slug = row["slug"]
    pen_em = measured_pen(slug, float(row["stroke_em"]))
    font = Font(font_file(slug), pen_em)
    cmap = font.cmap()

    def scores(letters: list[str]) -> dict[str, float]:
        glyphs = {letter: cmap[ord(letter)] for letter in letters if ord(letter) in cmap}
        return {letter: overlap(font, glyph, strokes_of(font, glyph), pen_em) for letter, glyph in glyphs.items()}

    x_height_em, slant = float(row["x_height_em"]), float(re.search(r"[+-]\d+", row["slant"])[0])
    return Verdict(int(row["id"]), slug, pen_em, x_height_em, slant, scores(ASCII), scores(LATIN_1))


def glyphs_of(slug: str) -> list[int]:
    """The glyphs of a font that get strokes: all, for the cmap and the font's substitutions may reach each."""
    font = Font(font_file(slug), 0.05)
    if font.face.num_glyphs <= MANY_GLYPHS:
        return list(range(font.face.num_glyphs))
    return sorted({glyph for code, glyph in font.cmap().items() if code < FIRST_EAST_ASIAN})


def draw(task: tuple[Verdict, dict[int, str | None]]) -> dict[int, list[Stroke]]:
    """The strokes of some glyphs of a font, each with the letter that it draws."""
    of, glyphs = task
    font = Font(font_file(of.slug), of.pen_em, of.x_height_em, of.slant)
    drawn = {}
    for glyph, letter in glyphs.items():
        strokes = strokes_of(font, glyph, letter)
        if strokes and overlap(font, glyph, strokes, of.pen_em) >= LEAST_GLYPH:
            dots = font.dots_of_one_point(glyph) if of.slug in DOTS_OF_ONE_POINT else []
            drawn[glyph] = strokes + [dot_at(point) for point in dots]
    return drawn


def dot_at(point: np.ndarray) -> Stroke:
    """The stroke of a dot: one font unit long."""
    return Stroke(np.array([[point, point, point + [1, 0], point + [1, 0]]]), Part.MARK)


def table(name: str) -> list[dict[str, str]]:
    """The rows of a table of the catalogue."""
    with (ROOT / f"fonts/{name}.tsv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--font", help="an own font, with its TOML file beside it")
    arguments.add_argument("--only", help="slugs of fonts, separated by commas")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments.add_argument("--dry-run", action="store_true", help="score only")
    given = arguments.parse_args()
    slants = {row["slug"]: row["slant"] for row in table("catalog")}
    rows = [row | {"slant": slants[row["slug"]]} for row in table("metrics")]
    if given.font:
        rows = [own_font(given.font)]
    elif given.only:
        rows = [row for row in rows if row["slug"] in given.only.split(",")]
    STROKES.mkdir(exist_ok=True)
    print(HEADER, flush=True)
    with Pool(given.jobs) as pool:
        for verdict in pool.imap(judge, rows):
            path = strokes_file(verdict.slug)
            if given.dry_run or not verdict.passes:
                if not given.dry_run:
                    path.unlink(missing_ok=True)
                print(verdict.row(None), flush=True)
                continue
            glyphs = glyphs_of(verdict.slug)
            letters = letters_of(font_file(verdict.slug))
            parts = [glyphs[at : at + CHUNK] for at in range(0, len(glyphs), CHUNK)]
            tasks = [(verdict, {glyph: letters.get(glyph) for glyph in part}) for part in parts]
            drawn = {glyph: strokes for part in pool.imap(draw, tasks) for glyph, strokes in part.items()}
            digest = hashlib.sha256(font_file(verdict.slug).read_bytes()).hexdigest()
            data = file_format.encode(digest, verdict.pen_em, drawn)
            path.write_bytes(data)
            print(verdict.row(len(data)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
