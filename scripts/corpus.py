#!/usr/bin/env python3
"""Renders requests over all effects, formats, page sizes, fonts and scripts, and prints a hash of each result.

    scripts/corpus.py BINARY > hashes.txt

Input: the path of longhand. Output: one line per request with its name and a hash of the file, the font size, the
warnings and the error. Two versions draw the same pages if their outputs are equal. The date in PDF/X is left out.
"""

import hashlib
import itertools
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

PROSE = (
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, "
    "it was the epoch of belief, it was the season of Light: we had everything before us, we had nothing before us. "
)
LETTER = (
    "Dear Zoë,\n\nthank you for the “lovely” card & your kind words! AVATAR, To you; office fjord.\n\n\nYours – Ann"
)
PANGRAM = "The quick brown fox jumps over the lazy dog. Off to Tokyo, 1234567890!"
TEXTS = {
    "arabic": "السلام عليكم ورحمة الله وبركاته",
    "bidi": "He said שלום עולם 12:30 (today) and ‏left‏. אבג abc דהו",
    "hebrew": "תודה רבה על הכרטיס היפה ועל המילים החמות, נתראה ביום ראשון 12 במאי.\nשלום",
    "devanagari": "नमस्ते दुनिया, क्षत्रिय धर्म और त्रिज्या। आपका पत्र मिला\nहिन्दी",
    "malayalam": "നമസ്കാരം, സുഖമാണോ? കേരളം",
    "thai": "สวัสดีครับ ขอบคุณสำหรับการ์ดที่น่ารัก และคำพูดที่ดี",
    "japanese": "東京へ行く。ありがとうございました、カード。OK 123",
    "korean": "안녕하세요, 카드를 보내 주셔서 감사합니다. 가각",
    "cyrillic": "Привет, мир! Съешь же ещё этих мягких французских булок, да выпей чаю. Їжак",
    "greek": "Καλημέρα κόσμε, ευχαριστώ πολύ",
    "vietnamese": "Chúc mừng năm mới, cảm ơn bạn rất nhiều vì tấm thiệp",
    "emoji": "Hi 😀 there 👨‍👩‍👧 and ❤️ ☎ bye 🇨🇭",
    "combining": "e\u0301 q\u0307\u0323 Z\u0301\u030a\u0303algo a\u0308o\u0302 n\u0303 \u0301x",
    "ligatures": "office affinity waffle ﬁne ﬂow Æsop œuvre ĳ ß ẞ",
    "hyphens": "Donau\u00addampf\u00adschiff\u00adfahrts\u00adgesell\u00adschaft non\u2011break no\u00a0break",
    "address": "See https://example.com/a/very/long/path/of?some=query&and=more#fragment or mail ann.marsh@example.org",
    "longword": "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch " * 3,
    "spaces": "a \t b\u2003c\u2009d\u3000e   f\r\ng\u2028h",
    "unsupported": "hieroglyph 𓀀 here",
    "blank": " \n ",
}
PAGE_SIZES = (
    "a3 a4 a5 a6 letter legal half_letter postcard_us card_5x7 card_a2 square_5x5 card_96x135 dl envelope_10 "
    "envelope_monarch"
).split()
FORMATS = {
    "png": {},
    "pdf": {"output_format": "pdf"},
    "pdfx": {"output_format": "pdf", "text_color": [20, 30, 120], "pdf": {"standard": "pdfx1a"}},
}
EFFECTS = {
    "writer": {"enable_writer_variation": True},
    "rotation": {"enable_word_rotation": True},
    "natural": {"enable_natural_variation": True},
    "indent": {"enable_random_indentation": True, "indentation_range": 60},
    "ink": {"enable_ink_flow": True},
}
SMALL = {"page_size": "a6", "margin_left": 60, "margin_right": 60, "margin_top": 60, "margin_bottom": 60}
TIGHT = {"line_height_multiplier": 1.2}


def all_of(*parts: dict) -> dict:
    """The members of all parts; later ones win."""
    return {name: value for part in parts for name, value in part.items()}


def fonts() -> Iterator[tuple[str, dict]]:
    """Every font, each with another effect and format."""
    effects = [{}, *EFFECTS.values()]
    for font in range(1, 91):
        size = {} if font % 3 == 0 else {"font_size": 40 + font % 7 * 8, "overflow": "shrink"}
        style = list(FORMATS.values())[font % 4 % 3]
        more = {"font_id": font, "text": PANGRAM, "kerning": font % 5 != 0}
        yield f"font-{font}", all_of(SMALL, TIGHT, effects[font % 6], style, size, more)


def pages() -> Iterator[tuple[str, dict]]:
    """Every page size, in both orientations and all formats."""
    for index, (size, landscape) in enumerate(itertools.product(PAGE_SIZES, (False, True))):
        name, style = list(FORMATS.items())[index % 3]
        orientation = "landscape" if landscape else "portrait"
        alignment = "center" if index % 4 > 1 else "left"
        more = {"text": LETTER, "page_size": size, "orientation": orientation, "text_alignment": alignment}
        margins = {f"margin_{side}": 150 for side in ("left", "right", "top", "bottom")}
        yield f"page-{size}-{orientation}-{name}", all_of(margins, style, more)


def effects() -> Iterator[tuple[str, dict]]:
    """Every set of effects, in fonts of all kinds, and the ends of their ranges."""
    kinds = (1, 3, 12, 36, 42, 56, 71, 88)
    for index, chosen in enumerate(itertools.product((False, True), repeat=len(EFFECTS))):
        names = [name for name, on in zip(EFFECTS, chosen, strict=True) if on]
        text = TEXTS["hebrew"] if kinds[index % 8] == 88 else PROSE
        more = {"font_id": kinds[index % 8], "font_size": 56, "text": text, "overflow": "clip"}
        style = FORMATS["pdf"] if index % 3 == 1 else {}
        yield f"effects-{'+'.join(names)}", all_of(SMALL, TIGHT, style, more, *(EFFECTS[name] for name in names))
    for alpha, sigma in ((5, 0), (40, 0), (100, 0), (15, 1), (30, 1), (15, 2), (40, 3), (100, 10), (0, 5)):
        more = {"natural_variation_alpha": alpha, "natural_variation_sigma": sigma, "text": LETTER, "font_size": 60}
        yield f"natural-{alpha}-{sigma}", all_of(SMALL, TIGHT, EFFECTS["natural"], more)
    for strength in (0, 0.3, 1.6, 2):
        more = {"writer_variation_strength": strength, "text": PROSE, "font_id": 3, "text_alignment": "center"}
        yield f"writer-{strength}", all_of(SMALL, TIGHT, EFFECTS["writer"], more)
    for angle in (0, 1, 10):
        more = {"word_rotation_range": angle, "text": PROSE, "font_id": 46}
        yield f"rotation-{angle}", all_of(SMALL, TIGHT, EFFECTS["rotation"], more)
    for intensity in (0, 0.5, 2, 3):
        yield f"ink-{intensity}", all_of(SMALL, EFFECTS["ink"], {"ink_flow_intensity": intensity, "text": PROSE})


def scripts() -> Iterator[tuple[str, dict]]:
    """Every text, at the size that fits, and in another font with all effects."""
    every = all_of(*EFFECTS.values())
    for index, (name, text) in enumerate(TEXTS.items()):
        yield f"text-{name}-auto", all_of(SMALL, {"text": text})
        more = {"text": text, "font_id": 5 + 4 * index, "font_size": 64, "overflow": "clip", "text_alignment": "center"}
        yield f"text-{name}-effects", all_of(SMALL, TIGHT, every, more)
        more = {"text": text, "font_id": 8, "font_size": 50, "word_spacing": 20, "kerning": False, "overflow": "shrink"}
        yield f"text-{name}-plain", all_of(SMALL, FORMATS["pdf"], more)


def layout() -> Iterator[tuple[str, dict]]:
    """Sizes, spacing, overflow, pages and resolutions."""
    for overflow in ("error", "shrink", "clip"):
        yield f"overflow-{overflow}", all_of(SMALL, {"text": PROSE * 3, "font_size": 90, "overflow": overflow})
    for font, text in ((1, PROSE * 6), (17, LETTER * 5), (88, TEXTS["hebrew"] * 6)):
        more = {"text": text, "font_size": 70, "font_id": font, "overflow": "paginate"}
        yield f"paginate-{font}", all_of(SMALL, TIGHT, FORMATS["pdf"], more)
        yield f"paginate-{font}-pdfx", all_of(SMALL, TIGHT, FORMATS["pdfx"], *EFFECTS.values(), more)
    for name, more in {
        "auto-most": {"max_auto_font_size": 80},
        "auto-long": {"text": PROSE * 12, "text_alignment": "center"},
        "auto-contextual": {"text": PROSE * 3, "font_id": 17},
        "line-spacing": {"line_height_multiplier": 0.6, "line_break_spacing": 90, "font_size": 50},
        "no-paragraph-spacing": {"line_break_spacing": 0, "font_size": 50},
        "word-spacing": {"word_spacing": 70, "font_size": 50},
        "largest": {"text": "Wj", "font_size": 400, "overflow": "clip"},
        "smallest": {"text": PROSE, "font_size": 12},
        "narrow": {"text": PROSE, "font_size": 60, "margin_left": 500, "margin_right": 500, "overflow": "clip"},
    }.items():
        yield f"layout-{name}", all_of(SMALL, {"text": LETTER}, more)
    dense = {"text": PROSE * 7, "font_size": 60, "line_height_multiplier": 1.2, "overflow": "clip"}
    every = all_of(*EFFECTS.values())
    for name, more in {
        "plain": {},
        "effects": every,
        "warp": all_of(EFFECTS["natural"], {"natural_variation_sigma": 1}),
        "grain": all_of(EFFECTS["natural"], {"natural_variation_sigma": 0, "natural_variation_alpha": 40}),
        "pdf": FORMATS["pdf"],
        "pdfx": FORMATS["pdfx"],
    }.items():
        yield f"dense-{name}", all_of(dense, more)
        yield f"dpi600-{name}", all_of(dense, {"page_size": "a5", "dpi": 600}, more)


def press() -> Iterator[tuple[str, dict]]:
    """Presets, regions, boxes and printing conditions of PDFs, and an address."""
    base = {"text": LETTER, "page_size": "card_5x7", "output_format": "pdf", "font_size": 50}
    for name, more in {
        "lob": {"preset": "lob"},
        "click2mail": {"preset": "click2mail"},
        "press": {"profile": "press"},
        "press-eu": {"profile": "press", "region": "eu"},
        "press-bleed": {"profile": "press", "bleed_mm": 7.5},
        "crop-bleed": {"profile": "press", "crop_box": "bleed"},
        "crop-trim": {"profile": "press", "crop_box": "trim"},
        "gracol-2006": {"standard": "pdfx1a", "icc_profile": "gracol_2006"},
        "pso-v3": {"standard": "pdfx1a", "icc_profile": "pso_coated_v3"},
        "iso-v2": {"standard": "pdfx1a", "icc_profile": "iso_coated_v2"},
    }.items():
        yield f"press-{name}", all_of(base, {"text_color": [180, 20, 40], "pdf": more})
    address = "Miss Elizabeth Bennet\nLongbourn House, Near Meryton, in the county of\nHertfordshire\nEngland"
    more = {"text": address, "generation_type": "address", "page_size": "envelope_10", "orientation": "landscape"}
    place = {"font_size": 60, "margin_left": 1300, "margin_top": 500, "line_height_multiplier": 1.2}
    yield "address", all_of(more, place)


def undated(file: bytes) -> bytes:
    """A file without what the date changes: PDF/X says when it was made, and its identifier depends on that."""
    if b"GTS_PDFX" not in file:
        return file
    return re.sub(rb"/ID \[<\w+> <\w+>\]|\(D:\w+\)", b"", file)


def main() -> None:
    """Renders all requests and prints their hashes."""
    requests = list(itertools.chain(fonts(), pages(), effects(), scripts(), layout(), press()))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        numbered = (all_of(request, {"seed": number}) for number, (_, request) in enumerate(requests))
        (folder / "requests.jsonl").write_text("".join(json.dumps(request) + "\n" for request in numbered))
        arguments = [
            "batch",
            "--requests",
            folder / "requests.jsonl",
            "-o",
            folder / "{row}",
            "--report",
            folder / "report",
        ]
        run = subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=False)
        if not (folder / "report").exists():
            sys.exit(run.stderr)
        entries = {entry["row"]: entry for entry in map(json.loads, (folder / "report").read_text().splitlines())}
        for row, (label, _) in enumerate(requests, 1):
            entry, file = entries[row], folder / str(row)
            said = json.dumps([entry[key] for key in ("seed", "calculated_font_size", "warnings", "error")])
            page = undated(file.read_bytes()) if file.exists() else b""
            print(
                hashlib.sha256(page + said.encode()).hexdigest()[:32], label, "refused" if entry["error"] else "drawn"
            )


if __name__ == "__main__":
    main()
