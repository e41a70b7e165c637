"""Makes docs/hands.png and docs/fonts.md: the ninety hands in pictures and as a table.

    .venv/bin/python scripts/hands_sheet.py [path of longhand]

The environment is the one that `scripts/setup.sh test` makes.
"""

import json
import subprocess
import tempfile
from pathlib import Path

from PIL import Image
from sheets import ROOT, on_white, program

HEAD = """# Hands

The service has ninety hands; `font_id` is the number of a hand. `longhand fonts --specimen hands.pdf` writes the sheet
below as a file for print. `GET /api/v1/fonts/{id}/specimen.png` returns a picture of one hand and does not count
against the quota; with `?variation=true` its letters differ as with `enable_writer_variation`.
`GET /api/v1/fonts/specimens.png?text=Dear+Ann` shows words of your own in every hand.

![The ninety hands](hands.png)

```sh
longhand fonts --specimen hands.pdf
longhand fonts
longhand fonts --json
```

An operator can add fonts, with ids from 1001: [your own fonts](own-fonts.md).

Hands differ in size: at the same `font_size`, one hand's letters are twice as high as another's. `GET /api/v1/fonts`
and `longhand fonts --json` tell of each hand, in em, the height of its x (`x_height_em`), the space between words
(`word_gap_em`) and the width of its stroke (`stroke_em`). For letters of the same height, multiply the `font_size` by
the quotient of both hands' `x_height_em`.

Hands with `"strokes": true` also have centre lines for pen plotters: open lines in the order of writing.
`scripts/strokes` makes them from the outlines and ships those of a hand whose lines, drawn with its own pen width, cover
its ASCII letters: on average at least 0.8 of the union of both (intersection over union), and at least 0.6 for each
letter. Hands of brushes and pointed nibs, whose strokes vary in width, do not pass. The lines are derived from the font
and under its licence. East Asian letters and Hangul have none, nor do solid shapes.

A word with a character that the hand lacks is drawn whole in the closest other hand that has all of it: of the same
style if possible, then the one of the most similar stroke. That hand is scaled by 0.75 to 1.35 so that its letters are
as high: the x-height in scripts with a lower case, the letters or ideographs in others. A warning names the characters
and both hands. A character whose glyph is blank or draws something else counts as lacking. A character that reads the
same as letters of the hand (ﬃ as ffi, ℅ as c/o) or as one of its signs (ʻ as ‘) is written by these instead, with the
warning `characters_replaced`. A character that no hand has is refused by name.

An accent that the hand has only as a sign of its own is placed over, under or through its letter, as close as the
accents of the hand's composed letters. An i or j loses its dot to an accent above it. The table lists the scripts that
a hand covers completely.

| id | name | style | slant | neatness | strokes | scripts |
|---|---|---|---|---|---|---|
"""


def main() -> None:
    """Draws the sheet on white at 100 px an inch, and writes the table."""
    longhand = program()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([longhand, "fonts", "--specimen", f"{folder}/sheet.png"], check=True)
        sheet = on_white(Path(folder) / "sheet.png")
    small = sheet.convert("L").resize((sheet.width * 2 // 5, sheet.height * 2 // 5), Image.LANCZOS)
    small.quantize(16).save(ROOT / "docs/hands.png", optimize=True)
    listed = subprocess.run([longhand, "fonts", "--json"], check=True, capture_output=True, text=True).stdout
    rows = [
        f"| {font['id']} | {font['name']} | {font['style']} | {font['slant']} | {font['neatness']} "
        f"| {'yes' if font['strokes'] else '-'} | {', '.join(font['scripts'])} |\n"
        for font in json.loads(listed)["fonts"]
    ]
    (ROOT / "docs/fonts.md").write_text(HEAD + "".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
