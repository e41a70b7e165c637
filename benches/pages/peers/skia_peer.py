"""Draws pages with Skia, as a peer of the benchmark `pages`.

Reads one JSON object per line. {"page": name, width, height, dpi, runs: [[font file, em, [glyph, …], [[x, y], …]], …]} defines
a page of glyphs of fonts at places on their baseline in device px; {"page": …, paths: [[command, …], …]} one of outlines,
each command a letter M, L, C or Z and its numbers in device px. {"draw": name, "file": "coverage" or "pdf"} has it drawn:
its coverage by black ink, one byte a pixel, or a PDF of vectors. It answers with one line, "WALL_NS CPU_NS BYTES", and the
file. Only the drawing is timed.

Skia is used as its authors mean it: a page is one text blob or picture, drawn from C++ at once; glyphs come from Skia's
own cache, at quarters of a px; the target has one byte a pixel, and is kept. Skia changes the coverage of text by the
lightness of its colour, black by -7 %: text is drawn in the grey that leaves it as it is.
"""

import json
import sys
import time

import skia


def main():
    pages = {}
    for line in sys.stdin:
        order = json.loads(line)
        if "page" in order:
            pages[order["page"]] = Page(order)
            continue
        page = pages[order["draw"]]
        draw = page.pdf if order["file"] == "pdf" else page.coverage
        wall, cpu = time.perf_counter_ns(), time.process_time_ns()
        drawn = draw()
        wall, cpu = time.perf_counter_ns() - wall, time.process_time_ns() - cpu
        sys.stdout.buffer.write(f"{wall} {cpu} {len(drawn)}\n".encode() + drawn)
        sys.stdout.buffer.flush()


class Page:
    def __init__(self, order):
        self.width, self.height, self.dpi = order["width"], order["height"], order["dpi"]
        self.pixels = bytearray(self.width * self.height)
        info = skia.ImageInfo.MakeA8(self.width, self.height)
        self.surface = skia.Surface.MakeRasterDirect(info, self.pixels, self.width)
        self.blobs = [blob_of(*run) for run in order.get("runs", [])]
        self.paths = [path_of(commands) for commands in order.get("paths", [])]
        self.grey, self.black = (self.picture(color) for color in (0xFF606060, skia.ColorBLACK))

    def picture(self, color):
        recorder = skia.PictureRecorder()
        canvas = recorder.beginRecording(skia.Rect.MakeWH(self.width, self.height))
        paint = skia.Paint(AntiAlias=True, Color=color)
        for blob in self.blobs:
            canvas.drawTextBlob(blob, 0, 0, paint)
        for path in self.paths:
            canvas.drawPath(path, paint)
        return recorder.finishRecordingAsPicture()

    def coverage(self):
        canvas = self.surface.getCanvas()
        canvas.clear(0)
        canvas.drawPicture(self.grey)
        return self.pixels

    def pdf(self):
        stream = skia.DynamicMemoryWStream()
        document = skia.PDF.MakeDocument(stream)
        points = 72 / self.dpi
        with document.page(self.width * points, self.height * points) as canvas:
            canvas.scale(points, points)
            canvas.drawPicture(self.black)
        document.close()
        return bytes(stream.detachAsData())


def blob_of(file, em, glyphs, places):
    font = skia.Font(skia.Typeface.MakeFromFile(file), em)
    font.setSubpixel(True)
    font.setBaselineSnap(False)
    font.setHinting(skia.FontHinting.kNone)
    font.setEdging(skia.Font.Edging.kAntiAlias)
    builder = skia.TextBlobBuilder()
    builder.allocRunPos(font, glyphs, [skia.Point(x, y) for x, y in places])
    return builder.make()


def path_of(commands):
    path = skia.Path()
    steps = {"M": path.moveTo, "L": path.lineTo, "C": path.cubicTo, "Z": path.close}
    for kind, *numbers in commands:
        steps[kind](*numbers)
    return path


if __name__ == "__main__":
    main()
