"""Artwork under the writing of a page, as Pillow and pikepdf see it.

Reads one job from standard input:

    {"make": folder}: writes the pictures of the tests there. Prints {name: path}.
    {"page": PNG with artwork, "ink": PNG of the same page without, "dpi": px per inch, "pictures": [{"path", "picture" and
     "window": [left, top, right, bottom] in mm, "opacity"}, ...]}: lays the pictures and the ink over one another. Prints the
     largest and the mean difference of the page from that, in 255ths, and the part of it that is transparent.
    {"pdf": path, "patches": how many patches per side, "profile": ICC file or null}: prints what is in the file: its version,
     the images of each page and of their masks as [width, height, space, filter], whether anything is transparent, the most
     ink of a pixel in percent, and how far the middle of each patch of the first picture is from what Little CMS makes of it.
"""

import json
import sys
from pathlib import Path

import numpy
import pikepdf
from PIL import Image, ImageCms

MM_PER_INCH = 25.4
# Patches of one colour each, by side.
PATCHES = 5


def photograph(width, height):
    """Something with soft changes, noise and every colour."""
    down, across = numpy.mgrid[0:height, 0:width]
    noise = numpy.random.default_rng(7).normal(0, 6, (height, width, 3))
    waves = [across / width * 255, down / height * 255, 128 + 127 * numpy.sin(across / 40) * numpy.cos(down / 60)]
    return Image.fromarray(numpy.clip(numpy.dstack(waves) + noise, 0, 255).astype(numpy.uint8))


def logo(width, height):
    """A disc with a soft edge on nothing."""
    down, across = numpy.mgrid[0:height, 0:width]
    distance = numpy.hypot((across - width / 2) / (width / 2), (down - height / 2) / (height / 2))
    alpha = numpy.clip((1 - distance) * 8, 0, 1) * 255
    color = numpy.dstack([numpy.full((height, width), value) for value in (200, 30, 60)] + [alpha])
    return Image.fromarray(color.astype(numpy.uint8))


def patches():
    """Colours of a regular lattice, and greys."""
    colors = [(red, green, blue) for red in (0, 128, 255) for green in (0, 128, 255) for blue in (0, 128, 255)]
    chosen = numpy.array(colors[: PATCHES * PATCHES - 2] + [(64, 64, 64), (255, 255, 255)], numpy.uint8)
    return Image.fromarray(numpy.kron(chosen.reshape(PATCHES, PATCHES, 3), numpy.ones((60, 60, 1), numpy.uint8)))


def make(folder):
    """All pictures."""
    folder, made = Path(folder), {}

    def save(name, picture, **options):
        made[name] = str(folder / name)
        picture.save(folder / name, **options)

    photo = photograph(1200, 900)
    save("photo.jpg", photo, quality=92, subsampling=0)
    exif = Image.Exif()
    exif[0x0112] = 6
    save("turned.jpg", photo, quality=92, subsampling=0, exif=exif)
    save("grey.jpg", photo.convert("L"), quality=92)
    save("logo.png", logo(400, 300))
    save("deep.png", Image.fromarray((numpy.asarray(photo.convert("L")).astype(numpy.uint16) * 257)))
    save("patches.png", patches())
    save("cmyk.jpg", photo.convert("CMYK"))
    save("small.png", photo.resize((90, 60)))
    return made


def rows(picture):
    """Premultiplied red, green, blue and alpha, from 0 to 1."""
    values = numpy.asarray(picture.convert("RGBA")).astype(float) / 255
    values[..., :3] *= values[..., 3:]
    return values


def over(above, below):
    """One premultiplied picture on another."""
    return above + (1 - above[..., 3:]) * below


def compare(job):
    """How far a page is from its pictures and its ink."""
    page = rows(Image.open(job["page"]))
    expected = numpy.zeros_like(page)
    height, width = page.shape[:2]
    for placed in job["pictures"]:
        picture = Image.open(placed["path"])
        turned = picture.getexif().get(0x0112) == 6
        picture = (picture.transpose(Image.Transpose.ROTATE_270) if turned else picture).convert("RGBA")
        edges = [round(edge * job["dpi"] / MM_PER_INCH) for edge in placed["picture"]]
        seen = [round(edge * job["dpi"] / MM_PER_INCH) for edge in placed["window"]]
        scaled = picture.resize((edges[2] - edges[0], edges[3] - edges[1]), Image.Resampling.BICUBIC)
        layer = numpy.zeros_like(page)
        left, top = max(seen[0], 0), max(seen[1], 0)
        right, bottom = min(seen[2], width), min(seen[3], height)
        part = (left - edges[0], top - edges[1], right - edges[0], bottom - edges[1])
        layer[top:bottom, left:right] = rows(scaled.crop(part)) * placed.get("opacity", 1)
        expected = over(layer, expected)
    expected = over(rows(Image.open(job["ink"])), expected)
    difference = numpy.abs(page - expected) * 255
    return {
        "largest": float(difference.max()),
        "mean": float(difference.mean()),
        "transparent": float((page[..., 3] == 0).mean()),
    }


def space_of(image):
    """The name of a colour space."""
    space = image.get("/ColorSpace")
    return str(space[0]) if isinstance(space, pikepdf.Array) else str(space)


def entry(image):
    """What an image is."""
    return [int(image.Width), int(image.Height), space_of(image), str(image.get("/Filter"))]


def pixels_of(image):
    """The bytes of an image of rows."""
    channels = {"/DeviceCMYK": 4, "/DeviceRGB": 3, "/DeviceGray": 1}[space_of(image)]
    return numpy.frombuffer(image.read_bytes(), numpy.uint8).reshape(int(image.Height), int(image.Width), channels)


def far_from_cms(pixels, job):
    """How far the middle of each patch is from what Little CMS makes of its colour, of 255; the largest of all."""
    source = ImageCms.createProfile("sRGB")
    transform = ImageCms.buildTransform(
        source, job["profile"], "RGB", "CMYK", renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
        flags=ImageCms.Flags.BLACKPOINTCOMPENSATION)
    own = patches()
    expected = numpy.asarray(ImageCms.applyTransform(own, transform)).astype(int)
    side = expected.shape[0] // PATCHES
    worst = 0
    for row in range(PATCHES):
        for column in range(PATCHES):
            wanted = expected[row * side + side // 2, column * side + side // 2]
            height, width = pixels.shape[:2]
            found = pixels[int((row + 0.5) * height / PATCHES), int((column + 0.5) * width / PATCHES)].astype(int)
            if wanted.sum() <= 3 * 255:
                worst = max(worst, int(numpy.abs(wanted - found).max()))
    return worst


def describe(job):
    """What is in a PDF."""
    facts = {"pages": [], "transparent": False, "most_ink": 0.0}
    with pikepdf.open(job["pdf"]) as pdf:
        facts["version"] = pdf.pdf_version
        facts["objects"] = sum(isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image" for thing in pdf.objects)
        for page in pdf.pages:
            named = page.Resources.get("/XObject", {})
            used = [str(operands[0]) for operands, operator in pikepdf.parse_content_stream(page) if str(operator) == "Do"]
            images = [named[name] for name in used if named[name].get("/Subtype") == "/Image"]
            masks = [image.SMask for image in images if "/SMask" in image]
            facts["transparent"] |= bool(masks)
            facts["pages"].append({"images": [entry(image) for image in images], "masks": [entry(mask) for mask in masks]})
            for image in images:
                if space_of(image) == "/DeviceCMYK":
                    pixels = pixels_of(image)
                    facts["most_ink"] = max(facts["most_ink"], float(pixels.astype(int).sum(axis=2).max() / 2.55))
                    black = (pixels[..., 3] == 255) & (pixels[..., :3].sum(axis=2) == 0)
                    facts["black_alone"] = int(black.sum())
                    if job.get("profile"):
                        facts["far"] = far_from_cms(pixels, job)
    return facts


def main():
    job = json.load(sys.stdin)
    if "make" in job:
        answer = make(job["make"])
    elif "pdf" in job:
        answer = describe(job)
    else:
        answer = compare(job)
    print(json.dumps(answer))


main()
