"""The rules of PDF/X-1a:2001 (ISO 15930-1) that a page of ours can break, and for each a way to break it.

A rule is a function of the file's bytes and of pikepdf's reading of them; it yields a word for every breach. Numbers in
comments are clauses of ISO 15930-1:2001; "PDF" is the PDF Reference, second edition (1.3).
"""

import re
import struct

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from rule_book import RuleBook

BOOK = RuleBook()
rule, breaks = BOOK.rule, BOOK.breaks
DEVICE_SPACES = {"/DeviceCMYK", "/DeviceGray"}
DATE = re.compile(r"D:\d{14}(Z|[+-]\d\d'\d\d'?)$")
SLACK = 0.001


def images(page) -> list:
    """The images of a page."""
    held = page.obj.Resources.get("/XObject", {}).values()
    return [image for image in held if str(image.get("/Subtype")) == "/Image"]


def the_image(page):
    """The one image of a page."""
    (image,) = images(page)
    return image


def painted(page) -> dict:
    """The page's image matrix, its stroked lines in page space and how they are stroked, and its colour operators."""
    matrix, stack = pikepdf.Matrix(), []
    shown = {"image": None, "lines": [], "width": None, "stroke": None, "operators": []}
    start, line = None, None
    for operands, operator in pikepdf.parse_content_stream(page):
        name = str(operator)
        values = [float(operand) for operand in operands if not isinstance(operand, (Name, pikepdf.Object))]
        if name == "q":
            stack.append(matrix)
        elif name == "Q":
            matrix = stack.pop()
        elif name == "cm":
            matrix = pikepdf.Matrix(*values) @ matrix
        elif name == "Do":
            shown["image"] = list(matrix.shorthand)
        elif name == "m":
            start = matrix.transform(tuple(values))
        elif name == "l":
            line = [*start, *matrix.transform(tuple(values))]
        elif name == "S":
            shown["lines"].append(line)
        elif name == "w":
            shown["width"] = values[0]
        elif name in ("CS", "SCN", "G", "RG", "K", "cs", "scn", "g", "rg", "k"):
            shown["operators"].append(name)
            if name[0].isupper():
                shown["stroke"] = [name, *values]
    return shown


def is_inside(inner, outer) -> bool:
    """Whether one box lies in another."""
    inner, outer = [float(side) for side in inner], [float(side) for side in outer]
    return all(
        (inner[0] >= outer[0] - SLACK, inner[1] >= outer[1] - SLACK,
         inner[2] <= outer[2] + SLACK, inner[3] <= outer[3] + SLACK)
    )


def spaces(pdf):
    """Every colour space that something uses, alternates and bases included, as a name."""
    def unfolded(space):
        if isinstance(space, Name):
            yield str(space)
        elif isinstance(space, Array):
            yield str(space[0])
            if str(space[0]) == "/Indexed":
                yield from unfolded(space[1])
            elif str(space[0]) in ("/Separation", "/DeviceN"):
                yield from unfolded(space[2])
    for page in pdf.pages:
        for space in page.obj.Resources.get("/ColorSpace", {}).values():
            yield from unfolded(space)
        for image in page.obj.Resources.get("/XObject", {}).values():
            if "/ColorSpace" in image:
                yield from unfolded(image.ColorSpace)


def dictionaries(pdf):
    """Every dictionary and stream dictionary that is an object of its own, and the graphics states of pages."""
    for held in pdf.objects:
        if isinstance(held, (Dictionary, Stream)):
            yield held
    for page in pdf.pages:
        yield from page.obj.Resources.get("/ExtGState", {}).values()


@rule
def header_is_pdf_1_3(data, pdf):  # 6.1
    if not data.startswith(b"%PDF-1.3") or not re.match(rb"%PDF-1\.3\s+%[\x80-\xff]{4}", data):
        yield "header"


@breaks("header_is_pdf_1_3")
def _(pdf):
    return {"force_version": "1.4"}


@rule
def cross_references_are_a_table(data, pdf):  # PDF 3.4.3; streams are younger than 1.3
    start = int(re.search(rb"startxref\s+(\d+)\s+%%EOF\s*$", data)[1])
    if not data[start:].startswith(b"xref") or b"/ObjStm" in data or b"/XRef" in data:
        yield "cross-reference stream"


@breaks("cross_references_are_a_table")
def _(pdf):
    return {"object_stream_mode": pikepdf.ObjectStreamMode.generate, "force_version": "1.5"}


@rule
def trailer_has_an_id(data, pdf):  # 6.1
    identifier = pdf.trailer.get("/ID", [])
    if len(identifier) != 2 or any(len(bytes(part)) < 16 for part in identifier):
        yield "ID"


@breaks("trailer_has_an_id")
def _(pdf):
    return {"after": lambda data: re.sub(rb"/ID *\[", lambda match: match[0].replace(b"ID", b"IE"), data)}


@rule
def nothing_is_encrypted(data, pdf):  # 6.1
    if pdf.is_encrypted:
        yield "Encrypt"


@breaks("nothing_is_encrypted")
def _(pdf):
    return {"encryption": pikepdf.Encryption(owner="a", user="", R=3, aes=False, metadata=False), "force_version": ""}


@rule
def version_key_is_right(data, pdf):  # 6.2
    if str(pdf.docinfo.get("/GTS_PDFXVersion")) != "PDF/X-1:2001":
        yield "GTS_PDFXVersion"


@breaks("version_key_is_right")
def _(pdf):
    pdf.docinfo["/GTS_PDFXVersion"] = "PDF/X-3:2002"


@rule
def conformance_key_is_right(data, pdf):  # 6.2
    if str(pdf.docinfo.get("/GTS_PDFXConformance")) != "PDF/X-1a:2001":
        yield "GTS_PDFXConformance"


@breaks("conformance_key_is_right")
def _(pdf):
    del pdf.docinfo["/GTS_PDFXConformance"]


@rule
def document_is_described(data, pdf):  # 6.11
    for key in ("/Title", "/Creator", "/Producer"):
        if not str(pdf.docinfo.get(key, "")).strip():
            yield key


@breaks("document_is_described")
def _(pdf):
    pdf.docinfo["/Title"] = ""


@rule
def document_is_dated(data, pdf):  # 6.11, PDF 3.8.2
    for key in ("/CreationDate", "/ModDate"):
        if not DATE.match(str(pdf.docinfo.get(key, ""))):
            yield key


@breaks("document_is_dated")
def _(pdf):
    pdf.docinfo["/ModDate"] = "2026-11-21"


@rule
def trapping_is_stated_as_a_name(data, pdf):  # 6.11
    trapped = pdf.docinfo.get("/Trapped")
    if not isinstance(trapped, Name) or str(trapped) not in ("/True", "/False"):
        yield "Trapped"


@breaks("trapping_is_stated_as_a_name")
def _(pdf):
    pdf.docinfo["/Trapped"] = pikepdf.String("False")


def intents(pdf):
    """The output intents for PDF/X."""
    return [intent for intent in pdf.Root.get("/OutputIntents", []) if str(intent.get("/S")) == "/GTS_PDFX"]


@rule
def there_is_one_output_intent(data, pdf):  # 6.4
    if len(intents(pdf)) != 1:
        yield "OutputIntents"


@breaks("there_is_one_output_intent")
def _(pdf):
    pdf.Root.OutputIntents.append(pdf.Root.OutputIntents[0])


@rule
def output_condition_is_registered(data, pdf):  # 6.4
    known = {"CGATS21-2-CRPC6", "CGATS TR 006", "FOGRA51", "FOGRA39"}
    for intent in intents(pdf):
        if str(intent.get("/OutputConditionIdentifier")) not in known or str(intent.get("/Info", "")) == "":
            yield "OutputConditionIdentifier"
        if str(intent.get("/RegistryName")) != "http://www.color.org":
            yield "RegistryName"


@breaks("output_condition_is_registered")
def _(pdf):
    pdf.Root.OutputIntents[0].RegistryName = pikepdf.String("http://example.org")


PROFILES = {}


def profile_is_sound(stream) -> bool:
    """An ICC v2 CMYK output profile; judged once for each stream of bytes."""
    raw = stream.read_raw_bytes()
    if raw not in PROFILES:
        icc = stream.read_bytes()
        PROFILES[raw] = all(
            (struct.unpack(">I", icc[:4])[0] == len(icc), icc[8] == 2, icc[12:16] == b"prtr", icc[16:20] == b"CMYK",
             icc[20:24] == b"Lab ", icc[36:40] == b"acsp")
        )
    return PROFILES[raw]


@rule
def output_profile_is_embedded(data, pdf):  # 6.4
    for intent in intents(pdf):
        stream = intent.get("/DestOutputProfile")
        if not isinstance(stream, Stream) or int(stream.get("/N", 0)) != 4 or not profile_is_sound(stream):
            yield "DestOutputProfile"


@breaks("output_profile_is_embedded")
def _(pdf):
    stream = pdf.Root.OutputIntents[0].DestOutputProfile
    icc = bytearray(stream.read_bytes())
    icc[8] = 4
    stream.write(bytes(icc))


@rule
def every_page_has_a_trim_box(data, pdf):  # 6.5
    for page in pdf.pages:
        if "/TrimBox" not in page.obj or "/ArtBox" in page.obj:
            yield "TrimBox"


@breaks("every_page_has_a_trim_box")
def _(pdf):
    pdf.pages[0].obj.ArtBox = pdf.pages[0].obj.TrimBox


@rule
def boxes_lie_in_each_other(data, pdf):  # 6.5
    for page in pdf.pages:
        media = page.obj.MediaBox
        bleed = page.obj.get("/BleedBox", media)
        if not is_inside(page.obj.get("/TrimBox", bleed), bleed) or not is_inside(bleed, media):
            yield "boxes"


@breaks("boxes_lie_in_each_other")
def _(pdf):
    page = pdf.pages[0].obj
    left, bottom, right, top = (float(side) for side in page.BleedBox)
    page.TrimBox = Array([left - 1, bottom, right, top])


@rule
def crop_box_hides_nothing(data, pdf):  # 6.5
    for page in pdf.pages:
        media = page.obj.MediaBox
        if not is_inside(media, page.obj.get("/CropBox", media)):
            yield "CropBox"


@breaks("crop_box_hides_nothing")
def _(pdf):
    pdf.pages[0].obj.CropBox = pdf.pages[0].obj.TrimBox


@rule
def color_spaces_are_of_the_press(data, pdf):  # 6.3
    for space in spaces(pdf):
        if space not in DEVICE_SPACES | {"/Indexed", "/Separation", "/DeviceN"}:
            yield space


@breaks("color_spaces_are_of_the_press")
def _(pdf):
    space = the_image(pdf.pages[0]).ColorSpace
    space[1], space[3] = Name.DeviceRGB, pikepdf.String(bytes(768))


@rule
def operators_paint_no_rgb(data, pdf):  # 6.3
    for page in pdf.pages:
        if {"rg", "RG"} & set(painted(page)["operators"]):
            yield "RGB"


@breaks("operators_paint_no_rgb")
def _(pdf):
    pdf.pages[0].contents_add(b"0 0 1 rg", prepend=True)


@rule
def nothing_is_transparent(data, pdf):  # PDF 1.4 brought it
    for held in dictionaries(pdf):
        if "/SMask" in held and str(held.get("/SMask")) != "/None":
            yield "SMask"
        if str(held.get("/BM", "/Normal")) not in ("/Normal", "/Compatible"):
            yield "BM"
        if any(float(held.get(key, 1)) < 1 for key in ("/ca", "/CA")) or "/Group" in held:
            yield "transparency"


@breaks("nothing_is_transparent")
def _(pdf):
    pdf.pages[0].obj.Resources.ExtGState = Dictionary(Faint=Dictionary(Type=Name.ExtGState, ca=0.5))


@rule
def filters_are_old_enough(data, pdf):  # 6.7
    for held in pdf.objects:
        if isinstance(held, Stream):
            filters = held.get("/Filter", [])
            for name in [filters] if isinstance(filters, Name) else list(filters):
                if str(name) in ("/LZWDecode", "/JPXDecode", "/JBIG2Decode", "/Crypt"):
                    yield str(name)


@breaks("filters_are_old_enough")
def _(pdf):
    the_image(pdf.pages[0]).write(b"", filter=Name.JPXDecode)


@rule
def streams_are_in_the_file(data, pdf):  # 6.6
    for held in pdf.objects:
        if isinstance(held, Stream) and any(key in held for key in ("/F", "/OPI", "/Alternates")):
            yield "external"


@breaks("streams_are_in_the_file")
def _(pdf):
    the_image(pdf.pages[0]).OPI = Dictionary()


@rule
def nothing_acts(data, pdf):  # 6.9, 6.10
    names = pdf.Root.get("/Names", {})
    if any(key in pdf.Root for key in ("/OpenAction", "/AA", "/AcroForm")):
        yield "action"
    if any(key in names for key in ("/JavaScript", "/EmbeddedFiles")):
        yield "names"
    for page in pdf.pages:
        if "/AA" in page.obj or len(page.obj.get("/Annots", [])):
            yield "annotation"


@breaks("nothing_acts")
def _(pdf):
    pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS="1")


@rule
def fonts_are_embedded(data, pdf):  # 6.8; pages of ours have none
    for page in pdf.pages:
        for font in page.obj.Resources.get("/Font", {}).values():
            font = font.get("/DescendantFonts", [font])[0]
            descriptor = font.get("/FontDescriptor", {})
            if not any(key in descriptor for key in ("/FontFile", "/FontFile2", "/FontFile3")):
                yield str(font.get("/BaseFont"))


@breaks("fonts_are_embedded")
def _(pdf):
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    pdf.pages[0].obj.Resources.Font = Dictionary(F=font)


@rule
def tones_are_left_alone(data, pdf):  # 6.12: no transfer functions, no halftone phases
    for held in dictionaries(pdf):
        if "/TR" in held or "/TR2" in held or "/HTP" in held:
            yield "TR"


@breaks("tones_are_left_alone")
def _(pdf):
    pdf.pages[0].obj.Resources.ExtGState = Dictionary(T=Dictionary(Type=Name.ExtGState, TR=Name.Identity))


@rule
def marks_keep_out_of_the_bleed(data, pdf):  # 6.5, printer's marks
    for page in pdf.pages:
        left, bottom, right, top = (float(side) for side in page.obj.get("/BleedBox", page.obj.MediaBox))
        for x0, y0, x1, y1 in painted(page)["lines"]:
            misses = max(x0, x1) < left or min(x0, x1) > right or max(y0, y1) < bottom or min(y0, y1) > top
            if not misses:
                yield "mark"


@breaks("marks_keep_out_of_the_bleed")
def _(pdf):
    pdf.pages[0].contents_add(b"0 G 0 0 m 60 60 l S")


@rule
def marks_print_on_every_plate(data, pdf):  # PDF 4.5.5
    for page in pdf.pages:
        shown = painted(page)
        if not shown["lines"]:
            continue
        separations = page.obj.Resources.get("/ColorSpace", {}).values()
        if shown["stroke"] != ["SCN", 1.0] or ["/Separation", "/All"] not in [
            [str(space[0]), str(space[1])] for space in separations
        ]:
            yield "registration"


@breaks("marks_print_on_every_plate")
def _(pdf):
    pdf.pages[0].obj.Resources.ColorSpace.Registration[1] = Name.Black


@rule
def ink_stays_within_the_limit(data, pdf):  # 300 %; and paper is no ink at all
    for page in pdf.pages:
        for space in (image.ColorSpace for image in images(page)):
            palette = bytes(space[3])
            if str(space[1]) == "/DeviceCMYK":
                colors = [palette[at : at + 4] for at in range(0, len(palette), 4)]
                if max(sum(color) for color in colors) > 765 or sum(colors[0]) > 0:
                    yield "ink"
            elif str(space[1]) == "/DeviceGray" and palette[0] != 255:
                yield "ink"


@breaks("ink_stays_within_the_limit")
def _(pdf):
    space = the_image(pdf.pages[0]).ColorSpace
    space[1], space[3] = Name.DeviceCMYK, pikepdf.String(bytes([0, 0, 0, 0]) + bytes([255]) * 1020)
