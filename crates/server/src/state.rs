//! What all requests share.

use std::sync::Arc;

use haggle::{Ask, Columns, Engine, Project};
use tokio::sync::OnceCell;

use crate::engines::Engines;
use crate::failure::Failure;
use crate::guard::Guard;
use crate::publications::Publications;

/// What all requests share.
pub(crate) struct State {
    pub(crate) project: Arc<Project>,
    pub(crate) engines: Arc<Engines>,
    pub(crate) guard: Guard,
    pub(crate) publications: Publications,
    /// What the data holds, looked at once.
    pub(crate) columns: OnceCell<Columns>,
    pub(crate) memory: usize,
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

    /// The same for questions that always take a while.
    pub(crate) async fn ask_aside<T: Send + 'static>(
        &self,
        qi: Option<Vec<String>>,
        ask: Ask,
        question: impl FnOnce(&Engine, &Ask) -> Result<T, haggle::Error> + Send + 'static,
    ) -> Result<T, Failure> {
        let engine = self.engines.get(qi).await?;
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
        self.publications.stop();
    }
}
