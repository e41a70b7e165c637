"""Tar files whose bytes depend on their contents alone."""

import gzip
import io
import os
import subprocess
import tarfile

from release import ROOT


class Archive:
    """A tar file in memory. All members have the time of the release and belong to root, unless they say otherwise."""

    def __init__(self, time):
        self.time = time
        self.bytes = io.BytesIO()
        self.tar = tarfile.open(fileobj=self.bytes, mode="w", format=tarfile.GNU_FORMAT)

    def add(self, name, contents=None, mode=0o644, owner=0):
        """Adds a file, or a folder where there are no contents."""
        member = tarfile.TarInfo(name)
        member.type = tarfile.DIRTYPE if contents is None else tarfile.REGTYPE
        member.mode, member.mtime, member.uid, member.gid = mode, self.time, owner, owner
        member.size = len(contents or b"")
        self.tar.addfile(member, io.BytesIO(contents or b""))

    def close(self):
        """The bytes of the file."""
        self.tar.close()
        return self.bytes.getvalue()


def compress(contents):
    return gzip.compress(contents, compresslevel=6, mtime=0)


def licences():
    """Names and files of all licences of what the program carries."""
    own = [ROOT / "LICENSE-MIT", ROOT / "LICENSE-APACHE"]
    fonts = sorted((ROOT / "fonts/licences").iterdir())
    return [(path.name, path) for path in own] + [(f"fonts/{path.name}", path) for path in fonts]


def documents():
    """What the README links to, and what that links to: places in the repository, and files."""
    files = [":(glob)*.md", "benches/RESULTS.md", "shaders/README.md", "icc/README.md"]
    command = ["git", "-C", ROOT, "ls-files", *files, "docs", "deploy", "tests/oracles/clients"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [(name, ROOT / name) for name in listed.splitlines()]


def of_program(release, target):
    """The program, the lines of its stack traces, its documents and its licences."""
    folder = f"longhand-{release.version}"
    program = release.program(target)
    archive = Archive(release.time)
    archive.add(f"{folder}/longhand", program.read_bytes(), 0o755)
    archive.add(f"{folder}/longhand.debug", program.with_suffix(".debug").read_bytes())
    files = {
        "longhand.toml": ROOT / "deploy/longhand.toml",
        "longhand.service": ROOT / "deploy/systemd/longhand.service",
        **dict(documents()),
        **{f"licences/{name}": path for name, path in licences()},
    }
    for name, path in files.items():
        archive.add(f"{folder}/{name}", path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)
    release.archive(target).write_bytes(compress(archive.close()))
