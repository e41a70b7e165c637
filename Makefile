# The commands of this project. `make serve` and `make test` are all a fresh Debian or Ubuntu machine with Rust needs.

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup serve test test-all test-hands test-drivers test-gpu lint bench load deny sbom release test-release

# Not the page benchmark, whose renderers take long to compile.
CARGO_TEST := cargo test --locked --package longhand --features faults
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)

# What the tests measure with (scripts/setup.sh test makes it).
export LONGHAND_ORACLE_PYTHON ?= $(CURDIR)/.venv/bin/python
# Some tests wait for browsers and other programs most of the time.
export RUST_TEST_THREADS ?= $(shell echo $$(( ($$(nproc) * 3 + 1) / 2 )))
# Mesa's device-select layer only complains on a machine without a display.
export NODEVICE_SELECT ?= 1

help: ## Lists these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 21

setup: ## Installs what is missing to serve (a C compiler, make, a Vulkan driver)
	@scripts/setup.sh serve

serve: setup ## Builds and starts the service on 127.0.0.1:8080, with a demo key on first start (ARGS="…" adds flags)
	cargo build --profile serve --locked --bin longhand
	scripts/split_debug.sh "$(TARGET_DIR)/serve/longhand"
	exec "$(TARGET_DIR)/serve/longhand" serve --demo-key $(ARGS)

test: ## Runs every test (ARGS="name" selects)
	@scripts/setup.sh test
	$(CARGO_TEST) --doc $(ARGS)
	$(CARGO_TEST) --lib --bins --tests $(ARGS)

test-all: ## Runs every test, and goes through whole lists instead of samples: all hands, more requests
	LONGHAND_TEST_ALL=1 $(MAKE) test

test-hands: ## Fills sheets in eight hands, and reads them from four cameras
	$(CARGO_TEST) --release --lib own_hand:: -- --include-ignored --nocapture

test-drivers: ## Compares pages of SwiftShader, and of lavapipe under synchronisation validation, with lavapipe's; translates every shader
	@scripts/setup.sh drivers
	$(CARGO_TEST) --lib translation:: -- --include-ignored
	$(CARGO_TEST) --test suite drivers:: -- --include-ignored --skip the_gpu_of_this_machine --test-threads=1 --nocapture

test-gpu: ## Tests and measures on this machine's GPU, and writes the results to a folder (GPU="name", FOLDER="results")
	scripts/gpu_host.sh $(or $(GPU),nvidia) $(FOLDER)

lint: ## Checks formatting, lints and the documentation's links
	@scripts/setup.sh serve
	cargo fmt --check
	cargo clippy --locked --lib --bins -- -D warnings
	cargo clippy --locked --all-targets --features faults -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps

bench: ## Times every stage and the whole, beside other programs (ARGS="table" prints the tables alone, "dense" selects)
	@scripts/setup.sh bench
	cargo bench --locked --bench pages -- $(ARGS)

load: setup ## Puts load on the running program (ARGS="throughput", "cpu", "scale", "overload", "slow", "vectors", "chaos", "jobs" or "soak")
	cargo bench --locked --features faults --bench load -- $(ARGS)

deny: ## Checks licences, sources and advisories of the dependencies (needs cargo-deny)
	cargo deny --locked check

release: ## Makes what a release publishes: programs, packages, an image, documents, checksums (FOLDER="dist", STEPS="image checksums")
	@scripts/setup.sh release
	PATH="$(CURDIR)/.venv-release/bin:$$PATH" .venv-release/bin/python scripts/release $(or $(FOLDER),dist) $(STEPS)

test-release: ## Checks what `make release` made: starts the programs, installs the package, serves from the image (as root)
	@scripts/setup.sh release
	$(if $(filter 0,$(shell id -u)),,sudo )python3 scripts/release/check.py $(or $(FOLDER),dist)

sbom: ## Writes what the program is made of to longhand.cdx.json (CycloneDX)
	scripts/sbom.py > longhand.cdx.json
