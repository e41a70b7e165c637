"""Makes what a release publishes, into one folder:

    scripts/release FOLDER            all of it (`make release`)
    scripts/release FOLDER STEP…      some of it: programs, archives, packages, image, documents, checksums

    longhand-VERSION-ARCH-linux.tar.gz   the program for x86-64 and aarch64, for systems with glibc 2.28 or newer
    longhand_VERSION_ARCH.deb            the same as a Debian package with unit, user and data directory
    longhand-VERSION-image.tar           a container image for x86-64, as an OCI archive
    longhand-VERSION.cdx.json            what the program is made of (CycloneDX)
    longhand-VERSION-changes.md          the section of the changelog
    SHA256SUMS                           checksums of these files

The same commit gives the same files in any folder where the tools are the same: times are those of the commit, paths are
cut off, and nothing depends on the order of work. The image also depends on the state of Debian's archive on that day.
"""

import os
import subprocess
import sys
from pathlib import Path

import archives
import documents
import image
import package
import programs
from release import ROOT, TARGETS, Release

STEPS = {
    "programs": lambda release: [programs.build(release, target) for target in TARGETS],
    "archives": lambda release: [archives.of_program(release, target) for target in TARGETS],
    "packages": lambda release: [package.build(release, target) for target in TARGETS],
    "image": image.build,
    "documents": documents.write,
    "checksums": documents.write_checksums,
}


def commit_time():
    """The time of the commit in Unix seconds, unless SOURCE_DATE_EPOCH names another."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    show = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    return int(given or subprocess.run(show, check=True, capture_output=True, text=True).stdout)


def main():
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(STEPS):
        sys.exit(__doc__)
    release = Release(Path(sys.argv[1]).absolute(), commit_time())
    os.environ["SOURCE_DATE_EPOCH"] = str(release.time)
    # The date and what changed are needed last, and missing most often.
    documents.changes(release)
    for step in sys.argv[2:] or STEPS:
        print(f"release: {step}", file=sys.stderr, flush=True)
        STEPS[step](release)


main()
