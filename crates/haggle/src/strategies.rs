//! The field's algorithms on a table: what each finds for a request, ready to be published.

use std::time::{Duration, Instant};

use haggle_cube::{Applied, Base, Watch};
use haggle_model::{Recoding, Scheme};
use haggle_search::strategies::{
    CATALOG, Criterion as Threshold, Ending, Outcome, Strategy, Task, Weight, find, refine, refined,
};
use serde::Serialize;

use crate::criterion::Criterion;
use crate::loss::{Judge, Judging};
use crate::on_demand::Form;
use crate::recoded::Recoded;
use crate::{Ask, Engine, Error, Progress};

/// The answer that is exact over all schemes.
pub(crate) const LATTICE: &str = "lattice";
/// The same with suppressed records at higher levels.
pub(crate) const REFINED: &str = "refined";
/// Boxes from a summary of the data.
pub(crate) const M_INSTANT: &str = "m-instant";

/// How a recoding is found, other than by naming a scheme.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recipe {
    /// The strategy's id; without one, the lattice's answer.
    pub strategy: Option<String>,
    /// Whether suppressed records get a second chance at higher levels.
    pub refine: bool,
    /// The result that a comparison told of; the strategy must find just that.
    pub result: Option<String>,
    /// How long the strategy may search; without a time, until it is done.
    pub patience: Option<Duration>,
    /// A recoding as it was applied before.
    pub again: Option<Recoding>,
}

impl Recipe {
    /// An error if what is named contradicts itself.
    pub(crate) fn check(&self, scheme: Option<&Scheme>) -> Result<(), Error> {
        let named = self.strategy.as_deref();
        let what = match (named, &self.result) {
            (None, Some(_)) => "a result is named, and no strategy that found it",
            (Some(_), _) if scheme.is_some() => "a scheme and a strategy are named",
            (Some(_), _) if self.refine => "a strategy is to be refined, and only schemes can be",
            _ => return Ok(()),
        };
        Err(Error::new(what, "name a scheme, or a strategy with the result that it found"))
    }
}

/// A strategy as a catalog tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StrategyEntry {
    /// The name used in requests, files and addresses.
    pub id: &'static str,
    /// The name used in sentences.
    pub title: &'static str,
    /// The kind of recoding that it finds: `levels`, `cuts`, `boxes` or `parts`.
    pub recoding: &'static str,
    /// What it does.
    pub definition: &'static str,
    /// What it looks for, so what is proven where it says so.
    pub finds: &'static str,
    /// Who proposed it, where.
    pub citation: &'static str,
    /// What it needs of the request.
    pub needs: &'static str,
}

impl StrategyEntry {
    const fn of(strategy: &Strategy) -> Self {
        let Strategy { id, title, recoding, definition, finds, citation, needs, .. } = *strategy;
        Self { id, title, recoding, definition, finds, citation, needs }
    }
}

const OWN: [StrategyEntry; 3] = [
    StrategyEntry {
        id: LATTICE,
        title: "the lattice's answer",
        recoding: "levels",
        definition: "Looks at the annotation of every scheme under the maximum levels.",
        finds: "the scheme that loses least",
        citation: "A. Pilalidou, P. Vassiliadis: Trading privacy for information loss in the blink of an eye. SSDBM 2012; exact over every scheme",
        needs: "every scheme annotated",
    },
    StrategyEntry {
        id: REFINED,
        title: "the lattice's answer, refined",
        recoding: "parts",
        definition: "Groups what the lattice's answer suppresses once more at the higher levels after which least is lost, again and again until nothing changes.",
        finds: "the least loss of each step",
        citation: "local recoding of outliers; after J. Xu, W. Wang, J. Pei et al.: Utility-based anonymization using local recoding. KDD 2006",
        needs: "every scheme annotated",
    },
    StrategyEntry {
        id: M_INSTANT,
        title: "M-INSTANT",
        recoding: "boxes",
        definition: "Splits boxes by what a summary of the data predicts, counts them in one scan, merges those that fail with their siblings and splits the large ones.",
        finds: "some boxes, in few scans",
        citation: "M. E. Nergiz, A. Tamersoy, Y. Saygin: Instant anonymization. ACM TODS 36(1), 2011",
        needs: "k-anonymity or frequency l-diversity to predict by; what is found keeps all that is asked",
    },
];

/// Every strategy, in the order in which they are listed.
///
/// ```
/// assert!(haggle::strategies().iter().any(|strategy| strategy.id == "mondrian"));
/// ```
pub fn strategies() -> Vec<StrategyEntry> {
    let counted = CATALOG.iter().map(|strategy| StrategyEntry::of(strategy));
    OWN[..2].iter().copied().chain(counted).chain([OWN[2]]).collect()
}

/// The strategy with this id; an error names all.
pub(crate) fn entry(id: &str) -> Result<StrategyEntry, Error> {
    let all = strategies();
    all.iter().find(|strategy| strategy.id == id).copied().ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|strategy| strategy.id).collect();
        let what = format!("there is no strategy '{id}'");
        Error::new(what, format!("choose one of: {}", known.join(", ")))
    })
}

/// What a strategy found, and what that took.
pub(crate) struct Found<'a> {
    pub(crate) recoded: Recoded<'a>,
    pub(crate) evaluated: u64,
    pub(crate) scans: Option<u64>,
    pub(crate) proven: bool,
}

/// How a search ended.
pub(crate) enum Searched<'a> {
    Found(Box<Found<'a>>),
    Nothing { evaluated: u64 },
    GaveUp { evaluated: u64 },
}

fn found(recoded: Recoded<'_>, evaluated: u64, proven: bool) -> Searched<'_> {
    Searched::Found(Found { recoded, evaluated, scans: None, proven }.into())
}

/// A search to be made.
pub(crate) struct Search<'a> {
    pub(crate) ask: &'a Ask,
    pub(crate) criteria: &'a [Criterion],
    pub(crate) judge: &'a Judge,
    pub(crate) patience: Option<Duration>,
    pub(crate) watch: &'a Watch<'a>,
}

impl Engine {
    /// What a strategy finds for a request.
    pub(crate) fn search(&self, id: &str, search: &Search<'_>) -> Result<Searched<'_>, Error> {
        let judging = search.judge.on(self.cube(), self.facts())?;
        match (entry(id)?.id, find(id)) {
            (LATTICE, _) => Ok(self.best_scheme(search)?.map_or(
                Searched::Nothing { evaluated: 0 },
                |(scheme, evaluated)| {
                    found(Recoded::scheme(self.cube(), scheme), evaluated, self.weighs_all())
                },
            )),
            (REFINED, _) => {
                let Some((scheme, visited)) = self.best_scheme(search)? else {
                    return Ok(Searched::Nothing { evaluated: 0 });
                };
                let (recoded, evaluated) = self.refined(search, &judging, &scheme)?;
                Ok(found(recoded, visited + evaluated, false))
            }
            (_, Some(strategy)) => self.run(search, &judging, |task| Ok((strategy.run)(task)?)),
            _ => self.m_instant(search),
        }
    }

    /// Makes what a strategy looks up of schemes, where it can be watched and given up.
    pub(crate) fn prepare_search(
        &self,
        id: &str,
        search: &Search<'_>,
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        if [LATTICE, REFINED].contains(&id) {
            self.prepare(search.ask, std::slice::from_ref(search.judge), progress)?;
        }
        Ok(())
    }

    /// Whether every scheme is annotated, so that the one that loses least can be told.
    fn weighs_all(&self) -> bool {
        matches!(self.form(), Form::Full)
    }

    /// The scheme that loses least (the lowest one, if not every scheme is annotated), and how many were
    /// looked at.
    fn best_scheme(&self, search: &Search<'_>) -> Result<Option<(Scheme, u64)>, Error> {
        let optimize = self.weighs_all().then(|| search.judge.clone());
        let answer = self.ask(&Ask { optimize, top: None, ..search.ask.clone() })?;
        Ok(answer.exact.map(|offer| (offer.scheme, answer.visited)))
    }

    /// A scheme with suppressed records at higher levels.
    pub(crate) fn refined(
        &self,
        search: &Search<'_>,
        judging: &Judging,
        scheme: &Scheme,
    ) -> Result<(Recoded<'_>, u64), Error> {
        let base = Base::of(self.cube());
        let outcome = refine(&self.task(search, judging, &base)?, scheme)?;
        let Outcome { recoding, applied, evaluated, .. } = outcome;
        Ok((Recoded::applied(self.cube(), base, recoding, applied), evaluated))
    }

    /// A recoding of an earlier publication on this table.
    pub(crate) fn recoded_again(
        &self,
        search: &Search<'_>,
        recoding: &Recoding,
    ) -> Result<Recoded<'_>, Error> {
        let base = Base::of(self.cube());
        let applied = match recoding {
            Recoding::Parts { schemes } => {
                let schemes: Vec<Scheme> =
                    schemes.iter().map(|scheme| self.scheme(scheme)).collect::<Result<_, _>>()?;
                let judging = search.judge.on(self.cube(), self.facts())?;
                refined(&self.task(search, &judging, &base)?, &schemes).applied
            }
            other => Applied::of(self.cube().attributes(), &base, other)?,
        };
        Ok(Recoded::applied(self.cube(), base, recoding.clone(), applied))
    }

    /// The request as strategies are asked it.
    pub(crate) fn task<'t>(
        &'t self,
        search: &'t Search<'_>,
        judging: &'t Judging,
        base: &'t Base,
    ) -> Result<Task<'t>, Error> {
        let criteria = search.criteria.iter().map(|criterion| Threshold {
            statistic: criterion.judge(),
            threshold: criterion.numbers[0].value,
        });
        let request = search.ask.request_on(self.cube(), Vec::new(), Vec::new())?;
        let entry = judging.entry;
        Ok(Task {
            cube: self.cube(),
            base,
            criteria: criteria.collect(),
            caps: request.caps,
            limit: request.limit,
            loss: judging.loss.as_ref(),
            weight: Weight {
                monotone: entry.monotone,
                suppressing_costs: entry.suppressing_costs,
                additive: entry.additive,
            },
            class: self.facts().first().map(|facts| facts.target.position),
            watch: search.watch,
            deadline: search.patience.map(|patience| Instant::now() + patience),
        })
    }

    fn run(
        &self,
        search: &Search<'_>,
        judging: &Judging,
        run: impl FnOnce(&Task<'_>) -> Result<Ending, Error>,
    ) -> Result<Searched<'_>, Error> {
        let base = Base::of(self.cube());
        let ending = run(&self.task(search, judging, &base)?)?;
        Ok(match ending {
            Ending::Found(outcome) => {
                let Outcome { recoding, applied, evaluated, proven } = *outcome;
                let recoded = Recoded::applied(self.cube(), base, recoding, applied);
                found(recoded, evaluated, proven)
            }
            Ending::Nothing { evaluated } => Searched::Nothing { evaluated },
            Ending::GaveUp { evaluated } => Searched::GaveUp { evaluated },
        })
    }
}
