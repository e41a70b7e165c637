"""Which letter or figure each glyph of a font draws: those of the cmap, and their other forms; and which glyphs are the
connections of letters."""

import unicodedata
from pathlib import Path

from fontTools.ttLib import TTFont

from ductus import models

# Letters of other scripts that are written as a Latin letter is.
LOOKALIKES = dict(zip("аеорсухіјѕАВЕЅІЈКМНОРСТХ", "aeopcyxijsABESIJKMHOPCTX", strict=True))
LOOKALIKES |= dict(zip("οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oABEZHIKMNOPTYX", strict=True))
LOOKALIKES |= {"ı": "i", "ȷ": "j"}
# Features of OpenType whose glyphs are not drawn as the letter that they stand for.
OTHER_SHAPES = {"smcp", "c2sc", "pcap", "c2pc", "unic", "sups", "subs", "sinf", "numr", "dnom", "frac", "ordn", "mgrk"}


# What a glyph draws that leads from one letter to the next.
CONNECTION = "connection"


def letters_of(path: Path) -> dict[int, str]:
    """The character in `ductus.txt` of each glyph that draws one, with or without accents, or `CONNECTION`."""
    font = TTFont(path, lazy=True)
    letters = {}
    for code, name in font.getBestCmap().items():
        base = unicodedata.normalize("NFD", chr(code))[0]
        base = LOOKALIKES.get(base, base)
        if base in models():
            letters.setdefault(font.getGlyphID(name), base)
    other_forms = [(font.getGlyphID(a), font.getGlyphID(b)) for a, b in substitutes(font)]
    # The form of a form is of the same letter.
    for _ in range(3):
        for glyph, form in other_forms:
            if glyph in letters:
                letters.setdefault(form, letters[glyph])
    for name in connections(font):
        letters.setdefault(font.getGlyphID(name), CONNECTION)
    return letters


def connections(font: TTFont) -> set[str]:
    """The glyphs that the font adds after a letter that it leaves as it is."""
    mapped = set(font.getBestCmap().values())
    found = set()
    for part in subtables(font, set()):
        if part.LookupType == 2:
            for glyph, sequence in part.mapping.items():
                if sequence[:1] == [glyph]:
                    found.update(name for name in sequence[1:] if name not in mapped)
    return found


def substitutes(font: TTFont) -> list[tuple[str, str]]:
    """The glyphs that the font puts in the place of a single other one."""
    if "GSUB" not in font:
        return []
    table = font["GSUB"].table
    left_out = set()
    for record in table.FeatureList.FeatureRecord if table.FeatureList else []:
        if record.FeatureTag in OTHER_SHAPES:
            left_out.update(record.Feature.LookupListIndex)
    found = []
    for part in subtables(font, left_out):
        if part.LookupType == 1:
            found += part.mapping.items()
        elif part.LookupType == 3:
            found += [(glyph, form) for glyph, forms in part.alternates.items() for form in forms]
    return found


def subtables(font: TTFont, left_out: set[int]) -> list:
    """The parts of all lookups of substitutions but these."""
    table = font["GSUB"].table if "GSUB" in font else None
    lookups = table.LookupList.Lookup if table is not None and table.LookupList else []
    parts = [part for index, lookup in enumerate(lookups) if index not in left_out for part in lookup.SubTable]
    return [getattr(part, "ExtSubTable", part) for part in parts]
