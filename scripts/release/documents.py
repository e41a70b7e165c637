"""The documents of a release: what changed, what the program is made of, and checksums of all files."""

import hashlib
import re
import subprocess
import sys

from release import ROOT


def changes(release):
    """The section of the changelog, without its heading, which must have a date."""
    text = (ROOT / "CHANGELOG.md").read_text()
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    for section in sections:
        heading, _, body = section.partition("\n")
        if re.fullmatch(rf"\[{re.escape(release.version)}\] - \d{{4}}-\d\d-\d\d", heading):
            return body.strip() + "\n"
    raise SystemExit(f"CHANGELOG.md has no section \"## [{release.version}] - YYYY-MM-DD\"")


def write(release):
    release.changes.write_text(changes(release))
    with release.materials.open("wb") as out:
        subprocess.run([sys.executable, ROOT / "scripts/sbom.py"], check=True, stdout=out)


def write_checksums(release):
    files = sorted(path for path in release.folder.iterdir() if path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    release.file("SHA256SUMS").write_text("".join(lines))
