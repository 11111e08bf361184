# The two commands are `make demo` and `make test`; both set up what they need.
.PHONY: demo test lint bench doc

demo: ## Build haggle and take the tour on the embedded Adult census data
	cargo build --release
	./target/release/haggle demo

test: lint ## Everything that continuous integration runs
	cargo test --workspace --locked

lint: ## Formatting, clippy and documentation, all without a warning
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet

bench: ## Speed and memory, beside their targets and beside plain ways of doing the same
	cargo bench --package haggle-cli --bench report --locked

doc: ## The libraries' documentation
	cargo doc --workspace --no-deps --open
