"""Makes a font whose character map is one of symbols, as old handwriting fonts have it.

Asked {"font": path of a good font, "file": where to write}, it answers the number of characters.
"""

import json
import sys

from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

asked = json.load(sys.stdin)
font = TTFont(asked["font"])
letters = {0xF000 + point: glyph for point, glyph in font.getBestCmap().items() if point <= 0xFF}
table = CmapSubtable.newSubtable(4)
table.platformID, table.platEncID, table.language, table.cmap = 3, 0, 0, letters
font["cmap"].tables = [table]
font.save(asked["file"])
print(json.dumps(len(letters)))
