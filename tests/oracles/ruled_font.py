"""Makes a font whose word space has ink, as ruled school fonts have it: a line at the baseline.

Asked {"font": path of a good font with TrueType outlines, "file": where to write}, it answers the advance of the space
in ems.
"""

import json
import sys

from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

asked = json.load(sys.stdin)
font = TTFont(asked["font"])
space = font.getBestCmap()[0x20]
advance, _ = font["hmtx"][space]
pen = TTGlyphPen(None)
pen.moveTo((0, -10))
pen.lineTo((0, 10))
pen.lineTo((advance, 10))
pen.lineTo((advance, -10))
pen.closePath()
font["glyf"][space] = pen.glyph()
font["hmtx"][space] = (advance, 0)
font.save(asked["file"])
print(json.dumps(advance / font["head"].unitsPerEm))
