"""Saves a picture in black and white as a PDF whose page is a fax of group 4, as scanners do.

Input: {"picture": path, "file": path of the PDF}. Output: {"size": [width, height] in px}
"""

import json
import sys

from PIL import Image

THRESHOLD = 190

job = json.load(sys.stdin)
picture = Image.open(job["picture"]).convert("L").point(lambda value: 255 * (value > THRESHOLD), mode="1")
picture.save(job["file"], resolution=200)
print(json.dumps({"size": picture.size}))
