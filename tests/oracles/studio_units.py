"""Runs the unit tests of the studio's scripts, in `tests/studio`, by the test runner of Node.

In: {}. Out: {"passed", "failed": numbers of tests, "said": what the runner says}.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

NODE = Path(sys.prefix, "bin", "node")
TESTS = Path(__file__).parents[1] / "studio"


def main():
    json.load(sys.stdin)
    command = [NODE, "--no-warnings", "--test", "--test-reporter=tap", *sorted(TESTS.glob("*.test.js"))]
    run = subprocess.run(command, capture_output=True, text=True)
    counts = {name: int(re.search(rf"^# {word} (\d+)$", run.stdout, re.MULTILINE).group(1)) for name, word in {"passed": "pass", "failed": "fail"}.items()}
    json.dump({**counts, "said": run.stdout + run.stderr}, sys.stdout)


main()
