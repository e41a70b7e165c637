"""The Debian package: the program, a unit with a user of its own, its data directory, settings and licences."""

import gzip
import shutil
import subprocess
import tempfile
from pathlib import Path

from release import GLIBC, ROOT

PARTS = ROOT / "deploy/debian"

# Lines of the unit that are otherwise in a package: the program's place, and a user that stays, so that its files have an
# owner with a name.
OF_PACKAGE = {
    "ExecStart=/usr/local/bin/longhand serve": "ExecStart=/usr/bin/longhand serve",
    "DynamicUser=yes": "User=longhand\nGroup=longhand",
}


def unit():
    lines = (ROOT / "deploy/systemd/longhand.service").read_text().splitlines()
    missing = [line for line in OF_PACKAGE if lines.count(line) != 1]
    if missing:
        raise SystemExit(f"the unit has not one line each of {missing}")
    return "\n".join(OF_PACKAGE.get(line, line) for line in lines) + "\n"


def files(release, target):
    """Every file of the package: its place, contents and mode."""
    program = release.program(target)
    share = "usr/share/doc/longhand"
    yield "usr/bin/longhand", program.read_bytes(), 0o755
    # Where stack traces look for their lines.
    yield "usr/lib/debug/usr/bin/longhand.debug", program.with_suffix(".debug").read_bytes(), 0o644
    yield "usr/lib/systemd/system/longhand.service", unit().encode(), 0o644
    yield "usr/lib/sysusers.d/longhand.conf", (PARTS / "sysusers.conf").read_bytes(), 0o644
    yield "usr/lib/tmpfiles.d/longhand.conf", (PARTS / "tmpfiles.conf").read_bytes(), 0o644
    yield "etc/longhand/environment", (PARTS / "environment").read_bytes(), 0o600
    yield f"{share}/copyright", (PARTS / "copyright").read_bytes(), 0o644
    changelog = (ROOT / "CHANGELOG.md").read_bytes()
    yield f"{share}/changelog.gz", gzip.compress(changelog, compresslevel=9, mtime=0), 0o644
    yield f"{share}/longhand.toml", (ROOT / "deploy/longhand.toml").read_bytes(), 0o644
    for path in sorted((ROOT / "fonts/licences").iterdir()):
        yield f"{share}/fonts/{path.name}", path.read_bytes(), 0o644


def control(release, target, size):
    """The control file. `size` is in KiB."""
    text = (PARTS / "control").read_text()
    values = {"VERSION": release.version, "ARCHITECTURE": target.debian, "SIZE": size, "GLIBC": GLIBC}
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    return text


def build(release, target):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        size = 0
        for place, contents, mode in files(release, target):
            path = root / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(contents)
            path.chmod(mode)
            size += -(-len(contents) // 1024)
        for path in root.rglob("*"):
            if path.is_dir():
                path.chmod(0o755)
        (root / "etc/longhand").chmod(0o700)
        meta = root / "DEBIAN"
        meta.mkdir(mode=0o755)
        (meta / "control").write_text(control(release, target, size))
        (meta / "conffiles").write_text("/etc/longhand/environment\n")
        for script in ("postinst", "prerm", "postrm"):
            shutil.copy(PARTS / script, meta / script)
            (meta / script).chmod(0o755)
        root.chmod(0o755)
        options = ["--root-owner-group", "-Zxz", "--threads-max=1"]
        command = ["dpkg-deb", *options, "--build", root, release.package(target)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
