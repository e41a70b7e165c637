#!/usr/bin/env bash
# Installs what is missing to build, serve and test Longhand on Debian or Ubuntu; does nothing where nothing is missing.
#
#   scripts/setup.sh serve   a C compiler and make (for the bundled SQLite, Little CMS and jemalloc), and a Vulkan driver
#                            (lavapipe, a software one)
#   scripts/setup.sh bench   the same, and the peers of the benchmark: FreeType, ISA-L and a C++ compiler, and a Python
#                            environment with Skia, Pillow and SciPy
#   scripts/setup.sh test    the same as serve, and what the tests measure with: libpng, PDF tools, Redis, a browser, fonts, a
#                            Python environment, proxies, and Node with generators of typed clients in it
#   scripts/setup.sh drivers the same as serve, and other Vulkan drivers to compare with: lavapipe, SwiftShader (in Chromium),
#                            the Khronos validation layer, and a compiler of HLSL
#   scripts/setup.sh release what `make release` builds with, and what `make test-release` checks with: zig and cargo-zigbuild
#                            in a Python environment, Rust's library for aarch64, mmdebstrap, binutils, skopeo, qemu
#
# A machine that has a Vulkan driver keeps it: nothing of its graphics set-up is touched.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly REQUIREMENTS=tests/oracles/requirements.txt
readonly ENVIRONMENT=.venv
readonly BENCH_REQUIREMENTS=benches/pages/peers/requirements.txt
readonly BENCH_ENVIRONMENT=.venv-bench
readonly RELEASE_REQUIREMENTS=scripts/release/requirements.txt
readonly RELEASE_ENVIRONMENT=.venv-release
readonly GENERATORS=tests/oracles/clients

say() { printf 'setup: %s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

# Whether the dynamic linker finds library $1.
has_library() {
    local linker_cache
    linker_cache=$(PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null || true)
    [[ $linker_cache == *"$1 "* ]] && return
    local -a directories
    IFS=: read -ra directories <<<"${LD_LIBRARY_PATH:-}"
    local directory
    for directory in "${directories[@]}"; do
        [[ -n $directory && -e $directory/$1 ]] && return
    done
    return 1
}

# Whether any Vulkan driver manifest is where the loader looks (Vulkan-Loader, LoaderDriverInterface, "Driver Discovery").
has_vulkan_driver() {
    local listed="${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-}}"
    local -a places manifests
    if [[ -n $listed ]]; then
        IFS=: read -ra places <<<"$listed"
    else
        local roots="${XDG_CONFIG_HOME:-${HOME:-}/.config}:${XDG_CONFIG_DIRS:-/etc/xdg}:/etc"
        roots+=":${XDG_DATA_HOME:-${HOME:-}/.local/share}:${XDG_DATA_DIRS:-/usr/local/share:/usr/share}"
        IFS=: read -ra places <<<"$roots:/usr/local/share:/usr/share"
        places=("${places[@]/%//vulkan/icd.d}")
    fi
    local place
    for place in "${places[@]}"; do
        [[ -f $place ]] && return
        manifests=("$place"/*.json)
        [[ -e ${manifests[0]} ]] && return
    done
    return 1
}

# Whether the file exists in a folder of Vulkan's data.
has_vulkan_file() {
    compgen -G "/usr/share/vulkan/$1" >/dev/null || compgen -G "/etc/vulkan/$1" >/dev/null
}

# The Debian packages for `$1` (serve, bench, test, drivers or release) that this machine lacks, one a line.
missing_packages() {
    command -v cc >/dev/null || printf '%s\n' gcc libc6-dev
    command -v make >/dev/null || echo make
    if [[ $(uname -s) == Linux ]]; then
        has_library libvulkan.so.1 || echo libvulkan1
        has_vulkan_driver || echo mesa-vulkan-drivers
    fi
    if [[ $1 == drivers ]]; then
        has_vulkan_file 'icd.d/lvp_icd*.json' || echo mesa-vulkan-drivers
        has_vulkan_file 'explicit_layer.d/VkLayer_khronos_validation.json' || echo vulkan-validationlayers
        command -v glslangValidator >/dev/null || echo glslang-tools
        [[ -e /usr/lib/chromium/libvk_swiftshader.so ]] || echo chromium
    fi
    [[ $1 == bench || $1 == test || $1 == release ]] || return 0
    command -v python3 >/dev/null || echo python3
    python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
    if [[ $1 == release ]]; then
        command -v git >/dev/null || echo git
        command -v systemd-sysusers >/dev/null || echo systemd
        command -v mmdebstrap >/dev/null || echo mmdebstrap
        [[ -e /usr/share/keyrings/debian-archive-keyring.gpg ]] || echo debian-archive-keyring
        command -v x86_64-linux-gnu-objcopy >/dev/null || echo binutils-x86-64-linux-gnu
        command -v aarch64-linux-gnu-objcopy >/dev/null || echo binutils-aarch64-linux-gnu
        command -v skopeo >/dev/null || echo skopeo
        command -v qemu-aarch64-static >/dev/null || echo qemu-user-static
        [[ -e /usr/aarch64-linux-gnu/lib/libc.so.6 ]] || echo libc6-arm64-cross
        return 0
    fi
    # Pillow shapes with it.
    has_library libfribidi.so.0 || echo libfribidi0
    if [[ $1 == bench ]]; then
        command -v c++ >/dev/null || echo g++
        [[ -e /usr/include/freetype2/ft2build.h ]] || echo libfreetype-dev
        [[ -e /usr/include/isa-l.h ]] || echo libisal-dev
    fi
    [[ $1 == test ]] || return 0
    has_library libpng16.so.16 || echo libpng16-16
    command -v curl >/dev/null || echo curl
    command -v chromium >/dev/null || echo chromium
    command -v qpdf >/dev/null || echo qpdf
    command -v pdftoppm >/dev/null || echo poppler-utils
    command -v gs >/dev/null || echo ghostscript
    command -v mutool >/dev/null || echo mupdf-tools
    command -v redis-server >/dev/null || echo redis-server
    command -v openssl >/dev/null || echo openssl
    command -v sqlite3 >/dev/null || echo sqlite3
    # Servers are often outside the path of users.
    PATH="$PATH:/usr/sbin" command -v nginx >/dev/null || echo nginx
    command -v caddy >/dev/null || echo caddy
    # Fonts that an operator might have: print, joined writing, and outlines in CFF with contextual alternates.
    [[ -e /usr/share/fonts/truetype/fifthhorseman/dkg.ttf ]] || echo fonts-dkg-handwriting
    [[ -e /usr/share/fonts/truetype/ecolier-court/Ecolier-court.ttf ]] || echo fonts-ecolier-court
    [[ -e /usr/share/fonts/opentype/joscelyn/Joscelyn-Regular.otf ]] || echo fonts-joscelyn
}

install_packages() {
    command -v apt-get >/dev/null ||
        fail "this machine lacks: $*. There is no apt-get here; install what corresponds to these Debian packages and try again."
    local -a as_root=()
    if ((EUID != 0)); then
        command -v sudo >/dev/null || fail "this machine lacks: $*. Install them as root (no sudo here) and try again."
        as_root=(sudo)
    fi
    say "installing $*"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

# Makes the Python environment $1 anew when its requirements $2, or the interpreter, are not those it was made for.
make_environment() {
    local environment=$1 requirements=$2
    local stamp="$environment/requirements.stamp" wanted
    wanted=$(python3 --version && cat "$requirements")
    [[ -x $environment/bin/python && -f $stamp && $(<"$stamp") == "$wanted" ]] && return
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "this needs Python 3.11 or newer; python3 here is $(python3 --version)"
    say "making $environment"
    python3 -m venv --clear "$environment"
    "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: -r "$requirements" >&2
    printf '%s\n' "$wanted" >"$stamp"
}

# Installs the generators of TypeScript clients into the Python environment, which has Node, by their lock file.
install_generators() {
    local folder="$ENVIRONMENT/clients"
    cmp -s "$GENERATORS/package-lock.json" "$folder/installed.json" && return
    say "installing $GENERATORS"
    mkdir -p "$folder"
    cp "$GENERATORS/package.json" "$GENERATORS/package-lock.json" "$folder"
    "$ENVIRONMENT/bin/npm" ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --loglevel error >&2
    cp "$GENERATORS/package-lock.json" "$folder/installed.json"
}

main() {
    local purpose="${1:-serve}"
    [[ $purpose =~ ^(serve|bench|test|drivers|release)$ ]] ||
        fail "usage: scripts/setup.sh [serve|bench|test|drivers|release]"
    command -v cargo >/dev/null || fail "Rust is missing: install it from https://rustup.rs, then try again."

    local missing
    missing=$(missing_packages "$purpose" | sort -u)
    if [[ -n $missing ]]; then
        local -a packages
        mapfile -t packages <<<"$missing"
        install_packages "${packages[@]}"
    fi
    if [[ $purpose == bench ]]; then
        make_environment "$BENCH_ENVIRONMENT" "$BENCH_REQUIREMENTS"
    fi
    if [[ $purpose == test ]]; then
        make_environment "$ENVIRONMENT" "$REQUIREMENTS"
        install_generators
    fi
    if [[ $purpose == release ]]; then
        make_environment "$RELEASE_ENVIRONMENT" "$RELEASE_REQUIREMENTS"
        ! command -v rustup >/dev/null || rustup target add x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu >&2
    fi
}

main "$@"
