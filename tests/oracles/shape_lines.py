"""Shapes lines of text with HarfBuzz itself.

Standard input: a JSON array of {"font": path, "text", "script", "right_to_left", "kerning"}.
Standard output: a JSON array; for each line its glyphs from left to right as [glyph id, x, y], in font units,
word spaces widened by the catalogue's `word_gap_em`, where x and y are the glyph's origin from the pen's start; and
whether it is a mark, which the service may place itself. A mark that HarfBuzz left at the pen takes no room here. An i or
j before a mark above it is shaped without its dot, where the font has that letter.
"""

import json
import sys
import unicodedata

import uharfbuzz as hb

from word_gap import WORD_SPACES, word_gap_em

DOTLESS = {"i": "ı", "і": "ı", "j": "ȷ", "ј": "ȷ"}
ABOVE = (228, 230, 232)  # canonical combining classes
# Nuktas, viramas, voicing marks and marks of Telugu, Thai, Lao and Tibetan are drawn in place by their fonts.
IN_PLACE = (0, 7, 8, 9, 84, 91, 103, 107, 118, 122, 129, 130, 132)
FONTS: dict[str, hb.Font] = {}


def font_of(path: str) -> hb.Font:
    if path not in FONTS:
        FONTS[path] = hb.Font(hb.Face(hb.Blob.from_file_path(path)))
    return FONTS[path]


def without_dots(text: str, characters: set[int]) -> str:
    """The text without the dots that marks above replace."""
    written, rest = "", text
    while rest:
        end = next((at for at in range(1, len(rest)) if not unicodedata.combining(rest[at])), len(rest))
        letter, marks, rest = rest[0], rest[1:end], rest[end:]
        parts = unicodedata.normalize("NFD", letter)
        own, after = (any(unicodedata.combining(mark) in ABOVE for mark in some) for some in (parts[1:], marks))
        dotless = DOTLESS.get(parts[0], "") + parts[1:]
        marked = ord(letter) not in characters if own else after
        if parts[0] in DOTLESS and marked and all(ord(part) in characters for part in dotless):
            letter = dotless
        written += letter + marks
    return written


def shape(line: dict) -> list[list[float]]:
    font = font_of(line["font"])
    text = without_dots(line["text"], font.face.unicodes)
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.direction = "rtl" if line["right_to_left"] else "ltr"
    buffer.script = line["script"]
    buffer.flags = hb.BufferFlags.DO_NOT_INSERT_DOTTED_CIRCLE
    hb.shape(font, buffer, {} if line["kerning"] else {"kern": False})
    gap = word_gap_em(line["font"]) * font.face.upem
    glyphs, pen = [], 0
    marks = [mark for mark in unicodedata.normalize("NFD", text) if unicodedata.combining(mark) not in IN_PLACE]
    of_cmap = {font.get_nominal_glyph(ord(mark)) for mark in marks}
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions):
        glyph_class = font.face.get_layout_glyph_class(info.codepoint)
        is_mark = info.codepoint in of_cmap or bool(marks) and glyph_class == hb.OTLayoutGlyphClass.MARK
        glyphs.append([info.codepoint, pen + position.x_offset, position.y_offset, is_mark])
        if not is_mark or position.x_offset or position.y_offset:
            pen += position.x_advance
        if text[info.cluster] in WORD_SPACES:
            pen += gap
    return glyphs


if __name__ == "__main__":
    json.dump([shape(line) for line in json.load(sys.stdin)], sys.stdout)
