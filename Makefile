# Everything happens in .venv; nothing is installed on the machine. `make help` lists the targets.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Debian's python3 comes without ensurepip, so the environment is made without pip and filled by the pip outside it.
PIP := $(PYTHON) -m pip --python $(BIN)/python --disable-pip-version-check --no-input
INSTALL := $(PIP) install --quiet --require-hashes --requirement
# uv resolves the locks (`make lock` only): for Python 3.11 and later and every platform at once.
UV ?= uv
COMPILE := UV_PYTHON_DOWNLOADS=never UV_CUSTOM_COMPILE_COMMAND="make lock" $(UV) pip compile --quiet --universal \
	--python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate pyproject.toml --group build

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test extras browser lab lint lock train clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 8

demo: $(VENV)/.core ## install, scan sample_sheets/ and its season, write overlays, season files, pictures and report into demo/
	$(BIN)/clabber demo

test: $(VENV)/.test ## install what the tests need and run all of them
	$(BIN)/python -m pytest

lint: $(VENV)/.test ## check style and imports
	$(BIN)/python -m ruff check .

extras: $(VENV)/.extras ## install what Parquet files, HEIC photos and --cluster need
	@echo "Ready: $(BIN)/clabber --help"

browser: $(VENV)/.browser ## install what the tests of the review page need besides chromium
	@echo "Ready: make test runs them too, if chromium is installed."

lab: $(VENV)/.lab ## install JupyterLab and open the notebooks
	$(BIN)/python -m jupyterlab notebooks

train: $(VENV)/.train ## install what training the reader needs (see scanner/reader/model for the command)
	@echo "Ready: $(BIN)/python -m scanner.workshop.train --help"

lock: ## resolve requirements/*.lock again from pyproject.toml (needs uv)
	$(COMPILE) --output-file requirements/core.lock
	$(COMPILE) --constraint requirements/core.lock --group test --extra heic --extra parquet --extra cluster --output-file requirements/test.lock
	$(COMPILE) --constraint requirements/test.lock --extra heic --extra parquet --extra cluster --output-file requirements/extras.lock
	$(COMPILE) --constraint requirements/test.lock --group browser --output-file requirements/browser.lock
	$(COMPILE) --constraint requirements/test.lock --extra lab --output-file requirements/lab.lock
	$(COMPILE) --constraint requirements/test.lock --group train --override requirements/no-torch.txt --no-emit-package torch \
		--output-file requirements/train.lock

clean: ## remove the environment, what the demo wrote and the scanned sample season
	rm -rf $(VENV) demo .cache

# A stamp is touched only after its install went through, so one that was interrupted is done again.
$(VENV)/.made:
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed, this is " + sys.version) if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv --clear --without-pip $(VENV)
	@touch $@

$(VENV)/.core: requirements/core.lock pyproject.toml | $(VENV)/.made
	$(INSTALL) requirements/core.lock
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.test: requirements/test.lock | $(VENV)/.core
	$(INSTALL) requirements/test.lock
	@touch $@

$(VENV)/.extras: requirements/extras.lock | $(VENV)/.core
	$(INSTALL) requirements/extras.lock
	@touch $@

$(VENV)/.browser: requirements/browser.lock | $(VENV)/.core
	$(INSTALL) requirements/browser.lock
	@touch $@

$(VENV)/.lab: requirements/lab.lock | $(VENV)/.core
	$(INSTALL) requirements/lab.lock
	@touch $@

# torch is not in the lock: its CPU build comes from wherever pip is set up to find one, the default is gigabytes larger.
$(VENV)/.train: requirements/train.lock | $(VENV)/.core
	$(INSTALL) requirements/train.lock
	$(PIP) install --quiet torch==2.13.0
	@touch $@
