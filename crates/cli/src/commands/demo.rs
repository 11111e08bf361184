//! `haggle demo`: the negotiation page on the embedded Adult census data.

use clap::Args;
use haggle_server::Settings;

use super::serve::ListenArgs;
use crate::Output;

/// The negotiation page on the embedded Adult census data
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    #[command(flatten)]
    listen: ListenArgs,
    /// Print the address and the token of programs as JSON
    #[arg(long)]
    json: bool,
}

impl DemoArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        self.listen.serve("demo:adult", Settings::default(), self.json)
    }
}
