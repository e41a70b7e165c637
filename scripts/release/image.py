"""The container image: the last stage of the Dockerfile, made without an engine, as an OCI archive.

Its first layer is Debian with the Vulkan driver, made by mmdebstrap; the second has the program and what belongs to it.
Image format: OCI image specification 1.1. `docker load`, `podman load` and `skopeo` read it.
"""

import hashlib
import json
import os
import re
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from archives import Archive, compress
from dockerfile import last_stage
from release import ROOT, TARGETS

DOCKERFILE = ROOT / "deploy/docker/Dockerfile"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
CONFIG = "application/vnd.oci.image.config.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"
PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

# What Debian's slim images leave out as well, and what is written anew at each installation.
LEFT_OUT = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/info/*", "/usr/share/locale/*", "/usr/share/lintian/*")


def of_release(step):
    """Whether the second layer has the file of this step: one that is not for the steps which make the first."""
    return step[0] == "copy" and not step[2].startswith("/tmp/")


def hooks(stage):
    """The steps of the first layer, for mmdebstrap: files for the commands, and the commands."""
    for step in stage.steps:
        if step[0] == "run":
            yield f'--customize-hook=chroot "$1" sh -ec {json.dumps(step[1])}'
        elif not of_release(step):
            yield f'--customize-hook=upload {json.dumps(str(ROOT / step[1]))} {step[2]}'


def base(stage, architecture):
    """The bytes of the first layer, not compressed."""
    suite = re.fullmatch(r"debian:(\w+)-slim", stage.base)[1]
    as_root = [] if os.geteuid() == 0 else ["sudo", "--preserve-env=SOURCE_DATE_EPOCH"]
    with tempfile.TemporaryDirectory() as folder:
        layer = Path(folder) / "layer.tar"
        command = ["mmdebstrap", "--mode=root", "--variant=minbase", f"--architectures={architecture}"]
        command += ["--quiet", "--dpkgopt=path-exclude=" + LEFT_OUT[0], "--dpkgopt=path-include=/usr/share/doc/*/copyright"]
        command += [f"--dpkgopt=path-exclude={place}" for place in LEFT_OUT[1:]]
        subprocess.run([*as_root, *command, *hooks(stage), suite, layer], check=True)
        return layer.read_bytes()


def second_layer(release, stage, program):
    """The files of the release, with the folders that hold them."""
    built = {"/out/longhand": program, "/out/longhand.debug": program.with_suffix(".debug")}
    archive = Archive(release.time)
    folders = set()
    for _, source, place, mode, where_from in filter(of_release, stage.steps):
        for folder in reversed(PurePosixPath(place).parents[:-1]):
            if folder not in folders:
                archive.add(str(folder).lstrip("/"), mode=0o755)
                folders.add(folder)
        path = built[source] if where_from else ROOT / source
        archive.add(place.lstrip("/"), path.read_bytes(), mode)
    return archive.close()


def commit():
    shown = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True)
    return shown.stdout.strip()


def compose(release, stage, layers, architecture):
    """The bytes of the archive of an image with these layers."""
    archive = Archive(release.time)
    archive.add("blobs", mode=0o755)
    archive.add("blobs/sha256", mode=0o755)

    def put(contents, kind):
        digest = hashlib.sha256(contents).hexdigest()
        archive.add(f"blobs/sha256/{digest}", contents)
        return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(contents)}

    def encoded(value):
        return json.dumps(value, sort_keys=True).encode()

    created = datetime.fromtimestamp(release.time, UTC).isoformat().replace("+00:00", "Z")
    labels = {
        "org.opencontainers.image.title": "longhand",
        "org.opencontainers.image.version": release.version,
        "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
        "org.opencontainers.image.revision": commit(),
        "org.opencontainers.image.created": created,
    }
    made_by = [f"mmdebstrap, as {DOCKERFILE.relative_to(ROOT)} says", "the program"]
    config = {
        "architecture": architecture,
        "os": "linux",
        "created": created,
        "config": {**stage.config, "Env": [PATH, *stage.config.get("Env", [])], "Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers]},
        "history": [{"created": created, "created_by": by} for by, _ in zip(made_by, layers, strict=True)],
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": put(encoded(config), CONFIG),
        "layers": [put(compress(layer), LAYER) for layer in layers],
        "annotations": labels,
    }
    named = {
        **put(encoded(manifest), MANIFEST),
        "platform": {"architecture": architecture, "os": "linux"},
        "annotations": {
            "org.opencontainers.image.ref.name": release.version,
            "io.containerd.image.name": f"longhand:{release.version}",
        },
    }
    archive.add("index.json", encoded({"schemaVersion": 2, "mediaType": INDEX, "manifests": [named]}))
    archive.add("oci-layout", b'{"imageLayoutVersion": "1.0.0"}')
    return archive.close()


def build(release):
    target = TARGETS[0]
    stage = last_stage(DOCKERFILE.read_text())
    layers = [base(stage, target.debian), second_layer(release, stage, release.program(target))]
    release.image.write_bytes(compose(release, stage, layers, target.debian))
