//! What an engine is asked: for the best scheme, by height or by loss, and what thresholds cost.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use haggle_api::{Answer, Ask, Example, Judge, Levels};
use haggle_cube::{Histogram, Lattice, Weighed};
use haggle_model::{Error, Scheme};
use haggle_search::optimize::{Ranked, optimize};
use haggle_search::{Request, negotiate, study};

use super::{Engine, Progress, Silent};
use crate::criterion::{Criterion, unit};
use crate::judging::{Judged as Losing, Judging};
use crate::on_demand::Form;
use crate::resolve::request_of;
use crate::tables::Judged;
use crate::wording::Wording;

pub(super) use haggle_api::HeightStudy;
pub(super) use haggle_api::SchemeHistogram;
pub(super) use haggle_api::Study;

/// Reports a histogram of the statistic that a criterion is judged by.
pub(crate) fn histogram_of(criterion: &Criterion, histogram: Histogram<'_>) -> SchemeHistogram {
    SchemeHistogram {
        model: criterion.model.id,
        parameter: criterion.numbers[0].parameter.name,
        groups: histogram.groups(),
        bins: histogram.bins().collect(),
    }
}

impl Engine {
    /// The privacy of a request on this table. A threshold may be beyond what its values allow: the
    /// answer then says what could be relaxed.
    pub fn criteria(&self, ask: &Ask) -> Result<Vec<Criterion>, Error> {
        let unit = unit(self.cube());
        Criterion::all(&ask.privacy, &self.facts, unit.as_ref())
    }

    /// Resolves a loss measure on this table.
    pub fn judging(&self, judge: &Judge) -> Result<Judging, Error> {
        Judging::of(judge, self.cube(), &self.facts)
    }

    /// A lattice that carries the privacy of a request; its tables are made if nobody asked before.
    pub fn judged(&self, ask: &Ask) -> Result<(Judged, Vec<Criterion>), Error> {
        self.all_annotated("this question")?;
        self.judge(self.criteria(ask)?, &Silent)
    }

    /// Makes what a request needs beyond the lattice, and what weighing by these measures needs;
    /// questions then find it. Only this tells of its progress and can be given up.
    ///
    /// ```
    /// # use haggle::{Ask, Engine, Options, Privacy, Project, Silent};
    /// # let project = Project::open("demo:adult")?;
    /// let qi = Some(vec!["age".into(), "race".into()]);
    /// let engine = Engine::open(&project, &Options { qi, ..Options::default() })?;
    /// let ask = Ask { privacy: vec![Privacy::of("t-closeness", 0.2)], ..Ask::default() };
    /// engine.prepare(&ask, &["lm".parse()?], &Silent)?;
    /// assert!(engine.is_quick(&ask));
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn prepare(
        &self,
        ask: &Ask,
        measures: &[Judge],
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        if !matches!(self.form, Form::Full) || self.lattices_for(ask)?.is_some() {
            return Ok(()); // schemes are counted as the question touches them, or were selected
        }
        match (self.make_tables(ask, measures, progress), &self.flexible) {
            (Err(Error::Memory { .. }), Some(flexible)) => {
                flexible.too_little_memory.store(true, Relaxed);
                Ok(())
            }
            (made, _) => made,
        }
    }

    fn make_tables(
        &self,
        ask: &Ask,
        measures: &[Judge],
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let ask = ask.or(&self.defaults);
        let (judged, criteria) = self.judge(self.criteria(&ask)?, progress)?;
        for judge in measures {
            let judging = self.judging(judge)?;
            for (criterion, required) in criteria.iter().zip(&judged.requirements) {
                let column = required.column;
                self.weighed_by(&judged, criterion, column, judge, &judging, progress)?;
            }
        }
        Ok(())
    }

    /// How often every scheme is gone through to make the tables that a question lacks.
    pub(crate) fn passes_for(&self, ask: &Ask) -> Result<usize, Error> {
        let ask = ask.or(&self.defaults);
        let criteria = self.criteria(&ask)?;
        let tables = if self.tables.has(&self.lattice, &criteria) { 0 } else { criteria.len() };
        let lacks = |criterion: &&Criterion| {
            let column = criterion.numbers[0].statistic.column();
            ask.optimize
                .as_ref()
                .is_some_and(|judge| !self.tables.has_weighed(&self.weighed_id(&column.id, judge)))
        };
        Ok(tables + criteria.iter().filter(lacks).count())
    }

    /// The measures that [`ask`](Self::ask) weighs by.
    pub fn measures(&self, ask: &Ask) -> Vec<Judge> {
        ask.or(&self.defaults).optimize.into_iter().collect()
    }

    /// Whether a request is answered in less than the blink of an eye: one model whose table is
    /// there, and no loss to weigh. A request that makes no sense is refused as quickly.
    pub fn is_quick(&self, ask: &Ask) -> bool {
        if !matches!(self.form, Form::Full) {
            return false;
        }
        let ask = ask.or(&self.defaults);
        let known = |criteria: Vec<Criterion>| {
            criteria.len() == 1 && self.tables.has(&self.lattice, &criteria)
        };
        ask.optimize.is_none() && self.criteria(&ask).map_or(true, known)
    }

    /// The request with the whole lattice in view, unless it states levels of its own: a study is
    /// not bound by what the project asks for.
    pub fn everywhere(&self, ask: &Ask) -> Ask {
        let all =
            || Levels::InOrder(self.top().levels().iter().map(|&level| level.into()).collect());
        Ask { levels: Some(ask.levels.clone().unwrap_or_else(all)), ..ask.clone() }
    }

    /// The scheme that is meant: the one named; else the exact answer, else what more suppression
    /// would give.
    pub fn chosen(&self, ask: &Ask, scheme: Option<&Scheme>) -> Result<Scheme, Error> {
        if let Some(scheme) = scheme {
            return self.scheme(scheme);
        }
        let answer = self.ask(ask)?;
        let relaxed = || answer.relaxations.as_ref().and_then(|offers| offers.suppression.as_ref());
        let offer = answer.exact.as_ref().or_else(relaxed);
        offer.map(|offer| offer.scheme.clone()).ok_or_else(|| {
            Error::new("no scheme meets this request", "name a scheme, or ask for less")
        })
    }

    /// An error if not every scheme is annotated, naming what needs that.
    fn all_annotated(&self, what: &str) -> Result<(), Error> {
        match self.form {
            Form::Full => Ok(()),
            _ => Err(self.needs_all(&format!("{what} needs every scheme"))),
        }
    }

    /// Answers a request.
    pub fn ask(&self, ask: &Ask) -> Result<Answer, Error> {
        if !matches!(self.form, Form::Full) {
            return self.ask_while(ask, &|_| true);
        }
        let start = Instant::now();
        let ask = ask.or(&self.defaults);
        let (judged, criteria) = self.judged(&ask)?;
        let request = request_of(&ask, &judged)?;
        let wording = Wording::new(self, &ask, &criteria, &request);
        if let Some(judge) = &ask.optimize {
            let judging = self.judging(judge)?;
            let measure = (judge, &judging);
            let best = self.best(measure, ask.top, &judged, &criteria, &request)?;
            let micros = start.elapsed().as_micros() as u64;
            let error = |scheme: &Scheme| judging.error(self.cube(), scheme, &criteria);
            if !best.is_empty() {
                return Ok(wording.ranked(&best, &judge.to_string(), error, micros));
            }
        }
        let found = negotiate(&judged.lattice, &request)?;
        let micros = start.elapsed().as_micros() as u64;
        Ok(wording.answer(found, micros))
    }

    /// The best schemes by a measure.
    fn best(
        &self,
        (judge, judging): (&Judge, &Judging),
        top: Option<usize>,
        judged: &Judged,
        criteria: &[Criterion],
        request: &Request,
    ) -> Result<Vec<Ranked>, Error> {
        let weighed = criteria.iter().zip(&judged.requirements);
        let weighed = weighed
            .map(|(criterion, r)| self.weighed(judged, criterion, r.column, judge, judging))
            .collect::<Result<Vec<_>, _>>()?;
        let (space, loss) = (judged.lattice.space(), judging.loss.as_ref());
        let alone = weighed.iter().zip(&judged.requirements);
        let losses = alone.map(|(weighed, r)| weighed.losses(loss, space, r.threshold)).collect();
        let losses = Losing { lattice: &judged.lattice, judging, criteria, losses };
        optimize(&judged.lattice, request, &losses, top.unwrap_or(1).max(1))
    }

    /// The key of a measure's weights behind a table, for this order of attributes.
    fn weighed_id(&self, column: &str, judge: &Judge) -> String {
        format!("{column}|{judge}{}", self.order_name())
    }

    /// A measure weighed behind a criterion's table; made if nobody asked before.
    pub(crate) fn weighed(
        &self,
        judged: &Judged,
        criterion: &Criterion,
        column: usize,
        judge: &Judge,
        judging: &Judging,
    ) -> Result<Arc<Weighed>, Error> {
        self.weighed_by(judged, criterion, column, judge, judging, &Silent)
    }

    fn weighed_by(
        &self,
        judged: &Judged,
        criterion: &Criterion,
        column: usize,
        judge: &Judge,
        judging: &Judging,
        progress: &dyn Progress,
    ) -> Result<Arc<Weighed>, Error> {
        let id = self.weighed_id(&judged.lattice.column(column).id, judge);
        self.tables.weighed(id, progress, |limits| {
            progress.start(&format!("weighing by {judge}"), self.built.schemes as u64);
            let weighed = judging.weigh(&judged.lattice, criterion, column, limits, progress);
            progress.finish();
            weighed
        })
    }

    /// The cost of a threshold at every height under the maximum levels.
    pub fn study(&self, ask: &Ask) -> Result<Vec<HeightStudy>, Error> {
        let ask = ask.or(&self.defaults);
        let (judged, _) = self.judged(&ask)?;
        let request = request_of(&ask, &judged)?;
        let part = self.lattice.space().under(&request.caps);
        let heights = study::study(&judged.lattice, &part, &request.requirements)?;
        Ok(heights
            .into_iter()
            .map(|study::HeightCost { height, schemes, least, mean, most }| HeightStudy {
                height,
                schemes,
                least,
                mean,
                most,
            })
            .collect())
    }

    /// The same over the whole lattice unless the request states levels, with what was asked and the
    /// account of the records.
    pub fn study_in_full(&self, ask: &Ask) -> Result<Study, Error> {
        let ask = self.everywhere(ask);
        Ok(Study {
            heights: self.study(&ask)?,
            asked: Ask { max_suppressed: None, ..self.asked(&ask)? },
            account: self.account(),
        })
    }

    /// One scheme's histogram of the model asked for.
    pub fn histogram(&self, ask: &Ask, scheme: &Scheme) -> Result<SchemeHistogram, Error> {
        let scheme = self.scheme(scheme)?;
        let ask = ask.or(&self.defaults);
        let (judged, criteria) = self.judged(&ask)?;
        let [criterion] = criteria.as_slice() else {
            let fix = "ask for the histogram of each model alone";
            return Err(Error::new("a histogram is of one model", fix));
        };
        Ok(histogram_of(criterion, judged.lattice.annotate(&scheme)?.histogram(0)))
    }

    /// What every attribute looks like under a scheme.
    pub fn examples(&self, scheme: &Scheme) -> Result<Vec<Example>, Error> {
        Ok(self.frequencies().examples(self.cube(), &self.scheme(scheme)?))
    }
}
