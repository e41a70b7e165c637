"""Builds the program for a machine, with zig as the C compiler and linker: it has the symbols of every glibc."""

import os
import shutil
import subprocess
from pathlib import Path

from release import GLIBC, ROOT


def cut_off(path, name):
    """Flags of rustc and of a C compiler that write `path` as `name`."""
    return f"--remap-path-prefix={path}={name}", f"-ffile-prefix-map={path}={name}"


# Where zig finds its libraries: their debug information has this path, so it is one for all machines.
ZIG_LIBRARIES = Path("/tmp/longhand-zig")


def zig_environment(target, target_dir):
    """Variables by which zig finds its libraries, and begins with an empty cache: each object in it has the path of then."""
    # Only what builds has it; tests of the other steps have not.
    import ziglang

    cache = target_dir / f"zig-{target.architecture}"
    shutil.rmtree(cache, ignore_errors=True)
    ZIG_LIBRARIES.unlink(missing_ok=True)
    ZIG_LIBRARIES.symlink_to(Path(ziglang.__file__).parent / "lib")
    return {"ZIG_LIB_DIR": str(ZIG_LIBRARIES), "ZIG_GLOBAL_CACHE_DIR": str(cache)}


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
    own = {**environment(target_dir), **zig_environment(target, target_dir)}
    if target.architecture == "aarch64":
        # Kernels with pages of 64 KiB: jemalloc cannot ask a machine that it is not built on.
        own["JEMALLOC_SYS_WITH_LG_PAGE"] = "16"
    command = ["cargo", "zigbuild", "--release", "--locked", "--bin", "longhand", "--target", f"{target.rust}.{GLIBC}"]
    subprocess.run(command, cwd=ROOT, check=True, env=own)
    program = release.program(target)
    program.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(target_dir / target.rust / "release/longhand", program)
    subprocess.run([ROOT / "scripts/split_debug.sh", program, target.binutils], check=True)
