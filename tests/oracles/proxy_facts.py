"""Starts nginx and Caddy with the examples of deploy/proxy in front of a running service, and uses it through them.

In (JSON on standard input): {"root": folder of the repository}, and either {"address": host and port of a service, "key":
API key}, or {"program": path of the program}: then each proxy is in front of a fleet of two, which is replaced one by one.
Out: {"nginx" or "caddy": {check: complaint}}, an empty complaint where the check holds.
"""

import contextlib
import http.client
import io
import json
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path

NAME = "letters.example.org"
# Texts that no log may have.
SECRETS = ("Zebrafinch", "Quagga")
SPECIMEN = "/api/v1/fonts/1/specimen.png?text=Zebrafinch"
MIB = 1 << 20

PAGE = {"text": "Quagga", "page_size": "square_5x5", "font_size": 40, "seed": 1}
PAGES = {"text": "Quagga and others. " * 200, "page_size": "square_5x5", "font_size": 60, "overflow": "paginate",
         "output_format": "pdf", "seed": 1}
# Its answer tells of sixteen boxes, and of their overlaps.
BOXES = {"page_size": "square_5x5", "seed": 1, "blocks": [
    {"text": "Quagga", "x": 50 + at, "y": 50 + at, "width": 900, "height": 900, "font_size": 40} for at in range(16)
]}


def free_ports(count):
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


def wait_for(port):
    for _ in range(200):
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)


def changed(text, *changes):
    """The example with what an operator changes. What it does not have is an error."""
    for old, new in changes:
        if old not in text:
            sys.exit(f"the example has no {old!r}")
        text = text.replace(old, new)
    return text


def certificate(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", "privkey.pem", "-out", "fullchain.pem"],
        cwd=folder, check=True, capture_output=True,
    )


def nginx(text, folder, address, plain, tls):
    site = changed(
        text,
        ("127.0.0.1:8080", address), ("listen 80;", f"listen {plain};"), ("listen [::]:80;", ""),
        ("listen 443 ", f"listen {tls} "), ("listen [::]:443 ssl http2;", ""),
        (f"/etc/letsencrypt/live/{NAME}", str(folder)), ("/var/log/nginx", str(folder)),
    )
    (folder / "site.conf").write_text(site)
    paths = "".join(f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/start.log; events {{}} http {{ {paths} include site.conf; }}"
    )
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "start.log")]


def caddy(text, folder, address, plain, tls):
    ports = "".join(f"\t{name}_port {each.split(':')[1]}\n" for name, each in (("http", plain), ("https", tls)))
    site = changed(
        text,
        ("127.0.0.1:8080", address),
        ("{\n\t# Without", "{\n\tadmin off\n\tauto_https disable_certs\n" + ports + "\t# Without"),
        (f"{NAME} {{", f"{NAME} {{\n\tbind 127.0.0.1\n\ttls {folder}/fullchain.pem {folder}/privkey.pem"),
    )
    (folder / "Caddyfile").write_text(site)
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


class Client:
    """Sends requests by TLS to the proxy under its name, or in the clear to the service itself."""

    def __init__(self, address, key, authority=None):
        self.address, self.key = address, key
        self.tls = ssl.create_default_context(cafile=authority) if authority else None

    def send(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection(self.address, timeout=60)
        if self.tls:
            host, port = self.address.split(":")
            plain = socket.create_connection((host, int(port)), timeout=60)
            connection.sock = self.tls.wrap_socket(plain, server_hostname=NAME)
        given = {"Host": NAME, "Authorization": f"Bearer {self.key}", "Connection": "close"}
        if isinstance(body, dict):
            body, given["Content-Type"] = json.dumps(body), "application/json"
        connection.request(method, path, body, {**given, **(headers or {})})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def of_job(rows):
    """A multipart body with a job, and its rows as a file."""
    job = {"request": {**PAGE, "text": "Dear {name}"}, "table": {"ignore": ["note"]}, "output": {"form": "zip"}}
    parts = {'name="job"': json.dumps(job), 'name="rows"; filename="rows.csv"': rows}
    body = "".join(f"--x\r\nContent-Disposition: form-data; {head}\r\n\r\n{text}\r\n" for head, text in parts.items())
    return (body + "--x--\r\n").encode(), {"Content-Type": "multipart/form-data; boundary=x"}


def complaints(proxied, direct):
    """Each check by its name, with what is wrong."""
    found = {}

    def must(what, holds, why):
        found[what] = "" if holds else f"it does not hold: {why}"

    for what, path, request in (
        ("a page", "/api/v1/generate/png", PAGE), ("a PDF of several pages", "/api/v1/generate/pdf", PAGES),
        ("a page with a long head", "/api/v1/generate/png", BOXES),
    ):
        status, headers, body = proxied.send("POST", path, request)
        _, own, expected = direct.send("POST", path, request)
        must(what, status == 200 and body == expected, f"{status} {body[:200]}")
        lists = [each for each in ("X-Warnings", "X-Blocks") if own[each]]
        must(f"{what}: its headers", all(headers[each] == own[each] for each in lists), lists)
    must("a head that the usual buffer cannot hold", len(str(own)) > 4096, len(str(own)))

    # Beyond the MiB that nginx lets pass by default.
    rows = "name,note\n" + "".join(f"Quagga {number},{'x' * MIB}\n" for number in range(3))
    body, kind = of_job(rows)
    status, headers, answer = proxied.send("POST", "/api/v1/jobs", body, kind)
    must("a job is accepted", status == 202, f"{status} {answer[:300]}")
    place, state = headers["Location"] or "/api/v1/jobs", "running" if status == 202 else None
    for _ in range(300):
        if state != "running":
            break
        time.sleep(0.1)
        state = json.loads(proxied.send("GET", place)[2]).get("state")
    must("a job is made", state == "completed", state)
    status, _, archive = proxied.send("GET", f"{place}/result")
    names = zipfile.ZipFile(io.BytesIO(archive)).namelist() if status == 200 else []
    must("the files of a job", len(names) == 3, f"{status} {names}")
    status, _, part = proxied.send("GET", f"{place}/result", headers={"Range": "bytes=0-99"})
    must("a part of a file", (status, part) == (206, archive[:100]), f"{status}, {len(part)} bytes")

    # Refused by the service before it has read the body.
    for what, path, headers, length, expected in (
        ("a large body without a key", "/api/v1/generate", {"Authorization": ""}, 2 * MIB, 401),
        ("a body that is too large", "/api/v1/jobs", {"Content-Type": "application/json"}, 64 * MIB + 1, 413),
    ):
        status, _, answer = proxied.send("POST", path, headers={**headers, "Content-Length": str(length)})
        must(what, status == expected and b"request_id" in answer, f"{status} {answer[:200]}")
    for path, expected in (("/", 200), ("/docs", 200), ("/metrics", 404), ("/readyz", 404)):
        status = proxied.send("GET", path)[0]
        must(f"GET {path}", status == expected, status)
    headers = proxied.send("GET", SPECIMEN)[1]
    must("TLS is demanded", "max-age" in (headers["Strict-Transport-Security"] or ""), headers)
    return found


EXAMPLES = {nginx: "nginx.conf", caddy: "Caddyfile"}


@contextlib.contextmanager
def started(proxy, text, folder, address):
    """Runs a proxy in front of the address, and gives its addresses for plain HTTP and TLS."""
    plain, tls = (f"127.0.0.1:{port}" for port in free_ports(2))
    command = proxy(text, folder, address, plain, tls)
    output = folder / "output.log"
    environment = {"HOME": str(folder), "PATH": "/usr/sbin:/usr/bin:/bin"}
    with output.open("a") as log:
        running = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env=environment)
    try:
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", int(tls.split(":")[1]))).close()
                break
            except OSError:
                if running.poll() is not None:
                    sys.exit(f"{proxy.__name__} ended: {output.read_text()}")
                time.sleep(0.1)
        yield plain, tls
    finally:
        running.terminate()
        running.wait()


def use(proxy, text, address, key):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        certificate(folder)
        authority = folder / "fullchain.pem"
        with started(proxy, text, folder, address) as (plain, tls):
            found = complaints(Client(tls, key, authority), Client(address, key))
            status, headers, _ = Client(plain, key).send("GET", "/docs")
            place = headers["Location"] or ""
            redirected = status in (301, 308) and place.startswith(f"https://{NAME}") and place.endswith("/docs")
            found["plain HTTP leads to TLS"] = "" if redirected else f"{status} {place}"
        # With the service away there is an error to log.
        nobody = f"127.0.0.1:{free_ports(1)[0]}"
        with started(proxy, text, folder, nobody) as (_, tls):
            status = Client(tls, key, authority).send("GET", SPECIMEN)[0]
            found["the service is away"] = "" if status == 502 else str(status)
        logged = "".join(path.read_text() for path in sorted(folder.glob("*.log")))
        texts = [text for text in (*SECRETS, key) if text in logged]
        found["the logs have no texts and no key"] = str(texts) if texts else ""
        return found


def instance(program, folder, host, port, admin, store):
    """Starts one of the fleet, and returns it when it is ready."""
    data = folder / host
    data.mkdir(exist_ok=True)
    running = subprocess.Popen(
        [program, "serve", "--listen", f"{host}:{port}", "--admin-listen", f"{host}:{admin}", "--data-dir", data / "data",
         "--store", store, "--store-timeout-ms", "2000", "--unready-seconds", "3", "--rate-limits", "generate=100000"],
        cwd=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    for _ in range(600):
        with contextlib.suppress(OSError):
            if Client(f"{host}:{admin}", "").send("GET", "/readyz")[0] == 200:
                return running
        if running.poll() is not None:
            sys.exit(f"an instance ended with {running.returncode}")
        time.sleep(0.1)
    sys.exit("an instance is not ready")


def rolled(examples, program):
    """A fleet of two behind both proxies, while each of the two is replaced. The lines of a fleet in the examples are used."""
    found = {proxy.__name__: {} for proxy in examples}
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        port, admin, redis = free_ports(3)
        store, hosts = f"redis://127.0.0.1:{redis}/0", ("127.0.0.1", "127.0.0.2")
        command = ["redis-server", "--port", str(redis), "--save", ""]
        stack.callback(subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL).kill)
        wait_for(redis)
        made = subprocess.run([program, "keys", "create", "--name", "fleet", "--json", "--store", store], check=True,
                              capture_output=True)
        key = json.loads(made.stdout)["key"]
        fleet = {host: instance(program, folder, host, port, admin, store) for host in hosts}
        stack.callback(lambda: [each.kill() for each in fleet.values()])
        statuses, over = {proxy: [] for proxy in examples}, threading.Event()

        def ask(client, into):
            while not over.is_set():
                into.append(client.send("POST", "/api/v1/generate/png", PAGE)[0])
                # Two clients stay below the limit of an address.
                time.sleep(0.05)

        clients = []
        for proxy, text in examples.items():
            own = folder / proxy.__name__
            own.mkdir()
            certificate(own)
            for line in ("10.0.0.2:8080", "health_uri", "health_port 9090", "health_interval"):
                # Each example has those that its proxy knows.
                text = re.sub(rf"# (.*{line})", r"\1", text)
            text = text.replace("10.0.0.2:8080", f"{hosts[1]}:{port}").replace("9090", str(admin))
            _, tls = stack.enter_context(started(proxy, text, own, f"{hosts[0]}:{port}"))
            client = Client(tls, key, own / "fullchain.pem")
            clients += [threading.Thread(target=ask, args=(client, statuses[proxy])) for _ in range(2)]
        # The first checks of the proxies.
        time.sleep(2)
        for each in clients:
            each.start()
        for host in hosts:
            time.sleep(2)
            before = {proxy: len(statuses[proxy]) for proxy in examples}
            fleet[host].terminate()
            fleet[host].wait()
            for proxy in examples:
                served = len(statuses[proxy]) - before[proxy]
                found[proxy.__name__][f"requests go on without {host}"] = "" if served > 5 else f"only {served}"
            fleet[host] = instance(program, folder, host, port, admin, store)
        over.set()
        for each in clients:
            each.join()
    for proxy, given in statuses.items():
        failed = sorted(status for status in given if status != 200)
        found[proxy.__name__]["no request fails"] = str(failed) if failed else ""
    return found


def main():
    job = json.load(sys.stdin)
    examples = {proxy: (Path(job["root"]) / "deploy/proxy" / name).read_text() for proxy, name in EXAMPLES.items()}
    if "program" in job:
        found = rolled(examples, job["program"])
    else:
        found = {proxy.__name__: use(proxy, text, job["address"], job["key"]) for proxy, text in examples.items()}
    json.dump(found, sys.stdout)


main()
