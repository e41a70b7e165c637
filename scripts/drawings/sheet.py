"""Contact sheets of drawings, to look at."""

from pathlib import Path

from PIL import Image, ImageDraw
from shapely.geometry import MultiPolygon

CELL, COLUMNS, ROWS, FINER = 150, 11, 10, 2


def sheets(cells: list[tuple[str, MultiPolygon, float]], stem: Path) -> int:
    """Writes `STEM-1.png` and on: cells of a label, ink and x-height. Cells of one letter have one scale."""
    per_sheet = COLUMNS * ROWS
    scales = {}
    for label, ink, _ in cells:
        x0, y0, x1, y1 = ink.bounds
        fits = (CELL - 18) * FINER / max(x1 - x0, y1 - y0)
        scales[label[0]] = min(scales.get(label[0], fits), fits)
    count = 0
    for start in range(0, len(cells), per_sheet):
        shown = cells[start : start + per_sheet]
        rows = -(-len(shown) // COLUMNS)
        image = Image.new("L", (COLUMNS * CELL * FINER, rows * CELL * FINER), 255)
        drawing = ImageDraw.Draw(image)
        for place, (label, ink, _) in enumerate(shown):
            left, top = place % COLUMNS * CELL * FINER, place // COLUMNS * CELL * FINER
            x0, y0, x1, y1 = ink.bounds
            scale = scales[label[0]]
            put(drawing, ink, left + 12 - x0 * scale, top + CELL * FINER - 8 + y0 * scale, scale)
            drawing.text((left + 4, top + 2), label, fill=0, font_size=22)
            if not label[-1].isdigit():
                drawing.rectangle([left, top, left + CELL * FINER - 2, top + CELL * FINER - 2], outline=0, width=2)
        count += 1
        image.resize((image.width // FINER, image.height // FINER), Image.Resampling.LANCZOS).save(f"{stem}-{count}.png")
    return count


def put(drawing: ImageDraw.ImageDraw, ink: MultiPolygon, x: float, y: float, scale: float) -> None:
    """Draws ink with its origin at x, y."""
    for part in ink.geoms:
        for ring, value in [(part.exterior, 20), *((hole, 255) for hole in part.interiors)]:
            drawing.polygon([(x + px * scale, y - py * scale) for px, py in ring.coords], fill=value)


def words(text: list[str], inks: dict[str, list[MultiPolygon]], advances: dict[str, int], x_height: float, path: Path) -> None:
    """Lines of words at text size (26 px x-height) and at twice that, the drawings of each letter in turn."""
    images = []
    for pixels in (26, 52):
        scale = pixels * FINER / x_height
        image = Image.new("L", (1500 * FINER, len(text) * 4 * pixels * FINER), 255)
        drawing, turn = ImageDraw.Draw(image), {}
        for line, words_of_line in enumerate(text):
            x, y = 20.0, (line * 4 + 2.4) * pixels * FINER
            for character in words_of_line:
                if character in inks:
                    turn[character] = turn.get(character, -1) + 1
                    put(drawing, inks[character][turn[character] % len(inks[character])], x, y, scale)
                x += advances.get(character, x_height) * scale
        images.append(image.resize((image.width // FINER, image.height // FINER), Image.Resampling.LANCZOS))
    whole = Image.new("L", (1500, sum(image.height for image in images)), 255)
    top = 0
    for image in images:
        whole.paste(image, (0, top))
        top += image.height
    whole.save(path)
