"""Facts about a package and an image that scripts/release makes of a stand-in for the program, read by dpkg-deb and by this
file alone.

In (JSON on standard input): {"root": folder of the repository}. Out: {
"files": {place in the package: [mode, owner]}, "fields": {field: value of the control file}, "unit": its text,
"scripts": [complaints of sh], "conffiles": text, "again": whether a second run gives the same bytes,
"image": {"complaints": [what is wrong by the specification], "config": its configuration, "layers": [{place: [mode, owner]}]},
"changes": the section of the changelog, "undated": the message where it has no date}
"""

import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

JOB = json.load(sys.stdin)
ROOT = Path(JOB["root"])
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts/release"))

import dockerfile  # noqa: E402
import documents  # noqa: E402
import image  # noqa: E402
import package  # noqa: E402
import release as published  # noqa: E402

TIME = 1_700_000_000


def run(*command):
    return subprocess.run(command, check=True, capture_output=True).stdout


def made(folder):
    """A package and an image of a stand-in for the program, on a stand-in for Debian."""
    release = published.Release(Path(folder) / "out", TIME)
    target = published.TARGETS[0]
    program = release.program(target)
    program.parent.mkdir(parents=True)
    program.write_bytes(b"\x7fELF stands in for the program")
    program.with_suffix(".debug").write_bytes(b"lines")
    package.build(release, target)
    stage = dockerfile.last_stage(image.DOCKERFILE.read_text())
    base = image.Archive(TIME)
    base.add("etc", mode=0o755)
    base.add("etc/debian_version", b"12\n")
    layers = [base.close(), image.second_layer(release, stage, program)]
    release.image.write_bytes(image.compose(release, stage, layers, target.debian))
    return release.package(target), release.image


def members(tar):
    return {member.name.removeprefix("./"): [oct(member.mode), f"{member.uid}:{member.gid}"] for member in tar}


def image_facts(path):
    complaints = []
    with tarfile.open(path) as archive:
        contents = {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}

    def blob(descriptor):
        data = contents.get("blobs/" + descriptor["digest"].replace(":", "/"), b"")
        if hashlib.sha256(data).hexdigest() != descriptor["digest"].removeprefix("sha256:"):
            complaints.append(f"{descriptor['digest']} has other contents")
        if len(data) != descriptor["size"]:
            complaints.append(f"{descriptor['digest']} has another size")
        return data

    if json.loads(contents["oci-layout"]) != {"imageLayoutVersion": "1.0.0"}:
        complaints.append("oci-layout")
    [named] = json.loads(contents["index.json"])["manifests"]
    manifest = json.loads(blob(named))
    config = json.loads(blob(manifest["config"]))
    layers = [gzip.decompress(blob(layer)) for layer in manifest["layers"]]
    if [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers] != config["rootfs"]["diff_ids"]:
        complaints.append("diff_ids are not those of the layers")
    if len(contents) != 2 + 2 + len(layers):
        complaints.append(f"{len(contents)} files")
    listed = []
    for layer in layers:
        with tarfile.open(fileobj=io.BytesIO(layer)) as tar:
            listed.append(members(tar))
    return {"complaints": complaints, "config": config, "layers": listed, "annotations": named["annotations"]}


def main():
    os.environ["SOURCE_DATE_EPOCH"] = str(TIME)
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        deb, archive = made(one)
        again = [path.read_bytes() for path in made(other)] == [deb.read_bytes(), archive.read_bytes()]
        with tarfile.open(fileobj=io.BytesIO(run("dpkg-deb", "--fsys-tarfile", deb))) as tar:
            files = members(tar)
            unit = tar.extractfile("./usr/lib/systemd/system/longhand.service").read().decode()
        names = ("Package", "Version", "Architecture", "Depends", "Recommends", "Installed-Size")
        fields = {name: run("dpkg-deb", "--field", deb, name).decode().strip() for name in names}
        control = Path(one) / "control"
        run("dpkg-deb", "--control", deb, control)
        scripts = [
            f"{path.name}: {checked.stderr}"
            for path in sorted(control.glob("p*"))
            if (checked := subprocess.run(["sh", "-n", path], capture_output=True, text=True, check=False)).returncode
        ]
        release = published.Release(Path(one), TIME)
        changelog = (ROOT / "CHANGELOG.md").read_text()
        documents.ROOT = Path(one)
        (documents.ROOT / "CHANGELOG.md").write_text(changelog.replace(f"[{release.version}] - ", "[Unreleased] - "))
        try:
            undated = documents.changes(release)
        except SystemExit as refused:
            undated = f"refused: {refused}"
        documents.ROOT = ROOT
        json.dump(
            {
                "files": files,
                "unit": unit,
                "fields": fields,
                "scripts": scripts,
                "conffiles": (control / "conffiles").read_text(),
                "again": again,
                "image": image_facts(archive),
                "changes": documents.changes(release),
                "undated": undated,
            },
            sys.stdout,
        )


main()
