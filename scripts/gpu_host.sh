#!/usr/bin/env bash
# Tests and measures Longhand on a machine with a GPU, and writes what it found to a folder.
#
#   scripts/gpu_host.sh [GPU] [FOLDER]
#
# GPU: what `--gpu` takes: a number, a PCI address or a part of a name as `longhand doctor` shows them; NVIDIA if none is
# named. FOLDER: for the results; gpu-DATE if none is named. Steps: the GPU tests, the corpus against lavapipe, `make bench`,
# and the scenarios `throughput` and `cpu` of `make load`. A step that fails does not stop the others. The result is 0 if
# all pass. STEPS="corpus load" selects steps of: adapter tests corpus bench load.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

gpu=${1:-nvidia}
folder=${2:-gpu-$(date -u +%Y-%m-%d)}
steps=${STEPS:-adapter tests corpus bench load}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
failed=()

# The service and the load driver draw on it.
export LONGHAND_GPUS=$gpu
export LONGHAND_GPU_FALLBACK=hardware
export LONGHAND_TEST_GPU=$gpu
export LONGHAND_ORACLE_PYTHON=${LONGHAND_ORACLE_PYTHON:-$PWD/.venv/bin/python}

# Runs a command as step $1; its output goes to a file of the folder.
step() {
    local name=$1
    shift
    [[ " $steps " == *" $name "* ]] || return 0
    printf '%s: %s\n' "$name" "$*"
    "$@" 2>&1 | tee -a "$folder/$name.txt" || failed+=("$name: $*")
}

# The machine, the adapters and their drivers. Fails if there is no such GPU.
adapter() {
    date -u +'%Y-%m-%d %H:%M UTC'
    git describe --always --dirty
    nproc
    sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c
    if command -v nvidia-smi >/dev/null; then
        nvidia-smi --query-gpu=name,driver_version,pci.bus_id,memory.total --format=csv
    fi
    cargo run --quiet --release --locked --bin longhand -- doctor
}

# How busy the GPU is while a command runs, one line a second.
watched() {
    local watcher=
    if command -v nvidia-smi >/dev/null; then
        nvidia-smi --query-gpu=utilization.gpu,memory.used --format=csv,noheader -l 1 >>"$folder/utilization.txt" &
        watcher=$!
    fi
    local outcome=0
    "$@" || outcome=$?
    [[ -z $watcher ]] || kill "$watcher"
    return "$outcome"
}

scripts/setup.sh drivers
rm -f "$folder"/{adapter,tests,corpus,bench,load,utilization}.txt
step adapter adapter
step tests cargo test --locked --package longhand --features faults --lib gpu::
step tests cargo test --locked --package longhand --features faults --test suite -- gpu::coverage:: gpu::grain:: live::gpus:: live::faults::
step corpus cargo test --locked --package longhand --features faults --test suite -- --ignored --nocapture drivers::the_gpu_of_this_machine
step bench make bench ARGS=table
for scenario in throughput cpu; do
    step load watched make load ARGS=$scenario
done

if ((${#failed[@]} > 0)); then
    printf 'FAILED %s\n' "${failed[@]}" | tee "$folder/failed.txt"
    exit 1
fi
printf 'everything passed; the results are in %s\n' "$folder"
