"""Checks what `make release` made in a folder, by other programs and by use (`make test-release`):

    scripts/release/check.py FOLDER

- checksums, by sha256sum
- each program: its machine, the oldest glibc it starts on, that it names no path of the machine that built it; it is started,
  that for another machine under qemu
- each package, by dpkg-deb: its files and their owners, its user by systemd-sysusers, its unit by systemd-analyze
- the image: by skopeo; its root is unpacked, and in it, as the user of the image, the entry point serves the README's
  request, and ends on SIGTERM; the package is installed in the same root

Needs root for the image. Ends with 1 and the reason where something is wrong.
"""

import base64
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from release import GLIBC, ROOT, TARGETS, Release  # noqa: E402

# Where Debian's cross C library for a machine is.
SYSROOTS = {"aarch64": "/usr/aarch64-linux-gnu"}


def run(*command, **options):
    """The output of a command that must succeed."""
    result = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if result.returncode:
        raise SystemExit(f"{shlex.join(map(str, command))} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout


def passed(what):
    print(f"  {what}", flush=True)


def version(text):
    return tuple(int(part) for part in text.split("."))


def check_program(release, target, program):
    """The program of an archive."""
    machine = run("readelf", "--file-header", program)
    wanted = {"x86_64": "X86-64", "aarch64": "AArch64"}[target.architecture]
    assert wanted in machine, machine
    needed = set(re.findall(r"GLIBC_([0-9.]+)", run("readelf", "--version-info", "--wide", program)))
    newest = max(needed, key=version)
    assert version(newest) <= version(GLIBC), f"{program} needs glibc {newest}"
    plain = program.with_suffix(".plain")
    run(f"{target.binutils}objcopy", "--decompress-debug-sections", program.with_suffix(".debug"), plain)
    contents = program.read_bytes() + plain.read_bytes()
    for path in (ROOT, Path.home() / ".cargo", release.folder):
        assert f"{path}/".encode() not in contents, f"{program} names {path}"
    own = os.uname().machine == target.architecture
    emulator = [] if own else [f"qemu-{target.architecture}-static", "-L", SYSROOTS[target.architecture]]
    said = run(*emulator, program, "--version").strip()
    assert said == f"longhand {release.version}", said
    passed(f"{target.architecture}: {said}, needs glibc {newest}, names no path of this machine")


def check_archive(release, target, folder):
    with tarfile.open(release.archive(target)) as archive:
        archive.extractall(folder, filter="data")
    root = folder / f"longhand-{release.version}"
    check_program(release, target, root / "longhand")
    documents = [root / "README.md", *root.glob("docs/*.md")]
    links = [(path, link) for path in documents for link in re.findall(r"\]\(([^)#:]+)[)#]", path.read_text())]
    missing = [f"{path.name}: {link}" for path, link in links if not (path.parent / link).exists()]
    assert links and not missing, f"{release.archive(target)} lacks what its documents link to: {missing}"


def check_package(release, target, folder):
    package = release.package(target)
    fields = run("dpkg-deb", "--field", package, "Package", "Version", "Architecture")
    assert fields.split() == ["Package:", "longhand", "Version:", release.version, "Architecture:", target.debian], fields
    listed = run("dpkg-deb", "--contents", package)
    assert all(line.split()[1] == "root/root" for line in listed.splitlines()), listed
    root = folder / "root"
    run("dpkg-deb", "--extract", package, root)
    run("systemd-sysusers", f"--root={root}", "longhand.conf")
    users = (root / "etc/passwd").read_text()
    assert re.search(r"^longhand:x:\d+:\d+:Longhand:/var/lib/longhand:", users, re.MULTILINE), users
    unit = root / "usr/lib/systemd/system/longhand.service"
    verified = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False)
    of_unit = [line for line in verified.stderr.splitlines() if "longhand" in line and "/usr/bin/longhand" not in line]
    assert not of_unit, of_unit
    for script in ("postinst", "prerm", "postrm"):
        run("sh", "-n", ROOT / "deploy/debian" / script)
    program = (root / "usr/bin/longhand").read_bytes()
    with tarfile.open(release.archive(target)) as archive:
        assert program == archive.extractfile(f"longhand-{release.version}/longhand").read()
    passed(f"{package.name}: {len(listed.splitlines())} files and folders, user and unit")


def unpack(image, root):
    """Unpacks the layers of an image as `layers` of its manifest says. Returns its configuration."""
    with tempfile.TemporaryDirectory() as folder, tarfile.open(image) as archive:
        archive.extractall(folder, filter="data")
        blobs = Path(folder) / "blobs/sha256"

        def blob(descriptor):
            return blobs / descriptor["digest"].removeprefix("sha256:")

        index = json.loads((Path(folder) / "index.json").read_text())
        manifest = json.loads(blob(index["manifests"][0]).read_text())
        for layer in manifest["layers"]:
            run("tar", "--extract", "--numeric-owner", "--preserve-permissions", "--directory", root, "--file", blob(layer))
        return json.loads(blob(manifest["config"]).read_text())["config"]


def free_address():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{listener.getsockname()[1]}"


def readme_request(address, key):
    """The request of the README to this address."""
    text = (ROOT / "README.md").read_text()
    body = re.search(r"/api/v1/generate \\\n.*?-d '(.*?)' \\\n", text, re.DOTALL)[1]
    json.loads(body)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    return urllib.request.Request(f"http://{address}/api/v1/generate", body.encode(), headers)


def check_image(release, folder):
    root = folder / "image"
    root.mkdir(mode=0o755)
    skopeo = json.loads(run("skopeo", "inspect", f"oci-archive:{release.image}"))
    assert (skopeo["Architecture"], len(skopeo["Layers"])) == ("amd64", 2), skopeo
    config = unpack(release.image, root)
    user, group = config["User"].split(":")
    # As an engine does: the user and the environment of the image, folders of the kernel, and nothing else; but no network
    # of its own, so the addresses are others.
    address = free_address()
    own = [*config["Env"], f"LONGHAND_LISTEN={address}", f"LONGHAND_ADMIN_LISTEN={free_address()}"]
    inside = ["chroot", f"--userspec={user}:{group}", "--groups=", str(root), "env", "--ignore-environment", *own]
    mounts = [("proc", "proc"), ("tmpfs", "tmp"), ("tmpfs", "dev/shm")]
    prepared = "".join(f"mkdir -p {root}/{place}; mount -t {kind} {kind} {root}/{place}; " for kind, place in mounts)
    space = ["unshare", "--mount", "--fork", "--pid", "--kill-child", "sh", "-ec", prepared + 'exec "$@"', "sh"]
    made = json.loads(run(*space, *inside, "longhand", "keys", "create", "--name", "visitor", "--json"))
    doctor = run(*space, *inside, "longhand", "doctor")
    with tempfile.TemporaryFile("w+") as log:
        service = subprocess.Popen([*space, *inside, *config["Entrypoint"], *config["Cmd"]], stdout=log, stderr=log)
        try:
            answer = page_of(service, readme_request(address, made["key"]))
            run(*space, *inside, *config["Healthcheck"]["Test"][1:])
            stop_inside(service)
            assert service.wait(60) == 0, service.returncode
        except BaseException:
            log.seek(0)
            print(log.read(), doctor, file=sys.stderr)
            service.kill()
            raise
    page = base64.b64decode(answer["image_base64"])
    assert page.startswith(b"\x89PNG\r\n\x1a\n") and len(page) > 5000, page[:80]
    passed(f"{release.image.name}: starts as {user}, answers the README's request with {len(page)} bytes, ends on SIGTERM")
    check_installation(release, root, space)


def page_of(service, request):
    """What the service answers, once it does: an emulated or busy machine may take a minute."""
    for _ in range(600):
        assert service.poll() is None, f"the service ended with {service.returncode}"
        try:
            return json.load(urllib.request.urlopen(request, timeout=60))
        except (urllib.error.URLError, ConnectionError) as error:
            if isinstance(error, urllib.error.HTTPError) and error.code not in (503,):
                raise SystemExit(f"{error.code}: {error.read().decode()}") from error
            time.sleep(0.2)
    raise SystemExit("the service does not answer")


def stop_inside(service):
    """Sends SIGTERM to the process that `unshare` has started, as engines do to the first of a container."""
    children = Path(f"/proc/{service.pid}/task/{service.pid}/children").read_text().split()
    os.kill(int(children[0]), signal.SIGTERM)


def check_installation(release, root, space):
    """Installs the package in the root of the image, which is Debian with the driver and without systemd, and removes it."""
    package = release.package(TARGETS[0])
    (root / "tmp").chmod(0o1777)
    target = root / "package.deb"
    target.write_bytes(package.read_bytes())
    inside = [*space, "chroot", str(root)]
    run(*inside, "dpkg", "--install", "/package.deb")
    said = run(*inside, "/usr/bin/longhand", "--version").strip()
    assert said == f"longhand {release.version}", said
    shown = run(*inside, "stat", "--format=%U %G %a", "/var/lib/longhand", "/etc/longhand/environment")
    assert shown.splitlines() == ["longhand longhand 700", "root root 600"], shown
    run(*inside, "dpkg", "--purge", "longhand")
    assert (root / "var/lib/longhand").is_dir() and not (root / "etc/longhand/environment").exists()
    passed(f"{package.name}: is installed and purged, and its data stays")


def main():
    release = Release(Path(sys.argv[1]).absolute(), 0)
    run("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=release.folder)
    passed("checksums")
    with tempfile.TemporaryDirectory() as folder:
        for target in TARGETS:
            for check, name in ((check_archive, "archive"), (check_package, "package")):
                place = Path(folder) / f"{name}-{target.architecture}"
                place.mkdir()
                check(release, target, place)
        check_image(release, Path(folder))


main()
