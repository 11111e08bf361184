# The two commands are `make demo` and `make test`; both set up what they need.
PYTHON := target/python

.PHONY: demo test lint bench manual doc

demo: ## Build haggle and take the tour on the embedded Adult census data
	cargo build --release
	./target/release/haggle demo

test: lint $(PYTHON)/ready ## Everything that continuous integration runs
	HAGGLE_PYTHON=$(abspath $(PYTHON))/bin/python cargo test --workspace --locked

# Another tool that measures what haggle publishes.
$(PYTHON)/ready: crates/cli/tests/publish/requirements.txt
	python3 -m venv $(PYTHON) || { apt-get update && apt-get install -y python3-venv && python3 -m venv $(PYTHON); }
	$(PYTHON)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

lint: ## Formatting, clippy and documentation, all without a warning
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet

bench: ## Speed and memory, beside their targets and beside plain ways of doing the same
	cargo bench --package haggle-cli --bench report --locked

manual: ## The manual pages in docs/ from the catalogs
	HAGGLE_WRITE_MANUAL=1 cargo test --package haggle-cli --test manual

doc: ## The libraries' documentation
	cargo doc --workspace --no-deps --open
