"""Holds the files under deploy/, and the workflow of a release, to the tools of their kinds, and renders the chart with Helm.

In (JSON on standard input): {"root": folder of the repository, "broken": bool}. With `broken` each file gets a planted
mistake first, which its tool must find. Out: {"file or check": [complaints]}, an empty list where nothing is wrong.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import helm_python
import jsonschema
import kubernetes_validate
import yaml

KUBERNETES = "1.32"
RELEASE, NAMESPACE = "letters", "post"

# Kinds whose schemas are not Kubernetes' own.
FOREIGN = ("keda.sh/", "monitoring.coreos.com/")

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
    "open to the world": {
        "image": {"tag": "main"},
        "imagePullSecrets": [{"name": "registry"}],
        "runtimeClassName": "nvidia",
        "podLabels": {"team": "post"},
        "podAnnotations": {"prometheus.io/scrape": "false"},
        "ingress": {
            "enabled": True, "className": "nginx", "hosts": ["letters.example.org", "post.example.org"],
            "tlsSecret": "letters-tls", "annotations": {"nginx.ingress.kubernetes.io/proxy-body-size": "64m"},
        },
        "affinity": {
            "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                {"matchExpressions": [{"key": "gpu", "operator": "Exists"}]},
            ]}},
        },
    },
    "watched and closed": {
        "store": {"existingSecret": "valkey"},
        "autoscaling": {"kind": "keda", "series": 'job="letters"'},
        "serviceMonitor": {"enabled": True, "labels": {"release": "monitoring"}},
        "networkPolicy": {
            "enabled": True,
            "clients": [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "ingress"}}}],
            "monitoring": [{"podSelector": {}}],
            "egress": [{"ports": [{"port": 53, "protocol": "UDP"}]}],
        },
        "podAnnotations": {"sidecar.istio.io/inject": "false"},
    },
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
    {"imagePullSecrets": ["registry"]},
    {"runtimeClassName": 1},
    {"podLabels": {"app.kubernetes.io/name": "mine"}},
    {"podAnnotations": {"a": True}},
    {"affinity": {"nodeSelector": {}}},
    {"autoscaling": {"series": "letters"}},
    {"ingress": {"enabled": True}},
    {"ingress": {"host": "letters.example.org"}},
    {"serviceMonitor": {"interval": "often"}},
    {"networkPolicy": {"clients": [{}]}},
    {"networkPolicy": {"enabled": True}, "serviceMonitor": {"enabled": True}},
    {"networkPolicy": {"enabled": True}, "store": {"existingSecret": "valkey"}, "autoscaling": {"kind": "keda"}},
]


def run(*command, cwd=None):
    """The complaints of a tool that succeeds when it has none."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd)
    return [] if done.returncode == 0 else [(done.stdout + done.stderr).strip()]


def tool(name):
    return str(Path(sys.executable).parent / name)


def composed(path):
    """What the services of a Compose file lack: folders that they mount, and passwords of their own."""
    complaints = []
    for name, service in yaml.safe_load(path.read_text())["services"].items():
        for volume in service.get("volumes", []):
            # A variable's default, or the path itself; names without a slash are volumes.
            source = re.sub(r"\$\{\w+:-(.*?)\}", r"\1", volume).split(":")[0]
            if "/" in source and not (path.parent / source).is_dir():
                complaints.append(f"{name}: there is no {source}")
        environment = service.get("environment", {})
        given = {key: value for key, value in environment.items() if "PASSWORD" in key}
        if "grafana/" in service.get("image", "") and "GF_SECURITY_ADMIN_PASSWORD" not in given:
            complaints.append(f"{name}: its admin has the usual password")
        complaints += [f"{name}: {key} has a default" for key, value in given.items() if not re.match(r"\$\{\w+:\?", value)]
    return complaints


def let_in(chart, values):
    try:
        chart.validate_schema(values)
    except helm_python.HelmValuesError:
        return False
    return True


def chart(folder):
    jsonschema.Draft7Validator.check_schema(json.loads((folder / "values.schema.json").read_text()))
    loaded = helm_python.Chart.load(folder)
    found = {"chart: refused values": [f"{values} is let in" for values in REFUSED if let_in(loaded, values)]}
    for name, values in VARIANTS.items():
        # Severities: 1 is advice (an icon), 2 a warning, 3 an error.
        linted = helm_python.lint(folder, values, strict=True, namespace=NAMESPACE)["messages"]
        complaints = [message["error"] for message in linted if message["severity"] > 1]
        try:
            rendered = loaded.render(values, name=RELEASE, namespace=NAMESPACE)
        except helm_python.HelmError as error:
            complaints.append(str(error))
            rendered = {}
        objects = [each for text in rendered.values() for each in yaml.safe_load_all(text) if each]
        for each in objects:
            if each["apiVersion"].startswith(FOREIGN):
                continue
            try:
                kubernetes_validate.validate(each, KUBERNETES, strict=True)
            except kubernetes_validate.ValidationError as error:
                complaints.append(f"{each['kind']}: {error}")
        found[f"chart: {name}"] = complaints + (misfits(objects, loaded.merge_values(values)) if rendered else [])
    return found


def misfits(objects, values):
    """What does not fit together among the objects of a release, and with the values."""
    scaler = {"keda": "ScaledObject", "hpa": "HorizontalPodAutoscaler"}.get(values["autoscaling"]["kind"])
    wanted = {"Ingress": values["ingress"], "ServiceMonitor": values["serviceMonitor"],
              "NetworkPolicy": values["networkPolicy"]}
    expected = ["PodDisruptionBudget", "Service", "Service", "StatefulSet", *([scaler] if scaler else []),
                *(kind for kind, part in wanted.items() if part["enabled"])]
    kinds = sorted(each["kind"] for each in objects)
    complaints = [] if kinds == sorted(expected) else [f"{kinds} instead of {sorted(expected)}"]

    def of(kind):
        return [each for each in objects if each["kind"] == kind]

    def selected(selector, labels):
        return selector.items() <= labels.items()

    def must(holds, what):
        complaints.extend([] if holds else [what])

    set_of_pods = of("StatefulSet")[0]
    pod = set_of_pods["spec"]["template"]
    labels, ports = pod["metadata"]["labels"], {port["name"] for port in pod["spec"]["containers"][0]["ports"]}
    annotations = pod["metadata"].get("annotations", {})
    monitored = values["serviceMonitor"]["enabled"]
    must(selected(set_of_pods["spec"]["selector"]["matchLabels"], labels), "the set does not select its pods")
    must(selected(values["podLabels"], labels) and selected(values["podAnnotations"], annotations), "labels or annotations are lost")
    must(("prometheus.io/port" in annotations) != monitored, "pods are scraped twice or not at all")
    services = {service["metadata"]["name"]: service for service in of("Service")}
    for service in services.values():
        must(selected(service["spec"]["selector"], labels), "a service does not select the pods")
        must({port["targetPort"] for port in service["spec"]["ports"]} <= ports, "a service names no port of the pods")
    for ingress in of("Ingress"):
        for rule in ingress["spec"]["rules"]:
            for path in rule["http"]["paths"]:
                backend = path["backend"]["service"]
                offered = {(port["name"], port["targetPort"]) for port in services[backend["name"]]["spec"]["ports"]}
                must((backend["port"]["name"], "http") in offered, "the ingress leads to another port than the API's")
    for monitor in of("ServiceMonitor"):
        selector = monitor["spec"]["selector"]["matchLabels"]
        scraped = [port["targetPort"] for service in services.values() for port in service["spec"]["ports"]
                   if selected(selector, service["metadata"]["labels"])]
        named = [endpoint["port"] for endpoint in monitor["spec"]["endpoints"]]
        must(scraped == named == ["admin"], f"the monitor scrapes {scraped}")
    for policy in of("NetworkPolicy"):
        must(selected(policy["spec"]["podSelector"]["matchLabels"], labels), "the policy does not select the pods")
        opened = {port["port"]: rule.get("from") for rule in policy["spec"]["ingress"] for port in rule["ports"]}
        must(opened.keys() <= ports and opened.get("admin") != [], f"the policy opens {opened}")
    for scaled in of("ScaledObject"):
        query = " ".join(scaled["spec"]["triggers"][0]["metadata"]["query"].split())
        series = values["autoscaling"]["series"]
        if series:
            must(series in query, f"{query} does not have {series}")
        else:
            pods = re.search(r'namespace="(.*?)",pod=~"(.*?)"', query)
            must(pods and pods[1] == NAMESPACE, f"{query} is of no namespace")
            # Prometheus' matchers are anchored at both ends.
            read = [name for name in ("letters-0", "letters-12", "letters-2-0", "letters-valkey-0", "notes-0")
                    if pods and re.fullmatch(pods[2], name)]
            must(read == ["letters-0", "letters-12"], f"{query} reads {read}")
    return complaints


def main():
    job = json.load(sys.stdin)
    root, broken = Path(job["root"]), job["broken"]
    with tempfile.TemporaryDirectory() as scratch:
        deploy = Path(scratch) / "deploy"
        subprocess.run(["cp", "-r", root / "deploy", deploy], check=True)
        workflow = Path(scratch) / "release.yml"
        shutil.copy(root / ".github/workflows/release.yml", workflow)
        if broken:
            dockerfile = deploy / "docker/Dockerfile"
            dockerfile.write_text(dockerfile.read_text().replace("debian:bookworm-slim", "debian"))
            compose = deploy / "compose/compose.yaml"
            compose.write_text(compose.read_text().replace("restart:", "restarts:").replace(":?", ":-"))
            shutil.rmtree(deploy / "compose/fonts")
            workflow.write_text(workflow.read_text().replace("runs-on:", "runs_on:"))
            alerts = deploy / "prometheus/alerts.yml"
            alerts.write_text(alerts.read_text() + "groups: []\n")
            for template in (deploy / "helm/longhand/templates").glob("*.yaml"):
                text = template.read_text().replace("serviceName:", "serviceNames:")
                template.write_text(text.replace("minReplicas:", "minReplicas: x"))
        found = {
            "yaml": run(tool("yamllint"), "--strict", "-c", str(root / ".yamllint.yaml"), str(deploy)),
            "Dockerfile": run(tool("hadolint"), str(deploy / "docker/Dockerfile")),
            "compose": run(
                tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec",
                *map(str, sorted((deploy / "compose").glob("*.yaml"))),
            ),
            "workflow": run(tool("check-jsonschema"), "--builtin-schema", "vendor.github-workflows", str(workflow)),
            "compose: folders and passwords": composed(deploy / "compose/compose.yaml"),
            **chart(deploy / "helm/longhand"),
        }
    json.dump(found, sys.stdout)


main()
