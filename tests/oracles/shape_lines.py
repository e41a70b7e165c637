"""Shapes lines of text with HarfBuzz itself.

Standard input: a JSON array of {"font": path, "text", "script", "right_to_left", "kerning"}.
Standard output: a JSON array; for each line its glyphs from left to right as [glyph id, x, y], in font units,
word spaces widened by the catalogue's `word_gap_em`, where x and y are the glyph's origin from the pen's start.
"""

import json
import sys

import uharfbuzz as hb

from word_gap import WORD_SPACES, word_gap_em

FONTS: dict[str, hb.Font] = {}


def font_of(path: str) -> hb.Font:
    if path not in FONTS:
        FONTS[path] = hb.Font(hb.Face(hb.Blob.from_file_path(path)))
    return FONTS[path]


def shape(line: dict) -> list[list[float]]:
    buffer = hb.Buffer()
    buffer.add_str(line["text"])
    buffer.direction = "rtl" if line["right_to_left"] else "ltr"
    buffer.script = line["script"]
    buffer.flags = hb.BufferFlags.DO_NOT_INSERT_DOTTED_CIRCLE
    font = font_of(line["font"])
    hb.shape(font, buffer, {} if line["kerning"] else {"kern": False})
    gap = word_gap_em(line["font"]) * font.face.upem
    glyphs, pen = [], 0
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions):
        glyphs.append([info.codepoint, pen + position.x_offset, position.y_offset])
        pen += position.x_advance
        if line["text"][info.cluster] in WORD_SPACES:
            pen += gap
    return glyphs


if __name__ == "__main__":
    json.dump([shape(line) for line in json.load(sys.stdin)], sys.stdout)
