# Each target does all its own set-up: a virtual environment in .venv with the package in it.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
JOBS ?= auto

.PHONY: install demo test nightly lint bench calibration docs system clean

install: $(READY)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "karat needs Python 3.11 or newer; call make with PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(READY)
	$(BIN)/karat demo

test: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) -m "not nightly"

nightly: $(READY)
	$(BIN)/python -m pytest -n $(JOBS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/python -m benchmarks

# Simulates every test and interval anew and writes docs/calibration.md.
calibration: $(READY)
	$(BIN)/python -m benchmarks.calibration

docs: $(READY)
	$(BIN)/python -m tools.make_docs

# Debian packages that tests can use, as root. None is needed yet; what needs one is skipped without it.
system:
	@true

clean:
	rm -rf .venv karat-demo
