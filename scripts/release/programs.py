"""Builds the program for a machine, with zig as the C compiler and linker: it has the symbols of every glibc."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from release import GLIBC, ROOT


def cut_off(path, name):
    """Flags of rustc and of a C compiler that write `path` as `name`."""
    return f"--remap-path-prefix={path}={name}", f"-ffile-prefix-map={path}={name}"


# Where zig finds its libraries: their debug information has this path, so it is one for all machines.
ZIG_LIBRARIES = Path("/tmp/longhand-zig")


def prepare_zig(target, target_dir):
    """Has zig compile the C runtime before a program is linked, and returns the variables that keep it to that.

    Its debug information has the path of zig: so zig is found by one path, and its cache is empty. What is compiled for
    other flags than these still has the folder of whoever links first.
    """
    # Only what builds has it; tests of the other steps have not.
    import ziglang

    cache = target_dir / f"zig-{target.architecture}"
    shutil.rmtree(cache, ignore_errors=True)
    ZIG_LIBRARIES.unlink(missing_ok=True)
    ZIG_LIBRARIES.symlink_to(Path(ziglang.__file__).parent / "lib")
    variables = {"ZIG_LIB_DIR": str(ZIG_LIBRARIES), "ZIG_GLOBAL_CACHE_DIR": str(cache)}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "empty.c"
        source.write_text("int main() { return 0; }\n")
        triple = f"{target.architecture}-linux-gnu.{GLIBC}"
        zig = [sys.executable, "-m", "ziglang", "cc", "-target", triple, "-O2", "-g0", "-lunwind"]
        subprocess.run([*zig, source, "-o", source.with_suffix("")], cwd="/", check=True, env={**os.environ, **variables})
    return variables


def environment(target_dir):
    cargo_home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    pairs = [cut_off(ROOT, "/longhand"), cut_off(cargo_home, "/cargo"), cut_off(target_dir, "/target")]
    return {
        **os.environ,
        "CARGO_TARGET_DIR": str(target_dir),
        "CARGO_INCREMENTAL": "0",
        "RUSTFLAGS": " ".join(rust for rust, _ in pairs),
        "CFLAGS": " ".join(["-g0", *(c for _, c in pairs)]),
    }


def build(release, target):
    """Writes the program and `longhand.debug`, which has the lines of stack traces."""
    target_dir = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").absolute()
    target_dir.mkdir(parents=True, exist_ok=True)
    own = {**environment(target_dir), **prepare_zig(target, target_dir)}
    if target.architecture == "aarch64":
        # Kernels with pages of 64 KiB: jemalloc cannot ask a machine that it is not built on.
        own["JEMALLOC_SYS_WITH_LG_PAGE"] = "16"
    command = ["cargo", "zigbuild", "--release", "--locked", "--bin", "longhand", "--target", f"{target.rust}.{GLIBC}"]
    subprocess.run(command, cwd=ROOT, check=True, env=own)
    program = release.program(target)
    program.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(target_dir / target.rust / "release/longhand", program)
    subprocess.run([ROOT / "scripts/split_debug.sh", program, target.binutils], check=True)
