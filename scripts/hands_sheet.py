"""Makes docs/hands.png, and the table of hands in docs/fonts.md.

    .venv/bin/python scripts/hands_sheet.py [path of longhand]

The environment is the one that `scripts/setup.sh test` makes.
"""

import json
import subprocess
import tempfile
from itertools import dropwhile
from pathlib import Path

from PIL import Image
from sheets import ROOT, on_white, program

HEADER = "| id | name | style | slant | neatness | lively | strokes | scripts |\n|---|---|---|---|---|---|---|---|\n"


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
        f"| {'yes' if font['lively'] else '-'} | {'yes' if font['strokes'] else '-'} | {', '.join(font['scripts'])} |\n"
        for font in json.loads(listed)["fonts"]
    ]
    page = ROOT / "docs/fonts.md"
    before, table = page.read_text(encoding="utf-8").split(HEADER)
    after = "".join(dropwhile(lambda line: line.startswith("|"), table.splitlines(keepends=True)))
    page.write_text(before + HEADER + "".join(rows) + after, encoding="utf-8")


if __name__ == "__main__":
    main()
