//! The rule that chooses the cheaper way: tables of every scheme, or schemes annotated as a question
//! touches them.

use haggle_cube::Cube;

use crate::options::{Options, QuestionCount};

/// A question may read this many times the cells that annotating all schemes beforehand may.
const BY_QUESTION: f64 = 4.0;

/// Roll-ups that read this many cells take a few tenths of a second: no search on demand saves much.
const QUICK_TOUCHES: f64 = 5e7;

/// Weighing a measure takes about this many times as long as a table.
const BY_WEIGHING: usize = 2;

/// What a question lacks to be answered from tables of every scheme.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lacking {
    /// How many tables, each of which goes through every scheme.
    pub(crate) tables: usize,
    /// How often a measure must be weighed in every scheme.
    pub(crate) weighings: usize,
    /// Whether a search can leave out most schemes: a failing scheme rules out others, and so does
    /// the loss, if one shall be least.
    pub(crate) prunes: bool,
}

impl Lacking {
    pub(crate) fn is_something(self) -> bool {
        self.tables + self.weighings > 0
    }
}

/// The expected use of an engine that may choose the cheaper way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CheaperWay {
    questions: QuestionCount,
    full_touches: f64,
}

impl CheaperWay {
    pub(crate) fn of(options: &Options<'_>) -> Self {
        Self { questions: options.questions, full_touches: options.full_touches }
    }

    /// Returns whether tables of all schemes of a cube are cheap enough at all.
    pub(crate) fn allows_full(self, cube: &Cube) -> bool {
        // No scheme has more cells than the base, which mostly settles it.
        let most = cube.space().size().map(|schemes| schemes as f64 * cube.cells() as f64);
        most.is_some_and(|most| {
            most <= self.full_touches || cube.guess_touches() <= self.full_touches
        })
    }

    /// Returns whether every scheme is annotated before the first question: for a single one only
    /// the tables that it needs are made.
    pub(crate) fn annotates_beforehand(self) -> bool {
        self.questions == QuestionCount::Many
    }

    /// Returns whether a question is answered on demand, if roll-ups read this many cells to go
    /// through every scheme once. A single question is, unless its tables take no time or a search
    /// would have to visit every scheme anyway; tables for several questions may take longer.
    pub(crate) fn is_on_demand(self, touches: f64, lacking: Lacking) -> bool {
        let Lacking { tables, weighings, prunes } = lacking;
        let most = BY_QUESTION * self.full_touches;
        let (passes, most) = match self.questions {
            QuestionCount::One if prunes => {
                (tables + BY_WEIGHING * weighings, most.min(QUICK_TOUCHES))
            }
            _ => (tables + weighings, most),
        };
        lacking.is_something() && touches * passes as f64 > most
    }
}

#[cfg(test)]
#[path = "../../tests/unit/cheaper.rs"]
mod tests;
