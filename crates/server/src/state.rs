//! What all requests share.

use std::sync::Arc;

use haggle::{Ask, Engine, Project};

use crate::engines::Engines;
use crate::failure::Failure;
use crate::guard::Guard;

/// What all requests share.
pub(crate) struct State {
    pub(crate) project: Arc<Project>,
    pub(crate) engines: Arc<Engines>,
    pub(crate) guard: Guard,
}

/// As routes take it.
pub(crate) type Shared = axum::extract::State<Arc<State>>;

impl State {
    /// Asks the lattice of these quasi-identifiers. What it can tell at once is told at once; what
    /// takes long does not keep others waiting.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        qi: Option<Vec<String>>,
        ask: Ask,
        question: impl FnOnce(&Engine, &Ask) -> Result<T, haggle::Error> + Send + 'static,
    ) -> Result<T, Failure> {
        let engine = self.engines.get(qi).await?;
        if engine.is_quick(&ask) {
            return Ok(question(&engine, &ask)?);
        }
        blocking(move || question(&engine, &ask)).await
    }
}

/// Runs long work aside.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, haggle::Error> + Send + 'static,
) -> Result<T, Failure> {
    let done = tokio::task::spawn_blocking(work).await.map_err(|_| Failure::internal())?;
    Ok(done?)
}

impl State {
    /// Gives up long work.
    pub(crate) fn stop(&self) {
        self.engines.stop();
    }
}
