# Each target does all its own set-up: a virtual environment in .venv with the package in it.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
JOBS ?= auto
# Each worker takes neighbours, which share fixtures and compiled code.
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

.PHONY: install demo serve test portable wheel nightly lint bench calibration docs system clean

install: $(READY)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "karat needs Python 3.11 or newer; call make with PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(READY)
	$(BIN)/karat demo

# The campaign server with an example to look through; the first line it prints is the link to open.
serve: $(READY)
	$(BIN)/karat serve --example

test: $(READY)
	$(PYTEST) -m "not nightly"

# The tests that last digits could fail, as a machine with an older processor would run them.
portable: $(READY)
	OPENBLAS_CORETYPE=Prescott NPY_DISABLE_CPU_FEATURES="$$($(BIN)/python -m tests.portable features)" \
		$(PYTEST) -m "not nightly" $(PORTABLE)
PORTABLE := tests/test_gallery.py tests/papers tests/statistics tests/kernels tests/engines/kernels tests/studies/test_compare.py

# The wheel in an empty environment: what `pip install karat` brings is enough to score, and small.
wheel: $(READY)
	$(BIN)/python -m pytest tests/test_install.py

# Everything, with new examples for the property tests.
nightly: $(READY)
	$(PYTEST) --hypothesis-profile=search
	$(MAKE) portable PORTABLE="tests/test_docs.py $(PORTABLE)"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/python -m benchmarks

# Simulates every test and interval anew and writes docs/calibration.md.
calibration: $(READY)
	$(BIN)/python -m benchmarks.calibration

# Writes the generated pages anew and builds site/; open site/index.html.
docs: $(READY)
	$(BIN)/python -m tools.make_docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

# Debian packages that tests can use, as root; without them what needs one is skipped, or uses a Python package.
PACKAGES := wordnet-base chromium postgresql
system:
	@there=$$(dpkg-query -W -f '$${Package} $${Status}\n' $(PACKAGES) 2>/dev/null | grep -c ' installed$$' || true); \
	if [ "$$there" = "$(words $(PACKAGES))" ]; then echo "$(PACKAGES): installed"; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(PACKAGES) >/dev/null; \
	else echo "not root, or no apt: $(PACKAGES) left as they are"; fi

clean:
	rm -rf .venv karat-demo site
