"""Makes further drawings of letters: `fonts/drawings/SLUG.tsv` of each hand that has a table of edits.

    python scripts/drawings [--only SLUG[,SLUG]] [--sheets FOLDER] > table.tsv

README.md describes the tables, the edits and the checks. The table printed has a row for each drawing.
"""

import argparse
import sys
import warnings
from pathlib import Path

import checks
import fit
import ribbon
import sheet
from draw import Drawn
from glyphs import ROOT, Hand

EDITS = Path(__file__).parent / "edits"
DRAWINGS = ROOT / "fonts/drawings"
LETTERS = "abcdefghijklmnopqrstuvwxyzTISADHMWB"
WORDS = [
    "letter again street happiness better been seen attention",
    "noon sooner roast estates intention restore arrears address",
    "I think the quick brown fox jumps over a lazy dog",
    "I said that all really good jelly fell into my bag yesterday",
]
HEADER = "slug\tletter\tnumber\tredrawn\tdifference\tmargin\tarea\tleft\tright\tpoints\tof\tloops\tfailed"


def rows_of(path: Path) -> list[tuple[str, str]]:
    """Letters and edits of a table, sorted by letter."""
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return sorted(((line[0], line[1]) for line in lines), key=lambda row: row[0])


def make(slug: str, sheets: Path | None) -> None:
    """Writes the drawings of a hand, and a row for each to standard output."""
    hand = Hand(slug)
    rows = rows_of(EDITS / f"{slug}.tsv")
    alphabet = checks.Alphabet({name: hand.letter(name) for name in {*LETTERS, *(name for name, _ in rows)}})
    lines, cells, drawn, number = [f"font\t{hand.sha256}"], [], None, 0
    for name, edits in rows:
        of = name if len(name) == 1 else f"glyph {hand.font.getGlyphID(name)}"
        if edits.startswith("glyph "):
            lines.append(f"{of}\t{edits}")
            continue
        if drawn is None or drawn.letter.name != name:
            drawn, number = Drawn(hand.letter(name)), 0
            cells.append((name, drawn.letter.outline, hand.x_height))
        number += 1
        letter = drawn.letter
        ink = drawn.drawing(edits)
        ink = ink if "pinned" in edits else checks.settled(letter, ink)
        path, points = fit.path_of(ink, letter.detail, letter.points)
        ink = fit.ink_of(path)
        lines.append(f"{of}\t{path}")
        cells.append((f"{name}{number}", ink, hand.x_height))
        verdict = checks.verdict(letter, ink, alphabet, "end " in edits or "bar" in edits)
        old, new, xh = letter.outline.bounds, ink.bounds, letter.x_height
        cells_of_row = [
            slug,
            name,
            number,
            f"{ribbon.overlap(drawn.plain, letter.outline):.3f}",
            f"{checks.difference(letter.outline, ink, xh):.3f}",
            f"{verdict.margin:.3f}",
            f"{ink.area / letter.outline.area:.2f}",
            f"{(new[0] - old[0]) / xh:+.3f}",
            f"{(new[2] - old[2]) / xh:+.3f}",
            points,
            letter.points,
            f"{sum(len(p.interiors) for p in ink.geoms)}/{sum(len(p.interiors) for p in letter.outline.geoms)}",
            ", ".join(verdict.failed),
        ]
        print("\t".join(map(str, cells_of_row)), flush=True)
    DRAWINGS.mkdir(exist_ok=True)
    (DRAWINGS / f"{slug}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    if not sheets:
        return
    sheet.sheets(cells, sheets / slug)
    if all(len(name) == 1 for name, _ in rows):
        letters = {c: hand.letter(c) for c in LETTERS}
        inks = {c: [ink for label, ink, _ in cells if label[0] == c] or [letters[c].outline] for c in letters}
        advances = {c: letter.advance for c, letter in letters.items()}
        sheet.words(WORDS, inks, advances, hand.x_height, sheets / f"{slug}-words.png")


def main() -> None:
    warnings.filterwarnings("ignore")
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--only", help="slugs of fonts, separated by commas")
    arguments.add_argument("--sheets", type=Path, help="folder for contact sheets")
    given = arguments.parse_args()
    slugs = given.only.split(",") if given.only else sorted(path.stem for path in EDITS.glob("*.tsv"))
    print(HEADER)
    for slug in slugs:
        make(slug, given.sheets)


if __name__ == "__main__":
    sys.exit(main())
