"""Proposes rows of edits for a hand: random sizes of the edits that fit each letter, checked and unlike each other.

    python scripts/drawings/propose.py SLUG FOLDER [LETTER…]

writes (for these letters or forms, or all letters) FOLDER/SLUG.tsv with rows to choose from, and FOLDER/SLUG-N.png with
their pictures, numbered. The chosen rows are what `scripts/drawings/edits/SLUG.tsv` holds.
"""

import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

import checks
import edits
import fit
import sheet
from draw import Drawn
from glyphs import Hand

COMMON, SMALL = "eaosrtni", "dlfghbcjkmpquvwxyz"
CAPITALS = "TISADHMWB"
MOST_TRIES, SHOWN = 40, {True: 7, False: 4}
# Bounds of the difference from the font's letter and from the drawings before, in x-heights.
LEAST, MOST, APART = 0.015, 0.1, 0.014
# Hands whose letters join: ends that meet the neighbours stay.
JOINED = {
    "alex-brush",
    "allison",
    "allura",
    "birthstone",
    "borel",
    "calligraffitti",
    "cedarville-cursive",
    "charmonman",
    "comforter",
    "corinthia",
    "damion",
    "dawning-of-a-new-day",
    "edu-nsw-act-cursive",
    "ephesis",
    "euphoria-script",
    "great-vibes",
    "homemade-apple",
    "hurricane",
    "inspiration",
    "kristi",
    "la-belle-aurore",
    "marck-script",
    "ms-madi",
    "parisienne",
    "passions-conflict",
    "playwrite-br",
    "playwrite-es",
    "playwrite-it-trad",
    "playwrite-pl",
    "playwrite-us-trad",
    "qwigley",
    "qwitcher-grypen",
    "rouge-script",
    "ruthie",
    "sacramento",
    "satisfy",
    "send-flowers",
    "tangerine",
    "whisper",
    "zeyada",
}


class Recipe:
    """Random edits for one letter."""

    def __init__(self, seed: int, joined: bool):
        self.random, self.joined = np.random.default_rng(seed), joined

    def size(self, low: float, high: float) -> str:
        return f"{self.random.uniform(low, high):.2f}"

    def either(self, *choices: str) -> str:
        return choices[self.random.integers(len(choices))]

    def sway(self, largest: float) -> str:
        return self.size(-largest, largest)

    def loop(self, which: int = 0, narrow: float = 0.6, wide: float = 1.3) -> str:
        if self.joined:
            narrow, wide = narrow - 0.4, wide + 0.5
        minor = self.either(self.size(narrow, 0.85), self.size(1.12, wide))
        return f"loop {which} {minor} {self.size(0.92, 1.06)}"

    def opened(self, side: str) -> str:
        shift = {"top": (self.sway(0.06), self.size(-0.03, 0.06)), "left": (self.size(0, 0.06), self.sway(0.04))}
        dx, dy = shift.get(side, (self.sway(0.05), self.sway(0.05)))
        white = self.size(0.0, 0.035)
        return self.either(f"open {side} {white} {dx} {dy}", f"ring {white} {dx} {dy}" if side == "top" else f"open {side} {white} {dx} {dy}")

    def exit(self) -> str:
        if self.joined:
            return f"top 0 {self.sway(0.12)} {self.sway(0.1)}"
        return f"end {self.either('exit', 'exit', 'low')} {self.sway(0.05)} {self.sway(0.09)} {self.size(-0.12, 0.1)}"

    def ascender(self) -> str:
        return f"zone 0.95 1.6 {self.sway(0.09)} {self.sway(0.12)}"

    def descender(self) -> str:
        return f"zone -0.05 -0.6 {self.sway(0.1)} {self.sway(0.12)}"

    def arch(self) -> str:
        which = self.random.integers(3)
        return self.either(
            f"top {which} {self.sway(0.06)} {self.sway(0.09)}",
            f"slide {self.random.integers(2)} {self.sway(0.16)}",
            f"cup {which} {self.sway(0.06)} {self.sway(0.07)}",
        )

    def bar(self) -> str:
        return f"bar {self.size(-0.06, 0.12)} {self.sway(0.14)} {self.sway(7)} {self.size(0.88, 1.16)}"

    def row(self, letter: str) -> str:
        """The edits of one drawing."""
        either, parts = self.either, []
        if letter in "aodgq":
            parts.append(either(
                    self.opened("top"),
                    self.opened("top"),
                    self.loop(0, 0.7, 1.2),
                    self.loop(0, 0.7, 1.2) if self.joined else f"close {either('high', 'entry')} 0.1",
                ))
        if letter == "e":
            parts.append(either(self.opened("left"), self.loop(0, 0.35, 1.4), self.loop(0, 0.35, 1.4), self.loop(0, 0.6, 1.3)))
        if letter in "bp":
            parts.append(either(self.opened("top"), self.opened("low"), self.opened("left"), self.loop(0, 0.75, 1.2)))
        if letter in "lfhkgyjzq" and self.random.random() < 0.5:
            parts.append(self.loop(int(letter in "gq" and self.random.random() < 0.5), 0.45, 1.35))
        if letter in "bdfhkltADISTHB":
            parts.append(self.ascender())
        if letter in "gjpqyzf":
            parts.append(self.descender())
        if letter in "tf":
            parts.append(self.bar())
        if letter == "T":
            parts.append(f"bar {self.size(-0.05, 0.08)} {self.size(-0.03, 0.06)} {self.sway(4)} {self.size(0.92, 1.08)}")
        if letter in "AH":
            parts.append(f"slide 0 {self.sway(0.22)}; slide 1 {self.sway(0.22)}")
        if letter in "ij":
            parts.append(f"dot {self.sway(0.12)} {self.size(-0.02, 0.16)} {self.sway(30)} {self.size(0.85, 1.5)}")
        if letter in "nmhruwvsMW":
            parts.append(self.arch())
        if letter in "acdehiklmnrstuxzTSAHM":
            parts.append(either(self.exit(), ""))
        kind = self.either("high", "entry", "low")
        if not self.joined and letter in "acrsxvwuykSD":
            parts.append(either(f"end {kind} {self.sway(0.06)} {self.sway(0.08)} {self.size(-0.08, 0.06)}", ""))
        if self.joined:
            parts.append("pinned")
        size = self.size(0.1, 0.2) if self.joined else self.size(0.05, 0.1 if letter.islower() else 0.08)
        parts.append(f"free {self.random.integers(1000)} {size}")
        return "; ".join(part for part in parts if part)


def candidates(hand: Hand, drawn: Drawn, alphabet: checks.Alphabet, wanted: int) -> list[tuple]:
    """Rows that pass the checks, each with its ink, its difference from the font's letter and whether loops differ."""
    letter = drawn.letter
    recipe, found, failures = Recipe(sum(map(ord, letter.name)) * 1000 + len(hand.slug), hand.slug in JOINED), [], Counter()
    for _ in range(MOST_TRIES):
        if len(found) >= wanted:
            break
        row = possible(recipe.row(letter.character), drawn)
        ink = drawn.drawing(row)
        if ink.is_empty:
            continue
        ink = ink if "pinned" in row else checks.settled(letter, ink)
        away = checks.difference(letter.outline, ink, letter.x_height)
        if not LEAST < away < MOST:
            failures["too near" if away < MOST else "too far"] += 1
            continue
        verdict = checks.verdict(letter, ink, alphabet, "end " in row or "bar" in row)
        failures.update(reason.split()[0] for reason in verdict.failed)
        if not verdict.failed:
            found.append((row, ink, away, loops(ink) != loops(letter.outline)))
    print(hand.slug, letter.name, len(found), dict(failures), flush=True)
    return found


def possible(row: str, drawn: Drawn) -> str:
    """The edits of a row that find something to edit."""
    kept = []
    for edit in row.split("; "):
        try:
            edits.apply(edits.sketch(drawn.letter, drawn.parts), "; ".join([*kept, edit]))
        except (ValueError, IndexError):
            continue
        kept.append(edit)
    return "; ".join(kept)


def loops(ink) -> int:
    return sum(len(part.interiors) for part in ink.geoms)


def unlike(found: list[tuple], x_height: float, most: int) -> list[tuple]:
    """The greatest spread of at most so many; up to half of them have other loops than the font's letter."""
    kept = []
    spread = np.array([candidate[2] for candidate in found])
    for other_loops, limit in ((True, max(most // 2, 1)), (False, most), (True, most)):
        while len(kept) < limit:
            open_to = [i for i, c in enumerate(found) if c[3] == other_loops and spread[i] >= APART]
            if not open_to:
                break
            best = max(open_to, key=lambda i: spread[i])
            kept.append(found[best])
            for i, candidate in enumerate(found):
                if spread[i] >= APART:
                    spread[i] = min(spread[i], checks.difference(candidate[1], found[best][1], x_height))
    return kept


def main() -> None:
    warnings.filterwarnings("ignore")
    slug, folder = sys.argv[1], Path(sys.argv[2])
    hand = Hand(slug)
    letters = {name: hand.letter(name) for name in [*COMMON, *SMALL, *CAPITALS, *sys.argv[3:]]}
    alphabet = checks.Alphabet(letters)
    cells, lines = [], []
    for name in sys.argv[3:] or [*COMMON, *SMALL, *CAPITALS]:
        letter, common = letters[name], name in COMMON
        drawn = Drawn(letter)
        found = candidates(hand, drawn, alphabet, 15 if common else 8)
        kept = unlike(found, letter.x_height, SHOWN[common])
        cells.append((name, letter.outline, letter.x_height))
        for number, (row, _, away, other_loops) in enumerate(kept, 1):
            ink = drawn.drawing(row)
            ink = ink if "pinned" in row else checks.settled(letter, ink)
            path, _ = fit.path_of(ink, letter.detail, letter.points)
            cells.append((f"{name}{'*' if other_loops else ' '}{number}", fit.ink_of(path), letter.x_height))
            lines.append(f"{name}\t{number}\t{row}\n")
    (folder / f"{slug}.tsv").write_text("".join(lines))
    sheet.sheets(cells, folder / slug)


if __name__ == "__main__":
    main()
