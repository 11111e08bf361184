//! What a table is, measured from its own values: groups as they stand, nothing generalized.

use std::collections::BTreeMap;

use haggle_cube::{Cube, Group, ValueCount};
use haggle_data::{Missing, OnMissing, Plan, Scanned, Table, scan};
use haggle_engine::criterion::{Criterion, weaker};
use haggle_model::{
    ANY, Error, ErrorKind, Hierarchy, Level, Problem, Problems, Progress, QuasiIdentifier, Scheme,
};
use haggle_project::covering::with_missing;

/// A table counted by its quasi-identifiers as they stand.
pub struct Measured {
    cube: Cube,
    /// The code of `*` in each attribute, if it occurs.
    any: Vec<Option<u32>>,
    /// Whether groups that say nothing are suppressed records rather than a group.
    stars_apart: bool,
    /// For each watched attribute the codes that its values are judged by, if not its own.
    codes: Vec<Option<Vec<u32>>>,
}

impl Measured {
    /// Counts a table; `unit` is the column that names the persons. Records with `*` in every
    /// quasi-identifier are taken as suppressed, unless there are no others; they are a group all
    /// the same. `missing` is as the project behind the table says.
    pub fn count(
        table: &Table,
        qi: &[String],
        sensitive: &[String],
        unit: Option<&String>,
        missing: &Missing,
        memory: usize,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let scan = |plan: &Plan| scan(table, plan, memory, progress);
        Self::by(table, qi, sensitive, unit, missing, scan)
    }

    /// Counts a table with a function of the caller.
    pub fn by(
        table: &Table,
        qi: &[String],
        sensitive: &[String],
        unit: Option<&String>,
        missing: &Missing,
        scan: impl FnOnce(&Plan) -> Result<Scanned, Error>,
    ) -> Result<Self, Error> {
        let watched: Vec<String> = sensitive.iter().chain(unit).cloned().collect();
        let plan = Plan {
            counted: columns(table, qi)?,
            watched: columns(table, &watched)?,
            checked: columns(table, &[qi, sensitive].concat())?,
            missing: as_published(missing),
        };
        let scanned = scan(&plan)?;
        let attribute = |(i, name): (usize, &String)| QuasiIdentifier {
            name: name.clone(),
            hierarchy: with_missing(
                Hierarchy::flat(scanned.values(i).dictionary.values()),
                scanned.values(i),
            ),
        };
        let attributes: Vec<_> = qi.iter().enumerate().map(attribute).collect();
        let any = attributes.iter().map(|attribute| attribute.hierarchy.code(ANY)).collect();
        let mut cube = scanned.into_cube(attributes);
        if unit.is_some() {
            cube = cube.with_unit(sensitive.len(), str::to_owned);
        }
        let codes = vec![None; cube.watched().len()];
        let mut measured = Self { cube, any, stars_apart: true, codes };
        measured.stars_apart = measured.starred() < measured.cube.records();
        Ok(measured)
    }

    /// Groups that are counted already, with all of their records.
    pub(crate) fn of_cube(cube: Cube) -> Self {
        let any = vec![None; cube.attributes().len()];
        let codes = vec![None; cube.watched().len()];
        Self { cube, any, stars_apart: false, codes }
    }

    /// Counts `*` as a value like any other.
    pub fn with_stars_as_values(self) -> Self {
        Self { stars_apart: false, ..self }
    }

    /// Judges the values of a watched attribute by other codes.
    pub fn judged_by(mut self, watched: usize, codes: Vec<u32>) -> Self {
        self.codes[watched] = Some(codes);
        self
    }

    /// Judges every value by its own code.
    pub fn by_own_codes(mut self) -> Self {
        self.codes.fill(None);
        self
    }

    /// All records, suppressed ones that were kept included.
    pub fn records(&self) -> u64 {
        self.cube.records()
    }

    /// The cube, for statistics that name its watched attributes.
    pub fn cube(&self) -> &Cube {
        &self.cube
    }

    /// Records with `*` in every quasi-identifier that count as suppressed.
    pub fn starred(&self) -> u64 {
        let mut starred = 0;
        self.each(0, |stars, group| starred += if stars { group.records } else { 0 });
        starred
    }

    /// The weakest value of a criterion's statistic over all groups; `None` if there is no group.
    pub fn weakest(&self, criterion: &Criterion) -> Option<f64> {
        let mut weakest: Option<f64> = None;
        self.for_each_group(criterion.watches(), |group| {
            weakest = weaker(criterion.judge(), weakest, criterion.judge().of(group));
        });
        weakest
    }

    /// Shows every group. Suppressed records that were kept with `*` are one, and come to a program that
    /// reads the file as one, so they are judged as one.
    pub fn for_each_group(&self, watched: usize, mut visit: impl FnMut(&Group<'_>)) {
        self.each(watched, |_, group| visit(group));
    }

    /// How many groups there are, suppressed records not among them.
    pub fn count_groups(&self) -> u64 {
        let mut groups = 0;
        self.each(0, |stars, _| groups += u64::from(!stars));
        groups
    }

    /// The records of each group by its published values, suppressed records not among them. All
    /// that match nothing look alike here; there are as many of their groups as records.
    pub fn groups(&self) -> BTreeMap<Vec<String>, u64> {
        let mut groups = BTreeMap::new();
        let base = self.cube.space().bottom();
        self.cube.for_each_group(&base, 0, |codes, group| {
            let says_nothing = codes.iter().zip(&self.any).all(|(code, any)| Some(*code) == *any);
            if !(self.stars_apart && says_nothing) {
                *groups.entry(labels(&self.cube, &base, codes)).or_default() += group.records;
            }
        });
        groups
    }

    fn each(&self, watched: usize, mut visit: impl FnMut(bool, &Group<'_>)) {
        let base = Scheme::new(self.any.iter().map(|_| u8::from(Level::RECORDED)));
        let codes = self.codes.get(watched).and_then(Option::as_ref);
        let mut translated: Vec<ValueCount> = Vec::new();
        self.cube.for_each_group(&base, watched, |of, group| {
            let says_nothing = of.iter().zip(&self.any).all(|(code, any)| Some(*code) == *any);
            let values = match codes {
                None => group.values,
                Some(codes) => {
                    let value = |v: &ValueCount| ValueCount { code: codes[v.code as usize], ..*v };
                    translated.clear();
                    translated.extend(group.values.iter().map(value));
                    translated.sort_unstable_by_key(|value| value.code);
                    &translated
                }
            };
            let group = Group { records: group.records, values };
            visit(self.stars_apart && says_nothing, &group);
        });
    }
}

/// What counts as missing in a published table: a record that is there was not dropped, and `*` is
/// no mark there but what values become.
fn as_published(missing: &Missing) -> Missing {
    let Missing { marks, policy } = missing;
    let marks = match policy {
        OnMissing::Value | OnMissing::Unmatched => marks.iter().filter(|m| *m != ANY).cloned(),
        OnMissing::Drop | OnMissing::Error => return in_no_field(),
    };
    Missing { marks: marks.collect(), policy: *policy }
}

/// Nothing counts as missing.
pub(crate) fn in_no_field() -> Missing {
    Missing { marks: Vec::new(), policy: OnMissing::Value }
}

/// The values that published codes stand for.
pub(crate) fn labels(cube: &Cube, scheme: &Scheme, codes: &[u32]) -> Vec<String> {
    let label = |(i, &code): (usize, &u32)| {
        cube.attributes()[i].hierarchy.shown(code, scheme.level(i)).to_owned()
    };
    codes.iter().enumerate().map(label).collect()
}

fn columns(table: &Table, names: &[String]) -> Result<Vec<usize>, Error> {
    let mut problems = Vec::new();
    let columns = names.iter().filter_map(|name| {
        let found = table.column(name);
        if found.is_none() {
            let what = format!("there is no column '{name}'");
            // The columns are not listed: without a header they would be a record.
            let fix = "check the name, and that the first record of the file names its columns";
            let problem = Problem::new(what).of_kind(ErrorKind::NotFound);
            problems.push(problem.file(table.input().name()).fix(fix));
        }
        found
    });
    let columns: Vec<usize> = columns.collect();
    Problems::check(problems)?;
    Ok(columns)
}
