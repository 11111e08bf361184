//! The cells of a published file: which recorded values each may stand for.

use haggle_cube::query::ValueSet;
use haggle_model::{
    ANY, Dictionary, Error, Hierarchy, Interval, Level, QuasiIdentifier, UNMATCHED, listed_values,
};
use rustc_hash::FxHashMap;

/// A cell of a published file that no hierarchy explains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unresolved {
    /// The attribute.
    pub attribute: String,
    /// The published value.
    pub cell: String,
}

/// Resolves the cells of a file column by column; equal cells are resolved once.
#[derive(Debug)]
pub struct FileColumns<'a> {
    attributes: &'a [QuasiIdentifier],
    labels: Vec<CellLabels<'a>>,
    known: Vec<FxHashMap<Box<str>, ValueSet>>,
}

impl<'a> FileColumns<'a> {
    /// Starts with no cell known, and with no level.
    pub fn new(attributes: &'a [QuasiIdentifier]) -> Self {
        Self::at_levels(attributes, |_| None)
    }

    /// Starts with no cell known. `level` is the level of an attribute's values where it is known: a
    /// label that stands on several levels then means that of this one.
    pub fn at_levels(
        attributes: &'a [QuasiIdentifier],
        level: impl Fn(&str) -> Option<Level>,
    ) -> Self {
        let labels = |a: &'a QuasiIdentifier| CellLabels::new(&a.hierarchy, level(&a.name));
        let known = vec![FxHashMap::default(); attributes.len()];
        Self { attributes, labels: attributes.iter().map(labels).collect(), known }
    }

    /// Returns the value set of a cell.
    pub fn resolve(&mut self, position: usize, cell: &str) -> Result<ValueSet, Unresolved> {
        if let Some(set) = self.known[position].get(cell) {
            return Ok(set.clone());
        }
        let set = self.labels[position].value_set(cell).ok_or_else(|| {
            let attribute = self.attributes[position].name.clone();
            Unresolved { attribute, cell: cell.into() }
        })?;
        self.known[position].insert(cell.into(), set.clone());
        Ok(set)
    }
}

/// Returns the recorded values that a published value may stand for: itself, those below the values
/// of the hierarchy with this label, those between two numbers or dates (`18–23`, `≥65`), or those of
/// a list (`{a, b}`, `{18–23, ?}`). `*` stands for all.
///
/// ```
/// use haggle_inference::groups::value_set;
/// use haggle_model::Hierarchy;
///
/// let age = Hierarchy::from_paths("age", [["37", "30-39"], ["38", "30-39"], ["41", "40-49"]])?;
/// let codes = |cell| value_set(&age, cell).map(|set| set.iter().collect::<Vec<_>>());
/// assert_eq!(codes("38"), Some(vec![1]));
/// assert_eq!(codes("30-39"), Some(vec![0, 1]));
/// assert_eq!(codes("38–41"), Some(vec![1, 2]));
/// assert_eq!(codes("{37, 40-49}"), Some(vec![0, 2]));
/// assert_eq!(codes("*"), Some(vec![0, 1, 2]));
/// assert_eq!(codes("50-59"), None);
/// # Ok::<(), haggle_model::Error>(())
/// ```
pub fn value_set(hierarchy: &Hierarchy, cell: &str) -> Option<ValueSet> {
    CellLabels::new(hierarchy, None).value_set(cell)
}

/// The labels of an attribute in a published file, with the recorded values that each may stand for.
#[derive(Debug)]
struct CellLabels<'a> {
    hierarchy: &'a Hierarchy,
    /// The level of all values, if it is known.
    level: Option<Level>,
    /// By label, the recorded values below the values above the recorded level.
    general: FxHashMap<&'a str, ValueSet>,
}

impl<'a> CellLabels<'a> {
    fn new(hierarchy: &'a Hierarchy, level: Option<Level>) -> Self {
        let level = level.filter(|level| *level <= hierarchy.top());
        let (lowest, highest) = match level.map(u8::from) {
            Some(level) => (level.max(1), level),
            None => (1, hierarchy.top().into()),
        };
        let mut general: FxHashMap<&str, ValueSet> = FxHashMap::default();
        for level in (lowest..=highest).map(Level::from) {
            for code in 0..hierarchy.matched(level) as u32 {
                let below = ValueSet::range(hierarchy.leaves(code, level));
                let known = general.entry(hierarchy.label(code, level)).or_default();
                *known = known.union(&below);
            }
        }
        Self { hierarchy, level, general }
    }

    fn value_set(&self, cell: &str) -> Option<ValueSet> {
        let hierarchy = self.hierarchy;
        let all = hierarchy.len(Level::RECORDED) as u32;
        let whole = || (cell == ANY).then(|| ValueSet::range(0..all));
        let missing = || {
            let matched = hierarchy.matched(Level::RECORDED) as u32;
            (cell == UNMATCHED && matched < all).then(|| ValueSet::range(matched..all))
        };
        self.labelled(cell)
            .or_else(whole)
            .or_else(missing)
            .or_else(|| interval(hierarchy, cell))
            .or_else(|| listed(hierarchy, cell))
    }

    /// Returns the values that a label may stand for, which may be those of several levels.
    fn labelled(&self, label: &str) -> Option<ValueSet> {
        let is_recorded = self.level.is_none_or(|level| level == Level::RECORDED);
        let recorded = self.hierarchy.code(label).filter(|_| is_recorded);
        let recorded = recorded.map(|code| ValueSet::range(code..code + 1));
        match (recorded, self.general.get(label)) {
            (Some(one), Some(other)) => Some(one.union(other)),
            (one, other) => one.or_else(|| other.cloned()),
        }
    }
}

/// Returns the recorded numbers or dates of an interval.
fn interval(hierarchy: &Hierarchy, cell: &str) -> Option<ValueSet> {
    let set = ValueSet::codes(Interval::parse(cell)?.codes(hierarchy));
    (!set.is_empty()).then_some(set)
}

/// Returns the values of a list; a value may itself contain a comma, also where it is not quoted.
fn listed(hierarchy: &Hierarchy, cell: &str) -> Option<ValueSet> {
    let parts = listed_values(cell)?;
    let (mut set, mut start) = (ValueSet::default(), 0);
    let part = |cell: &str| {
        let named = hierarchy.named(cell).map(ValueSet::range);
        named.or_else(|| interval(hierarchy, cell))
    };
    while start < parts.len() {
        let joined = |end: usize| parts[start..end].join(", ");
        let (end, found) =
            (start + 1..=parts.len()).find_map(|end| Some((end, part(&joined(end))?)))?;
        set = set.union(&found);
        start = end;
    }
    Some(set)
}

/// An interval of a file alone has at most this many whole numbers.
const MOST_VALUES: usize = 100_000;

fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

/// Returns a hierarchy for a column of a file of which nothing else is known: its recorded values are
/// those that occur as single values, or in lists; where values are numbers, also the whole numbers
/// of intervals, of an open interval the one at its end. `*` stands for all of them.
///
/// ```
/// use haggle_inference::groups::{hierarchy_of_cells, value_set};
///
/// let sex = hierarchy_of_cells("sex", ["F", "*", "M"])?;
/// assert_eq!(value_set(&sex, "*").unwrap().len(), 2);
/// let age = hierarchy_of_cells("age", ["20-24", "25", "[26, 30)"])?;
/// assert_eq!(value_set(&age, "[26, 30)").unwrap().len(), 4);
/// let hidden = hierarchy_of_cells("town", ["*"])?;
/// assert_eq!(value_set(&hidden, "*").unwrap().len(), 1);
/// # Ok::<(), haggle_model::Error>(())
/// ```
pub fn hierarchy_of_cells<'c>(
    name: &str,
    cells: impl IntoIterator<Item = &'c str>,
) -> Result<Hierarchy, Error> {
    let mut values = Dictionary::default();
    let cells: Vec<&str> = cells.into_iter().filter(|cell| *cell != ANY).collect();
    let listed = |cell: &str| listed_values(cell).unwrap_or_else(|| vec![cell.to_owned()]);
    let single: Vec<String> = cells.into_iter().flat_map(listed).collect();
    let of_numbers = |cell: &str| Interval::parse(cell).filter(Interval::is_of_numbers);
    let numeric = single.iter().all(|cell| number(cell).is_some() || of_numbers(cell).is_some());
    let is_wide = |interval: &Interval| interval.width().is_some_and(|w| w > MOST_VALUES as f64);
    for cell in &single {
        match of_numbers(cell).filter(|_| numeric && number(cell).is_none()) {
            Some(interval) if is_wide(&interval) => {
                let what = format!(
                    "the interval '{cell}' of '{name}' has too many values to be enumerated"
                );
                return Err(Error::new(
                    what,
                    "name the project behind the file, whose hierarchy says which values it has",
                ));
            }
            Some(interval) => interval.whole_numbers().for_each(|whole| {
                values.code_or_add(&whole.to_string());
            }),
            None => {
                values.code_or_add(cell);
            }
        }
    }
    if values.is_empty() {
        // A column of stars alone has recorded values all the same, of which nothing is known.
        values.code_or_add(ANY);
    }
    Ok(Hierarchy::flat(values.sorted().values()))
}
