"""Makes docs/writer-variation.png: a letter in four hands, plain and at three strengths of writer variation, at 50 %.

    .venv/bin/python scripts/writer_sheet.py [path of longhand]

The environment is the one that `scripts/setup.sh test` makes. Rows are hands, columns strengths, as listed below.
"""

from sheets import ROOT, write_sheet

TEXT = (
    "Dear Mrs. Hawthorne,\n\nThank you so much for the lovely afternoon last Sunday. The garden was in full bloom, "
    "and Thomas has not stopped talking about the bees ever since!"
)
# Font and size that makes the hands look alike in size.
HANDS = [(1, 60), (4, 52), (3, 56), (2, 52)]
STRENGTHS = [0, 0.6, 1, 1.6]
CELL = (1000, 560)


def request(hand: tuple[int, int], strength: float) -> dict:
    """One hand at a strength."""
    font, size = hand
    return {
        "text": TEXT, "font_id": font, "font_size": size, "seed": 5, "page_size": "a6", "orientation": "landscape",
        "line_height_multiplier": 1.35, "margin_left": 40, "margin_top": 30, "margin_right": 748, "margin_bottom": 30,
        "overflow": "clip", "text_color": [20, 30, 90], "enable_writer_variation": True,
        "writer_variation_strength": strength,
    }  # fmt: skip


if __name__ == "__main__":
    write_sheet(ROOT / "docs/writer-variation.png", HANDS, STRENGTHS, CELL, request)
