"""The column `word_gap_em` of the catalogue: what the service adds to the advance of a font's word space."""

import csv
from functools import cache
from pathlib import Path

CATALOGUE = Path(__file__).resolve().parents[2] / "fonts/catalog.tsv"
# The spaces that it widens.
WORD_SPACES = " \u00a0"


@cache
def word_gap_em(font_file: str) -> float:
    """In em; 0 for a font that is not in the catalogue."""
    with CATALOGUE.open(encoding="utf-8") as table:
        rows = csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        return next((float(row["word_gap_em"]) for row in rows if row["slug"] == Path(font_file).stem), 0.0)
