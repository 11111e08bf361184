//! Why a scheme suppresses what it does: which kinds of records, and which level would help.

use std::collections::BTreeMap;

use haggle_api::{Ask, AttributeCost, Change, MeasureSpec, SuppressedValue, Why};
use haggle_model::{Error, Level, Scheme};

use crate::Engine;
use crate::criteria::criterion::Criterion;
use crate::criteria::failing::failing_groups;

/// At most this many of the values hit hardest are named for each attribute.
const NAMED: usize = 5;

/// What a scheme suppresses for the privacy asked for, and why.
pub(crate) fn why(
    engine: &Engine,
    ask: &Ask,
    scheme: &Scheme,
    spec: &MeasureSpec,
) -> Result<Why, Error> {
    let scheme = engine.scheme(scheme)?;
    let ask = ask.or(engine.defaults());
    let carried = engine.carried(&ask)?;
    let criteria = &carried.criteria[..];
    let failing = failing_groups(engine.cube(), &scheme, criteria);
    let (mut suppressed, mut failing_groups) = (0, 0);
    let hierarchies = engine.cube().attributes().iter().map(|a| &a.hierarchy).enumerate();
    let unmatched: Vec<u32> = hierarchies.map(|(i, h)| h.matched(scheme.level(i)) as u32).collect();
    let mut kinds: BTreeMap<(usize, u32), (u64, u64)> = BTreeMap::new();
    engine.cube().for_each_group(&scheme, 0, |codes, group| {
        let fails = failing.groups.contains(codes);
        let lost = if fails { group.records } else { 0 };
        suppressed += lost;
        failing_groups += u64::from(fails);
        for (position, &code) in codes.iter().enumerate() {
            // Values that match nothing are one kind, named by the first of them.
            let code = code.min(unmatched[position]);
            let kind = kinds.entry((position, code)).or_default();
            *kind = (kind.0 + group.records, kind.1 + lost);
        }
    });
    let resolved = engine.resolve_measure(spec)?;
    let (loss, loss_error) = resolved.of_groups(engine.cube(), &scheme, criteria);
    let cost = |scheme: &Scheme| carried.suppressed(scheme);
    Ok(Why {
        asked: Ask { privacy: engine.asked(&ask)?.privacy, ..Ask::default() },
        account: engine.account().suppressing(suppressed),
        records: engine.records(),
        suppressed,
        failing_groups,
        kinds: hardest_hit(engine, &scheme, &kinds),
        changes: changes(engine, &scheme, cost)?,
        measure: spec.to_string(),
        loss,
        loss_error,
        attributes: attribute_costs(engine, &scheme, spec, criteria, cost)?,
        scheme,
    })
}

/// What each attribute costs: its own loss, and what leaving it out would save.
fn attribute_costs(
    engine: &Engine,
    scheme: &Scheme,
    spec: &MeasureSpec,
    criteria: &[Criterion],
    cost: impl Fn(&Scheme) -> Result<u64, Error>,
) -> Result<Vec<AttributeCost>, Error> {
    let names = engine.attributes();
    let losses = attribute_losses(engine, scheme, spec, criteria)?;
    let one = |(position, name): (usize, &&str)| -> Result<AttributeCost, Error> {
        let without = scheme.with(position, engine.top().level(position));
        Ok(AttributeCost {
            attribute: (*name).into(),
            level: scheme.level(position).into(),
            loss: losses[position],
            suppressed_without: cost(&without)?,
        })
    };
    let mut costs = names.iter().enumerate().map(one).collect::<Result<Vec<_>, _>>()?;
    costs.sort_by_key(|cost| cost.suppressed_without);
    Ok(costs)
}

/// What is lost in each attribute alone.
pub(crate) fn attribute_losses(
    engine: &Engine,
    scheme: &Scheme,
    spec: &MeasureSpec,
    criteria: &[Criterion],
) -> Result<Vec<f64>, Error> {
    let names = engine.attributes();
    let one = |name: &&str| {
        let weight = |other: &&str| ((*other).to_owned(), f64::from(u8::from(other == name)));
        let alone = MeasureSpec { weights: names.iter().map(weight).collect(), ..spec.clone() };
        Ok(engine.resolve_measure(&alone)?.of_groups(engine.cube(), scheme, criteria).0)
    };
    names.iter().map(one).collect()
}

/// For each attribute the values that lose the largest share of their records.
fn hardest_hit(
    engine: &Engine,
    scheme: &Scheme,
    kinds: &BTreeMap<(usize, u32), (u64, u64)>,
) -> Vec<SuppressedValue> {
    let mut named = Vec::new();
    for (position, attribute) in engine.cube().attributes().iter().enumerate() {
        let level = scheme.level(position);
        let mine = kinds.range((position, 0)..=(position, u32::MAX));
        let mut mine: Vec<SuppressedValue> = mine
            .filter(|(_, (_, suppressed))| *suppressed > 0 && level < attribute.hierarchy.top())
            .map(|(&(_, code), &(records, suppressed))| SuppressedValue {
                attribute: attribute.name.clone(),
                value: attribute.hierarchy.shown(code, level).into(),
                records,
                suppressed,
            })
            .collect();
        let share = |kind: &SuppressedValue| kind.suppressed as f64 / kind.records as f64;
        mine.sort_by(|a, b| share(b).total_cmp(&share(a)).then(b.suppressed.cmp(&a.suppressed)));
        named.extend(mine.into_iter().take(NAMED));
    }
    named
}

fn changes(
    engine: &Engine,
    scheme: &Scheme,
    cost: impl Fn(&Scheme) -> Result<u64, Error>,
) -> Result<Vec<Change>, Error> {
    let mut changes = Vec::new();
    for (position, attribute) in engine.cube().attributes().iter().enumerate() {
        let level = u8::from(scheme.level(position));
        let top = u8::from(attribute.hierarchy.top());
        let steps = [level.checked_sub(1), (level < top).then(|| level + 1)];
        for to in steps.into_iter().flatten() {
            let other = scheme.with(position, Level::from(to));
            let suppressed = cost(&other)?;
            let attribute = attribute.name.clone();
            changes.push(Change { attribute, level: to, scheme: other, suppressed });
        }
    }
    changes.sort_by_key(|change| (change.suppressed, change.scheme.height()));
    Ok(changes)
}
