//! The counted groups of the base scheme, with the counts of each watched value.
//!
//! Where a person has several records, the column that identifies persons (the unit) is watched,
//! and the size of a group is its number of different units.

use haggle_model::{Hierarchy, QuasiIdentifier, Scheme, Space, Watched};
use serde::{Deserialize, Serialize};

use crate::counts::cells::{self, Cell};
use crate::counts::key::{Key, KeyLayout, WideKey};
use crate::groups::statistic::Group;

/// Applies one expression to a value of any key width.
macro_rules! any_width {
    ($cells:expr, $typed:ident => $body:expr) => {
        match $cells {
            $crate::counts::cube::AnyWidth::Word($typed) => $body,
            $crate::counts::cube::AnyWidth::Double($typed) => $body,
            $crate::counts::cube::AnyWidth::Any($typed) => $body,
        }
    };
}

pub(crate) use any_width;

/// A value for the key width that the domains need.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum AnyWidth<W, D, A> {
    Word(W),
    Double(D),
    Any(A),
}

/// Cells of any key width.
pub(crate) type Cells = AnyWidth<Vec<Cell<u64>>, Vec<Cell<u128>>, Vec<Cell<WideKey>>>;

impl Cells {
    pub(crate) fn len(&self) -> usize {
        any_width!(self, cells => cells.len())
    }

    /// The bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        let wide = match self {
            Self::Any(cells) => cells.iter().map(|cell| size_of_val(&*cell.key)).sum(),
            _ => 0,
        };
        wide + any_width!(self, cells => size_of_val(&**cells))
    }
}

/// The groups counted with the values of one watched attribute, or of none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Marginal {
    pub(crate) layout: KeyLayout,
    pub(crate) cells: Cells,
}

/// Everything that is kept of the records: groups of the base scheme and the counts of watched
/// values.
///
/// Each watched attribute is counted separately, not jointly with the others. There is always at
/// least one marginal; if nothing is watched it contains only the groups.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cube {
    attributes: Vec<QuasiIdentifier>,
    watched: Vec<Watched>,
    records: u64,
    /// Which watched attribute names the persons, where a person may have several records.
    unit: Option<usize>,
    /// The levels from which on groups were counted; as recorded if there is none. Below them, all
    /// records of a general value are counted as having the first of its recorded values.
    start: Option<Scheme>,
    pub(crate) marginals: Vec<Marginal>,
}

impl Cube {
    pub(crate) fn new(
        attributes: Vec<QuasiIdentifier>,
        watched: Vec<Watched>,
        records: u64,
        marginals: Vec<Marginal>,
    ) -> Self {
        Self { attributes, watched, records, unit: None, start: None, marginals }
    }

    /// The quasi-identifiers, in the order of a scheme's levels.
    pub fn attributes(&self) -> &[QuasiIdentifier] {
        &self.attributes
    }

    /// The watched attributes.
    pub fn watched(&self) -> &[Watched] {
        &self.watched
    }

    /// Returns the cube with the watched attribute at this position as the identifier of persons:
    /// the size of a group is then its number of distinct persons. The names are replaced by what
    /// `known_as` returns for them.
    pub fn with_unit(mut self, position: usize, known_as: impl Fn(&str) -> String) -> Self {
        let names = self.watched[position].values.values();
        let known: Vec<Box<str>> = names.map(|name| known_as(name).into()).collect();
        self.watched[position].values = known.into();
        self.counting(position)
    }

    /// Returns the cube with the watched attribute at this position as the identifier of persons.
    pub(crate) fn counting(self, position: usize) -> Self {
        Self { unit: Some(position), ..self }
    }

    /// Returns the cube as one whose groups were counted from these levels on, if they are above the
    /// recorded values: schemes below them are not offered.
    #[must_use]
    pub fn counted_from(self, start: Scheme) -> Self {
        Self { start: Some(start).filter(|start| start.height() > 0), ..self }
    }

    /// The levels from which on groups were counted, if not as recorded.
    pub fn start(&self) -> Option<&Scheme> {
        self.start.as_ref()
    }

    /// The watched attribute that names the persons, by position.
    pub fn unit(&self) -> Option<usize> {
        self.unit
    }

    /// The watched attributes that are sensitive, with their positions.
    pub fn sensitive(&self) -> impl Iterator<Item = (usize, &Watched)> {
        self.watched.iter().enumerate().filter(|(position, _)| Some(*position) != self.unit)
    }

    /// How many records were counted.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The space of this cube's schemes.
    pub fn space(&self) -> Space {
        let space = Space::of(self.hierarchies());
        match &self.start {
            Some(start) => space.starting_at(start.clone()),
            None => space,
        }
    }

    pub(crate) fn hierarchies(&self) -> Vec<&Hierarchy> {
        self.attributes.iter().map(|attribute| &attribute.hierarchy).collect()
    }

    /// Calls `visit` with every group of a scheme, with the counts of one watched attribute's
    /// values (none, if the cube watches none).
    pub fn for_each_group(
        &self,
        scheme: &Scheme,
        watched: usize,
        mut visit: impl FnMut(&[u32], &Group<'_>),
    ) {
        let Marginal { layout, cells } = &self.marginals[watched];
        any_width!(cells, cells => {
            let cells = cells::generalize(cells, layout, &self.hierarchies(), scheme.levels());
            let mut codes = Vec::new();
            cells::for_each_group(&cells, layout, |cells, group| {
                cells::read_codes(cells, layout, &mut codes);
                visit(&codes, group);
            });
        });
    }

    /// The groups of the base scheme.
    pub fn base_groups(&self) -> usize {
        let Marginal { layout, cells } = &self.marginals[0];
        any_width!(cells, cells => {
            cells.chunk_by(|a, b| a.key.agrees_through(&b.key, layout.last)).count()
        })
    }

    /// How many cells the base scheme has, over all watched attributes.
    pub fn cells(&self) -> usize {
        self.marginals.iter().map(|marginal| marginal.cells.len()).sum()
    }

    /// The bytes that its cells take.
    pub fn bytes(&self) -> usize {
        self.marginals.iter().map(|marginal| marginal.cells.bytes()).sum()
    }
}
