"""Runs a service as docs/operations.md and docs/scaling.md say, with the very commands of these pages.

In (JSON on standard input): {"root": folder of the repository, "program": path of the program}. Out: {subject: {check:
complaint}}, an empty complaint where the check holds. As root, the service runs as another user, as under systemd.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

USER = 10001 if os.geteuid() == 0 else os.geteuid()
ROWS = 30
PAGE = {"text": "Dear Ann", "page_size": "square_5x5", "font_size": 40, "seed": 1}

# What version 0.1 wrote: the first format of the key store.
OLD_STORE = """
    CREATE TABLE api_key (
        id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, key_sha256 BLOB NOT NULL UNIQUE CHECK (length(key_sha256) = 32),
        monthly_quota INTEGER CHECK (monthly_quota >= 0), active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
        created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE monthly_usage (
        key_id TEXT NOT NULL, month INTEGER NOT NULL, charged INTEGER NOT NULL CHECK (charged >= 0),
        PRIMARY KEY (key_id, month)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE key_generation (
        only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1), generation INTEGER NOT NULL
    ) STRICT;
    INSERT INTO key_generation VALUES (1, 0);
    CREATE TRIGGER api_key_inserted AFTER INSERT ON api_key
        BEGIN UPDATE key_generation SET generation = generation + 1; END;
    CREATE TRIGGER api_key_updated AFTER UPDATE ON api_key
        BEGIN UPDATE key_generation SET generation = generation + 1; END;
    CREATE TRIGGER api_key_deleted AFTER DELETE ON api_key
        BEGIN UPDATE key_generation SET generation = generation + 1; END;
    PRAGMA user_version = 1;
"""

found = {}


def must(subject, check, holds, why=""):
    found.setdefault(subject, {})[check] = "" if holds else f"it does not hold: {why}"


def until(get, wanted, seconds=60):
    """What `get` returns as soon as it is `wanted`, or at last."""
    end = time.monotonic() + seconds
    while (value := get()) != wanted and time.monotonic() < end:
        # A key may ask 300 times a minute.
        time.sleep(0.25)
    return value


def block(page, part):
    """The shell block of a page that has this part."""
    [one] = [each for each in re.findall(r"^```sh\n(.*?)^```", page, re.S | re.M) if part in each]
    return one


class Service:
    """A running service, as the user of its data directory."""

    def __init__(self, program, data, *arguments, **variables):
        self.key, self.log = None, data.with_suffix(".log")
        self.process = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data-dir", data, *arguments],
            cwd=data, env={**os.environ, **variables}, user=USER, group=USER, extra_groups=[],
            stdout=subprocess.PIPE, stderr=self.log.open("a"), text=True,
        )
        self.address = next((line.split()[-1] for line in self.process.stdout if "listens on" in line), None)
        if not self.address:
            sys.exit(f"the service ended with {self.process.wait()}: {self.log.read_text()}")

    def ask(self, method, path, body=None):
        """Status and body."""
        request = urllib.request.Request(self.address + path, json.dumps(body).encode() if body else None, method=method)
        request.add_header("Authorization", f"Bearer {self.key}")
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read()

    def page(self):
        return self.ask("POST", "/api/v1/generate/png", PAGE)[0]

    def used(self):
        """Pages charged, or the answer if it is an error."""
        status, body = self.ask("GET", "/api/v1/usage")
        return json.loads(body)["used"] if status == 200 else body.decode()

    def job(self, place):
        return json.loads(self.ask("GET", place)[1])

    def end(self):
        self.process.terminate()
        return self.process.wait()


@contextlib.contextmanager
def serving(*arguments, **variables):
    service = Service(*arguments, **variables)
    try:
        yield service
    finally:
        service.end()


def private_folder(path):
    """A data directory as systemd makes it."""
    path.mkdir(mode=0o700)
    os.chown(path, USER, USER)
    return path


def keys(program, *arguments, **variables):
    done = subprocess.run([program, "keys", *arguments, "--json"], env={**os.environ, **variables}, check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout)


def keys_and_backup(page, program, folder):
    """A key made by root, a backup while a job runs, and its restore."""
    data = private_folder(folder / "data")
    shell = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "LONGHAND_DATA_DIR": str(data)}

    def run(commands):
        return subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, env=shell, capture_output=True, text=True)

    with serving(program, data) as service:
        service.key = keys(program, "create", "--name", "shop", "--monthly-quota", "1000", "--data-dir", data)["key"]
        must("a key of root", "it works", until(service.page, 200, 30) == 200)
        owners = {path.stat().st_uid for path in [data, *data.rglob("*")]}
        must("a key of root", "all files are the service's", owners == {USER}, owners)
        request = {**PAGE, "text": "Dear {name}"}
        rows = [{"name": f"Ann {number}"} for number in range(ROWS)]
        _, answer = service.ask("POST", "/api/v1/jobs", {"request": request, "rows": rows, "output": {"form": "zip"}})
        place = f"/api/v1/jobs/{json.loads(answer)['id']}"
        done = run(block(page, "VACUUM INTO"))
        must("backup", "it succeeds", done.returncode == 0, done.stderr)
        state = until(lambda: service.job(place)["state"], "completed")
        must("backup", "the job is completed beside it", state == "completed", state)
        expected = service.used()
        must("backup", "each row is charged once", expected == ROWS + 1, expected)
        made = service.ask("GET", f"{place}/result")[1]
        must("backup", "a page that the backup has not", service.page() == 200)

    done = run(block(page, "mkdir restored"))
    must("restore", "it succeeds", done.returncode == 0 and "shop" in done.stdout, done.stderr)
    restored = folder / "restored"
    modes = {oct(path.stat().st_mode & 0o077) for path in [restored, *restored.iterdir()]}
    must("restore", "it is closed to others", modes == {"0o0"}, modes)
    # As systemd does at the start of the unit.
    for path in [restored, *restored.rglob("*")]:
        os.chown(path, USER, USER)
    with serving(program, restored) as again:
        again.key = service.key
        state = until(lambda: again.job(place).get("state"), "completed")
        must("restore", "the job goes on to its end", state == "completed", state)
        used = until(again.used, expected, 5)
        must("restore", "each row is charged once", used == expected, used)
        must("restore", "the files are the same", again.ask("GET", f"{place}/result")[1] == made)
        must("restore", "the key works", again.page() == 200 and again.used() == expected + 1)
        formats_of(page, restored, "longhand.sqlite3", "jobs/jobs.sqlite3")
    return service.key


def formats_of(page, data, *files):
    """The formats of files are those that the page tells."""
    for file in files:
        with contextlib.closing(sqlite3.connect(data / file)) as store:
            [[version]] = store.execute("PRAGMA user_version")
        must("formats", file, f"| `{file}` | {version} |" in page, version)


def upgrade(program, folder, key):
    data = private_folder(folder / "old")
    path = data / "longhand.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as store:
        store.executescript(OLD_STORE)
        store.execute("INSERT INTO api_key VALUES ('0001', 'old', ?, 10, 1, 0)", [hashlib.sha256(key.encode()).digest()])
        store.execute("INSERT INTO monthly_usage VALUES ('0001', ?, 7)", [int(time.strftime("%Y%m", time.gmtime()))])
        store.commit()
    os.chown(path, USER, USER)
    with serving(program, data) as service:
        service.key = key
        must("upgrade", "what was used is kept", service.used() == 7, service.used())
        must("upgrade", "the key works", service.page() == 200 and service.used() == 8, service.used())
    with contextlib.closing(sqlite3.connect(path)) as store:
        store.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    done = subprocess.run([program, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data-dir", data],
                          capture_output=True, text=True)
    told = done.returncode == 65 and "format 99" in done.stderr
    must("going back", "a newer format is refused", told, f"{done.returncode} {done.stderr}")
    must("going back", "nothing is changed", path.read_bytes() == before)


@contextlib.contextmanager
def redis(folder, name):
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
    home = folder / name
    home.mkdir()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--appendonly", "yes", "--save", "",
               "--repl-diskless-sync-delay", "0"]
    running = subprocess.Popen(command, cwd=home, stdout=subprocess.DEVNULL)
    try:
        until(lambda: cli(port, "ping"), "PONG")
        yield port
    finally:
        running.kill()
        running.wait()


def cli(port, *words):
    return subprocess.run(["redis-cli", "-p", str(port), *words], capture_output=True, text=True).stdout.strip()


def retire(scaling, page, program, folder):
    """A new Redis takes over, by the commands of the page."""
    [commands] = [each for each in re.findall(r"^```console\n(.*?)^```", scaling, re.S | re.M) if "replicaof" in each]
    with redis(folder, "redis-old") as old, redis(folder, "redis-new") as new:
        def run(number):
            words = commands.splitlines()[number].replace("old 6379", f"127.0.0.1 {old}").replace("new 6379", f"127.0.0.1 {new}")
            words = words.replace("$ ", "").replace("-h old", f"-p {old}").replace("-h new", f"-p {new}")
            return subprocess.run(words, shell=True, capture_output=True, text=True).stdout.strip()

        stores = [f"redis://127.0.0.1:{port}/0" for port in (old, new)]
        key = keys(program, "create", "--name", "fleet", "--monthly-quota", "10", "--store", stores[0])["key"]
        data = private_folder(folder / "instance")
        # On a machine that is busy with other tests a store can take longer than the usual 50 ms to answer.
        patient = {"LONGHAND_STORE_TIMEOUT_MS": "20000"}
        with serving(program, data, LONGHAND_STORE=stores[0], LONGHAND_STORE_AWAY="fail_open", **patient) as service:
            service.key = key
            must("retiring a Redis", "a page before", until(service.page, 200, 30) == 200)
            run(0)
            must("retiring a Redis", "the new one follows", until(lambda: "state=online" in run(1), True))
            must("retiring a Redis", "it takes over", run(2) == "OK")
            role = until(lambda: cli(new, "role").split("\n")[0], "master")
            must("retiring a Redis", "it is the one that takes writes", role == "master", role)
            must("retiring a Redis", "a page meanwhile", until(service.page, 200, 30) == 200)
        with serving(program, data, LONGHAND_STORE=stores[1], **patient) as service:
            service.key = key
            used = until(service.used, 2, 10)
            must("retiring a Redis", "what was used is kept, with the page of meanwhile", used == 2, used)
            status, used = until(service.page, 200, 30), until(service.used, 3, 10)
            must("retiring a Redis", "a page after", (status, used) == (200, 3), (status, used))
        formats_of(page, data, "outbox.sqlite3")


def main():
    job = json.load(sys.stdin)
    root = Path(job["root"])
    operations, scaling = ((root / "docs" / name).read_text() for name in ("operations.md", "scaling.md"))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        # The other user reaches its folders and the program.
        folder.chmod(0o711)
        program = shutil.copy(job["program"], folder / "longhand")
        key = keys_and_backup(operations, program, folder)
        upgrade(program, folder, key)
        retire(scaling, operations, program, folder)
    json.dump(found, sys.stdout)


main()
