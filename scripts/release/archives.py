"""Tar files whose bytes depend on their contents alone."""

import gzip
import io
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


def of_program(release, target):
    """The program, the lines of its stack traces and its licences."""
    folder = f"longhand-{release.version}"
    program = release.program(target)
    archive = Archive(release.time)
    archive.add(f"{folder}/longhand", program.read_bytes(), 0o755)
    archive.add(f"{folder}/longhand.debug", program.with_suffix(".debug").read_bytes())
    for name in ("README.md", "CHANGELOG.md", "deploy/longhand.toml", "deploy/systemd/longhand.service"):
        archive.add(f"{folder}/{name.rsplit('/')[-1]}", (ROOT / name).read_bytes())
    for name, path in licences():
        archive.add(f"{folder}/licences/{name}", path.read_bytes())
    release.archive(target).write_bytes(compress(archive.close()))
