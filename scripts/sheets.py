"""What the scripts that make pictures of the documentation share: pages on white, and sheets of cells.

Input: requests. Output: pictures. Writes nothing but the file that it is given.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent


def program() -> str:
    """The path of longhand: the first argument, else the release build."""
    return sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target/release/longhand")


def on_white(file: Path) -> Image.Image:
    """The picture in a file, on white."""
    page = Image.open(file).convert("RGBA")
    paper = Image.new("RGBA", page.size, "white")
    paper.alpha_composite(page)
    return paper


def render(request: dict) -> Image.Image:
    """The page of a request, on white."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "request.json").write_text(json.dumps(request))
        command = [program(), "render", "--request", str(folder / "request.json"), "-o", str(folder / "page.png")]
        subprocess.run(command, check=True, capture_output=True)
        return on_white(folder / "page.png").convert("RGB")


def write_sheet(
    file: Path, rows: Sequence, columns: Sequence, cell: tuple[int, int], request: Callable[..., dict]
) -> None:
    """Writes the top left `cell` of the page of each row and column, at 50 %."""
    width, height = cell
    sheet = Image.new("RGB", (width * len(columns), height * len(rows)), "white")
    for top, row in enumerate(rows):
        for left, column in enumerate(columns):
            sheet.paste(render(request(row, column)).crop((0, 0, width, height)), (left * width, top * height))
    sheet = sheet.resize((sheet.width // 2, sheet.height // 2), Image.LANCZOS)
    sheet.quantize(16).save(file, optimize=True)
