"""Makes docs/writer-variation.png: a letter in four hands, plain and at three strengths of writer variation, at 50 %.

    .venv/bin/python scripts/writer_sheet.py [path of longhand]

The environment is the one that `scripts/setup.sh test` makes. Rows are hands, columns strengths, as listed below.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
TEXT = (
    "Dear Mrs. Hawthorne,\n\nThank you so much for the lovely afternoon last Sunday. The garden was in full bloom, "
    "and Thomas has not stopped talking about the bees ever since!"
)
# Font and size that makes the hands look alike in size.
HANDS = [(1, 64), (4, 52), (3, 56), (2, 52)]
STRENGTHS = [0, 0.6, 1, 1.6]
CELL = (1000, 560)


def cell(longhand: str, folder: Path, font: int, size: int, strength: float) -> Image.Image:
    """One hand at a strength, on white."""
    request = {
        "text": TEXT, "font_id": font, "font_size": size, "seed": 5, "page_size": "a6", "orientation": "landscape",
        "line_height_multiplier": 1.35, "margin_left": 40, "margin_top": 30, "margin_right": 748, "margin_bottom": 30,
        "overflow": "clip", "text_color": [20, 30, 90], "enable_writer_variation": True,
        "writer_variation_strength": strength,
    }  # fmt: skip
    (folder / "request.json").write_text(json.dumps(request))
    command = [longhand, "render", "--request", str(folder / "request.json"), "-o", str(folder / "page.png")]
    subprocess.run(command, check=True, capture_output=True)
    page = Image.open(folder / "page.png").convert("RGBA")
    paper = Image.new("RGBA", page.size, "white")
    paper.alpha_composite(page)
    return paper.convert("RGB").crop((0, 0, *CELL))


def main() -> None:
    """Renders every cell and lays them out."""
    longhand = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target/release/longhand")
    sheet = Image.new("RGB", (CELL[0] * len(STRENGTHS), CELL[1] * len(HANDS)), "white")
    with tempfile.TemporaryDirectory() as folder:
        for row, (font, size) in enumerate(HANDS):
            for column, strength in enumerate(STRENGTHS):
                picture = cell(longhand, Path(folder), font, size, strength)
                sheet.paste(picture, (column * CELL[0], row * CELL[1]))
    sheet = sheet.resize((sheet.width // 2, sheet.height // 2), Image.LANCZOS)
    sheet.quantize(16).save(ROOT / "docs/writer-variation.png", optimize=True)


if __name__ == "__main__":
    main()
