"""Generates a Python client from the description of the interface and uses it.

In: {"document": path of the description, "address": of the service, "key", "folder": to generate into}.
Out: what the calls of the generated client came to.
"""

import base64
import json
import subprocess
import sys
import time
import zipfile
from pathlib import Path


def generate(job):
    """The package `longhand_client` in the folder."""
    config = Path(job["folder"], "config.yaml")
    # Nothing formats the code; a file as the whole answer is bytes.
    kinds = ("image/png", "application/pdf", "image/svg+xml", "application/zip")
    files = "".join(f"  {kind}: application/octet-stream\n" for kind in kinds) + "  application/jsonl: text/plain\n"
    config.write_text(f"post_hooks: []\ncontent_type_overrides:\n{files}")
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", job["document"], "--meta", "none"]
    command += ["--output-path", str(Path(job["folder"], "longhand_client")), "--config", str(config), "--fail-on-warning"]
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if made.returncode != 0:
        sys.exit(made.stdout)
    sys.path.insert(0, job["folder"])


def make_job(client):
    """A job of two cards, from the list to the archive: its state, rows made, the rows and the archive's names."""
    from longhand_client.api.jobs import create_job, read_job, read_job_result, read_job_rows
    from longhand_client.models import NewJob

    described = {
        "request": {"text": "Dear {name}", "page_size": "card_96x135", "font_id": 3},
        "rows": [{"name": "Ann"}, {"name": "Zoë"}],
        "output": {"form": "zip", "name": "{row}-{name}"},
    }
    job = create_job.sync(client=client, body=NewJob.from_dict(described))
    while job.state.value == "running":
        time.sleep(0.05)
        job = read_job.sync(client=client, id=job.id)
    rows = [json.loads(line) for line in read_job_rows.sync(client=client, id=job.id).splitlines()]
    archive = zipfile.ZipFile(read_job_result.sync(client=client, id=job.id).payload)
    return [job.state.value, job.made, [row["state"] for row in rows], archive.namelist()]


def main():
    job = json.load(sys.stdin)
    generate(job)
    from longhand_client import AuthenticatedClient, Client
    from longhand_client.api.pages import generate_page, generate_pdf, generate_png, generate_svg, preview_page
    from longhand_client.api.service import list_fonts, read_specimen, read_status
    from longhand_client.models import (
        GenerationRequest,
        GenerationRequestPageSize,
        PdfOptions,
        PdfOptionsWriting,
        PdfRequest,
        PngRequest,
        PngRequestPageSize,
        PreviewRequest,
        SvgOptions,
        SvgOptionsGroupBy,
        SvgRequest,
        ValidationError,
    )

    def start(file):
        return file.read(4).hex()

    def refusal(answer):
        assert isinstance(answer.parsed, ValidationError), answer
        return [str(answer.status_code.value), *sorted(detail.field for detail in answer.parsed.details)]

    client = AuthenticatedClient(base_url=job["address"], token=job["key"])
    request = GenerationRequest(text="Hello", page_size=GenerationRequestPageSize.CARD_96X135, seed=7)
    page = generate_page.sync(client=client, body=request)
    png = generate_png.sync_detailed(
        client=client, body=PngRequest(text="Hello", page_size=PngRequestPageSize.CARD_96X135, seed=7)
    )
    outlines = PdfOptions(writing=PdfOptionsWriting.OUTLINES)
    pdf = generate_pdf.sync_detailed(client=client, body=PdfRequest(text="Hello", pdf=outlines))
    words = SvgOptions(group_by=SvgOptionsGroupBy.WORD)
    svg = generate_svg.sync_detailed(client=client, body=SvgRequest(text="Hello", svg=words))
    refusals = [
        (generate_page, GenerationRequest),
        (generate_png, PngRequest),
        (generate_pdf, PdfRequest),
        (generate_svg, SvgRequest),
    ]
    preview = preview_page.sync(client=client, body=PreviewRequest(text="Hello"))
    fonts = list_fonts.sync(client=client)
    stranger = AuthenticatedClient(base_url=job["address"], token="lh_nobody")
    specimen = read_specimen.sync_detailed(client=client, id=3)
    json.dump({
        "page": [page.width, page.height, page.seed, base64.b64decode(page.image_base64)[:4].hex()],
        "png": [start(png.parsed.payload), png.headers["x-width"], png.headers["x-seed"]],
        "pdf": [start(pdf.parsed.payload), pdf.headers["x-writing"]],
        "svg": [start(svg.parsed.payload), svg.headers["x-writing"]],
        "refusals": [
            refusal(operation.sync_detailed(client=client, body=request(text="", font_id=91)))
            for operation, request in refusals
        ],
        "preview": preview.preview_width,
        "fonts": [fonts.total, fonts.fonts[0].name],
        "stranger": generate_page.sync(client=stranger, body=request).error.value,
        "specimen": [specimen.status_code, start(specimen.parsed.payload)],
        "job": make_job(client),
        "status": read_status.sync(client=Client(base_url=job["address"])).status.value,
    }, sys.stdout)


main()
