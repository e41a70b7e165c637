"""Generates a TypeScript client from the description of the interface, checks its types and uses it in Node.

In: {"generator": "openapi_fetch" or "hey_api", "document": path of the description, "address": of the service, "key",
"folder": to generate into}.
Out: what the calls of the generated client came to, by the program of that name in `clients`.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

PROGRAMS = Path(__file__).parent / "clients"
PACKAGES = Path(sys.prefix, "clients", "node_modules")
NODE = Path(sys.prefix, "bin", "node")


def run(folder, *command):
    """What a program of Node printed."""
    made = subprocess.run([NODE, *command], cwd=folder, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        sys.exit(made.stdout + made.stderr)
    return made.stdout


def generate(generator, document, folder):
    if generator == "openapi_fetch":
        # Otherwise a field with a default is required in a request.
        options = ["--default-non-nullable=false", "--output", "longhand_client/schema.ts"]
        run(folder, "node_modules/openapi-typescript/bin/cli.js", document, *options)
    else:
        options = ["--input", document, "--output", "longhand_client", "--client", "@hey-api/client-fetch"]
        run(folder, "node_modules/@hey-api/openapi-ts/bin/run.js", *options)


def main():
    job = json.load(sys.stdin)
    generator, folder = job["generator"], Path(job["folder"])
    Path(folder, "node_modules").symlink_to(PACKAGES)
    for program in (f"{generator}.ts", "tsconfig.json"):
        shutil.copy(PROGRAMS / program, folder)
    generate(generator, job["document"], folder)
    # Strictly; where a type is wrong it writes no program.
    run(folder, "node_modules/typescript/bin/tsc", "--strict", "--noEmitOnError")
    sys.stdout.write(run(folder, f"made/{generator}.js", job["address"], job["key"]))


main()
