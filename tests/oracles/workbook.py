"""Makes a workbook as a spreadsheet program saves it: a hidden sheet, a list with a hidden row, and another sheet.

Asked {"file": where to write}, it answers the names of the visible sheets.
"""

import json
import sys
import zipfile

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
RELATIONS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"
DATE = 1  # Of the styles below.

# Text, a date (24 December 2026), a number, a truth value, and a formula with the value that it had.
LIST = [
    ["name", "gift", "when", "sum", "paid", "whole"],
    ["Zo\u00eb", "tea", ("s", 46380), 12.5, True, ("f", 'A2&" Marsh"', "Zo\u00eb Marsh")],
    ["\u0141ukasz", "milk", ("s", 46381), 1501, False, ("f", 'A3&" Kowal"', "\u0141ukasz Kowal")],
]
SHEETS = [("secret", [["x"]], ' state="hidden"'), ("people", LIST, ""), ("more", [["name"], ["Bob"]], "")]


def cell(value):
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, (int, float)):
        return f"<c><v>{value}</v></c>"
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t>{value}</t></is></c>'
    if value[0] == "s":
        return f'<c s="{DATE}"><v>{value[1]}</v></c>'
    return f'<c t="str"><f>{value[1].replace("&", "&amp;")}</f><v>{value[2]}</v></c>'


def rows(table):
    # A filter has hidden the last row of the list.
    hides = [' hidden="1"' if row is LIST[-1] else "" for row in table]
    return "".join(f"<row{hide}>{''.join(map(cell, row))}</row>" for hide, row in zip(hides, table))


def relations(targets):
    each = "".join(
        f'<Relationship Id="rId{number}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{each}</Relationships>'


def content_types(parts):
    kinds = {"xl/workbook.xml": "sheet.main", "xl/styles.xml": "styles"}
    each = "".join(
        f'<Override PartName="/{part}" ContentType="{SHEET_TYPE}.{kinds.get(part, "worksheet")}+xml"/>' for part in parts
    )
    default = f'<Default Extension="rels" ContentType="{RELATIONS_TYPE}"/>'
    return f'<Types xmlns="{PACKAGE}/content-types">{default}{each}</Types>'


def write(file):
    sheets = [f"worksheets/sheet{number}.xml" for number in range(1, len(SHEETS) + 1)]
    listed = "".join(
        f'<sheet name="{name}" sheetId="{number}"{state} r:id="rId{number}"/>'
        for number, (name, _, state) in enumerate(SHEETS, 1)
    )
    formats = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    parts = {
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}">{formats}</styleSheet>',
    }
    for sheet, (_, table, _) in zip(sheets, SHEETS):
        parts[f"xl/{sheet}"] = f'<worksheet xmlns="{MAIN}"><sheetData>{rows(table)}</sheetData></worksheet>'
    parts["[Content_Types].xml"] = content_types(list(parts))
    parts["_rels/.rels"] = relations([("officeDocument", "xl/workbook.xml")])
    parts["xl/_rels/workbook.xml.rels"] = relations([("worksheet", sheet) for sheet in sheets] + [("styles", "styles.xml")])
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as workbook:
        for name, text in parts.items():
            workbook.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')


write(json.load(sys.stdin)["file"])
print(json.dumps([name for name, _, state in SHEETS if not state]))
