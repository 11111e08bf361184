//! An engine whose quasi-identifiers stand in another order: a view that shares what was annotated.

use std::sync::{Arc, OnceLock};

use haggle_cube::{Limits, OnDemand, Order};
use haggle_model::Error;
use haggle_project::facts::facts;

use super::{Engine, Progress, names};
use crate::criteria::criterion::Criterion;
use crate::lattice::store::{AnnotatedSchemes, LatticeStore};
use crate::lattice::tables::Judged;
use crate::recoding::results::Results;

/// The engine that another one is a view of.
#[derive(Debug)]
pub(super) struct Original {
    engine: Arc<Engine>,
    /// Where each scheme of the view stands in the original.
    order: Order,
}

impl Engine {
    /// Returns the engine with its quasi-identifiers in another order. Answers are those of an
    /// engine that was opened in that order; the annotated lattice and the tables of other models
    /// are shared.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use haggle::{Ask, Engine, Options, Privacy, Project};
    /// # let project = Project::open("demo:adult")?;
    /// let qi = Some(vec!["age".into(), "race".into()]);
    /// let engine = Arc::new(Engine::open(&project, &Options { qi, ..Options::default() })?);
    /// let other = engine.reordered(&["race".into(), "age".into()])?;
    /// assert_eq!(other.attributes(), ["race", "age"]);
    /// assert_eq!(other.top().to_string(), "[2,4]");
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn reordered(self: &Arc<Self>, qi: &[String]) -> Result<Self, Error> {
        let own = names(self.cube());
        let positions = qi.iter().map(|name| own.iter().position(|own| own == name));
        let positions: Option<Vec<usize>> = positions.collect();
        let mut each_once = positions.clone().unwrap_or_default();
        each_once.sort_unstable();
        each_once.dedup();
        let positions =
            positions.filter(|all| all.len() == own.len() && each_once.len() == own.len());
        let positions = positions.ok_or_else(|| {
            let fix = format!("name each of these once: {}", own.join(", "));
            Error::new("this is not an order of the quasi-identifiers", fix)
        })?;
        let cube = Arc::new(self.cube().select(&positions));
        let (store, original) = match self.store.annotated() {
            AnnotatedSchemes::Full(lattice) => {
                let order = lattice.order(&positions);
                let store = LatticeStore::full(lattice.reordered(cube.clone(), &order));
                let original = Original { engine: self.clone(), order };
                (store.with_fallback_of(&self.store), Some(original))
            }
            AnnotatedSchemes::OnDemand => (LatticeStore::on_demand(cube.clone()), None),
            AnnotatedSchemes::Partial(_) => {
                let what = "the selected schemes of a partial lattice depend on the order";
                return Err(Error::new(what, "open it in the order in which it was built"));
            }
        };
        Ok(Self {
            facts: facts(&cube, &self.stated)?,
            store,
            original,
            tables: self.tables.clone(),
            annotate_maximum: self.annotate_maximum,
            dropped: self.dropped,
            memory: self.memory,
            changes: self.changes,
            stated: self.stated.clone(),
            defaults: self.defaults.clone(),
            built: self.built.clone(),
            fingerprint: self.fingerprint.clone(),
            notice: self.notice.clone(),
            project: self.project.clone(),
            frequencies: OnceLock::new(),
            results: Results::default(),
        })
    }

    /// Whether its annotations are another engine's.
    pub(super) fn is_reordered(&self) -> bool {
        self.original.is_some()
    }

    /// What tells its order from others that share the same tables.
    pub(super) fn order_name(&self) -> String {
        match &self.original {
            Some(_) => format!("|{}", self.attributes().join("|")),
            None => String::new(),
        }
    }

    /// The lattice of some criteria, in the order of this engine.
    pub(crate) fn judge(
        &self,
        criteria: Vec<Criterion>,
        progress: &dyn Progress,
    ) -> Result<(Judged, Vec<Criterion>), Error> {
        let Some(Original { engine, order }) = &self.original else {
            return self.tables.judged(self.all_schemes()?, criteria, progress);
        };
        let (judged, criteria) = self.tables.judged(engine.all_schemes()?, criteria, progress)?;
        let lattice = judged.lattice.reordered(self.shared_cube().clone(), order);
        Ok((Judged { lattice, ..judged }, criteria))
    }

    /// Whether schemes are annotated as questions touch them, in memory that is kept for that.
    fn annotates_on_demand(&self) -> bool {
        matches!(self.store.annotated(), AnnotatedSchemes::OnDemand)
    }

    /// Limits the counted groups and what is annotated on demand to this many bytes, before the first
    /// question; an error if they are too few for a single scheme. Does nothing if all schemes are
    /// annotated.
    pub fn within(mut self, bytes: usize) -> Result<Self, Error> {
        if self.annotates_on_demand() {
            let memory = bytes.saturating_sub(self.cube().bytes());
            OnDemand::check_limits(self.cube(), Limits { memory })?;
            self.memory = memory;
        }
        Ok(self)
    }

    /// The bytes that it takes, but for what it shares with the engine that it is a view of.
    pub fn bytes(&self) -> usize {
        let own = match (&self.original, self.annotates_on_demand()) {
            (Some(original), _) => size_of_val(&*original.order),
            (None, true) => self.memory,
            (None, false) => self.annotated_bytes(),
        };
        self.cube().bytes() + own
    }

    /// The bytes of annotated schemes and of tables for further questions.
    pub fn annotated_bytes(&self) -> usize {
        self.store.bytes() + self.tables.bytes()
    }
}
