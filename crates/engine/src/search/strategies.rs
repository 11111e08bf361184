//! The field's algorithms as they can be asked for: those on counted groups, and those that need more.

use haggle_api::MeasureSpec;
use haggle_cube::{BoxEnds, Cube};
use haggle_model::Error;
use haggle_search::strategies::{CATALOG, Strategy};

use crate::Engine;
use crate::answer::answering::LeastLoss;
use crate::recoding::recoded::{Recoded, check_combinations};

pub(crate) mod boxes;
mod cuts;
mod options;
mod scanned;
mod search;

use boxes::M_INSTANT;
use cuts::S_INSTANT;
use options::StrategyOptions;
use scanned::MONDRIAN_SCANNED;
use search::{found, none};

pub use haggle_search::strategies::{LossUse, StrategyEntry};
pub use search::{
    FoundRecoding, Search, Searched, found_by, prepare_search, recoded_again, refined, search,
};

/// A strategy that needs more than counted groups.
pub(crate) struct Own {
    pub(crate) about: StrategyEntry,
    /// Whether it looks up what every scheme loses.
    pub(crate) weighs: bool,
    /// The names of its options.
    pub(crate) options: &'static [&'static str],
    pub(crate) run: for<'e> fn(&'e Engine, &Search<'_>, &Chosen) -> Result<Searched<'e>, Error>,
}

/// The answer that is exact over all schemes.
const LATTICE: Own = Own {
    about: StrategyEntry {
        id: "lattice",
        title: "the lattice's answer",
        recoding: "levels",
        definition: "Looks at the annotation of every scheme under the maximum levels; on demand, of those that could still be best.",
        finds: "the scheme that loses least",
        citation: "A. Pilalidou, P. Vassiliadis: Trading privacy for information loss in the blink of an eye. SSDBM 2012; exact over every scheme",
        needs: "any model; where schemes are annotated on demand, time to prove it",
        loss: LossUse::Measure,
    },
    weighs: true,
    options: &[],
    run: |engine, search, _| {
        let LeastLoss { scheme, visited, proven } = search::best_scheme(engine, search)?;
        let Some(scheme) = scheme else { return Ok(none(visited, proven)) };
        Ok(found(Recoded::scheme(engine.cube(), scheme), visited, proven))
    },
};

/// The exact answer over all schemes, with suppressed records published at higher levels.
const REFINED: Own = Own {
    about: StrategyEntry {
        id: "refined",
        title: "the lattice's answer, refined",
        recoding: "parts",
        definition: "Groups what the lattice's answer suppresses once more at the higher levels after which least is lost, again and again until nothing changes.",
        finds: "the least loss of each step",
        citation: "local recoding of outliers; after J. Xu, W. Wang, J. Pei et al.: Utility-based anonymization using local recoding. KDD 2006",
        needs: "any model; where schemes are annotated on demand, time to prove it",
        loss: LossUse::Measure,
    },
    weighs: true,
    options: &[],
    run: |engine, search, _| {
        let LeastLoss { scheme, visited, proven } = search::best_scheme(engine, search)?;
        let Some(scheme) = scheme else { return Ok(none(visited, proven)) };
        let resolved = engine.resolve_measure(search.spec)?;
        let (recoded, evaluated) = refined(engine, search, &resolved, &scheme)?;
        Ok(found(recoded, visited + evaluated, false))
    },
};

/// A strategy of one catalog or the other.
#[derive(Clone, Copy)]
enum AnyStrategy {
    Own(&'static Own),
    Counted(&'static Strategy),
}

/// All of them, in the order in which they are listed.
fn entries() -> impl Iterator<Item = AnyStrategy> {
    let counted = CATALOG.iter().map(|strategy| AnyStrategy::Counted(strategy));
    [AnyStrategy::Own(&LATTICE), AnyStrategy::Own(&REFINED)]
        .into_iter()
        .chain(counted)
        .chain([&MONDRIAN_SCANNED, &S_INSTANT, &M_INSTANT].map(AnyStrategy::Own))
}

impl AnyStrategy {
    fn about(self) -> StrategyEntry {
        match self {
            Self::Own(own) => own.about,
            Self::Counted(strategy) => strategy.about,
        }
    }

    /// The names of its options.
    fn options(self) -> &'static [&'static str] {
        match self {
            Self::Own(own) => own.options,
            Self::Counted(strategy) if strategy.about.recoding == "boxes" => &["tight"],
            Self::Counted(_) => &[],
        }
    }
}

/// Every strategy, in the order in which they are listed.
///
/// ```
/// assert!(haggle::catalog::strategies().iter().any(|strategy| strategy.id == "mondrian"));
/// ```
pub fn strategies() -> Vec<StrategyEntry> {
    entries().map(AnyStrategy::about).collect()
}

/// A strategy as it was asked for: `mondrian`, or `m-instant:threshold=0.95,summary=bayes`.
#[derive(Clone, Copy)]
pub struct Chosen {
    entry: AnyStrategy,
    /// The options that were stated.
    pub(crate) options: StrategyOptions,
}

impl Chosen {
    /// What was typed; an error names what there is.
    pub fn parse(typed: &str) -> Result<Self, Error> {
        let (id, stated) = typed.split_once(':').map_or((typed, None), |(i, a)| (i, Some(a)));
        let entry = entries().find(|entry| entry.about().id == id).ok_or_else(|| {
            let known: Vec<&str> = entries().map(|entry| entry.about().id).collect();
            let what = format!("there is no strategy '{id}'");
            Error::new(what, format!("choose one of: {}", known.join(", ")))
        })?;
        let understood = entry.options();
        let options = stated.map(|stated| StrategyOptions::read(stated, understood)).transpose()?;
        let options = match options {
            None => StrategyOptions::default(),
            Some(Some(options)) => options,
            Some(None) => {
                let example = |option: &&str| match *option {
                    "summary" => "summary=bayes",
                    "threshold" => "threshold=0.95",
                    "tight" => "tight=true",
                    _ => "by=expectation",
                };
                let known: Vec<&str> = understood.iter().map(example).collect();
                let colon = if known.is_empty() { "" } else { ":" };
                let fix = format!("write {id}{colon}{}", known.join(","));
                return Err(Error::new(format!("'{typed}' is not understood"), fix));
            }
        };
        Ok(Self { entry, options })
    }

    pub(crate) fn about(&self) -> StrategyEntry {
        self.entry.about()
    }

    /// Refuses a strategy whose result could not be published within this many bytes, before it is
    /// searched for.
    pub fn check_memory(&self, cube: &Cube, bytes: usize) -> Result<(), Error> {
        let attributes = cube.attributes().len();
        check_combinations(cube.base_groups(), attributes, self.about().recoding, bytes)
    }

    /// Refuses a measure that the strategy would not look at.
    pub fn check_measure(&self, optimize: Option<&MeasureSpec>) -> Result<(), Error> {
        let (Some(spec), about) = (optimize, self.about()) else { return Ok(()) };
        let (what, fix) = match about.loss {
            LossUse::Measure => return Ok(()),
            LossUse::Weights if !spec.weights.is_empty() => return Ok(()),
            LossUse::Weights => (
                format!("{} uses only the weights of a measure, and '{spec}' has none", about.id),
                "state the weights of attributes, such as lm:age=2, or leave out the measure",
            ),
            LossUse::Nothing => (
                format!("{} does not look at a loss measure", about.id),
                "leave out the measure, or choose a strategy that optimizes, such as lattice",
            ),
        };
        Err(Error::new(what, fix))
    }

    /// As it can be asked for again.
    pub fn id(&self) -> String {
        let stated = self.options.to_string();
        let colon = if stated.is_empty() { "" } else { ":" };
        format!("{}{colon}{stated}", self.about().id)
    }

    /// The name used in sentences.
    pub(crate) fn title(&self) -> String {
        let summary = self.options.summary.map(|kind| format!(" ({})", kind.id));
        let tight = if self.options.box_ends() == BoxEnds::Tight { ", tight" } else { "" };
        format!("{}{tight}{}", self.about().title, summary.unwrap_or_default())
    }
}
