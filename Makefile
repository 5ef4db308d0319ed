# The two commands a newcomer needs are `make demo` and `make test`; each sets up all it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One more than the two cores of a small machine: a test that waits leaves its core to others.
JOBS ?= 3
# The tests that `make test` runs; continuous integration leaves out the slow ones alone.
TESTS ?= not slow and not thorough
LOWEST := .venv-lowest
NEWEST := .venv-newest
PYTHON_3_11 ?= $(shell $(PYTHON) .ci/machines.py --find 3.11)
PYTHON_NEWEST ?= $(shell $(PYTHON) .ci/machines.py --find newest)
# What pip installs as PyTorch for `make test-models`, where there is none; any build will do.
TORCH ?= torch
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
# uv installs in seconds what takes pip half a minute. Where there is no uv, or where it does not
# find the packages (pip's own settings name a mirror, say), pip installs them.
install = { { test -x $(BIN)/uv && $(BIN)/uv pip install --quiet --python $(1)/bin/python $(2); } || \
  $(1)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile $(2); }
# Hundreds of processes import the same packages: each package is compiled once, by the first.
unexport PYTHONDONTWRITEBYTECODE
# Node's default of 16 MB for young objects makes pyright collect garbage for a quarter of its time.
PYRIGHT = NODE_OPTIONS=--max-semi-space-size=128 $(BIN)/pyright --pythonpath $(BIN)/python
.PHONY: demo test test-all tests test-models lint lint-package lint-tests tests-slow bench docs docs-site clean browser set-up \
  venv-lowest venv-newest lowest-versions machines

demo: $(VENV)/.ready  ## a test, 18 simulated examinees, a page of results (offline)
	$(BIN)/gfactor demo -o demo --jobs $(JOBS)

test: set-up  ## lint, types and every rule, defect and recorded digit, in minutes
	@$(MAKE) --no-print-directory --jobs=2 tests lint-package

test-all: set-up  ## what `make test` leaves out: whole families, kills, browsers, notebooks, corpora
	@$(MAKE) --no-print-directory --jobs=2 tests-slow lint-tests

# One process compiles packages and tests to bytecode first; three at once would compile all thrice.
tests: $(VENV)/.ready-dev
	@test -d src/gfactor/__pycache__ || \
	  $(BIN)/pytest --collect-only --ignore=tests/models -m "$(TESTS)" > /dev/null || true
	$(BIN)/pytest -n $(JOBS) --dist loadfile --ignore=tests/models -m "$(TESTS)" --durations=20

tests-slow: $(VENV)/.ready-dev
	$(BIN)/pytest -n $(JOBS) --ignore=tests/models -m "slow or thorough" --durations=20

# Packages and the browser come at the same time.
set-up:
	@$(MAKE) --no-print-directory --jobs=2 $(VENV)/.ready-dev browser

test-models: $(VENV)/.ready-dev $(VENV)/.ready-models  ## tests of local models, with PyTorch
	$(BIN)/pytest tests/models -rs

lint: $(VENV)/.ready-dev  ## ruff (lint and format) and pyright
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(PYRIGHT)

# Types of tests and benchmarks take minutes of their own, and wait for `make test-all`.
lint-package: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(PYRIGHT) src

lint-tests: $(VENV)/.ready-dev
	$(PYRIGHT) tests benchmarks

bench: $(VENV)/.ready-dev  ## slow measurements, written into docs/evidence/benchmarks.md
	$(BIN)/python benchmarks/drawing.py --write docs/evidence/benchmarks.md
	$(BIN)/python benchmarks/bank.py --write docs/evidence/benchmarks.md

docs: $(VENV)/.ready-dev  ## refresh generated pages and the outputs of all examples (10 minutes)
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/console.py

docs-site: $(VENV)/.ready-docs  ## the documentation as a site in site/, every warning an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html"

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "gfactor needs Python 3.11 or newer; call make with PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: pyproject.toml | $(VENV)/.has-uv
	$(call install,$(VENV),--editable .)
	@touch $@

$(VENV)/.ready-%: pyproject.toml | $(VENV)/.has-uv
	$(call install,$(VENV),--editable '.[$*]')
	@touch $@

$(VENV)/.has-uv: | $(VENV)/bin/python
	@$(PIP) --no-compile uv || echo "no uv: pip installs the packages, which takes longer"
	@touch $@

$(VENV)/.ready-models: | $(VENV)/.has-torch

$(VENV)/.has-torch: | $(VENV)/bin/python
	@$(BIN)/python -c 'import torch' 2>/dev/null || \
	  $(PIP) '$(TORCH)'
	@touch $@

# What .ci/machines.py runs the numerical tests with besides $(VENV).
venv-lowest: $(LOWEST)/.ready  ## an environment with the lowest versions that pyproject.toml allows

$(LOWEST)/.ready: pyproject.toml .ci/lowest.txt | $(VENV)/.has-uv
	@test -n "$(PYTHON_3_11)" || { echo "there is no Python 3.11 here; give PYTHON_3_11=PATH"; exit 1; }
	$(PYTHON_3_11) -m venv --clear $(LOWEST)
	$(call install,$(LOWEST),--requirement .ci/lowest.txt)
	$(call install,$(LOWEST),--no-deps --editable .)
	@touch $@

# Where no Python newer than 3.11 is installed, the reason is written down instead.
venv-newest: $(NEWEST)/.ready  ## an environment of the newest Python that is installed

$(NEWEST)/.ready: pyproject.toml | $(VENV)/.has-uv
	@rm -rf $(NEWEST) && mkdir $(NEWEST)
	@if test -n "$(PYTHON_NEWEST)"; then \
	  "$(PYTHON_NEWEST)" -m venv $(NEWEST) && \
	  $(call install,$(NEWEST),--editable '.[dev]'); \
	else echo "no Python newer than 3.11 is installed here" > $(NEWEST)/.none; fi
	@touch $@

lowest-versions:  ## write .ci/lowest.txt anew, from the versions in pyproject.toml
	$(PYTHON) -m venv --clear $(LOWEST)-uv
	$(LOWEST)-uv/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(LOWEST)-uv/bin/uv pip compile --quiet --resolution lowest-direct --python-version 3.11 \
	  --extra dev --no-header --no-annotate --output-file .ci/lowest.txt pyproject.toml
	rm -rf $(LOWEST)-uv

machines: $(VENV)/.ready-dev venv-lowest venv-newest  ## the numerical tests as on other machines
	$(BIN)/python .ci/machines.py --jobs $(JOBS)

# Debian's Chromium opens the report in the tests; without it (and without the rights to install
# it) those tests skip and say so.
browser:
	@command -v chromium >/dev/null 2>&1 || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 && \
	  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } || \
	  echo "no chromium: the browser tests will be skipped"

clean:
	rm -rf $(VENV) $(LOWEST) $(NEWEST) demo site .pytest_cache .ruff_cache .hypothesis
