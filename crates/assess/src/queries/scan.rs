//! The counts that a query needs: those of the cube, or joined with more columns by a further scan.

use std::collections::BTreeMap;

use haggle_data::{Plan, Scanned, Table, scan};
use haggle_inference::JointCounts;
use haggle_model::{Error, ErrorKind, Hierarchy, Progress, QuasiIdentifier, Remedy, Role};
use haggle_privacy::Facts;
use haggle_project::Project;
use haggle_project::covering::{covering, from_file, with_missing};
use haggle_project::survey::plan;

use super::QueriedCounts;
use haggle_engine::Engine;

/// Returns the counts of the quasi-identifiers with the columns that queries name. One sensitive
/// attribute is counted already; other columns, and several together, are counted by a further scan
/// of the data.
pub fn counts_with(
    engine: &Engine,
    named: &[&str],
    progress: &dyn Progress,
) -> Result<QueriedCounts, Error> {
    engine.needs_recorded("this question")?;
    let cube = engine.cube();
    let counted = engine.attributes();
    let more: Vec<&str> = named.iter().filter(|name| !counted.contains(name)).copied().collect();
    let watched = |name: &str| cube.sensitive().find(|(_, w)| w.name == name).map(|(at, _)| at);
    let joint = match more.as_slice() {
        [] => JointCounts::from_cube(cube, None),
        [one] if watched(one).is_some() => JointCounts::from_cube(cube, watched(one)),
        _ => return further_scan(engine, &more, progress),
    };
    let hierarchy = |facts: &Facts| {
        let (hierarchy, _) = facts.hierarchy.as_ref()?;
        Some((facts.target.name.clone(), hierarchy.clone()))
    };
    let hierarchies = engine.facts().iter().filter_map(hierarchy).collect();
    Ok(QueriedCounts { joint, scans: 0, hierarchies })
}

/// The hierarchies that the project defines for columns that were scanned after the first ones.
fn hierarchies(
    project: &Project,
    table: &Table,
    (first, names): (usize, &[&str]),
    scanned: &Scanned,
) -> Result<BTreeMap<String, Hierarchy>, Error> {
    let mut all = BTreeMap::new();
    for (position, name) in names.iter().enumerate() {
        let stated = project.attributes.iter().find(|a| a.name == *name && a.hierarchy.is_some());
        let Some(attribute) = stated else { continue };
        let file = from_file(project, attribute)?;
        let values = scanned.values(first + position);
        let hierarchy = covering(project, table, attribute, file, values)?;
        all.insert((*name).to_owned(), hierarchy);
    }
    Ok(all)
}

fn further_scan(
    engine: &Engine,
    more: &[&str],
    progress: &dyn Progress,
) -> Result<QueriedCounts, Error> {
    let project = project(engine, more)?;
    let table = project.table(progress)?;
    let names: Vec<String> = engine.attributes().into_iter().map(String::from).collect();
    let all = plan(project, &table, &names)?;
    let columns = more.iter().map(|name| {
        check_published(project, name)?;
        table.column(name).ok_or_else(|| {
            let what = format!("there is no column '{name}'");
            let fix = "name a column of the data as its header writes it";
            Error::of_kind(ErrorKind::NotFound, what, fix)
        })
    });
    let columns: Vec<usize> = columns.collect::<Result<_, _>>()?;
    let counted = all.counted.iter().copied().chain(columns).collect();
    let plan = Plan { counted, watched: Vec::new(), ..all };
    let scanned = scan(&table, &plan, engine.memory(), progress)?;
    if scanned.kept() != engine.records() {
        return Err(changed());
    }
    let column = |(position, name): (usize, &&str)| {
        let values = scanned.values(names.len() + position);
        let hierarchy = Hierarchy::flat(values.dictionary.sorted().values());
        QuasiIdentifier { name: (*name).into(), hierarchy: with_missing(hierarchy, values) }
    };
    let hierarchies = hierarchies(project, &table, (names.len(), more), &scanned)?;
    let columns: Vec<QuasiIdentifier> = more.iter().enumerate().map(column).collect();
    let attributes = engine.cube().attributes().iter().cloned().chain(columns).collect();
    let joint = JointCounts::of_columns(engine.cube(), &scanned.into_cube(attributes));
    let joint = joint.ok_or_else(changed)?;
    Ok(QueriedCounts { joint, scans: 1, hierarchies })
}

fn changed() -> Error {
    let what = "the data changed since it was counted";
    Error::of_kind(ErrorKind::DataChanged, what, Remedy::StartAgain)
}

/// The project whose data can be read again.
fn project<'a>(engine: &'a Engine, more: &[&str]) -> Result<&'a Project, Error> {
    let what =
        format!("the query names {}, which the lattice does not count together", more.join(", "));
    match engine.project() {
        Some(project) if engine.changed_since().is_none() => Ok(project),
        Some(_) => {
            let changes = engine.changed_since().words();
            Err(Error::of_kind(
                ErrorKind::DataChanged,
                format!("{what}, and the lattice is the data with {changes}"),
                "make these changes in the data too, and build the lattice again",
            ))
        }
        None => Err(Error::new(
            format!("{what}, and its data is not at hand"),
            "ask the project instead of the lattice file",
        )),
    }
}

/// Fails for a column that is not published.
fn check_published(project: &Project, name: &str) -> Result<(), Error> {
    if project.named(Role::Identifier).iter().any(|known| known == name) {
        let what = format!("'{name}' is an identifier, which is not published");
        return Err(Error::of_kind(ErrorKind::RefusedByPolicy, what, "ask about another column"));
    }
    Ok(())
}
