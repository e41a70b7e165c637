"""Reads the last stage of the Dockerfile: what the image starts from, what is copied and run, and how it is started.

Only the instructions that the file has are known. Any other is an error.
"""

import json
import re
import shlex
from dataclasses import dataclass, field

SECONDS = 1_000_000_000  # in ns


@dataclass
class Stage:
    """A stage. `steps` are ("copy", source, place, mode, where from) and ("run", command), in order."""

    base: str
    steps: list = field(default_factory=list)
    config: dict = field(default_factory=dict)


def lines(text):
    """Instructions with their arguments: comments left out, continued lines joined."""
    text = "\n".join(line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    for line in text.replace("\\\n", " ").splitlines():
        word, _, rest = line.partition(" ")
        yield word, " ".join(rest.split())


def options(rest):
    """`--name=value` at the start of arguments, and the other arguments."""
    words = rest.split(" ")
    named = [word for word in words if word.startswith("--")]
    return dict(word[2:].split("=", 1) for word in named), words[len(named) :]


def health(rest):
    given, words = options(rest)
    if words[0] != "CMD":
        raise ValueError(f"HEALTHCHECK {rest}")
    check = {"Test": ["CMD", *json.loads(" ".join(words[1:]))]}
    for name, key in (("interval", "Interval"), ("timeout", "Timeout"), ("start-period", "StartPeriod")):
        check[key] = int(re.fullmatch(r"(\d+)s", given.pop(name))[1]) * SECONDS
    check["Retries"] = int(given.pop("retries"))
    if given:
        raise ValueError(f"HEALTHCHECK {given}")
    return check


def last_stage(text):
    stage = None
    for word, rest in lines(text):
        if word == "FROM":
            stage = Stage(rest)
        elif word == "COPY":
            given, places = options(rest)
            if len(places) != 2:
                continue  # of an earlier stage: FROM drops it
            stage.steps.append(("copy", *places, int(given.get("chmod", "0644"), 8), given.get("from")))
        elif word == "RUN":
            stage.steps.append(("run", rest))
        elif word == "ENV":
            stage.config.setdefault("Env", []).extend(shlex.split(rest))
        elif word in ("USER", "STOPSIGNAL", "WORKDIR"):
            stage.config[{"USER": "User", "STOPSIGNAL": "StopSignal", "WORKDIR": "WorkingDir"}[word]] = rest
        elif word == "VOLUME":
            stage.config["Volumes"] = {place: {} for place in json.loads(rest)}
        elif word == "EXPOSE":
            stage.config["ExposedPorts"] = {f"{port}/tcp": {} for port in rest.split(" ")}
        elif word in ("ENTRYPOINT", "CMD"):
            stage.config[word.capitalize()] = json.loads(rest)
        elif word == "HEALTHCHECK":
            stage.config["Healthcheck"] = health(rest)
        else:
            raise ValueError(f"{word} {rest}: this instruction is not known here")
    return stage
