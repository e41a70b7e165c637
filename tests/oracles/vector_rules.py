"""The rules of files whose writing is outlines, and for each a way to break it.

    vector_rules.py             reads files as pdf_facts.py does; prints for each {"broken": [names of broken rules],
                                "operators": colour operators of all pages, "forms": number of forms, "shown": glyphs}
    vector_rules.py mutate      takes one file, breaks each rule in turn, and prints {"sound", "rules", "mutants"}
"""

import io
import json
import sys

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from rule_book import RuleBook

COLOURS = {"CS", "SCN", "SC", "G", "RG", "K", "cs", "scn", "sc", "g", "rg", "k"}
PATHS = {"m", "l", "c", "h", "f"}
BOOK = RuleBook()
rule, breaks = BOOK.rule, BOOK.breaks


def forms(pdf) -> dict:
    """The forms by object number."""
    found = [held for held in pdf.objects if isinstance(held, Stream) and str(held.get("/Subtype")) == "/Form"]
    return {form.objgen: form for form in found}


def operations(content):
    """Operands and operator of a content stream."""
    return [(list(operands), str(operator)) for operands, operator in pikepdf.parse_content_stream(content)]


def operators(pdf) -> set:
    """The colour operators of all pages."""
    return {name for page in pdf.pages for _, name in operations(page) if name in COLOURS}


def rewrite(form, change):
    """Changes the operations of a form."""
    done = [(operands, pikepdf.Operator(name)) for operands, name in change(operations(form))]
    form.write(pikepdf.unparse_content_stream(done))


def some_form(pdf):
    """One of the forms."""
    return next(iter(forms(pdf).values()))


@rule
def there_is_no_image(pdf):
    for held in pdf.objects:
        if isinstance(held, Stream) and str(held.get("/Subtype")) == "/Image":
            yield "image"
    for page in pdf.pages:
        if any(name in ("BI", "INLINE IMAGE", "sh") for _, name in operations(page)):
            yield "inline"


@breaks("there_is_no_image")
def _(pdf):
    image = pdf.make_stream(b"\0", Type=Name.XObject, Subtype=Name.Image, Width=1, Height=1, BitsPerComponent=8,
                            ColorSpace=Name.DeviceGray)
    pdf.Root.Spare = pdf.make_indirect(image)


@rule
def there_is_no_font(pdf):
    if any(isinstance(held, Dictionary) and str(held.get("/Type")) == "/Font" for held in pdf.objects):
        yield "font"
    if any(name == "BT" for page in pdf.pages for _, name in operations(page)):
        yield "text"


@breaks("there_is_no_font")
def _(pdf):
    pdf.pages[0].contents_add(b"BT ET")


@rule
def nothing_is_transparent(pdf):
    for held in pdf.objects:
        if isinstance(held, (Dictionary, Stream)) and any(key in held for key in ("/SMask", "/ca", "/CA", "/Group")):
            yield "transparency"
    if any("/ExtGState" in page.obj.Resources for page in pdf.pages):
        yield "graphics state"


@breaks("nothing_is_transparent")
def _(pdf):
    some_form(pdf).Group = Dictionary(S=Name.Transparency)


@rule
def forms_are_paths_alone(pdf):
    """Every path is closed and filled by the non-zero rule; the colour is that of the page."""
    for form in forms(pdf).values():
        names = [name for _, name in operations(form)]
        if set(names) - PATHS or names.count("m") != names.count("h") or names[-1] != "f" or names.count("f") != 1:
            yield str(names)


@breaks("forms_are_paths_alone")
def _(pdf):
    rewrite(some_form(pdf), lambda done: done[:-1] + [([], "f*")])


@rule
def forms_are_in_whole_numbers(pdf):
    for form in forms(pdf).values():
        if any(float(part) != int(part) for operands, _ in operations(form) for part in operands):
            yield "fraction"


@breaks("forms_are_in_whole_numbers")
def _(pdf):
    rewrite(some_form(pdf), lambda done: [([0.5, 0.5], "m"), ([], "h")] + done)


@rule
def forms_are_in_their_boxes(pdf):
    for form in forms(pdf).values():
        left, bottom, right, top = (float(side) for side in form.BBox)
        for operands, name in operations(form):
            ends = [float(part) for part in operands[-2:]]
            if ends and not (left <= ends[0] <= right and bottom <= ends[1] <= top):
                yield name


@breaks("forms_are_in_their_boxes")
def _(pdf):
    some_form(pdf).BBox = Array([0, 0, 1, 1])


@rule
def every_form_is_shown(pdf):
    shown = set()
    for page in pdf.pages:
        for operands, name in operations(page):
            if name == "Do":
                shown.add(page.obj.Resources.XObject[str(operands[0])].objgen)
    if shown != set(forms(pdf)):
        yield "unused"


@breaks("every_form_is_shown")
def _(pdf):
    pdf.Root.Spare = pdf.make_stream(
        b"0 0 m h f", Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 1, 1]))


@rule
def all_forms_differ(pdf):
    streams = [bytes(form.read_bytes()) for form in forms(pdf).values()]
    if len(set(streams)) != len(streams):
        yield "twice"


@breaks("all_forms_differ")
def _(pdf):
    first, second = list(forms(pdf).values())[:2]
    second.write(first.read_bytes())


@rule
def black_is_one_ink(pdf):
    """A colour of equal parts is gray, and a CMYK colour is no black."""
    for page in pdf.pages:
        for operands, name in operations(page):
            parts = [float(part) for part in operands] if name in ("rg", "k") else []
            if name == "rg" and len(set(parts)) == 1 and parts[0] < 1 or name == "k" and max(parts[:3]) == 0:
                yield name


@breaks("black_is_one_ink")
def _(pdf):
    pdf.pages[0].contents_add(b"0 0 0 1 k", prepend=True)


@rule
def ink_stays_within_the_limit(pdf):
    for page in pdf.pages:
        if any(name == "k" and sum(map(float, operands)) > 3 for operands, name in operations(page)):
            yield "ink"


@breaks("ink_stays_within_the_limit")
def _(pdf):
    pdf.pages[0].contents_add(b"1 1 1 0.5 k", prepend=True)


def facts(data: bytes) -> dict:
    """What one file has."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        shown = sum(name == "Do" for page in pdf.pages for _, name in operations(page))
        return {"broken": BOOK.broken(pdf), "operators": sorted(operators(pdf)), "forms": len(forms(pdf)), "shown": shown}


def mutants(data: bytes) -> dict:
    """Each rule broken on purpose, one at a time."""
    def judged(change) -> list[str]:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            change(pdf)
            written = io.BytesIO()
            pdf.save(written)
        with pikepdf.open(written) as pdf:
            return BOOK.broken(pdf)

    return BOOK.tried(judged)


if __name__ == "__main__":
    from pdf_facts import files

    if sys.argv[1:] == ["mutate"]:
        answer = mutants(next(files()))
    else:
        answer = [facts(data) for data in files()]
    json.dump(answer, sys.stdout)
