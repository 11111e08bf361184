//! Records and suppressed records by the recorded values of one attribute or two.

use std::cmp::Ordering;

use haggle_api::{Ask, CrossTable, PublishedRun, TableAxis};
use haggle_cube::{Cube, Group};
use haggle_model::{Error, ErrorKind, Hierarchy, Level, Scheme};

use crate::Engine;
use crate::criteria::failing::{Failing, failing_groups};

/// A table of more combinations is no longer read by a person.
const MOST_CELLS: usize = 100_000;

/// An attribute that records are counted by.
#[derive(Clone, Copy)]
enum By {
    /// A quasi-identifier, by its position.
    Negotiated(usize),
    /// A watched attribute, by its position.
    Watched(usize),
}

/// Counts records and suppressed ones by the recorded values of attributes.
pub(crate) fn cross_table(
    engine: &Engine,
    ask: &Ask,
    scheme: &Scheme,
    by: &[&str],
) -> Result<CrossTable, Error> {
    let scheme = engine.scheme(scheme)?;
    let axes = by.iter().map(|name| named(engine.cube(), name)).collect::<Result<Vec<_>, _>>()?;
    check(&axes)?;
    let criteria = engine.criteria(&ask.or(engine.defaults()))?;
    let failing = failing_groups(engine.cube(), &scheme, &criteria);
    let counts = Counts::count(engine.cube(), &scheme, &axes, &failing)?;
    Ok(counts.into_table(engine, scheme, &axes, failing.records))
}

fn named(cube: &Cube, name: &str) -> Result<By, Error> {
    let negotiated = cube.attributes().iter().position(|a| a.name == name).map(By::Negotiated);
    let watched = || cube.sensitive().find(|(_, a)| a.name == name).map(|(i, _)| By::Watched(i));
    negotiated.or_else(watched).ok_or_else(|| {
        let names = cube.attributes().iter().map(|a| a.name.as_str());
        let names: Vec<_> = names.chain(cube.sensitive().map(|(_, a)| a.name.as_str())).collect();
        let fix = format!("choose from: {}", names.join(", "));
        Error::of_kind(ErrorKind::NotFound, format!("'{name}' is not counted"), fix)
    })
}

/// One attribute or two, of which one may be watched: each watched attribute is counted alone.
fn check(axes: &[By]) -> Result<(), Error> {
    let watched = axes.iter().filter(|by| matches!(by, By::Watched(_))).count();
    match (axes.len(), watched) {
        (1, _) | (2, 0 | 1) => Ok(()),
        (2, _) => Err(Error::new(
            "two sensitive attributes are not counted together",
            "name one of them, and a quasi-identifier",
        )),
        _ => Err(Error::new("a table is by one attribute or two", "name one or two")),
    }
}

/// Records and suppressed records of all combinations of recorded values.
struct Counts {
    sizes: Vec<usize>,
    records: Vec<u64>,
    suppressed: Vec<u64>,
}

impl Counts {
    fn count(cube: &Cube, scheme: &Scheme, axes: &[By], failing: &Failing) -> Result<Self, Error> {
        let sizes: Vec<usize> = axes.iter().map(|&by| values(cube, by)).collect();
        let cells = sizes.iter().product();
        if cells > MOST_CELLS {
            let what = format!("a table of {cells} combinations of values is too large");
            return Err(Error::new(what, "choose attributes with fewer values"));
        }
        let mut counts = Self { sizes, records: vec![0; cells], suppressed: vec![0; cells] };
        let watched = axes.iter().find_map(|by| match by {
            By::Watched(position) => Some(*position),
            By::Negotiated(_) => None,
        });
        let attributes = cube.attributes();
        let mut published = vec![0; attributes.len()];
        cube.for_each_group(&cube.space().bottom(), watched.unwrap_or(0), |codes, group| {
            for (i, attribute) in attributes.iter().enumerate() {
                published[i] = attribute.hierarchy.ancestor(codes[i], scheme.level(i));
            }
            let fails = failing.groups.contains(&published[..]);
            counts.add(axes, codes, group, watched.is_some(), fails);
        });
        Ok(counts)
    }

    /// Adds a group of the base scheme; by a watched attribute, each of its values alone.
    fn add(&mut self, axes: &[By], codes: &[u32], group: &Group<'_>, watched: bool, fails: bool) {
        let mut add = |value: u32, records: u64| {
            let code = |by: &By| match *by {
                By::Negotiated(position) => codes[position] as usize,
                By::Watched(_) => value as usize,
            };
            let place = axes.iter().zip(&self.sizes).fold(0, |at, (by, size)| at * size + code(by));
            self.records[place] += records;
            self.suppressed[place] += if fails { records } else { 0 };
        };
        if watched {
            group.values.iter().for_each(|value| add(value.code, value.count));
        } else {
            add(0, group.records);
        }
    }

    /// The table without values that do not occur.
    fn into_table(
        self,
        engine: &Engine,
        scheme: Scheme,
        axes: &[By],
        suppressed: u64,
    ) -> CrossTable {
        let occurring: Vec<Vec<usize>> = axes
            .iter()
            .enumerate()
            .map(|(i, &by)| in_order(engine.cube(), by, self.occurring(i)))
            .collect();
        let second = |row: usize| -> Vec<usize> {
            let columns = occurring.get(1).map_or(&[0][..], Vec::as_slice);
            let width = self.sizes.get(1).copied().unwrap_or(1);
            columns.iter().map(|column| row * width + column).collect()
        };
        let places: Vec<usize> = occurring[0].iter().flat_map(|&row| second(row)).collect();
        let reported = |(&by, codes): (&By, &Vec<usize>)| axis(engine.cube(), &scheme, by, codes);
        CrossTable {
            account: engine.account().suppressing(suppressed),
            axes: axes.iter().zip(&occurring).map(reported).collect(),
            records: places.iter().map(|&place| self.records[place]).collect(),
            suppressed: places.iter().map(|&place| self.suppressed[place]).collect(),
            scheme,
        }
    }

    /// The codes of an axis that a record has.
    fn occurring(&self, axis: usize) -> Vec<usize> {
        let inner: usize = self.sizes[axis + 1..].iter().product();
        let size = self.sizes[axis];
        let mut occurs = vec![false; size];
        for (place, &records) in self.records.iter().enumerate() {
            occurs[place / inner % size] |= records > 0;
        }
        (0..size).filter(|&code| occurs[code]).collect()
    }
}

/// Codes in the order in which people read their values. Those of a hierarchy have one; watched values
/// are in the order in which they were read, so numbers are sorted here.
fn in_order(cube: &Cube, by: By, mut codes: Vec<usize>) -> Vec<usize> {
    if let By::Watched(position) = by {
        let values = &cube.watched()[position].values;
        let number = |code: usize| values.value(code as u32).trim().parse::<f64>().ok();
        if codes.iter().all(|&code| number(code).is_some()) {
            codes.sort_by(|&a, &b| number(a).partial_cmp(&number(b)).unwrap_or(Ordering::Equal));
        }
    }
    codes
}

/// How many recorded values an attribute has.
fn values(cube: &Cube, by: By) -> usize {
    match by {
        By::Negotiated(position) => cube.attributes()[position].hierarchy.len(Level::from(0)),
        By::Watched(position) => cube.watched()[position].values.len(),
    }
}

fn axis(cube: &Cube, scheme: &Scheme, by: By, codes: &[usize]) -> TableAxis {
    match by {
        By::Negotiated(position) => {
            let attribute = &cube.attributes()[position];
            negotiated(&attribute.name, &attribute.hierarchy, scheme.level(position), codes)
        }
        By::Watched(position) => {
            let watched = &cube.watched()[position];
            let value = |&code: &usize| watched.values.value(code as u32).to_owned();
            let recorded: Vec<String> = codes.iter().map(value).collect();
            let alone = |value: &String| PublishedRun { value: value.clone(), recorded: 1 };
            let published = recorded.iter().map(alone).collect();
            TableAxis { attribute: watched.name.clone(), recorded, published }
        }
    }
}

fn negotiated(name: &str, hierarchy: &Hierarchy, level: Level, codes: &[usize]) -> TableAxis {
    let shown = |&code: &usize| hierarchy.shown(code as u32, Level::from(0)).to_owned();
    let above: Vec<u32> = codes.iter().map(|&c| hierarchy.ancestor(c as u32, level)).collect();
    let run = |run: &[u32]| PublishedRun {
        value: hierarchy.shown(run[0], level).to_owned(),
        recorded: run.len(),
    };
    TableAxis {
        attribute: name.to_owned(),
        recorded: codes.iter().map(shown).collect(),
        published: above.chunk_by(|a, b| a == b).map(run).collect(),
    }
}
