"""Makes docs/effects.png: what each effect does to eight hands, cut from finished pages at 100 %.

    .venv/bin/python scripts/effects_sheet.py [path of longhand]

The environment is the one that `scripts/setup.sh test` makes. Rows are hands, columns effects, as listed below.
"""

from sheets import ROOT, write_sheet

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


def request(hand: tuple[int, int, str], effects: dict) -> dict:
    """One hand with these effects."""
    font, size, text = hand
    return {
        "text": text, "font_id": font, "font_size": size, "seed": 11, "page_size": "a6", "line_height_multiplier": 1.15,
        "margin_left": MARGIN, "margin_top": MARGIN, "margin_right": MARGIN, "margin_bottom": MARGIN, "overflow": "clip",
        "text_color": [20, 30, 90],
    } | effects  # fmt: skip


if __name__ == "__main__":
    write_sheet(ROOT / "docs/effects.png", HANDS, COLUMNS, CELL, request)
