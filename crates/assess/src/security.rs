//! How well each sensitive value of a scheme's groups is hidden among the others: ψ.

use haggle_api::{GroupSecurity, Security, SecurityOptions, ValueSecurity};
use haggle_engine::Engine;
use haggle_model::{Error, Scheme};
use haggle_privacy::security as security_of;

use crate::measure::labels;

/// Estimates how well each sensitive value is hidden in the groups of a scheme.
pub fn security(
    engine: &Engine,
    scheme: &Scheme,
    options: &SecurityOptions,
) -> Result<Security, Error> {
    engine.needs_recorded("an estimate of security")?;
    let scheme = engine.scheme(scheme)?;
    if !(options.width > 0.0 && options.width.is_finite()) {
        return Err(Error::new("a suspicion has some width", "choose a width above 0"));
    }
    let mut matching = engine
        .facts()
        .iter()
        .filter(|facts| options.on.as_ref().is_none_or(|on| facts.target.name == *on));
    let (Some(facts), None) = (matching.next(), matching.next()) else {
        let names: Vec<_> = engine.facts().iter().map(|f| f.target.name.as_str()).collect();
        let fix = format!("name one of: {}", names.join(", "));
        return Err(Error::new("of which sensitive attribute?", fix));
    };
    let name = &facts.target.name;
    let classes = facts.classes.as_ref().ok_or_else(|| {
        let what = format!("the project states no class_function of '{name}'");
        Error::new(what, "add class_function = \"empirical\" to the attribute")
    })?;
    let mut found = vec![(0_u64, f64::INFINITY, 0.0, f64::NEG_INFINITY); classes.len()];
    let mut extremes: Vec<Extremes> = Vec::new();
    engine.cube().for_each_group(&scheme, facts.target.position, |codes, group| {
        let estimates = security_of(classes, group, options.width, options.scale);
        extremes.extend(Extremes::find(codes, group.records, &estimates));
        for (code, psi) in estimates {
            let (groups, least, sum, most) = &mut found[code as usize];
            (*groups, *least) = (*groups + 1, least.min(psi));
            (*sum, *most) = (*sum + psi, most.max(psi));
        }
    });
    let mut order: Vec<usize> = (0..classes.len()).filter(|&code| found[code].0 > 0).collect();
    order.sort_by_key(|&code| facts.ranks[code]);
    let value = |code: usize| {
        let (groups, least, sum, most) = found[code];
        let value = facts.values.value(code as u32).to_owned();
        let mean = sum / groups as f64;
        ValueSecurity { value, class: classes[code], groups, least, mean, most }
    };
    let values = order.into_iter().map(value).collect();
    let shown = |extremes: &[Extremes], which: fn(&Extremes) -> (u32, f64)| {
        let one = |group: &Extremes| {
            let (code, psi) = which(group);
            let value = facts.values.value(code).to_owned();
            let group_labels = labels(engine.cube(), &scheme, &group.codes);
            GroupSecurity { group: group_labels, records: group.records, value, psi }
        };
        extremes.iter().take(options.worst).map(one).collect()
    };
    extremes.sort_by(|a, b| a.least.1.total_cmp(&b.least.1));
    let easily_ruled_out = shown(&extremes, |group| group.least);
    extremes.sort_by(|a, b| b.most.1.total_cmp(&a.most.1));
    let easily_guessed = shown(&extremes, |group| group.most);
    let attribute = name.clone();
    Ok(Security { scheme, attribute, values, easily_ruled_out, easily_guessed })
}

/// The values of a group with the lowest and the highest estimate.
struct Extremes {
    codes: Vec<u32>,
    records: u64,
    least: (u32, f64),
    most: (u32, f64),
}

impl Extremes {
    /// None of a group without a known value.
    fn find(codes: &[u32], records: u64, estimates: &[(u32, f64)]) -> Option<Self> {
        let by_psi = |a: &&(u32, f64), b: &&(u32, f64)| a.1.total_cmp(&b.1);
        let least = *estimates.iter().min_by(by_psi)?;
        let most = *estimates.iter().max_by(by_psi)?;
        Some(Self { codes: codes.to_vec(), records, least, most })
    }
}
