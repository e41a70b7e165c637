"""Holds the files under deploy/ to the tools of their kinds, and renders the chart with Go's template engine.

In (JSON on standard input): {"root": folder of the repository, "broken": bool}. With `broken` each file gets a planted
mistake first, which its tool must find. Out: {"file or check": [complaints]}, an empty list where nothing is wrong.
"""

import json
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema
import kubernetes_validate
import yaml

# The one package here that there is for one architecture alone.
if platform.machine() == "x86_64":
    import go_template
else:
    go_template = None

KUBERNETES = "1.32"

# Values beside the defaults with which the chart is rendered.
VARIANTS = {
    "defaults": {},
    "fleet by queue": {
        "replicas": 3,
        "store": {"existingSecret": "valkey", "secretKey": "url", "away": "fail_open"},
        "autoscaling": {"kind": "keda"},
        "gpu": {"count": 1},
        "extraEnvironment": {"LONGHAND_MAX_CONNECTIONS": "100"},
        "nodeSelector": {"gpu": "h100"},
        "tolerations": [{"key": "gpu", "operator": "Exists"}],
        "persistence": {"storageClass": "fast"},
    },
    "fleet by processor": {"store": {"existingSecret": "valkey"}, "autoscaling": {"kind": "hpa"}},
    "number from a flag": {
        "store": {"existingSecret": "valkey"}, "autoscaling": {"kind": "keda", "targetQueueSeconds": "0.5"},
    },
    "no limit but a GPU": {"gpu": {"count": 1}, "resources": {"requests": None, "limits": None}},
}

# Values that the chart's schema must refuse.
REFUSED = [
    {"replica": 2},
    {"replicas": 2},
    {"replicas": 0},
    {"autoscaling": {"kind": "hpa"}},
    {"autoscaling": {"kind": "both"}},
    {"autoscaling": {"targetQueueSeconds": 0}},
    {"autoscaling": {"targetQueueSeconds": "soon"}},
    {"store": {"away": "open"}},
    {"persistence": {"size": "plenty"}},
    {"extraEnvironment": {"A": 1}},
]


def run(*command, cwd=None):
    """The complaints of a tool that succeeds when it has none."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd)
    return [] if done.returncode == 0 else [(done.stdout + done.stderr).strip()]


def tool(name):
    return str(Path(sys.executable).parent / name)


def over(defaults, more):
    """`defaults` with the values of `more`, as Helm merges them."""
    merged = dict(defaults)
    for name, value in more.items():
        inner = merged.get(name)
        merged[name] = over(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return merged


def chart(root, broken):
    folder = root / "deploy/helm/longhand"
    defaults = yaml.safe_load((folder / "values.yaml").read_text())
    schema = json.loads((folder / "values.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    allowed = jsonschema.Draft7Validator(schema)
    found = {"chart: refused values": [
        f"{values} is let in" for values in REFUSED if not list(allowed.iter_errors(over(defaults, values)))
    ]}
    for name, more in VARIANTS.items() if go_template else ():
        values = over(defaults, more)
        complaints = [error.message for error in allowed.iter_errors(values)]
        kinds = []
        for template in sorted((folder / "templates").glob("*.yaml")):
            for document in yaml.safe_load_all(render(template, values, broken)):
                if document is None:
                    continue
                kinds.append(document["kind"])
                if document["apiVersion"].startswith("keda.sh/"):
                    continue
                try:
                    kubernetes_validate.validate(document, KUBERNETES, strict=True)
                except kubernetes_validate.ValidationError as error:
                    complaints.append(f"{template.name}: {error}")
        scaler = {"keda": ["ScaledObject"], "hpa": ["HorizontalPodAutoscaler"]}.get(values["autoscaling"]["kind"], [])
        expected = sorted(["PodDisruptionBudget", "Service", "Service", "StatefulSet", *scaler])
        if sorted(kinds) != expected:
            complaints.append(f"{sorted(kinds)} instead of {expected}")
        found[f"chart: {name}"] = complaints
    return found


def render(template, values, broken):
    text = template.read_text()
    if broken:
        text = text.replace("serviceName:", "serviceNames:").replace("minReplicas:", "minReplicas: x")
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(text)
        file.flush()
        return go_template.render(Path(file.name), {"Release": {"Name": "letters"}, "Values": values}).decode()


def main():
    job = json.load(sys.stdin)
    root, broken = Path(job["root"]), job["broken"]
    with tempfile.TemporaryDirectory() as scratch:
        deploy = Path(scratch) / "deploy"
        subprocess.run(["cp", "-r", root / "deploy", deploy], check=True)
        if broken:
            dockerfile = deploy / "docker/Dockerfile"
            dockerfile.write_text(dockerfile.read_text().replace("debian:bookworm-slim", "debian"))
            compose = deploy / "compose/compose.yaml"
            compose.write_text(compose.read_text().replace("restart:", "restarts:"))
            alerts = deploy / "prometheus/alerts.yml"
            alerts.write_text(alerts.read_text() + "groups: []\n")
        found = {
            "yaml": run(tool("yamllint"), "--strict", "-c", str(root / ".yamllint.yaml"), str(deploy)),
            "Dockerfile": run(tool("hadolint"), str(deploy / "docker/Dockerfile")),
            "compose": run(
                tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec",
                *map(str, sorted((deploy / "compose").glob("*.yaml"))),
            ),
        }
    found.update(chart(root, broken))
    json.dump(found, sys.stdout)


main()
