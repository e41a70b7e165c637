#!/usr/bin/env python3
"""Writes what the program is made of as a CycloneDX 1.6 document: its packages, locked, with their licences and checksums,
who needs whom, and the fonts, ICC profiles and Swagger UI files that it carries.

    scripts/sbom.py > longhand.cdx.json

Needs cargo and Python 3.11; nothing else. The same tree gives the same document.
"""

import csv
import hashlib
import json
import subprocess
import tomllib
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The version of the embedded API reference.
SWAGGER_UI = "5.35.0"


def package_url(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def library(package, checksums):
    component = {
        "type": "library",
        "bom-ref": package_url(package),
        "name": package["name"],
        "version": package["version"],
        "purl": package_url(package),
    }
    if package["license"]:
        component["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if checksum := checksums.get((package["name"], package["version"])):
        component["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    return component


def carried(path, name, licence):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {
        "type": "file",
        "bom-ref": str(path.relative_to(ROOT)),
        "name": name,
        "hashes": [{"alg": "SHA-256", "content": digest}],
        "licenses": [{"license": {"name": licence}}],
    }


def main():
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", "x86_64-unknown-linux-gnu"]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())
    checksums = {(row["name"], row["version"]): row.get("checksum") for row in lock["package"]}

    # What is built into the program or builds it; not what only tests it.
    start = metadata["resolve"]["root"]
    needed, waiting = {}, [start]
    while waiting:
        identity = waiting.pop()
        if identity in needed:
            continue
        kinds = [(dep["pkg"], {kind["kind"] for kind in dep["dep_kinds"]}) for dep in nodes[identity]["deps"]]
        needed[identity] = sorted(package for package, kind in kinds if kind != {"dev"})
        waiting += needed[identity]

    with (ROOT / "fonts/catalog.tsv").open() as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    fonts = [carried(ROOT / f"fonts/ttf/{row['slug']}.ttf", row["slug"], row["licence"]) for row in rows]
    profiles = [carried(path, path.stem, "see icc/README.md") for path in sorted((ROOT / "icc").glob("*.icc"))]
    swagger_ui = [
        {**carried(ROOT / "src/http/reference/swagger-ui" / name, name, "Apache-2.0"), "version": SWAGGER_UI}
        for name in ("swagger-ui-bundle.js", "swagger-ui.css")
    ]
    libraries = [library(packages[identity], checksums) for identity in sorted(needed) if identity != start]
    program = {**library(packages[start], checksums), "type": "application"}
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": program},
        "components": libraries + fonts + profiles + swagger_ui,
        "dependencies": [
            {"ref": package_url(packages[identity]), "dependsOn": [package_url(packages[dep]) for dep in deps]}
            for identity, deps in sorted(needed.items())
        ],
    }
    contents = json.dumps(document, sort_keys=True)
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, contents)}"
    print(json.dumps(document, indent=1))


main()
