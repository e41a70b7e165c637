"""Centre lines that are drawn by hand instead of found: reads `mended.txt`."""

from functools import cache
from pathlib import Path

import ductus
from lines import Line
from outlines import Font

FILE = Path(__file__).with_name("mended.txt")


@cache
def mended() -> dict[tuple[str, str], ductus.Model]:
    """The lines by font and character, in em."""
    found = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            slug, character, *words = line.split()
            found[slug, character] = ductus.model(words, step=0.01)
    return found


def lines_of(font: Font, glyph: int) -> list[Line] | None:
    """The lines of a glyph in pixels; `None` where they are to be found from its outline."""
    for (slug, character), model in mended().items():
        if slug == font.slug and font.cmap().get(ord(character)) == glyph:
            numbers = range(len(model.kinds))
            return [Line([model.points[model.stroke_of == number] * font.em_px]) for number in numbers]
    return None
