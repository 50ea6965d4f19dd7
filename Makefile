# Two commands do everything, set-up included: `make demo` and `make test`.
.PHONY: demo test test-all check client servers browser docs dist sbom set-up clean
.DEFAULT_GOAL := test

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A process for each core; which tests share one, tests/support/side_by_side.py says.
# Without the variable the bytecode is kept, which the next run and all that is started read.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest
TEST := $(PYTEST) --numprocesses logical --maxprocesses 8 --ignore tests/real
# The real clients alone: a prompt waits 150 ms for its note, and a client keeps two cores busy.
TEST_REAL := $(PYTEST) tests/real

# The seconds for which foreign bytes are given to every parser, on two processes.
FUZZED := 180

# How many tenths of the mutants of the files that decide are tried, drawn by chance at each run.
MUTATED := 3

set-up: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml
	@$(PYTHON) tools/set_up.py $(VENV)
	@touch $@

# `make demo FROM=wheel` plays it from the wheel, installed as a user installs it.
FROM ?= source
demo_source := $(BIN)/learnt demo
demo_wheel := $(BIN)/python -m tools.release demo

# The demo needs the package alone; what the tests want as well is installed for them.
$(VENV)/.demo: pyproject.toml
	@$(PYTHON) tools/set_up.py $(VENV) demo
	@touch $@

demo: $(or $(wildcard $(VENV)/.ready),$(VENV)/.demo)
	@$(or $(demo_$(FROM)),$(error FROM is source or wheel, not $(FROM)))

# The site in build/site; a browser opens its index.html without a server.
docs: set-up
	$(BIN)/python -m tools.site

dist: set-up
	@$(BIN)/python -m tools.release dist

sbom: set-up
	@$(BIN)/python -m tools.release sbom

check: set-up
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.docs --check
	$(BIN)/python -m tools.plugins --check
	$(BIN)/python -m tools.ceilings

client: set-up
	@$(BIN)/python tools/install_client.py

servers: set-up
	@$(BIN)/python tools/install_servers.py

browser: set-up
	@$(BIN)/python tools/install_servers.py browser

test: check client servers browser
	$(TEST_REAL) -m "not slow"
	$(TEST) -m "not slow"

test-all: export HYPOTHESIS_PROFILE = thorough
test-all: check client servers browser
	$(TEST_REAL)
	$(TEST)
	$(BIN)/python -m benchmarks.figures
	$(BIN)/python tools/fuzz.py --seconds $(FUZZED)
	$(BIN)/python tools/mutate.py --tenths $(MUTATED)

clean:
	rm -rf $(VENV) .tools .hypothesis .mypy_cache .pytest_cache .ruff_cache dist build
