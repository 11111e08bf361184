//! The records that a recoding would publish, counted as a reader of the file would count them.

use std::collections::BTreeSet;

use haggle_cube::{CountedPart, Counter, Cube, ValueCount};
use haggle_engine::Engine;
use haggle_engine::criterion::Criterion;
use haggle_engine::failing::Failing;
use haggle_engine::recoded::Recoded;
use haggle_model::{
    Dictionary, Error, Hierarchy, Level, QuasiIdentifier, Watched, is_unmatched, unmatched,
};
use rustc_hash::FxHashMap;

use super::shown::shown;

/// A group that is kept: its published codes, and the counts of each watched attribute.
struct PlannedGroup {
    codes: Vec<u32>,
    records: u64,
    values: Vec<Vec<ValueCount>>,
}

/// Counts the groups that are kept by their published values. Only values that occur among them are
/// in the cube, so nothing in it depends on other records.
pub(super) fn cube(
    engine: &Engine,
    recoded: &Recoded<'_>,
    failing: &Failing,
    criteria: &[Criterion],
) -> Result<Cube, Error> {
    let groups = kept(engine.cube(), recoded, failing);
    let attributes: Vec<PublishedCodes> =
        (0..engine.attributes().len()).map(|i| published_codes(recoded, &groups, i)).collect();
    let texts = watched_texts(engine, criteria)?;
    let watched: Vec<WatchedCodes> =
        texts.iter().enumerate().map(|(i, texts)| watched_codes(&groups, i, texts)).collect();
    let mut counter = Counter::new(attributes.len(), watched.len());
    for group in &groups {
        count(&mut counter, group, &attributes, &watched);
    }
    let names = engine.attributes().into_iter().map(String::from);
    let domains = attributes.iter().map(|one| one.hierarchy.len(Level::RECORDED));
    // Records without a value have the code after the last one.
    let values = watched.iter().map(|one| one.values.len() + 1);
    let recode = domains.chain(values).map(|size| (0..size as u32).collect()).collect();
    let attributes = names.zip(attributes).map(|(name, one)| {
        let hierarchy = one.hierarchy;
        QuasiIdentifier { name, hierarchy }
    });
    let titles = engine.cube().watched().iter().map(|watched| watched.name.clone());
    let watched = titles.zip(watched).map(|(name, one)| Watched { name, values: one.values });
    let parts = [CountedPart { counter, recode }];
    let cube = Cube::from_parts(attributes.collect(), watched.collect(), &parts);
    Ok(match engine.cube().unit() {
        Some(position) => cube.with_unit(position, str::to_owned),
        None => cube,
    })
}

/// The groups that are kept, which come in the same order whatever is watched.
fn kept(cube: &Cube, recoded: &Recoded<'_>, failing: &Failing) -> Vec<PlannedGroup> {
    let mut groups: Vec<PlannedGroup> = Vec::new();
    for watched in 0..cube.watched().len().max(1) {
        let mut position = 0;
        recoded.for_each_group(watched, |codes, group| {
            if failing.groups.contains(codes) {
                return;
            }
            if watched == 0 {
                let (codes, records) = (codes.to_vec(), group.records);
                groups.push(PlannedGroup { codes, records, values: Vec::new() });
            }
            groups[position].values.push(group.values.to_vec());
            position += 1;
        });
    }
    groups
}

/// The published values of an attribute, and the code of each published one among them.
struct PublishedCodes {
    hierarchy: Hierarchy,
    codes: FxHashMap<u32, u32>,
}

fn published_codes(
    recoded: &Recoded<'_>,
    groups: &[PlannedGroup],
    position: usize,
) -> PublishedCodes {
    let occurring: BTreeSet<u32> = groups.iter().map(|group| group.codes[position]).collect();
    let (gaps, matched): (Vec<u32>, Vec<u32>) =
        occurring.into_iter().partition(|&code| is_unmatched(recoded.label(position, code)));
    let mut labels = Dictionary::default();
    for &code in &matched {
        labels.code_or_add(recoded.label(position, code));
    }
    let places = 0..gaps.len() as u64;
    let hierarchy = Hierarchy::flat(labels.sorted().values());
    let hierarchy =
        if gaps.is_empty() { hierarchy } else { hierarchy.with_unmatched(places.map(unmatched)) };
    let known = |label: &str| hierarchy.code(label).expect("the hierarchy has every label");
    let matched = matched.iter().map(|&code| (code, known(recoded.label(position, code))));
    let gaps = gaps.iter().zip(0..).map(|(&code, place)| (code, known(&unmatched(place))));
    let codes = matched.chain(gaps).collect();
    PublishedCodes { hierarchy, codes }
}

/// The published text of each value of each watched attribute, by code.
fn watched_texts(engine: &Engine, criteria: &[Criterion]) -> Result<Vec<Vec<String>>, Error> {
    let watched = engine.cube().watched().iter();
    let mut texts: Vec<Vec<String>> =
        watched.map(|watched| watched.values.values().map(str::to_owned).collect()).collect();
    for (facts, level) in engine.facts().iter().zip(shown(engine, criteria)?) {
        if let (Some((hierarchy, codes)), Some(level)) = (&facts.hierarchy, level) {
            let label = |code: u32| hierarchy.label(hierarchy.ancestor(code, level), level);
            let shown = codes.iter().map(|&code| label(code).to_owned());
            texts[facts.target.position] = shown.collect();
        }
    }
    Ok(texts)
}

/// The published values of a watched attribute, and the code of each recorded one among them.
struct WatchedCodes {
    values: Dictionary,
    codes: FxHashMap<u32, u32>,
}

fn watched_codes(groups: &[PlannedGroup], position: usize, texts: &[String]) -> WatchedCodes {
    let counts = groups.iter().flat_map(|group| &group.values[position]);
    let occurring: BTreeSet<u32> =
        counts.filter(|value| value.count > 0).map(|value| value.code).collect();
    let mut values = Dictionary::default();
    for &code in &occurring {
        values.code_or_add(&texts[code as usize]);
    }
    let values = values.sorted();
    let known = |code: u32| values.code(&texts[code as usize]).expect("the values have every text");
    let codes = occurring.into_iter().map(|code| (code, known(code))).collect();
    WatchedCodes { values, codes }
}

/// Counts a group. Only the counts of each watched attribute by itself matter, so its records may
/// have their values in any combination.
fn count(
    counter: &mut Counter,
    group: &PlannedGroup,
    attributes: &[PublishedCodes],
    watched: &[WatchedCodes],
) {
    let sides = group.codes.iter().zip(attributes).map(|(code, one)| one.codes[code]);
    let mut codes: Vec<u32> = sides.collect();
    if watched.is_empty() {
        return counter.add_many(&codes, group.records);
    }
    let runs = group.values.iter().zip(watched).map(|(values, one)| {
        let known = values.iter().filter(|value| value.count > 0);
        let mut run: Vec<(u32, u64)> =
            known.map(|value| (one.codes[&value.code], value.count)).collect();
        let gaps = group.records - run.iter().map(|(_, count)| count).sum::<u64>();
        run.extend((gaps > 0).then_some((one.values.len() as u32, gaps)));
        run
    });
    let width = codes.len();
    joined(&runs.collect::<Vec<_>>(), |values, records| {
        codes.truncate(width);
        codes.extend_from_slice(values);
        counter.add_many(&codes, records);
    });
}

/// Shows runs of values, as long as all of them go on, next to each other.
fn joined(runs: &[Vec<(u32, u64)>], mut visit: impl FnMut(&[u32], u64)) {
    let mut places = vec![(0_usize, 0_u64); runs.len()];
    loop {
        let (mut codes, mut most) = (Vec::with_capacity(runs.len()), u64::MAX);
        for (run, &(at, used)) in runs.iter().zip(&places) {
            let Some(&(code, count)) = run.get(at) else { return };
            codes.push(code);
            most = most.min(count - used);
        }
        visit(&codes, most);
        for (run, (at, used)) in runs.iter().zip(&mut places) {
            *used += most;
            if *used == run[*at].1 {
                (*at, *used) = (*at + 1, 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_joined_so_that_each_keeps_its_counts() {
        let runs = [vec![(0, 3), (1, 2)], vec![(7, 1), (8, 4)]];
        let mut seen = Vec::new();
        joined(&runs, |codes, records| seen.push((codes.to_vec(), records)));
        let expected = vec![(vec![0, 7], 1), (vec![0, 8], 2), (vec![1, 8], 2)];
        assert_eq!(seen, expected);
    }
}
