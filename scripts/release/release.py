"""What is published: for which machines, and under which names."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# The oldest glibc on which the programs start: that of Debian 10 and RHEL 8. A static program could not load a Vulkan
# driver.
GLIBC = "2.28"


@dataclass(frozen=True)
class Target:
    """A machine, by its names."""

    architecture: str  # in names of files
    debian: str
    # The prefix of Debian's binutils for it.
    binutils: str

    @property
    def rust(self):
        return f"{self.architecture}-unknown-linux-gnu"


TARGETS = (
    Target("x86_64", "amd64", "x86_64-linux-gnu-"),
    Target("aarch64", "arm64", "aarch64-linux-gnu-"),
)


@dataclass(frozen=True)
class Release:
    """A release in a folder."""

    folder: Path
    time: int  # of the commit, in Unix seconds

    @property
    def version(self):
        return tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]["version"]

    def file(self, name):
        self.folder.mkdir(parents=True, exist_ok=True)
        return self.folder / name

    def program(self, target):
        """Where the program is built, with `longhand.debug` beside it: not published by itself."""
        return self.folder.parent / f"{self.folder.name}-build" / target.architecture / "longhand"

    def archive(self, target):
        return self.file(f"longhand-{self.version}-{target.architecture}-linux.tar.gz")

    def package(self, target):
        return self.file(f"longhand_{self.version}_{target.debian}.deb")

    @property
    def image(self):
        return self.file(f"longhand-{self.version}-image.tar")

    @property
    def materials(self):
        return self.file(f"longhand-{self.version}.cdx.json")

    @property
    def changes(self):
        return self.file(f"longhand-{self.version}-changes.md")
