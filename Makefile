# Two commands do everything on a fresh clone: `make report` and `make test`. Both create .venv first.
PYTHON ?= python3.11
ifeq (, $(shell command -v $(PYTHON) 2>/dev/null))
PYTHON := python3
endif
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
JOBS ?= 2

.PHONY: report test lint bench calibrate lab explore clean

report: .venv/.base
	$(BIN)/tonlab report

test: .venv/.dev
	$(BIN)/python -m pytest --numprocesses $(JOBS) --dist loadgroup

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/.dev
	$(PIP) --editable '.[peers]'
	$(BIN)/python -m pytest tests/bench --benchmark-only

# All estimates against the exact values, on many seeds: about ten minutes.
calibrate: .venv/.dev
	TONLAB_SEEDS=5600 $(BIN)/python -m pytest --numprocesses $(JOBS) -rP tests/test_calibration.py

lab: .venv/.lab
	$(BIN)/jupyter lab notebooks/00_start.ipynb

explore: .venv/.explore
	$(BIN)/tonlab explore

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache build *.egg-info

# A stamp for each set of packages, so that the first report does not wait for tools that only a developer needs.
.venv/.base: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(PIP) --editable .
	touch $@

# Not on top of the base: to choose versions twice takes a minute.
.venv/.dev: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(PIP) --editable '.[dev]'
	touch .venv/.base $@

.venv/.lab: .venv/.base
	$(PIP) --editable '.[lab]'
	touch $@

.venv/.explore: .venv/.base
	$(PIP) --editable '.[explore]'
	touch $@
