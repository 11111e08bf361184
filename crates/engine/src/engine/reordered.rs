//! An engine whose quasi-identifiers stand in another order: a view that shares what was annotated.

use std::sync::{Arc, OnceLock};

use haggle_cube::{FullLattice, Limits, OnDemand, Order};
use haggle_model::Error;
use haggle_project::facts::facts;

use super::{Engine, Progress, names};
use crate::criterion::Criterion;
use crate::form::{Flexible, Form};
use crate::lattices::Lattices;
use crate::results::Results;
use crate::tables::Judged;

/// The engine that another one is a view of.
#[derive(Debug)]
pub(super) struct Original {
    engine: Arc<Engine>,
    /// Where each scheme of the view stands in the original.
    order: Order,
}

impl Engine {
    /// The same engine with its quasi-identifiers in another order. Answers are those of an engine that
    /// was opened in that order; the annotated lattice and the tables of other models are shared.
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
        let (lattice, form, original) = match &self.form {
            Form::Full => {
                let order = self.lattice.order(&positions);
                let lattice = self.lattice.reordered(cube.clone(), &order);
                (lattice, Form::Full, Some(Original { engine: self.clone(), order }))
            }
            Form::OnDemand(_) => {
                let bare = FullLattice::of_tables(cube.clone(), Vec::new(), None);
                (bare, Form::OnDemand(Lattices::default()), None)
            }
            Form::Partial(_) => {
                let what = "the selected schemes of a partial lattice depend on the order";
                return Err(Error::new(what, "open it in the order in which it was built"));
            }
        };
        Ok(Self {
            facts: facts(&cube, &self.stated)?,
            lattice,
            form,
            original,
            tables: self.tables.clone(),
            flexible: self.flexible.as_ref().map(Flexible::reordered),
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
            return self.tables.judged(&self.lattice, criteria, progress);
        };
        let (judged, criteria) = self.tables.judged(&engine.lattice, criteria, progress)?;
        let lattice = judged.lattice.reordered(self.shared_cube().clone(), order);
        Ok((Judged { lattice, ..judged }, criteria))
    }

    /// Whether schemes are annotated as questions touch them, in memory that is kept for that.
    pub fn annotates_on_demand(&self) -> bool {
        matches!(self.form, Form::OnDemand(_))
    }

    /// Limits what is annotated on demand to this many bytes, before the first question; an error if
    /// they are too few for a single scheme.
    pub fn within(mut self, memory: usize) -> Result<Self, Error> {
        OnDemand::check_limits(self.cube(), Limits { memory })?;
        self.memory = memory;
        Ok(self)
    }

    /// The bytes that it takes, but for what it shares with the engine that it is a view of.
    pub fn bytes(&self) -> usize {
        let own = match (&self.original, &self.form) {
            (Some(original), _) => size_of_val(&*original.order),
            (None, Form::OnDemand(_)) => self.memory,
            (None, _) => self.annotated_bytes(),
        };
        self.cube().bytes() + own
    }

    /// The bytes of annotated schemes and of tables for further questions.
    pub fn annotated_bytes(&self) -> usize {
        let tables = self.lattice.tables().iter().map(|table| table.bytes());
        tables.sum::<usize>() + self.tables.bytes()
    }
}
