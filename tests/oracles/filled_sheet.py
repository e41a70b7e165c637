"""Prints a sheet with PDFium, fills it with a font by FreeType, and saves what a scanner sees of each page.

Input: {"file": the PDF of the sheet, "layout": what `longhand hand sheet --layout` printed, "font": a TrueType file,
        "folder": for the pictures, "dpi": of the scanner, "wrong": {"page:row:box": another character to write there},
        "empty": [characters that are left out]}
Output: {"pictures": [paths, one for each page]}
"""

import json
import random
import sys
from pathlib import Path

import numpy
import pypdfium2
from PIL import Image, ImageDraw, ImageFont

MM = 25.4
# Drawn this much finer than the scanner sees.
FINE = 2
INK = (30, 40, 120)


def filled(page, number, layout, font, job, fine):
    """The page with ink, at the fine resolution."""
    picture = page.render(scale=fine * MM / 72).to_pil().convert("RGB")
    ink = Image.new("L", picture.size, 0)
    draw = ImageDraw.Draw(ink)
    draws = random.Random(number)

    def write(text, x, y):
        draw.text((x * fine, y * fine), text, fill=255, font=font, anchor="ls")

    for place in (place for place in layout["boxes"] if place["page"] == number):
        name = f"{number}:{place['row']}:{place['column']}"
        character = job.get("wrong", {}).get(name, place["character"])
        if character in job.get("empty", []):
            continue
        left, _, right, _ = place["box"]
        width = font.getlength(character) / fine
        x = (left + right - width) / 2 + draws.uniform(-0.4, 0.4)
        write(character, x, place["baseline"] + draws.uniform(-0.12, 0.12))
    for line in (line for line in layout["lines"] if line["page"] == number):
        left, _, right, _ = line["box"]
        width = font.getlength(line["text"]) / fine
        room = right - left - 4
        assert width <= room, f"{line['text']} takes {width:.0f} mm of {room:.0f} mm"
        write(line["text"], left + 2, line["baseline"])
    return Image.composite(Image.new("RGB", picture.size, INK), picture, ink)


def scanned(picture, size, seed):
    """What a scanner sees: light is mixed on a linear scale, and has a little noise."""
    light = (numpy.asarray(picture, dtype=numpy.float32) / 255) ** 2.2
    planes = [Image.fromarray(light[:, :, channel]).resize(size, Image.Resampling.BILINEAR) for channel in range(3)]
    light = numpy.stack([numpy.asarray(plane) for plane in planes], axis=2)
    noise = numpy.random.default_rng(seed).normal(0, 1.5, light.shape)
    return Image.fromarray(numpy.clip(light ** (1 / 2.2) * 255 * 0.97 + noise, 0, 255).astype(numpy.uint8))


def main():
    job = json.load(sys.stdin)
    layout, folder = job["layout"], Path(job["folder"])
    scale = job.get("dpi", 200) / MM
    fine = FINE * scale
    # The small letters are as high as the guides.
    probe = ImageFont.truetype(job["font"], 1000)
    height = -probe.getbbox("x", anchor="ls")[1]
    font = ImageFont.truetype(job["font"], layout["x_height"] * fine * 1000 / height, layout_engine=ImageFont.Layout.BASIC)
    document = pypdfium2.PdfDocument(job["file"])
    paths = []
    for number, page in zip(layout["pages"], document):
        picture = filled(page, number, layout, font, job, fine)
        size = tuple(round(side * scale * MM / 72) for side in page.get_size())
        path = folder / f"page{number}.jpg"
        scanned(picture, size, number).save(path, quality=90)
        paths.append(str(path))
    print(json.dumps({"pictures": paths}))


main()
