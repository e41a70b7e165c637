"""Makes docs/effects.png: what each effect does to eight hands, cut from finished pages at 100 %.

    .venv/bin/python scripts/effects_sheet.py [path of longhand]

The environment is the one that `scripts/setup.sh test` makes. Rows are hands, columns effects, as listed below.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
LATIN = "Thank you so much\nfor the lovely card\nand your kind words,\nsee you on Sunday!"
HEBREW = "תודה רבה על\nהכרטיס היפה ועל\nהמילים החמות\nנתראה ביום ראשון"
# Font, size that makes the hands look alike in size, text.
HANDS = [
    (1, 62, LATIN),  # caveat, the default
    (3, 54, LATIN),  # dancing script, joined
    (12, 36, LATIN),  # playwrite, a joined school hand
    (2, 54, LATIN),  # patrick hand, print
    (35, 42, LATIN),  # permanent marker
    (42, 64, LATIN),  # amatic, thin
    (36, 56, LATIN),  # caveat brush, heavy
    (88, 58, HEBREW),
]
ROTATION = {"enable_word_rotation": True}
INDENTATION = {"enable_random_indentation": True}
VARIATION = {"enable_natural_variation": True}
INK_FLOW = {"enable_ink_flow": True}
COLUMNS = [
    {},
    ROTATION,
    INDENTATION,
    VARIATION,
    VARIATION | {"natural_variation_alpha": 40},
    INK_FLOW,
    INK_FLOW | {"ink_flow_intensity": 3},
    ROTATION | INDENTATION | VARIATION | INK_FLOW,
]
CELL = (510, 316)
MARGIN = 24


def cell(longhand: str, folder: Path, hand: tuple[int, int, str], effects: dict) -> Image.Image:
    """One hand with these effects, on white."""
    font, size, text = hand
    request = {
        "text": text, "font_id": font, "font_size": size, "seed": 11, "page_size": "a6", "line_height_multiplier": 1.15,
        "margin_left": MARGIN, "margin_top": MARGIN, "margin_right": MARGIN, "margin_bottom": MARGIN, "overflow": "clip",
        "text_color": [20, 30, 90],
    }  # fmt: skip
    (folder / "request.json").write_text(json.dumps(request | effects))
    command = [longhand, "render", "--request", str(folder / "request.json"), "-o", str(folder / "page.png")]
    subprocess.run(command, check=True, capture_output=True)
    page = Image.open(folder / "page.png").convert("RGBA")
    paper = Image.new("RGBA", page.size, "white")
    paper.alpha_composite(page)
    return paper.convert("RGB").crop((0, 0, *CELL))


def main() -> None:
    """Renders every cell and lays them out."""
    longhand = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target/release/longhand")
    sheet = Image.new("RGB", (CELL[0] * len(COLUMNS), CELL[1] * len(HANDS)), "white")
    with tempfile.TemporaryDirectory() as folder:
        for row, hand in enumerate(HANDS):
            for column, effects in enumerate(COLUMNS):
                picture = cell(longhand, Path(folder), hand, effects)
                sheet.paste(picture, (column * CELL[0], row * CELL[1]))
    sheet = sheet.resize((sheet.width // 2, sheet.height // 2), Image.LANCZOS)
    sheet.quantize(16).save(ROOT / "docs/effects.png", optimize=True)


if __name__ == "__main__":
    main()
