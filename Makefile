# `make` lists the targets. Everything runs in environments of its own, made when first needed:
#   .venv       core, agents and, for development, test and lint tools
#   .venv-adk   the same with google-adk's eval extra (600 MB), for comparisons with ADK's own evaluators
# `PYTHON=python3.12 make test` works beside them, in .venv-python3.12. `ARGS` goes to pytest, to a live run or to the benchmarks.

PYTHON ?= python3
SPACE := $(subst ,, )
SUFFIX := $(if $(filter file,$(origin PYTHON)),,-$(subst /,-,$(subst $(SPACE),-,$(PYTHON:/%=%))))
VENV := .venv$(SUFFIX)
ADK_VENV := .venv-adk$(SUFFIX)

ADK_EXTRAS := adk-eval,agents,fast,test

# A stamp stands for a finished installation. It is named after this folder, because an environment that was copied
# along with a checkout still points at the old one.
HERE := $(firstword $(shell printf %s "$(CURDIR)" | cksum))
RUN := $(VENV)/.ready-run-$(HERE)
DEV := $(VENV)/.ready-dev-$(HERE)
ADK := $(ADK_VENV)/.ready-adk-$(HERE)

# Bytecode is written when a module is first used: cheaper than compiling everything at once, far cheaper than never.
unexport PYTHONDONTWRITEBYTECODE
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install eval eval-live test coverage test-adk check format bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

install: $(DEV) ## make .venv, with everything needed to develop

eval: $(RUN) ## evaluate the agents offline: their golden conversations over mocked tools
	@$(VENV)/bin/evalkit run evalsets --mode golden

eval-live: $(RUN) ## the same with the agents' own models: needs credentials and spends money
	@$(VENV)/bin/evalkit run evalsets --mode live $(ARGS)

# Each worker takes tests that stand together, so that what a module sets up is set up once.
test: $(DEV) ## run the tests
	@$(VENV)/bin/python -m pytest -n auto --dist worksteal -m "not adk_eval" $(ARGS)

coverage: $(DEV) ## run the tests, and show which lines and branches they reach: slower
	@$(VENV)/bin/python -m pytest -n auto --dist worksteal -m "not adk_eval" --cov --cov-report=term $(ARGS)

test-adk: $(ADK) ## run the tests that compare with ADK's own evaluators
	@$(ADK_VENV)/bin/python -m pytest -m adk_eval $(ARGS)

check: $(DEV) ## format, lint and types
	@$(VENV)/bin/python -m ruff format --check .
	@$(VENV)/bin/python -m ruff check .
	@$(VENV)/bin/python -m mypy

format: $(DEV) ## format the code, and fix what the linter can
	@$(VENV)/bin/python -m ruff check --fix-only --quiet .
	@$(VENV)/bin/python -m ruff format .

bench: $(ADK) ## measure evalkit side by side with ADK
	@$(ADK_VENV)/bin/python benchmarks/run.py $(ARGS)

clean: ## remove the environments, and all that tools leave behind
	@rm -rf .venv* .coverage* .evalkit .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# $(call environment,FOLDER): a new environment, unless the one that is there was finished and is only out of date.
define environment
	@test -e $@ || '$(PYTHON)' -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo 'evalkit needs Python 3.11 or later; name one: PYTHON=python3.12 make $(MAKECMDGOALS)' >&2; exit 1; }
	@test -e $@ || '$(PYTHON)' -c 'import ensurepip, venv' 2>/dev/null \
	    || { echo '$(PYTHON) cannot make virtual environments; on Debian: apt-get install python3-venv' >&2; exit 1; }
	@test -e $@ || { echo 'Making $(1), once'; '$(PYTHON)' -m venv --clear $(1) \
	    && $(1)/bin/python -m pip install --quiet --no-compile --upgrade pip; }
	@rm -f $@
endef

# $(call requirements,FOLDER,EXTRAS): this checkout, editable, with what it needs.
define requirements
	@echo 'Installing evalkit[$(2)] into $(1)'
	@$(1)/bin/python -m pip install --quiet --no-compile --editable '.[$(2)]'
	@touch $@
endef

$(RUN): pyproject.toml
	$(call environment,$(VENV))
	$(call requirements,$(VENV),agents)

$(DEV): $(RUN)
	$(call requirements,$(VENV),dev)

$(ADK): pyproject.toml
	$(call environment,$(ADK_VENV))
	$(call requirements,$(ADK_VENV),$(ADK_EXTRAS))
