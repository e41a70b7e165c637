"""Builds the program for a machine, with zig as the C compiler and linker: it has the symbols of every glibc."""

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

from release import GLIBC, ROOT


def cut_off(path, name):
    """Flags of rustc and of a C compiler that write `path` as `name`."""
    return f"--remap-path-prefix={path}={name}", f"-ffile-prefix-map={path}={name}"


# Where zig finds its libraries: their debug information has this path, so it is one for all machines.
ZIG_LIBRARIES = Path("/tmp/longhand-zig")

# Where zig compiles its C runtime: the debug information has this path too.
ZIG_RUNTIME = Path("/tmp/longhand-zig-runtime")


def zig_environment(target, target_dir):
    """Variables by which zig finds its libraries, and begins with an empty cache: each object in it has the path of then."""
    # Only what builds has it; tests of the other steps have not.
    import ziglang

    cache = target_dir / f"zig-{target.architecture}"
    shutil.rmtree(cache, ignore_errors=True)
    ZIG_LIBRARIES.unlink(missing_ok=True)
    ZIG_LIBRARIES.symlink_to(Path(ziglang.__file__).parent / "lib")
    return {"ZIG_LIB_DIR": str(ZIG_LIBRARIES), "ZIG_GLOBAL_CACHE_DIR": str(cache)}


def compile_runtime(zigbuild, own):
    """Links a small program, so that zig's cache holds its C runtime, compiled in one folder for all machines.

    zig compiles what a link needs and its cache lacks, in the folder of whoever links first: a crate or this checkout.
    """
    (ZIG_RUNTIME / "src").mkdir(parents=True, exist_ok=True)
    (ZIG_RUNTIME / "Cargo.toml").write_text('[package]\nname = "runtime"\nedition = "2024"\n')
    (ZIG_RUNTIME / "src/main.rs").write_text("fn main() {}\n")
    target_dir = Path(own["CARGO_TARGET_DIR"], "zig-runtime")
    shutil.rmtree(target_dir, ignore_errors=True)
    # The runtime has debug information where the program has some.
    debug = tomllib.loads((ROOT / "Cargo.toml").read_text())["profile"]["release"]["debug"]
    own = {**own, "CARGO_TARGET_DIR": str(target_dir), "CARGO_PROFILE_RELEASE_DEBUG": debug}
    subprocess.run(zigbuild, cwd=ZIG_RUNTIME, check=True, env=own)


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
    zigbuild = ["cargo", "zigbuild", "--release", "--target", f"{target.rust}.{GLIBC}"]
    compile_runtime(zigbuild, own)
    subprocess.run([*zigbuild, "--locked", "--bin", "longhand"], cwd=ROOT, check=True, env=own)
    program = release.program(target)
    program.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(target_dir / target.rust / "release/longhand", program)
    subprocess.run([ROOT / "scripts/split_debug.sh", program, target.binutils], check=True)
